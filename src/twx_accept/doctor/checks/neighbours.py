"""Other runs of this tool on this machine."""

from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.evidence.lock import holder, is_held


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Whoever holds the machine, or some of its cards, for a server."""
    folder = node.machine.lock.parent
    locks = [node.machine.lock, *sorted(folder.glob("card-*.lock"))] if folder.is_dir() else []
    held = dict.fromkeys(holder(lock) for lock in locks if lock.exists() and is_held(lock))
    for who in held:
        yield says.warning(
            f"{who} serves a build now", "a run waits for it where it needs the same cards or the machine"
        )
    if not held:
        yield says.ok("no other run serves anything here")
