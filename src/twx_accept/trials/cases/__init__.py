"""The six cases, in the order of a fixture. Each is a function from a turn to a draft."""

from collections.abc import Callable, Mapping

from twx_accept.trials.cases.choice_of_twenty import choice_of_twenty
from twx_accept.trials.cases.forbidden import forbidden
from twx_accept.trials.cases.loop import loop
from twx_accept.trials.cases.nested import nested
from twx_accept.trials.cases.one_call import one_call
from twx_accept.trials.cases.two_calls import two_calls
from twx_accept.trials.turn import Draft, Turn

CASES: Mapping[str, Callable[[Turn], Draft]] = {
    case.__name__: case for case in (one_call, two_calls, nested, forbidden, choice_of_twenty, loop)
}
