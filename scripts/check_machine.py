#!/usr/bin/env python3
"""Say before a long start what this machine lacks, one line each with its cure.

usage: python scripts/check_machine.py --for demo|test

Standard library only: it runs before anything is installed, also under a Python that is too old for the rest. `test`
needs no engine: only the right Python and some disk. Exit status 0 when nothing is in the way, else 1.
"""

import argparse
import platform
import shutil
import sys
from pathlib import Path

GIB = 2**30
ROOT = Path(__file__).resolve().parent.parent
# What is asked for each purpose, in bytes. The demo: an engine (5 GB with caches), models (1 GB), room to make both.
MEMORY = {"demo": 6 * GIB, "test": 1 * GIB}
DISK = {"demo": 8e9, "test": 1e9}
COMPILERS = ("g++", "c++", "clang++")


def cpu_flags() -> "set[str]":
    """The processor's flags as Linux names them; empty where it does not say."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return set()
    for line in text.splitlines():
        if line.startswith(("flags", "Features")):
            return set(line.partition(":")[2].split())
    return set()


def available_memory() -> "int | None":
    """Bytes that a new process can have: the system's figure, or a container's limit where that is lower."""
    try:
        lines = Path("/proc/meminfo").read_text("utf-8").splitlines()
        available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        return None
    try:
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text("utf-8"))  # says "max" where there is none
        used = int((group / "memory.current").read_text("utf-8"))
        counts = dict(line.split() for line in (group / "memory.stat").read_text("utf-8").splitlines())
        used -= int(counts.get("inactive_file", 0))  # file cache that is given back on demand
    except (OSError, ValueError):
        return available
    return min(available, max(0, limit - used))


def free_disk() -> int:
    """Free bytes where this repository lies: the engine and the models go there."""
    return shutil.disk_usage(ROOT).free


def compiler() -> "str | None":
    """The C++ compiler that torch would find."""
    return next((path for path in map(shutil.which, COMPILERS) if path), None)


def python_problem(_purpose: str) -> "str | None":
    """Need 3.11 to 3.13."""
    if (3, 11) <= sys.version_info[:2] <= (3, 13):
        return None
    return f"Python {platform.python_version()}: start with Python 3.11, 3.12 or 3.13 (make PYTHON=python3.12 ...)"


def system_problem(purpose: str) -> "str | None":
    """Need Linux for the engine."""
    if purpose == "test" or platform.system() == "Linux":
        return None
    return f"{platform.system()}, not Linux: use a Linux machine, a container or WSL 2; the unit tests run here"


def compiler_problem(purpose: str) -> "str | None":
    """Need a C++ compiler: vLLM compiles a helper on the first request for log-probabilities."""
    if purpose == "test" or compiler():
        return None
    return "no C++ compiler: install g++ (package g++ or build-essential) or clang++"


def cpu_problem(purpose: str) -> "str | None":
    """Need AVX2 on x86; other machines are left to the engine's own check."""
    if purpose == "test" or platform.machine().lower() not in ("x86_64", "amd64"):
        return None
    flags = cpu_flags()
    if not flags or "avx2" in flags:
        return None
    return "this CPU has no AVX2, which vLLM needs: use a newer machine, or a virtual one that passes AVX2 on"


def memory_problem(purpose: str) -> "str | None":
    """Need room for the engine, its cache and the models."""
    have, need = available_memory(), MEMORY[purpose]
    if have is None or have >= need:
        return None
    return f"{have / GIB:.1f} GiB of memory available, {need / GIB:.0f} needed: close programs, or raise the limit"


def disk_problem(purpose: str) -> "str | None":
    """Need room for what will be installed and made."""
    have, need = free_disk(), DISK[purpose]
    if have >= need:
        return None
    return f"{have / 1e9:.1f} GB free in {ROOT}, {need / 1e9:.0f} needed: free some space, or move the repository"


CHECKS = (python_problem, system_problem, compiler_problem, cpu_problem, memory_problem, disk_problem)


def notes(purpose: str) -> "list[str]":
    """What is not in the way, but worth knowing."""
    flags = cpu_flags()
    if purpose == "demo" and "avx2" in flags and "avx512f" not in flags:
        return ["no AVX-512: the engine will be slower, and an fp8 cache may not be served"]
    return []


def main(arguments: "list[str] | None" = None) -> int:
    """Print what is in the way and return the exit status."""
    parser = argparse.ArgumentParser(description="Say what this machine lacks, one line each with its cure.")
    parser.add_argument("--for", dest="purpose", choices=sorted(MEMORY), default="demo")
    purpose = parser.parse_args(arguments).purpose
    problems = [problem for problem in (check(purpose) for check in CHECKS) if problem]
    for line in problems:
        print(f"cannot start: {line}", file=sys.stderr)
    for line in notes(purpose):
        print(f"note: {line}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
