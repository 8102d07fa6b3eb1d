"""Numbers as people read them: every figure with its unit, no "-0.00", thousands apart, a real minus sign."""

import math
import re

from twx_accept.domain.verdict import Quantity, Unit

MINUS = "\N{MINUS SIGN}"
UNDEFINED = "undefined"
_SMALL_BYTES = ((1e6, "MB"), (1e3, "kB"), (1.0, "B"))
_SUFFIX = {
    Unit.GIB: " GiB",
    Unit.TOKENS: " tokens",
    Unit.LOGPROB: " nats",
    Unit.SECONDS: " s",
    Unit.RATE: " per second",
}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)")


def number(value: float, digits: int = 2, *, signed: bool = False) -> str:
    """``value`` with ``digits`` decimals; a value that rounds to zero has no sign."""
    if not math.isfinite(value):
        return UNDEFINED
    text = f"{abs(value):,.{max(digits, 0)}f}"
    if not text.strip("0.,"):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def quantity(value: Quantity | str) -> str:
    """A quantity with its unit, or words as they are."""
    return value if isinstance(value, str) else _with_unit(value.value, value.unit, value.digits)


def p_value(value: float) -> str:
    """A p value with as many decimals as it needs: "0.93", "0.034", "0.0003", "< 0.0001"."""
    if not math.isfinite(value):
        return UNDEFINED
    if value < 0.0001:
        return "< 0.0001"
    return number(value, 4 if value < 0.01 else 3 if value < 0.1 else 2)


def difference(value: float, unit: Unit, digits: int = 2) -> str:
    """A signed difference without its unit; a share is counted in points, as everywhere."""
    return number(value * 100 if unit is Unit.SHARE else value, digits, signed=True)


def duration(seconds: float) -> str:
    """Seconds as "4.2 s", "3 min 07 s" or "2 h 05 min"."""
    if not math.isfinite(seconds) or seconds < 59.95:
        return number(seconds, 1) + (" s" if math.isfinite(seconds) else "")
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02d} min"


def date(iso: str) -> str:
    """An ISO 8601 moment as "30 November 2026, 03:02 UTC"; anything else as it is."""
    match = _ISO.fullmatch(iso)
    if not match or not 1 <= int(match[2]) <= len(_MONTHS):
        return iso
    zone = "UTC" if match[5] in {"Z", "+00:00", "-00:00"} else f"UTC{match[5].replace('-', MINUS)}"
    return f"{int(match[3])} {_MONTHS[int(match[2]) - 1]} {match[1]}, {match[4]} {zone}"


def plural(count: int, word: str) -> str:
    """Count things: "1 claim", "2 claims"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def listed(words: list[str]) -> str:
    """Join words: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _with_unit(value: float, unit: Unit, digits: int) -> str:
    if not math.isfinite(value):
        return UNDEFINED
    match unit:
        case Unit.BYTES:
            return _bytes(value, digits)
        case Unit.SHARE:
            return number(value * 100, digits) + "%"
        case Unit.POINTS:
            return number(value, digits, signed=True) + " points"
        case Unit.PROBABILITY:
            return p_value(value)
        case Unit.COUNT | Unit.TOKENS:
            return number(value, 0 if float(value).is_integer() else digits) + _SUFFIX.get(unit, "")
        case _:
            return number(value, digits) + _SUFFIX.get(unit, "")


def _bytes(value: float, digits: int) -> str:
    """Decimal gigabytes; a smaller step only where gigabytes would read as zero."""
    gigabytes = number(value / 1e9, digits)
    if gigabytes.strip("0.,") or not value:
        return f"{gigabytes} GB"
    size, name = next((step for step in _SMALL_BYTES if abs(value) >= step[0]), _SMALL_BYTES[-1])
    return f"{number(value / size, digits if size > 1 else 0)} {name}"
