"""Bisection on a yes-or-no question, the one solver that the methods need.

A confidence bound is the place where a test stops rejecting. Asking the test itself, instead of looking for the
root of some function of it, cannot be misled by poles, flat stretches or a false root where the variance is 0,
and leaves test and bound in agreement to the last bit.
"""

from collections.abc import Callable

HALVINGS = 80
"""Enough to separate neighbouring doubles anywhere in [-1, 1] but in a tiny surrounding of 0."""


def turning_point(holds: Callable[[float], bool], yes: float, no: float, halvings: int = HALVINGS) -> float:
    """Return the last value, going from ``yes`` towards ``no``, for which ``holds`` is true.

    Args:
        holds: A question with one change of answer between ``yes`` and ``no``.
        yes: A value for which it holds (not asked again).
        no: The value to go towards. If it holds there too, ``no`` itself is returned.
        halvings: How often the range is halved at most.
    """
    if holds(no):
        return no
    for _ in range(halvings):
        middle = (yes + no) / 2.0
        if middle in (yes, no):
            break
        if holds(middle):
            yes = middle
        else:
            no = middle
    return yes
