"""The cores of a CPU engine: vLLM keeps some back by default, which on a small machine is much of it."""

from collections.abc import Iterator

import psutil

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.nodes import world_size
from twx_accept.session.crew import cores

BIND, RESERVED = "VLLM_CPU_OMP_THREADS_BIND", "VLLM_CPU_NUM_OF_RESERVED_CPU"

FEW = 4
"""Cores up to which one more makes a difference that is worth a word: a third of the time and more."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """How many of them compute, as far as the suite says it; an engine on cards has others to do it."""
    engine = node.suite.engine
    if engine.device != "cpu" or engine.launcher == "attach":
        return
    bind, reserved = engine.environment.get(BIND, "auto"), engine.environment.get(RESERVED)
    if bind == "nobind":
        yield says.warning(
            "the engine's threads are bound to no core: they wait for each other, and for whatever else is at work",
            f'set {BIND} = "auto" in engine.environment',
        )
    elif bind != "auto":
        yield says.ok(f"{BIND} says which cores compute: {bind}")
    elif reserved is not None:
        yield says.ok(f"{_physical()} physical cores here; the engine is told to keep {reserved} back")
    else:
        yield from _by_default(node, says)


def _by_default(node: Node, says: Says) -> Iterator[Finding]:
    """One for each worker is kept back (vllm/utils/ompmultiprocessing.py), where there are more than that."""
    there, workers = _physical(), world_size(node.suite.flags)
    kept = workers if there > workers else 0
    if kept and there <= FEW:
        yield says.warning(
            f"the engine keeps {kept} of {there} cores back, and computes on {there - kept}",
            f'set {RESERVED} = "0" in engine.environment, unless something else is at work here',
        )
    else:
        yield says.ok(f"the engine computes on {there - kept} of {there} physical cores")


def _physical() -> int:
    """The cores that this process may run on, of two threads of one core only one, as vLLM counts them."""
    logical, physical = psutil.cpu_count() or 1, psutil.cpu_count(logical=False) or psutil.cpu_count() or 1
    return max(1, cores() * physical // logical)
