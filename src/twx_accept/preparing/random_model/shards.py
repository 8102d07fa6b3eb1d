"""Writes weights as safetensors, shard by shard and piece by piece: no tensor is ever in memory as a whole."""

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

SHARD_BYTES = 5 * 10**9
"""The usual limit; a single tensor that is larger has a shard of its own."""

_WRITERS = 8
"""Shards that are written at a time: numpy and the disk work beside Python."""

_ITEM = {"BF16": 2, "F32": 4, "I8": 1, "F8_E4M3": 1}


class Stopped(Exception):
    """Another shard failed, or the user did not want to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A tensor and how its bytes come about."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    pieces: Callable[[], Iterator[NDArray[Any]]]

    @property
    def bytes(self) -> int:
        """Its size in the file."""
        size = _ITEM[self.dtype]
        for length in self.shape:
            size *= length
        return size


def split(entries: Iterable[Entry], largest: int = SHARD_BYTES) -> list[list[Entry]]:
    """The shards, in order: each as full as it gets without growing over ``largest`` bytes of weights."""
    shards: list[list[Entry]] = [[]]
    room = largest
    for entry in entries:
        if shards[-1] and entry.bytes > room:
            shards.append([])
            room = largest
        shards[-1].append(entry)
        room -= entry.bytes
    return shards


def write_shards(folder: Path, shards: Sequence[Sequence[Entry]], count: Callable[[int], None]) -> None:
    """Write the shards and, where there are several, their index.

    Args:
        folder: an empty folder.
        shards: what ``split`` made.
        count: told the bytes of every piece that was written, from several threads.
    """
    total = len(shards)
    names = (
        ["model.safetensors"] if total == 1 else [f"model-{n + 1:05}-of-{total:05}.safetensors" for n in range(total)]
    )
    stop = threading.Event()
    pool = ThreadPoolExecutor(min(_WRITERS, os.cpu_count() or 1))
    try:
        jobs = [
            pool.submit(_write, folder / name, shard, count, stop) for name, shard in zip(names, shards, strict=True)
        ]
        for job in jobs:
            job.result()
    finally:  # an error, or Ctrl-C: the others end at their next piece
        stop.set()
        pool.shutdown(cancel_futures=True)
    if total > 1:
        places = {entry.name: name for name, shard in zip(names, shards, strict=True) for entry in shard}
        size = sum(entry.bytes for shard in shards for entry in shard)
        index = {"metadata": {"total_size": size}, "weight_map": dict(sorted(places.items()))}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


def _write(file: Path, shard: Sequence[Entry], count: Callable[[int], None], stop: threading.Event) -> None:
    with file.open("xb") as stream:
        stream.write(_header(shard))
        for entry in shard:
            for piece in entry.pieces():
                if stop.is_set():
                    raise Stopped(file.name)
                stream.write(piece.data)
                count(piece.nbytes)


def _header(shard: Sequence[Entry]) -> bytes:
    """The length in 8 bytes, then JSON, filled with spaces so that the weights begin at a multiple of 8."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    begin = 0
    for entry in shard:
        end = begin + entry.bytes
        header[entry.name] = {"dtype": entry.dtype, "shape": list(entry.shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text
