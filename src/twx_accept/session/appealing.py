"""The second stage of a claim: what a build's answers leave open is put to a referee at an address of its own.

No server of ours is booted or stopped for it. A referee that cannot be reached leaves everything as open as it was:
deciding finds that it is, and says so.
"""

import os
import socket
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from twx_accept.asking import ask
from twx_accept.claims import Appealing, Claim, Reached
from twx_accept.domain.evidence import Boot
from twx_accept.domain.exchange import Exchange
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking
from twx_accept.errors import ServerDied, TwxAcceptError
from twx_accept.session.progress import Reporter
from twx_accept.session.repetition import Repetition
from twx_accept.suite_engine import JUDGE_KEY_VARIABLE

PAUSES = (1.0, 2.0, 4.0)
"""Seconds before each further look for a referee that has gone: a network stumbles, and one that is dead stays so."""

CONNECT_SECONDS = 5.0


def appeal(name: str, claim: Claim, part: Repetition, settings: Asking, reporter: Reporter) -> None:
    """Ask a claim's referee about one build's answers, where it has one, and keep what it says with them.

    Args:
        name: the build, for a person.
        claim: the claim.
        part: the build's evidence, which has its answers.
        settings: how to ask.
        reporter: told what came of it.
    """
    if not isinstance(claim, Appealing) or claim.referee is None:
        return
    todo = part.missing(claim.appeals(part.exchanges(claim.name)))
    if not todo:
        return
    referee, failed = claim.referee, 0
    try:
        with reporter.asking(f"{name}: {referee.model} on {claim.title}", len(todo)) as count:

            def keep(exchanges: Sequence[Exchange]) -> None:
                nonlocal failed
                failed += sum(each.failure is not None for each in exchanges)
                part.keep(exchanges)
                count(len(exchanges))

            ask(reached(referee), todo, settings, keep=keep, require_alive=lambda: require_there(referee))
    except TwxAcceptError as error:
        reporter.say(f"{name}: {claim.title}: the judge cannot be asked, so what is open stays so: {error}")
        return
    said = f"; {failed} without an answer" if failed else ""
    reporter.say(f"{name}: {claim.title}: {referee.model} asked about {len(todo):,} facts{said}")


def require_there(referee: Reached) -> None:
    """End the asking where nobody listens any more, so that not each of some thousand questions waits in vain.

    Raises:
        ServerDied: nobody listens at the referee's address.
    """
    at = urlsplit(referee.address)
    for pause in (*PAUSES, None):
        try:
            port = at.port or (443 if at.scheme == "https" else 80)
            socket.create_connection((at.hostname or "", port), CONNECT_SECONDS).close()
        except (OSError, ValueError) as error:  # nobody there, no such host, no such port
            if pause is None:
                cure = "start it, or mend its address; what is missing is asked when it runs again"
                raise ServerDied(f"nobody listens at {referee.address} ({error}); {cure}") from error
            time.sleep(pause)
        else:
            return


def reached(referee: Reached) -> RunningServer:
    """The referee's server, as the asker takes one: nothing was booted."""
    return RunningServer(
        base_url=referee.address.rstrip("/"),
        socket=None,
        model=referee.model,
        api_key=os.environ.get(JUDGE_KEY_VARIABLE, ""),
        boot=Boot(
            number=0,
            ready_seconds=0.0,
            engine_version="",
            device="",
            flags={},
            settings={},
            cache={},
            capacity_tokens=None,
        ),
    )
