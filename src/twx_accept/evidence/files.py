"""The files of a build: which hold weights, what is in them, and their digests."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import filelock
import platformdirs

from twx_accept.domain.evidence import Inventory, Tensor
from twx_accept.errors import EvidenceError

FORMATS = (("*.safetensors", "*.safetensors.index.json"), ("*.bin", "*.bin.index.json"), ("*.gguf", ""))
"""Formats of weight files and their index, the engine's preference first: one build is one format."""

TOKENIZER = ("tokenizer*", "chat_template*", "special_tokens_map.json", "vocab.*", "merges.txt", "added_tokens.json")
CONFIGURATION = ("config.json", "generation_config.json", "preprocessor_config.json", "*quant*config*.json")

LARGEST_HEADER = 100 * 2**20
"""Bytes: the format's own limit for the header of a safetensors file."""

CHUNK = 8 * 2**20

Progress = Callable[[str, int, int], None]
"""Called with a file's name, bytes hashed so far and bytes in all."""


def take_inventory(folder: Path, progress: Progress) -> Inventory:
    """The inventory of the model in that folder.

    Args:
        folder: a model folder as the engine loads it; links are followed and each file is taken once.
        progress: told how the hashing gets on.

    Raises:
        EvidenceError: there is no such folder.
    """
    if not folder.is_dir():
        raise EvidenceError(f"{folder}: no such model folder; make it with `twx-accept models prepare`, or mend `path`")
    weights, index = _weight_files(folder)
    problems = _index_problems(weights, index)
    tensors: dict[str, Tensor] = {}
    for file in weights:
        if file.suffix == ".safetensors":
            try:
                tensors |= read_header(file)
            except EvidenceError as error:
                problems.append(str(error))
    counted = [*weights, *([index] if index else [])]
    others = [file for pattern in (*TOKENIZER, *CONFIGURATION) for file in sorted(folder.glob(pattern))]
    return Inventory(
        weights={file.name: file.stat().st_size for file in counted},
        digests=_digests([*counted, *(file for file in dict.fromkeys(others) if file.is_file())], progress),
        tensors=tensors,
        problems=tuple(problems),
    )


def part(inventory: Inventory, patterns: Iterable[str]) -> dict[str, str]:
    """The digests of the files that match one of the patterns."""
    wanted = tuple(patterns)
    return {name: value for name, value in inventory.digests.items() if any(Path(name).match(p) for p in wanted)}


def _weight_files(folder: Path) -> tuple[list[Path], Path | None]:
    """Weight files of the first format that is there, each file once though several links may lead to it."""
    for pattern, index_pattern in FORMATS:
        files = {file.resolve(): file for file in sorted(folder.glob(pattern)) if file.is_file()}
        if files:
            index = next(iter(sorted(folder.glob(index_pattern))), None) if index_pattern else None
            return sorted(files.values()), index
    return [], None


def _index_problems(weights: list[Path], index: Path | None) -> list[str]:
    """Shards that the index names and that are absent, and shards that are there and not in the index."""
    if index is None:
        return []
    try:
        named = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return [f"{index.name} cannot be read ({type(error).__name__}: {error}); fetch the build again"]
    there = {file.name for file in weights}
    problems = []
    if absent := sorted(named - there, key=str):
        problems.append(f"{index.name} names shards that are absent: {', '.join(map(str, absent))}")
    if extra := sorted(there - named):
        problems.append(f"shards are present but not in {index.name}: {', '.join(extra)}")
    return problems


def read_header(file: Path) -> dict[str, Tensor]:
    """The tensors that a safetensors file holds, from its header alone.

    Raises:
        EvidenceError: the file is truncated, or no safetensors file.
    """
    size = file.stat().st_size
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if size < 8 or length > min(LARGEST_HEADER, size - 8):
            raise EvidenceError(f"{file.name}: its header would be {length} bytes in a file of {size}; {_FETCH}")
        text = stream.read(length)
    try:
        header: Mapping[str, Any] = json.loads(text)
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        tensors = {name: _tensor(entry) for name, entry in entries.items()}
        end = max((int(entry["data_offsets"][1]) for entry in entries.values()), default=0)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EvidenceError(f"{file.name}: its header is no safetensors header ({error}); {_FETCH}") from error
    if end != size - 8 - length:
        raise EvidenceError(f"{file.name}: describes {end} bytes of tensors, {size - 8 - length} are there; {_FETCH}")
    return tensors


_FETCH = "fetch the build again"


def _tensor(entry: Mapping[str, Any]) -> Tensor:
    begin, end = entry["data_offsets"]
    return Tensor(dtype=str(entry["dtype"]), shape=tuple(int(n) for n in entry["shape"]), bytes=int(end) - int(begin))


def _digests(files: list[Path], progress: Progress) -> dict[str, str]:
    """SHA-256 of each file, in parallel, remembered by path, size and time of change."""
    memory = _Memory(Path(platformdirs.user_cache_dir("twx-accept")) / "digests.json")
    known = memory.read()
    total = sum(file.stat().st_size for file in files)
    done = 0

    def one(file: Path) -> tuple[str, str, str]:
        nonlocal done
        stat = file.stat()
        label = f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"
        value = known.get(label)
        if value is None:
            value = _sha256(file, lambda: progress(file.name, done, total))
        done += stat.st_size
        progress(file.name, done, total)
        return file.name, label, value

    with ThreadPoolExecutor(max_workers=8) as pool:
        found = list(pool.map(one, files))
    memory.add({label: value for _, label, value in found if label not in known})
    return {name: value for name, _, value in found}


def _sha256(file: Path, tick: Callable[[], None]) -> str:
    summed = hashlib.sha256()
    with file.open("rb", buffering=0) as stream:
        while block := stream.read(CHUNK):
            summed.update(block)
            tick()
    return summed.hexdigest()


class _Memory:
    """Digests already taken. A cache: whatever is wrong with it, the files are hashed again."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {k: v for k, v in kept.items() if isinstance(v, str)} if isinstance(kept, dict) else {}

    def add(self, new: Mapping[str, str]) -> None:
        if not new:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(f"{self._file}.lock"):
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps(self.read() | dict(new)), encoding="utf-8")
            fresh.replace(self._file)
