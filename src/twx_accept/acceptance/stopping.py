"""A run that a scheduler ends goes the way of Ctrl-C: its server is stopped, and a report says what is INCOMPLETE."""

import signal
import threading
from collections.abc import Callable
from types import FrameType

import pytest


def heed(config: pytest.Config, told: Callable[[], None]) -> None:
    """Take SIGTERM for Ctrl-C as long as this pytest lasts; jobs are cancelled with it, and containers stopped.

    Where somebody else has a handler, where it is ignored, or where no handler can be set, it stays as it is.

    Args:
        config: the run's.
        told: called when it comes, so that the reader of a log is not left to wonder who pressed Ctrl-C.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        told()
        signal.raise_signal(signal.SIGINT)  # whoever is at work, asyncio for one, knows how to end by this

    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return
    signal.signal(signal.SIGTERM, interrupt)
    config.add_cleanup(_heed_no_more)


def _heed_no_more() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
