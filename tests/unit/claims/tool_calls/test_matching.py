"""Calls are matched with what they answer so that as many as can be are."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims.tool_calls.matching import matched


def test_the_first_that_fits_is_not_simply_taken():
    """An open expectation leaves the call that only the other can have."""
    fits = {("any", "b"), ("any", "c"), ("b", "b")}
    assert matched(("any", "b"), ("b", "c"), lambda *pair: pair in fits) == ((0, 1), (1, 0))


def test_nothing_is_matched_with_nothing():
    """Empty sides have no pairs."""
    assert matched((), ("a",), lambda *_: True) == ()
    assert matched(("a",), ("a",), lambda *_: False) == ()


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=4, max_size=4))
def test_no_other_way_matches_more(table):
    """As many pairs as the best of all orders, none used twice, all of which fit."""
    pairs = matched(range(4), range(4), lambda row, column: table[row][column])
    best = max(sum(table[row][column] for row, column in enumerate(order)) for order in permutations(range(4)))
    assert len(pairs) == best
    assert all(table[row][column] for row, column in pairs)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
