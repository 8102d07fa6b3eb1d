"""Which planted facts a build says: matched with what it wrote as facts are with a passage, and read by a referee."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.desk import Desk
from twx_accept.claims.made_up_facts.lines import joined
from twx_accept.claims.made_up_facts.second_stage import Doubt, Referee, heard, together
from twx_accept.claims.made_up_facts.supporting import Support
from twx_accept.domain.exchange import Exchange, Key


class Recalled(NamedTuple):
    """Planted facts of a passage: those that are ``said``, and those on which a referee has not ruled as it should."""

    said: int
    unheard: int


NONE = Recalled(0, 0)
"""Of an answer that does not count."""


def counted(
    desk: Desk, referee: Referee | None, passage: Passage, facts: tuple[str, ...], found: Mapping[Key, Exchange]
) -> Recalled:
    """How many of a passage's planted facts those that a build wrote say.

    Raises:
        PairingError: the referee was asked something else than is planned.
    """
    verdicts = desk.recalled(passage, facts)
    if referee is None or not referee.measured or not facts:
        return Recalled(verdicts.count(Support.SUPPORTED), 0)
    said = unheard = 0
    for fact, verdict in zip(passage.planted, verdicts, strict=True):
        after = verdict
        if verdict in referee.reads:
            ruling = heard(referee, _doubt(passage, facts, fact), found)
            unheard += ruling is None
            after = together(verdict, ruling)
        said += after is Support.SUPPORTED
    return Recalled(said, unheard)


def doubts(desk: Desk, referee: Referee, passage: Passage, facts: tuple[str, ...]) -> Iterator[Doubt]:
    """The planted facts of which a referee has the last word. Where nothing was written there is nothing to read."""
    if referee.measured and facts:
        for fact, verdict in zip(passage.planted, desk.recalled(passage, facts), strict=True):
            if verdict in referee.reads:
                yield _doubt(passage, facts, fact)


def _doubt(passage: Passage, facts: tuple[str, ...], fact: str) -> Doubt:
    return Doubt(item=f"{passage.id} recalled", text=joined(facts), fact=fact)
