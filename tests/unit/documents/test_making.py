"""The set of documents: what is promised of every seed and every size."""

import hashlib
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations

import pytest

from twx_accept.documents import KINDS, MOST_PASSAGES, Document, lines, make
from twx_accept.documents.wording import MONTHS, NUMBERS, article
from twx_accept.errors import UsageError

SETS = ((1, 360), (3, 60), (-4, 17), (2**70, 120), (5, MOST_PASSAGES))
each_set = pytest.mark.parametrize(("seed", "passages"), SETS)

UNCLEAN = re.compile(r"[\[\]{}|\x00-\x09\x0b-\x1f]|  | \n|\n |a\(n\)|None| [,.;:!?]|[,;:]{2}|\.\.")


@cache
def made(seed: int, passages: int) -> tuple[Document, ...]:
    """A set, made once for all tests."""
    return make(seed, passages)


def words(text: str) -> list[str]:
    """The words in small letters."""
    return re.findall(r"[^\W_]+", text.lower())


def values(text: str) -> set[str]:
    """Its numbers as digits, with those that are spelled, and its capitalised words after the first."""
    numbers = {number.rstrip(".,") for number in re.findall(r"\d[\d.,:]*", text)}
    spelled = {str(NUMBERS.index(word)) for word in words(text) if word in NUMBERS[2:]}
    names = {name for name in re.findall(r"[^\W\d_]+", text)[1:] if name[0].isupper()}
    return numbers | spelled | names


def sentences(text: str) -> list[str]:
    """The passage in sentences."""
    return [part for part in re.split(r"(?<=[.!?])\s+", text) if part]


@each_set
def test_every_set_has_the_passages_and_the_facts_that_were_asked_for(seed: int, passages: int) -> None:
    """A set has so many passages, 8 to 11 facts in each, 80 to 250 words in each, and ids that are unique."""
    documents = made(seed, passages)
    assert len(documents) == passages
    assert len({document.id for document in documents}) == passages
    assert len({fact.id for document in documents for fact in document.facts}) == sum(
        len(document.facts) for document in documents
    )
    for document in documents:
        assert 8 <= len(document.facts) <= 11, document.id
        assert 80 <= len(document.text.split()) <= 250, (document.id, len(document.text.split()))


def test_three_hundred_and_sixty_passages_plant_enough_facts() -> None:
    """The registered size plants at least 2,500 facts, and names each fact of a passage once."""
    documents = made(1, 360)
    assert sum(len(document.facts) for document in documents) >= 2500
    texts = [fact.text for document in documents for fact in document.facts]
    assert len(set(texts)) == len(texts)


@each_set
def test_the_kinds_are_spread_evenly(seed: int, passages: int) -> None:
    """No kind has more than one passage more than another."""
    counts = Counter(document.kind for document in made(seed, passages))
    assert len(KINDS) >= 12
    assert len(counts) == min(passages, len(KINDS))
    assert max(counts.values()) - min(counts.values()) <= 1


def test_the_same_seed_gives_the_same_bytes() -> None:
    """The bytes of a small set are pinned, so that no version of Python and no later change moves them unseen."""
    assert lines(make(1, 24)) == lines(make(1, 24))
    digest = hashlib.sha256(lines(make(1, 24)).encode()).hexdigest()
    assert digest == "35950b6c5121585721b9569f9bf793aa0dd2ba86a29f59e7f89ea6c313873d41"


def test_another_seed_gives_another_set() -> None:
    """Sets of different seeds have next to no sentence in common."""
    first, second = ({part for document in made(seed, 120) for part in sentences(document.text)} for seed in (1, 2**70))
    assert len(first & second) < len(first) / 200


@pytest.mark.parametrize("passages", [0, -1, MOST_PASSAGES + 1, 10**9])
def test_an_impossible_size_is_refused(passages: int) -> None:
    """The error names the size and the sizes that can be had."""
    with pytest.raises(UsageError, match=rf"^passages: {passages} cannot be made; ask for 1 to {MOST_PASSAGES}$"):
        make(1, passages)


