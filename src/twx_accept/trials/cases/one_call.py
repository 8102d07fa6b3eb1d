"""One call: three to five tools are offered, one of them is needed, its arguments are flat."""

from twx_accept.trials.cases import _single
from twx_accept.trials.turn import Draft, Turn


def one_call(turn: Turn) -> Draft:
    """A plain task for one tool."""
    ask, prompt, call = _single.call(turn, turn.material.frames.one_call, half=0)
    domain = turn.material.domain_of(ask)
    offered = turn.offer([ask.tool], domain, count=turn.a_few(), alike=1)
    return Draft(domain=domain, prompt=prompt, offered=offered, calls=(call,))
