"""What a claim comes to, and the general views that the report knows how to draw.

A claim returns figures with their units, never formatted text for a figure: the report formats, and computes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """The four verdicts, and the one for a claim that has no registered mark."""

    SHOWN = "shown"
    NOT_SHOWN = "not shown"
    FAILED = "failed"
    INVALID = "invalid"
    REPORTED = "reported"


class Unit(StrEnum):
    """The unit of a quantity. Bytes are bytes, points are percentage points, ratios have none."""

    COUNT = "count"
    BYTES = "bytes"
    GIB = "GiB"
    TOKENS = "tokens"
    RATIO = "ratio"
    SHARE = "share"  # 0..1, shown in percent
    POINTS = "points"  # percentage points
    PROBABILITY = "p"
    LOGPROB = "nats"
    SECONDS = "seconds"
    RATE = "per second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with its unit. ``value`` is unrounded; ``digits`` is how many decimals a person needs."""

    value: float
    unit: Unit
    digits: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One line behind a figure: a label and either a quantity or words."""

    label: str
    value: Quantity | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of the table: one row (``key``, ``label``) in the column of its build, with the counts behind it.

    ``headline`` marks the figure that the claim is decided on.
    """

    key: str
    label: str
    value: Quantity | str
    counts: tuple[Count, ...] = ()
    headline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One row of a forest plot: a difference from the original with its interval and the pass mark.

    All of ``difference``, ``lower``, ``upper`` and ``margin`` are in ``unit``; the pass mark is drawn at ``-margin``.
    ``margin`` is None where nothing is gated. Rows with one ``chart`` are drawn together;
    ``folded`` charts start closed.
    """

    chart: str
    title: str
    label: str
    difference: float
    lower: float
    upper: float
    unit: Unit = Unit.POINTS
    margin: float | None = None
    notes: tuple[Count, ...] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a bar, from left to right."""

    label: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar of a chart in which all bars share one scale; ``limit`` is where the machine's memory ends."""

    chart: str
    title: str
    label: str
    unit: Unit
    segments: tuple[Segment, ...]
    limit: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One piece of evidence a sceptic reads: an item on which the build and the original differ.

    ``id`` is a permalink within the report, ``group`` and ``direction`` are what a reader filters by, ``body`` holds
    titled texts as the model or the data set wrote them (hostile: shown as text, never rendered).
    """

    id: str
    group: str
    direction: str
    title: str
    body: tuple[Count, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A titled table that starts folded, such as the tensors that a build dropped."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Quantity | str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verdict:
    """What a claim about one build comes to.

    ``sentence`` is the verdict in words with its figures; ``reasons`` say why a claim is invalid, worst first.
    ``mark`` is the registered mark in words ("at most 5.00 points below the original"), empty where none is registered.
    ``labels`` qualify it: "partial", "exploratory", "uninformative", "control". ``gates`` is False where the outcome
    decides nothing. ``statistics`` are the unrounded numbers behind the decision by name, for JSON and for tests.
    """

    claim: str
    title: str
    build: str
    outcome: Outcome
    sentence: str
    mark: str = ""
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    gates: bool = True
    figures: tuple[Figure, ...] = ()
    effects: tuple[Effect, ...] = ()
    bars: tuple[Bar, ...] = ()
    items: tuple[Item, ...] = ()
    items_total: int = 0
    folds: tuple[Fold, ...] = ()
    statistics: Mapping[str, float | int | str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """What pytest shows when a test fails: the outcome, not thousands of items."""
        return f"<{self.title} of {self.build}: {self.outcome}>"

    @property
    def passes(self) -> bool:
        """Whether its test passes: it is shown, or it decides nothing."""
        return self.outcome is Outcome.SHOWN or not self.gates or self.outcome is Outcome.REPORTED
