"""The right tool out of twenty: all of its own domain are among them, which are the most alike."""

from twx_accept.trials.cases import _single
from twx_accept.trials.turn import Draft, Turn

TOOLS = 20


def choice_of_twenty(turn: Turn) -> Draft:
    """A plain task for one tool, found among twenty."""
    ask, prompt, call = _single.call(turn, turn.material.frames.choice_of_twenty, half=1)
    domain = turn.material.domain_of(ask)
    offered = turn.offer([ask.tool], domain, count=TOOLS, alike=TOOLS)
    return Draft(domain=domain, prompt=prompt, offered=offered, calls=(call,))
