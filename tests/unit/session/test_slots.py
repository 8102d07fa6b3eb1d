"""Cards as slots: disjoint, queued for in order, free when their holder dies."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_nvml import GIB, FakeCard, FakeNvml
from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.errors import CardsInUse, EvidenceLocked, ServingError, SuiteError
from twx_accept.serving.memory import cards_of, memory_of
from twx_accept.session import slots
from twx_accept.session.slots import Machine, like, taken

TESTS = Path(__file__).resolve().parents[2]
HOLDER = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from fake_nvml import FakeCard, FakeNvml
sys.modules["pynvml"] = FakeNvml(*(FakeCard(uuid=f"GPU-{index}") for index in range(4)))
sys.path[:0] = [sys.argv[1] + "/unit/session"]
import test_slots
suite, name = test_slots.suite_of(Path(sys.argv[2]), int(sys.argv[3])), sys.argv[4]
with test_slots.taken(suite, suite.builds[0], name, test_slots.machine(Path(sys.argv[2])), print) as slot:
    print("holds", slot.named(), flush=True)
    sys.stdin.read()
"""


def suite_of(folder: Path, need: int = 2, **flags: Any) -> Suite:
    """A suite whose builds need so many cards."""
    original = Build(name="original", title="The original", path=folder, flags={}, digests={})
    deadlines = {"ready_seconds": 1.0, "stop_seconds": 1.0, "memory_seconds": 1.0}
    return Suite(
        name="s",
        title="S",
        version=1,
        demonstration=False,
        file=folder / "s.toml",
        folder=folder,
        original=original,
        builds=(replace(original, name="a"),),
        engine=Engine(python=folder, device="cuda", environment={}, **deadlines),
        asking=Asking(concurrency=1, prompts_per_request=1, timeout_seconds=1, attempts=1),
        flags={"tensor_parallel_size": need, **flags},
        may_differ=(),
        claims={},
    )


def machine(folder: Path, wait_seconds: float = 20.0) -> Machine:
    """A machine whose locks lie in a folder of the test's own."""
    return Machine(lock=folder / "locks" / "machine.lock", wait_seconds=wait_seconds)


def take(folder: Path, suite: Suite | None = None, name: str = "a", say: Any = None, wait_seconds: float = 20.0) -> Any:
    """The context of a slot."""
    suite = suite or suite_of(folder)
    return taken(suite, suite.builds[0], name, machine(folder, wait_seconds), say or (lambda _: None))


