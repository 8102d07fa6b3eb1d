"""The processes that judging is spread over: one for each core where there is much to judge, else none.

What they are given are pure functions of what they are given with, so that nothing depends on how many there are.
"""

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from twx_accept.errors import WorkerLost

MOST = 32
"""Processes: more have nothing left to do at the published size."""

TURNS = 8
"""Portions that each process gets of what is cut into parts: the last ones even out what took longer."""

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")


class Parcel(Generic[A]):
    """What several works are begun with: it is written once for all of them, and read by each."""

    def __init__(self, content: A) -> None:
        self.content = content
        self._written = b""

    def __reduce__(self) -> tuple[Callable[[bytes], "Parcel[A]"], tuple[bytes]]:
        """How it is sent to another process."""
        self._written = self._written or pickle.dumps(self.content, pickle.HIGHEST_PROTOCOL)
        return _opened, (self._written,)


def _opened(written: bytes) -> Parcel[Any]:
    return Parcel(pickle.loads(written))  # noqa: S301 - this program wrote it


@dataclass(frozen=True, slots=True)
class Crew:
    """Whoever works: other processes, or where there are none this one."""

    processes: Executor | None = None
    size: int = 1

    def begin(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Begin some work; the answer waits for what comes of it.

        It raises what the work raised, and WorkerLost where its process was ended. Without other processes the work is
        done when it is waited for.
        """
        if self.processes is None:
            return lambda: work(*args, **kwargs)
        with _told():
            begun = self.processes.submit(work, *args, **kwargs)

        def result() -> R:
            with _told():
                return begun.result()

        return result

    def spread(self, work: Callable[[A], R], parts: Sequence[A]) -> list[R]:
        """The same work on each part, in the order of the parts (see :meth:`begin`)."""
        if self.processes is None:
            return list(map(work, parts))
        with _told():
            return list(self.processes.map(work, parts, chunksize=len(parts) // (TURNS * self.size) + 1))


def cores() -> int:
    """How many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def warm(modules: Iterable[str]) -> None:
    """Begin the process that the others are forked from: it imports the ``modules`` while this one goes on."""
    forkserver.set_forkserver_preload(list(modules))
    forkserver.ensure_running()


@contextlib.contextmanager
def crew(size: int, modules: Iterable[str]) -> Iterator[Crew]:
    """So many processes, which end with the block however it ends, and with this process however that ends.

    They are forked from a process that does nothing else, for this one may have threads; that one has imported the
    ``modules`` once for all.
    """
    if size < 2:
        yield Crew()
        return
    warm(modules)
    context = multiprocessing.get_context("forkserver")
    alive, held = context.Pipe(duplex=False)
    with held, alive, _no_main():
        processes = ProcessPoolExecutor(size, mp_context=context, initializer=_ready, initargs=(alive,))
        try:
            yield Crew(processes, size)
        except BaseException:
            held.close()
            raise
        finally:
            processes.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Every process would import the program that runs here, which is a command line or pytest, before it did a thing.

    Nothing of that program is sent to them.
    """
    own = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = own


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerLost(
            "a process that was judging was ended before it was done, as when memory runs out; nothing is decided: "
            "make room, or judge with fewer processes (--workers 1)"
        ) from error


def _ready(alive: Connection) -> None:
    """A keystroke that stops the run is answered by the process that began it. Nobody looks for cycles in what is read.

    It lives no longer than the judging, and what it reads is millions of objects in none.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    threading.Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Any) -> None:
    """End when the other end of the pipe is closed, which a process that is killed does too."""
    with contextlib.suppress(EOFError, OSError):
        alive.recv_bytes()
    os._exit(1)
