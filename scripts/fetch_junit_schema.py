#!/usr/bin/env python3
"""Fetch the schema that pytest holds its own JUnit files against, from the sources of the pytest installed here.

usage: python scripts/fetch_junit_schema.py

Standard library only, and pip with whatever index, links or proxy the user gave it: pytest's wheel has no schema, its
source distribution has. The file goes below the environment's own folder, where the tests look for it. Exit status 0
when it lies there, else 1 with one line that says why.
"""

import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NAME = "junit-10.xsd"
PLACE = Path(sys.prefix) / "share" / "twx-accept" / NAME
LONGEST_S = 300
CURE = "check the network and pip's configuration (pip config list), then run this again"


class Stop(Exception):
    """A reason to end with, with its cure."""


def download(wanted: str, folder: Path) -> Path:
    """The source distribution, as pip finds it."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command = [*pip, "--no-deps", "--no-binary=pytest", "--dest", str(folder), wanted]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        raise Stop(f"pip was not done with {wanted} after {LONGEST_S} s: {CURE}") from None
    found = sorted(folder.glob("*.tar.gz"))
    if ended.returncode != 0 or not found:
        said = [line.strip() for line in ended.stderr.splitlines() if line.strip()]
        why = next(
            (line for line in reversed(said) if line.startswith("ERROR:")), said[-1] if said else "it said nothing"
        )
        raise Stop(f"pip gave no sources of {wanted} ({why}): {CURE}")
    return found[0]


def schema(sources: Path) -> bytes:
    """The schema's text, read without unpacking anything else."""
    with tarfile.open(sources) as archive:
        for member in archive:
            if member.isfile() and Path(member.name).name == NAME:
                return archive.extractfile(member).read()
    raise Stop(f"{sources.name} has no {NAME}: report it, pytest keeps its schema elsewhere now")


def fetch() -> None:
    """Put the schema in its place, whole or not at all."""
    try:
        wanted = f"pytest=={version('pytest')}"
    except PackageNotFoundError:
        raise Stop(f"{sys.executable} has no pytest: run this with the environment's own python") from None
    with tempfile.TemporaryDirectory() as folder:
        found = schema(download(wanted, Path(folder)))
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    part = PLACE.with_suffix(".part")
    part.write_bytes(found)
    part.replace(PLACE)


def main() -> int:
    """Fetch it and return the exit status."""
    try:
        fetch()
    except (Stop, OSError, tarfile.TarError) as stop:
        print(f"JUnit schema not fetched: {stop}", file=sys.stderr)
        return 1
    print(f"JUnit schema of pytest {version('pytest')}: {PLACE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
