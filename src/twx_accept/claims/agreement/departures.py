"""The positions at which the build departs most surely from the original: both sure of their next token, and apart."""

import math
from collections.abc import Sequence

import numpy as np

from twx_accept.claims.agreement.comparing import Answers, Reading
from twx_accept.claims.agreement.reading import logprobs_read
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.verdict import Count, Item

MOST = 300
BEFORE = 240
"""Characters of the text before a position."""


def departures(readings: Sequence[Reading]) -> tuple[tuple[Item, ...], int]:
    """The items, the surest first, and how many positions depart at all; then every passage without an answer."""
    answered = [(reading, reading.answers) for reading in readings if reading.answers is not None]
    found = [
        (-float(answers.measures.sureness[row]), place, int(row))
        for place, (_, answers) in enumerate(answered)
        for row in np.flatnonzero(~answers.measures.strict)
    ]
    chosen = [_item(*answered[place], row) for _, place, row in sorted(found)[:MOST]]
    missing = [_missing(reading) for reading in readings if reading.answers is None and reading.positions]
    return (*chosen, *missing), len(found) + len(missing)


def _item(reading: Reading, answers: Answers, row: int) -> Item:
    original, build, measures = answers.original, answers.build, answers.measures
    mine, theirs = int(measures.top_original[row]), int(measures.top_build[row])
    read = _text(original, row, 1) or f"token {reading.ids[row + 1]}"
    here, there = (_name(side, row, top) for side, top in ((original, mine), (build, theirs)))
    tied = ", a tie at the top" if measures.tied[row] else ""
    surprise = tuple(float(logprobs_read(side, reading.ids)[row]) for side in (original, build))
    return Item(
        id=f"passages-{reading.passage.id}-{row + 1}",
        group=reading.passage.kind,
        direction="another next token",
        title=f"{reading.passage.id}, position {row + 1}: {here!r} became {there!r}",
        body=(
            Count(label="the text before", value=_before(reading, original, row)),
            Count(label="the next token of the text", value=f"{read!r}: {_both(*surprise)}"),
            Count(
                label="the original's next token",
                value=f"{here!r}: {_both(*_values(original, build, row, mine))}{tied}",
            ),
            Count(label="the build's next token", value=f"{there!r}: {_both(*_values(original, build, row, theirs))}"),
            Count(label="drift here, at least", value=f"{measures.bound[row]:.4f} nats"),
        ),
    )


def _missing(reading: Reading) -> Item:
    return Item(
        id=f"passages-{reading.passage.id}",
        group=reading.passage.kind,
        direction="without an answer",
        title=f"{reading.passage.id}: {reading.positions} positions without an answer",
        body=(Count(label="passage", value=reading.passage.text), Count(label="why", value=reading.why)),
    )


def _both(original: float | None, build: float | None) -> str:
    return f"original {_probability(original)}, build {_probability(build)}"


def _probability(logprob: float | None) -> str:
    return "not among its likeliest" if logprob is None else f"{math.exp(logprob):.4f}"


def _values(original: Distributions, build: Distributions, row: int, token: int) -> tuple[float | None, float | None]:
    found = []
    for side in (original, build):
        at = np.flatnonzero(side.ids[row] == token)
        found.append(float(side.logprobs[row, at[0]]) if len(at) else None)
    return found[0], found[1]


def _name(side: Distributions, row: int, token: int) -> str:
    """The token's text, which may be a part of a character, or its number."""
    return _text(side, row, 0) or f"token {token}"


def _text(side: Distributions, row: int, which: int) -> str:
    return side.texts[row][which] if side.texts else ""


def _before(reading: Reading, original: Distributions, row: int) -> str:
    """The end of the text before a position, out of the passage itself where the tokens' texts can be found in it."""
    said = "".join(pair[1] for pair in original.texts[:row])
    at = reading.passage.text.find(said) if said else -1
    return (reading.passage.text[: at + len(said)] if at >= 0 else said)[-BEFORE:] or "(the beginning)"
