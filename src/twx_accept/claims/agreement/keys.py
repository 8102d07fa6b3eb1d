"""Where the exchanges of this claim are kept, and the little that all who look at them need."""

from twx_accept.claims.agreement.settings import CLAIM
from twx_accept.domain.exchange import Exchange, Key

TOKENS, PASSAGE, REVERSED, FULL = "tokens", "passage", "reversed", "full"
"""Arms: the ids of a passage; its distributions; these once more, in reverse order; all of one distribution."""

PROBE, WITNESS, SEPARATOR, TEXTS = "probe", "witness", "separator", "texts"
"""Arms: a beginning asked in the quick way and in the other; what stands between texts; the texts of a passage."""

LIMIT, COUNTED = "limit", "counted"
"""Arms: more of one distribution than there can be, to be told how much there is; all of it, by that number."""

COURTESY = frozenset({FULL, LIMIT, COUNTED, PROBE, WITNESS, SEPARATOR, TEXTS})
"""Arms whose answers are taken as they come: nothing is decided from them that is not checked where it is read."""

Ids = tuple[int, ...]


def key(item: str, arm: str) -> Key:
    """The key of an exchange of this claim."""
    return Key(claim=CLAIM, item=item, arm=arm)


def tokens_of(exchange: Exchange | None) -> Ids | None:
    """The token ids that ``/tokenize`` answered, or None where it gave no list of whole numbers."""
    tokens = (exchange.answer or {}).get("tokens") if exchange else None
    if not isinstance(tokens, list) or {*map(type, tokens)} != {int} or min(tokens) < 0:
        return None
    return tuple(tokens)


def refused(exchange: Exchange | None) -> bool:
    """Whether the server will never answer it: a check that is a courtesy is not asked for in every run again."""
    return exchange is not None and exchange.failure is not None and exchange.failure.lasting


def answered(exchange: Exchange | None) -> bool:
    """Whether it was asked and has an answer."""
    return exchange is not None and exchange.answer is not None


def failed(exchange: Exchange | None) -> bool:
    """Whether it was asked and has none: a courtesy is not asked for again."""
    return exchange is not None and exchange.answer is None
