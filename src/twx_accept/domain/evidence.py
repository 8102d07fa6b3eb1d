"""What is known of one build: its files, its boots and every exchange."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twx_accept.domain.exchange import Exchange

NOT_SHOWN = "not shown"
"""In an identity: what a server that was there already does not show. It is neither equal to anything nor different."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensor:
    """A tensor as the header of its file describes it. ``bytes`` is its size in the file."""

    dtype: str
    shape: tuple[int, ...]
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """The files of a build. ``weights`` maps each weight file (and index) to its bytes, each file once.

    ``digests`` maps every weight, tokenizer, config and template file to its SHA-256. ``problems`` name what makes the
    folder unusable as a whole (shards absent, or present but not in the index).
    """

    weights: Mapping[str, int]
    digests: Mapping[str, str]
    tensors: Mapping[str, Tensor]
    problems: tuple[str, ...] = ()

    @property
    def total_bytes(self) -> int:
        """Bytes of all weight files."""
        return sum(self.weights.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class CardUse:
    """Bytes in use on one card around a boot, by whomever: ``before`` it, at its ``peak``, and ``after`` its end.

    ``card`` is what the machine calls it, ``total`` all its bytes. ``peak`` is the most of one look a second; it and
    ``after`` are None where the run was killed before they were known.
    """

    card: str
    total: int
    before: int
    peak: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """One start of a server, as the server itself described it.

    ``settings`` is the engine's own whole configuration as JSON; ``cache`` the labels of ``vllm:cache_config_info``;
    ``capacity_tokens`` its ``kv_cache_size_tokens``; ``weights_gib`` and ``cache_gib`` one value a worker (empty where
    the engine says nothing, as on a CPU); ``cards`` total bytes of each card; ``cold`` a compile cache that was empty;
    ``run`` the repetition it was started for; ``card_use`` what was in use on each card, and ``beside`` what else was
    served on other cards of the machine meanwhile, in words. ``launcher`` says what brought it up (``attach``: nothing
    did, it was there), ``unproven`` in words what could therefore not be proven. ``spoilt`` says why nothing that it
    answered can be trusted, and is empty where nothing is known against it.
    """

    number: int
    ready_seconds: float
    engine_version: str
    device: str
    flags: Mapping[str, Any]
    settings: Mapping[str, Any]
    cache: Mapping[str, str]
    capacity_tokens: int | None
    weights_gib: tuple[float, ...] = ()
    cache_gib: tuple[float, ...] = ()
    cards: tuple[int, ...] = ()
    cold: bool = False
    run: int = 1
    log: str = ""
    notes: tuple[str, ...] = ()
    card_use: tuple[CardUse, ...] = ()
    beside: tuple[str, ...] = ()
    launcher: str = "process"
    unproven: tuple[str, ...] = ()
    spoilt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How evidence began: written once, before anything was asked, and never changed.

    ``weights`` is the digest of the weight files, by which attempts are counted: a build that is renamed stays itself.
    ``ledger`` is the head of the suite's ledger at that moment: a registration counts as earlier than this evidence
    only if that head contains it. ``attempt`` counts the whole runs that these weights have had, this one included; 0
    for a partial run. ``began`` (ISO 8601) is for people: no clock decides anything.
    """

    suite: str
    build: str
    weights: str
    control: bool
    partial: str
    ledger: str
    attempt: int
    began: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildEvidence:
    """Everything that is kept of one build under one identity; claims are decided from two of these alone.

    ``identity`` is the readable identity (digests, flags, engine, machine), ``identity_digest`` its SHA-256.
    ``exchanges`` maps a claim's name to its exchanges in order of their keys. ``origin`` is None only in evidence that
    was put together by hand. ``spoilt`` maps a claim's name to the items that a partial run had asked this build before
    the mark was registered.
    """

    build: str
    control: bool
    identity: Mapping[str, Any]
    identity_digest: str
    inventory: Inventory
    boots: tuple[Boot, ...]
    exchanges: Mapping[str, tuple[Exchange, ...]]
    origin: Origin | None = None
    spoilt: Mapping[str, frozenset[str]] = field(default_factory=dict)
