"""A stand-in for NVML: cards with memory, processes and parts, behind the names of nvidia-ml-py's own functions.

What nvidia-ml-py hands over, this does: handles that say nothing, a second form of the memory that a card's reserve is
not in, errors of one class, and one error that is not of it.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

GIB = 2**30
SECOND_FORM = 0x2000028


class NVMLError(Exception):
    """NVML's own error."""


class NVMLLibraryMismatchError(Exception):
    """What nvidia-ml-py raises where an old driver lacks a function; it is no NVMLError there either."""


@dataclass
class FakeCard:
    """One card, or a part of one. ``held`` maps processes to bytes (None: the driver does not tell)."""

    uuid: str
    model: str = "NVIDIA B300"
    total: int = 80 * GIB
    reserved: int = GIB // 2
    held: dict[int, int | None] = field(default_factory=dict)
    parts: list["FakeCard"] = field(default_factory=list)
    divided: bool = False

    @property
    def used(self) -> int:
        """What its processes hold."""
        return sum(each or 0 for each in self.held.values())


class FakeNvml:
    """NVML. ``broken`` says what starting it ends with; ``lost`` makes every later question about memory fail.

    ``old`` is a driver without the second form of memory, without parts, and with processes in an older form alone;
    ``blind`` one that shows no processes, as in a container.
    """

    NVMLError = NVMLError
    NVMLLibraryMismatchError = NVMLLibraryMismatchError

    def __init__(self, *cards: FakeCard) -> None:
        self.cards = list(cards)
        self.broken = self.lost = ""
        self.old = self.blind = False

    def __getattr__(self, name: str) -> Any:
        if name == "nvmlMemory_v2":
            return SECOND_FORM
        raise AttributeError(name)

    def nvmlInit(self) -> None:  # noqa: N802 - NVML's name
        """Starts NVML."""
        if self.broken:
            raise NVMLError(self.broken)

    def nvmlSystemGetDriverVersion(self) -> bytes:  # noqa: N802 - NVML's name
        """Older releases hand over bytes."""
        return b"575.57.08"

    def nvmlSystemGetCudaDriverVersion_v2(self) -> int:  # noqa: N802 - NVML's name
        """Thousands are major versions."""
        return 13000

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802 - NVML's name
        """The whole cards."""
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> FakeCard:  # noqa: N802 - NVML's name
        """The card at that place on the bus."""
        if index >= len(self.cards):
            raise NVMLError("Invalid Argument")
        return self.cards[index]

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> FakeCard:  # noqa: N802 - NVML's name
        """The card or the part of that whole name."""
        for card in (*self.cards, *(part for each in self.cards for part in each.parts)):
            if card.uuid == uuid:
                return card
        raise NVMLError("Not Found")

    def nvmlDeviceGetUUID(self, card: FakeCard) -> str:  # noqa: N802 - NVML's name
        """The whole name."""
        return card.uuid

    def nvmlDeviceGetIndex(self, card: FakeCard) -> int:  # noqa: N802 - NVML's name
        """The place on the bus; of a part the place within its card, which says nothing."""
        return self.cards.index(card) if card in self.cards else 0

    def nvmlDeviceGetName(self, card: FakeCard) -> str:  # noqa: N802 - NVML's name
        """The model."""
        return card.model

    def nvmlDeviceGetMigMode(self, card: FakeCard) -> list[int]:  # noqa: N802 - NVML's name
        """Now, and after a reset."""
        if self.old:
            raise NVMLError("Not Supported")
        return [int(card.divided), int(card.divided)]

    def nvmlDeviceGetMaxMigDeviceCount(self, card: FakeCard) -> int:  # noqa: N802 - NVML's name
        """More than there are."""
        if self.old:
            raise NVMLError("Not Supported")
        return 7 if card.divided else 0

    def nvmlDeviceGetMigDeviceHandleByIndex(self, card: FakeCard, index: int) -> FakeCard:  # noqa: N802 - NVML's name
        """The part at that place."""
        if index >= len(card.parts):
            raise NVMLError("Not Found")
        return card.parts[index]

    def nvmlDeviceGetMemoryInfo(self, card: FakeCard, version: int | None = None) -> Any:  # noqa: N802 - NVML's name
        """In the first form the reserve counts as used."""
        if self.lost:
            raise NVMLError(self.lost)
        if version is not None and self.old:
            raise NVMLError("Function Not Found")
        return SimpleNamespace(total=card.total, used=card.used if version else card.used + card.reserved)

    def nvmlDeviceGetComputeRunningProcesses(self, card: FakeCard) -> list[Any]:  # noqa: N802 - NVML's name
        """The processes that compute."""
        if self.old:
            raise NVMLLibraryMismatchError("use a versioned function")
        return self.nvmlDeviceGetComputeRunningProcesses_v2(card)

    def nvmlDeviceGetComputeRunningProcesses_v2(self, card: FakeCard) -> list[Any]:  # noqa: N802 - NVML's name
        """The same in an older form."""
        if self.blind:
            return []
        return [SimpleNamespace(pid=pid, usedGpuMemory=held) for pid, held in card.held.items()]


class SharedNvml(FakeNvml):
    """Cards whose use stands in a folder, so that several processes see the same: a file ``INDEX-PID`` holds bytes.

    What a process that is no more has left there is gone, as on a real card.
    """

    def __init__(self, folder: Path, count: int) -> None:
        super().__init__(*(FakeCard(uuid=f"GPU-{index:08x}-0000") for index in range(count)))
        self.folder = folder

    def nvmlDeviceGetMemoryInfo(self, card: FakeCard, version: int | None = None) -> Any:  # noqa: N802 - NVML's name
        """As the folder has it now."""
        card.held.clear()
        for file in self.folder.glob(f"{self.cards.index(card)}-*"):
            pid = int(file.name.partition("-")[2])
            if Path(f"/proc/{pid}").exists():
                card.held[pid] = json.loads(file.read_text() or "0")
        return super().nvmlDeviceGetMemoryInfo(card, version)


def hold(folder: Path, visible: str, size: int) -> None:
    """Holds memory on the cards of those indices, for as long as this process lives."""
    for name in visible.split(","):
        (folder / f"{name}-{os.getpid()}").write_text(json.dumps(size))
