"""One run at a time, and the others know whom they wait for."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from twx_accept.errors import EvidenceError, EvidenceLocked
from twx_accept.evidence import lock
from twx_accept.evidence.lock import held, held_for, holder, is_held

HOLDER = """
import sys, time
from pathlib import Path
from twx_accept.evidence.lock import held
with held(Path(sys.argv[1]), "it", wait_seconds=0, say=print, purpose="the build good"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(file: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until its input ends."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        yield holder
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The lock's file, in a folder that is not there yet."""
    return tmp_path / "locks" / "build-2.5.lock"


def test_without_waiting_the_holder_is_named(file: Path) -> None:
    """Whoever may not wait is told at once which process holds the lock."""
    said: list[str] = []
    with another_process(file) as holder:
        with pytest.raises(EvidenceLocked, match=f"the evidence is held by process {holder.pid} "):
            held(file, "the evidence", wait_seconds=0, say=said.append).__enter__()
        with pytest.raises(EvidenceLocked):
            held(file, "the evidence", wait_seconds=-1, say=said.append).__enter__()
    assert said == []


def test_a_waiter_says_once_for_whom_it_waits(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process waits until the first has ended, says who that is, and in the end how long it took."""
    monkeypatch.setattr(lock, "POLL_SECONDS", 0.02)
    said: list[str] = []
    with another_process(file) as holder:

        def hear(text: str) -> None:
            said.append(text)
            assert holder.stdin is not None
            holder.stdin.close()  # once somebody waits for it, however busy the machine is

        with held(file, "the evidence", wait_seconds=20, say=hear):
            assert holder.wait(5) == 0
    assert f"process {holder.pid} (" in said[0]
    assert re.fullmatch(r"waited \d+ s for the evidence", "".join(said[1:]))


def test_waiting_has_an_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time is over the holder is named."""
    monkeypatch.setattr(lock, "POLL_SECONDS", 0.02)
    with another_process(file) as holder:
        began = time.monotonic()
        with pytest.raises(EvidenceLocked, match=f"process {holder.pid}"):
            held(file, "it", wait_seconds=0.2, say=lambda _: None).__enter__()
        assert 0.2 <= time.monotonic() - began < 3


def test_a_killed_holder_frees_the_lock(file: Path) -> None:
    """A process that is killed leaves no lock behind, and its note deceives nobody."""
    with another_process(file) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with held(file, "it", wait_seconds=0, say=lambda _: None):
            assert json.loads(file.with_suffix(".holder").read_text())["pid"] == os.getpid()
    assert not file.with_suffix(".holder").exists()


@pytest.mark.parametrize("note", ["", "[]", "{}", "null", '{"pid": 1}', "[" * 100_000, "\ufffd"])
def test_a_note_that_says_nothing_names_another_run(note: str, file: Path) -> None:
    """Whatever became of the note, the message stands."""
    with another_process(file):
        file.with_suffix(".holder").write_text(note)
        with pytest.raises(EvidenceLocked, match="held by another run"):
            held(file, "it", wait_seconds=0, say=lambda _: None).__enter__()


def test_what_a_lock_is_held_for_is_known_while_its_holder_lives(file: Path) -> None:
    """Others can tell who holds it and for what; of a holder that was killed nothing is said."""
    assert (held_for(file), is_held(file)) == ("", False)
    with another_process(file) as process:
        assert (held_for(file), is_held(file)) == ("the build good", True)
        assert f"process {process.pid} (" in holder(file)
        assert holder(file).endswith(" for the build good")
        process.kill()
        process.wait()
        assert (held_for(file), is_held(file)) == ("", False)
    assert holder(file) == "another run"


def test_the_number_of_a_killed_holder_may_be_anothers(file: Path) -> None:
    """A note that a killed run left says nothing once another process has its number."""
    file.parent.mkdir()
    mine = {"pid": os.getpid(), "command": "pytest", "purpose": "the build good"}
    began = psutil.Process().create_time()
    for note in (mine, {**mine, "began": 1.0}, {**mine, "began": began - 10}, {**mine, "began": math.nan}):
        file.with_suffix(".holder").write_text(json.dumps(note))
        assert held_for(file) == ""
    file.with_suffix(".holder").write_text(json.dumps({**mine, "began": began + 1}))  # read from a clock that was set
    assert held_for(file) == "the build good"


@pytest.mark.parametrize(
    "note", ["", "[]", "{}", "null", '{"pid": 1e400, "purpose": "x"}', '{"pid": -1, "purpose": 1}']
)
def test_a_note_that_says_nothing_is_held_for_nothing(note: str, file: Path) -> None:
    """Whatever became of the note, nothing is made up."""
    file.parent.mkdir()
    file.with_suffix(".holder").write_text(note)
    assert held_for(file) == ""


def test_an_error_inside_frees_the_lock(file: Path) -> None:
    """The lock is free again after an error, and the error is the one that was raised."""
    with pytest.raises(KeyError), held(file, "it", wait_seconds=0, say=lambda _: None):
        raise KeyError
    with held(file, "it", wait_seconds=0, say=lambda _: None):
        pass


def test_two_holders_in_one_process_exclude_each_other(file: Path) -> None:
    """The lock is not re-entered by mistake."""
    with (
        held(file, "it", wait_seconds=0, say=lambda _: None),
        pytest.raises(EvidenceLocked, match=f"process {os.getpid()}"),
    ):
        held(file, "it", wait_seconds=0, say=lambda _: None).__enter__()


def test_where_no_lock_can_be_the_place_is_named(tmp_path: Path) -> None:
    """A folder that cannot be made is an error of ours."""
    (tmp_path / "file").touch()
    with pytest.raises(EvidenceError, match=r"the evidence cannot be locked"):
        held(tmp_path / "file" / "x.lock", "the evidence", wait_seconds=0, say=lambda _: None).__enter__()
