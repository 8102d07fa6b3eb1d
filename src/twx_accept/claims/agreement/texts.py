"""The texts of tokens, for people, where the distributions came without any.

The server's tokenizer is asked for them, passage by passage: the ids of a passage and of the likeliest tokens in it,
each followed by a sign that stands in no token. An answer that does not part into as many pieces as were asked for is
not used, and tokens are then called by their numbers.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from twx_accept.claims.agreement.keys import PASSAGE, SEPARATOR, TEXTS, Ids, failed, key, tokens_of
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.exchange import Exchange, Key, Request

SIGN = "\u241e"
"""The picture of a record separator: several tokens to any tokenizer, and part of none."""

LONGEST = 200
"""Characters of a token's text; a hostile one may be a page."""


def separator(item: str) -> Request:
    """A request for the ids of the sign."""
    return Request(
        key=key(item, SEPARATOR), path="/tokenize", body={"prompt": SIGN, "add_special_tokens": False}, phase="tokens"
    )


def requests(exchanges: Mapping[Key, Exchange], passages: Mapping[str, Ids]) -> list[Request]:
    """One request a passage whose distributions are there."""
    sign = next((tokens_of(each) for each in exchanges.values() if each.request.key.arm == SEPARATOR), None)
    if sign is None:
        return []
    found = {
        name: exchanges.get(key(name, PASSAGE)) for name in passages if not failed(exchanges.get(key(name, TEXTS)))
    }
    return [
        Request(
            key=key(name, TEXTS),
            path="/detokenize",
            body={"tokens": [each for token in named(passages[name], exchange.rows) for each in (token, *sign)]},
            phase="texts",
        )
        for name, exchange in found.items()
        if exchange is not None and exchange.rows is not None
    ]


def named(ids: Ids, rows: Distributions) -> list[int]:
    """The tokens of a passage whose texts are asked for, each once, in rising order."""
    return sorted({*ids, *tops(rows).tolist()})


def tops(rows: Distributions) -> NDArray[np.int32]:
    """The likeliest token of each row, of those that tie the lowest."""
    found: NDArray[np.int32] = rows.ids[np.arange(len(rows)), rows.logprobs.argmax(axis=1)]
    return found


def with_texts(rows: Distributions, ids: Ids, exchange: Exchange | None) -> Distributions:
    """The rows with their texts, where they have none and the answer can be parted."""
    said = (exchange.answer or {}).get("prompt") if exchange else None
    if rows.texts or not isinstance(said, str) or len(rows) != len(ids) - 1:
        return rows
    tokens, pieces = named(ids, rows), said.split(SIGN)
    if len(pieces) != len(tokens) + 1 or pieces[-1]:
        return rows
    text = {token: piece[:LONGEST] for token, piece in zip(tokens, pieces, strict=False)}
    texts = tuple((text[top], text[read]) for top, read in zip(tops(rows).tolist(), ids[1:], strict=True))
    return Distributions(rows.ids, rows.logprobs, texts)
