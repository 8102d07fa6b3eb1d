"""A loop of two turns: a call, the tool's result, and an answer that holds what only the result says."""

from twx_accept.errors import DatasetError
from twx_accept.trials.cases import _single
from twx_accept.trials.trial import Result
from twx_accept.trials.turn import Draft, Turn
from twx_accept.trials.values import SLOT, spellings


def loop(turn: Turn) -> Draft:
    """A question that only the tool can answer."""
    ask, before = turn.ask(lambda ask: ask.find)
    slots = turn.slots(ask)
    prompt = slots.text(turn.deal(f"find {ask.tool}", ask.find, before))
    call = _single.filled(ask, slots)
    held = SLOT.fullmatch(ask.holds)
    if held is None:
        raise DatasetError(f"{ask.tool}: holds is {ask.holds!r}; name one slot of its result, such as {{code}}")
    result = Result(content=slots.structure(ask.result), answer_holds=spellings(slots[held[1]]))
    domain = turn.material.domain_of(ask)
    offered = turn.offer([ask.tool], domain, count=turn.a_few(), alike=1)
    return Draft(domain=domain, prompt=prompt, offered=offered, calls=(call,), result=result)
