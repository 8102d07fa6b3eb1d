"""A text read: its sentences, their words and clauses, and where each key occurs."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from twx_accept.claims.made_up_facts.matching import text as texts
from twx_accept.claims.made_up_facts.matching.clauses import Clause, clauses_of
from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.phrases import Phrase, phrases_of
from twx_accept.claims.made_up_facts.matching.tagging import openers_of, words_of
from twx_accept.claims.made_up_facts.matching.word import Word

MOST = 2**13
"""Sentences that are held as they were read: the lines of several builds about a passage are much the same."""

_NEAR = 3
_RECURRENT = 3
_ANY = frozenset({"\0"})
"""Stands for names that a fact does not have: whether there are any changes how it is read."""

_Key = tuple[str, tuple[tuple[str, str, bool], ...]]


@dataclass(slots=True, eq=False)
class Sentence:
    """One sentence: its text, words and clauses, and the number it has in the passage."""

    text: str
    words: list[Word]
    clauses: list[Clause]
    number: int
    values: list[Word] = field(default_factory=list)
    index: dict[str, list[int]] = field(default_factory=dict)
    topic: list[Word] = field(default_factory=list)
    _phrases: list[Phrase | None] | None = None

    @property
    def phrases(self) -> list[Phrase | None]:
        """The noun phrase that each word is in."""
        if self._phrases is None:
            self._phrases = phrases_of(self.words)
        return self._phrases

    def of(self, word: Word) -> Clause:
        """The clause that a word is in."""
        return self.clauses[word.clause]


@dataclass(slots=True, eq=False)
class Reading:
    """A whole text."""

    sentences: list[Sentence]
    index: dict[str, set[int]]
    names: frozenset[str]
    topics: frozenset[str] = frozenset()
    joined: frozenset[tuple[str, str]] = frozenset()
    _beside: frozenset[tuple[str, str]] | None = None
    _recurrent: frozenset[str] | None = None

    def beside(self) -> frozenset[tuple[str, str]]:
        """The keys of each word, each paired with the words that stand near it in its segment somewhere."""
        if self._beside is None:
            self._beside = frozenset(_beside(self.sentences))
        return self._beside

    def recurrent(self) -> frozenset[str]:
        """The keys of the nouns that three sentences or more have."""
        if self._recurrent is None:
            self._recurrent = frozenset(key for key, numbers in self.index.items() if len(numbers) >= _RECURRENT)
        return self._recurrent


def read(raw: str) -> Reading:
    """Read a text."""
    plain = texts.plain(raw)
    found: list[Sentence] = []
    before: set[_Key] = set()
    for parts in texts.sentences(texts.tokens(plain)):
        key = plain[parts[0].start : parts[-1].end], tuple((part.text, part.kind, part.spaced) for part in parts)
        # What refers back is told from what it refers to by being another word: two sentences may not share theirs.
        sentence = _sentence(parts, key[0], frozenset()) if key in before else _read(_Parts(key, parts))
        before.add(key)
        if sentence is not None:
            found.append(replace(sentence, number=len(found)))
    index: dict[str, set[int]] = defaultdict(set)
    for sentence in found:
        for word in sentence.index:
            index[word].add(sentence.number)
    named = frozenset(word.low for sentence in found for word in sentence.words if word.name)
    return Reading(found, dict(index), named, _topics(found), _joined(found))


def statements(plain: str, names: frozenset[str]) -> tuple[Sentence, ...]:
    """The sentences of a fact; ``names`` are words in small letters that are names wherever a capital begins them.

    One fact is held against many texts, whose names change how it is read only where they begin its sentences.
    """
    return _statements(plain, names & _openers(plain), bool(names))


@lru_cache(maxsize=MOST)
def _statements(plain: str, names: frozenset[str], known: bool) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    for parts in texts.sentences(texts.tokens(plain)):
        shown = plain[parts[0].start : parts[-1].end]
        sentence = _sentence(parts, shown, names | _ANY if known else names)
        if sentence is not None:
            found.append(replace(sentence, number=len(found)))
    return tuple(found)


@lru_cache(maxsize=MOST)
def _openers(plain: str) -> frozenset[str]:
    return frozenset(low for parts in texts.sentences(texts.tokens(plain)) for low in openers_of(parts))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The tokens of a sentence, known by what is read of them, wherever they stand."""

    key: _Key
    parts: list[texts.Token] = field(compare=False)


@lru_cache(maxsize=MOST)
def _read(found: _Parts) -> Sentence | None:
    return _sentence(found.parts, found.key[0], frozenset())


def _beside(sentences: list[Sentence]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        words = [word for word in sentence.words if word.content]
        for at, word in enumerate(words):
            for other in words[max(0, at - _NEAR) : at + _NEAR + 1]:
                if other is not word and other.segment == word.segment and abs(other.place - word.place) <= _NEAR:
                    for key in word.keys:
                        yield key, other.low
                        yield key, other.lex.lemma


def _joined(sentences: list[Sentence]) -> frozenset[tuple[str, str]]:
    """The words of each name that stand one before the other, with at most an initial or a title between."""
    pairs: set[tuple[str, str]] = set()
    for sentence in sentences:
        run: list[Word] = []
        for word in sentence.words:
            if word.name:
                pairs.update((before.low, word.low) for before in run[-3:])
                run.append(word)
            elif word.tag != "title" and word.low not in {".", '"', "-", "of", "de", "von"}:
                run = []
    return frozenset(pairs)


def _topics(sentences: list[Sentence]) -> frozenset[str]:
    """The names that a text is about: those it begins with, and those that every third sentence repeats."""
    counts: dict[str, int] = defaultdict(int)
    for sentence in sentences:
        for low in {word.low for word in sentence.words if word.name or word.label}:
            counts[low] += 1
    first = {word.low for word in sentences[0].words if word.name or word.label} if sentences else set()
    return frozenset(first | {low for low, count in counts.items() if count >= max(3, len(sentences) / 3)})


def _sentence(parts: list[texts.Token], shown: str, names: frozenset[str]) -> Sentence | None:
    """A sentence read, as if it were the first; None where it has no words. Nothing of it is changed afterwards."""
    words = words_of(parts, names)
    if not words:
        return None
    sentence = Sentence(shown, words, clauses_of(words), 0)
    index: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        if word.tag in {"mark", "title"}:
            continue
        if word.value is not None:
            sentence.values.append(word)
            if word.label:
                index[word.label].append(place)
            continue
        for key in word.keys:
            index[key].append(place)
        for role in word.lex.role:
            index["@" + role].append(place)
        if word.label:
            for key in word.lex.keys:
                index["&" + key].append(place)
    sentence.index = dict(index)
    first = sentence.clauses[0]
    called = [place for place in first.after if first.copula and words[place].tag == "noun" and not words[place].under]
    sentence.topic = [words[place] for place in [*(first.subject or first.after[:6]), *called] if words[place].content]
    return sentence


def anaphoric(sentence: Sentence) -> bool:
    """Whether something in a sentence refers back, or the sentence has no subject of its own."""
    return (
        any(word.low in closed.ANAPHORS or word.low == "the" for word in sentence.words)
        or all(clause.verb < 0 for clause in sentence.clauses)
        or any(clause.verb >= 0 and not clause.subject for clause in sentence.clauses)
    )
