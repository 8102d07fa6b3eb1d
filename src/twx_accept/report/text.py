"""The summary at the end of a terminal session, and text for JUnit files."""

from typing import Final

from rich.text import Text

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome
from twx_accept.report.format import plural
from twx_accept.report.headline import incomplete, standings, title_of
from twx_accept.report.hostile import plain, shorten, xml_safe

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
    """One line a claim and build, then what was not run, then who may ship, then ``where`` the report is."""
    return [line for line, _ in _lines(run, where)]


def styled(run: RunRecord, where: str = "") -> Text:
    """The same lines, coloured for a terminal; the words alone carry the meaning."""
    return Text("\n").join(Text(line, style=_STYLE[tone]) for line, tone in _lines(run, where))


def _lines(run: RunRecord, where: str) -> list[tuple[str, str]]:
    """Lines with their tone (an outcome, "good", "bad", "open" or empty)."""
    widest = max((len(outcome) for outcome in Outcome), default=0)
    lines: list[tuple[str, str]] = []
    for verdict in run.verdicts:
        words = [title_of(run, verdict.build), verdict.title, verdict.sentence]
        if verdict.mark:
            words.append(f"[mark: {verdict.mark}]")
        if verdict.labels:
            words.append(f"({', '.join(verdict.labels)})")
        words += [reason for reason in verdict.reasons[:1] if reason not in verdict.sentence]
        lines.append((_line(f"{verdict.outcome:<{widest}}  {_DOT.join(words)}"), verdict.outcome))
    for title, build in run.missing():
        lines.append((_line(f"{'not run':<{widest}}  {title_of(run, build)}{_DOT}{title}"), "open"))
    if incomplete(run):
        lines.append((f"INCOMPLETE: {plural(len(run.missing()), 'claim')} not run", "bad"))
    if run.partial:
        lines.append((_line(f"Partial run ({run.partial}): it decides nothing."), "open"))
    lines += [(_line(each.sentence), each.tone) for each in standings(run)]
    if where:
        lines.append((plain(f"Report: {where}").replace("\n", " "), ""))
    return lines


def _line(text: str) -> str:
    return plain(shorten(text, _WIDTH)).replace("\n", " ").replace("\t", " ")
