"""Marks: registered, and as they were registered."""

from collections.abc import Iterator

from twx_accept.claims import Claim
from twx_accept.doctor.finding import Finding, Says, in_two
from twx_accept.doctor.node import Node
from twx_accept.errors import InvalidClaim, LedgerError, TwxAcceptError, UsageError
from twx_accept.ledger import Ledger
from twx_accept.registration import ledgers, marks


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Without a registration nothing is decided; one that has changed is told by every run."""
    suite, cure = node.suite, f"register them with `twx-accept register {node.suite.name}` and commit them"
    if not node.tests.is_dir():
        yield says.unchecked(f"there is no folder {node.tests}", "name it with --tests")
        return
    try:
        book = ledgers.of(node.tests, suite)
        ledgers.require_suite(book, suite)
    except (LedgerError, UsageError) as error:
        yield says.fault(*in_two(error))
        return
    unregistered, good = [], True
    for name, claim in node.claims.items():
        if isinstance(claim, TwxAcceptError):
            yield says.unchecked(f"the mark of {name}: its source cannot be read")
            good = False
        elif not marks.file_of(node.tests, claim, suite).is_file():
            unregistered.append(claim.title)
        else:
            for each in _changed(node, claim, book, says):
                yield each
                good = False
    last = ledgers.last(book)
    if unregistered or last is None:
        yield says.warning(f"not registered: {', '.join(unregistered) or 'the ledger has no entry'}", cure)
    elif good:
        yield says.ok(f"registered as they stand (ledger entry {last.number}, head {book.head[:12]})")


def _changed(node: Node, claim: Claim, book: Ledger, says: Says) -> Iterator[Finding]:
    try:
        marks.require_registered(node.tests, claim, node.suite)
        ledgers.entry_in_force(book, claim)
    except (InvalidClaim, LedgerError) as error:
        yield says.fault(*in_two(error))
