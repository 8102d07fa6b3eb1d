"""Lines behind a figure, with their units."""

from twx_accept.domain.verdict import Count, Quantity, Unit


def count(label: str, value: int) -> Count:
    """A line with a whole number."""
    return Count(label=label, value=Quantity(value=value, unit=Unit.COUNT, digits=0))


def points(label: str, fraction: float) -> Count:
    """A line with a difference in points."""
    return Count(label=label, value=Quantity(value=fraction * 100, unit=Unit.POINTS, digits=3))


def probability(label: str, value: float) -> Count:
    """A line with a p-value."""
    return Count(label=label, value=Quantity(value=value, unit=Unit.PROBABILITY, digits=4))


def share(value: float) -> Quantity:
    """A share, shown in percent."""
    return Quantity(value=value, unit=Unit.SHARE, digits=2)
