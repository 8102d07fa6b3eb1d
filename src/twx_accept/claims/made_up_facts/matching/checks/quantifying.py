"""All, most, some, only, none: how much of a thing a fact speaks of."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_ALL = frozenset(
    {
        "all",
        "every",
        "each",
        "everyone",
        "everybody",
        "everything",
        "always",
        "whole",
        "entire",
        "both",
        "entirely",
        "fully",
        "wholly",
    }
)
_PARTIAL = frozenset({"some", "several", "few", "few_", "many", "part", "partly", "sometimes", "certain"})
_MOST = frozenset({"most", "majority", "mostly", "mainly"})
_EXCEPT = frozenset({"except", "but"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Why the fact speaks of another share than the sentence, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    universal = _first(fact, _ALL)
    if universal is not None and not _negative(fact):
        if not _first(said, _ALL | {"any", "nobody", "no", "none", "never", "only", "full"}):
            return f"the passage does not say {universal.text!r}"
        if any(word.under == "except" for word in said.words) and not any(
            word.low in {"except", "but", "only"} for word in fact.words
        ):
            return "the passage makes an exception"
    for wanted, near in (
        (_MOST, _MOST | {"more", "largest"}),
        (
            frozenset({"only", "sole", "solely"}),
            frozenset({"only", "sole", "solely", "single", "just", "merely", "alone", "except", "exclusively"}),
        ),
    ):
        word = _first(fact, wanted)
        if word is not None and not _first(said, near) and not _superlative(fact, word):
            return f"the passage does not say {word.text!r}"
    return None


def _first(sentence: Sentence, wanted: frozenset[str] | set[str]) -> Word | None:
    return next((word for word in sentence.words if word.low in wanted), None)


def _negative(sentence: Sentence) -> bool:
    return any(clause.denied for clause in sentence.clauses)


def _superlative(sentence: Sentence, word: Word) -> bool:
    following = sentence.words[word.place + 1] if word.place + 1 < len(sentence.words) else None
    return word.low == "most" and following is not None and following.tag in {"adjective", "adverb", "verb"}
