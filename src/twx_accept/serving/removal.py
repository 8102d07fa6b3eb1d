"""Removes the containers that carry a label. Standard library only, run by path: a server's guard runs it in the end.

A label and no name, because a name may be somebody else's: nothing is removed but what was started with the label.
"""

import subprocess
import sys
import time
from collections.abc import Sequence

LOOK_SECONDS = 0.2
CALL_SECONDS = 20.0


def labelled(program: str, label: str) -> list[str]:
    """The ids of all containers with the label, whether they run or not.

    Raises:
        OSError: the program cannot be started.
        subprocess.SubprocessError: it failed, or did not answer.
    """
    asked = [program, "ps", "--all", "--quiet", "--no-trunc", "--filter", f"label={label}"]
    return _run(asked).split()


def remove(program: str, label: str, seconds: float) -> str:
    """Kills and removes every container with the label; the answer is why one may be left, empty where none is."""
    deadline = time.monotonic() + seconds
    trouble = ""
    while True:
        try:
            left = labelled(program, label)
            if not left:
                return ""
            trouble = f"{', '.join(each[:12] for each in left)} is still there"
            _run([program, "rm", "--force", *left])
            if not labelled(program, label):
                return ""
        except (OSError, subprocess.SubprocessError) as error:
            trouble = told(error)
        if time.monotonic() >= deadline:
            return trouble
        time.sleep(LOOK_SECONDS)


def told(error: Exception) -> str:
    """What the program said when it failed, else the error itself."""
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
    return str(said or "").strip()[-300:] or str(error)


def _run(command: Sequence[str]) -> str:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=CALL_SECONDS,
        check=True,
    ).stdout


def main(arguments: Sequence[str]) -> int:
    """Command line: the program, the label, the seconds."""
    trouble = remove(arguments[0], arguments[1], float(arguments[2]))
    if trouble:
        print(f"a container with the label {arguments[1]} may be left: {trouble}", file=sys.stderr)
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
