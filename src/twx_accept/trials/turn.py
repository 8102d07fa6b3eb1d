"""What every case draws from: the material, its place in the set, and chance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from twx_accept.errors import DatasetError
from twx_accept.trials.chance import Chance
from twx_accept.trials.material import Ask, Material
from twx_accept.trials.trial import Call, Result
from twx_accept.trials.values import Slots

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a case makes: the user's words, the tools offered in their order, and the calls that are right."""

    domain: str
    prompt: str
    offered: tuple[str, ...]
    calls: tuple[Call, ...] = ()
    result: Result | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One place in a case, counted from 0, and its attempt, counted from 0: values change with the attempt alone.

    ``deck`` is the case's stream, for what is dealt without repeating; ``chance`` is this turn's own.
    """

    material: Material
    number: int
    deck: Chance
    chance: Chance

    def deal(self, name: str, items: Sequence[T], turn: int) -> T:
        """An item that comes again only after all others came, told apart from other decks by its name."""
        if not items:
            raise DatasetError(f"{name}: the material has none of them; add some to its files")
        return self.deck.of("deck", name).dealt(items, turn)

    def ask(self, suits: Callable[[Ask], Any]) -> tuple[Ask, int]:
        """The ask of this turn among those that suit the case, and how often it came before."""
        asks = [ask for domain in self.material.domains.values() for ask in domain.ask if suits(ask)]
        return self.deal("asks", asks, self.number), self.number // max(1, len(asks))

    def slots(self, ask: Ask, part: str = "values") -> Slots:
        """Fresh values for the slots of an ask."""
        kinds = self.material.kinds(self.material.domain_of(ask))
        return Slots(kinds=kinds, chance=self.chance.of(part))

    def offer(self, needed: Sequence[str], domain: str, count: int, alike: int) -> tuple[str, ...]:
        """Tools to choose from, in an order of chance: those needed, up to ``alike`` of the domain, any others."""
        others = [name for name in self.chance.of("others").shuffled(tuple(self.material.tools)) if name not in needed]
        near = [name for name in others if self.material.tools[name].domain == domain][:alike]
        rest = [name for name in others if name not in near]
        return self.chance.of("order").shuffled([*needed, *near, *rest][:count])

    def a_few(self) -> int:
        """How many tools a plain case offers: three to five."""
        return 3 + self.chance.of("few").below(3)


def capital(text: str) -> str:
    """The clause as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
