"""A run that a scheduler ends goes the way of Ctrl-C: its server is stopped, and a report says what is INCOMPLETE."""

import signal
import threading
from types import FrameType

import pytest


def heed(config: pytest.Config) -> None:
    """Take SIGTERM for Ctrl-C as long as this pytest lasts; jobs are cancelled with it, and containers stopped.

    Where somebody else has a handler, where it is ignored, or where no handler can be set, it stays as it is.
    """
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return
    signal.signal(signal.SIGTERM, _interrupt)
    config.add_cleanup(_heed_no_more)


def _heed_no_more() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt("stopped by SIGTERM")
