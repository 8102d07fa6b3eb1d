"""A suite: one original, the builds that are compared with it, and how all of them are served and asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FlagValue = bool | int | float | str | Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One model on disk and what may differ in serving it. ``control``: damaged on purpose, must not pass."""

    name: str
    title: str
    path: Path
    control: bool = False
    flags: Mapping[str, FlagValue]
    digests: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """An engine in an image. ``image`` names it by digest; ``program`` (docker, podman) runs it.

    ``cache`` is a folder of this machine that the engine keeps its compiled kernels in, one below it for each image;
    ``options`` are further words for the program, such as ``--device=/dev/infiniband``.
    """

    image: str
    program: str
    python: str
    shared_memory_gib: float
    cache: Path
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a build is served already. ``model`` is its name there; ``root`` what the server must say it has loaded."""

    url: str
    model: str
    root: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attach:
    """Servers that somebody else started, by build. ``certificates`` is a file of further authorities for TLS.

    ``here`` is the suite's word that those at an address of this machine read their weights from it, and not from
    another one at the end of a tunnel.
    """

    addresses: Mapping[str, Address]
    certificates: Path | None = None
    here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """vLLM, and how it is brought up.

    ``launcher`` is ``process``, ``container`` or ``attach``; the latter two have settings of their own. ``python`` runs
    the engine, for a container inside its image; nothing runs it where a server is attached. ``environment`` is added
    to the server's, ``device`` is ``cpu`` or ``cuda``; the deadlines are for becoming ready, for stopping and for the
    memory to come back, in seconds. ``cards`` are the names (indices or UUIDs) of those that may be used; empty where
    the suite leaves that to ``CUDA_VISIBLE_DEVICES``.
    """

    python: Path
    device: str
    environment: Mapping[str, str]
    ready_seconds: float
    stop_seconds: float
    memory_seconds: float
    launcher: str = "process"
    container: Container | None = None
    attach: Attach | None = None
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How requests go out: ``concurrency`` HTTP requests at once, ``prompts_per_request`` prompts in one of them."""

    concurrency: int
    prompts_per_request: int
    timeout_seconds: float
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A checked suite file. ``claims`` holds each claim's own settings, checked by the claim itself.

    ``noise_floor``: no whole run decides without the original asked everything twice. ``flags`` are the engine's flags
    by their names with underscores, equal for every build; ``may_differ`` names the flags in which builds may differ.
    ``folder`` is what relative paths in the file are relative to.
    """

    name: str
    title: str
    version: int
    demonstration: bool
    noise_floor: bool = False
    file: Path
    folder: Path
    original: Build
    builds: tuple[Build, ...]
    engine: Engine
    asking: Asking
    flags: Mapping[str, FlagValue]
    may_differ: tuple[str, ...]
    claims: Mapping[str, Mapping[str, Any]]

    def build(self, name: str) -> Build:
        """The build of that name (KeyError if there is none)."""
        return {build.name: build for build in (self.original, *self.builds)}[name]
