"""Room for evidence, for the engine's caches, and for what is remembered of hashed files."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from twx_accept.doctor.finding import Finding, Says, size
from twx_accept.doctor.node import Node
from twx_accept.serving.arguments import environment

EVIDENCE_BYTES = 10**9
"""A build's evidence where none is kept yet to measure it by: nine times what 14,042 questions, 1,200 calls and 82,908
positions of a small model left. A model that thinks writes more."""
CACHE_BYTES = 10 * 10**9
"""A rule of thumb for compiled kernels and graphs; without room the engine compiles at every boot, or fails."""


def check(node: Node, says: Says) -> Iterator[Finding]:
    """The folders that a run writes to."""
    yield from _evidence(node, says)
    cache = Path(platformdirs.user_cache_dir("twx-accept"))
    if not _can_write(cache):
        yield says.warning(
            f"{cache} cannot be written", "every run hashes all weights again; set XDG_CACHE_HOME to a folder that can"
        )
    engine = node.suite.engine
    if engine.launcher != "attach" and engine.device != "cpu":
        folder = engine.container.cache if engine.container is not None else engine_cache(environment(engine))
        yield from _room(says, "the engine's caches", folder, CACHE_BYTES, "a rule of thumb")


def engine_cache(variables: dict[str, str]) -> Path:
    """Where the engine keeps what it compiles."""
    if "VLLM_CACHE_ROOT" in variables:
        return Path(variables["VLLM_CACHE_ROOT"])
    home = variables.get("XDG_CACHE_HOME") or os.path.join(variables.get("HOME", "/"), ".cache")  # noqa: PTH118 - text
    return Path(home) / "vllm"


def _evidence(node: Node, says: Says) -> Iterator[Finding]:
    """As much as the largest that is kept, for each build and the original's repetition."""
    kept = [file.stat().st_size for file in node.evidence.glob("*.sqlite")]
    largest = max(kept, default=EVIDENCE_BYTES)
    basis = f"{'the largest kept so far' if kept else 'an estimate without any kept'}, {size(largest)} a build"
    yield from _room(says, "evidence", node.evidence, largest * (len(node.builds) + 1), basis)


def _room(says: Says, what: str, folder: Path, needed: int, basis: str) -> Iterator[Finding]:
    if not _can_write(folder):
        yield says.fault(f"{folder} for {what} cannot be written", "give this user the right, or choose another folder")
        return
    free = shutil.disk_usage(_existing(folder)).free
    told = f"{size(free)} free for {what} in {folder}; {size(needed)} needed ({basis})"
    yield says.ok(told) if free >= needed else says.warning(told, "make room there, or choose another folder")


def _can_write(folder: Path) -> bool:
    """By writing a file, since rights alone do not tell (a full disk, a read-only mount, a root without power)."""
    try:
        with tempfile.TemporaryFile(dir=_existing(folder)) as stream:
            stream.write(b"x")
            stream.flush()
    except OSError:
        return False
    return True


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next((each for each in (folder, *folder.parents) if each.exists()), Path("/"))
