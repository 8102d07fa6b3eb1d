"""One call of Kimi K3, from the tag that opens it to the tag that closes it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twx_accept.claims.tool_calls.arguments import DuplicateKey, NotJson, strict
from twx_accept.claims.tool_calls.reading.kimi_k3.tags import Sort, Tag
from twx_accept.claims.tool_calls.reading.shape import Call, Kind

INDEX = re.compile(r"[0-9]{1,9}", re.ASCII)
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}
"""The types that an argument may say it is of, and what its value must be read to. An integer is a number."""


class Lost(Exception):
    """What was begun is no call."""

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


@dataclass(slots=True, kw_only=True)
class Draft:
    """A call that is open."""

    at: int
    name: str
    index: int | None
    arguments: dict[str, Any] = field(default_factory=dict)
    whole: bool = False  # whether the arguments came as one json tag
    tag: str = ""  # the tag of the value at hand; empty between values
    key: str = ""
    type: str = ""
    value: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, tag: Tag) -> "Draft":
        """The call that a tag opens.

        Raises:
            Lost: it does not say one name and nothing else but an index.
        """
        attributes = dict(tag.attributes or {})
        name, index = attributes.pop("tool", ""), attributes.pop("index", "")
        if not name or attributes:
            raise Lost(Kind.BAD_NAME, tag.text)
        return cls(at=tag.at, name=name, index=int(index) if INDEX.fullmatch(index) else None)

    def take(self, tag: Tag) -> bool:
        """The next tag, or text; True where it closes the call.

        Raises:
            Lost: the call is none.
        """
        if self.tag:
            self._in_value(tag)
        elif tag.closes("call"):
            return True
        elif tag.opens("argument", "json"):
            self._open(tag)
        elif not tag.blank:
            raise Lost(Kind.STRAY_IN_CALL if tag.sort is Sort.TEXT else Kind.HALF_WRITTEN, tag.text)
        return False

    def call(self, *, thought: bool) -> Call:
        """The call, now that it is closed.

        Raises:
            Lost: its arguments are none that JSON can hold (half of a surrogate pair, too many levels).
        """
        arguments = json.dumps(self.arguments, ensure_ascii=False)
        self._strict(arguments)
        return Call(name=self.name, arguments=arguments, index=self.index, thought=thought)

    def _open(self, tag: Tag) -> None:
        attributes = dict(tag.attributes or {})
        self.key, self.type, self.value = attributes.pop("key", ""), attributes.pop("type", ""), []
        if self.type not in TYPES or (tag.name == "json" and self.type != "object"):
            raise Lost(Kind.WRONG_TYPE, tag.text)
        keyed = "key" in (tag.attributes or {})
        if attributes or keyed == (tag.name == "json") or self.whole or (tag.name == "json" and self.arguments):
            raise Lost(Kind.HALF_WRITTEN, tag.text)
        if tag.name == "argument" and self.key in self.arguments:
            raise Lost(Kind.DUPLICATE_KEY, self.key)
        self.tag = tag.name

    def _in_value(self, tag: Tag) -> None:
        if tag.sort in (Sort.TEXT, Sort.UNKNOWN):
            self.value.append(tag.text)
            return
        if not tag.closes(self.tag):
            raise Lost(Kind.HALF_WRITTEN, tag.text)
        text = "".join(self.value)
        value: Any = text if self.type == "string" else self._strict(text)
        fits: bool = isinstance(value, TYPES[self.type])
        if not fits or (self.type == "number" and isinstance(value, bool)):
            raise Lost(Kind.WRONG_TYPE, f"{self.key} of type {self.type}: {text}")
        if self.tag == "json":
            self.arguments, self.whole = value, True
        else:
            self.arguments[self.key] = value
        self.tag = ""

    def _strict(self, text: str) -> Any:
        try:
            return strict(text)
        except DuplicateKey as error:
            raise Lost(Kind.DUPLICATE_KEY, f"{self.key} of type {self.type}: {error}") from error
        except NotJson as error:
            raise Lost(Kind.NOT_JSON, f"{self.key} of type {self.type}: {error}") from error
