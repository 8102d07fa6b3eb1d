"""Waiting for memory to come back."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from twx_accept.errors import CardsInUse, MemoryNotBack
from twx_accept.serving import memory
from twx_accept.serving.memory import GIB, Holder, HostMemory, wait_until_back, wait_until_free


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

    def names(self) -> tuple[str, ...]:
        """Two cards of a larger machine."""
        return ("card 4", "card 5")

    def holders(self) -> list[Holder]:
        """An engine that was left behind."""
        return [Holder(4321, "VLLM::Worker", 70 * GIB)]


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
    with pytest.raises(MemoryNotBack, match=r"card 5: 70\.0 GiB.*4321 \(VLLM::Worker, 70\.0 GiB\)"):
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
    assert host.names() == ("host",)
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


def test_free_cards_are_not_waited_for() -> None:
    """A driver's rest within the slack is nobody's use."""
    said: list[str] = []
    assert wait_until_free(Scripted((GIB // 4, 0)), seconds=0, say=said.append) < 1
    assert said == []


def test_cards_that_somebody_uses_are_waited_for_and_named_once() -> None:
    """Who holds what is said once, at the beginning of the wait, and the boot goes on when they are free."""
    said: list[str] = []
    slept: list[float] = []
    scripted = Scripted((70 * GIB, 0), (70 * GIB, 0), (0, 0))
    wait_until_free(scripted, seconds=60, say=said.append, sleep=slept.append)
    assert len(slept) == 2
    assert said == [
        "waiting for cards that somebody else uses: card 4: 70.0 GiB, held by 4321 (VLLM::Worker, 70.0 GiB)"
    ]


def test_cards_that_stay_in_use_are_refused_with_their_holders() -> None:
    """At the deadline the error names each card, the bytes, the process, how long it was waited, and the cure."""
    with pytest.raises(CardsInUse, match=r"waited \d+ s .*card 5: 70\.0 GiB, held by 4321 .*CUDA_VISIBLE_DEVICES"):
        wait_until_free(Scripted((0, 70 * GIB)), seconds=0)


def test_the_host_is_never_waited_for() -> None:
    """Whatever else runs on a CPU, its memory is shared and not a card's."""
    wait_until_free(HostMemory(), seconds=0)


def test_a_holder_of_an_unknown_amount_is_no_holder_of_nothing() -> None:
    """In some modes a driver names a process and not its bytes."""
    assert str(Holder(7, "python", 0)) == "7 (python, an amount that the driver does not tell)"
