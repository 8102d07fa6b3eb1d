"""The second stage measured: the referee reads the labelled facts as it reads a build's, beside every build.

Each build's evidence holds a measurement of its own, so that a referee that has changed between two builds is found.
Labelled facts are filed by what they say, under an arm that tells whether anybody may look at them one by one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from twx_accept.claims import SEALED
from twx_accept.claims._exact import decimal
from twx_accept.claims.made_up_facts.asking import LABELLED
from twx_accept.claims.made_up_facts.error import LabelledSet, MatcherError, Yardstick, measure
from twx_accept.claims.made_up_facts.second_stage import Doubt, Referee, Ruling, heard, together
from twx_accept.domain.exchange import Exchange, Key

ITEM = "labelled"
"""What questions about labelled facts are filed under: one place for all, which says nothing of any."""

READABLE = 0.5
"""Share of its answers that must be one of a referee's words; one that mostly says something else does not judge."""

TURNED = 0.05
"""Share of labelled facts on which a referee may turn its word between two builds: batches of others change a few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Matcher and referee on labelled facts.

    ``rulings`` are the referee's on those facts that it reads, None where it has not answered; ``failure`` says what
    came in the place of the first answer that is missing.
    """

    error: MatcherError
    rulings: tuple[Ruling | None, ...]
    failure: str = ""

    @property
    def read(self) -> int:
        """Labelled facts that the referee reads."""
        return len(self.rulings)

    @property
    def unheard(self) -> int:
        """Those that it has not answered."""
        return self.rulings.count(None)

    @property
    def unclear(self) -> int:
        """Those to which it has said none of its words."""
        return self.rulings.count(Ruling.UNCLEAR)


def doubts(yardstick: Yardstick, referee: Referee) -> list[Doubt]:
    """What the referee is asked about labelled facts; nothing where none are, or its error is not measured."""
    if yardstick.labelled is None or not referee.measured:
        return []
    return [each for each in _all(yardstick.labelled, yardstick, referee) if each is not None]


def calibrate(yardstick: Yardstick, referee: Referee, found: Mapping[Key, Exchange]) -> Calibration | None:
    """What matcher and referee come to on labelled facts; None where nothing is labelled.

    Raises:
        PairingError: the referee was asked something else than is planned.
    """
    labelled = yardstick.labelled
    if labelled is None:
        return None
    verdicts, rulings, failure = list(yardstick.verdicts), [], ""
    for place, doubt in enumerate(_all(labelled, yardstick, referee)):
        if doubt is None:
            continue
        ruling = heard(referee, doubt, found)
        if ruling is None:
            failure = failure or _failure(found.get(referee.request(doubt).key), sealed=labelled.sealed)
        rulings.append(ruling)
        verdicts[place] = together(verdicts[place], ruling)
    who = f"the matcher with {referee.model}"
    return Calibration(
        error=measure(labelled.facts, verdicts, yardstick.alpha, who=who, bounded=True),
        rulings=tuple(rulings),
        failure=failure,
    )


def unmeasured(calibration: Calibration, referee: Referee, unscored_share: float) -> str:
    """Why the referee's error is not known, with the cure; empty where it is."""
    read, unheard = calibration.read, calibration.unheard
    if unheard and Fraction(unheard, read) > decimal(unscored_share):
        return (
            f"the judge {referee.model} has not answered {unheard:,} of the {read:,} labelled facts that measure it, "
            f"more than the registered share of {unscored_share:.2%} (first: {calibration.failure}): nobody knows what "
            f"a point is worth; see that it answers at {referee.address} and run again, which asks what is missing"
        )
    clear = read - unheard - calibration.unclear
    if read > unheard and Fraction(clear, read - unheard) < decimal(READABLE):
        return (
            f"the judge {referee.model} says one of its three words to {clear:,} of {read - unheard:,} labelled facts "
            "alone; give it more max_tokens, or an effort at which it answers with one word, or take another"
        )
    return ""


def turned(sides: Sequence[Calibration], referee: Referee) -> str:
    """That the referee speaks otherwise beside one build than beside another; empty where it does not."""
    one, other = sides[0].rulings, sides[-1].rulings
    changed = sum(None not in (a, b) and a is not b for a, b in zip(one, other, strict=True))
    if not changed or Fraction(changed, len(one)) <= decimal(TURNED):
        return ""
    return (
        f"the judge {referee.model} judges {changed:,} of {len(one):,} labelled facts otherwise beside one build than "
        "beside the other, so that it is not the same judge; serve one model at its address, and run with --fresh"
    )


def _all(labelled: LabelledSet, yardstick: Yardstick, referee: Referee) -> list[Doubt | None]:
    """The question about each labelled fact; None for those that the referee does not read."""
    arm = SEALED if labelled.sealed else LABELLED
    return [
        Doubt(item=ITEM, text=labelled.passages[each.passage], fact=each.fact, arm=arm)
        if verdict in referee.reads
        else None
        for each, verdict in zip(labelled.facts, yardstick.verdicts, strict=True)
    ]


def _failure(exchange: Exchange | None, *, sealed: bool) -> str:
    """What came in the place of an answer; of sealed facts the kind alone, for a server may quote what it was asked."""
    if exchange is None or exchange.failure is None:
        return "it was never asked"
    kind, message = exchange.failure.kind, " ".join(exchange.failure.message.split())[:200]
    return kind if sealed else f"{kind}: {message}"
