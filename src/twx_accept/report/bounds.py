"""What a number in a report may be, where its type says too little: for the schema and for the reader of reports.

A report from elsewhere is rendered only if every number in it can be: no decimals without end, no length off any scale.
"""

from typing import Final

INTEGER: Final = 2**64
"""No whole number of a report is larger."""

LENGTH: Final = 1e18
"""No length of a chart is larger: bytes, tokens, points."""

NAMES: Final = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
"""Numbers that JSON lacks, by the names that stand for them."""

Range = tuple[float | None, float | None]

RANGES: Final[dict[tuple[str, str], Range]] = {
    ("Quantity", "digits"): (0, 12),
    ("Timing", "asked"): (0, None),
    ("Timing", "kept"): (0, None),
    ("Verdict", "items_total"): (0, None),
    ("BootUse", "number"): (1, None),
    ("CardUse", "total"): (0, None),
    ("CardUse", "before"): (0, None),
    ("CardUse", "peak"): (0, None),
    ("CardUse", "after"): (0, None),
    ("Segment", "value"): (-LENGTH, LENGTH),
    ("Bar", "limit"): (-LENGTH, LENGTH),
    ("Effect", "difference"): (-LENGTH, LENGTH),
    ("Effect", "lower"): (-LENGTH, LENGTH),
    ("Effect", "upper"): (-LENGTH, LENGTH),
    ("Effect", "margin"): (-LENGTH, LENGTH),
}
"""The range of a field's numbers, by class and field; None where it is open."""
