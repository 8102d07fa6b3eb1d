"""Runs the scripts in `making` under the engine's Python, and tells what they say."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from twx_accept.errors import PreparingError, TwxAcceptError, UsageError
from twx_accept.preparing.recipe import BuildRecipe

_HERE = Path(__file__).parent
_CURE = (
    "make the engine's environment first (`python scripts/make_engine.py`), or name another one whose Python has vLLM"
)


@dataclass(slots=True)
class Heard:
    """What a making process said: the versions of its libraries, and the end of its error output."""

    versions: dict[str, str] = field(default_factory=dict)
    tail: str = ""


def check_engine(python: Path) -> None:
    """Refuse early, before anything is fetched, when the engine's Python cannot be started.

    Raises:
        UsageError: it is missing or not executable.
    """
    if not python.is_file() or not os.access(python, os.X_OK):
        raise UsageError(f"{python}: no Python of an engine there: {_CURE}")


def make_builds(
    python: Path,
    builds: Sequence[BuildRecipe],
    *,
    gguf: Path | None,
    original: Path,
    work: Path,
    say: Callable[[str], None],
) -> Heard:
    """Make `builds` in one process of the engine's Python, each in a folder of its own under `work`.

    Args:
        python: the engine's Python.
        builds: what to make, the original first where it is among them.
        gguf: the source, needed only for the original.
        original: where the finished original lies; not read when the original is among `builds`.
        work: a folder of this run alone.
        say: gets one line for each step.

    Returns:
        What the process said. The digests of what it made are still to be checked.

    Raises:
        PreparingError: the process failed; the message ends with its last lines.
        UsageError: the environment lacks a library.
    """
    job = _write_job(builds, gguf, original, work)
    heard = Heard()
    # -m with this folder as working directory: the scripts are then a package called `making`, without twx_accept.
    # The Python's path is not resolved: a virtual environment's python is a link, and its place is what counts.
    command = [str(python.absolute()), "-m", "making", str(job)]
    process = subprocess.Popen(
        command, cwd=_HERE, env=_environment(), text=True, encoding="utf-8", errors="replace",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        reader = threading.Thread(target=_keep_tail, args=(process, heard), daemon=True)
        reader.start()
        names = {build.name: build for build in builds}
        done = _listen(process, names, heard, say)
        process.wait()
        reader.join(5)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if process.returncode != 0 or done != list(names):
        raise _failure(python, process.returncode, heard)
    return heard


def _write_job(builds: Sequence[BuildRecipe], gguf: Path | None, original: Path, work: Path) -> Path:
    """Write what is to be made as the scripts read it; every path absolute, since they run in another folder."""
    source = work / builds[0].name if builds[0].method.kind == "dequantize" else original
    entries = [
        {"name": build.name, "out": str((work / build.name).absolute()), "method": build.method.model_dump()}
        for build in builds
    ]
    path = (work / "job.json").absolute()
    told = {"gguf": str(gguf.absolute()) if gguf else None, "original": str(source.absolute()), "builds": entries}
    path.write_text(json.dumps(told), "utf-8")
    return path


def _listen(
    process: subprocess.Popen[str], names: dict[str, BuildRecipe], heard: Heard, say: Callable[[str], None]
) -> list[str]:
    """Follow the process's lines to their end; lines of the libraries themselves are passed over."""
    done: list[str] = []
    for line in process.stdout or ():
        word, _, rest = line.strip().partition(" ")
        if word == "versions":
            heard.versions = json.loads(rest)
        elif word == "start" and rest in names:
            say(f"making {rest} ({names[rest].method.kind})")
        elif word == "done" and rest in names:
            done.append(rest)
    return done


def _keep_tail(process: subprocess.Popen[str], heard: Heard) -> None:
    """Read the error output all along, or a full pipe would stop the process; keep its end."""
    for line in process.stderr or ():
        heard.tail = (heard.tail + line)[-4000:]


def _environment() -> dict[str, str]:
    """The user's environment without what would lead the engine's Python to this project's libraries."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    return kept | {
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "LC_ALL": "C.UTF-8",
    }


def _failure(python: Path, status: int, heard: Heard) -> TwxAcceptError:
    """The error that fits: a library that is missing has another cure than anything else."""
    lines = [line.strip() for line in heard.tail.splitlines() if line.strip()]
    last = lines[-1] if lines else "it said nothing"
    if "ModuleNotFoundError" in last or "PackageNotFoundError" in last:
        return UsageError(f"{python}: {last}: {_CURE}")
    ended = f"by signal {-status}" if status < 0 else f"with status {status}"
    return PreparingError(
        f"the making process ended {ended} ({last}): look for free memory (it needs 2 GiB) and try again\n"
        + "\n".join(lines[-12:])
    )
