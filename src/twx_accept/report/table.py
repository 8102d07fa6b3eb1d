"""The table of figures: builds in columns, one row a figure, grouped by claim."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Figure, Verdict

ORIGINAL_PREFIX = "original/"
"""A figure whose key begins with this belongs in the original's column, in the row of the rest of its key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure for every build; ``cells`` follow the table's columns, None where a build has no such figure."""

    label: str
    headline: bool
    cells: tuple[Figure | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The rows of one claim, by the claim's title."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """``columns`` are builds' names, the original first where it has figures."""

    columns: tuple[str, ...]
    groups: tuple[Group, ...]


def of(run: RunRecord) -> Table:
    """Lay all figures of a run out. A key that one build gives twice gets two rows; nothing is dropped."""
    placed = list(_placed(run))
    present = {build for _, build, _, _ in placed}
    known = (run.original, *(build for build in run.builds if build != run.original))
    columns = tuple(build for build in (*known, *sorted(present - set(known))) if build in present)
    titles: dict[str, dict[tuple[str, int], dict[str, Figure]]] = {}
    for title, build, occurrence, figure in placed:
        titles.setdefault(title, {}).setdefault((figure.key, occurrence), {})[build] = figure
    groups = [
        Group(title=title, rows=tuple(_row(row, columns) for row in rows.values())) for title, rows in titles.items()
    ]
    return Table(columns=columns, groups=tuple(groups))


def _row(cells: dict[str, Figure], columns: tuple[str, ...]) -> Row:
    return Row(
        label=next(iter(cells.values())).label,
        headline=any(figure.headline for figure in cells.values()),
        cells=tuple(cells.get(build) for build in columns),
    )


def _placed(run: RunRecord) -> Iterator[tuple[str, str, int, Figure]]:
    """Every figure with its claim's title, its column and how often that key was there before."""
    seen: dict[tuple[str, str, str], list[Figure]] = {}
    for verdict in (*run.verdicts, *run.floor):
        for column, figure in _columns(verdict, run.original):
            before = seen.setdefault((verdict.title, column, figure.key), [])
            if column == run.original and figure in before:
                continue  # each build's verdict repeats the original's figure
            before.append(figure)
            yield verdict.title, column, len(before), figure


def _columns(verdict: Verdict, original: str) -> Iterator[tuple[str, Figure]]:
    for figure in verdict.figures:
        if figure.key.startswith(ORIGINAL_PREFIX):
            yield original, replace(figure, key=figure.key.removeprefix(ORIGINAL_PREFIX))
        else:
            yield verdict.build, figure
