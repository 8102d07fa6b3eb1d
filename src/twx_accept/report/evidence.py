"""Which evidence goes into the page, and how much of each text, so that the page stays under its size.

All evidence is in the evidence file; the page says how much of it is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Verdict
from twx_accept.report.ids import Ids
from twx_accept.report.items import ShownItem, in_turn, shown, size
from twx_accept.report.naming import controls
from twx_accept.report.packing import pack

INLINE: Final = 300
"""Items of one claim and build that a page holds at most."""

BUDGET: Final = 1_700_000
"""Bytes that all items of a page take at most, where the rest of it leaves them as much."""

PLAIN: Final = 5
"""Items of one claim and build that are markup, for readers without the page's script; the others are packed."""

_BLOCK_BYTES: Final = 700  # the markup around the items of one claim and build, and its choices among the filters
_WHOLE: Final = (8000, 4000, 2000, 1000, 600)
"""Characters of one text, from generous to terse, as long as every item is shown."""
_FEWER: Final = ((600, 60), (400, 20), (200, 5))
"""Then items are left out: characters of one text, and the fewest items of a claim and build worth keeping them for."""
_CONTROL: Final = 4  # a build that was damaged on purpose has a quarter of the others' items where not all fit
_TOO_LONG: Final = 2.0  # how much too large texts count as that a browser should not hold
_CLOSER: Final = 0.97  # what is tried after a page that was too large aims a little under the limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The items of one claim and build: ``shown`` of ``total``, ``plain`` of them as markup."""

    claim: str
    build: str
    total: int
    items: tuple[ShownItem, ...]
    plain: tuple[ShownItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All blocks; ``packed`` are the items that are no markup, empty where all are."""

    blocks: tuple[Block, ...]
    packed: str


class _Made:
    """Evidence made with less and less, until it fits."""

    def __init__(self, verdicts: Sequence[Verdict], damaged: frozenset[str], ids: Ids, budget: int) -> None:
        self._verdicts, self._ids, self._budget = verdicts, ids, budget
        self.damaged = damaged & {verdict.build for verdict in verdicts}
        entries = (entry for verdict in verdicts for item in verdict.items for entry in item.body)
        self.longest = max((len(entry.value) for entry in entries if isinstance(entry.value, str)), default=0)
        self._turns = [in_turn(verdict.items)[:INLINE] for verdict in verdicts]

    def of(self, limit: int, most: int, plain: int, *, quarter: bool) -> tuple[Evidence, float]:
        """Evidence with ``limit`` characters of each text and ``most`` items a block, and its size of the budget's.

        With ``quarter`` a build that was damaged on purpose has a quarter of the others' items.
        """
        ids = self._ids.copy()
        blocks, rest, bytes_ = [], [], 0
        for verdict, turn in zip(self._verdicts, self._turns, strict=True):
            fewer = quarter and verdict.build in self.damaged
            chosen = turn[: max(1, most // _CONTROL) if fewer else most]
            items = {at: shown(verdict.items[at], limit, ids, verdict.build) for at in sorted(chosen)}
            first = frozenset(chosen[:plain])
            block = Block(
                claim=verdict.title,
                build=verdict.build,
                total=max(verdict.items_total, len(verdict.items)),
                items=tuple(items.values()),
                plain=tuple(item for at, item in items.items() if at in first),
            )
            blocks.append(block)
            rest.append([None if at in first else item for at, item in items.items()])
            bytes_ += _BLOCK_BYTES + sum(map(size, block.plain))
        packed = pack(rest) if any(map(any, rest)) else ""
        over = _TOO_LONG if packed is None else (bytes_ + len(packed)) / max(self._budget, 1)
        return Evidence(blocks=tuple(blocks), packed=packed or ""), over


def select(run: RunRecord, ids: Ids, budget: int = BUDGET) -> Evidence:
    """The most that fits: every item with long texts if possible, else fewer of a control, shorter texts, fewer items.

    Where items are left out, every group and direction keeps its turn, and each block as many as the others.
    """
    verdicts = [verdict for verdict in run.verdicts if verdict.items or verdict.items_total]
    made = _Made(verdicts, controls(run), ids, min(budget, BUDGET))
    limit, quarter = _WHOLE[0], False
    while limit:
        evidence, over = made.of(limit, INLINE, PLAIN, quarter=quarter)
        if over <= 1:
            return evidence
        if made.damaged and not quarter:
            quarter = True
            continue
        # A page that is three times too large is not saved by texts that are half as long.
        longest = min(limit, made.longest)
        limit = next((each for each in _WHOLE if each < longest and each * over < 2 * longest), 0)
    for limit, enough in _FEWER:
        evidence, most = _fewer(made, limit)
        if most >= enough:
            break
    return evidence


def _fewer(made: _Made, limit: int) -> tuple[Evidence, int]:
    """As many items as fit with ``limit`` characters of each text, at least one of each verdict."""
    most = INLINE
    while True:
        evidence, over = made.of(limit, most, 1, quarter=True)
        if over <= 1 or most == 1:
            return evidence, most
        most = max(1, min(most - 1, int(most / over * _CLOSER)))
