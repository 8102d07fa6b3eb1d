"""What a reader sees of agreement and drift: figures with their counts, effects, and tables by place and by kind."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from twx_accept.claims.agreement import words
from twx_accept.claims.agreement.comparing import Reading
from twx_accept.claims.agreement.full import FullCheck
from twx_accept.claims.agreement.measures import Measures
from twx_accept.claims.agreement.summary import Mean, Summary, summarise, together
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.verdict import Count, Effect, Figure, Fold, Quantity, Unit

GAPS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Borders (nats) of the buckets by how sure the original is: its top log-probability minus its second."""

Row = tuple[Quantity | str, ...]


def count(label: str, value: int) -> Count:
    """A line with a whole number."""
    return Count(label=label, value=Quantity(value=value, unit=Unit.COUNT, digits=0))


def share(value: float) -> Quantity:
    """A share of positions."""
    return Quantity(value=value, unit=Unit.SHARE, digits=2)


def nats(value: float) -> Quantity:
    """A divergence."""
    return Quantity(value=value, unit=Unit.LOGPROB, digits=4)


def distance(value: float) -> Quantity:
    """A total variation distance, 0 to 1."""
    return Quantity(value=value, unit=Unit.RATIO, digits=4)


def figures(
    summary: Summary, check: FullCheck, readings: Sequence[Reading], first: int, more: Sequence[Count]
) -> tuple[Figure, ...]:
    """The rows of the table."""
    return (
        _perplexity("original/perplexity", summary.perplexity_original, summary),
        _perplexity("perplexity", summary.perplexity_build, summary),
        _agreement(summary, more),
        Figure(
            key="agreement_tolerant",
            label="Next token agrees, if any of those that tie may be taken",
            value=share(summary.tolerated / summary.n),
            counts=(count("agrees", summary.tolerated), count("of", summary.n), _tied(summary)),
        ),
        _first(readings, first),
        _drift(summary, check),
        Figure(
            key="unresolved",
            label="Probability that the bound does not resolve",
            value=share(summary.unresolved),
            counts=(
                Count(label="what it is", value="the original's mean probability outside the tokens known of both"),
            ),
        ),
        _variation("variation_lower", "Total variation distance, at least", summary.variation_lower),
        _variation("variation_upper", "Total variation distance, at most", summary.variation_upper),
        _ratio(check),
    )


def _agreement(summary: Summary, more: Sequence[Count]) -> Figure:
    found = summary.agreement
    return Figure(
        key="agreement",
        label="Next token agrees with the original's",
        value=share(found.value),
        headline=True,
        counts=(
            count("agrees", summary.agreed),
            count("of", summary.n),
            count("passages", summary.passages),
            Count(label="lower bound (clustered by passage, one-sided)", value=share(found.lower)),
            Count(label="upper bound", value=share(found.upper)),
            _tied(summary),
            count("positions without an answer, counted as not agreeing", summary.missing),
            Count(
                label="what a build would agree on that always says the original's commonest token",
                value=share(summary.commonest / summary.n),
            ),
            Count(label="the original's mean probability of its top token", value=share(summary.sureness)),
            *more,
        ),
    )


def _tied(summary: Summary) -> Count:
    return count("positions with a tie at the top, on either side", summary.tied)


def _perplexity(key: str, value: float, summary: Summary) -> Figure:
    return Figure(
        key=key,
        label="Perplexity of the passages",
        value=Quantity(value=value, unit=Unit.RATIO, digits=3),
        counts=(count("positions", summary.n - summary.missing),),
    )


def _first(readings: Sequence[Reading], first: int) -> Figure:
    """The beginning, where a model knows least of what it reads."""
    early = [reading.measures.strict[:first] for reading in readings if reading.measures is not None]
    agreed, n = sum(int(each.sum()) for each in early), sum(min(reading.positions, first) for reading in readings)
    return Figure(
        key="agreement_first",
        label=f"Next token agrees, first {first} positions of each passage",
        value=share(agreed / n),
        counts=(count("agrees", agreed), count("of", n)),
    )


def _drift(summary: Summary, check: FullCheck) -> Figure:
    return Figure(
        key="drift",
        label="Drift from the original, at least",
        value=nats(summary.drift.value),
        counts=(
            Count(label="what it is", value="mean Kullback-Leibler divergence from the original, a lower bound"),
            Count(label="lower bound (clustered by passage, one-sided)", value=nats(summary.drift.lower)),
            Count(label="upper bound of what is resolved", value=nats(summary.drift.upper)),
            Count(label="unresolved probability", value=share(summary.unresolved)),
            Count(label="bound over whole divergence", value=_ratio(check).value),
        ),
    )


def _variation(key: str, label: str, found: Mean) -> Figure:
    return Figure(
        key=key,
        label=label,
        value=distance(found.value),
        counts=(
            Count(label="lower bound (clustered by passage, one-sided)", value=distance(found.lower)),
            Count(label="upper bound", value=distance(found.upper)),
        ),
    )


