"""What deciding will match, matched before it and in parts: it says the same, and nothing is left to match."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fake_facts import LOST, Sentences, towns, truth
from twx_accept.claims.made_up_facts.supporting import Match, Part
from twx_accept.errors import InvalidClaim

ROWS = towns(12)
LINES = st.sampled_from(
    [
        "true",
        "Brenlow has 412 houses.",
        "The school of Calwick was built in 1802.",
        "Perhaps, perhaps not.",
        "Here are the facts:",
        "The tower of Brenlow is 999 metres high.",
    ]
)
"""True lines, another passage's, what is left undecided, what is no fact, and what nobody says."""


class Counting(Sentences):
    """Counts what it is asked."""

    asked = 0

    def match(self, fact: str) -> Match:
        """The verdict of the other."""
        Counting.asked += 1
        return super().match(fact)


def in_parts(work: Callable[[Part], Any], parts: Sequence[Part]) -> Iterable[Any]:
    """Every part by itself, the last one first, as other processes might."""
    done = {place: work(parts[place]) for place in reversed(range(len(parts)))}
    return [done[place] for place in range(len(parts))]


def decided(claim: Any, sides: Sequence[Any]) -> list[Any]:
    """What it comes to, an error by its text and its figures."""
    found: list[Any] = []
    for build in sides[1:]:
        try:
            found.append(claim.decide(sides[0], build))
        except InvalidClaim as error:
            found.append((str(error), error.measured))
    return [*found, *claim.between(*sides)]


@given(lines=st.lists(st.lists(LINES, max_size=5), min_size=36, max_size=36))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreseen_matches_change_no_verdict_and_leave_none_to_be_made(facts: Any, writing: Any, lines: Any) -> None:
    """Whatever three builds write, deciding says the same as without, and matches nothing any more."""

    def said(build: int) -> Callable[[int, Any], Any]:
        def say(place: int, row: Any) -> Any:
            own = lines[build * 12 + place]
            return [truth(row)[at] if line == "true" else line for at, line in enumerate(own)] if own else LOST

        return say

    plain, foreseen = (facts(ROWS, prepare=Counting, recall_floor=0.01, made_up_ceiling=1.0) for _ in range(2))
    sides = [writing(plain, name, said(number), ROWS) for number, name in enumerate(("original", "one", "other"))]
    expected = decided(plain, sides)
    foreseen.foresee(sides[0], sides[1:], in_parts)
    assert foreseen.yardstick.error is not None
    Counting.asked = 0
    assert decided(foreseen, sides) == expected
    assert Counting.asked == 0


@pytest.mark.parametrize("spoil", ["double", "none"])
def test_what_is_wrong_with_evidence_is_told_by_deciding(facts: Any, writing: Any, evidence: Any, spoil: str) -> None:
    """Answers that are there twice, and none at all, stop nothing before the claim is decided."""
    claim = facts(ROWS)
    sides = [writing(claim, name, lambda _place, row: truth(row), ROWS) for name in ("original", "build")]
    twice = writing(claim, "build", lambda _place, row: truth(row), ROWS, more=sides[1].exchanges["made_up_facts"])
    wrong = twice if spoil == "double" else evidence("build")
    claim.foresee(sides[0], [wrong], in_parts)
    with pytest.raises(Exception, match="twice" if spoil == "double" else "never asked"):
        claim.decide(sides[0], wrong)
