"""The stand-in as a process: what a suite names as its engine's Python, and what that then runs."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PARTS = {
    "model_config": ("model", "seed", "max_model_len", "max_logprobs", "enforce_eager", "generation_config"),
    "cache_config": ("gpu_memory_utilization", "enable_prefix_caching", "kv_cache_dtype"),
    "scheduler_config": ("max_num_seqs", "max_num_batched_tokens"),
    "parallel_config": ("tensor_parallel_size",),
}
"""Where vLLM's configuration holds which flags; others stay out of it, as they do there."""
NAMES = {"kv_cache_dtype": "cache_dtype"}


def engine_python(folder: Path, script: Any = None, *, device: str = "cpu") -> Path:
    """Writes a program that can stand as ``suite.engine.python``: it runs the stand-in with the flags it is given."""
    from fake_vllm.script import Script

    folder.mkdir(parents=True, exist_ok=True)
    behaviour = folder / "script.json"
    behaviour.write_text((script or Script()).to_json())
    program = folder / "python"
    words = [sys.executable, "-I", __file__, str(behaviour), device]
    program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    program.chmod(0o755)
    return program


def flags_of(arguments: Sequence[str]) -> dict[str, Any]:
    """The flags of a command line of vLLM, with underscores; ``--no-flag`` is False, JSON and numbers are read."""
    flags: dict[str, Any] = {}
    name = ""
    for word in arguments:
        if word.startswith("--"):
            name = word[2:].replace("-", "_")
            flags[name.removeprefix("no_")] = not name.startswith("no_")
        elif name:
            try:
                flags[name] = json.loads(word)
            except ValueError:
                flags[name] = word
    return flags


def config_of(flags: dict[str, Any], device: str) -> dict[str, dict[str, Any]]:
    """The configuration that vLLM would show for those flags."""
    config: dict[str, dict[str, Any]] = {
        part: {NAMES.get(name, name): flags[name] for name in names if name in flags} for part, names in PARTS.items()
    }
    return config | {"device_config": {"device": device}}


def shown(environment: dict[str, str]) -> dict[str, Any]:
    """The variables that vLLM shows as its own: numbers where they are numbers."""
    own = {name: value for name, value in environment.items() if name.startswith("VLLM_")}
    return {name: int(value) if value.isdigit() else value for name, value in own.items()}


def journal(file: str, build: str) -> Callable[[str, Any], None]:
    """What notes an event of this process in the journal, in one write, so that lines of two processes never mix."""

    def note(event: str, detail: Any) -> None:
        if file:
            with open(file, "ab", buffering=0) as stream:  # noqa: PTH123 - also called from a signal handler
                stream.write(json.dumps({"build": build, "event": event, "detail": detail}).encode() + b"\n")

    return note


def _take_time(seconds: float, file: str) -> None:
    """What passes before it listens."""
    time.sleep(seconds)
    for _ in range(600 if file else 0):
        if Path(file).exists():
            return
        time.sleep(0.1)


def main(arguments: Sequence[str]) -> int:
    """Command line: the file of the script, the device, and then what vLLM's Python gets."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from fake_vllm.script import Script
    from fake_vllm.server import VERSION, FakeServer

    if "-c" in arguments[2:]:
        print(json.dumps({"python": "3.12.0", "vllm": VERSION}))
        return 0
    if "--help=all" in arguments:
        print(Script.from_json(Path(arguments[0]).read_text()).help)
        return 0
    flags = flags_of(arguments[2:])
    script = Script.from_json(Path(arguments[0]).read_text()).of(str(flags["served_model_name"]))
    note = journal(script.journal, str(flags["served_model_name"]))
    note("boot", os.getpid())
    if script.cards:
        from fake_nvml import GIB, hold

        note("cards", os.environ["CUDA_VISIBLE_DEVICES"])
        hold(Path(script.cards), os.environ["CUDA_VISIBLE_DEVICES"], 60 * GIB)

    def terminated(*_: object) -> None:
        note("stop", os.getpid())
        time.sleep(script.stop_seconds)
        os._exit(0)

    signal.signal(signal.SIGTERM, signal.SIG_IGN if script.ignore_sigterm else terminated)
    if script.orphan:
        forever = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
        subprocess.Popen([sys.executable, "-I", "-S", "-c", forever, "fake-vllm-orphan"], start_new_session=True)
    for line in script.prints:
        print(line, flush=True)
    _take_time(script.start_seconds, script.start_when)
    if script.exit_at_start is not None:
        return script.exit_at_start
    if script.never_ready:
        time.sleep(600)
    settings = {"config": config_of(flags, arguments[1]), "environment": shown(dict(os.environ)), "note": note}
    served = flags["served_model_name"]
    with FakeServer(script, served=served, socket=Path(flags["uds"]), die=lambda: os._exit(0), **settings):
        note("ready", os.getpid())
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
