"""Who may write: one run at a time for a build's evidence, and one server at a time on this machine's processor."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from twx_accept.errors import EvidenceLocked

POLL_SECONDS = 1.0


@contextmanager
def held(file: Path, what: str, *, wait_seconds: float, say: Callable[[str], None]) -> Iterator[None]:
    """Hold a lock, waiting for whoever holds it and saying who that is.

    The operating system frees it when its holder dies, however it dies.

    Args:
        file: the lock's file; beside it stands who holds it.
        what: what is locked, in words.
        wait_seconds: how long to wait; 0 does not wait.
        say: told once who is being waited for.

    Raises:
        EvidenceLocked: it was not to be had in time, naming the holder.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(file)
    note = file.with_suffix(".holder")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        if wait_seconds > 0:
            say(f"waiting for {what}: {_holder(note)} holds it")
        try:
            lock.acquire(timeout=wait_seconds, poll_interval=POLL_SECONDS)
        except filelock.Timeout as error:
            raise EvidenceLocked(
                f"{what} is held by {_holder(note)}; wait for it to end, or stop it, and run again"
            ) from error
    try:
        note.write_text(json.dumps({"pid": os.getpid(), "command": " ".join(sys.argv)[:200]}), encoding="utf-8")
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _holder(note: Path) -> str:
    try:
        kept = json.loads(note.read_text(encoding="utf-8"))
        return f"process {kept['pid']} ({kept['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another run"
