import math

from twx_accept.statistics._bisection import turning_point


def test_the_last_value_that_holds_is_found_to_the_last_bit() -> None:
    """The answer holds, and its neighbour towards the other end does not."""
    point = turning_point(lambda value: value * value < 0.5, 0.0, 1.0)
    assert point * point < 0.5 <= math.nextafter(point, 1.0) ** 2


def test_a_question_that_always_holds_ends_at_the_far_end() -> None:
    """Without a change of answer the end itself is returned."""
    assert turning_point(lambda _: True, 0.25, -1.0) == -1.0


def test_the_number_of_halvings_is_a_limit() -> None:
    """With few halvings the answer is coarse but still holds."""
    assert turning_point(lambda value: value < 0.7, 0.0, 1.0, halvings=2) == 0.5
