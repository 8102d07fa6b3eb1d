"""The checks, one a file, in the order in which they are made: what is cheap and stops everything first."""

from typing import Final

from twx_accept.doctor.checks import (
    cards,
    compiler,
    cores,
    disk,
    driver,
    engine,
    host_memory,
    judges,
    marks,
    neighbours,
    sockets,
    sources,
    tokenizer,
    weights,
)

ALL: Final = (
    cards,
    neighbours,
    driver,
    host_memory,
    cores,
    disk,
    sockets,
    engine,
    compiler,
    weights,
    tokenizer,
    sources,
    judges,
    marks,
)
