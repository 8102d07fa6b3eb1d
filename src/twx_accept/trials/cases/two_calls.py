"""Two calls in one turn: one tool with two sets of values, or two tools."""

from twx_accept.trials.cases import _single
from twx_accept.trials.trial import Call
from twx_accept.trials.turn import Draft, Turn, capital
from twx_accept.trials.values import numbered, slots


def two_calls(turn: Turn) -> Draft:
    """Turns alternate between the two kinds."""
    return _same_tool(turn) if turn.number % 2 else _two_tools(turn)


def _same_tool(turn: Turn) -> Draft:
    asks = [ask for domain in turn.material.domains.values() for ask in domain.ask if ask.twice]
    place = turn.number // 2
    ask = turn.deal("twice", asks, place)
    clause = turn.deal(f"twice {ask.tool}", ask.twice, place // len(asks))
    frame = turn.deal("frames twice", turn.material.frames.twice, place)
    values = turn.slots(ask)
    prompt = values.text(frame.replace("{do}", clause).replace("{Do}", capital(clause)))
    each = (numbered(ask.arguments, number, slots(clause)) for number in (1, 2))
    calls = [Call(name=ask.tool, arguments=values.structure(arguments)) for arguments in each]
    domain = turn.material.domain_of(ask)
    offered = turn.offer([ask.tool], domain, count=turn.a_few(), alike=1)
    return Draft(domain=domain, prompt=prompt, offered=offered, calls=tuple(calls))


def _two_tools(turn: Turn) -> Draft:
    asks = [ask for domain in turn.material.domains.values() for ask in domain.ask if ask.do]
    place = turn.number // 2
    first = turn.deal("first", asks, place)
    others = [ask for ask in asks if turn.material.domain_of(ask) != turn.material.domain_of(first)]
    second = turn.chance.of("second").pick(others)
    frame = turn.deal("frames two", turn.material.frames.two_calls, place)
    prompt, calls = frame, []
    for ask, name in ((first, "one"), (second, "two")):
        slots = turn.slots(ask, name)
        clause = slots.text(turn.chance.of("clause", name).pick(ask.do))
        prompt = prompt.replace(f"{{{name}}}", clause).replace(f"{{{capital(name)}}}", capital(clause))
        calls.append(_single.filled(ask, slots))
    domain = turn.material.domain_of(first)
    offered = turn.offer([first.tool, second.tool], domain, count=turn.a_few(), alike=1)
    return Draft(domain=domain, prompt=prompt, offered=offered, calls=tuple(calls))
