"""The program: hands its command line to the daemon, with its own standard streams, and passes signals on."""

import array
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any


def connect(path: str) -> socket.socket:
    """A connection to the daemon."""
    there = socket.socket(socket.AF_UNIX)
    there.connect(path)
    return there


def ask(path: str, request: dict[str, Any]) -> int:
    """Sends a command with this process's output, and returns the exit status that the daemon answers."""
    with connect(path) as there:
        streams = array.array("i", [1, 2])
        there.sendmsg([json.dumps(request).encode() + b"\n"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
        with there.makefile("rb") as answers:
            return int(json.loads(answers.readline() or b"125"))


def main(podman: str, path: str, words: list[str]) -> int:
    """Command line: whether it is podman, the daemon's socket, and then what docker gets."""
    if words == ["--version"]:
        print("podman version 4.3.1" if podman else "Docker version 28.2.2, build stand-in")
        return 0
    if not Path(path).exists():
        down = f"Cannot connect to the Docker daemon at unix://{path}. Is the docker daemon running?"
        if words[:1] == ["info"] and not podman:  # docker's own exit status is 0
            print(json.dumps({"ServerErrors": [down]}))
            return 0
        print(down, file=sys.stderr)
        return 1
    me = str(os.getpid())

    def pass_on(number: int, _frame: object) -> None:
        ask(path, {"signal": number, "client": me})

    signal.signal(signal.SIGTERM, pass_on)
    return ask(path, {"words": words, "environment": dict(os.environ), "client": me})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
