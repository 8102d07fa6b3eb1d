"""One flat call, wanted in an ask's own words or in a clause that is put into a frame."""

from collections.abc import Sequence

from twx_accept.trials.material import Ask
from twx_accept.trials.trial import Call
from twx_accept.trials.turn import Turn, capital
from twx_accept.trials.values import Slots


def call(turn: Turn, frames: Sequence[str], half: int) -> tuple[Ask, str, Call]:
    """A prompt that wants one call. ``half`` says which half of the own wordings is this case's."""
    ask, before = turn.ask(lambda ask: ask.do and ask.say)
    slots = turn.slots(ask)
    if (before + turn.deck.of("begins with", ask.tool).below(2)) % 2:
        wording = turn.deal(f"say {ask.tool}", ask.say[half::2], before // 2)
    else:
        wording = framed(turn, ask, turn.deal("frames", frames, turn.number), before // 2)
    return ask, slots.text(wording), filled(ask, slots)


def framed(turn: Turn, ask: Ask, frame: str, before: int) -> str:
    """A frame with the ask's clause, and its reason where the frame wants one."""
    do = turn.deal(f"do {ask.tool}", ask.do, before)
    if "{why}" in frame:
        frame = frame.replace("{why}", turn.deal(f"why {ask.tool}", ask.why, before))
    return frame.replace("{do}", do).replace("{Do}", capital(do))


def filled(ask: Ask, slots: Slots) -> Call:
    """The ask's call with the values of the prompt."""
    return Call(name=ask.tool, arguments=slots.structure(ask.arguments))
