"""Nested arguments: objects within objects and lists of objects."""

from twx_accept.trials.cases import _single
from twx_accept.trials.turn import Draft, Turn


def nested(turn: Turn) -> Draft:
    """A task whose call has structure."""
    ask, before = turn.ask(lambda ask: ask.nested)
    slots = turn.slots(ask)
    prompt = slots.text(turn.deal(f"nested {ask.tool}", ask.nested, before))
    domain = turn.material.domain_of(ask)
    offered = turn.offer([ask.tool], domain, count=turn.a_few(), alike=2)
    return Draft(domain=domain, prompt=prompt, offered=offered, calls=(_single.filled(ask, slots),))