@each_set
def test_no_two_passages_are_alike(seed: int, passages: int) -> None:
    """No sentence is in two passages, and hardly a run of 12 words."""
    documents = made(seed, passages)
    said = Counter(part for document in documents for part in sentences(document.text))
    assert [part for part, count in said.items() if count > 1] == []
    runs: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for document in documents:
        told = words(document.text)
        for at in range(len(told) - 11):
            runs[tuple(told[at : at + 12])].add(document.id)
    assert sum(len(where) > 1 for where in runs.values()) <= len(runs) // 1000


def test_passages_of_one_kind_differ_in_most_of_their_words() -> None:
    """Two passages of one kind share less than a sixth of their runs of five words."""
    by_kind = defaultdict(list)
    for document in made(1, 360):
        told = words(document.text)
        by_kind[document.kind].append({tuple(told[at : at + 5]) for at in range(len(told) - 4)})
    worst = max(
        len(one & other) / min(len(one), len(other))
        for kind in by_kind.values()
        for one, other in combinations(kind, 2)
    )
    assert worst < 1 / 6


@each_set
def test_a_fact_of_one_passage_holds_for_no_other(seed: int, passages: int) -> None:
    """Each planted fact names something, by word or by plate, that is in one passage of the set only."""
    where: dict[str, set[str]] = defaultdict(set)
    for document in made(seed, passages):
        for name in re.findall(r"[A-Z]{2}-\d{3}|[^\W\d_]+", document.text):
            where[name].add(document.id)
    for document in made(seed, passages):
        for fact in document.facts:
            names = [n for n in re.findall(r"[A-Z]{2}-\d{3}|[^\W\d_]+", fact.text) if n[0].isupper()]
            assert any(where[name] == {document.id} for name in names), fact.text


@each_set
def test_the_values_of_a_planted_fact_are_in_its_passage(seed: int, passages: int) -> None:
    """Every number and every name of a fact stands in the passage, as digits or spelled."""
    for document in made(seed, passages):
        there = values(document.text) | {word.capitalize() for word in words(document.text)}
        for fact in document.facts:
            for value in values(fact.text):
                assert value in there, (document.id, value, fact.text)


@each_set
def test_facts_are_worded_otherwise_than_the_passage(seed: int, passages: int) -> None:
    """Most facts do not stand in their passage word for word."""
    facts = [(fact.text.rstrip("."), document.text) for document in made(seed, passages) for fact in document.facts]
    assert sum(fact in text for fact, text in facts) < 0.05 * len(facts)


@each_set
def test_facts_can_be_understood_alone(seed: int, passages: int) -> None:
    """A fact is one sentence without a pronoun that points elsewhere."""
    for document in made(seed, passages):
        for fact in document.facts:
            assert fact.text[0].isupper() or fact.text[0].isdigit(), fact.text
            assert re.fullmatch(r"[^\n!?;]+\.", fact.text), fact.text
            assert not {"he", "she", "they", "his", "her", "their", "i", "we", "our", "them"} & set(words(fact.text))


@each_set
def test_the_text_is_clean(seed: int, passages: int) -> None:
    """No marker, bracket, double space or stray mark is left, and every sentence begins with a capital or a figure."""
    for document in made(seed, passages):
        for text in (document.text, *(fact.text for fact in document.facts)):
            assert UNCLEAN.search(text) is None, text
            assert all(not part[0].islower() for part in sentences(text)), text
            assert text[-1] in '.!?"', text
            assert set(text) - set(map(chr, range(32, 127))) <= set("\n°éëåäöüÅ"), text


@each_set
def test_the_articles_fit(seed: int, passages: int) -> None:
    """``a`` and ``an`` stand before the sounds that they belong to."""
    for document in made(seed, passages):
        for text in (document.text, *(fact.text for fact in document.facts)):
            for found in re.finditer(r"\b([Aa]n?) ([^\W_][\w-]*)", text):
                assert found[1].lower() == article(found[2]), found[0]


def test_dates_are_written_in_several_styles() -> None:
    """A set has dates with the month first, with the day first, and with ordinals."""
    texts = " ".join(document.text for document in made(1, 360))
    month = f"(?:{'|'.join(MONTHS)})"
    for style in (rf"\b\d+ {month} \d{{4}}", rf"{month} \d+, \d{{4}}", rf"the \d+(?:st|nd|rd|th) of {month} \d{{4}}"):
        assert len(re.findall(style, texts)) > 20
    assert re.search(rf"{month} \d+, \d{{4}} (?!and|or|to)[a-z]", texts) is None
