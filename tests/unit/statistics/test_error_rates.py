"""How often the tests err when the loss is exactly the margin."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multinomial, norm

from twx_accept.domain.verdict import Outcome
from twx_accept.statistics import clustered, independent, paired
from twx_accept.statistics.paired.enumeration import score_region
from twx_accept.statistics.power import paired_noninferiority
from twx_accept.statistics.types import Margin

ALPHA = 0.025


def _error_rates(n: int, margin: float, discordances: NDArray[np.float64]) -> NDArray[np.float64]:
    region = score_region(n, -margin, float(norm.isf(ALPHA)), 0, n, strict=True)
    return np.array([region.probability(float(discordance), -margin) for discordance in discordances])


# The paired test, by exact enumeration


@pytest.mark.parametrize("points", [1, 5])
@pytest.mark.parametrize("n", [100, 300, 1000])
def test_the_margin_test_errs_as_often_as_it_says(n: int, points: int, capsys: pytest.CaptureFixture[str]) -> None:
    """At a nominal 2.5% the test errs at most 2.6% for a discordance up to one half, and 2.8% over all."""
    margin = points / 100
    usual = np.geomspace(margin, 0.5, 300)
    extreme = np.linspace(0.5, 1.0, 501)
    rates = _error_rates(n, margin, usual)
    rates_beyond = _error_rates(n, margin, extreme)
    worst, worst_beyond = int(rates.argmax()), int(rates_beyond.argmax())
    with capsys.disabled():
        print(
            f"\ntype I error, n = {n}, margin {points}: at most {rates[worst]:.3%} at discordance {usual[worst]:.4f}; "
            f"above one half {rates_beyond[worst_beyond]:.3%} at {extreme[worst_beyond]:.4f}"
        )
    assert rates[worst] <= 0.026
    assert rates_beyond[worst_beyond] <= 0.028


@pytest.mark.parametrize("points", [1, 5])
def test_a_loss_beyond_the_margin_is_shown_less_often(points: int) -> None:
    """The margin itself is the worst loss to be judged: every larger one errs less."""
    for discordance in (0.2, 0.6):
        powers = [
            paired_noninferiority(300, discordance, -loss / 100, Margin.points(points), ALPHA).exact
            for loss in np.linspace(points, 15, 11)
        ]
        assert powers == sorted(powers, reverse=True)


def test_the_enumeration_counts_what_the_decision_shows() -> None:
    """Deciding every outcome of 40 pairs one by one gives the enumerated chance of being shown."""
    n, margin, discordance, difference = 40, Margin.points(10), 0.3, -0.05
    shown = [
        (b, c, n - b - c)
        for b, c in product(range(n + 1), repeat=2)
        if b + c <= n and paired.noninferiority(b, c, n, margin, ALPHA).outcome is Outcome.SHOWN
    ]
    rates = [(discordance - difference) / 2, (discordance + difference) / 2, 1 - discordance]
    chance = float(multinomial.pmf(np.array(shown), n, rates).sum())
    assert paired_noninferiority(n, discordance, difference, margin, ALPHA).exact == pytest.approx(chance, rel=1e-9)


# Clusters, by seeded simulation


RUNS = 1_500
NOISE = 3 * float(np.sqrt(ALPHA * (1 - ALPHA) / RUNS))
"""Three standard errors of a simulated rate of 2.5%."""


def _clusters(generator: np.random.Generator, rate: float, icc: float, clusters: int, size: int) -> NDArray[np.int64]:
    """Draw successes of shape (RUNS, clusters): beta-binomial with the intra-class correlation given."""
    if rate == 1.0:
        return np.full((RUNS, clusters), size)
    spread = (1 - icc) / icc
    return generator.binomial(size, generator.beta(rate * spread, (1 - rate) * spread, (RUNS, clusters)))


def _shown(
    original: float, build: float, icc: float, clusters: int, size: int, seed: int
) -> tuple[float, float, float]:
    """Simulate a loss of exactly the margin; give how often it is shown to be less.

    By a test that takes items as independent, by CR1 without its floor, and by CR1 as it decides.
    """
    generator = np.random.default_rng(seed)
    margin = Margin.points((original - build) * 100)
    items = np.full(clusters, size)
    independently = bare = floored = 0
    for x_original, x_build in zip(
        _clusters(generator, original, icc, clusters, size),
        _clusters(generator, build, icc, clusters, size),
        strict=True,
    ):
        total = clusters * size
        test = independent.score_test(x_build.sum(), total, x_original.sum(), total, -margin.fraction)
        independently += test.p < ALPHA
        result = clustered.ratio_difference(x_original, items, x_build, items, ALPHA, margin=margin)
        floored += result.outcome is Outcome.SHOWN
        reach = (result.difference - result.lower) * result.sandwich_error / result.standard_error
        bare += result.difference - reach > -margin.fraction
    return independently / RUNS, bare / RUNS, floored / RUNS


def test_with_six_clusters_the_independent_test_errs_ten_times_too_often() -> None:
    """Six clusters of a hundred with a correlation of 0.1: a nominal 2.5% becomes 25 to 32%; clustered it holds."""
    independently, bare, floored = _shown(0.90, 0.85, icc=0.1, clusters=6, size=100, seed=20_250_101)
    assert 0.25 <= independently <= 0.32
    assert bare <= ALPHA + 2 * NOISE
    assert floored <= ALPHA


@pytest.mark.parametrize(
    ("original", "build", "icc", "clusters", "size"),
    [
        pytest.param(0.99, 0.97, 0.1, 60, 10, id="99% against 97%"),
        pytest.param(1.00, 0.98, 0.1, 60, 10, id="100% against 98%"),
        pytest.param(1.00, 0.97, 0.3, 60, 10, id="100% against 97%, strong clusters"),
        pytest.param(1.00, 0.97, 0.3, 20, 30, id="100% against 97%, few clusters"),
        pytest.param(0.995, 0.97, 0.2, 120, 5, id="99.5% against 97%"),
    ],
)
def test_at_high_pass_rates_only_the_floor_keeps_the_level(
    original: float, build: float, icc: float, clusters: int, size: int
) -> None:
    """When nearly all pass, neither independent items nor bare CR1 keep 2.5%; with its floor CR1 does."""
    independently, bare, floored = _shown(original, build, icc, clusters, size, seed=7)
    assert independently > 0.05
    assert bare > ALPHA
    assert floored <= ALPHA


def test_without_clusters_all_three_keep_their_level() -> None:
    """Items that really are independent are judged at about 2.5% by every method."""
    independently, bare, floored = _shown(0.75, 0.70, icc=1e-6, clusters=80, size=5, seed=11)
    assert independently == pytest.approx(ALPHA, abs=1.5 * NOISE)
    assert bare == pytest.approx(ALPHA, abs=1.5 * NOISE)
    assert floored <= bare
