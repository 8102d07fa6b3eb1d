"""Values in words, and what is settled when a passage is finished."""

from datetime import date

import pytest

from twx_accept.documents.drawing import Draw
from twx_accept.documents.naming import Person, in_full, introduced
from twx_accept.documents.shelf import chosen
from twx_accept.documents.wording import (
    Count,
    Day,
    Manner,
    Percent,
    article,
    both,
    finished,
    fold,
    nth,
    plural,
    spelled_starts,
)


def manner(dates: int = 0, *, spells: bool = True) -> Manner:
    """One writer's habits."""
    return Manner(dates=dates, percent=" per cent", spells=spells, last_comma=False)


@pytest.mark.parametrize(
    ("style", "words"),
    [
        (0, "On 4 May 1931 it rained, and on 4 May 1931."),
        (1, "On May 4, 1931, it rained, and on May 4, 1931."),
        (2, "On the 4th of May 1931 it rained, and on the 4th of May 1931."),
        (3, "On 4th May 1931 it rained, and on 4th May 1931."),
    ],
)
def test_a_day_is_said_in_the_writers_style(style: int, words: str) -> None:
    """Each style words a date, and the American one is followed by a comma unless another mark follows."""
    day = Day(date(1931, 5, 4), manner(style))
    assert finished(f"on {day.said} it rained, and on {day.said}.") == words
    assert str(day) == "4 May 1931"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *(
            ("apple", "an"),
            ("hour", "an"),
            ("11-metre", "an"),
            ("18", "an"),
            ("8", "an"),
            ("80", "an"),
            ("ulver", "an"),
        ),
        *(
            ("pear", "a"),
            ("one-off", "a"),
            ("unit", "a"),
            ("user", "a"),
            ("115", "a"),
            ("European", "a"),
            ("house", "a"),
        ),
    ],
)
def test_an_article_goes_by_the_sound(word: str, expected: str) -> None:
    """``an`` stands before a vowel that is heard, silent h and eight, eleven, eighteen; ``a`` before the rest."""
    assert article(word) == expected
    assert finished(f"it is a(n) {word}.") == f"It is {expected} {word}."


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (22, "22nd"),
        (112, "112th"),
    ],
)
def test_ordinals(number: int, word: str) -> None:
    """An ordinal has the ending that belongs to it."""
    assert nth(number) == word


def test_numbers_lists_and_shares() -> None:
    """Small numbers are spelled by those who spell, lists end with ``and``, and shares follow the writer."""
    assert (Count(7, manner()).said, Count(7, manner(spells=False)).said, Count(13, manner()).said) == (
        "seven",
        "7",
        "13",
    )
    assert str(Count(1200, manner())) == "1,200"
    assert (Percent(12, manner()).said, str(Percent(12, manner()))) == ("12 per cent", "12%")
    assert both(["a"]) == "a"
    assert both(["a", "b"]) == "a and b"
    assert both(["a", "b", "c"]) == "a, b and c"
    assert both(["a", "b", "c"], last_comma=True) == "a, b, and c"
    assert (fold(2), fold(6)) == ("twice", "six times")
    assert (plural("pitch"), plural("stand")) == ("pitches", "stands")


def test_a_sentence_does_not_begin_with_a_small_figure() -> None:
    """A small number at the start is spelled, but that of a date, a unit or a share with a sign is left."""
    assert spelled_starts("8 men came. 12 went.\n3 pence.") == "Eight men came. Twelve went.\nThree pence."
    for kept in ("4 May 1931 was fine.", "8 km of line.", "9% is lost.", "9 per cent is lost.", "14 men came."):
        assert spelled_starts(kept) == kept


def test_people_are_introduced_once() -> None:
    """The first mention gives the whole name, with the role where the sentence does not tell it; later ones do not."""
    person = Person(first="Ada", family="Kell", woman=True, role="the clerk")
    assert introduced(f"{person.last} rose; {person.last}'s hat, said {person.name}.") == (
        "the clerk Ada Kell rose; Kell's hat, said Kell."
    )
    assert introduced(f"{person.name}, clerk, saw {person.last}.") == "Ada Kell, clerk, saw Kell."
    assert in_full(f"{person.last} saw {person.name}.") == "Ada Kell saw Ada Kell."


def test_choices_may_hold_choices() -> None:
    """Every choice of a wording can come up, the inner ones too."""
    said = {chosen("[a|b [c|d]] e", Draw(key)) for key in range(60)}
    assert said == {"a e", "b c e", "b d e"}
