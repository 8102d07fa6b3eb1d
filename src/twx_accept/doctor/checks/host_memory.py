"""The memory of the host: for weights on their way, and on a CPU for weights and cache themselves."""

import shutil
from collections.abc import Iterator

import psutil

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.serving.holding import GIB
from twx_accept.serving.memory import SHARED_MEMORY

CACHE = "VLLM_CPU_KVCACHE_SPACE"
SHARED_BYTES = GIB
"""What the engine's processes and NCCL share with each other; below it several workers fail in obscure ways."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """What is available against what the largest build takes."""
    engine = node.suite.engine
    if engine.launcher == "attach":
        yield says.unchecked("the servers are somebody else's")
        return
    free = psutil.virtual_memory().available
    yield from _on_cpu(node, says, free) if engine.device == "cpu" else _on_cards(node, says, free)
    if engine.launcher == "process" and engine.device != "cpu":
        shared = shutil.disk_usage(SHARED_MEMORY).free if SHARED_MEMORY.is_dir() else 0
        if shared < SHARED_BYTES:
            yield says.warning(
                f"{SHARED_MEMORY} has {shared / GIB:.1f} GiB free", "workers share memory there: give it 1 GiB or more"
            )


def _on_cpu(node: Node, says: Says, free: int) -> Iterator[Finding]:
    """Weights and cache lie in it."""
    told = node.suite.engine.environment.get(CACHE)
    largest = max(node.builds, key=node.weight_bytes)
    weights = node.weight_bytes(largest)
    try:
        cache = float(told) * GIB if told is not None else None
    except ValueError:
        yield says.fault(
            f"{CACHE} is {told!r}, which is no number of GiB", "correct it in the suite's engine.environment"
        )
        return
    if cache is None:
        yield says.warning(
            f"{CACHE} is not set: the engine takes a cache of its own choice",
            "set it in engine.environment, in GiB, or capacities cannot be compared",
        )
    if weights + (cache or 0) > free:
        yield says.fault(
            f"{free / GIB:.1f} GiB available, and {largest.name} takes {weights / GIB:.1f} GiB of weights and "
            f"{(cache or 0) / GIB:.1f} GiB of cache",
            f"free some, or lower {CACHE}",
        )
    else:
        yield says.ok(
            f"{free / GIB:.1f} GiB available; weights and cache take {(weights + (cache or 0)) / GIB:.1f} GiB"
        )


def _on_cards(node: Node, says: Says, free: int) -> Iterator[Finding]:
    """A file of weights is mapped by each worker, whose pages they share; less than that is slow, not wrong."""
    shards = [file.stat().st_size for build in node.builds for file in node.files(build).weights]
    largest = max(shards, default=0)
    if free < largest:
        yield says.warning(
            f"{free / GIB:.1f} GiB available, and the largest file of weights has {largest / GIB:.1f} GiB",
            "free some: weights that do not fit are read from the disk again for each worker",
        )
    else:
        yield says.ok(f"{free / GIB:.1f} GiB available; the largest file of weights has {largest / GIB:.1f} GiB")
