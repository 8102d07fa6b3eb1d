"""What was measured on labelled facts as a table: totals by kind alone, without and with a judge."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from twx_accept.claims.made_up_facts.error import FALSE, NO_FACT, TRUE, LabelledSet, MatcherError, Tally
from twx_accept.errors import UsageError

PLAIN = "plain"
"""The kind of a true fact that is worded as its passage words it; every other kind is reworded."""


class Line(NamedTuple):
    """Labelled facts of one sort, as the matcher judges them, and as matcher and judge do; None without a judge."""

    alone: Tally
    together: Tally | None


def sample(labelled: LabelledSet, most: int | None) -> LabelledSet:
    """So many of the facts, taken from every sort by turns and at even distances within it; all of them for None.

    Raises:
        UsageError: they are too few to hold one of each sort.
    """
    if most is None or most >= len(labelled.facts):
        return labelled
    sorts: dict[tuple[str, str], list[int]] = {}
    for place, fact in enumerate(labelled.facts):
        sorts.setdefault((fact.label, fact.kind), []).append(place)
    if most < len(sorts):
        raise UsageError(f"--lines {most}: there are {len(sorts)} kinds of labelled facts; take at least one of each")
    share = dict.fromkeys(sorts, 0)
    while sum(share.values()) < most:
        for sort, places in sorts.items():
            share[sort] += share[sort] < len(places) and sum(share.values()) < most
    taken = sorted(
        places[turn * len(places) // share[sort]] for sort, places in sorts.items() for turn in range(share[sort])
    )
    return replace(labelled, facts=tuple(labelled.facts[place] for place in taken))


def lines(alone: MatcherError, together: MatcherError | None) -> list[Line]:
    """Plain and reworded true facts, false ones by what was changed, lines that are none, and all of each."""
    rows = _rows(alone)
    others = [None] * len(rows) if together is None else _rows(together)
    return [Line(one, other) for one, other in zip(rows, others, strict=True)]


def _rows(error: MatcherError) -> list[Tally]:
    true = [each for each in error.kinds if each.label == TRUE]
    none = [each for each in error.kinds if each.label == NO_FACT]
    rows = [
        _sum(TRUE, PLAIN, [each for each in true if each.kind == PLAIN]),
        _sum(TRUE, "reworded", [each for each in true if each.kind != PLAIN]),
        _sum(TRUE, "all", true),
        *(each for each in error.kinds if each.label == FALSE),
        _sum(FALSE, "all", [error.false]),
        _sum(NO_FACT, "all", none),
    ]
    return [row for row in rows if row.n]


def _sum(label: str, kind: str, parts: Sequence[Tally]) -> Tally:
    n, right, undecided = (sum(getattr(each, name) for each in parts) for name in ("n", "right", "undecided"))
    return Tally(label=label, kind=kind, n=n, right=right, undecided=undecided)
