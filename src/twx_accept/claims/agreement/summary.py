"""The figures of any set of passages: counts first, then what follows from them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twx_accept.claims.agreement.comparing import Reading
from twx_accept.claims.agreement.measures import Array, Measures
from twx_accept.claims.agreement.reading import logprobs_read
from twx_accept.domain.distributions import Distributions
from twx_accept.statistics import clustered
from twx_accept.statistics.proportion import clopper_pearson

PARTS = 10**6
"""A mean of any size is counted in millionths, since a clustered ratio is one of counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over positions with bounds that respect its passages; each bound errs with probability alpha."""

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a set of passages comes to.

    ``n`` counts all planned positions, ``missing`` those of passages without an answer: they are in ``n``, agree
    nowhere and are as far apart as can be, and say nothing of ``drift`` and ``unresolved``. ``commonest`` is how often
    the original's top token is the one that it is most often: what a build agrees on that reads nothing.
    ``sureness`` is the original's mean probability of its own top token.
    """

    passages: int
    n: int
    missing: int
    agreed: int
    tolerated: int
    tied: int
    agreement: Mean
    drift: Mean
    unresolved: float
    variation_lower: Mean
    variation_upper: Mean
    commonest: int
    sureness: float
    perplexity_original: float
    perplexity_build: float


def summarise(readings: Sequence[Reading], alpha: float) -> Summary:
    """The figures of these passages, at least two of which must have positions (StatisticsError)."""
    whole = [reading for reading in readings if reading.positions]
    both = [(reading.ids, reading.answers) for reading in whole if reading.answers is not None]
    measures = [answers.measures for _, answers in both]
    n, agreed = sum(reading.positions for reading in whole), sum(reading.agreed for reading in whole)
    sizes = [reading.positions for reading in whole]
    share = clustered.ratio([reading.agreed for reading in whole], sizes, alpha)
    independent = clopper_pearson(agreed, n, 1 - 2 * alpha)
    tops = Counter(top for each in measures for top in each.top_original.tolist())
    least = [0.0 if r.measures is None else float(r.measures.variation_lower.sum()) for r in whole]
    most = [float(r.positions if r.measures is None else r.measures.variation_upper.sum()) for r in whole]
    return Summary(
        passages=len(whole),
        n=n,
        missing=n - sum(map(len, measures)),
        agreed=agreed,
        tolerated=sum(reading.tolerated for reading in whole),
        tied=sum(int(each.tied.sum()) for each in measures),
        agreement=Mean(
            value=agreed / n,
            # Clusters that all pass have no spread; positions that are counted one by one still leave room for chance.
            lower=min(share.lower, independent.lower),
            upper=max(share.upper, independent.upper),
        ),
        drift=mean([float(each.bound.sum()) for each in measures], list(map(len, measures)), alpha),
        unresolved=_mean([each.unresolved for each in measures]),
        variation_lower=mean(least, sizes, alpha),
        variation_upper=mean(most, sizes, alpha),
        commonest=max(tops.values(), default=0),
        sureness=_mean([_tops(answers.original) for _, answers in both]),
        perplexity_original=_perplexity([logprobs_read(each.original, ids) for ids, each in both]),
        perplexity_build=_perplexity([logprobs_read(each.build, ids) for ids, each in both]),
    )


def mean(sums: Sequence[float], sizes: Sequence[int], alpha: float) -> Mean:
    """The mean of a quantity that is not negative, from its sum in each passage, clustered by passage.

    With fewer than two passages there is nothing to judge its spread by: the bounds are 0 and infinity.
    """
    total = sum(sizes)
    if len(sizes) < 2:
        value = math.fsum(sums) / total if total else math.nan
        return Mean(value=value, lower=0.0, upper=math.inf)
    scale = max(1.0, *(each / size for each, size in zip(sums, sizes, strict=True) if size))
    counts = [min(round(each / scale * PARTS), size * PARTS) for each, size in zip(sums, sizes, strict=True)]
    found = clustered.ratio(counts, [size * PARTS for size in sizes], alpha)
    upper = max(found.ratio, min(1.0, found.upper))
    return Mean(value=math.fsum(sums) / total, lower=found.lower * scale, upper=upper * scale)


def _perplexity(read: Sequence[Array]) -> float:
    """How surprised a side is by what it reads: e to the mean of -ln p."""
    return math.exp(-_mean(read)) if read else math.nan


def together(measures: Sequence[Measures], name: str) -> Array:
    """One array over all positions."""
    parts = [np.asarray(getattr(each, name), dtype=np.float64) for each in measures]
    return np.concatenate(parts) if parts else np.zeros(0)


def _tops(rows: Distributions) -> Array:
    tops: Array = np.exp(rows.logprobs.max(axis=1).astype(np.float64))
    return tops


def _mean(parts: Sequence[Array]) -> float:
    size = sum(len(part) for part in parts)
    return math.fsum(float(part.sum()) for part in parts) / size if size else math.nan
