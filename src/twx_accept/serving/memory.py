"""Memory before a boot and after a stop: the next server must find what the last one found."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psutil

from twx_accept.domain.suite import Engine
from twx_accept.errors import MemoryNotBack, ServingError
from twx_accept.serving.arguments import environment

GIB = 2**30
CARD_SLACK_BYTES = 256 * 2**20
"""What may still be used on a card: a driver keeps some of what it took."""
HOST_SLACK_FRACTION = 0.05
"""What may be missing on the host, as a part of all memory (1 GiB at least)."""
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at, never written to
LOOK_SECONDS = 0.25
MOST_HOLDERS = 5


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds memory, or without ``pid`` a file in shared memory that does."""

    pid: int | None
    name: str
    bytes: int

    def __str__(self) -> str:
        size = f"{self.bytes / GIB:.1f} GiB"
        return f"{self.name} ({size})" if self.pid is None else f"{self.pid} ({self.name}, {size})"


class Memory(Protocol):
    """Memory of one kind of device."""

    def used(self) -> tuple[int, ...]:
        """Bytes in use now, of the host or of each card."""

    def totals(self) -> tuple[int, ...]:
        """Bytes of each card; empty for the host, which has none."""

    def slack(self) -> int:
        """Bytes by which each place may lie above what it was."""

    def holders(self) -> list[Holder]:
        """Who holds most of it now."""


class HostMemory:
    """The memory of the machine, for engines on the CPU.

    What a process alone holds goes with it, and that no process of a server is left is checked where it is stopped.
    What can stay is memory that belongs to no process: so the private memory of all living processes is taken off,
    and whatever else starts or grows on the machine meanwhile is not mistaken for the server's.
    """

    def used(self) -> tuple[int, ...]:
        """Bytes that are neither available to a new process nor private to a living one."""
        memory = psutil.virtual_memory()
        private = 0
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                held = process.memory_info()
                private += held.rss - held.shared
        return (max(0, memory.total - memory.available - private),)

    def totals(self) -> tuple[int, ...]:
        """No cards."""
        return ()

    def slack(self) -> int:
        """5% of all memory, at least 1 GiB."""
        return max(int(HOST_SLACK_FRACTION * psutil.virtual_memory().total), GIB)

    def holders(self) -> list[Holder]:
        """The largest files in shared memory, which outlive the processes that made them."""
        found = []
        for path in SHARED_MEMORY.iterdir() if SHARED_MEMORY.is_dir() else ():
            with contextlib.suppress(OSError):
                found.append(Holder(None, str(path), path.stat().st_size))
        return sorted(found, key=lambda holder: -holder.bytes)[:MOST_HOLDERS]


class CardMemory:
    """The memory of NVIDIA cards, through NVML, which is only read here.

    ``visible`` is the engine's ``CUDA_VISIBLE_DEVICES``: what happens on other cards is other people's business.
    """

    def __init__(self, visible: str | None = None) -> None:
        import pynvml  # only here, so that a machine without a driver never loads it

        self._nvml: Any = pynvml
        try:
            pynvml.nvmlInit()
            self._cards = [self._card(name) for name in card_names(visible, pynvml.nvmlDeviceGetCount())]
        except pynvml.NVMLError as error:
            raise ServingError(
                f"the NVIDIA driver does not show the cards (CUDA_VISIBLE_DEVICES={visible}): {error}. "
                f"Look at `nvidia-smi`, or say device = cpu in the suite's engine."
            ) from error

    def _card(self, name: str) -> Any:
        by_index = name.isdigit()
        return (
            self._nvml.nvmlDeviceGetHandleByIndex(int(name)) if by_index else self._nvml.nvmlDeviceGetHandleByUUID(name)
        )

    def used(self) -> tuple[int, ...]:
        """Bytes in use on each card, by whomever."""
        return tuple(int(self._nvml.nvmlDeviceGetMemoryInfo(card).used) for card in self._cards)

    def totals(self) -> tuple[int, ...]:
        """Bytes of each card."""
        return tuple(int(self._nvml.nvmlDeviceGetMemoryInfo(card).total) for card in self._cards)

    def kind(self) -> dict[str, Any]:
        """Name and bytes of each card and the driver's version: what can change an answer, and no serial number."""
        names = [_text(self._nvml.nvmlDeviceGetName(card)) for card in self._cards]
        cards = [[name, total] for name, total in zip(names, self.totals(), strict=True)]
        return {"cards": cards, "driver": _text(self._nvml.nvmlSystemGetDriverVersion())}

    def slack(self) -> int:
        """256 MiB."""
        return CARD_SLACK_BYTES

    def holders(self) -> list[Holder]:
        """The processes on the cards. In a container the driver may show none, or the host's numbers."""
        found = []
        for card in self._cards:
            for process in self._nvml.nvmlDeviceGetComputeRunningProcesses(card):
                name = "not visible from here"
                with contextlib.suppress(psutil.Error):
                    name = psutil.Process(process.pid).name()
                found.append(Holder(process.pid, name, int(process.usedGpuMemory or 0)))
        return found


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def cards_of(engine: Engine) -> dict[str, Any]:
    """The cards that the engine sees, for the identity of what it answers; nothing on a CPU (ServingError as NVML)."""
    if engine.device == "cpu":
        return {}
    return CardMemory(environment(engine).get("CUDA_VISIBLE_DEVICES")).kind()


def card_names(visible: str | None, count: int) -> list[str]:
    """The names of the cards that ``CUDA_VISIBLE_DEVICES`` lets through (indices or UUIDs), all where it is not set."""
    if visible is None:
        return [str(index) for index in range(count)]
    return [name.strip() for name in visible.split(",") if name.strip()]


def memory_of(engine: Engine) -> Memory:
    """The memory that this engine fills."""
    if engine.device == "cpu":
        return HostMemory()
    return CardMemory(environment(engine).get("CUDA_VISIBLE_DEVICES"))


def wait_until_back(
    memory: Memory, before: tuple[int, ...], *, seconds: float, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Waits until no more is in use than ``before`` the boot, give or take the slack.

    Raises:
        MemoryNotBack: ``seconds`` passed; names the places and who holds memory now.
    """
    deadline = time.monotonic() + seconds
    while True:
        now = memory.used()
        above = {i: now[i] - was for i, was in enumerate(before) if now[i] - was > memory.slack()}
        if not above:
            return
        if time.monotonic() >= deadline:
            break
        sleep(LOOK_SECONDS)
    places = ", ".join(
        f"{'card ' + str(i) if memory.totals() else 'host'}: {more / GIB:.1f} GiB" for i, more in above.items()
    )
    holders = ", ".join(map(str, memory.holders())) or "nobody that is visible from here"
    raise MemoryNotBack(
        f"{seconds:g} s after the server's end more memory is in use than before its boot ({places}). "
        f"Held by: {holders}. Stop what should not run beside the suite, or raise memory_seconds if it needs longer."
    )
