"""The header of a safetensors file: which tensors it holds, and whether the file is whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Tensor
from twx_accept.errors import EvidenceError

LARGEST_HEADER = 100 * 2**20
"""Bytes: the format's own limit for the header of a safetensors file."""

LFS_POINTER = b"version "
"""How a pointer of Git LFS begins, where a header's length would stand."""

_FETCH = "fetch the build again"


def read_header(file: Path) -> dict[str, Tensor]:
    """The tensors that a safetensors file holds, from its header alone.

    Raises:
        EvidenceError: the file is truncated, or no safetensors file.
        OSError: it cannot be read.
    """
    size = file.stat().st_size
    with file.open("rb") as stream:
        begin = stream.read(8)
        length = int.from_bytes(begin, "little")
        if begin == LFS_POINTER:
            raise EvidenceError(f"{file.name}: a pointer of Git LFS and no weights; fetch them with `git lfs pull`")
        if size < 8 or length > min(LARGEST_HEADER, size - 8):
            raise EvidenceError(f"{file.name}: its header would be {length} bytes in a file of {size}; {_FETCH}")
        text = stream.read(length)
    try:
        header: Mapping[str, Any] = json.loads(text)
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        tensors = {name: _tensor(entry) for name, entry in entries.items()}
        spans = sorted(tuple(entry["data_offsets"]) for entry in entries.values())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EvidenceError(f"{file.name}: its header is no safetensors header ({error}); {_FETCH}") from error
    end = 0
    for begin, until in spans:
        if begin != end:
            raise EvidenceError(f"{file.name}: a tensor begins at byte {begin}, not at {end}; {_FETCH}")
        end = until
    if end != size - 8 - length:
        raise EvidenceError(f"{file.name}: describes {end} bytes of tensors, {size - 8 - length} are there; {_FETCH}")
    return tensors


def _tensor(entry: Mapping[str, Any]) -> Tensor:
    begin, end = (_natural(value) for value in entry["data_offsets"])
    if end < begin:
        raise ValueError(f"a tensor that ends at {end}, before it begins at {begin}")
    if not isinstance(entry["shape"], list) or not isinstance(entry["dtype"], str):
        raise TypeError(f"a tensor of the shape {entry['shape']!r} and type {entry['dtype']!r}")
    return Tensor(dtype=entry["dtype"], shape=tuple(map(_natural, entry["shape"])), bytes=end - begin)


def _natural(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} where a count is due")
    return value
