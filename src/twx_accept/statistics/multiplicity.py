"""Adjustment for several comparisons, where the best or any of them may be picked afterwards."""

from collections.abc import Sequence

from twx_accept.statistics import _checks


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values by Holm's step-down method.

    The smallest p-value is multiplied by the number m of comparisons, the next by m - 1, and so on; an adjusted
    value is never below one of a smaller p-value and never above 1. Rejecting where the adjusted value is at most
    alpha keeps the chance of any false rejection at alpha, whatever the dependence between the comparisons.
    A conjunction ("every claim must be shown") needs no such adjustment.

    Source: Holm 1979, Scandinavian Journal of Statistics 6:65-70.

    Args:
        p_values: p-values from 0 to 1, in any order; an empty sequence gives an empty result.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        StatisticsError: One of them is not a number from 0 to 1.
    """
    checked = [_checks.number(f"p_values[{i}]", p, 0.0, 1.0) for i, p in enumerate(p_values)]
    adjusted = [0.0] * len(checked)
    floor = 0.0
    for rank, index in enumerate(sorted(range(len(checked)), key=checked.__getitem__)):
        floor = max(floor, min(1.0, (len(checked) - rank) * checked[index]))
        adjusted[index] = floor
    return tuple(adjusted)
