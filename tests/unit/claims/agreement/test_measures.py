"""How far two distributions lie apart, from lists of their likeliest tokens."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from twx_accept.claims.agreement.measures import ROUNDING, cut, measure
from twx_accept.domain.distributions import Distributions

VALUES = st.floats(-12, 6, allow_nan=False)
PAIRS = st.integers(3, 30).flatmap(lambda size: st.tuples(*[hnp.arrays(float, (4, size), elements=VALUES)] * 2))
WIDTHS = st.tuples(st.integers(1, 30), st.integers(1, 30))


def normal(logits):
    """Log-probabilities."""
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def whole(logprobs):
    """Rows that hold every token."""
    rows, width = logprobs.shape
    return Distributions.of([width] * rows, list(range(width)) * rows, logprobs.ravel().tolist())


def listed(rows_from, *rows):
    """Rows from maps of token to probability."""
    return rows_from([{token: math.log(value) for token, value in row.items()} for row in rows])


def test_case_tied_top(rows_from):
    """Case tied-top: of two tokens that tie at the top the lowest id counts strictly, and either one tolerantly."""
    tie = rows_from([{9: -0.5, 5: -0.5}] * 4)
    other = rows_from([{5: -0.1, 9: -3.0}, {9: -0.1, 5: -3.0}, {7: -0.1, 9: -3.0}, {9: -0.7, 5: -0.7}])
    found = measure(tie, other)
    assert found.top_original.tolist() == [5] * 4
    assert found.strict.tolist() == [True, False, False, True]
    assert found.tolerant.tolist() == [True, True, False, True]
    assert found.tied.all()
    assert found.gap.tolist() == [0.0] * 4


def test_case_tail_dropped(rows_from):
    """Case tail-dropped: what the lists do not hold is one bucket, neither dropped nor renormalised."""
    found = measure(listed(rows_from, {0: 0.5, 1: 0.3}), listed(rows_from, {0: 0.4, 1: 0.2}))
    right = 0.5 * math.log(0.5 / 0.4) + 0.3 * math.log(0.3 / 0.2) + 0.2 * math.log(0.2 / 0.4)
    assert found.bound[0] == pytest.approx(right, abs=1e-12)
    assert found.bound[0] == pytest.approx(0.094582, abs=5e-7)
    assert found.unresolved[0] == pytest.approx(0.2)
    assert found.variation_lower[0] == pytest.approx(0.2)
    assert found.variation_upper[0] == pytest.approx(0.4)
    truth = measure(whole(np.log([[0.5, 0.3, 0.1, 0.1]])), whole(np.log([[0.4, 0.2, 0.3, 0.1]])))
    assert truth.bound[0] > found.bound[0]


def test_a_token_that_one_side_does_not_know_is_in_the_bucket(rows_from):
    """A token of one list alone counts with what no list holds."""
    found = measure(listed(rows_from, {0: 0.6, 1: 0.3}), listed(rows_from, {0: 0.5, 2: 0.4}))
    assert found.bound[0] == pytest.approx(0.6 * math.log(0.6 / 0.5) + 0.4 * math.log(0.4 / 0.5))
    assert found.unresolved[0] == pytest.approx(0.4)


def test_nothing_in_common_is_bounded_by_the_bucket(rows_from):
    """Two lists without a common token say nothing of drift, and leave every variation possible."""
    found = measure(listed(rows_from, {0: 0.9}), listed(rows_from, {1: 0.9}))
    assert (found.bound[0], found.variation_lower[0], found.variation_upper[0]) == (0, 0, 1)
    assert (found.unresolved[0], found.strict[0], found.tolerant[0]) == (1, False, False)


def test_an_empty_bucket_gives_no_infinity(rows_from):
    """Where rounding leaves one side nothing outside the list, the bound stays finite and a bound."""
    found = measure(listed(rows_from, {0: 0.7, 1: 0.2}), listed(rows_from, {0: 0.7, 1: 0.3}))
    assert 0 < found.bound[0] < 0.1 * math.log(0.1 / 1e-6)
    over = measure(listed(rows_from, {0: 0.9, 1: 0.1000001}), listed(rows_from, {0: 0.9, 1: 0.1}))
    assert over.unresolved[0] == 0
    assert over.bound[0] == pytest.approx(0, abs=1e-6)


def test_alike_sides_do_not_drift(rows_from):
    """A side against itself agrees everywhere and drifts by exactly nothing."""
    rows = rows_from([{0: -0.1, 1: -3.0}, {4: -0.5, 2: -1.0, 8: -9.0}])
    found = measure(rows, rows)
    assert found.strict.all()
    assert found.bound.tolist() == found.variation_lower.tolist() == [0, 0]
    assert not found.tied.any()


def test_rows_that_are_not_as_many_are_refused(rows_from):
    """Two sides with different positions are no comparison."""
    with pytest.raises(ValueError, match="1 rows of the one side and 2"):
        measure(rows_from([{1: -1.0}]), rows_from([{1: -1.0}] * 2))


def test_one_token_has_no_second():
    """Without a second token the gap is infinite."""
    assert measure(*[Distributions.of([1], [3], [-0.5])] * 2).gap.tolist() == [math.inf]


@settings(deadline=None)
@given(PAIRS, WIDTHS)
def test_bounds_hold_for_any_cut(pair, widths):
    """However few tokens each side lists: drift at most the whole divergence, total variation between its bounds."""
    p, q = map(normal, pair)
    divergence = (np.exp(p) * (p - q)).sum(axis=1)
    variation = np.abs(np.exp(p) - np.exp(q)).sum(axis=1) / 2
    found = measure(cut(whole(p), widths[0]), cut(whole(q), widths[1]))
    assert (found.bound <= divergence + 1e-9).all()
    assert (found.bound >= 0).all()
    assert (found.variation_lower <= variation + 1e-9).all()
    assert (found.variation_upper >= variation - 1e-9).all()
    full = measure(whole(p), whole(q))
    assert full.bound == pytest.approx(divergence, abs=1e-4)
    assert full.variation_lower == pytest.approx(variation, abs=1e-9)


@settings(deadline=None)
@given(PAIRS, WIDTHS)
def test_agreement_and_variation_are_symmetric(pair, widths):
    """Swapping the sides changes neither agreement nor the bounds of total variation."""
    one, other = (cut(whole(normal(side)), width) for side, width in zip(pair, widths, strict=True))
    here, there = measure(one, other), measure(other, one)
    for name in ("strict", "tolerant", "tied"):
        assert (getattr(here, name) == getattr(there, name)).all()
    for name in ("variation_lower", "variation_upper"):
        assert getattr(here, name) == pytest.approx(getattr(there, name), abs=1e-12)
    assert (here.tolerant >= here.strict).all()


@settings(deadline=None)
@given(PAIRS, st.integers(1, 5))
def test_a_longer_list_never_loosens_a_bound(pair, width):
    """More tokens on both sides: the drift bound does not fall, the bounds of total variation do not part.

    But where the build's bucket is smaller than rounding: it is then taken larger than it is, which costs some drift.
    """
    p, q = (whole(normal(side)) for side in pair)
    short, long = (measure(cut(p, each), cut(q, each)) for each in (width, width + 1))
    common = {*cut(p, width).ids[0]} & {*cut(q, width).ids[0]}
    assert common <= {*cut(p, width + 1).ids[0]}
    sure = (measure(cut(q, width + 1), cut(p, width + 1)).unresolved > ROUNDING) | (long.unresolved < ROUNDING)
    assert (long.bound >= short.bound - 1e-4)[sure].all()
    assert (long.variation_lower >= short.variation_lower - 1e-9).all()
    assert (long.variation_upper <= short.variation_upper + 1e-9).all()


def test_cutting_keeps_the_likeliest(rows_from):
    """Of tokens that tie, the lowest ids stay; a list that is short enough stays whole."""
    rows = rows_from([{7: -1.0, 3: -2.0, 5: -2.0, 1: -9.0}])
    assert cut(rows, 2).ids.tolist() == [[3, 7]]
    assert cut(rows, 9) == rows
