"""An engine on several nodes: whether the flags that say so fit together, before anything is loaded on any of them.

The engine spans nodes in one of two ways: its own workers (``nnodes``, ``node_rank``, ``master_addr``), each node with
a process of its own, or Ray (``distributed_executor_backend = "ray"``), which knows the nodes itself.
"""

from collections.abc import Mapping
from typing import Any

SIZES = ("tensor_parallel_size", "pipeline_parallel_size", "prefill_context_parallel_size")
"""Flags whose product is the number of cards that one copy of the model is spread over."""

OF_NODES = ("node_rank", "master_addr", "master_port")
LOOPBACK = ("localhost", "127.", "::1", "[::1]", "0.0.0.0")  # noqa: S104 - recognised, never bound


def spans(flags: Mapping[str, Any]) -> bool:
    """Whether the engine reaches beyond this node."""
    return flags.get("nnodes", 1) != 1 or flags.get("distributed_executor_backend") == "ray"


def problems(flags: Mapping[str, Any], cards: int | None = None) -> list[str]:
    """What does not fit together, each with its cure.

    Args:
        flags: the engine's flags by their names with underscores.
        cards: how many cards this node gives the engine, None where that is not known.
    """
    wrong = [
        f"{name} is {flags[name]!r}; give a whole number from {least}"
        for name, least in (*((size, 1) for size in (*SIZES, "data_parallel_size", "nnodes")), ("node_rank", 0))
        if name in flags and not _whole(flags[name], least)
    ]
    if wrong:
        return wrong
    found = _several(flags) if flags.get("nnodes", 1) > 1 else _single(flags)
    return found or _too_few(flags, cards)


def _whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _single(flags: Mapping[str, Any]) -> list[str]:
    """Flags of nodes where there is one node."""
    ray = flags.get("distributed_executor_backend") == "ray"
    cure = "Ray places the workers itself: remove it" if ray else "set nnodes, or remove it"
    return [f"{name} is set and nnodes is not: {cure}" for name in OF_NODES if name in flags]


def _several(flags: Mapping[str, Any]) -> list[str]:
    nodes, found = flags["nnodes"], []
    backend = flags.get("distributed_executor_backend", "mp")
    if backend == "ray":
        found.append(f"nnodes = {nodes} and distributed_executor_backend = 'ray': Ray knows the nodes; remove nnodes")
    if flags.get("data_parallel_backend", "mp") != "mp":
        found.append(f"nnodes = {nodes} needs data_parallel_backend = 'mp', not {flags['data_parallel_backend']!r}")
    if flags.get("node_rank", 0) != 0:
        found.append(
            f"node_rank is {flags['node_rank']}: this node starts the API server, which is rank 0; "
            "start the others by hand, with --headless and their own ranks"
        )
    address = flags.get("master_addr")
    if not isinstance(address, str) or not address:
        found.append(f"nnodes = {nodes} needs master_addr: set the address of this node that the others reach")
    elif address.startswith(LOOPBACK):
        found.append(f"master_addr is {address!r}, where no other node reaches this one; set its network address")
    world = world_size(flags)
    if world % nodes:
        found.append(f"nnodes = {nodes} does not divide the {world} cards of {_product(flags)}; change one of them")
    return found


def _too_few(flags: Mapping[str, Any], cards: int | None) -> list[str]:
    """More workers on this node than it has cards."""
    here = cards_here(flags)
    if cards is None or here is None:
        return []
    if here <= cards:
        return []
    return [
        (
            f"{_product(flags)} needs {here} cards on this node, which gives the engine {cards}; "
            "lower it, let the engine have more cards (CUDA_VISIBLE_DEVICES), or spread it over nodes "
            "(nnodes, or distributed_executor_backend = 'ray')"
        )
    ]


def cards_here(flags: Mapping[str, Any]) -> int | None:
    """How many cards of this node one engine takes; None with Ray, which places workers by what all nodes have."""
    if "ray" in (flags.get("distributed_executor_backend"), flags.get("data_parallel_backend")):
        return None
    here = world_size(flags) // flags.get("nnodes", 1)
    if flags.get("nnodes", 1) == 1:
        copies = flags.get("data_parallel_size", 1)
        local = 1 if "data_parallel_rank" in flags else flags.get("data_parallel_size_local", copies)
        here = here // copies * local if _whole(local, 0) else here
    return int(here)


def world_size(flags: Mapping[str, Any]) -> int:
    """How many cards all copies of the model take together."""
    world = int(flags.get("data_parallel_size", 1))
    for name in SIZES:
        world *= int(flags.get(name, 1))
    return world


def _product(flags: Mapping[str, Any]) -> str:
    named = [f"{name} {flags[name]}" for name in (*SIZES, "data_parallel_size") if flags.get(name, 1) != 1]
    return " x ".join(named) or "one worker"
