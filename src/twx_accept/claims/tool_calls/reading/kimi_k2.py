"""Kimi K2: a section of calls, each its id, a marker, and its arguments as JSON.

``<|tool_calls_section_begin|><|tool_call_begin|>functions.NAME:INDEX<|tool_call_argument_begin|>{...}``
``<|tool_call_end|>...<|tool_calls_section_end|>``

vLLM's parser (``kimi_k2``, 0.32) passes a call on that was never closed, with the arguments as far as they came; turns
arguments to the types of the schema ("5" becomes 5 and 5 becomes "5"); makes ``{}`` of none; cuts a name at its first
colon; and drops all text after the section. A section inside the thinking ends the thinking for it (pull request
33646). Like it, this reader takes an id without ``functions.``.
"""

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import ClassVar

from twx_accept.claims.tool_calls.arguments import DuplicateKey, NotJson, strict
from twx_accept.claims.tool_calls.reading.lexing import ANY_SPECIAL, Piece, pieces
from twx_accept.claims.tool_calls.reading.shape import Call, Kind, Reading
from twx_accept.claims.tool_calls.reading.walking import Walker

SECTION, SECTION_END = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
CALL, ARGUMENTS, CALL_END = "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"
OWN = frozenset({SECTION, SECTION_END, CALL, ARGUMENTS, CALL_END})
MARKERS = re.compile(rf"</?think>|\[EOS\]|{ANY_SPECIAL}")
IDENTIFIER = re.compile(r"(?:functions\.)?(?P<name>[^\s<>]+):(?P<index>[0-9]{1,9})", re.ASCII)


def read(raw: str, thinking: bool) -> Reading:
    """Read output in this format; see :func:`twx_accept.claims.tool_calls.reading.read`."""
    reader = _Reader(thinking=thinking)
    for piece in pieces(raw, MARKERS):
        reader.take(piece)
    return reader.finish(len(raw))


class _Place(Enum):
    """Where the reader is."""

    MESSAGE = auto()
    SECTION = auto()
    IDENTIFIER = auto()
    ARGUMENTS = auto()


@dataclass(slots=True, kw_only=True)
class _Reader(Walker):
    ends: ClassVar[frozenset[str]] = frozenset({"<|im_end|>", "[EOS]"})
    begins_a_call: ClassVar[str] = CALL

    place: _Place = _Place.MESSAGE
    sections: int = 0
    called: bool = False  # whether the section at hand has begun a call
    opened: int = 0  # where the call at hand began
    identifier: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    def text(self, piece: Piece) -> None:
        if self.place is _Place.IDENTIFIER:
            self.identifier.append(piece.text)
        elif self.place is _Place.ARGUMENTS:
            self.body.append(piece.text)
        elif self.place is _Place.MESSAGE:
            Walker.text(self, piece)
        elif not piece.blank:
            self.notes.problem(Kind.STRAY_TEXT, piece.at, piece.text)

    def marker(self, piece: Piece) -> None:
        match self.place, piece.text:
            case _Place.IDENTIFIER, "<|tool_call_argument_begin|>":
                self.place = _Place.ARGUMENTS
            case _Place.ARGUMENTS, "<|tool_call_end|>":
                self._call("".join(self.identifier), "".join(self.body).strip(" \t\r\n"))
                self.place = _Place.SECTION
            case ((_Place.IDENTIFIER | _Place.ARGUMENTS), _):
                self._give_up()
                self.marker(piece)
            case _Place.SECTION, "<|tool_call_begin|>":
                self.place, self.opened, self.called = _Place.IDENTIFIER, piece.at, True
                self.identifier, self.body = [], []
            case _Place.SECTION, "<|tool_calls_section_end|>":
                self._close(piece.at)
            case _Place.MESSAGE, "<|tool_calls_section_begin|>":
                self._open(piece.at)
            case _Place.MESSAGE, "<|tool_call_begin|>":
                self.notes.problem(Kind.OUTSIDE, piece.at)
            case _, own if own in OWN:
                self.notes.problem(Kind.OUT_OF_PLACE, piece.at, own)
            case _:
                Walker.marker(self, piece)

    def end(self, at: int) -> None:
        if self.place in (_Place.IDENTIFIER, _Place.ARGUMENTS):
            self._give_up()
        if self.place is _Place.SECTION:
            # A section without a call: one was about to be written.
            self.notes.problem(Kind.SECTION_OPEN if self.called else Kind.HALF_WRITTEN, at)
        Walker.end(self, at)

    def _open(self, at: int) -> None:
        if self.thinking:
            self.notes.problem(Kind.IN_THINKING, at)
        if self.sections:
            self.notes.problem(Kind.SECOND_SECTION, at)
        self.sections += 1
        self.place, self.called = _Place.SECTION, False

    def _close(self, at: int) -> None:
        if not self.called:
            self.notes.problem(Kind.EMPTY_SECTION, at)
        self.place = _Place.MESSAGE

    def _give_up(self) -> None:
        self.notes.problem(Kind.HALF_WRITTEN, self.opened, "".join([*self.identifier, *self.body]))
        self.place = _Place.SECTION

    def _call(self, identifier: str, text: str) -> None:
        found = IDENTIFIER.fullmatch(identifier.strip(" \t\r\n"))
        if found is None:
            self.notes.problem(Kind.BAD_NAME, self.opened, f"the id is {identifier!r}")
            return
        try:
            strict(text)
        except DuplicateKey as error:
            self.notes.problem(Kind.DUPLICATE_KEY, self.opened, str(error))
            return
        except NotJson as error:
            self.notes.problem(Kind.NOT_JSON, self.opened, str(error))
            return
        index = int(found["index"])
        call = Call(name=found["name"], arguments=text, id=found[0], index=index, thought=self.thinking)
        self.notes.calls.append(call)
