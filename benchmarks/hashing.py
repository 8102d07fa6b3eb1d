"""Are weights hashed at the disk's speed? ``cat FILES > /dev/null``, our reading of them and our digests, in turn.

usage: python benchmarks/hashing.py [--folder DIR] [--files 4] [--mib 512] [--rounds 3] [--warm]

Hashes the weight files of a folder, or files that it writes itself (random bytes, in --files shards of --mib MiB). The
page cache is emptied of them before every turn (posix_fadvise), or filled with --warm. No digest is remembered. Medians
of seconds of the wall and of this process, MB/s, the ratio to cat; and what one core hashes of bytes in memory, which
is the limit of a single file. Writes reports/benchmarks/hashing.json.
"""

import argparse
import hashlib
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from workbench import forget, run_script, save, say, table

from twx_accept.evidence import hashing

MIB = 2**20


def written(folder: Path, count: int, mib: int) -> list[Path]:
    """Shards of random bytes, on the disk."""
    files = []
    for number in range(count):
        file = folder / f"model-{number + 1:05}-of-{count:05}.safetensors"
        with file.open("wb") as stream:
            for _ in range(mib):
                stream.write(os.urandom(MIB))
            os.fsync(stream.fileno())
        files.append(file)
    return files


def cat(files: Sequence[Path]) -> None:
    """Read them as the usual tool does."""
    with Path(os.devnull).open("wb") as nothing:
        subprocess.run([shutil.which("cat") or "cat", *map(str, files)], stdout=nothing, check=True)


def digests(files: Sequence[Path]) -> None:
    """Hash them as a run does, with an empty memory."""
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        hashing.digests(files, lambda _name, _done, _total: None)


class _Unread:
    """In the place of a digest: takes the bytes and does nothing with them."""

    def update(self, _block: object) -> None:
        """Nothing."""

    def hexdigest(self) -> str:
        """No digest."""
        return ""


def reading(files: Sequence[Path]) -> None:
    """Read them as a run does to hash them, and hash nothing."""
    with mock.patch.object(hashing.hashlib, "sha256", _Unread):
        digests(files)


def one_core() -> float:
    """MB/s of SHA-256 over bytes that are in memory, on one core."""
    block = os.urandom(hashing.CHUNK)
    begun, size = time.process_time(), 0
    summed = hashlib.sha256()
    while (took := time.process_time() - begun) < 1.0:
        summed.update(block)
        size += len(block)
    return size / took / 1e6


WAYS = {"cat": cat, "our reading alone": reading, "digests": digests}


def taken(files: Sequence[Path], rounds: int, warm: bool) -> list[dict[str, Any]]:
    """Each way in turn, so many times."""
    size, turns = sum(file.stat().st_size for file in files), []
    for _ in range(rounds):
        for who, work in WAYS.items():
            if warm:
                cat(files)
            else:
                forget(files)
            begun, cpu = time.monotonic(), time.process_time()
            work(files)
            took = time.monotonic() - begun
            turns.append({"who": who, "seconds": took, "cpu": time.process_time() - cpu})
            say(f"  {who}: {took:.2f} s, {size / took / 1e6:,.0f} MB/s")
    return turns


def medians(turns: Sequence[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """One row for each way: seconds, of the wall and of this process, and its speed against the first's."""
    rows: list[dict[str, Any]] = []
    for who in WAYS:
        own = [turn for turn in turns if turn["who"] == who]
        seconds, cpu = (statistics.median(turn[name] for turn in own) for name in ("seconds", "cpu"))
        rows.append({"who": who, "seconds": seconds, "MB/s": size / seconds / 1e6, "cpu s": cpu})
        rows[-1]["over cat"] = rows[-1]["MB/s"] / rows[0]["MB/s"]
    return rows


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description="Digests of files against cat.")
    parser.add_argument("--folder", type=Path, help="hash the weight files of this folder")
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--mib", type=int, default=512, help="of each file (default 512)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", action="store_true", help="with the files in the page cache")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="twx-bench-", dir=options.folder and Path.cwd()) as name:
        given = sorted(options.folder.glob("*.safetensors")) if options.folder else None
        files = given or written(Path(name), options.files, options.mib)
        size = sum(file.stat().st_size for file in files)
        turns = taken(files, options.rounds, options.warm)
    rows, core = medians(turns, size), one_core()
    kind = "in the page cache" if options.warm else "from the disk"
    say(f"\n{len(files)} files of together {size / 1e6:,.0f} MB, {kind}, load {os.getloadavg()[0]:.1f}:")
    table([{k: f"{v:,.2f}" if isinstance(v, float) else v for k, v in row.items()} for row in rows])
    say(f"one core hashes {core:,.0f} MB/s of bytes in memory")
    about = {"bytes": size, "files": len(files), "warm": options.warm, "one_core": core}
    save("hashing", {**about, "medians": rows, "turns": turns})


if __name__ == "__main__":
    run_script(main)
