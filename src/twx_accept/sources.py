"""Question and passage sources: local JSON Lines or Parquet, or a data set of the Hugging Face hub.

A local source is a folder that holds ``SPLIT.jsonl`` or ``SPLIT.parquet`` for each split, or one such file. Anything
else is a hub name, with the configuration after a colon: ``cais/mmlu:all``.
"""

import json
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
        path = self.folder / Path(source).expanduser()
        if path.is_dir():
            return _read(_split_file(path, split))
        if path.is_file():
            return _read(path) if split == "test" else _read(_sibling(path, split))
        if Path(source).suffix in SUFFIXES or source.startswith((".", "/", "~")):
            raise DatasetError(f"{path}: no such file or folder; give a .jsonl or .parquet file or a hub name")
        return _hub(source, split)


def _split_file(folder: Path, split: str) -> Path:
    for suffix in SUFFIXES:
        if (file := folder / f"{split}{suffix}").is_file():
            return file
    raise DatasetError(f"{folder}: holds neither {split}.jsonl nor {split}.parquet")


def _sibling(path: Path, split: str) -> Path:
    """The file of another split beside the one that was named."""
    file = path.with_name(f"{split}{path.suffix}")
    if not file.is_file():
        raise DatasetError(f"{file}: no such file; the {split} rows are looked for beside {path.name}")
    return file


def _read(path: Path) -> Sequence[Row]:
    rows = _parquet(path) if path.suffix == ".parquet" else _json_lines(path)
    if not rows:
        raise DatasetError(f"{path}: is empty; a source needs at least one row")
    return rows


def _json_lines(path: Path) -> list[Row]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: cannot be read as UTF-8 ({error})") from error
    rows: list[Row] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise DatasetError(f"{path}:{number}: is no JSON object on one line ({error})") from error
        if not isinstance(row, dict):
            raise DatasetError(f"{path}:{number}: is {type(row).__name__}, not an object with the columns of a row")
        rows.append(row)
    return rows


def _parquet(path: Path) -> list[Row]:
    import pyarrow.parquet  # a second of import time that JSON Lines need not pay

    try:
        table = pyarrow.parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise DatasetError(f"{path}: cannot be read as Parquet ({error})") from error
    rows: list[Row] = table.to_pylist()
    return rows


def _hub(source: str, split: str) -> Sequence[Row]:
    import datasets  # seconds of import time that local files need not pay

    name, _, configuration = source.partition(":")
    try:
        data = datasets.load_dataset(name, configuration or None, split=split)
    except Exception as error:
        # The library raises a dozen kinds of error, builtin ones too; all of them mean that there are no rows.
        raise DatasetError(
            f"{source}: split {split!r} cannot be loaded from the hub ({type(error).__name__}: {error}); "
            "check the name, or give a local .jsonl or .parquet file"
        ) from error
    rows: list[Row] = data.to_list()
    return rows
