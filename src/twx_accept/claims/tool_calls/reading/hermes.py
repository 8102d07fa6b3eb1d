"""Hermes: each call is one JSON object with ``name`` and ``arguments`` between ``<tool_call>`` and ``</tool_call>``.

vLLM's parser (``hermes``, 0.32) loses every call of an answer in which one is broken, takes a last call that is never
closed, collapses keys that are given twice, passes NaN on, and drops all text after the first call.
"""

import json
import re
from dataclasses import dataclass, field
from typing import ClassVar

from twx_accept.claims.tool_calls.arguments import DuplicateKey, NotJson, strict
from twx_accept.claims.tool_calls.reading.lexing import ANY_SPECIAL, Piece, pieces
from twx_accept.claims.tool_calls.reading.shape import Call, Kind, Reading
from twx_accept.claims.tool_calls.reading.walking import Walker

OPEN, CLOSE = "<tool_call>", "</tool_call>"
MARKERS = re.compile(rf"</?tool_call>|</?think>|{ANY_SPECIAL}")


def read(raw: str, thinking: bool) -> Reading:
    """Read output in this format; see :func:`twx_accept.claims.tool_calls.reading.read`."""
    reader = _Reader(thinking=thinking)
    for piece in pieces(raw, MARKERS):
        reader.take(piece)
    return reader.finish(len(raw))


@dataclass(slots=True, kw_only=True)
class _Reader(Walker):
    ends: ClassVar[frozenset[str]] = frozenset({"<|im_end|>", "<|endoftext|>", "<|eot_id|>"})
    begins_a_call: ClassVar[str] = OPEN

    opened: int | None = None  # where the call at hand began
    body: list[str] = field(default_factory=list)

    def text(self, piece: Piece) -> None:
        if self.opened is None:
            Walker.text(self, piece)
        else:
            self.body.append(piece.text)

    def marker(self, piece: Piece) -> None:
        if piece.text == CLOSE and self.opened is not None:
            self._call(self.opened, "".join(self.body))
            self.opened = None
            return
        self._give_up()
        if piece.text == OPEN:
            self.opened, self.body = piece.at, []
            if self.thinking:
                self.notes.problem(Kind.IN_THINKING, piece.at)
        elif piece.text == CLOSE:
            self.notes.problem(Kind.OUT_OF_PLACE, piece.at, piece.text)
        else:
            Walker.marker(self, piece)

    def end(self, at: int) -> None:
        self._give_up()
        Walker.end(self, at)

    def _give_up(self) -> None:
        if self.opened is not None:
            self.notes.problem(Kind.HALF_WRITTEN, self.opened, "".join(self.body))
            self.opened = None

    def _call(self, at: int, text: str) -> None:
        try:
            call = strict(text)
        except DuplicateKey as error:
            self.notes.problem(Kind.DUPLICATE_KEY, at, str(error))
            return
        except NotJson as error:
            self.notes.problem(Kind.NOT_JSON, at, str(error))
            return
        if not isinstance(call, dict) or set(call) != {"name", "arguments"}:
            self.notes.problem(Kind.BAD_NAME, at, f"not one object of name and arguments: {text}")
        elif not isinstance(call["name"], str) or not call["name"]:
            self.notes.problem(Kind.BAD_NAME, at, f"the name is {call['name']!r}")
        else:
            arguments = json.dumps(call["arguments"], ensure_ascii=False)
            self.notes.calls.append(Call(name=call["name"], arguments=arguments, thought=self.thinking))
