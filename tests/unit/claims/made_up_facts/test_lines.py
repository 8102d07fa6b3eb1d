import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims.made_up_facts import lines

FACT = "The tower is 52 metres high."


@pytest.mark.parametrize(
    "line",
    [
        FACT,
        f"- {FACT}",
        f"* {FACT}",
        f"\u2022 {FACT}",
        f"\u2022{FACT}",
        f"-{FACT}",
        f"1. {FACT}",
        f"12) {FACT}",
        f"(3) {FACT}",
        f"a) {FACT}",
        f"- 4. {FACT}",
        f"> - {FACT}",
        f"Fact 7: {FACT}",
        f"**{FACT}**",
        f"**1.** {FACT}",
        "- **The tower** is 52 metres high.",
        f"*{FACT}*",
        "`The tower` is 52 metres high.",
        f"   {FACT}  ",
        f"\t{FACT}\u200b",
        f"- [x] {FACT}",
        "The tower\u00a0is 52 metres\x00high.",
    ],
)
def test_bullets_numbers_and_markdown_are_no_part_of_a_fact(line):
    """However a line is dressed, what it says is left."""
    assert lines.read(line).facts == (FACT,)


@pytest.mark.parametrize(
    "line",
    [
        "12 people died in the fire.",
        "1.5 million crowns were spent.",
        "1984 was a dry year.",
        "-5 degrees were measured at Calby.",
        "-0.5 points is the change.",
        "A town lies on the river.",
        "I have a boat.",
        "2*3 metres is its size.",
        "The file_name_here is old.",
    ],
)
def test_what_belongs_to_a_fact_stays(line):
    """A number, a minus or a short word at the beginning is not taken for a bullet."""
    assert lines.read(line).facts == (line,)


@pytest.mark.parametrize("text", ["", "\n\n", "---", "***", "```", "```text", "- ", "1. ", "\x00\x01", "...", "\u200b"])
def test_lines_without_a_word_are_none(text):
    """Rules, fences and rubbish hold no fact."""
    assert lines.read(text).facts == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\n\n \n", "\x0b", "\x0c"])
def test_every_line_is_a_fact(end):
    """Lines end however a model ends them."""
    assert lines.read(f"- One town.{end}- Two towns.").facts == ("One town.", "Two towns.")


@pytest.mark.parametrize(
    "again", [FACT, f"- {FACT}", FACT.upper(), FACT.rstrip("."), f"2. {FACT}", FACT.replace(" ", "  "), f"{FACT[:-1]};"]
)
def test_a_fact_counts_once(again):
    """The same words are one fact, however they are dressed; how often they come again is counted."""
    found = lines.read(f"{FACT}\n{again}\n{again}\nAnother one.")
    assert (found.facts, found.duplicates) == ((FACT, "Another one."), 2)


def test_half_a_character_becomes_a_mark():
    """What has no UTF-8 cannot be kept, matched or shown."""
    assert lines.read("The \ud83d tower.").facts == ("The \N{REPLACEMENT CHARACTER} tower.",)


def test_a_long_line_is_measured_and_not_read_to_its_end():
    """A line of 200 kB says how long it is; the facts hold its beginning only."""
    found = lines.read("word " * 40_000)
    assert found.longest == 200_000
    assert len(found.facts[0]) <= lines.LONGEST + 1


def test_joined_facts_are_sentences():
    """Facts without a stop do not run into each other."""
    assert lines.joined(("One", "Two.", "Three?")) == "One.\nTwo.\nThree?"


@given(st.text(max_size=300))
def test_whatever_is_written_can_be_read(text):
    """Every fact is one line of visible text, holds a word, and comes once; reading it again changes nothing."""
    found = lines.read(text)
    assert len({lines.normal(fact) for fact in found.facts}) == len(found.facts)
    for fact in found.facts:
        assert fact == fact.strip()
        assert fact.isprintable()
        assert any(map(str.isalpha, fact))
        fact.encode()


@given(st.lists(st.from_regex(r"[A-Z][a-z]{2,8} [a-z]{2,8} [0-9]{1,4}", fullmatch=True), max_size=30))
def test_no_fact_is_lost(facts):
    """Facts and duplicates add up to the lines that were written."""
    found = lines.read("\n".join(f"{place}. {fact}." for place, fact in enumerate(facts, start=1)))
    assert len(found.facts) + found.duplicates == len(facts)
    assert {fact.rstrip(".") for fact in found.facts} == set(facts)
