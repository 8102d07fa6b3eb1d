"""Containers that killed test runs have left: found by their label, and removed when their test run is surely gone."""

import os
from pathlib import Path

from twx_accept.errors import ServingError
from twx_accept.serving import removal
from twx_accept.serving.container_command import BOOT, RUN
from twx_accept.serving.container_program import ContainerProgram

REMOVE_SECONDS = 30.0


def run_label() -> str:
    """This process, so that another one can tell later whether it still lives: ``where.pid.start``.

    Process ids mean something only since one start of the machine and within one namespace, and a user may not see
    another's: ``where`` names all three.
    """
    return f"{_where()}.{os.getpid()}.{_start(os.getpid())}"


def gone(label: str) -> bool:
    """Whether the process of a label is surely gone. What cannot be told is taken to live."""
    where, pid, start = ([*label.rsplit(".", 2), "", ""])[:3]
    if where != _where() or not pid.isdigit():
        return False
    return _start(int(pid)) != start


def remove_leftovers(program: ContainerProgram) -> list[str]:
    """Removes the containers of test runs that are gone; returns their ids.

    Raises:
        ServingError: one cannot be removed; it may hold the cards or the memory.
    """
    left = [each for each, label in program.labels(program.labelled(RUN), RUN).items() if gone(label)]
    for each, boot in program.labels(left, BOOT).items():
        trouble = removal.remove(program.path, f"{BOOT}={boot}", REMOVE_SECONDS)
        if trouble:
            raise ServingError(
                f"the container {each[:12]} of a test run that was killed cannot be removed: {trouble}. "
                f"Remove it with `{program.name} rm --force {each[:12]}`."
            )
    return left


def _where() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id")
    try:
        namespace = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116 - no file
        return f"{os.getuid()}-{boot.read_text().strip()[:8]}-{namespace}"
    except OSError:
        return f"unknown-{os.getpid()}"


def _start(pid: int) -> str:
    """When a process began, in the kernel's ticks since the machine's start; empty for one that is not there."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 and fields[0] not in "ZX" else ""
