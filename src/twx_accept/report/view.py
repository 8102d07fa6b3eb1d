"""What the page shows, in the order in which it shows it: plain values, formatted and with their ids."""

from collections.abc import Iterable
from dataclasses import dataclass

from twx_accept.domain.run import RunRecord, Setting, Timing
from twx_accept.domain.verdict import Count, Fold, Quantity, Verdict
from twx_accept.report import beside, charting, choosing, provenance, table
from twx_accept.report import format as fmt
from twx_accept.report.charting import Chart
from twx_accept.report.evidence import BUDGET, Evidence, select
from twx_accept.report.headline import Standing, headline, incomplete, standings
from twx_accept.report.hostile import abridge
from twx_accept.report.ids import Ids
from twx_accept.report.naming import arranged, title_of
from twx_accept.report.provenance import WaiverView

_PARTS = ("main", "verdict", "size", "differences", "figures", "claims", "beside", "choosing", "evidence", "settings")
_FOLD_ROWS = (200, 100, 50, 30, 20)  # of one table: a large model has a hundred thousand tensors
_FOLD_BYTES = 90_000  # that all folded tables take at most; the evidence file has all rows
_CELL = 8_000  # characters of one cell, which may be a whole prompt
_CELL_BYTES = 20  # the markup around a cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line of the strip under the verdict; ``tone`` "good", "bad", "open" or "plain", ``wide`` for a long one."""

    label: str
    text: str
    tone: str = "plain"
    wide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A figure of the table: its text and the counts that it opens, in the part of the page called ``panel``."""

    text: str
    panel: str
    counts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One row of the table; ``cells`` follow the columns."""

    label: str
    headline: bool
    cells: tuple[Cell | None, ...]

    @property
    def opens(self) -> bool:
        """Whether any cell has counts behind it."""
        return any(cell and cell.counts for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureGroup:
    """The rows of one claim."""

    title: str
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldView:
    """A folded table. ``note`` says how many rows are shown where not all are, ``numbers`` which columns have any."""

    title: str
    columns: tuple[str, ...]
    numbers: frozenset[int]
    rows: tuple[tuple[str, ...], ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """One verdict with the tables that belong to it; ``void`` marks a sentence that does not count, else empty."""

    title: str
    verdict: Verdict
    void: str
    folds: tuple[FoldView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """All verdicts on one claim, and the builds for which it was planned but not run."""

    id: str
    title: str
    verdicts: tuple[VerdictView, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings by group; ``differing`` names those in which the builds differ from each other."""

    builds: tuple[str, ...]
    groups: tuple[tuple[str, tuple[Setting, ...]], ...]
    differing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page. ``verdict`` is the one that the headline is about, None where it sums several up.

    ``exploratory`` says why something is, empty where nothing is; ``uncounted`` names the verdicts that therefore
    count for nothing. ``titles`` gives each build's title by its name.
    """

    run: RunRecord
    headline: str
    verdict: Standing | None
    date: str
    standings: list[Standing]
    facts: list[Fact]
    exploratory: str
    uncounted: list[str]
    waivers: list[WaiverView]
    missing: list[str]
    bars: list[Chart]
    forests: list[Chart]
    columns: tuple[str, ...]
    figures: list[FigureGroup]
    claims: list[ClaimView]
    floor: list[beside.FloorView]
    contrast_columns: tuple[str, ...]
    contrast_numbers: tuple[int, ...]
    contrasts: list[tuple[str, ...]]
    choosing: list[str]
    evidence: Evidence
    groups: list[str]
    directions: list[str]
    settings: Settings
    timings: list[tuple[str, ...]]
    titles: dict[str, str]


def of(run: RunRecord, room: int = BUDGET) -> Page:
    """Everything that the template needs, with ``room`` bytes for items; it computes nothing itself."""
    run = arranged(run)
    ids = Ids()
    for name in _PARTS:
        ids.take(name)
    laid_out = table.of(run)
    figures = [_figure_group(run, group, ids) for group in laid_out.groups]
    claims, bars, forests = _claims(run, ids), charting.bar_charts(run, ids), charting.forests(run, ids)
    evidence = select(run, ids, room)  # last: what a model calls an item never takes an id of the page's own
    items = [item for block in evidence.blocks for item in block.items]
    settings = _settings(run)
    named = (*settings.builds, *(verdict.build for verdict in (*run.verdicts, *run.floor)))
    candidates = [each for each in standings(run) if not each.control]
    return Page(
        run=run,
        headline=headline(run),
        verdict=candidates[0] if len(candidates) == 1 else None,
        date=fmt.date(run.date),
        standings=standings(run),
        facts=_facts(run),
        exploratory=provenance.why_exploratory(run),
        uncounted=provenance.uncounted(run),
        waivers=list(provenance.waivers(run)),
        missing=_missing(run),
        bars=bars,
        forests=forests,
        columns=laid_out.columns,
        figures=figures,
        claims=claims,
        floor=beside.floor(run),
        contrast_columns=beside.COLUMNS,
        contrast_numbers=beside.NUMBERS,
        contrasts=beside.contrasts(run),
        choosing=choosing.sentences(run),
        evidence=evidence,
        groups=sorted({item.group for item in items} - {""}),
        directions=sorted({item.direction for item in items} - {""}),
        settings=settings,
        timings=[_timing(run, each) for each in run.timings],
        titles={build: title_of(run, build) for build in named},
    )


def _counts(run: RunRecord, entries: Iterable[Count]) -> tuple[tuple[str, str], ...]:
    """Labels and formatted values; a label that is a build is called by its title."""
    return tuple((title_of(run, entry.label), fmt.quantity(entry.value)) for entry in entries)


def _missing(run: RunRecord) -> list[str]:
    """What was not run, one line a build."""
    builds = dict.fromkeys(build for _, build in run.missing())
    return [
        f"{title_of(run, build)}: {fmt.listed([title for title, name in run.missing() if name == build])}"
        for build in builds
    ]


def _facts(run: RunRecord) -> list[Fact]:
    missing = len(run.missing())
    whole = f"{len(run.planned) - missing} of {fmt.plural(len(run.planned), 'verdict')}"
    tones = {"caught": "good", "missed": "bad", "measured": "good"}
    state, tone = (
        ("INCOMPLETE", "bad") if incomplete(run) else ("partial", "open") if run.partial else ("complete", "good")
    )
    return [
        Fact(label="Run", text=f"{state}, {whole}", tone=tone),
        Fact(label="Noise floor", text=run.noise_floor, tone=tones.get(run.noise_floor, "open")),
        Fact(
            label="Positive control",
            text="MISSED" if run.control == "missed" else run.control,
            tone=tones.get(run.control, "open"),
        ),
        Fact(label="Original", text=", ".join(filter(None, (title_of(run, run.original), _attempt(run))))),
        _marks(run),
    ]


def _attempt(run: RunRecord) -> str:
    """The original's attempt, in as few words as the strip has room for."""
    return provenance.attempt(run, run.original).removesuffix(" with these weights")


def _marks(run: RunRecord) -> Fact:
    """When the marks were registered, in few words where a notice below has the rest."""
    if provenance.is_exploratory(run):
        return Fact(label="Marks", text="exploratory, see below", tone="bad", wide=True)
    said = provenance.registration(run)
    unsaid = "not compared in a partial run" if run.partial else "not in a ledger"
    return Fact(label="Marks", text=said or unsaid, tone="good" if said else "open", wide=True)


def _figure_group(run: RunRecord, group: table.Group, ids: Ids) -> FigureGroup:
    return FigureGroup(title=group.title, rows=tuple(_figure_row(run, row, ids) for row in group.rows))


def _figure_row(run: RunRecord, row: table.Row, ids: Ids) -> FigureRow:
    cells = [
        Cell(
            text=fmt.quantity(figure.value),
            panel=ids.take(f"counts-{figure.key}") if figure.counts else "",
            counts=_counts(run, figure.counts),
        )
        if figure
        else None
        for figure in row.cells
    ]
    return FigureRow(label=row.label, headline=row.headline, cells=tuple(cells))


def _claims(run: RunRecord, ids: Ids) -> list[ClaimView]:
    order = dict.fromkeys([*(title for title, _ in run.planned), *(verdict.title for verdict in run.verdicts)])
    rows = _fold_rows(run)
    return [
        ClaimView(
            id=ids.take(f"claim-{title}"),
            title=title,
            verdicts=tuple(_verdict(run, verdict, rows) for verdict in run.verdicts if verdict.title == title),
            missing=tuple(title_of(run, build) for name, build in run.missing() if name == title),
        )
        for title in order
    ]


def _numeric(fold: Fold) -> frozenset[int]:
    """The columns in which numbers stand under each other, a word where there is none among them."""
    return frozenset(at for row in fold.rows for at, cell in enumerate(row) if isinstance(cell, Quantity))


def _fold_rows(run: RunRecord) -> int:
    """How many rows of each folded table there is room for."""
    folds = [fold for verdict in run.verdicts for fold in verdict.folds]
    sizes = [
        [sum(_CELL_BYTES + len(fmt.quantity(cell)) for cell in row) for row in fold.rows[: _FOLD_ROWS[0]]]
        for fold in folds
    ]
    fits = (rows for rows in _FOLD_ROWS if sum(sum(each[:rows]) for each in sizes) <= _FOLD_BYTES)
    return next(fits, _FOLD_ROWS[-1])


def _verdict(run: RunRecord, verdict: Verdict, most: int) -> VerdictView:
    folds = [
        FoldView(
            title=fold.title,
            columns=fold.columns,
            numbers=_numeric(fold),
            rows=tuple(tuple(abridge(fmt.quantity(cell), _CELL) for cell in row) for row in fold.rows[:most]),
            note=f"{most} of {len(fold.rows):,} rows shown, all in the evidence file." if len(fold.rows) > most else "",
        )
        for fold in verdict.folds
    ]
    void = provenance.NOT_COUNTING if provenance.does_not_count(verdict) else ""
    return VerdictView(title=title_of(run, verdict.build), verdict=verdict, void=void, folds=tuple(folds))


def _settings(run: RunRecord) -> Settings:
    groups: dict[str, list[Setting]] = {}
    for setting in run.settings:
        groups.setdefault(setting.group, []).append(setting)
    named = dict.fromkeys((run.original, *run.builds, *(build for each in run.settings for build in each.values)))
    return Settings(
        builds=tuple(named),
        groups=tuple((name, tuple(rows)) for name, rows in groups.items()),
        differing=tuple(setting.label for setting in run.settings if not setting.same),
    )


def _timing(run: RunRecord, each: Timing) -> tuple[str, ...]:
    return (
        title_of(run, each.build),
        each.phase,
        fmt.duration(each.seconds),
        fmt.number(each.asked, 0),
        fmt.number(each.kept, 0),
    )
