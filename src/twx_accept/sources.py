"""Question and passage sources: local JSON Lines or Parquet, or a data set of the Hugging Face hub.

A local source is a folder that holds ``SPLIT.jsonl`` or ``SPLIT.parquet`` for each split, or one such file. Anything
else is a hub name, with the configuration after a colon: ``cais/mmlu:all``.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twx_accept.domain.source import Row
from twx_accept.errors import DatasetError

SUFFIXES = (".jsonl", ".parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOrHub:
    """Sources by path or hub name. ``folder`` is what relative paths are relative to (the suite's folder)."""

    folder: Path

    def rows(self, source: str, split: str) -> Sequence[Row]:
        """All rows of one split, in their order.

        Raises:
            DatasetError: nothing is there, or it cannot be read; names the file (and line) and the cure.
        """
        path = _path(self.folder, source)
        if path.is_dir():
            return _read(_split_file(path, split))
        if path.is_file():
            return _read(path if split == "test" else _sibling(path, split))
        if path.suffix in SUFFIXES or source.startswith((".", "/", "~")):
            raise DatasetError(f"{path}: no such file or folder; give a .jsonl or .parquet file or a hub name")
        return _hub(source, split, path)


def _path(folder: Path, source: str) -> Path:
    if not source or source.splitlines() != [source] or "\0" in source:
        raise DatasetError(f"source {source!r:.80}: is no path and no hub name; give one of them in one line")
    try:
        return Path(os.path.normpath(folder / Path(source).expanduser()))  # as a message should name it
    except RuntimeError as error:
        raise DatasetError(f"{source}: names a home that is not known; write the whole path") from error


def _split_file(folder: Path, split: str) -> Path:
    for suffix in SUFFIXES:
        if (file := folder / f"{split}{suffix}").is_file():
            return file
    raise DatasetError(f"{folder}: holds neither {split}.jsonl nor {split}.parquet; add one, or name another source")


def _sibling(path: Path, split: str) -> Path:
    """The file of another split beside the one that was named."""
    file = path.with_name(f"{split}{path.suffix}")
    if not file.is_file():
        raise DatasetError(f"{file}: no such file; the {split} rows are looked for beside {path.name}, so put it there")
    return file


def _read(path: Path) -> Sequence[Row]:
    if path.suffix not in SUFFIXES:
        raise DatasetError(f"{path}: is neither a .jsonl nor a .parquet file; name it after what it holds")
    rows = _parquet(path) if path.suffix == ".parquet" else _json_lines(path)
    if not rows:
        raise DatasetError(f"{path}: is empty; a source needs at least one row")
    return rows


def _json_lines(path: Path) -> list[Row]:
    """One row a line. Lines end with LF or CRLF only: a text may hold the other separators that Unicode has."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, ValueError) as error:
        raise DatasetError(f"{path}: cannot be read as UTF-8 ({error}); give JSON Lines in UTF-8") from error
    rows: list[Row] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line, parse_constant=_refuse, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise DatasetError(f"{path}:{number}: is no JSON object on one line ({error}); mend that line") from error
        if not isinstance(row, dict):
            raise DatasetError(f"{path}:{number}: is {type(row).__name__}, not an object with the columns of a row")
        rows.append(row)
    return rows


def _refuse(constant: str) -> float:
    """JSON knows no NaN and no infinity, though Python reads them."""
    raise ValueError(f"{constant} is no number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names stand once: of two answers to one question neither can be trusted."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a name stands twice among {', '.join(repr(name) for name, _ in pairs)}")
    return found


def _parquet(path: Path) -> list[Row]:
    import pyarrow.parquet  # a second of import time that JSON Lines need not pay

    try:
        rows: list[Row] = pyarrow.parquet.read_table(path).to_pylist()
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise DatasetError(f"{path}: cannot be read as Parquet ({_one_line(error)}); fetch it again") from error
    return rows


def _hub(source: str, split: str, path: Path) -> Sequence[Row]:
    import datasets  # seconds of import time that local files need not pay

    name, _, configuration = source.partition(":")
    try:
        rows: list[Row] = datasets.load_dataset(name, configuration or None, split=split).to_list()
    except Exception as error:
        # The library raises a dozen kinds of error, builtin ones too; all of them mean that there are no rows.
        raise DatasetError(
            f"{source}: split {split!r} cannot be loaded from the hub ({type(error).__name__}: {_one_line(error)}), "
            f"and there is no {path}; check the name, or give a local .jsonl or .parquet file"
        ) from error
    if not rows:
        raise DatasetError(f"{source}: split {split!r} is empty; a source needs at least one row")
    return rows


def _one_line(error: Exception) -> str:
    """What other people's errors say, which may be a page."""
    return " ".join(str(error).split())[:300]
