"""The processes that judging is spread over: what comes of their work, and that none of them is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from twx_accept.errors import InvalidClaim, TwxAcceptError, WorkerLost
from twx_accept.session.crew import Crew, Parcel, cores, crew

MODULES = ("twx_accept.errors",)
HERE = Path(__file__)


class Counted:
    """Counts how often it is written."""

    written = 0

    def __reduce__(self) -> tuple[type, tuple[int]]:
        """As a number."""
        Counted.written += 1
        return int, (7,)


def content(parcel: Parcel[object]) -> object:
    """What arrived."""
    return parcel.content


def squared(number: int) -> int:
    """Some work; it is found by its name in another process."""
    return number * number


def refused(number: int) -> int:
    """Work that cannot be done."""
    error = InvalidClaim(f"{number} cannot be decided; take another", {"measured": number})
    error.add_note("a note")
    raise error


def killed(_number: int) -> int:
    """Work whose process the system ends."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def endless(_number: int) -> int:
    """Work that takes longer than anybody waits."""
    time.sleep(600)
    return 0


@pytest.mark.parametrize("size", [1, 3])
def test_results_come_in_the_order_of_the_parts(size: int) -> None:
    """However many work, the answers are those of one, in the same order."""
    with crew(size, MODULES) as hands:
        begun = [hands.begin(squared, number) for number in range(5)]
        assert hands.spread(squared, range(1000)) == [number * number for number in range(1000)]
        assert [result() for result in begun] == [0, 1, 4, 9, 16]


def test_a_parcel_is_written_once_however_many_get_it() -> None:
    """What all works are begun with is the same for each, and writing it again for each would keep them waiting."""
    parcel: Parcel[object] = Parcel(Counted())
    with crew(2, MODULES) as hands:
        assert [result() for result in [hands.begin(content, parcel) for _ in range(5)]] == [7] * 5
    assert Counted.written == 1


@pytest.mark.parametrize("size", [1, 2])
def test_an_error_arrives_as_it_was_raised(size: int) -> None:
    """Type, message, figures and notes are the same from another process, and the others' work is still to be had."""
    with crew(size, MODULES) as hands:
        wrong, right = hands.begin(refused, 7), hands.begin(squared, 7)
        with pytest.raises(InvalidClaim, match="7 cannot be decided; take another") as found:
            wrong()
        assert found.value.measured == {"measured": 7}
        assert found.value.__notes__ == ["a note"]
        with pytest.raises(InvalidClaim, match="0 cannot be decided"):
            hands.spread(refused, range(3))
        assert right() == 49


@pytest.mark.parametrize("work", [lambda hands: hands.begin(killed, 0)(), lambda hands: hands.spread(killed, [0, 1])])
def test_a_killed_process_is_an_error_with_its_cure(work: Callable[[Crew], object]) -> None:
    """Nobody waits for what will never come, and nothing is taken for decided; later work says the same."""
    with crew(2, MODULES) as hands:
        for turn in (work, lambda hands: hands.begin(squared, 1)()):
            with pytest.raises(WorkerLost, match=r"nothing is decided.*--workers 1"):
                turn(hands)
    assert issubclass(WorkerLost, TwxAcceptError)


def test_one_core_begins_no_process() -> None:
    """Alone, work is done here and when it is waited for."""
    with crew(1, MODULES) as hands:
        result = hands.begin(os.getpid)
        assert hands.size == 1
        assert result() == os.getpid()
    assert cores() >= 1


def test_what_was_begun_ends_with_an_error() -> None:
    """Whoever leaves with an error leaves no process behind, however much there is to do."""
    pids: set[int] = set()
    with pytest.raises(ZeroDivisionError):
        broken_off(pids)
    gone(pids)


def broken_off(pids: set[int]) -> None:
    """Begin much, note by whom it is done, and fail."""
    with crew(2, MODULES) as hands:
        pids |= {hands.begin(os.getpid)() for _ in range(20)}
        for number in range(20):
            hands.begin(endless, number)
        raise ZeroDivisionError


PROGRAM = f"""
import os, sys
sys.path.insert(0, {str(HERE.parent)!r})
import test_crew
from twx_accept.session.crew import crew
with crew(2, ()) as hands:
    print(hands.begin(os.getpid)(), flush=True)
    for number in range(4):
        result = hands.begin(test_crew.endless, number)
    print("begun", flush=True)
    result()
"""
"""It has no guard of its main module, which processes that import it would run again."""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_one_that_began_it(how: signal.Signals) -> None:
    """A keystroke that goes to all of them, and a kill of the first alone, end every one within seconds."""
    program = [sys.executable, "-c", PROGRAM]
    began = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    with began:
        lines = [began.stdout.readline() for _ in range(2)]
        assert lines[1] == "begun\n", began.stderr.read()
        below = psutil.Process(began.pid).children(recursive=True)
        assert int(lines[0]) in {each.pid for each in below}
        (os.killpg if how is signal.SIGINT else os.kill)(began.pid, how)
        assert began.wait(20) != 0
        told = began.stderr.read()
    gone({each.pid for each in below})
    assert told.count("Traceback") <= 1, told
    assert ("KeyboardInterrupt" in told) == (how is signal.SIGINT)


def gone(pids: set[int]) -> None:
    """Wait for processes to end."""
    deadline = time.monotonic() + 20
    while left := {pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie"}:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
