"""Makes the trials of all cases from a seed."""

import jsonschema

from twx_accept.errors import DatasetError, UsageError
from twx_accept.trials.cases import CASES
from twx_accept.trials.chance import Chance
from twx_accept.trials.material import Material
from twx_accept.trials.reading import load, shipped
from twx_accept.trials.trial import Call, Trial
from twx_accept.trials.turn import Draft, Turn

MOST = 999
"""Trials a case; a number of an id has three digits."""

TRIES = 50
SYSTEM_SHARE = 4
"""One prompt of so many comes with a system message."""


def make(seed: int, per_case: int, material: Material | None = None) -> tuple[Trial, ...]:
    """The trials of six cases, case by case, every prompt another one.

    A smaller set is part of a larger one of the same seed: the first trials of each case.

    Args:
        seed: decides wordings, values and orders. The same seed gives the same trials on every machine.
        per_case: trials of each case, from 1 to 999.
        material: what prompts are made of; this project's own where none is given.

    Raises:
        UsageError: that many trials of a case cannot be made, or not with prompts that differ.
        DatasetError: the material contradicts itself.
    """
    if not 1 <= per_case <= MOST:
        raise UsageError(f"{per_case} trials a case: give a number from 1 to {MOST}")
    material = material or load(shipped())
    seen: set[str] = set()
    made: dict[str, list[Trial]] = {case: [] for case in CASES}
    # Number by number, not case by case: what was seen before a trial is then the same in a smaller set.
    for number in range(per_case):
        for case, trials in made.items():
            trials.append(_trial(Chance(path=(seed, case)), case, number, material, seen))
    return tuple(trial for trials in made.values() for trial in trials)


def _trial(deck: Chance, case: str, number: int, material: Material, seen: set[str]) -> Trial:
    for attempt in range(TRIES):
        chance = deck.of(number, attempt)
        draft = CASES[case](Turn(material=material, number=number, deck=deck, chance=chance))
        if draft.prompt not in seen and not _given_away(draft):
            seen.add(draft.prompt)
            return _assembled(draft, case, number, material, chance)
    raise UsageError(
        f"case {case}: after {number} trials no other prompt was found that differs; make fewer a case, or add wordings"
    )


def _given_away(draft: Draft) -> bool:
    """Whether the prompt holds what only the tool's result may hold, such as a gate within a flight number."""
    prompt = draft.prompt.casefold()
    return draft.result is not None and any(each.casefold() in prompt for each in draft.result.answer_holds)


def _assembled(draft: Draft, case: str, number: int, material: Material, chance: Chance) -> Trial:
    for call in draft.calls:
        _require_valid(call, material)
    messages: tuple[dict[str, str], ...] = ({"role": "user", "content": draft.prompt},)
    if chance.of("system").below(SYSTEM_SHARE) == 0:
        messages = ({"role": "system", "content": chance.of("which").pick(material.frames.system)}, *messages)
    return Trial(
        id=f"{case.replace('_', '-')}-{number + 1:03}",
        case=case,
        domain=draft.domain,
        messages=messages,
        tools=tuple(material.offered(name) for name in draft.offered),
        expected=draft.calls,
        result=draft.result,
    )


def _require_valid(call: Call, material: Material) -> None:
    """A right answer that its own schema refuses would fail every model."""
    validator = jsonschema.Draft202012Validator(material.tools[call.name].parameters)
    for error in validator.iter_errors(dict(call.arguments)):
        raise DatasetError(
            f"{call.name}: the call that is asked for is not valid under the tool's schema ({error.message[:200]}); "
            "mend the ask or the catalogue"
        )
