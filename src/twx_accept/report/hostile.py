"""Text that somebody else wrote, made safe to show: models, data sets and ids may hold anything.

Characters that would act instead of being seen are named by their code points instead: control characters, marks that
turn the direction of writing, invisible characters and lone surrogates.
"""

import re
from typing import Final

from markupsafe import Markup, escape

LIMIT: Final = 4_000
"""Characters of one text that a report shows at most, but for evidence, which has limits of its own."""

ENCLOSING: Final = "\x01"
"""Stands before and after the name of an acting character where names are told apart without markup."""

_NAMED: Final = 33  # bytes of the markup of a name

_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours and cursor
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # titles and links
    r"|\x1b[@-Z\\^_]?"
)
_NOT_XML = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def shorten(text: str, limit: int = LIMIT) -> str:
    """The first ``limit`` characters, with a note of the whole length where some are left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]} \N{HORIZONTAL ELLIPSIS} [the first {limit:,} of {len(text):,} characters]"


def abridge(text: str, limit: int) -> str:
    """The two ends of a long text, ``limit`` characters in all, with a note of its whole length between them.

    What is asked stands at the end of a prompt, and what came of a model's thinking at the end of its output.
    """
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 2, limit // 2
    note = f"[the first {head:,} and the last {tail:,} of {len(text):,} characters]"
    return f"{text[:head]} \N{HORIZONTAL ELLIPSIS} {note} \N{HORIZONTAL ELLIPSIS} {text[len(text) - tail :]}"


def plain(text: str) -> str:
    """``text`` with every acting character named; newline and tab stay. Not escaped for any markup."""
    return _ACTING.sub(lambda match: _name(match[0]), text.replace("\r\n", "\n"))


def marked(text: str) -> Markup:
    """As :func:`plain`, escaped for HTML, with the names in ``<span class="ctl">`` so that none can be faked."""
    pieces: list[Markup] = []
    position = 0
    text = text.replace("\r\n", "\n")
    for match in _ACTING.finditer(text):
        pieces.append(escape(text[position : match.start()]))
        pieces.append(Markup('<span class="ctl">{}</span>').format(_name(match[0])))
        position = match.end()
    return Markup("").join([*pieces, escape(text[position:])])


def markup_bytes(text: str) -> int:
    """About how many bytes a text takes as :func:`marked` has it, counted without making it."""
    return len(escape(text).encode("utf-8", "replace")) + _NAMED * len(_ACTING.findall(text))


def enclosed(text: str) -> str:
    """As :func:`plain`, each name between two :data:`ENCLOSING`, which no other text holds: a script can tell them."""
    return _ACTING.sub(lambda match: f"{ENCLOSING}{_name(match[0])}{ENCLOSING}", text.replace("\r\n", "\n"))


def xml_safe(text: str) -> str:
    """``text`` without ANSI codes and without characters that XML 1.0 forbids or discourages."""
    return _NOT_XML.sub("", _ANSI.sub("", text.replace("\r\n", "\n")))


def _name(character: str) -> str:
    return f"[U+{ord(character):04X}]"  # Unicode's pictures of control characters are missing from many fonts
