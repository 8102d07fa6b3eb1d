"""How a run came about, in words: attempts, registration, waivers, and what does not count.

Every report says these things in the words of this module.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from twx_accept.domain.run import RunRecord, Waiver
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.report import format as fmt
from twx_accept.report.hostile import shorten
from twx_accept.report.naming import title_of

EXPLORATORY: Final = "exploratory"
NOT_COUNTING: Final = "Computed, but does not count"
_REASON: Final = 160  # characters of a waiver's reason in a sentence; the list of waivers has it whole


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverView:
    """One waiver in words. ``used`` is whether the build needs it in this run."""

    what: str
    who: str
    when: str
    reason: str
    used: bool

    @property
    def sentence(self) -> str:
        """All of it on one line."""
        unused = "" if self.used else " (not needed in this run)"
        return f"{self.what}, waived by {self.who}, {self.when}: {self.reason}{unused}"


def attempt(run: RunRecord, build: str) -> str:
    """How often the weights of a build have been run whole; empty where it is not known or none was."""
    number = run.attempts.get(build, 0)
    return f"attempt {number:,} with these weights" if number > 0 else ""


def is_exploratory(run: RunRecord) -> bool:
    """Whether anything in the run was begun before its mark was registered."""
    return run.registered.startswith(EXPLORATORY) or any(EXPLORATORY in verdict.labels for verdict in run.verdicts)


def registration(run: RunRecord) -> str:
    """When the marks were registered; empty where none apply and a run does not say."""
    if is_exploratory(run) and not run.registered.startswith(EXPLORATORY):
        return f"{EXPLORATORY}: some marks were registered after their evidence was begun"
    if not run.registered or is_exploratory(run):
        return run.registered
    return f"registered {run.registered}"


def why_exploratory(run: RunRecord) -> str:
    """Why something is exploratory, as a sentence; empty where nothing is."""
    if not is_exploratory(run):
        return ""
    why = registration(run).removeprefix(EXPLORATORY).lstrip(": ")
    return why[:1].upper() + why[1:]


def uncounted(run: RunRecord) -> list[str]:
    """The verdicts that are exploratory: claim and build."""
    return [f"{each.title} ({title_of(run, each.build)})" for each in run.verdicts if EXPLORATORY in each.labels]


def does_not_count(verdict: Verdict) -> bool:
    """Whether the verdict's sentence was computed and yet decides nothing, being exploratory."""
    return verdict.outcome is Outcome.INVALID and EXPLORATORY in verdict.labels


def sentence(verdict: Verdict) -> str:
    """The verdict in words, marked where it does not count."""
    return f"{NOT_COUNTING}: {verdict.sentence}" if does_not_count(verdict) else verdict.sentence


def obstacles(run: RunRecord, build: str) -> list[str]:
    """The titles of the claims that hold a build: decided and not shown, or not run."""
    held = [each.title for each in run.of(build) if each.gates and each.outcome is not Outcome.SHOWN]
    return list(dict.fromkeys([*held, *(title for title, name in run.missing() if name == build)]))


def waived(run: RunRecord, build: str) -> str:
    """By whom and why a build that may not ship is shipped anyway; empty where nobody waived what holds it."""
    held = obstacles(run, build)
    last = {_claim(run, each): each for each in run.waivers if each.build == build}
    used = {title: each for title, each in last.items() if title in held}
    whole = set(held) == set(used) and not run.partial and run.control != "missed" and not run.interrupted
    return "; ".join(
        f"{'' if whole else f'{title} '}waived by {shorten(each.by, _REASON)}: {shorten(each.reason, _REASON)}"
        for title, each in used.items()
    )


def waivers(run: RunRecord) -> Iterator[WaiverView]:
    """Every waiver of the suite, those that this run needs first."""
    views = [_view(run, each) for each in run.waivers]
    yield from sorted(views, key=lambda view: not view.used)


def _view(run: RunRecord, waiver: Waiver) -> WaiverView:
    title = _claim(run, waiver)
    return WaiverView(
        what=f"{title} of {title_of(run, waiver.build)}",
        who=waiver.by,
        when=fmt.date(waiver.date),
        reason=waiver.reason,
        used=title in obstacles(run, waiver.build),
    )


def _claim(run: RunRecord, waiver: Waiver) -> str:
    """The title of the claim that a waiver names."""
    return next((each.title for each in run.verdicts if each.claim == waiver.claim), waiver.claim)
