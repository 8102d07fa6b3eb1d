"""A made-up document and the facts planted in it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that a document states, as a sentence that can be understood alone."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One passage of fiction. ``kind`` is the sort of text: a biography, a railway notice and so on."""

    id: str
    kind: str
    text: str
    facts: tuple[Fact, ...]

    def row(self) -> dict[str, Any]:
        """The document as one row of a data set: ``id``, ``kind``, ``text``, ``facts`` (each ``id`` and ``text``)."""
        facts = [{"id": fact.id, "text": fact.text} for fact in self.facts]
        return {"id": self.id, "kind": self.kind, "text": self.text, "facts": facts}
