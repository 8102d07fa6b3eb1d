"""What the matcher says about a fact."""

from dataclasses import dataclass
from enum import StrEnum


class Support(StrEnum):
    """Whether a passage supports a fact."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNDECIDED = "undecided"
    NOT_A_FACT = "not a fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A verdict, a short reason, and the sentence of the passage that it rests on (or the nearest one)."""

    verdict: Support
    reason: str
    sentence: str
