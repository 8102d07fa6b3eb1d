"""Two builds against each other, on the same passages."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from twx_accept.claims._lines import count
from twx_accept.claims.made_up_facts.comparing import Cell, Reading
from twx_accept.claims.made_up_facts.deciding import difference, enough, total
from twx_accept.claims.made_up_facts.error import MatcherError
from twx_accept.claims.made_up_facts.requiring import effective
from twx_accept.claims.made_up_facts.settings import MadeUpFactsSettings
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.verdict import Unit
from twx_accept.statistics.types import Better, Margin

RATE, RECALL = "share made up", "planted facts recalled"


def contrasts(
    frame: Contrast, readings: Sequence[Reading], settings: MadeUpFactsSettings, error: MatcherError | None
) -> Iterator[Contrast]:
    """Made-up facts and recall, each where both builds have any.

    Args:
        frame: claim, title and builds.
        readings: the passages, the one build in the original's place.
        settings: margins of equivalence and alpha.
        error: that of what judges facts, by which the margins are made smaller.
    """
    strict = [reading.alike(undecided_is_made_up=True) for reading in readings]
    lenient = [reading.alike(undecided_is_made_up=False) for reading in readings]
    recall = [reading.recall_alike() for reading in readings]
    if enough(strict):
        margin = _margin(settings.equivalence_points, error)
        yield _contrast(replace(frame, figure=RATE), (strict, lenient), margin, settings.alpha)
    if enough(recall):
        margin = _margin(settings.recall_equivalence_points, error)
        yield _contrast(replace(frame, figure=RECALL), (recall,), margin, settings.alpha)


def _margin(points: float | None, error: MatcherError | None) -> Margin | None:
    return None if points is None or error is None else effective(points, error)


def _contrast(frame: Contrast, ways: Sequence[Sequence[Cell]], margin: Margin | None, alpha: float) -> Contrast:
    """The difference, counted the first way; equivalence must hold in both directions and in every way of counting."""
    found, counts = difference(ways[0], alpha, margin, Better.LOWER), total(ways[0])
    both_ways = None
    if margin is not None:
        tests = (difference(cells, alpha, margin, better).p for cells in ways for better in Better)
        both_ways = max(p for p in tests if p is not None)
    return replace(
        frame,
        difference=found.difference * 100,
        lower=found.lower * 100,
        upper=found.upper * 100,
        unit=Unit.POINTS,
        p=found.p_equal,
        margin=None if margin is None else margin.in_points,
        p_equivalence=both_ways,
        alpha=alpha,
        counts=(
            count(f"{frame.one}: counted", counts.x_original),
            count(f"{frame.one}: of", counts.m_original),
            count(f"{frame.other}: counted", counts.x_build),
            count(f"{frame.other}: of", counts.m_build),
        ),
    )
