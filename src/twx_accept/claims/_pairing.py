"""What must hold before two sides are compared: every request is there once, and is the one that is planned."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from twx_accept.claims._memo import Memo
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.errors import PairingError

Found = Mapping[Key, Exchange]

SHOWN = 5
"""Items that a message names."""


def by_key(evidence: BuildEvidence, claim: str) -> Found:
    """The exchanges of a claim by their keys.

    Raises:
        PairingError: one is there twice.
    """
    exchanges = evidence.exchanges.get(claim, ())
    found = _FOUND.of(exchanges, make=lambda: {exchange.request.key: exchange for exchange in exchanges})
    if len(found) < len(exchanges):
        times = Counter(exchange.request.key for exchange in exchanges)
        double = [key for key in times if times[key] > 1]
        raise PairingError(f"{evidence.build}: {requests(double)} answered twice; run with --fresh")
    return found


_FOUND: Memo[Found] = Memo()


def require_planned(build: str, planned: Sequence[Request], found: Found, other: str) -> None:
    """Answers to something else under the same ids are no evidence, even where both sides have them.

    Args:
        build: whose they are.
        planned: every request that is planned.
        found: what was asked.
        other: what it would be that was asked, for the message ("other questions").

    Raises:
        PairingError: naming the first of them.
    """
    wrong = _WRONG.of(planned, found, make=lambda: _wrong(planned, found))
    if wrong:
        raise PairingError(f"{build}: {requests(wrong)} not as planned: {other} under the same ids; run with --fresh")


_WRONG: Memo[list[Key]] = Memo()


def _wrong(planned: Sequence[Request], found: Found) -> list[Key]:
    sides = ((each, found.get(each.key)) for each in planned)
    return [each.key for each, kept in sides if kept is not None and _asked(kept.request) != _asked(each)]


def requests(keys: Sequence[Key]) -> str:
    """How many requests, and the items of the first of them; the verb follows."""
    number = f"{len(keys):,} request{'' if len(keys) == 1 else 's'}"
    return f"{number} (first: {first(keys)}) {'is' if len(keys) == 1 else 'are'}"


def first(keys: Iterable[Key]) -> str:
    """The first items of these keys, in order."""
    return ", ".join(sorted({key.item for key in keys})[:SHOWN])


def _asked(request: Request) -> tuple[object, ...]:
    return request.path, request.body
