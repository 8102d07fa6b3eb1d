"""Distributions of a prompt straight from an answer's bytes: an answer of megabytes is never held as objects.

This is :mod:`.compacting` for the one form that is large, a fifth of its time. Whatever is not plainly of that form is
left to it: it says what is malformed.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import msgspec
import numpy as np

from twx_accept.asking.compacting import LONGEST_TEXT, ROUNDING, Place, place_of, prompt_of
from twx_accept.asking.reading import MalformedAnswer, read
from twx_accept.domain.distributions import POISON, Distributions
from twx_accept.domain.exchange import Request


class _Entry(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A token of a row. Its rank is not used; what is not read is not checked either, so nothing else may be here."""

    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_ROWS = msgspec.json.Decoder(list[dict[int, _Entry] | None])

SPELT_TWICE = b'"-0"'
"""The one key besides a plain number that the decoder takes for one."""


def peel(request: Request, raw: bytes) -> tuple[Mapping[str, Any], Distributions] | None:
    """The answer without its distributions, and these as arrays; None where they were not asked for or are odd."""
    place = place_of(request)
    if place not in (Place.CHOICE, Place.ANSWER) or SPELT_TWICE in raw:
        return None
    try:
        answer = _OBJECT.decode(raw)
        choices = _LIST.decode(answer["choices"])
        if len(choices) != 1:
            return None
        choice = _OBJECT.decode(choices[0])
        rows = _read((choice if place is Place.CHOICE else answer).pop("prompt_logprobs"), prompt_of(request))
        answer["choices"] = msgspec.Raw(msgspec.json.encode([choice]))
        return read(msgspec.json.encode(answer)), rows
    except (ValueError, OverflowError, KeyError, RecursionError, MalformedAnswer):  # overflow: an id of many digits
        return None


def _read(raw: msgspec.Raw, prompt: Any) -> Distributions:
    first, *rows = _ROWS.decode(raw)
    if first is not None or not rows or not isinstance(prompt, list) or len(prompt) != len(rows) + 1:
        raise ValueError
    filled = [row for row in rows if row]
    if len(filled) != len(rows):
        raise ValueError
    ids = list(chain.from_iterable(filled))
    values = [entry.logprob for row in filled for entry in row.values()]
    if not (min(values) > POISON and max(values) <= ROUNDING):
        raise ValueError
    found = Distributions.of([len(row) for row in filled], ids, values)
    top = found.ids[np.arange(len(found)), found.logprobs.argmax(axis=1)]  # ids rise: the lowest of a tie
    texts = tuple(
        (_text(row[best]), _text(row.get(token)))
        for row, best, token in zip(filled, top.tolist(), prompt[1:], strict=True)
    )
    return Distributions(found.ids, found.logprobs, texts if any(map(any, texts)) else ())


def _text(entry: _Entry | None) -> str:
    return (entry.decoded_token or "")[:LONGEST_TEXT] if entry else ""
