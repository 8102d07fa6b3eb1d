"""The driver of the cards, and whether it is new enough for the engine's own CUDA."""

import re
from collections.abc import Iterator

from twx_accept.doctor.checks import engine as engines
from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.errors import ServingError, TwxAcceptError
from twx_accept.serving.cards import Driver
from twx_accept.serving.memory import has_cards

BUILT_FOR = re.compile(r"\+cu(\d{2})(\d)$")
"""The end of a version of torch: ``2.11.0+cu130``."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """What it runs against what the engine was built for."""
    if not has_cards(node.suite.engine):
        yield says.ok("none is needed")
        return
    try:
        found = Driver()
        cuda = found.cuda()
    except ServingError:
        yield says.unchecked("no driver answers; the check of the cards says why")
        return
    told = f"{found.version()}, for CUDA up to {cuda[0]}.{cuda[1]}"
    try:
        torch = engines.versions(node).get("torch", "")
    except TwxAcceptError:
        torch = ""  # told by the check of the engine
    built = BUILT_FOR.search(torch)
    if built is None:
        yield says.ok(told)
        yield says.unchecked(f"whether the driver is new enough: torch {torch or '(unknown)'} does not say its CUDA")
        return
    wanted = int(built[1]), int(built[2])
    if wanted <= cuda:
        yield says.ok(f"{told}; torch is built for {wanted[0]}.{wanted[1]}")
    elif wanted[0] == cuda[0]:
        yield says.warning(
            f"{told}; torch is built for {wanted[0]}.{wanted[1]}",
            "within one major version most things run; update the driver if a kernel is refused",
        )
    else:
        yield says.fault(
            f"{told}; torch is built for {wanted[0]}.{wanted[1]}",
            "update the driver, or install an engine that is built for this one",
        )
