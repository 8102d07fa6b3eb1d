"""What every test of this repository shares. The plugin is installed with the package; nothing else is needed."""

import contextlib
import os
import signal
from pathlib import Path

import pytest

with contextlib.suppress(ImportError):  # a machine that only accepts builds needs no extras
    from hypothesis import settings

    # Busy machines make deadlines lie. Under CI every run tries the same examples; new ones are found at the desk.
    settings.register_profile("repository", deadline=None, derandomize=bool(os.environ.get("CI")))
    settings.load_profile("repository")

# A shell that starts the tests in the background has them ignore Ctrl-C, which some of them test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """An acceptance run looks at acceptance tests alone: the others import what only developers have installed."""
    from twx_accept.acceptance.options import is_asked_for

    others = {Path(__file__).parent / "tests" / name for name in ("unit", "browser", "real")}
    return True if collection_path in others and is_asked_for(config) else None
