"""The report as Markdown for a CI job's page: the verdict, the claims, the figures and how to run it again."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Verdict
from twx_accept.report import beside, charting, choosing, provenance, table
from twx_accept.report import format as fmt
from twx_accept.report.headline import headline, incomplete, standings
from twx_accept.report.hostile import plain, shorten
from twx_accept.report.ids import Ids
from twx_accept.report.naming import arranged, title_of

LIMIT: Final = 58_000
"""Bytes; job pages take little more."""

_CELL: Final = 600  # characters of one cell
_LONG: Final = 2000  # of a sentence or two on a line of their own
_CUT: Final = "\n_The rest is in the report._\n"
_TONE: Final = {"good": "\N{WHITE HEAVY CHECK MARK}", "bad": "\N{CROSS MARK}", "open": "\N{WHITE CIRCLE}"}
# Every character that Markdown or HTML could take for markup: "@" and "#", which would call people and tickets, ":" of
# an address or a picture's name, and what makes a list or a line at the beginning.
_ACTIVE = re.compile(
    r"[\\`*_{}\[\]()#+!|<>&@~$^]|:(?=//|[\w+-]+:)|(?<=www)\.|^[-=:]|(?<=^\d)\.(?=\s|$)|(?<=^\d\d)\.(?=\s|$)", re.ASCII
)


def render(run: RunRecord) -> str:
    """The page, cut between two lines where it would grow beyond ``LIMIT`` bytes."""
    run = arranged(run)
    kept: list[str] = []
    size = len(_CUT.encode())
    for line in _lines(run):
        size += len(line.encode()) + 1
        if size > LIMIT:
            return "\n".join(kept) + "\n" + _CUT
        kept.append(line)
    return "\n".join(kept) + "\n"


def _lines(run: RunRecord) -> Iterator[str]:
    yield f"## {_safe(headline(run))}"
    yield ""
    yield f"{_safe(run.suite_title or run.suite)}, {_safe(fmt.date(run.date))}"
    yield ""
    for each in standings(run):
        yield f"- {_TONE[each.tone]} {_safe(each.sentence)}" + (f" _{_safe(each.attempt)}_" if each.attempt else "")
    yield ""
    yield from _state(run)
    yield from _provenance(run)
    yield from _claims(run)
    yield from _differences(run)
    yield from _figures(run)
    yield from _beside(run)
    yield from _choosing(run)
    yield from _settings(run)


def _state(run: RunRecord) -> Iterator[str]:
    """What a reader must know before the figures."""
    if incomplete(run):
        missing = [f"{title} ({title_of(run, build)})" for title, build in run.missing()]
        yield f"**INCOMPLETE.** Not run: {_safe(fmt.listed(missing) or 'nothing')}."
        yield ""
    if run.partial:
        yield f"**Partial** ({_safe(run.partial)}): a partial run decides nothing."
        yield ""
    if run.demonstration:
        yield "Demonstration suite: nobody means to release these builds."
        yield ""
    yield f"Noise floor: {_safe(run.noise_floor)}. Positive control: {_safe(run.control)}."
    yield ""


def _provenance(run: RunRecord) -> Iterator[str]:
    """How the run came about: registration, what came first, waivers."""
    registered = _safe(provenance.registration(run))
    if provenance.is_exploratory(run):
        yield f"**Marks: {registered}**"
    elif registered:
        yield f"Marks: {registered}."
    yield ""
    uncounted = provenance.uncounted(run)
    if uncounted:
        yield f"Computed, but not counting: {_safe(fmt.listed(uncounted))}."
        yield ""
    for kind, lines in (("To know", run.disclosures), ("Waiver", [w.sentence for w in provenance.waivers(run)])):
        for line in lines:
            yield f"- **{kind}:** {_safe(line)}"
        if lines:
            yield ""


def _claims(run: RunRecord) -> Iterator[str]:
    yield "### Claims"
    yield ""
    yield from _table(("Claim", "Build", "Outcome", "Verdict", "Mark"), (_claim(run, each) for each in run.verdicts))


def _claim(run: RunRecord, verdict: Verdict) -> tuple[str, ...]:
    said = [provenance.sentence(verdict), *verdict.reasons, *(f"Warning: {warning}" for warning in verdict.warnings)]
    outcome = ", ".join([verdict.outcome, *verdict.labels])
    return (
        verdict.title,
        title_of(run, verdict.build),
        outcome,
        " ".join(said),
        verdict.mark or ("" if verdict.gates else "none"),
    )


def _differences(run: RunRecord) -> Iterator[str]:
    """The records of the forest plots that a page shows open."""
    for chart in charting.forests(run, Ids()):
        if not chart.folded:
            yield f"### {_safe(chart.title)}"
            yield ""
            yield from _table(chart.columns, chart.rows, right=True)


def _figures(run: RunRecord) -> Iterator[str]:
    laid_out = table.of(run)
    for group in laid_out.groups:
        yield f"### {_safe(group.title)}"
        yield ""
        rows = ((row.label, *(fmt.quantity(cell.value) if cell else "" for cell in row.cells)) for row in group.rows)
        yield from _table(("", *(title_of(run, build) for build in laid_out.columns)), rows, right=True)


def _beside(run: RunRecord) -> Iterator[str]:
    """The original against itself, and the builds against each other."""
    if floor := beside.floor(run):
        yield "### Noise floor: the original served again"
        yield ""
        yield from _table(("Claim", "Outcome", "What it came to"), ((f.title, f.outcome, f.said) for f in floor))
    if contrasts := beside.contrasts(run):
        yield "### Builds against each other"
        yield ""
        yield from _table(beside.COLUMNS, contrasts)


def _choosing(run: RunRecord) -> Iterator[str]:
    if said := choosing.sentences(run):
        yield "### Which build when"
        yield ""
        yield from (f"- {_safe(each, _LONG)}" for each in said)
        yield ""


def _settings(run: RunRecord) -> Iterator[str]:
    differing = [setting.label for setting in run.settings if not setting.same]
    yield "### Settings"
    yield ""
    yield f"Difference between builds: {_safe(', '.join(differing) or 'none')}."
    yield ""
    yield f"To run it again: <code>{_safe(run.command, 4000)}</code>"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: bool = False) -> Iterator[str]:
    line = "|" + "|".join(["---", *("---:" if right else "---" for _ in columns[1:])]) + "|"
    yield f"{_row(columns)}\n{line}"  # together: a page that is cut between them would show no table
    for row in rows:
        yield _row(row)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_safe(cell) for cell in cells) + " |"


def _safe(text: str, limit: int = _CELL) -> str:
    """``text`` on one line, with everything that could be markup as a character reference."""
    line = " ".join(plain(shorten(text, limit)).split())
    return _ACTIVE.sub(lambda match: f"&#{ord(match[0])};", line)
