"""The files of a build: which hold weights, what is in them, and their digests."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Inventory, Tensor
from twx_accept.errors import EvidenceError
from twx_accept.evidence.hashing import Progress, digests
from twx_accept.evidence.safetensors import read_header

FORMATS = (("*.safetensors", "*.safetensors.index.json"), ("*.bin", "*.bin.index.json"), ("*.gguf", ""))
"""Formats of weight files and their index, the engine's preference first: one build is one format."""

OF_TRAINING = frozenset({"training_args.bin", "optimizer.bin", "scheduler.bin", "scaler.bin"})
"""Files of a trainer that end like weights and that no engine loads."""

TOKENIZER = (
    *("tokenizer*", "tokenization*", "chat_template*", "special_tokens_map.json", "added_tokens.json"),
    *("vocab*", "merges.txt", "*.model", "*.tiktoken", "tiktoken*", "tekken.json"),
)
CONFIGURATION = (
    *("config.json", "generation_config.json", "*preprocessor_config.json", "processor_config.json", "params.json"),
    *("*quant*config*.json", "*.py"),
)
"""Code too: a model that brings its own computes what that says."""


def take_inventory(folder: Path, progress: Progress) -> Inventory:
    """The inventory of the model in that folder.

    Args:
        folder: a model folder as the engine loads it; links are followed and each file is taken once.
        progress: told how the hashing gets on.

    Raises:
        EvidenceError: there is no such folder, or a file in it cannot be read.
    """
    if not folder.is_dir():
        raise EvidenceError(f"{folder}: no such model folder; make it with `twx-accept models prepare`, or mend `path`")
    try:
        return _inventory(folder, progress)
    except OSError as error:
        raise EvidenceError(f"{folder}: cannot be read ({error}); give this user the right to read it") from error


def part(inventory: Inventory, patterns: Iterable[str]) -> dict[str, str]:
    """The digests of the files that match one of the patterns."""
    wanted = tuple(patterns)
    return {name: value for name, value in inventory.digests.items() if any(Path(name).match(p) for p in wanted)}


def _inventory(folder: Path, progress: Progress) -> Inventory:
    found = weight_files(folder)
    problems = list(found.problems)
    tensors: dict[str, Tensor] = {}
    for file in found.weights:
        if file.suffix == ".safetensors":
            try:
                tensors |= read_header(file)
            except EvidenceError as error:
                problems.append(str(error))
    counted = [*found.weights, *([found.index] if found.index else [])]
    others = matching(folder, (*TOKENIZER, *CONFIGURATION))
    return Inventory(
        weights={file.name: file.stat().st_size for file in counted},
        digests=digests(list(dict.fromkeys([*counted, *others])), progress),
        tensors=tensors,
        problems=tuple(problems),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFiles:
    """The weight files of a folder and their index; ``problems`` as in :class:`Inventory`."""

    weights: tuple[Path, ...] = ()
    index: Path | None = None
    problems: tuple[str, ...] = ()


def weight_files(folder: Path) -> WeightFiles:
    """Weight files of the first format that is there, each file once though several links may lead to it."""
    for pattern, index_pattern in FORMATS:
        links = [file for file in _visible(folder, pattern) if file.name not in OF_TRAINING]
        if not links:
            continue
        problems = [f"{link.name} is no file, or a link to nothing; {_FETCH}" for link in links if not link.is_file()]
        there = [link for link in links if link.is_file()]
        index = _index(folder, index_pattern)
        named: set[Any] = set()
        if index is not None:
            named, told = _named_by(index)
            problems += told or _index_problems(there, index, named)
        return WeightFiles(weights=_each_once(there, named), index=index, problems=tuple(problems))
    return WeightFiles()


def matching(folder: Path, patterns: Iterable[str]) -> list[Path]:
    """The files of a folder that match one of the patterns, in the patterns' order."""
    return list(dict.fromkeys(file for each in patterns for file in _visible(folder, each) if file.is_file()))


def _visible(folder: Path, pattern: str) -> list[Path]:
    """What matches, without what is hidden: the engine does not see it either."""
    return sorted(file for file in folder.glob(pattern) if not file.name.startswith(".")) if pattern else []


def _index(folder: Path, pattern: str) -> Path | None:
    """The index, the engine's own name first."""
    found = [file for file in _visible(folder, pattern) if file.is_file()]
    return min(
        found, key=lambda file: (not file.name.startswith(("model.", "pytorch_model.")), file.name), default=None
    )


def _each_once(files: list[Path], named: set[Any]) -> tuple[Path, ...]:
    """Of several links to one file the one that the index names, or the first."""
    first: dict[tuple[int, int], Path] = {}
    for file in sorted(files, key=lambda file: (file.name not in named, file.name)):
        first.setdefault(_inode(file), file)
    return tuple(sorted(first.values()))


def _inode(file: Path) -> tuple[int, int]:
    stat = file.stat()
    return stat.st_dev, stat.st_ino


def _named_by(index: Path) -> tuple[set[Any], list[str]]:
    """The shards that the index names, or why it cannot be read."""
    try:
        return set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()), []
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return set(), [f"{index.name} cannot be read ({type(error).__name__}: {error}); {_FETCH}"]


def _index_problems(there: list[Path], index: Path, named: set[Any]) -> list[str]:
    """Shards that the index names and that are absent, and shards that are there and not in the index."""
    names = {file.name for file in there}
    in_index = {_inode(file) for file in there if file.name in named}
    problems = []
    if absent := sorted(named - names, key=str):
        problems.append(f"{index.name} names shards that are absent: {', '.join(map(str, absent))}")
    if extra := sorted(file.name for file in there if _inode(file) not in in_index):
        problems.append(f"shards are present but not in {index.name}: {', '.join(extra)}")
    return problems


_FETCH = "fetch the build again"
