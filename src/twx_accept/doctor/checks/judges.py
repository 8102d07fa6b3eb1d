"""Who is asked a second time about a build's answers: is there somebody at the address, who knows the model's name."""

from collections.abc import Iterator

from twx_accept.claims import Appealing
from twx_accept.doctor.finding import Finding, Says, in_two
from twx_accept.doctor.node import Node
from twx_accept.errors import ServerDied, ServingError, TwxAcceptError
from twx_accept.serving.client import Client
from twx_accept.session.appealing import reached
from twx_accept.suite_engine import JUDGE_KEY_VARIABLE

SECONDS = 10.0
MOST_NAMES = 5


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Claim by claim; nothing where no claim has one."""
    for claim in node.claims.values():
        if isinstance(claim, TwxAcceptError) or not isinstance(claim, Appealing) or claim.referee is None:
            continue
        model, address = claim.referee.model, claim.referee.address
        who = f"{claim.title}: {model} at {address}"
        try:
            with Client.of(reached(claim.referee), timeout=SECONDS) as client:
                served = client.json("/v1/models").get("data")
        except ServerDied as error:
            yield says.fault(f"{who}: {in_two(error)[0]}", "start it, or mend the judge's address in the suite")
            continue
        except ServingError as error:
            yield says.unchecked(
                f"{who}: it does not say what it serves ({in_two(error)[0]})",
                f"where it wants a key, set {JUDGE_KEY_VARIABLE}",
            )
            continue
        names = [str(each.get("id")) for each in served if isinstance(each, dict)] if isinstance(served, list) else []
        if model in names:
            yield says.ok(who)
        else:
            shown = ", ".join(repr(name[:80]) for name in names[:MOST_NAMES]) or "no model"
            shown += f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            yield says.fault(f"{who}: its server knows {shown}", "name one of these as the judge's model in the suite")
