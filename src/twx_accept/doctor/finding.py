"""What a check says: one line, with the value and, where something is wrong, the cure."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is. Only a fault stops a run, and only without one is the exit status 0."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"
    UNCHECKED = "not checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line. ``check`` is the check's name; ``what`` the value, in one line; ``cure`` what to do about it."""

    check: str
    level: Level
    what: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Says:
    """Findings of one check."""

    check: str

    def ok(self, what: str) -> Finding:
        """As it should be."""
        return Finding(check=self.check, level=Level.OK, what=what)

    def warning(self, what: str, cure: str) -> Finding:
        """It may go well."""
        return Finding(check=self.check, level=Level.WARNING, what=what, cure=cure)

    def fault(self, what: str, cure: str) -> Finding:
        """A run would stop here."""
        return Finding(check=self.check, level=Level.FAULT, what=what, cure=cure)

    def unchecked(self, what: str, cure: str = "") -> Finding:
        """It could not be looked at, and why."""
        return Finding(check=self.check, level=Level.UNCHECKED, what=what, cure=cure)


def in_two(error: Exception) -> tuple[str, str]:
    """An error as what is wrong and its cure, which comes last: after a semicolon, or in sentences of its own."""
    text = " ".join(str(error).split())
    if "; " in text:
        what, _, cure = text.rpartition("; ")
    else:
        what, _, cure = text.partition(". ")
    return what, cure


def size(number: float) -> str:
    """Bytes for people: ``595.3 GB``, ``12 MB``."""
    return f"{number / 1e9:,.1f} GB" if number >= 0.95e9 else f"{number / 1e6:,.0f} MB"
