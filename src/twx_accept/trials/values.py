"""Values that fill a prompt and the arguments that it asks for, drawn once for both."""

import datetime
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from twx_accept.errors import DatasetError
from twx_accept.trials.chance import Chance
from twx_accept.trials.material import Dates, Numbers, Pattern, Scalar, Spoken, Values

SLOT = re.compile(r"\{(\w+)\}")
SIGNS = {"#": "0123456789", "@": "ABCDEFGHJKLMNPQRSTUVWXYZ", "*": "0123456789abcdef"}
"""What a pattern's signs stand for; I and O are left out, which read like digits."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

TRIES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A value as an argument has it, and as the prompt says it."""

    value: Scalar
    text: str


@dataclass(slots=True, kw_only=True)
class Slots:
    """The values of one prompt. Slots whose names differ by a number only (``city1``, ``city2``) never hold the same.

    A slot is drawn when it is first asked for, from a stream of its own, so that no order of asking changes a value.
    """

    kinds: Mapping[str, Values]
    chance: Chance
    _drawn: dict[str, Said] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Said:
        """The value of a slot.

        Raises:
            DatasetError: there are no values of that name, or too few to tell its slots apart.
        """
        if name not in self._drawn:
            self._drawn[name] = self._draw(name)
        return self._drawn[name]

    def text(self, wording: str) -> str:
        """The wording with its slots filled."""
        return SLOT.sub(lambda slot: self[slot[1]].text, wording)

    def structure(self, value: Any) -> Any:
        """The arguments, or a tool's result, with their slots filled: a text that is one slot becomes its value."""
        if isinstance(value, Mapping):
            return {name: self.structure(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.structure(part) for part in value]
        if not isinstance(value, str):
            return value
        whole = SLOT.fullmatch(value)
        return self[whole[1]].value if whole else self.text(value)

    def _draw(self, name: str) -> Said:
        kind = _kind(name)
        if kind not in self.kinds:
            raise DatasetError(f"{{{name}}}: there are no values {kind!r}; add them to [values] of its domain")
        spoken_dates = self.chance.of("dates").below(2) == 0  # one way of writing dates within a prompt
        taken = [said.value for other, said in self._drawn.items() if _kind(other) == kind]
        for attempt in range(TRIES):
            said = _said(self.kinds[kind], self.chance.of(name, attempt), spoken_dates)
            if said.value not in taken:
                return said
        raise DatasetError(f"{{{name}}}: the values {kind!r} are too few to differ within one prompt; add some")


def slots(value: Any) -> frozenset[str]:
    """The names of all slots in a wording, or within the texts of a structure."""
    if isinstance(value, str):
        return frozenset(SLOT.findall(value))
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return frozenset(name for part in parts for name in slots(part))


def numbered(value: Any, number: int, names: Collection[str]) -> Any:
    """The same structure for one of two calls: a slot that the wording numbers (``city2``) gets that number."""
    if isinstance(value, Mapping):
        return {key: numbered(part, number, names) for key, part in value.items()}
    if isinstance(value, str) and (slot := SLOT.fullmatch(value)) and f"{slot[1]}{number}" in names:
        return f"{{{slot[1]}{number}}}"
    return value


def spellings(said: Said) -> tuple[str, ...]:
    """The ways in which an answer may write a value: thousands set off or not, the parts of a code joined or not."""
    if isinstance(said.value, int | float):
        places = len(said.text.partition(".")[2])
        return tuple(dict.fromkeys((said.text, f"{said.value:,.{places}f}")))
    joints = ("-", " ", "", "\u2011")  # the last is the hyphen at which no line breaks
    return tuple(dict.fromkeys((said.text, *(said.text.replace("-", joint) for joint in joints))))


def _kind(name: str) -> str:
    return name.rstrip("0123456789")


def _said(values: Values, chance: Chance, spoken_dates: bool) -> Said:
    if isinstance(values, Numbers):
        return _number(values, chance)
    if isinstance(values, Pattern):
        signs = enumerate(values.pattern)
        text = "".join(chance.pick(SIGNS[sign], place) if sign in SIGNS else sign for place, sign in signs)
        return Said(value=text, text=text)
    if isinstance(values, Dates):
        days = (values.last - values.first).days + 1
        day = values.first + datetime.timedelta(days=chance.below(days))
        text = f"{day.day} {MONTHS[day.month - 1]} {day.year}" if spoken_dates else day.isoformat()
        return Said(value=day.isoformat(), text=text)
    found = chance.pick(values)
    if isinstance(found, Spoken):
        return Said(value=found.value, text=found.said)
    return Said(value=found, text=str(found))


def _number(values: Numbers, chance: Chance) -> Said:
    """A number of fixed decimals, drawn as a whole number of its last decimal, so that no rounding can differ."""
    scale = 10**values.decimals
    drawn = values.low * scale + chance.below((values.high - values.low) * scale // values.step + 1) * values.step
    if values.odd:
        drawn += 1 - drawn % 2
    if not values.decimals:
        return Said(value=drawn, text=str(drawn))
    return Said(value=drawn / scale, text=f"{drawn / scale:.{values.decimals}f}")
