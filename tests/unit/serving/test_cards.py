"""Cards through NVML: which ones an engine may use, what is on them, and what NVML does when it fails."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fake_nvml import GIB, FakeCard, FakeNvml
from twx_accept.domain.suite import Suite
from twx_accept.errors import ServingError
from twx_accept.serving.cards import CardMemory, Driver
from twx_accept.serving.memory import cards_of, memory_of

NOBODY = 2**22 + 1
"""The number of no process."""


@pytest.fixture
def nvml(monkeypatch: Any) -> FakeNvml:
    """Three cards: one free, one that this process and an unknown one use, and one that is divided in two."""
    parts = [FakeCard(uuid=f"MIG-{name}", model="NVIDIA B300 MIG 1g", total=10 * GIB) for name in ("c1", "c2")]
    cards = (
        FakeCard(uuid="GPU-aa11"),
        FakeCard(uuid="GPU-aa22", held={os.getpid(): GIB, NOBODY: None}),
        FakeCard(uuid="GPU-cc33", divided=True, parts=parts),
    )
    found = FakeNvml(*cards)
    monkeypatch.setitem(sys.modules, "pynvml", found)
    return found


def test_cards_are_read(nvml: FakeNvml) -> None:
    """Use, size, name and holders are NVML's; the driver's own reserve is nobody's use."""
    cards = CardMemory("0,1")
    assert cards.used() == (0, GIB)
    assert cards.totals() == (80 * GIB, 80 * GIB)
    assert cards.names() == ("card 0", "card 1")
    assert [(holder.pid, holder.bytes) for holder in cards.holders()] == [(os.getpid(), GIB), (NOBODY, 0)]
    assert cards.holders()[1].name == "not visible from here"
    assert cards.kind() == {"cards": [["NVIDIA B300", 80 * GIB]] * 2, "driver": "575.57.08"}
    assert "GPU-" not in str(cards.kind())
    assert nvml.nvmlDeviceGetMemoryInfo(nvml.cards[0]).used == GIB // 2  # what the first form would have said


@pytest.mark.parametrize(
    ("visible", "uuids"),
    [
        ("1", ["GPU-aa22"]),
        (" GPU-aa22 , 0,", ["GPU-aa22", "GPU-aa11"]),
        ("GPU-c", []),
        ("GPU-aa2", ["GPU-aa22"]),
        ("MIG-c2", ["MIG-c2"]),
        ("MIG-c", []),
    ],
)
@pytest.mark.usefixtures("nvml")
def test_cards_go_by_index_by_name_and_by_the_beginning_of_a_name(visible: str, uuids: list[str]) -> None:
    """As CUDA reads them: indices, whole UUIDs and beginnings that fit one card only, parts of cards too."""
    if not uuids and visible == "MIG-c":
        with pytest.raises(ServingError, match="fits MIG-c1, MIG-c2"):
            CardMemory(visible)
        return
    assert [card.uuid for card in CardMemory(visible).cards] == (uuids or ["GPU-cc33"])


@pytest.mark.parametrize(
    ("visible", "named"),
    [
        ("3", "names card 3, which there is not .they go from 0 to 2."),
        ("0,12", "names card 12"),
        ("-1", "'-1', which is no card"),
        ("NoDevFiles", "'NoDevFiles', which is no card"),
        ("GPU-aa", "'GPU-aa', which fits GPU-aa11, GPU-aa22"),
        ("GPU-x", "'GPU-x', which is none of GPU-aa11, GPU-aa22, GPU-cc33, MIG-c1, MIG-c2"),
        ("MIG-c", "fits MIG-c1, MIG-c2"),
        ("", "CUDA_VISIBLE_DEVICES='' hides all of them"),
        (" , ", "hides all of them"),
        ("0,GPU-aa11", "0 and GPU-aa11 are one card"),
        ("2", "card 2 is divided .MIG.*MIG-c1, MIG-c2"),
        (None, "card 2 is divided"),
        ("\u0663", "which is no card"),
        ("\u00b2", "which is no card"),
    ],
)
@pytest.mark.usefixtures("nvml")
def test_a_card_that_cannot_be_meant_is_named_with_the_cure(visible: str | None, named: str) -> None:
    """Where CUDA would silently use fewer cards or guess a part, the name is told and what there is instead."""
    with pytest.raises(ServingError, match=named):
        CardMemory(visible)


def test_a_machine_without_cards_says_so(nvml: FakeNvml) -> None:
    """A driver may live with no card."""
    nvml.cards.clear()
    with pytest.raises(ServingError, match="there is none"):
        CardMemory()
    with pytest.raises(ServingError, match=r"card 0, which there is not \(there is none\)"):
        CardMemory("0")


@pytest.mark.usefixtures("nvml")
def test_only_cards_that_the_engine_may_use_are_read(make_suite: Callable[..., Suite]) -> None:
    """What happens on other cards is not the suite's business, and not in the identity of its evidence."""
    engine = replace(make_suite(environment={"CUDA_VISIBLE_DEVICES": "1"}).engine, device="cuda")
    assert memory_of(engine).used() == (GIB,)
    assert cards_of(engine)["cards"] == [["NVIDIA B300", 80 * GIB]]
    assert cards_of(replace(engine, device="cpu")) == {}


def test_a_driver_that_does_not_start_is_an_error_of_ours(nvml: FakeNvml) -> None:
    """No driver is named with the cure."""
    nvml.broken = "Driver Not Loaded"
    with pytest.raises(ServingError, match=r"does not start: Driver Not Loaded.*nvidia-smi"):
        CardMemory()


def test_no_library_of_the_driver_is_an_error_of_ours() -> None:
    """With the real nvidia-ml-py, on a machine without NVIDIA's library."""
    pynvml = pytest.importorskip("pynvml")
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        with pytest.raises(ServingError, match=r"does not start: .*nvidia-smi"):
            CardMemory()
    else:
        assert CardMemory().totals()


def test_every_function_of_nvml_that_is_used_there_is() -> None:
    """The stand-in has no function that the real nvidia-ml-py lacks, nor the other way round."""
    pynvml = pytest.importorskip("pynvml")
    names = [name for name in dir(FakeNvml) if name.startswith("nvml")]
    assert len(names) > 10
    assert [name for name in names if not callable(getattr(pynvml, name, None))] == []
    assert pynvml.nvmlMemory_v2 == FakeNvml().nvmlMemory_v2
    assert not issubclass(pynvml.NVMLLibraryMismatchError, pynvml.NVMLError)


def test_an_old_driver_tells_what_it_knows(nvml: FakeNvml) -> None:
    """Without the second form of memory, without parts, with processes in an older form alone."""
    nvml.old = True
    cards = CardMemory("1")
    assert cards.used() == (GIB + GIB // 2,)
    assert [holder.pid for holder in cards.holders()] == [os.getpid(), NOBODY]


def test_a_driver_that_shows_no_process_names_nobody(nvml: FakeNvml) -> None:
    """In a container memory is seen and who holds it is not."""
    nvml.blind = True
    cards = CardMemory("1")
    assert (cards.used(), cards.holders()) == ((GIB,), [])


def test_a_card_that_is_lost_is_an_error_of_ours(nvml: FakeNvml) -> None:
    """A card can fall off the bus while it is watched."""
    cards = CardMemory("0")
    nvml.lost = "GPU is lost"
    with pytest.raises(ServingError, match="does not tell a card's memory: GPU is lost"):
        cards.used()


def test_the_driver_tells_its_version_as_text(nvml: FakeNvml) -> None:
    """Bytes from an older nvidia-ml-py too."""
    assert Driver().version() == "575.57.08"
    assert nvml.cards
