"""A tool must not be called: nothing that is offered is needed, or the user forbids it."""

from twx_accept.trials.cases import _single
from twx_accept.trials.turn import Draft, Turn
from twx_accept.trials.values import Slots


def forbidden(turn: Turn) -> Draft:
    """Turns alternate between the two kinds. The tools are those of the domain that is spoken of: they tempt."""
    return _needless(turn) if turn.number % 2 else _not_wanted(turn)


def _needless(turn: Turn) -> Draft:
    place = turn.number // 2
    domains = tuple(turn.material.domains)
    name = turn.deal("domains", domains, place)
    domain = turn.material.domains[name]
    before = place // len(domains)
    wording = turn.deal(f"needless {name}", domain.needless, before)
    # By chance, not dealt: most questions have no values, so that only another frame makes another prompt.
    frame = turn.chance.of("frame").pick(turn.material.frames.needless)
    prompt = Slots(kinds=turn.material.kinds(name), chance=turn.chance).text(frame.replace("{question}", wording))
    return Draft(domain=name, prompt=prompt, offered=turn.offer([], name, count=turn.a_few(), alike=2))


def _not_wanted(turn: Turn) -> Draft:
    place = turn.number // 2
    asks = [ask for domain in turn.material.domains.values() for ask in domain.ask if ask.do]
    ask = turn.deal("asks", asks, place)
    frame = turn.deal("frames", turn.material.frames.forbidden, place)
    prompt = turn.slots(ask).text(_single.framed(turn, ask, frame, place // len(asks)))
    domain = turn.material.domain_of(ask)
    return Draft(domain=domain, prompt=prompt, offered=turn.offer([ask.tool], domain, count=turn.a_few(), alike=1))
