"""Cards, their driver, and who is on them."""

import os
import sys
from dataclasses import replace
from typing import Any

import pytest

from fake_nvml import GIB, FakeCard, FakeNvml
from twx_accept.doctor import Level, examine
from twx_accept.doctor.checks import cards, driver, neighbours
from twx_accept.doctor.checks import engine as engines
from twx_accept.session.slots import taken

CUDA = {"device": "cuda"}


def test_free_cards_of_one_kind_are_ok(node_of: Any, look: Any, nvml: FakeNvml) -> None:
    """How many, of which kind, how many a server takes, how many go side by side, and that nobody is on them."""
    findings = look(cards, node_of(**CUDA, flags={"tensor_parallel_size": 2}))
    assert [each.level for each in findings] == [Level.OK] * 3
    assert [each.what for each in findings] == [
        "4 x NVIDIA B300 with 86 GB (0, 1, 2, 3)",
        "a server takes 2 of 4: 2 builds side by side with `pytest -n 2`",
        "all are free",
    ]
    (_, one, _) = look(cards, node_of(**CUDA, flags={"tensor_parallel_size": 4}))
    assert one.what == "a server takes 4 of 4: one after another"
    assert nvml.cards


@pytest.mark.usefixtures("nvml")
def test_too_few_cards_are_a_fault(node_of: Any) -> None:
    """Told with the number that is needed, before anything else is tried with them."""
    found = [each for each in examine(node_of(**CUDA, flags={"tensor_parallel_size": 8})) if each.check == "cards"]
    assert [each.level for each in found] == [Level.OK, Level.FAULT]
    assert "takes 8 cards, and there are 4 (0, 1, 2, 3)" in found[1].what
    assert "Lower the parallel sizes" in found[1].cure


def test_cards_in_use_are_a_fault_with_their_holders(node_of: Any, look: Any, faults: Any, nvml: FakeNvml) -> None:
    """Which card, how much, who, and how long a run would wait."""
    nvml.cards[2].held[os.getpid()] = 70 * GIB
    findings = look(cards, node_of(**CUDA))
    (fault,) = faults(findings)
    assert fault.startswith(f"in use by others: card 2: 70.0 GiB; held by {os.getpid()} (")
    assert "a run waits 20 s for them" in findings[-1].cure


@pytest.mark.usefixtures("nvml")
def test_only_cards_that_may_be_used_are_looked_at(node_of: Any, look: Any, faults: Any, nvml: FakeNvml) -> None:
    """A neighbour on another card is no fault."""
    nvml.cards[0].held[1] = 70 * GIB
    assert faults(look(cards, node_of(**CUDA, cards=("1", "2")))) == []


@pytest.mark.parametrize("sizes", [{}, {"tensor_parallel_size": 2, "data_parallel_size": 2}])
def test_weights_that_leave_no_room_are_a_fault(
    node_of: Any, look: Any, faults: Any, nvml: FakeNvml, sizes: dict[str, int]
) -> None:
    """Spread over the cards of one copy, against the engine's share of the smallest of them."""
    nvml.cards[:] = [FakeCard(uuid=f"GPU-{index}", total=4000) for index in range(4)]
    flags = {"gpu_memory_utilization": 0.9, **sizes}
    found = faults(look(cards, node_of(**CUDA, flags=flags)))
    assert [each.partition(":")[0] for each in found] == ([] if sizes else ["original"])


def test_no_driver_is_one_fault_and_not_checked_elsewhere(node_of: Any, look: Any, nvml: FakeNvml) -> None:
    """The check of the driver does not tell it again."""
    nvml.broken = "Driver Not Loaded"
    node = node_of(**CUDA)
    assert [each.level for each in look(driver, node)] == [Level.UNCHECKED]
    (found,) = [each for each in examine(node) if each.level is Level.FAULT and "Driver Not Loaded" in each.what]
    assert (found.check, found.what) == ("cards", "the NVIDIA driver does not start: Driver Not Loaded")
    assert "nvidia-smi" in found.cure


def test_no_library_of_the_driver_is_a_fault(node_of: Any, monkeypatch: Any) -> None:
    """With the real nvidia-ml-py on a machine without cards; where there are some, they are counted."""
    monkeypatch.delitem(sys.modules, "pynvml", raising=False)
    found = [each for each in examine(node_of(**CUDA)) if each.check == "cards"]
    assert found[0].level is Level.OK or "does not start" in found[0].what


@pytest.mark.usefixtures("nvml")
@pytest.mark.parametrize(
    ("torch", "level", "said"),
    [
        ("2.11.0+cu130", Level.OK, "for CUDA up to 13.0; torch is built for 13.0"),
        ("2.11.0+cu126", Level.OK, "torch is built for 12.6"),
        ("2.12.0+cu132", Level.WARNING, "torch is built for 13.2"),
        ("2.12.0+cu140", Level.FAULT, "torch is built for 14.0"),
        ("2.12.0", Level.UNCHECKED, "torch 2.12.0 does not say its CUDA"),
        ("", Level.UNCHECKED, "torch (unknown) does not say its CUDA"),
    ],
)
def test_the_driver_must_run_what_the_engine_was_built_for(
    node_of: Any, look: Any, monkeypatch: Any, torch: str, level: Level, said: str
) -> None:
    """A newer major version of CUDA is a fault, a newer minor one a warning."""
    monkeypatch.setattr(engines, "versions", lambda _: {"torch": torch} if torch else {})
    found = look(driver, node_of(**CUDA))[-1]
    assert found.level is level
    assert said in found.what


def test_without_cards_none_are_asked_for(node_of: Any, look: Any) -> None:
    """On a CPU, and where the servers are somebody else's."""
    assert [each.what for each in (*look(cards, node_of()), *look(driver, node_of()))] == [
        "none are needed (device is cpu)",
        "none is needed",
    ]
    assert [each.level for each in look(cards, node_of(**CUDA, launcher="attach"))] == [Level.UNCHECKED]


@pytest.mark.usefixtures("nvml")
@pytest.mark.parametrize("device", ["cuda", "cpu"])
def test_another_run_on_this_machine_is_a_warning(node_of: Any, look: Any, device: str) -> None:
    """With its process and what it serves."""
    node = node_of(device=device)
    assert look(neighbours, node)[0].what == "no other run serves anything here"
    suite = replace(node.suite, name="other")
    with taken(suite, suite.original, "original", node.machine, lambda _: None):
        (found,) = look(neighbours, node)
    assert found.level is Level.WARNING
    assert found.what.startswith(f"process {os.getpid()} (")
    assert found.what.endswith("for original (suite other) serves a build now")
