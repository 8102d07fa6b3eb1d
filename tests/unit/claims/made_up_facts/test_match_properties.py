"""What holds of the matcher for any text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.claims.made_up_facts.matching import Matcher, Support, match_fact, reading

NAMES = st.sampled_from(["Arvid Holm", "Greta Lund", "Selma Vik", "Otto Brand"])
VERBS = st.sampled_from(["built", "sold", "painted", "repaired", "visited"])
THINGS = st.sampled_from(["mill", "bridge", "chapel", "lighthouse", "barn"])
YEARS = st.integers(1800, 1990)
COUNTS = st.integers(2, 9000)
ANYTHING = st.text(st.characters(codec=None), max_size=300)


@given(fact=ANYTHING, passage=ANYTHING)
@settings(max_examples=150, deadline=None)
def test_never_raises_and_says_the_same_again(fact: str, passage: str) -> None:
    """Any two texts, lone surrogates among them, give one verdict."""
    assert match_fact(fact, passage) == match_fact(fact, passage)


@given(name=NAMES, verb=VERBS, thing=THINGS, year=YEARS, count=COUNTS)
@settings(max_examples=60, deadline=None)
def test_a_sentence_supports_itself_and_no_change_of_it(
    name: str, verb: str, thing: str, year: int, count: int
) -> None:
    """A sentence word for word is supported; with another number, a "not" or another name it is not."""
    sentence = f"In {year} {name} {verb} the {thing} with {count} workers."
    prepared = Matcher(f"The day was cold. {sentence} Nobody saw it.")
    assert prepared.match(sentence).verdict is Support.SUPPORTED
    assert prepared.match(sentence.replace(f" {count} ", f" {count + 1} ")).verdict is not Support.SUPPORTED
    assert prepared.match(sentence.replace(str(year), str(year + 1))).verdict is not Support.SUPPORTED
    assert prepared.match(sentence.replace(name, "Ida Falk")).verdict is not Support.SUPPORTED
    never = sentence.replace(f" {verb} ", f" never {verb} ")
    assert prepared.match(never).verdict is not Support.SUPPORTED
    assert Matcher(never).match(sentence).verdict is not Support.SUPPORTED


@pytest.mark.parametrize(
    "hostile",
    [
        "a" * 200_000,
        "1," * 100_000,
        "((((" * 50_000,
        "- " * 100_000,
        "H. " * 60_000,
        "one hundred and " * 12_000,
        "<b>" * 60_000,
        "\ud800" * 200_000,
        "not " * 50_000,
        "1.2.3.4" * 30_000,
    ],
    ids=lambda text: text[:8].encode("ascii", "backslashreplace").decode(),
)
def test_hostile_texts_take_bounded_time(hostile: str) -> None:
    """200 kB of anything is answered in seconds, as a fact and as a passage."""
    begun = time.process_time()
    assert match_fact(hostile, "The mill is old.").verdict is not Support.SUPPORTED
    match_fact("The mill is old.", hostile)
    assert time.process_time() - begun < 20


NAMED = "Rose Lane has a mill. Bill Hunting owns it. Hunting built it in 1901."
"""Its names are words that would be none where a sentence begins with them."""

TEXTS = (NAMED, f"{NAMED} {NAMED}", "The rose grew in a lane. A bill came. Hunting was banned in 1901.", "Nothing.", "")
FACTS = (
    "Rose has a mill.",
    "Bill owns it.",
    "Hunting was banned in 1901.",
    "Hunting built it in 1901. Hunting built it in 1901.",
    '"Bill owns a mill."',
    "Rose grew in a lane and Bill owns a mill.",
)


@given(draws=st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(FACTS)), max_size=12))
@settings(max_examples=60, deadline=None)
def test_what_was_read_before_changes_no_verdict(draws: list[tuple[str, str]]) -> None:
    """A fact is read once and held against many texts, whose names decide how it is read: it is so in any order."""
    found = [match_fact(fact, text) for text, fact in draws]
    for held in (reading._read, reading._statements, reading._openers):
        held.cache_clear()
    for (text, fact), match in zip(draws, found, strict=True):
        assert match_fact(fact, text) == match
        for held in (reading._read, reading._statements, reading._openers):
            held.cache_clear()


def test_a_word_that_begins_a_fact_is_a_name_where_the_text_has_it_as_one() -> None:
    """The same fact is read in two ways, each again after the other."""
    for names, named in (({"bill"}, True), ({"rose"}, False), ({"bill", "rose"}, True), (set(), False)):
        first = reading.statements("Bill owns it.", frozenset(names))[0].words[0]
        assert (first.low, first.name) == ("bill", named)
