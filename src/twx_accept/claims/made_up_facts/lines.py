"""From what a model wrote to the facts in it: one a line, without bullets, numbers and markdown, each once."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST = 4000
"""Characters of a line beyond which it is no sentence, and its answer counts as cut short."""

_FENCE = re.compile(r"`{3,}\w*")
_DOTS = r"\u2022\u2023\u25aa\u25e6\u25cf\u00b7\u2013\u2014"
_MARKS = re.compile(
    rf"""(?:
        [-*+{_DOTS}]\s+                        # a bullet
      | [-{_DOTS}](?=[^\W\d_]|["'(])           # one right at its word; before a digit it would be a minus
      | \(?\d{{1,3}}[.):]\)?\s+(?=\S)          # 1.  1)  (1)  1:
      | \(?[a-hivx]\)\s+(?=\S)                 # a)  (i)
      | \#{{1,6}}\s+                           # a heading
      | >\s+                                   # a quotation
      | [Ff]act\s*(?:\#?\d{{1,3}})?\s*:\s+(?=\S)
      | \[[ xX]\]\s+                           # a box
    )""",
    re.VERBOSE,
)
_STRONG = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`")
_SLANTED = re.compile(r"(?<![\w*])\*(?=\S)([^*]*\S)\*(?![\w*])")
_SPACES = re.compile(r"\s+")
_ENDS = " \t.;,!"
_MOST_MARKS = 8
"""How many marks may stand before a fact ("> - 1. ")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The facts of an answer in order, each once. ``duplicates`` were left out; ``longest`` is in characters."""

    facts: tuple[str, ...]
    duplicates: int = 0
    longest: int = 0


def read(text: str) -> Lines:
    """The facts of an answer. A line without a letter is none."""
    raw = text.splitlines()
    longest = max(map(len, raw), default=0)
    found: dict[str, str] = {}
    lines = 0
    for line in raw:
        fact = clean(line[: LONGEST + 1])
        if any(map(str.isalpha, fact)):
            lines += 1
            found.setdefault(normal(fact), fact)
    return Lines(facts=tuple(found.values()), duplicates=lines - len(found), longest=longest)


def clean(line: str) -> str:
    """The line as a plain sentence: nothing but what it says."""
    line = plain(line).strip()
    if _FENCE.fullmatch(line):
        return ""
    line = _STRONG.sub("", line)
    for _ in range(_MOST_MARKS):
        bare = _MARKS.sub("", line, count=1).lstrip() if _MARKS.match(line) else line
        if bare == line:
            break
        line = bare
    return _SLANTED.sub(r"\1", line).strip()


def plain(text: str) -> str:
    """The text on one line and without characters that cannot be seen or sent; half a character becomes a mark."""
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return _SPACES.sub(" ", text)


def _visible(letter: str) -> str:
    category = unicodedata.category(letter)
    if category == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    if category == "Cf":
        return ""
    return " " if category.startswith("C") else letter


def normal(fact: str) -> str:
    """What two spellings of one fact share: letters' case, width, spaces and the stop at the end do not count."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", fact).casefold()).strip(_ENDS)


def joined(facts: Sequence[str]) -> str:
    """Facts as one text in which each is a sentence of its own."""
    return "\n".join(fact if fact.endswith((".", "!", "?")) else f"{fact}." for fact in facts)