@contextmanager
def another(folder: Path, need: int, name: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that takes a slot and holds it."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, TESTS, folder, str(need), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def says(process: "subprocess.Popen[str]") -> str:
    """The next line of what it says."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture(autouse=True)
def nvml(monkeypatch: Any) -> FakeNvml:
    """Four cards of one kind."""
    found = FakeNvml(*(FakeCard(uuid=f"GPU-{index}") for index in range(4)))
    monkeypatch.setitem(sys.modules, "pynvml", found)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(slots, "LOOK_SECONDS", 0.02)
    return found


def test_a_server_is_given_its_cards_alone(tmp_path: Path) -> None:
    """Its engine sees them by the numbers that NVML gives them, and two slots of the machine have none in common."""
    with take(tmp_path) as one, take(tmp_path) as other:
        assert (one.named(), other.named()) == ("cards 0, 1", "cards 2, 3")
        assert other.suite.engine.environment == {"CUDA_VISIBLE_DEVICES": "2,3", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
        assert memory_of(other.suite.engine).names() == ("card 2", "card 3")
    with take(tmp_path) as again:
        assert again.named() == "cards 0, 1"


def test_evidence_knows_number_and_kind_and_not_which(tmp_path: Path) -> None:
    """The identity of what either slot answers is the same."""
    suite = suite_of(tmp_path)
    with take(tmp_path) as one, take(tmp_path) as other:
        kinds = [cards_of(each.engine) for each in (like(suite, suite.original), one.suite, other.suite)]
    assert kinds == [{"cards": [["NVIDIA B300", 80 * GIB]] * 2, "driver": "575.57.08"}] * 3


def ending(holder: "subprocess.Popen[str]", said: list[str]) -> Callable[[str], None]:
    """Keeps what is said, and ends the holder once somebody waits for it, however busy the machine is."""

    def hear(text: str) -> None:
        said.append(text)
        assert holder.stdin is not None
        holder.stdin.close()

    return hear


def test_a_third_build_waits_for_the_first_to_end_and_says_for_whom(tmp_path: Path) -> None:
    """Two slots are held by two processes: the third is told once who they are and what they serve, then how long."""
    said: list[str] = []
    with ExitStack() as stack:
        good = stack.enter_context(another(tmp_path, 2, "good"))
        assert says(good) == "holds cards 0, 1"
        weak = stack.enter_context(another(tmp_path, 2, "weak"))
        assert says(weak) == "holds cards 2, 3"
        hear = ending(good, said)
        with take(tmp_path, say=hear) as slot:
            assert good.wait(5) == 0
            assert slot.named() == "cards 0, 1"
            assert slot.others() == ("weak (suite s)",)
    assert len(said) == 2
    assert said[0].startswith("waiting for 2 of 4 cards; others hold card 0: process ")
    for name, process, card in (("good", good, 1), ("weak", weak, 2)):
        assert f"card {card}: process {process.pid} (-c" in said[0]
        assert f"for {name} (suite s)" in said[0]
    assert re.fullmatch(r"waited \d+ s for card 0, card 1", said[1])


def test_a_killed_holder_frees_its_slot(tmp_path: Path) -> None:
    """The operating system frees the cards of a process that is killed; nobody has to clean up."""
    with another(tmp_path, 4, "all") as holder:
        assert says(holder) == "holds cards 0, 1, 2, 3"
        with pytest.raises(CardsInUse):
            take(tmp_path, wait_seconds=0).__enter__()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with take(tmp_path, wait_seconds=0) as slot:
            assert slot.named() == "cards 0, 1"
            assert slot.others() == ()


def test_waiting_has_an_end_that_names_the_holders(tmp_path: Path) -> None:
    """Who holds which card, how long was waited, and what to do; cards that were gathered meanwhile are free again."""
    with another(tmp_path, 3, "large") as holder:
        assert says(holder) == "holds cards 0, 1, 2"
        with pytest.raises(CardsInUse, match=rf"waited \d+ s for 2 of 4 cards.*card 0: process {holder.pid} .*large"):
            take(tmp_path, wait_seconds=0.1).__enter__()
        with take(tmp_path, suite_of(tmp_path, 1), wait_seconds=0) as slot:
            assert slot.named() == "card 3"


def test_who_needs_many_cards_is_not_overtaken(tmp_path: Path) -> None:
    """A build that needs all cards is first in line: one that needs a single free card waits behind it."""
    order: list[str] = []

    def wait_for(need: int, name: str) -> None:
        with take(tmp_path, suite_of(tmp_path, need), name):
            order.append(name)

    with take(tmp_path, suite_of(tmp_path, 1)):
        large = threading.Thread(target=wait_for, args=(4, "large"))
        large.start()
        time.sleep(0.2)
        small = threading.Thread(target=wait_for, args=(1, "small"))
        small.start()
        time.sleep(0.2)
        assert order == []
    large.join(10)
    small.join(10)
    assert order == ["large", "small"]


@pytest.mark.parametrize(
    ("flags", "number"),
    [
        ({}, 1),
        ({"tensor_parallel_size": 2, "pipeline_parallel_size": 2}, 4),
        ({"tensor-parallel-size": 2, "data_parallel_size": 2}, 4),
        ({"data_parallel_size": 2, "data_parallel_size_local": 1}, 1),
        ({"tensor_parallel_size": 4, "nnodes": 2, "master_addr": "10.0.0.1"}, 2),
        ({"tensor_parallel_size": 8, "distributed_executor_backend": "ray"}, 4),
    ],
)
def test_a_slot_has_as_many_cards_as_the_flags_put_to_work(tmp_path: Path, flags: dict[str, Any], number: int) -> None:
    """On this node alone; Ray places its workers itself, so it gets all."""
    suite = replace(suite_of(tmp_path), flags=flags)
    with take(tmp_path, suite) as slot:
        assert len(slot.cards) == number


def test_too_few_cards_are_told_at_once(tmp_path: Path) -> None:
    """Nothing is waited for that can never come."""
    suite = suite_of(tmp_path, 8)
    with pytest.raises(ServingError, match=r"a takes 8 cards, and there are 4 \(0, 1, 2, 3\)"):
        take(tmp_path, suite).__enter__()
    with pytest.raises(ServingError, match="takes 8 cards"):
        like(suite, suite.builds[0])
    assert slots.slots(suite) == 0


def test_cards_of_several_kinds_are_not_mixed_up(tmp_path: Path, nvml: FakeNvml) -> None:
    """Where some of the cards would do, it may not depend on chance which kind answers; all of them always are."""
    nvml.cards[3] = FakeCard(uuid="GPU-3", total=40 * GIB)
    suite = suite_of(tmp_path)
    with pytest.raises(ServingError, match=r"NVIDIA B300 with 43 GB, NVIDIA B300 with 86 GB.*engine\.cards"):
        like(suite, suite.builds[0])
    assert len(cards_of(like(suite_of(tmp_path, 4), suite.builds[0]).engine)["cards"]) == 4
    named = replace(suite, engine=replace(suite.engine, cards=("0", "GPU-2")))
    assert like(named, suite.builds[0]).engine.environment["CUDA_VISIBLE_DEVICES"] == "0,2"


def test_cards_that_the_suite_names_stay_within_what_is_allowed(tmp_path: Path, monkeypatch: Any) -> None:
    """A scheduler's CUDA_VISIBLE_DEVICES is not overruled by a suite."""
    suite = suite_of(tmp_path)
    suite = replace(suite, engine=replace(suite.engine, cards=("2", "3")))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-3,1,2")
    with take(tmp_path, suite) as slot:
        assert slot.named() == "cards 2, 3"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,2")
    with pytest.raises(ServingError, match=r"engine\.cards names 3, and CUDA_VISIBLE_DEVICES=0,2 does not"):
        take(tmp_path, suite).__enter__()


def test_parts_of_cards_are_slots_too(tmp_path: Path, nvml: FakeNvml) -> None:
    """A part of a divided card goes by its UUID, since it has no index of its own."""
    parts = [FakeCard(uuid=f"MIG-{index}", model="NVIDIA B300 MIG 1g", total=10 * GIB) for index in range(2)]
    nvml.cards[3] = FakeCard(uuid="GPU-3", divided=True, parts=parts)
    suite = suite_of(tmp_path, 1)
    suite = replace(suite, engine=replace(suite.engine, cards=("MIG-0", "MIG-1")))
    with take(tmp_path, suite) as one, take(tmp_path, suite) as other:
        visible = [each.suite.engine.environment["CUDA_VISIBLE_DEVICES"] for each in (one, other)]
    assert visible == ["MIG-0", "MIG-1"]
    assert slots.slots(suite) == 2


@pytest.mark.parametrize(("device", "launcher"), [("cpu", "process"), ("cuda", "attach")])
def test_a_host_without_cards_is_one_slot(tmp_path: Path, device: str, launcher: str) -> None:
    """Two servers on one processor starve each other; of a server elsewhere it is not known what it stands on."""
    suite = suite_of(tmp_path)
    suite = replace(suite, engine=replace(suite.engine, device=device, launcher=launcher))
    with take(tmp_path, suite) as slot:
        assert (slot.cards, slot.suite, slot.others()) == ((), suite, ())
        with pytest.raises(EvidenceLocked, match=r"this machine \(one server at a time\).* for a \(suite s\)"):
            take(tmp_path, suite, wait_seconds=0).__enter__()
    assert slots.slots(suite) == 1
    assert like(suite, suite.builds[0]) is suite


def test_how_many_builds_fit_at_a_time(tmp_path: Path, nvml: FakeNvml) -> None:
    """By the largest of them; one where it is not known."""
    assert slots.slots(suite_of(tmp_path, 1)) == 4
    assert slots.slots(suite_of(tmp_path, 3)) == 1
    assert slots.slots(suite_of(tmp_path, 1, distributed_executor_backend="ray")) == 1
    nvml.broken = "Driver Not Loaded"
    assert slots.slots(suite_of(tmp_path, 1)) == 1


def test_an_error_inside_frees_the_slot(tmp_path: Path) -> None:
    """Whatever goes wrong while a build is served, the next one finds the cards."""
    with pytest.raises(SuiteError), take(tmp_path, suite_of(tmp_path, 4)):
        raise SuiteError("it broke")
    with take(tmp_path, suite_of(tmp_path, 4), wait_seconds=0):
        pass
