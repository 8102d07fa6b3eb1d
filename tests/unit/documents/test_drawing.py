"""Draws that are the same everywhere."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from twx_accept.documents.drawing import Draw


def test_the_first_draws_are_pinned() -> None:
    """The generator is defined by its hash alone: these numbers hold on every platform."""
    draw = Draw("documents", 1)
    assert [draw.below(1000) for _ in range(8)] == [439, 933, 815, 461, 109, 519, 53, 805]
    assert draw.shuffled("abcdef") == list("bfdcea")


@given(key=st.integers(), bound=st.integers(1, 2**64))
def test_a_draw_stays_below_its_bound(key: int, bound: int) -> None:
    """Every draw is a whole number from 0 to one less than the bound, and the key alone decides it."""
    drawn = Draw(key).below(bound)
    assert 0 <= drawn < bound
    assert drawn == Draw(key).below(bound)


@given(key=st.integers(), low=st.integers(-50, 50), span=st.integers(0, 90), step=st.integers(1, 7))
def test_a_number_is_on_its_grid(key: int, low: int, span: int, step: int) -> None:
    """A number lies in its range, at a whole count of steps from the low end."""
    drawn = Draw(key).number(low, low + span, step)
    assert low <= drawn <= low + span
    assert (drawn - low) % step == 0


@given(key=st.integers(), options=st.lists(st.integers(), max_size=12))
def test_shuffling_loses_nothing(key: int, options: list[int]) -> None:
    """A shuffle holds what it was given, and ``some`` takes different places."""
    assert Counter(Draw(key).shuffled(options)) == Counter(options)
    assert len(Draw(key).some(options, len(options) // 2)) == len(options) // 2


def test_draws_are_even() -> None:
    """Six thousand throws of a die show each side about a thousand times."""
    draw = Draw("die")
    counts = Counter(draw.below(6) for _ in range(6000))
    assert all(850 < counts[side] < 1150 for side in range(6))
    assert 650 < sum(Draw("coin", at).chance(75) for at in range(1000)) < 850
