"""NVIDIA cards as NVML shows them. They are only read here.

NVML numbers cards by their place on the bus, as ``nvidia-smi`` does. CUDA does so only under
``CUDA_DEVICE_ORDER=PCI_BUS_ID``; with cards of several kinds its own order is another.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from twx_accept.errors import ServingError
from twx_accept.serving.holding import CARD_SLACK_BYTES, Holder

VISIBLE = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card, or one part of a card that is divided (MIG).

    ``name`` is what to call it in ``CUDA_VISIBLE_DEVICES``: its index, which every engine reads, or of a part the UUID;
    ``uuid`` is NVML's whole name of it; ``model`` and ``total`` (bytes) say what kind it is.
    """

    name: str
    uuid: str
    model: str
    total: int

    @property
    def label(self) -> str:
        """What people call it."""
        return f"card {self.name}"

    @property
    def kind(self) -> tuple[str, int]:
        """What can change an answer: no serial number is in it."""
        return self.model, self.total


class Driver:
    """NVML behind errors of ours. Every method raises ServingError where the driver fails."""

    def __init__(self) -> None:
        import pynvml  # only here, so that a machine without a driver never loads it

        self.nvml: Any = pynvml
        self.call("does not start", pynvml.nvmlInit)

    def call(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """A call of NVML's."""
        try:
            return function(*arguments)
        except self._errors as error:
            raise ServingError(
                f"the NVIDIA driver {what}: {error}. Look at `nvidia-smi`, or say device = cpu in the suite's engine."
            ) from error

    @property
    def _errors(self) -> tuple[type[Exception], ...]:
        """NVML's own errors. That a library and a driver do not fit each other is no NVMLError there."""
        mismatch = getattr(self.nvml, "NVMLLibraryMismatchError", None)
        return (self.nvml.NVMLError, *([mismatch] if mismatch else []))

    def quietly(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A call whose answer is not needed: None where the driver has none."""
        with contextlib.suppress(*self._errors):
            return function(*arguments)
        return None

    def version(self) -> str:
        """The driver's version."""
        return _text(self.call("does not tell its version", self.nvml.nvmlSystemGetDriverVersion))

    def cuda(self) -> tuple[int, int]:
        """The newest CUDA that the driver runs."""
        number = int(self.call("does not tell its CUDA", self.nvml.nvmlSystemGetCudaDriverVersion_v2))
        return number // 1000, number % 1000 // 10

    def handles(self, visible: str | None) -> list[Any]:
        """The handle of each card that ``CUDA_VISIBLE_DEVICES`` lets through, all where it is not set.

        CUDA itself stops at the first name that it does not know and uses the cards before it; here that is an error,
        because whoever wrote the name meant a card.
        """
        count = int(self.call("does not count its cards", self.nvml.nvmlDeviceGetCount))
        names = [str(index) for index in range(count)] if visible is None else _names(visible)
        if not names:
            why = "there is none" if visible is None else f"{VISIBLE}={visible!r} hides all of them"
            raise ServingError(f"no card can be used: {why}. Name cards in {VISIBLE}, or say device = cpu.")
        found = [self._handle(name, count) for name in names]
        uuids = list(map(self.uuid, found))
        if double := [name for name, uuid in zip(names, uuids, strict=True) if uuids.count(uuid) > 1]:
            raise ServingError(f"{VISIBLE}={visible}: {' and '.join(double)} are one card. Name each card once.")
        return found

    def uuid(self, handle: Any) -> str:
        """NVML's whole name of a card."""
        return _text(self.call("does not name a card", self.nvml.nvmlDeviceGetUUID, handle))

    def _handle(self, name: str, count: int) -> Any:
        """The card of that name: an index, a UUID, or a UUID's beginning that only one card has."""
        if name.isascii() and name.isdigit():
            if int(name) >= count:
                last = f"they go from 0 to {count - 1}" if count else "there is none"
                raise ServingError(f"{VISIBLE} names card {name}, which there is not ({last}). Correct it.")
            return self._whole(name, self._by_index(int(name)))
        if not name.startswith(("GPU-", "MIG-")):
            raise ServingError(
                f"{VISIBLE} names {name!r}, which is no card. Give an index, or a UUID as `nvidia-smi -L` shows it."
            )
        whole = self.quietly(self.nvml.nvmlDeviceGetHandleByUUID, name)
        return whole if whole is not None else self._by_prefix(name, count)

    def _by_index(self, index: int) -> Any:
        return self.call(f"does not show card {index}", self.nvml.nvmlDeviceGetHandleByIndex, index)

    def _by_prefix(self, name: str, count: int) -> Any:
        cards = [self._by_index(index) for index in range(count)]
        everything = [*cards, *(part for card in cards for part in self.parts(card))]
        uuids = {self.uuid(handle): handle for handle in everything}
        fitting = [uuid for uuid in uuids if uuid.startswith(name)]
        if len(fitting) != 1:
            why = f"fits {', '.join(fitting)}" if fitting else f"is none of {', '.join(uuids) or 'no card'}"
            raise ServingError(f"{VISIBLE} names {name!r}, which {why}. Give the UUID as `nvidia-smi -L` shows it.")
        return uuids[fitting[0]]

    def _whole(self, name: str, handle: Any) -> Any:
        """A card by its index; of one that is divided CUDA would take some part, and which is not for us to guess."""
        mode = self.quietly(self.nvml.nvmlDeviceGetMigMode, handle)
        if mode and mode[0]:
            parts = ", ".join(map(self.uuid, self.parts(handle))) or "it has none yet"
            raise ServingError(f"card {name} is divided (MIG). Name the part to use in {VISIBLE}: {parts}.")
        return handle

    def parts(self, handle: Any) -> list[Any]:
        """The parts of a card that is divided (MIG)."""
        most = self.quietly(self.nvml.nvmlDeviceGetMaxMigDeviceCount, handle) or 0
        found = (self.quietly(self.nvml.nvmlDeviceGetMigDeviceHandleByIndex, handle, index) for index in range(most))
        return [part for part in found if part is not None]

    def memory(self, handle: Any) -> tuple[int, int]:
        """Bytes in use on a card, and all that it has.

        The driver's own reserve (615 MiB of an H200) is not in use in NVML's second form; an older driver has only the
        first.
        """
        second = getattr(self.nvml, "nvmlMemory_v2", None)
        info = self.quietly(self.nvml.nvmlDeviceGetMemoryInfo, handle, second) if second is not None else None
        if info is None:
            info = self.call("does not tell a card's memory", self.nvml.nvmlDeviceGetMemoryInfo, handle)
        return int(info.used), int(info.total)

    def card(self, handle: Any) -> Card:
        """What a card is."""
        model, uuid = _text(self.call("does not name a card", self.nvml.nvmlDeviceGetName, handle)), self.uuid(handle)
        whole = not uuid.startswith("MIG-")
        index = self.call("does not number a card", self.nvml.nvmlDeviceGetIndex, handle) if whole else uuid
        return Card(name=str(index), uuid=uuid, model=model, total=self.memory(handle)[1])

    def processes(self, handle: Any) -> list[Any]:
        """The processes on a card, of whatever kind; those that the driver shows. In a container it may show none."""
        found: dict[int, Any] = {}
        for kind in ("Compute", "Graphics", "MPSCompute"):
            for end in ("", "_v2"):
                function = getattr(self.nvml, f"nvmlDeviceGet{kind}RunningProcesses{end}", None)
                there = None if function is None else self.quietly(function, handle)
                if there is not None:
                    found |= {each.pid: each for each in there}
                    break
        return list(found.values())


class CardMemory:
    """The memory of the cards that an engine may use.

    ``visible`` is the engine's ``CUDA_VISIBLE_DEVICES``: what happens on other cards is other people's business.
    """

    def __init__(self, visible: str | None = None) -> None:
        self._driver = Driver()
        self._handles = self._driver.handles(visible)
        self.cards = tuple(map(self._driver.card, self._handles))

    def used(self) -> tuple[int, ...]:
        """Bytes in use on each card, by whomever."""
        return tuple(self._driver.memory(handle)[0] for handle in self._handles)

    def totals(self) -> tuple[int, ...]:
        """Bytes of each card."""
        return tuple(card.total for card in self.cards)

    def names(self) -> tuple[str, ...]:
        """``card 3``."""
        return tuple(card.label for card in self.cards)

    def kind(self) -> dict[str, Any]:
        """Name and bytes of each card and the driver's version: what can change an answer, and no serial number."""
        return kind_of(self.cards, self._driver.version())

    def slack(self) -> int:
        """256 MiB."""
        return CARD_SLACK_BYTES

    def holders(self) -> list[Holder]:
        """The processes on the cards, largest first. In a container the driver may show none, or the host's numbers."""
        held: dict[int, int] = {}
        for handle in self._handles:
            for process in self._driver.processes(handle):
                held[process.pid] = held.get(process.pid, 0) + int(process.usedGpuMemory or 0)
        return [Holder(pid, _name(pid), held[pid]) for pid in sorted(held, key=lambda pid: (-held[pid], pid))]


def kind_of(cards: Sequence[Card], driver: str) -> dict[str, Any]:
    """Number and kind of cards and the driver's version, as the identity of evidence holds them."""
    return {"cards": [list(card.kind) for card in cards], "driver": driver}


def _names(visible: str) -> list[str]:
    return [name.strip() for name in visible.split(",") if name.strip()]


def _name(pid: int) -> str:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).name()
    return "not visible from here"


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
