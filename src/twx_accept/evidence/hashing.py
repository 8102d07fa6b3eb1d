"""Digests of files, taken in parallel and remembered from run to run."""

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import filelock
import platformdirs

CHUNK = 2**20
"""Bytes that are read at once, into the same place each time: they are hashed while a core's own cache holds them."""

TOLD = 8
"""Chunks between two words of progress."""

THREADS = max(8, min(32, os.cpu_count() or 1))
"""Files at once. A core hashes 1.5 GB/s or so, and disks of a large node give ten times that."""

LOCK_SECONDS = 10.0

Progress = Callable[[str, int, int], None]
"""Called with a file's name, bytes hashed so far and bytes in all."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


def digests(files: Sequence[Path], progress: Progress) -> dict[str, str]:
    """SHA-256 (hex) of each file by its name.

    A digest is remembered by path, size, time of change and the file system's own marks (inode and its time), which
    no tool that restores times can set back: two versions unpacked with one fixed time are two files.

    Raises:
        OSError: a file cannot be read.
    """
    memory = _Memory(Path(platformdirs.user_cache_dir("twx-accept")) / "digests.json")
    known = memory.read()
    count = _Count(progress, sum(file.stat().st_size for file in files))

    def one(file: Path) -> tuple[str, str, str]:
        stat = file.stat()
        label = f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}|{stat.st_ino}|{stat.st_ctime_ns}"
        value = known.get(label)
        if value is None:
            return file.name, label, _sha256(file, count)
        count.add(file.name, stat.st_size)
        return file.name, label, value

    with ThreadPoolExecutor(max_workers=THREADS) as pool:
        try:
            found = list(pool.map(one, files))
        except BaseException:
            count.ended.set()  # or Ctrl-C would wait for every file that is in hand, minutes with shards of a terabyte
            raise
    memory.add({label: value for _, label, value in found if label not in known})
    return {name: value for name, _, value in found}


class _Count:
    """Bytes done, counted and told by one thread at a time."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self.ended = threading.Event()

    def add(self, name: str, size: int) -> None:
        with self._lock:
            self._done += size
            self._progress(name, self._done, self._total)


def _sha256(file: Path, count: _Count) -> str:
    """The digest of a file; once the count has ended it comes to nothing, and nobody waits for it."""
    summed, place = hashlib.sha256(), bytearray(CHUNK)
    view, turn, untold = memoryview(place), 0, 0
    with file.open("rb", buffering=0) as stream:
        while not count.ended.is_set() and (size := stream.readinto(place)):
            summed.update(view[:size])
            turn, untold = turn + 1, untold + size
            if turn % TOLD == 0:
                count.add(file.name, untold)
                untold = 0
    if untold:
        count.add(file.name, untold)
    return summed.hexdigest()


class _Memory:
    """Digests already taken. A cache: whatever is wrong with it, the files are hashed again."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {label: value for label, value in kept.items() if isinstance(value, str) and _SHA256.fullmatch(value)}

    def add(self, new: Mapping[str, str]) -> None:
        if not new:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with filelock.FileLock(f"{self._file}.lock", timeout=LOCK_SECONDS):
                fresh = self._file.with_suffix(".new")
                fresh.write_text(json.dumps(self.read() | dict(new)), encoding="utf-8")
                fresh.replace(self._file)
        except (OSError, NotImplementedError):  # no home, a full disk, a file system without locks
            return
