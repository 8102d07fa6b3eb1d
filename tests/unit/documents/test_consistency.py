"""What a passage says of one thing agrees with what it says of another."""

import re
from datetime import date
from functools import cache

import pytest

from twx_accept.documents import make
from twx_accept.documents.wording import MONTHS


@cache
def told() -> list[list[str]]:
    """The facts of many passages, a list a passage, with numbers without commas."""
    return [
        [fact.text.replace(",", "") for fact in document.facts] for seed in (20, 21) for document in make(seed, 360)
    ]


def pairs(first: str, second: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    """The facts of one passage that match the one pattern and the other."""
    return [
        (one, other)
        for facts in told()
        for one in filter(None, (re.search(first, fact) for fact in facts))
        for other in filter(None, (re.search(second, fact) for fact in facts))
    ]


def day(words: str) -> date:
    """``4 May 1931`` as a date."""
    number, month, year = words.split()
    return date(int(year), MONTHS.index(month) + 1, int(number))


def test_ages_agree_with_dates() -> None:
    """Somebody who died at an age was born that many years before, and moved at an age that fits."""
    born = r"was born in \S+ on (\d+ \w+ \d{4})"
    deaths = pairs(born, r"died in \S+ on (\d+ \w+ \d{4}) aged (\d+)")
    moves = pairs(born, r"moved to \S+ in (\d{4}) at the age of (\d+)")
    assert deaths
    assert moves
    for birth, death in deaths:
        first, last = day(birth[1]), day(death[1])
        assert last.year - first.year - ((last.month, last.day) < (first.month, first.day)) == int(death[2])
    for birth, move in moves:
        assert int(move[1]) - day(birth[1]).year == int(move[2])


def test_a_lead_is_the_difference_of_the_votes() -> None:
    """The winner's votes less the other's are the votes by which the winner won."""
    found = pairs(r"received (\d+) votes", r"won by (\d+) votes")
    assert found
    by_lead: dict[str, list[int]] = {}
    for votes, lead in found:
        by_lead.setdefault(f"{id(lead.string)}{lead.string}", [int(lead[1])]).append(int(votes[1]))
    assert all(len(numbers) == 3 and numbers[0] == abs(numbers[1] - numbers[2]) for numbers in by_lead.values())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"was founded in (\d{4})", r"received its charter in (\d{4})"),
        (r"opened a workshop in \S+ in (\d{4})", r"died in .* (\d{4}) aged"),
        (r"was made in \S+ in (\d{4})", r"restored .* in (\d{4})"),
        (r"building .* began on \d+ \w+ (\d{4})", r"was opened on \d+ \w+ (\d{4})"),
        (r"was opened on \d+ \w+ (\d{4})", r"was repaired in (\d{4})"),
        (r"passed on \d+ \w+ (\d{4})", r"in force since \d+ \w+ (\d{4})"),
        (r"elected .* on \d+ \w+ (\d{4})", r"takes office on \d+ \w+ (\d{4})"),
    ],
)
def test_what_comes_first_is_dated_first(before: str, after: str) -> None:
    """A thing is begun before it is opened, founded before it is chartered, and so on."""
    found = [(one, other) for one, other in pairs(before, after)]
    assert found
    assert all(int(one[1]) <= int(other[1]) for one, other in found)


def test_a_player_has_no_more_goals_than_the_side() -> None:
    """The goals of one player are at most those of the side, and half-time comes before the end."""
    scored = pairs(r"beat .* (\d+)-(\d+) on", r"scored (\d+) \w+ for")
    halves = pairs(r"beat .* (\d+)-(\d+) on", r"led .* (\d+)-(\d+) at half-time")
    assert scored
    assert halves
    assert all(int(goals[1]) <= int(result[1]) for result, goals in scored)
    assert all(int(half[1]) <= int(end[1]) and int(half[2]) <= int(end[2]) for end, half in halves)
    assert all(int(end[1]) > int(end[2]) for end, _ in halves)


def test_multiples_are_true() -> None:
    """A town that has grown threefold has three times the people of the first count."""
    times = {"twice": 2, "three times": 3, "four times": 4, "five times": 5, "six times": 6}
    found = pairs(r"had (\d+) inhabitants in (\d{4})\.", r"had (\d+) inhabitants in \d{4} (\w+(?: times)?) as many")
    assert found
    assert all(int(late[1]) == int(early[1]) * times[late[2]] for early, late in found)
    results = pairs(r"(?:held|withstood|let|carried|bore) .*?(\d+) ", r"result of .* was (twice|three times) as high")
    assert results
    for _, ratio in results:
        facts = next(facts for facts in told() if ratio.string in facts)
        high, low = _two(facts)
        assert high == low * times[ratio[1]]


def _two(facts: list[str]) -> tuple[int, int]:
    """The two results of a trial, in the order in which they are told."""
    did = r"^\w\w-\d+ (?:held|withstood|let through|carried|bore) an? \w+ of (\d+)"
    first, second = (int(found[1]) for found in filter(None, (re.match(did, fact) for fact in facts)))
    return first, second
