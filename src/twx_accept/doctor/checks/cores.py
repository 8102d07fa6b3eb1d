"""The cores of a CPU engine: vLLM keeps one back by default, which on a small machine is much of it."""

from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.session.crew import cores

BIND, RESERVED = "VLLM_CPU_OMP_THREADS_BIND", "VLLM_CPU_NUM_OF_RESERVED_CPU"

FEW = 4
"""Cores up to which one more makes a difference that is worth a word: a third of the time and more."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """How many of them compute, as far as the suite says it; an engine on cards has others to do it."""
    engine, there = node.suite.engine, cores()
    if engine.device != "cpu" or engine.launcher == "attach":
        return
    if engine.environment.get(BIND, "auto") != "auto":
        yield says.ok(f"{there} cores; {BIND} says which of them compute")
    elif engine.environment.get(RESERVED) is None and 1 < there <= FEW:
        yield says.warning(
            f"the engine keeps one of {there} cores back, and what it is asked takes {there / (there - 1):.1f} times "
            "as long as it could",
            f'set {RESERVED} = "0" in engine.environment, unless something else is at work here',
        )
    else:
        many, back = "core" if there == 1 else "cores", engine.environment.get(RESERVED, "1")
        yield says.ok(f"{there} {many}, of which the engine keeps {back} back")
