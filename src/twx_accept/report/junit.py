"""The run as a JUnit file, in the form that pytest calls xunit2: one testcase a claim and build.

A run under pytest has pytest's own file, with its tests' names and tracebacks. This one is of the record alone, so that
it can be written again without the tests; verdict, counts and mark stand in the texts, since readers drop properties.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.report.headline import headline, standing
from twx_accept.report.hostile import shorten, xml_safe
from twx_accept.report.naming import arranged, controls, title_of

LIMIT: Final = 1_000_000
"""Bytes that the file stays under."""

_NAME: Final = 200  # characters of a name
_MESSAGE: Final = 1000  # characters of a problem in a sentence
_TEXT: Final = 4000  # characters of one line of a text
# Characters of one text and how many testcases, from generous to terse: first texts are cut, then testcases.
_LADDER: Final = ((_TEXT, 1500), (1000, 1500), (300, 1500), (60, 1500), (60, 200))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A testcase; ``problem`` is "failure", "error", "skipped" or empty, ``message`` what it is in a sentence."""

    group: str
    name: str
    problem: str
    message: str
    text: str


def text_of(verdict: Verdict) -> str:
    """Verdict, mark, counts and what qualifies them, as text."""
    numbers = ", ".join(f"{name} = {value}" for name, value in verdict.statistics.items())
    labels = f" ({', '.join(verdict.labels)})" if verdict.labels else ""
    lines = [f"{verdict.outcome}{labels}: {verdict.sentence}", f"mark: {verdict.mark or 'none'}", numbers]
    lines += [f"reason: {each}" for each in verdict.reasons]
    lines += [f"warning: {each}" for each in verdict.warnings]
    return "\n".join(shorten(line, _TEXT) for line in lines) + "\n"


def render(run: RunRecord) -> str:
    """The file. A pure function of the run: its times are the run's, and no testcase has one of its own."""
    run = arranged(run)
    cases = list(_cases(run))
    for most, count in _LADDER:
        text = _file(run, _kept(cases, count), most)
        if len(text.encode()) < LIMIT:
            break
    return text


def _kept(cases: list[_Case], count: int) -> list[_Case]:
    """The first of them, and one testcase that stands for all others, as bad as the worst of these."""
    if len(cases) <= count:
        return cases
    left_out = [each.problem for each in cases[count:]]
    worst = next((each for each in ("failure", "error", "skipped") if each in left_out), "")
    said = f"{len(left_out):,} more testcases are in report.json"
    return [*cases[:count], _Case(group="twx_accept", name="more", problem=worst, message=said, text=said)]


def _cases(run: RunRecord) -> Iterator[_Case]:
    for verdict in run.verdicts:
        yield _case(run, verdict)
    for title, build in run.missing():
        said = f"INCOMPLETE: {title} of {title_of(run, build)} was not run"
        yield _Case(group="twx_accept.not_run", name=f"{title} [{build}]", problem="error", message=said, text=said)
    for build in sorted(controls(run)):
        said = standing(run, build).sentence
        problem = {"caught": "", "missed": "failure"}.get(run.control, "skipped")
        yield _Case(
            group="twx_accept.positive_control", name=f"caught [{build}]", problem=problem, message=said, text=said
        )


def _case(run: RunRecord, verdict: Verdict) -> _Case:
    """An invalid claim is an error, never a failure; a control is there to fail, and has a testcase that says so."""
    problem = "" if verdict.passes or verdict.build in controls(run) else "failure"
    return _Case(
        group=f"twx_accept.{verdict.claim}",
        name=f"{verdict.title} [{verdict.build}]",
        problem="error" if verdict.outcome is Outcome.INVALID else problem,
        message=" ".join([*verdict.reasons[:1], verdict.sentence]),
        text=text_of(verdict),
    )


def _file(run: RunRecord, cases: list[_Case], most: int) -> str:
    """The file with at most so many characters of each text."""
    counted = [case.problem for case in cases]
    suites = ET.Element("testsuites", name="twx-accept")
    suite = ET.SubElement(
        suites,
        "testsuite",
        name=_line(run.suite, _NAME),
        errors=str(counted.count("error")),
        failures=str(counted.count("failure")),
        skipped=str(counted.count("skipped")),
        tests=str(len(cases)),
        time=_seconds(run),
        timestamp=_line(run.date, _NAME),
    )
    taken: set[tuple[str, str]] = set()
    for case in cases:
        group, name = _free(_line(case.group, _NAME), _line(case.name, _NAME), taken)
        element = ET.SubElement(suite, "testcase", classname=group, name=name, time="0.000")
        if case.problem:
            problem = ET.SubElement(element, case.problem, message=_line(case.message, min(most, _MESSAGE)))
            problem.text = _cut(case.text, most)
        else:
            ET.SubElement(element, "system-out").text = _cut(case.text, most)
    ET.SubElement(suite, "system-out").text = _cut(headline(run), _MESSAGE)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _free(group: str, name: str, taken: set[tuple[str, str]]) -> tuple[str, str]:
    """The name, numbered if the group has it already: names that differ only where they were cut stay apart."""
    number, free = 2, name
    while (group, free) in taken:
        free, number = f"{name} ({number})", number + 1
    taken.add((group, free))
    return group, free


def _seconds(run: RunRecord) -> str:
    """All phases together, as a number that every reader takes."""
    known = [each.seconds for each in run.timings if math.isfinite(each.seconds) and 0 <= each.seconds < LIMIT**2]
    return f"{math.fsum(known):.3f}"


def _line(text: str, most: int) -> str:
    return " ".join(_cut(text, most).split())


def _cut(text: str, most: int) -> str:
    """At most so many characters, none of which XML lacks."""
    return xml_safe(shorten(text, most))
