"""From any text to sentences of plain tokens, in linear time."""

import re
import unicodedata
from dataclasses import dataclass

from twx_accept.claims.made_up_facts.matching.lexicon.closed import ABBREVIATIONS, TITLES

_FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75", "⅓": ".333333", "⅔": ".666667", "⅛": ".125"}
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        **dict.fromkeys("\u2014\u2015", ";"),
        **dict.fromkeys("\u00a0\u202f\u2009\u2007\u2008\u200a\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad\u2060"),
        "\u2026": "...",
        "\u00ba": "\u00b0",
        "\u00d7": " x ",
    }
)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_FRACTION = re.compile(r"(\d?)\s?([½¼¾⅓⅔⅛])")
_MARKUP = re.compile(r"\*\*|__|~~|</?[a-zA-Z][a-zA-Z0-9]{0,9}/?>|(?m:^\s{0,3}#{1,6}\s)|(?m:^\s{0,3}>\s)")
_TOKEN = re.compile(
    r"(?P<word>\d{1,4}[a-f](?![^\W_])|(?:[^\W\d_]\.-?){2,6}(?![^\W\d_])|[^\W\d_][^\W_]*(?:['&-][^\W_]+)*)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)*|\.\d+)"
    r"|(?P<break>\n\s*\n|\n(?=\s*(?:[-*\u2022]|\d{1,3}[.)])\s))"
    r"|(?P<mark>\.\.\.|[^\w\s])"
)


@dataclass(slots=True)
class Token:
    """A word, a number or a mark. ``spaced``: white space stands before it."""

    text: str
    kind: str
    start: int
    end: int
    spaced: bool


def plain(text: str) -> str:
    """The text with one form of each quote, dash and space, without markup and unprintable characters."""
    text = _UNPRINTABLE.sub(" ", text.translate(_PLAIN))
    text = _FRACTION.sub(lambda found: (found[1] or "0") + _FRACTIONS[found[2]], text)
    return _MARKUP.sub("", text)


def bare(word: str) -> str:
    """A word in small letters without accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).lower()


def tokens(text: str) -> list[Token]:
    """The tokens of a plain text."""
    found, before = [], 0
    for match in _TOKEN.finditer(text):
        found.append(Token(match[0], match.lastgroup or "mark", match.start(), match.end(), match.start() > before))
        before = match.end()
    return found


def sentences(parts: list[Token]) -> list[list[Token]]:
    """The tokens by sentence."""
    done: list[list[Token]] = []
    current: list[Token] = []
    for index, part in enumerate(parts):
        if part.kind != "break":
            current.append(part)
        if current and (part.kind == "break" or _ends(parts, index)):
            done.append(current)
            current = []
    return [*done, current] if current else done


def _ends(parts: list[Token], index: int) -> bool:
    mark = parts[index]
    following = parts[index + 1] if index + 1 < len(parts) else None
    if mark.kind == "word" and mark.text.endswith("."):
        return bool(
            following and following.kind == "word" and following.text[0].isupper() and bare(mark.text)[-3:-1] == ".m"
        )
    if mark.text in "!?" or mark.text == "...":
        return following is None or following.text not in {'"', "'", ")"}
    if mark.text in {'"', ")"}:
        return index > 0 and parts[index - 1].text in {".", "!", "?"} and (following is None or _starts(following))
    if mark.text != ".":
        return False
    if following is None:
        return True
    return following.spaced and _starts(following) and not _abbreviation(parts, index, following)


def _starts(part: Token) -> bool:
    return (
        part.kind in {"number", "break"}
        or part.text[0].isupper()
        or part.text in {'"', "'", "("}
        or not part.text.isascii()
    )


def _abbreviation(parts: list[Token], index: int, following: Token) -> bool:
    before = parts[index - 1] if index else None
    if before is None or before.kind != "word" or parts[index].spaced:
        return False
    if len(before.text) == 1 and before.text.isupper():
        measured = index > 1 and (parts[index - 2].kind == "number" or parts[index - 2].text == "\u00b0")
        return following.kind == "word" and not measured
    word = bare(before.text)
    if word in {"ms", "mss", "vol"} and following.kind == "number":
        return True
    if word in {
        "no",
        "nos",
        "fig",
        "art",
        "sec",
        "ch",
        "mt",
        "sept",
        "sep",
        "oct",
        "nov",
        "dec",
        "jan",
        "feb",
        "mar",
        "apr",
        "aug",
    }:
        return following.kind == "number" or word == "mt"
    return word in ABBREVIATIONS and (word in TITLES or word in {"messrs", "vs", "ca", "approx", "hon"})
