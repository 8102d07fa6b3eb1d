"""What the run will do and ask, and what it costs in hours, each part with its basis."""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from twx_accept.doctor import estimates
from twx_accept.doctor.node import Node
from twx_accept.domain.prospect import Prospect
from twx_accept.evidence.hashing import THREADS
from twx_accept.evidence.reading import Rate
from twx_accept.session.planning import CHARACTERS_A_TOKEN, measured
from twx_accept.session.slots import slots

SAMPLE = 32 * 2**20
"""Bytes that are hashed here to see how fast this machine is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the cost, over the whole run. ``low`` and ``high`` are seconds, None where nothing is known."""

    what: str
    low: float | None
    high: float | None
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """A run from nothing: every boot in order, what each build is asked, and the parts of the cost.

    ``unknown`` names the parts without a value, which the sums leave out. ``side_by_side`` is how many builds can be
    served at a time, which divides boots and asking.
    """

    boots: tuple[str, ...]
    weight_bytes: Mapping[str, int]
    requests: int
    prompt_tokens: int
    parts: tuple[Part, ...]
    low: float
    high: float
    unknown: tuple[str, ...]
    side_by_side: int


def forecast(node: Node) -> Forecast:
    """The forecast for a suite on this node."""
    suite = node.suite
    again = [f"{suite.original.name} again"] if suite.noise_floor else []
    names = [build.name for build in node.builds]
    prospects = [claim.prospect(suite.builds[0].name, None) for claim in node.made]
    rates, ready = measured(suite, node.evidence)
    sizes = {build.name: node.weight_bytes(build) for build in node.builds}
    runs = [*names, *(suite.original.name for _ in again)]
    asking = _asking(prospects, rates, len(runs), cards=suite.engine.device != "cpu")
    parts = (_hashing(sizes), _booting(runs, sizes, ready), *asking)
    known = [(part.low, part.high) for part in parts if part.low is not None and part.high is not None]
    return Forecast(
        boots=(*names, *again),
        weight_bytes=sizes,
        requests=sum(each.requests for each in prospects),
        prompt_tokens=round(sum(each.prompt_characters for each in prospects) / CHARACTERS_A_TOKEN),
        parts=parts,
        low=sum(low for low, _ in known),
        high=sum(high for _, high in known),
        unknown=tuple(part.what for part in parts if part.low is None),
        side_by_side=max(1, slots(suite)),
    )


def _hashing(sizes: Mapping[str, int]) -> Part:
    """Once for every file: by this machine's processor at best, by the slower disk of the estimate at worst."""
    total = sum(sizes.values())
    begun = time.perf_counter()
    hashlib.sha256(bytes(SAMPLE))
    speed = SAMPLE / (time.perf_counter() - begun)
    slow, _ = estimates.READING
    threads = min(THREADS, os.cpu_count() or 1)
    low = total / (speed * threads)
    return Part(
        what="hashing",
        low=low,
        high=max(low, total / min(slow, speed * threads)),
        basis=f"{total / 1e9:,.1f} GB of weights once; {speed / 1e9:.1f} GB/s a thread measured here, {threads} "
        f"threads; or a disk of {slow / 1e9:.1f} GB/s",
    )


def _booting(runs: Sequence[str], sizes: Mapping[str, int], ready: Mapping[str, Sequence[float]]) -> Part:
    low = high = 0.0
    guessed = [name for name in runs if name not in ready]
    slow, fast = estimates.READING
    quick, long = estimates.STARTING
    for name in runs:
        if name in ready:
            low, high = low + min(ready[name]), high + max(ready[name])
        else:
            low, high = low + quick + sizes[name] / fast, high + long + sizes[name] / slow
    told = f"estimated: weights at {fast / 1e9:.1f} to {slow / 1e9:.1f} GB/s, and {quick:.0f} to {long:.0f} s besides"
    seen = "measured in earlier boots"
    basis = seen if not guessed else told if len(guessed) == len(runs) else f"{seen}; of {', '.join(guessed)} {told}"
    return Part(what=f"{len(runs)} boots", low=low, high=high, basis=basis)


def _asking(prospects: Sequence[Prospect], rates: Mapping[str, Rate], runs: int, *, cards: bool) -> Iterator[Part]:
    """Each claim, asked of every build and of the original's repetition. The estimates are of cards."""
    for each in prospects:
        if not each.requests:
            continue
        rate, guess = rates.get(each.claim), estimates.ASKING.get(each.claim) if cards else None
        if rate is not None and rate.asked and rate.seconds > 0:
            seconds = each.requests * rate.seconds / rate.asked * runs
            low, high, basis = seconds, seconds, f"measured: {rate.asked / rate.seconds:.1f} requests/s before"
        elif guess is not None:
            low, high = (each_ * runs for each_ in guess.of(each.requests))
            basis = estimates.LARGE
        else:
            yield Part(what=each.title, low=None, high=None, basis="a run with --limit-questions measures it")
            continue
        yield Part(what=each.title, low=low, high=high, basis=f"{each.requests:,} requests a build; {basis}")
