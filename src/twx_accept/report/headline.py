"""The verdict on each build in one sentence, and the one sentence above them all.

HTML, Markdown and the terminal all say what is said here, so that no two of them can disagree.
"""

from dataclasses import dataclass

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome
from twx_accept.report import provenance
from twx_accept.report.format import listed, plural
from twx_accept.report.naming import arranged, controls, title_of

MAY_SHIP = "may ship"
MAY_NOT_SHIP = "may not ship"
_NAMED_BUILDS = 3  # more names than this do not make one sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a build stands: what is said of it, and because of what. ``tone`` is "good", "bad" or "open".

    ``attempt`` says how often its weights have been run, empty where that is not known.
    """

    build: str
    title: str
    control: bool
    ships: bool
    tone: str
    said: str
    because: str
    waived: bool = False
    attempt: str = ""

    @property
    def sentence(self) -> str:
        """Both in one sentence."""
        if not self.because:
            return self.said
        return f"{self.said} ({self.because})" if self.control or self.waived else f"{self.said}: {self.because}"


def incomplete(run: RunRecord) -> bool:
    """Whether something that was planned has no verdict."""
    return run.interrupted or bool(run.missing())


def standing(run: RunRecord, build: str) -> Standing:
    """The sentence about one build; a control never ships, whatever its claims say."""
    title, attempt = title_of(run, build), provenance.attempt(run, build)
    if build in controls(run):
        said, because, tone = _control(run, build)
        return Standing(
            build=build,
            title=title,
            control=True,
            ships=False,
            tone=tone,
            said=f"{title}: {said}",
            because=because,
            attempt=attempt,
        )
    ships = run.may_ship(build)
    waived = "" if ships else provenance.waived(run, build)
    return Standing(
        build=build,
        title=title,
        control=False,
        ships=ships,
        tone="good" if ships else "bad",
        said=f"{title} {MAY_SHIP if ships else MAY_NOT_SHIP}" + (f"; {waived}" if waived else ""),
        because="; ".join([*_obstacles(run, build), _tally(run, build)]),
        waived=bool(waived),
        attempt=attempt,
    )


def standings(run: RunRecord) -> list[Standing]:
    """Every build but the original, in the order of the suite, controls last."""
    return [standing(run, build) for build in arranged(run).builds if build != run.original]


def headline(run: RunRecord) -> str:
    """One sentence for the whole run."""
    candidates = [each for each in standings(run) if not each.control]
    if len(candidates) == 1:
        return candidates[0].sentence
    if not candidates:
        return "No build was up for release"
    shipping = [each.title for each in candidates if each.ships]
    held = [each.title + (" (waived)" if each.waived else "") for each in candidates if not each.ships]
    if not shipping:
        return _nothing_ships(run, len(candidates), [each.title for each in candidates if each.waived])
    if len(candidates) > _NAMED_BUILDS:
        return f"{len(shipping)} of {len(candidates)} builds may ship"
    return f"{listed(shipping)} may ship" + (f"; {listed(held)} may not" if held else "")


def _nothing_ships(run: RunRecord, candidates: int, waived: list[str]) -> str:
    if run.control == "missed":
        return "No build may ship: the positive control was MISSED"
    if incomplete(run):
        return "No build may ship: the run is INCOMPLETE"
    if run.partial:
        return "No build may ship on a partial run"
    nothing = "Neither build may ship" if candidates == 2 else f"None of the {candidates} builds may ship"
    return nothing + (f"; {listed(waived)} waived" if waived else "")


def _control(run: RunRecord, build: str) -> tuple[str, str, str]:
    """What is said of a positive control, because of what, and in which tone."""
    if run.control == "caught":
        caught = [f"{v.title} {v.outcome}" for v in run.of(build) if v.outcome in {Outcome.FAILED, Outcome.NOT_SHOWN}]
        return "the positive control was caught", listed(caught), "good"
    if run.control == "missed":
        return "the positive control was MISSED", "a build damaged on purpose went unnoticed", "bad"
    return "the positive control was not measured", "a build damaged on purpose", "open"


def _obstacles(run: RunRecord, build: str) -> list[str]:
    """Why a build may not ship, the weightiest first; empty for one that may."""
    parts = []
    for outcome in (Outcome.FAILED, Outcome.INVALID, Outcome.NOT_SHOWN):
        titles = [verdict.title for verdict in run.of(build) if verdict.gates and verdict.outcome is outcome]
        if titles:
            parts.append(f"{listed(titles)} {outcome}")
    missing = [title for title, name in run.missing() if name == build]
    if missing:
        parts.append(f"INCOMPLETE, {listed(missing)} not run")
    elif run.interrupted:
        parts.append("INCOMPLETE, the run was interrupted")
    if run.partial:
        parts.append(f"a partial run decides nothing ({run.partial})")
    if run.control == "missed":
        parts.append("the positive control was MISSED")
    return parts


def _tally(run: RunRecord, build: str) -> str:
    gating = [verdict for verdict in run.of(build) if verdict.gates]
    if not gating:
        return "no registered claim decided"
    shown = sum(verdict.outcome is Outcome.SHOWN for verdict in gating)
    return f"{shown} of {plural(len(gating), 'registered claim')} shown"
