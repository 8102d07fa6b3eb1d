"""What a person sees on a terminal: a real one, behind which pytest captures everything that tests print."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from typing import Any


def on_a_terminal(project: Any, *words: str) -> str:
    """Everything that a run writes to a terminal of its own."""
    leader, follower = pty.openpty()
    environment = project.environment({"TERM": "xterm", "COLUMNS": "120"})
    del environment["CI"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *words],
        cwd=project.root,
        env=environment,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    seen, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([leader], [], [], 0.1)[0]:
            try:
                seen += os.read(leader, 65536)
            except OSError:
                break  # the last process that had it open is gone
    process.kill()
    process.wait()
    os.close(leader)
    return seen.decode(errors="replace")


def test_terminal_shows_the_boot_and_a_bar_while_they_last(project: Any) -> None:
    """A live line says what the boot waits for and for how long, a bar shows the rate and the time left."""
    slow = {"path": "/v1/completions", "action": "slow", "seconds": 0.05}
    project.behave(builds={"original": {"start_seconds": 2.0, "faults": (slow,)}})
    seen = on_a_terminal(project, "-m", "acceptance", "--build", "good", "--limit-questions", "8")
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    assert re.search(r"original: [^\r\n]* \([1-9] s of at most 20 s\)", plain), plain
    assert re.search(r"original: Quiz [^\r\n]*[0-9]+/32 [0-9.]+/s 0:00:0[0-9]", plain), plain
    assert "twx-accept: original: ready after" in plain
    assert "good may not ship" in plain
    for line in plain.splitlines():
        # Nothing is written into a line that pytest has begun, and pytest goes on with the file's name.
        assert not re.search(r"tests/acceptance/\S+\.py .*twx-accept:", line), line
    assert seen.count("\x1b[?25l") == seen.count("\x1b[?25h")  # the cursor is back as often as it was hidden
