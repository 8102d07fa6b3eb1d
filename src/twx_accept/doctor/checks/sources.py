"""What the claims are asked with: the hub or local files, read whole."""

from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says, in_two
from twx_accept.doctor.node import Node
from twx_accept.errors import TwxAcceptError


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Claim by claim."""
    for name, claim in node.claims.items():
        if isinstance(claim, TwxAcceptError):
            what, cure = in_two(claim)
            yield says.fault(f"{name}: {what}", cure)
            continue
        prospect = claim.prospect(node.suite.builds[0].name, None)
        asked = f"{prospect.requests:,} requests a build" if prospect.requests else "nothing is asked for it"
        yield says.ok(f"{claim.title}: {asked}")
