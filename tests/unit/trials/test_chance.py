"""Chance from a seed."""

from collections import Counter

import pytest

from twx_accept.trials.chance import Chance


def test_draws_are_known() -> None:
    """The first draws of a path are these numbers, today and on every machine."""
    chance = Chance(path=(1, "one_call"))
    assert [chance.below(1000, number) for number in range(6)] == [53, 266, 506, 325, 463, 925]
    assert chance.shuffled("abcdefgh") == tuple("cgebdhaf")


def test_parts_are_independent_streams() -> None:
    """Streams of different paths differ, also where their words run together to the same text."""
    paths = [("a", "bc"), ("ab", "c"), ("abc",), (1, "1"), ("1", 1), (11,)]
    assert len({Chance(path=path).below(1 << 62) for path in paths}) == len(paths)


@pytest.mark.parametrize("limit", [2, 3, 7])
def test_draws_are_fair(limit) -> None:
    """Each number below the limit is drawn about as often as the next."""
    chance = Chance(path=("fair",))
    counts = Counter(chance.below(limit, number) for number in range(6000))
    assert set(counts) == set(range(limit))
    assert max(counts.values()) - min(counts.values()) < 300


def test_a_dealt_item_comes_again_only_after_all_others() -> None:
    """Every round of a deck deals each item once, and rounds differ in order."""
    items = "abcdefghij"
    dealt = [Chance(path=("deck",)).dealt(items, turn) for turn in range(30)]
    rounds = [dealt[start : start + 10] for start in (0, 10, 20)]
    assert all(sorted(part) == list(items) for part in rounds)
    assert rounds[0] != rounds[1] != rounds[2]
