"""Runs the checks, one after another; one that fails says so and stops no other."""

from collections.abc import Iterator

from twx_accept.doctor import checks
from twx_accept.doctor.finding import Finding, Says, in_two
from twx_accept.doctor.node import Node
from twx_accept.errors import TwxAcceptError


def examine(node: Node) -> Iterator[Finding]:
    """Every finding about the node, check by check."""
    for check in checks.ALL:
        says = Says(check.__name__.rpartition(".")[2].replace("_", " "))
        try:
            yield from check.check(node, says)
        except TwxAcceptError as error:  # an error of ours is a value with its cure, in one sentence
            yield says.fault(*in_two(error))
        except OSError as error:
            yield says.unchecked(f"it could not be looked at: {error}")
