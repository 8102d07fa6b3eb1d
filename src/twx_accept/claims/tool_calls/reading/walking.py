"""What Kimi K2 and Hermes share: thinking between ``<think>`` and ``</think>``, and a marker that ends the message."""

from dataclasses import dataclass, field
from typing import ClassVar

from twx_accept.claims.tool_calls.reading.lexing import Piece
from twx_accept.claims.tool_calls.reading.shape import Kind, Notes, Reading

THINK, THOUGHT = "<think>", "</think>"


@dataclass(slots=True, kw_only=True)
class Walker:
    """Goes through the pieces once. A format adds what its own markers mean."""

    ends: ClassVar[frozenset[str]] = frozenset()
    """Markers that end the message."""
    begins_a_call: ClassVar[str] = ""
    """The marker that begins a call."""

    thinking: bool
    spoken: bool = False  # whether anything stands before the piece at hand
    ended: bool = False
    notes: Notes = field(default_factory=Notes)

    def take(self, piece: Piece) -> None:
        """The next piece."""
        if self.ended:
            self._after_the_end(piece)
        elif not piece.marker:
            self.text(piece)
        elif piece.text in self.ends:
            self.end(piece.at)
            self.ended = True
        else:
            self.marker(piece)
        self.spoken = self.spoken or not piece.blank

    def text(self, piece: Piece) -> None:
        """Text; here: what the model says or thinks."""
        (self.notes.reasoning if self.thinking else self.notes.content).append(piece.text)

    def marker(self, piece: Piece) -> None:
        """A marker that ends nothing; here: one of the thinking, or one that has no meaning."""
        if piece.text in (THINK, THOUGHT):
            begins = piece.text == THINK
            if self.spoken if begins else not self.thinking:
                self.notes.problem(Kind.OUT_OF_PLACE, piece.at, piece.text)
            self.thinking = begins
            return
        self.notes.problem(Kind.UNKNOWN_MARKER, piece.at, piece.text)
        self.text(piece)

    def end(self, at: int) -> None:
        """The message ends, or the text does."""
        if self.thinking:
            self.notes.problem(Kind.THINKING_OPEN, at)

    def finish(self, length: int) -> Reading:
        """The reading, at the end of the text."""
        if not self.ended:
            self.end(length)
        return self.notes.reading()

    def _after_the_end(self, piece: Piece) -> None:
        if piece.text == self.begins_a_call:
            self.notes.problem(Kind.AFTER_END, piece.at)
        elif not piece.blank:
            self.notes.problem(Kind.OUT_OF_PLACE if piece.marker else Kind.STRAY_TEXT, piece.at, piece.text)
