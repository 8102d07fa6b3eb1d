"""The summary at the end of a terminal session, and text for JUnit files."""

from typing import Final

from rich.text import Text

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.report import beside, provenance
from twx_accept.report.format import plural
from twx_accept.report.headline import incomplete, standings
from twx_accept.report.hostile import plain, shorten, xml_safe
from twx_accept.report.naming import arranged, title_of

__all__ = ["styled", "summary", "xml_safe"]

_DOT: Final = " \N{MIDDLE DOT} "
_WIDTH: Final = 400  # characters of one line: a sentence, not a page
_STYLE: Final = {
    Outcome.SHOWN: "green",
    Outcome.NOT_SHOWN: "yellow",
    Outcome.FAILED: "red",
    Outcome.INVALID: "red",
    Outcome.REPORTED: "default",
    "good": "bold green",
    "bad": "bold red",
    "open": "bold yellow",
    "": "default",
}


def summary(run: RunRecord, where: str = "") -> list[str]:
    """One line a claim and build, what was not run, how it came about, who may ship, ``where`` the report is."""
    return [line for line, _ in _lines(run, where)]


def styled(run: RunRecord, where: str = "") -> Text:
    """The same lines, coloured for a terminal; the words alone carry the meaning."""
    return Text("\n").join(Text(line, style=_STYLE[tone]) for line, tone in _lines(run, where))


def _lines(run: RunRecord, where: str) -> list[tuple[str, str]]:
    """Lines with their tone (an outcome, "good", "bad", "open" or empty)."""
    run = arranged(run)
    widest = max(len(outcome) for outcome in Outcome)
    lines: list[tuple[str, str]] = [
        (_line(f"{each.outcome:<{widest}}  {_DOT.join(_words(run, each))}"), each.outcome) for each in run.verdicts
    ]
    for title, build in run.missing():
        lines.append((_line(f"{'not run':<{widest}}  {title}{_DOT}{title_of(run, build)}"), "open"))
    lines += [
        (_line(f"{'floor':<{widest}}  {_DOT.join((floor.title, floor.outcome, floor.said))}"), "")
        for floor in beside.floor(run)
    ]
    if incomplete(run):
        lines.append((f"INCOMPLETE: {plural(len(run.missing()), 'claim')} not run", "bad"))
    if run.partial:
        lines.append((_line(f"Partial run ({run.partial}): it decides nothing."), "open"))
    lines += _provenance(run)
    lines += [(_line(each.sentence), each.tone) for each in standings(run)]
    if where:
        lines.append((plain(f"Report: {where}").replace("\n", " "), ""))
    return lines


def _provenance(run: RunRecord) -> list[tuple[str, str]]:
    """Registration, floor and control, attempts, what came first, and waivers."""
    registered, tone = provenance.registration(run), "open" if provenance.is_exploratory(run) else ""
    lines = [(_line(f"Marks: {registered}"), tone)] if registered else []
    known = run.noise_floor == "measured" and run.control == "caught"
    around = f"Noise floor: {run.noise_floor}. Positive control: {run.control}."
    lines.append((_line(around), "" if known else "open"))
    lines += [(_line(f"{each.title}: {each.attempt}"), "") for each in standings(run) if each.attempt]
    lines += [(_line(f"To know: {each}"), "open") for each in run.disclosures]
    return lines + [(_line(f"Waiver: {each.sentence}"), "open") for each in provenance.waivers(run)]


def _words(run: RunRecord, verdict: Verdict) -> list[str]:
    """Claim, build, sentence, mark; the build only where the sentence does not begin with it."""
    title = title_of(run, verdict.build)
    return [
        verdict.title,
        *([] if provenance.sentence(verdict).startswith(title) else [title]),
        provenance.sentence(verdict),
        *([f"[mark: {verdict.mark}]"] if verdict.mark else []),
        *([f"({', '.join(verdict.labels)})"] if verdict.labels else []),
        *(reason for reason in verdict.reasons[:1] if reason not in verdict.sentence),
    ]


def _line(text: str) -> str:
    return plain(shorten(text, _WIDTH)).replace("\n", " ").replace("\t", " ")
