"""Which tests take part in an acceptance run, in which order, and which are refused."""

from typing import TYPE_CHECKING, Any

import pytest

from twx_accept.claims import known
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import UsageError

if TYPE_CHECKING:
    from twx_accept.acceptance.run import Run

MARKERS = (
    "acceptance: decides a claim about a build from a real server; runs only with -m acceptance",
    "claim(name): the claim that an acceptance test is about",
    "control: an acceptance test about the build that was damaged on purpose",
)
DECIDED = pytest.StashKey[Verdict]()
"""The verdict that a test was given."""

NO_BUILD = "-"
"""Stands for a build where a test has none; no build can have this name."""
SOFTENING = ("xfail", "flaky", "skip", "skipif")


def is_acceptance(item: Any) -> bool:
    """Whether a test is an acceptance test."""
    return item.get_closest_marker("acceptance") is not None


def claim_of(item: Any) -> str:
    """The claim that a test is marked with; empty where it names none."""
    marker = item.get_closest_marker("claim")
    return str(marker.args[0]) if marker is not None and len(marker.args) == 1 else ""


def names_for(item: Any, run: "Run | None") -> list[str]:
    """The builds that a test is about: all, or the controls for a test of the control.

    A partial run does not ask enough to tell whether the control is caught, so it has no test of the control.
    """
    if run is None:
        return [NO_BUILD]
    about_control = item.get_closest_marker("control") is not None
    if about_control and run.session.partial:
        return [NO_BUILD]
    return [build.name for build in run.session.builds if build.control or not about_control] or [NO_BUILD]


def select(config: pytest.Config, items: list[pytest.Item], run: "Run | None") -> None:
    """Leave out what does not run; refuse what would soften an acceptance test; compare the marks; order by build.

    Raises:
        UsageError: a test is marked to be expected to fail or repeated, two tests decide one thing, or the suite is not
            the registered one.
    """
    left_out = [item for item in items if is_acceptance(item) and _has_no_part(item, run)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if run is None:
        return
    mine = [item for item in items if is_acceptance(item)]
    for item in mine:
        for name in SOFTENING:
            if item.get_closest_marker(name):
                raise UsageError(f"{item.nodeid} is marked {name}: an acceptance test is decided or invalid")
    deciding = [item for item in mine if "verdict" in getattr(item, "fixturenames", ()) or claim_of(item)]
    _refuse_doubles(deciding, run)
    if mine:
        run.read_ledger((deciding or mine)[0].path.parent)
    run.compare_marks({claim_of(item): item.path.parent for item in deciding})
    items.sort(key=lambda item: _place(item, run))


def _has_no_part(item: pytest.Item, run: "Run | None") -> bool:
    """No acceptance run, no build for it, or a claim that this suite does not make and others may."""
    if run is None or _build_of(item) == NO_BUILD:
        return True
    made = [claim.name for claim in run.session.claims]
    return claim_of(item) in set(known()) - set(made)


def _place(item: pytest.Item, run: "Run") -> tuple[bool, int, int]:
    """Claims whose mark has changed, before anything boots; then builds and claims in their order, then the rest."""
    builds = [build.name for build in run.session.builds]
    claims = [claim.name for claim in run.session.claims]
    build, claim = (_build_of(item), claim_of(item)) if is_acceptance(item) else ("", "")
    return (
        claim not in run.changed,
        builds.index(build) if build in builds else len(builds),
        claims.index(claim) if claim in claims else len(claims),
    )


def _build_of(item: pytest.Item) -> str:
    """The build that a test is about; empty where it is about none."""
    callspec = getattr(item, "callspec", None)
    return str(callspec.params.get("build_name", "")) if callspec else ""


def _refuse_doubles(items: list[pytest.Item], run: "Run") -> None:
    """Every claim of a suite is decided by at most one test for each build, and nothing else is."""
    seen: dict[tuple[str, str], str] = {}
    made = [claim.name for claim in run.session.claims]
    for item in items:
        claim, build = claim_of(item), _build_of(item)
        if not claim:
            raise UsageError(f'{item.nodeid} uses `verdict` and names no claim; mark it @pytest.mark.claim("NAME")')
        if claim not in made:
            raise UsageError(
                f"{item.nodeid} is about the claim {claim!r}, which there is not "
                f"(suite {run.session.suite.name!r} makes: {', '.join(sorted(made))})"
            )
        if (claim, build) in seen:
            raise UsageError(f"{item.nodeid} and {seen[claim, build]} both decide {claim} for {build}; remove one")
        seen[claim, build] = item.nodeid
