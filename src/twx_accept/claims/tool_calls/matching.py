"""Which call answers which expectation: the assignment that satisfies as many as can be satisfied together."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

Wanted = TypeVar("Wanted")
Found = TypeVar("Found")


def matched(
    wanted: Sequence[Wanted], found: Sequence[Found], fits: Callable[[Wanted, Found], bool]
) -> tuple[tuple[int, int], ...]:
    """Pairs (index in ``wanted``, index in ``found``) that fit, as many as possible, none used twice.

    Taking the first that fits is wrong where an open expectation takes the only call that a closed one could have
    had; an optimal assignment is not (the Hungarian method, cubic in the number of calls of one turn).
    """
    if not wanted or not found:
        return ()
    gain = np.array([[int(fits(one, other)) for other in found] for one in wanted])
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return tuple(
        (int(row), int(column)) for row, column in zip(rows, columns, strict=True) if gain[int(row), int(column)]
    )