def _ratio(check: FullCheck) -> Figure:
    label = "Drift bound, of the whole divergence"
    if check.ratio is None:
        return Figure(key="full_ratio", label=label, value=words.full(check))
    more = (Count(label="not measured on all", value=check.why),) if check.why else ()
    return Figure(
        key="full_ratio",
        label=label,
        value=share(check.ratio),
        counts=(
            count("beginnings with the whole vocabulary", check.prefixes),
            Count(label="mean bound", value=nats(check.bound)),
            Count(label="mean whole divergence", value=nats(check.full)),
            *more,
        ),
    )


def effects(
    title: str, evidence: BuildEvidence, readings: Sequence[Reading], summary: Summary, mark: float | None, alpha: float
) -> tuple[Effect, ...]:
    """How far below full agreement the build is, and, folded, for each kind of passage.

    A control is drawn apart: it is so far off that no difference between the others could be seen on its scale.
    """
    build = evidence.build
    whole = _effect(
        "agreement, control" if evidence.control else "agreement",
        f"{title}: the positive control" if evidence.control else f"{title}: below full agreement with the original",
        build,
        summary,
    )
    parts = {kind: inside for kind, inside in by_kind(readings).items() if sum(r.positions > 0 for r in inside) > 1}
    title = f"{title} by kind of passage, {build} (reported, not gated)"
    return (
        replace(whole, margin=None if mark is None else (1 - mark) * 100),
        *(
            replace(_effect(f"agreement by kind, {build}", title, kind, summarise(inside, alpha)), folded=True)
            for kind, inside in parts.items()
        ),
    )


def _effect(chart: str, title: str, label: str, summary: Summary) -> Effect:
    found = summary.agreement
    return Effect(
        chart=chart,
        title=title,
        label=label,
        difference=(found.value - 1) * 100,
        lower=(found.lower - 1) * 100,
        upper=(found.upper - 1) * 100,
        notes=(count("agrees", summary.agreed), count("of", summary.n)),
    )


def by_kind(readings: Sequence[Reading]) -> dict[str, list[Reading]]:
    """The passages of each kind, in order."""
    found: dict[str, list[Reading]] = {}
    for reading in readings:
        found.setdefault(reading.passage.kind, []).append(reading)
    return found


def folds(readings: Sequence[Reading], first: int) -> tuple[Fold, ...]:
    """Agreement and drift by position, by how sure the original is, and by kind; of what both sides answered."""
    answered = [reading.measures for reading in readings if reading.measures is not None]
    places = np.concatenate([np.arange(1, len(each) + 1) for each in answered])
    gaps = together(answered, "gap")
    kinds = by_kind([reading for reading in readings if reading.measures is not None])
    of_kind = {
        kind: [reading.measures for reading in inside if reading.measures is not None] for kind, inside in kinds.items()
    }
    return (
        _fold("By position", "positions", _parts(answered, _places(places, first))),
        _fold(
            "By how sure the original is: its top token's log-probability above its second's (nats)",
            "gap",
            _parts(answered, _gaps(gaps)),
        ),
        _fold("By kind of passage", "kind", [(kind, inside, None) for kind, inside in of_kind.items()]),
    )


Part = tuple[str, Sequence[Measures], NDArray[np.bool_] | None]


def _parts(answered: Sequence[Measures], chosen: Sequence[tuple[str, NDArray[np.bool_]]]) -> list[Part]:
    return [(label, answered, which) for label, which in chosen if which.any()]


def _places(places: NDArray[np.int64], first: int) -> list[tuple[str, NDArray[np.bool_]]]:
    """The first ones, then stretches that grow fourfold."""
    found, begin = [(f"1 to {first}", places <= first)], first
    while begin < int(places.max(initial=0)):
        end = begin * 4
        found.append((f"{begin + 1} to {end}", (places > begin) & (places <= end)))
        begin = end
    return found


def _gaps(gaps: NDArray[np.float64]) -> list[tuple[str, NDArray[np.bool_]]]:
    found = [("0 (a tie)", gaps == 0)]
    found += [(f"above {low:g}, to {high:g}", (gaps > low) & (gaps <= high)) for low, high in pairwise(GAPS)]
    return [*found, (f"above {GAPS[-1]:g}", gaps > GAPS[-1])]


def _fold(title: str, first: str, parts: Sequence[Part]) -> Fold:
    columns = (first, "positions", "agrees", "agrees, ties allowed", "drift at least", "total variation at most")
    return Fold(title=title, columns=columns, rows=tuple(_row(*part) for part in parts))


def _row(label: str, measures: Sequence[Measures], which: NDArray[np.bool_] | None) -> Row:
    def average(name: str, shown: Callable[[float], Quantity]) -> Quantity:
        values = together(measures, name)
        return shown(float((values if which is None else values[which]).mean()))

    n = sum(map(len, measures)) if which is None else int(which.sum())
    return (
        label,
        Quantity(value=n, unit=Unit.COUNT, digits=0),
        average("strict", share),
        average("tolerant", share),
        average("bound", nats),
        average("variation_upper", distance),
    )
