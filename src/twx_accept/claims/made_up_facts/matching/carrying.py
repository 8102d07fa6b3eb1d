"""What a sentence leaves to those before it: names and nouns that it refers back to or leaves out."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_SETTING = frozenset({"of", "in", "at", "for"})
_OBJECTS = frozenset({"it", "them", "him", "her"})
_WEEKDAYS = frozenset(several("monday tuesday wednesday thursday friday saturday sunday"))


def carry(done: Alignment, reading: Reading) -> None:
    """Let the sentences before cover names and nouns that the sentence refers back to."""
    number = done.said.number
    left = []
    for place in done.missing:
        word = done.fact.words[place]
        if word.low in _WEEKDAYS:
            left.append(place)
        elif (
            word.value is None
            and word.tag in {"noun", "name", "adjective"}
            and (
                _elided(done, word, reading)
                or (
                    _carried(word, reading, number, _definite(done.fact, word), _titled(done, place))
                    and (_told_beside(done.fact, word, reading) or _topical(done, word, reading))
                )
            )
        ):
            done.context.add(place)
        else:
            left.append(place)
    done.missing = left


def _told_beside(fact: Sentence, word: Word, reading: Reading) -> bool:
    """Whether the passage has the word somewhere beside a word that it stands beside in the fact."""
    beside = reading.beside()
    for other in fact.words[max(0, word.place - 2) : word.place + 3]:
        if other is word or not other.content or other.segment != word.segment:
            continue
        if any((key, other.low) in beside or (key, other.lex.lemma) in beside for key in word.keys):
            return True
    return False


def _topical(done: Alignment, word: Word, reading: Reading) -> bool:
    """Whether the word is what the passage, or one of the two sentences before, is about, and the fact speaks of it."""
    fact, number = done.fact, done.said.number
    spoken = not word.under and any(other.low in _OBJECTS for other in done.said.words)
    named = word.name or bool(word.label)
    if not (named or spoken or word.place in fact.of(word).subject or word.owner or word.under in _SETTING):
        return False
    if not word.keys.isdisjoint(reading.recurrent()):
        return True
    if not named and _introduced(word, reading, number):
        return True
    about = {0, *range(max(0, number - 2), number)}
    return any(not word.keys.isdisjoint(other.keys) for at in about for other in reading.sentences[at].topic)


def _introduced(word: Word, reading: Reading, number: int) -> bool:
    """``a piano that was dropped ... the piano``: what an earlier sentence brings in with ``a``."""
    for key in word.keys:
        for before in reading.index.get(key, ()):
            if before >= number:
                continue
            sentence = reading.sentences[before]
            for at in sentence.index[key]:
                phrase = sentence.phrases[at]
                first = phrase.places[0] if phrase is not None else 0
                if phrase is not None and phrase.head == at and first and sentence.words[first - 1].low in {"a", "an"}:
                    return True
    return False


def _elided(done: Alignment, word: Word, reading: Reading) -> bool:
    """``both colonies died`` for ``both died``: a count that stands alone, of what was spoken of before."""
    before = done.fact.words[word.place - 1] if word.place else None
    if before is None:
        return False
    at = done.pairs.get(before.place, -1) if before.value is not None else -1
    if before.low in {"both", "all", "none", "no", "each", "neither"}:
        wanted = {"no": "none"}.get(before.low, before.low)
        at = next((other.place for other in done.said.words if other.low == wanted), -1)
    following = done.said.words[at + 1] if 0 <= at < len(done.said.words) - 1 else None
    if at < 0 or (following is not None and following.tag in {"noun", "name", "adjective"}):
        return False
    near = range(max(0, done.said.number - 2), done.said.number)
    return any(number in near for key in word.keys for number in reading.index.get(key, ()))


def _titled(done: Alignment, place: int) -> bool:
    """``the mine locomotive WT-548``: what a name that the sentence has is called."""
    words = done.fact.words
    return any(
        after in done.pairs and (words[after].name or bool(words[after].label))
        for after in (place + 1, place + 2)
        if after < len(words) and words[place + 1].tag in {"noun", "name"}
    )


def _definite(fact: Sentence, word: Word) -> bool:
    """``the old clock``, ``its lid``, what a fact begins with, and what a number or a rate counts."""
    near = fact.words[word.place - 1] if word.place else None
    if near is not None and (
        near.value is not None or near.low == "more" or (near.tag == "noun" and word.place in fact.of(word).subject)
    ):
        return True
    if word.owner or word.place == 0:
        return True
    for place in range(word.place - 1, max(-1, word.place - 5), -1):
        before = fact.words[place]
        if (
            before.low in {"the", "this", "its", "his", "her", "their", "these", "those", "that", "our", "my"}
            or before.owner
        ):
            return True
        if before.tag not in {"noun", "adjective", "name", "adverb", "value"}:
            return False
    return False


def _carried(word: Word, reading: Reading, number: int, definite: bool, beside: bool) -> bool:
    if word.label:
        return any(before < number and word.label in reading.sentences[before].index for before in range(number))
    wanted = {word.low, word.lex.lemma} if word.name else word.keys
    if not word.name and not definite:
        return False
    if not word.name and (word.under or beside) and word.lex.lemma in reading.index:
        return True
    return any(before < number for key in wanted for before in reading.index.get(key, ()))
