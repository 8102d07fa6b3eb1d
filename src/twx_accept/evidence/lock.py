"""Who may write: one run at a time for a build's evidence, and one server at a time on this machine's processor."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock
import psutil

from twx_accept.errors import EvidenceError, EvidenceLocked

POLL_SECONDS = 1.0
CLOCK_SECONDS = 2.0
"""What two processes may differ by in saying when a third began: each takes the machine's start from the clock anew."""


@contextmanager
def held(
    file: Path, what: str, *, wait_seconds: float, say: Callable[[str], None], purpose: str = ""
) -> Iterator[None]:
    """Hold a lock, waiting for whoever holds it and saying who that is.

    The operating system frees it when its holder dies, however it dies.

    Args:
        file: the lock's file; beside it stands who holds it.
        what: what is locked, in words.
        wait_seconds: how long to wait; 0 does not wait.
        say: told once who is being waited for, and at the end for how long.
        purpose: what it is held for, in words, for those that wait.

    Raises:
        EvidenceLocked: it was not to be had in time, naming the holder.
        EvidenceError: there can be no lock at this place.
    """
    lock = filelock.FileLock(file)
    note = _note(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _acquire(lock, note, what, wait_seconds, say)
    except (OSError, NotImplementedError) as error:  # a full disk, no rights, a file system without locks
        raise EvidenceError(
            f"{file}: {what} cannot be locked ({error}); choose a folder that can be written"
        ) from error
    try:
        with suppress(OSError):  # the lock holds without it; only its holder's name is missing then
            mine = {"pid": os.getpid(), "began": _began(os.getpid()), "command": " ".join(sys.argv)[:200]}
            note.write_text(json.dumps({**mine, "purpose": purpose[:200]}), encoding="utf-8")
        yield
    finally:
        with suppress(OSError):
            note.unlink(missing_ok=True)
        lock.release()


def _acquire(
    lock: filelock.BaseFileLock, note: Path, what: str, wait_seconds: float, say: Callable[[str], None]
) -> None:
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        begun = time.monotonic()
        if wait_seconds > 0:
            say(f"waiting for {what}: {_holder(note)} holds it")
        try:
            # Less than nothing would be without end.
            lock.acquire(timeout=max(wait_seconds, 0), poll_interval=POLL_SECONDS)
        except filelock.Timeout as error:
            raise EvidenceLocked(
                f"{what} is held by {_holder(note)}; wait for it to end, or stop it, and run again"
            ) from error
        say(f"waited {time.monotonic() - begun:.0f} s for {what}")


def holder(file: Path) -> str:
    """Who holds the lock of that file, in words."""
    return _holder(_note(file))


def held_for(file: Path) -> str:
    """What the lock of that file is held for by a process that lives; empty where nobody holds it.

    A killed holder leaves its note, and its number may be another process's by now: so its begin is compared too.
    """
    try:
        kept = json.loads(_note(file).read_text(encoding="utf-8"))
        apart = abs(_began(int(kept["pid"])) - float(kept["began"]))
        return str(kept["purpose"]) if apart <= CLOCK_SECONDS else ""
    except (*_NO_NOTE, psutil.Error):
        return ""


def is_held(file: Path) -> bool:
    """Whether somebody holds the lock of that file now."""
    try:
        with held(file, "it", wait_seconds=0, say=lambda _: None):
            return False
    except EvidenceLocked:
        return True


def _began(pid: int) -> float:
    """When a process began, in seconds since 1970."""
    return psutil.Process(pid).create_time()


def _note(file: Path) -> Path:
    """Where it stands who holds the lock of that file. Names of builds may hold points, and are kept whole."""
    return file.with_suffix(".holder")


_NO_NOTE = (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError)
"""What comes of a note that is not there, half written, or somebody else's."""


def _holder(note: Path) -> str:
    try:
        kept = json.loads(note.read_text(encoding="utf-8"))
        aim = f" for {kept['purpose']}" if kept.get("purpose") else ""
        return f"process {kept['pid']} ({kept['command']}){aim}"
    except (*_NO_NOTE, AttributeError):
        return "another run"
