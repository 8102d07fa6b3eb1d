"""Waiting for memory to come back."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from twx_accept.domain.suite import Suite
from twx_accept.errors import MemoryNotBack, ServingError
from twx_accept.serving import memory
from twx_accept.serving.memory import GIB, CardMemory, Holder, HostMemory, memory_of, wait_until_back


class Scripted:
    """Memory whose use is a list of readings, the last of which stays."""

    def __init__(self, *readings: tuple[int, ...]) -> None:
        self.readings = list(readings)

    def used(self) -> tuple[int, ...]:
        """The next reading."""
        return self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]

    def totals(self) -> tuple[int, ...]:
        """Two cards."""
        return (80 * GIB, 80 * GIB)

    def slack(self) -> int:
        """A quarter GiB."""
        return GIB // 4

    def holders(self) -> list[Holder]:
        """An engine that was left behind."""
        return [Holder(4321, "VLLM::Worker", 70 * GIB)]


class Nvml:
    """NVML with two cards, one of which a process holds."""

    class NVMLError(Exception):
        """NVML's own error."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken

    def nvmlInit(self) -> None:  # noqa: N802 - NVML's name
        """Starts NVML."""
        if self.broken:
            raise self.NVMLError("Driver Not Loaded")

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802 - NVML's name
        """Two cards."""
        return 2

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802 - NVML's name
        """A card is its number here."""
        return index

    def nvmlDeviceGetHandleByUUID(self, name: str) -> int:  # noqa: N802 - NVML's name
        """The second card has a name."""
        if name != "GPU-b":
            raise self.NVMLError(f"Not Found: {name}")
        return 1

    def nvmlDeviceGetMemoryInfo(self, card: int) -> Any:  # noqa: N802 - NVML's name
        """The second card holds one GiB."""
        return SimpleNamespace(total=80 * GIB, used=card * GIB)

    def nvmlDeviceGetComputeRunningProcesses(self, card: int) -> list[Any]:  # noqa: N802 - NVML's name
        """This process, and one that is not visible from here and does not say how much it holds."""
        held = [SimpleNamespace(pid=os.getpid(), usedGpuMemory=GIB), SimpleNamespace(pid=2**22 + 1, usedGpuMemory=None)]
        return held if card else []


@pytest.fixture
def nvml(monkeypatch: Any) -> Nvml:
    """NVML with two cards."""
    found = Nvml()
    monkeypatch.setitem(sys.modules, "pynvml", found)
    return found


def test_it_waits_until_every_place_is_back() -> None:
    """Readings above the slack are waited out; a driver's rest within it counts as back."""
    scripted = Scripted((9 * GIB, 0), (0, 9 * GIB), (GIB // 4, 100))
    slept: list[float] = []
    wait_until_back(scripted, (0, 0), seconds=60, sleep=slept.append)
    assert len(slept) == 2


def test_less_memory_in_use_than_before_is_fine() -> None:
    """Somebody else may have ended meanwhile."""
    wait_until_back(Scripted((0, 0)), (5 * GIB, 5 * GIB), seconds=0)


def test_memory_that_stays_names_its_places_and_holders() -> None:
    """At the deadline the error names the card, how much is missing, and who holds it."""
    with pytest.raises(MemoryNotBack, match=r"card 1: 70\.0 GiB.*4321 \(VLLM::Worker, 70\.0 GiB\)"):
        wait_until_back(Scripted((0, 70 * GIB)), (0, 0), seconds=0)


def test_nobody_to_see_is_said_too() -> None:
    """In a container the driver may show no process."""
    scripted = Scripted((0, GIB))
    scripted.holders = list  # type: ignore[method-assign]
    with pytest.raises(MemoryNotBack, match="nobody that is visible"):
        wait_until_back(scripted, (0, 0), seconds=0)


def test_the_host_is_read(tmp_path: Path, monkeypatch: Any) -> None:
    """The host has one place, a slack of a GiB at least, and names the largest files in its shared memory."""
    monkeypatch.setattr(memory, "SHARED_MEMORY", tmp_path)
    for number in range(7):
        (tmp_path / f"psm_{number}").write_bytes(b"x" * number)
    host = HostMemory()
    assert len(host.used()) == 1
    assert host.slack() >= GIB
    assert host.totals() == ()
    assert [holder.bytes for holder in host.holders()] == [6, 5, 4, 3, 2]
    assert str(Holder(None, "psm", GIB)) == "psm (1.0 GiB)"


def test_a_neighbour_that_grows_is_not_mistaken_for_the_server() -> None:
    """Memory that a living process holds for itself does not count as left behind."""
    program = "import sys; held = b'x' * 2**29; print(len(held), flush=True); sys.stdin.read()"
    before = HostMemory().used()[0]
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"536870912\n"
        grown = HostMemory().used()[0] - before
        process.kill()
    assert grown < 2**28


@pytest.mark.usefixtures("nvml")
def test_cards_are_read() -> None:
    """Each card's use, total and holders are NVML's."""
    cards = CardMemory()
    assert cards.used() == (0, GIB)
    assert cards.totals() == (80 * GIB, 80 * GIB)
    assert [holder.bytes for holder in cards.holders()] == [GIB, 0]
    assert cards.holders()[1].name == "not visible from here"


@pytest.mark.parametrize(("visible", "used"), [("1", (GIB,)), ("GPU-b, 0", (GIB, 0)), ("", ())])
@pytest.mark.usefixtures("nvml")
def test_only_cards_that_the_engine_may_use_are_read(
    make_suite: Callable[..., Suite], visible: str, used: tuple[int, ...]
) -> None:
    """What happens on other cards is not the suite's business; cards go by number or by name."""
    engine = replace(make_suite(environment={"CUDA_VISIBLE_DEVICES": visible}).engine, device="cuda")
    assert memory_of(engine).used() == used


@pytest.mark.parametrize(("broken", "visible"), [(True, None), (False, "GPU-x")])
def test_a_driver_that_fails_is_an_error_of_ours(nvml: Nvml, broken: bool, visible: str | None) -> None:
    """No driver, and a card that is not there, are named with the cure."""
    nvml.broken = broken
    with pytest.raises(ServingError, match="nvidia-smi"):
        CardMemory(visible)
