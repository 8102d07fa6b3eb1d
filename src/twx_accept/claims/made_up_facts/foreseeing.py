"""What deciding will match, matched before it and all at once, so that many processes can share it.

It decides nothing, and deciding takes nothing from it but matches: each is made of a text and a fact alone, and what is
not foreseen is matched when it is asked for.
"""

from collections.abc import Iterator, Sequence

from twx_accept.claims import Spread
from twx_accept.claims._pairing import Found
from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.asking import Plan, key
from twx_accept.claims.made_up_facts.checking import false_facts
from twx_accept.claims.made_up_facts.comparing import beside, sides
from twx_accept.claims.made_up_facts.desk import Desk
from twx_accept.claims.made_up_facts.lines import joined
from twx_accept.claims.made_up_facts.reading import read
from twx_accept.claims.made_up_facts.supporting import Support

Pair = tuple[str, str]
"""A text, and a fact that is held against it."""


def foresee(plan: Plan, desk: Desk, original: Found, builds: Sequence[Found], spread: Spread) -> None:
    """Match what the original and the builds wrote, in three turns: each follows from what the last has found."""
    sides = (original, *builds)
    # What several builds wrote about a passage is much the same, and is told apart the quicker for standing together.
    written = [each for passage in plan.passages for each in _written(plan, passage, sides)]
    desk.ahead(((passage.text, fact) for passage, facts in written for fact in facts), spread)
    desk.ahead((pair for passage, facts in written for pair in _further(desk, passage, facts)), spread)
    desk.ahead((pair for found in builds for pair in _false(plan, desk, original, found)), spread)


def _written(plan: Plan, passage: Passage, sides: Sequence[Found]) -> Iterator[tuple[Passage, tuple[str, ...]]]:
    """The facts of each answer about a passage that counts."""
    for found in sides:
        answer = read(found.get(key(passage.id)), plan.settings)
        if answer.counts:
            yield passage, answer.facts


def _further(desk: Desk, passage: Passage, facts: Sequence[str]) -> Iterator[Pair]:
    """What is not supported against other passages; and planted facts against all that was written."""
    verdicts = {fact: desk.match(passage.id, fact).verdict for fact in facts}
    for fact, verdict in verdicts.items():
        if verdict is Support.UNSUPPORTED:
            yield from ((desk.text(name), fact) for name in desk.others(passage, fact))
    if said := tuple(fact for fact in facts if verdicts[fact] is not Support.NOT_A_FACT):
        yield from ((joined(said), planted) for planted in passage.planted)


def _false(plan: Plan, desk: Desk, original: Found, build: Found) -> Iterator[Pair]:
    """The facts of the checks; a referee's rulings, of which there are few, are left to deciding."""
    readings = beside(plan, *(sides(plan, desk, None, found) for found in (original, build)))
    yield from ((passage.text, fact) for _, passage, fact in false_facts(readings))
