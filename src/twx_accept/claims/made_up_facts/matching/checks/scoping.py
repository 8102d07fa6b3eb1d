"""How far a word of the passage goes: what it says of most, or perhaps, is not said of all, or outright."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_SCOPES = {
    word: scope
    for scope, words in {
        "all": "all every each both whole entire always everyone everybody fully entirely",
        "most": "most mostly mainly majority largely chiefly",
        "some": "some many few several partly sometimes often usually",
        "perhaps": "may might probably likely perhaps possibly",
        "other": "second other alternate",
    }.items()
    for word in several(words)
}
_BEFORE = 4
_STOPS = frozenset({"mark", "conjunction", "relative", "subordinator", "noun", "name", "verb"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which word the passage limits and the fact does not, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    hedged = any(_SCOPES.get(word.low) == "perhaps" for word in fact.words)
    for place, at in alignment.pairs.items():
        word, other = fact.words[place], said.words[at]
        if word.value is not None and word.value.kind != "date":
            continue
        mine, theirs = _scopes(fact, word), _scopes(said, other)
        if "perhaps" in theirs and not hedged:
            return f"the passage says only {theirs['perhaps']!r} of {other.text}"
        if "most" in mine and "most" not in theirs and not _verb_shared(alignment, place, at):
            return f"the passage does not say {mine['most']!r} of {other.text}"
        if "all" in mine and theirs and ("all" not in theirs or ("other" in theirs and "other" not in mine)):
            limit = next(text for scope, text in theirs.items() if scope != "all")
            return f"the passage says {limit!r} of {other.text}, not {mine['all']!r}"
    return None


def _verb_shared(alignment: Alignment, place: int, at: int) -> bool:
    """Whether what the passage says of most is what the fact says of them."""
    fact, said = alignment.fact, alignment.said
    there = alignment.pairs.get(fact.of(fact.words[place]).verb)
    clause = said.of(said.words[at] if there is None else said.words[there])
    return any(_SCOPES.get(word.low) == "most" for word in said.words[clause.start : clause.end])


def _scopes(sentence: Sentence, word: Word) -> dict[str, str]:
    """The words that limit a word, by what they say."""
    found: dict[str, str] = {}
    for at in range(word.place - 1, max(-1, word.place - 1 - _BEFORE), -1):
        before = sentence.words[at]
        scope = "some" if before.value is not None and before.value.weak else _SCOPES.get(before.low)
        if scope:
            found[scope] = before.text
        elif before.tag in _STOPS or (before.tag == "preposition" and before.low != "of"):
            break
    return found
