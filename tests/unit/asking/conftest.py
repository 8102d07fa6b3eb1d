"""What every test of the asker gets."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from twx_accept.asking import asker

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parents[1]):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from asking_bench import Bench  # noqa: E402 - found through the lines above


@pytest.fixture
def bench() -> Bench:
    """Asks, and keeps what comes."""
    return Bench()


@pytest.fixture(autouse=True, scope="module")
def pauses() -> Iterator[None]:
    """Back-off in milliseconds, so that tests do not wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asker, "FIRST_PAUSE", 0.001)
        patch.setattr(asker, "LONGEST_PAUSE", 0.5)
        yield


@pytest.fixture(autouse=True)
def no_thread_of_ours_is_left() -> Iterator[None]:
    """The asker leaves no thread behind."""
    before = {thread for thread in threading.enumerate() if "asyncio" in thread.name}
    yield
    after = {thread for thread in threading.enumerate() if "asyncio" in thread.name}
    assert after <= before
