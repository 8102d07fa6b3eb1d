"""What a value of a suite counts by in an identity: what lies at the path that it names, not where that is.

What cannot be read from here (it lies in an image, say) counts by its path: then another path is another identity.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

MOST_FILES = 2000
"""Files of a folder that are looked into; one of more is no folder of settings."""

WHOLE = 2**20
"""Bytes of a file up to which all of it counts; a larger one counts by its size and its end, where weights differ."""

NOT_LOOKED_INTO = "__pycache__"
"""What the engine's own Python writes; besides it what is hidden."""


def by_content(value: Any, folder: Path) -> Any:
    """A value of a suite, with what is in the file or folder in the place of each path to it, also within tables.

    Args:
        value: a flag's value; a text may be a table as JSON.
        folder: where relative paths begin.
    """
    if isinstance(value, Mapping):
        return {name: by_content(inner, folder) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [by_content(inner, folder) for inner in value]
    if not isinstance(value, str):
        return value
    if value.startswith("{"):
        return _of_table(value, folder)
    return of_path(value, folder) if os.sep in value else value


def of_path(text: str, folder: Path) -> str:
    """What is in the file or folder at a path, as a digest; the text as it is where that cannot be told."""
    try:
        path = folder / Path(text).expanduser()
        if path.is_file():
            return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
        found = _of_folder(path) if path.is_dir() else ""
    except (OSError, ValueError, RuntimeError):  # no right to read it, no path at all, or nobody's home
        return text
    return f"sha256:{found}" if found else text


def _of_table(text: str, folder: Path) -> Any:
    """A table as JSON; as it is written where no path is in it."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        return text
    found = by_content(table, folder)
    return text if found == table else found


def _of_folder(folder: Path) -> str:
    """A digest of the names, sizes and contents of a folder's files; empty where they are too many, or none.

    Raises:
        OSError: one cannot be read.
    """
    found = list(islice(folder.rglob("*"), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        return ""
    files = {name: path for path in found if _counts(name := path.relative_to(folder)) and path.is_file()}
    summed = hashlib.sha256()
    for name in sorted(files):
        with files[name].open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - WHOLE))
            digest = hashlib.sha256(stream.read(WHOLE)).hexdigest()
        summed.update(json.dumps([name.as_posix(), size, digest]).encode())
    return summed.hexdigest() if files else ""


def _counts(name: Path) -> bool:
    return not any(part.startswith(".") or part == NOT_LOOKED_INTO for part in name.parts)
