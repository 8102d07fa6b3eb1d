"""From counts to an outcome: the clustered rate both ways, the clustered recall, and the published test beside them."""

from collections.abc import Sequence
from dataclasses import dataclass

from twx_accept.claims.made_up_facts.comparing import Cell, Reading
from twx_accept.domain.verdict import Outcome
from twx_accept.statistics.clustered import RatioDifference, ratio_difference
from twx_accept.statistics.independent import fisher, miettinen_nurminen_interval
from twx_accept.statistics.types import Better, Interval, Margin


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The margins that decide, after the matcher's own error; None where nothing is registered."""

    rate: Margin | None
    recall: Margin | None
    alpha: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Independent:
    """The published test, which takes every fact for a piece of evidence of its own."""

    p: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Made-up facts of all facts. ``strict`` counts what is undecided as made up, ``lenient`` as supported.

    ``counts`` are those of ``strict``, all passages together.
    """

    counts: Cell
    strict: RatioDifference
    lenient: RatioDifference
    independent: Independent

    @property
    def outcome(self) -> Outcome:
        """Shown or failed only where it is so both ways."""
        both = {self.strict.outcome, self.lenient.outcome}
        return both.pop() if len(both) == 1 else Outcome.NOT_SHOWN

    @property
    def design_effect(self) -> float | None:
        """The variance between passages over that of independent facts; None where the latter is 0.

        Below 1 where what a passage does to both sides cancels.
        """
        found, counts = self.strict, self.counts
        one = found.build * (1 - found.build) / counts.m_build
        other = found.original * (1 - found.original) / counts.m_original
        return found.sandwich_error**2 / (one + other) if one + other > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Planted facts that are said, of all planted facts."""

    counts: Cell
    result: RatioDifference


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Both gates. ``rate`` is None where a side wrote no fact, ``recall`` where none are planted."""

    rate: Rate | None
    recall: Recall | None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before trusting the intervals."""
        found = [self.rate.strict.warnings] if self.rate else []
        found += [self.recall.result.warnings] if self.recall else []
        return tuple(dict.fromkeys(warning for each in found for warning in each))

    @property
    def outcome(self) -> Outcome:
        """The worse of the two; what cannot be computed is not shown."""
        rate = Outcome.NOT_SHOWN if self.rate is None else self.rate.outcome
        recall = Outcome.NOT_SHOWN if self.recall is None else self.recall.result.outcome
        worst_first = (Outcome.FAILED, Outcome.NOT_SHOWN, Outcome.SHOWN)
        return next((outcome for outcome in worst_first if outcome in (rate, recall)), Outcome.REPORTED)


def decide(readings: Sequence[Reading], marks: Marks) -> Result:
    """What these passages come to."""
    return Result(rate=rate(readings, marks), recall=recall(readings, marks))


def rate(readings: Sequence[Reading], marks: Marks) -> Rate | None:
    """Made-up facts; None where a side has no facts, or only one passage has any."""
    strict = [reading.rate(undecided_is_made_up=True) for reading in readings]
    lenient = [reading.rate(undecided_is_made_up=False) for reading in readings]
    if not enough(strict):
        return None
    counts = total(strict)
    return Rate(
        counts=counts,
        strict=difference(strict, marks.alpha, marks.rate, Better.LOWER),
        lenient=difference(lenient, marks.alpha, marks.rate, Better.LOWER),
        independent=_independent(counts, marks.alpha),
    )


def recall(readings: Sequence[Reading], marks: Marks) -> Recall | None:
    """Planted facts; None where fewer than two passages have any."""
    cells = [reading.recall() for reading in readings]
    if not enough(cells):
        return None
    return Recall(counts=total(cells), result=difference(cells, marks.alpha, marks.recall, Better.HIGHER))


def difference(cells: Sequence[Cell], alpha: float, margin: Margin | None, better: Better) -> RatioDifference:
    """The build's rate minus the original's, clustered by passage."""
    return ratio_difference(
        [cell.x_original for cell in cells],
        [cell.m_original for cell in cells],
        [cell.x_build for cell in cells],
        [cell.m_build for cell in cells],
        alpha,
        margin=margin,
        better=better,
    )


def total(cells: Sequence[Cell]) -> Cell:
    """All passages together."""
    return Cell(*(sum(column) for column in zip(*cells, strict=True)))


def enough(cells: Sequence[Cell]) -> bool:
    """Whether both sides have items, and more than one passage has any."""
    whole = total(cells) if cells else Cell(0, 0, 0, 0)
    return min(whole.m_original, whole.m_build) > 0 and sum(cell.m_original + cell.m_build > 0 for cell in cells) > 1


def _independent(counts: Cell, alpha: float) -> Independent:
    sides = (counts.x_build, counts.m_build, counts.x_original, counts.m_original)
    return Independent(p=fisher(*sides), interval=miettinen_nurminen_interval(*sides, 1 - 2 * alpha))
