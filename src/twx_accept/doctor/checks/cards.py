"""Cards: enough of them, of one kind, free, and large enough for the weights."""

from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.domain.suite import Build
from twx_accept.serving import flags_of
from twx_accept.serving.cards import VISIBLE, CardMemory
from twx_accept.serving.holding import GIB, told_holders
from twx_accept.serving.memory import has_cards
from twx_accept.session.slots import enough, like, needed, slots

DEFAULT_SHARE = 0.92
"""The engine's own share of each card where the suite does not set ``gpu_memory_utilization``."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Raises ServingError where the driver does not show the cards."""
    engine = node.suite.engine
    if engine.launcher == "attach":
        yield says.unchecked("the servers are somebody else's, and so are their cards")
        return
    if not has_cards(engine):
        yield says.ok("none are needed (device is cpu)")
        return
    kinds = [f"{card.model} with {card.total / 1e9:.0f} GB" for card in node.cards]
    counted = ", ".join(f"{kinds.count(kind)} x {kind}" for kind in dict.fromkeys(kinds))
    yield says.ok(f"{counted} ({', '.join(card.name for card in node.cards)})")
    for build in node.builds:
        like(node.suite, build)  # too few, or of several kinds
        yield from _fits(node, build, says)
    side = slots(node.suite)
    size = needed(node.suite, node.suite.original)
    if side > 1:
        yield says.ok(f"a server takes {size} of {len(node.cards)}: {side} builds side by side with `pytest -n {side}`")
    else:
        yield says.ok(f"a server takes {'all' if size is None else size} of {len(node.cards)}: one after another")
    yield from _free(node, says)


def _fits(node: Node, build: Build, says: Says) -> Iterator[Finding]:
    """Whether the weights leave anything for the cache, spread evenly; a copy for each data-parallel rank."""
    flags = flags_of(node.suite, build)
    share = flags.get("gpu_memory_utilization", DEFAULT_SHARE)
    number = enough(node.cards, needed(node.suite, build), build)
    copies = flags.get("data_parallel_size", 1)
    size = node.weight_bytes(build) * (copies if isinstance(copies, int) else 1)
    if "nnodes" in flags or not size or not isinstance(share, int | float):
        return
    a_card = size / number
    room = share * min(card.total for card in node.cards)
    if a_card > room:
        yield says.fault(
            f"{build.name}: {a_card / 1e9:.0f} GB of weights a card, and {room / 1e9:.0f} GB are the engine's "
            f"({share:.0%} of a card)",
            "give it more cards (tensor_parallel_size), or a larger share (gpu_memory_utilization)",
        )


def _free(node: Node, says: Says) -> Iterator[Finding]:
    """Who is on the cards now. A run waits for them, and gives up."""
    memory = CardMemory(",".join(card.name for card in node.cards))
    used = memory.used()
    held = [
        f"{name}: {each / GIB:.1f} GiB"
        for name, each in zip(memory.names(), used, strict=True)
        if each > memory.slack()
    ]
    if held:
        yield says.fault(
            f"in use by others: {', '.join(held)}; held by {told_holders(memory)}",
            f"stop that, or name other cards (engine.cards, {VISIBLE}); a run waits "
            f"{node.suite.engine.memory_seconds:.0f} s for them",
        )
    else:
        yield says.ok("all are free")
