"""What a server is started with: its flags, its command line and its environment."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twx_accept import nodes
from twx_accept.domain.suite import Build, Engine, FlagValue, Suite
from twx_accept.errors import SettingsMismatch, SuiteError

SERVER_MODULE = "vllm.entrypoints.openai.api_server"
"""Run with ``-m``, because the CPU package has no working ``vllm`` command. It prints a deprecation warning."""

SEVERAL_SERVERS = ("vllm.entrypoints.cli.main", "serve")
"""What starts several API processes before one engine: the module above takes ``api_server_count`` and ignores it."""

OURS = frozenset(
    {
        *("model", "served_model_name", "uds", "host", "port", "api_key", "config", "headless", "root_path"),
        *("ssl_keyfile", "ssl_certfile", "ssl_ca_certs"),
    }
)
"""Flags that the launcher gives itself, or that would hide settings from it."""

CACHE_SIZES = frozenset({"kv_cache_memory_bytes", "kv_cache_memory", "num_gpu_blocks_override"})
"""Flags that fix the size of the cache, which is what the cache claim measures."""

NEVER_KEPT = "hf_t"
"""How ``hf_token`` begins, since the engine takes a name that is written half: no other of its flags begins so."""

INHERITED = (
    *("HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "CC", "CXX"),
    *("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "VLLM_CACHE_ROOT", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"),
    *("HF_HOME", "HF_HUB_CACHE"),
)
"""Where things are, and which cards may be used. What changes a result must come from the suite, where it is seen."""

FIXED = {
    "HF_HUB_OFFLINE": "1",  # a model is what lies on the disk
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_SERVER_DEV_MODE": "1",  # /server_info; opens much else besides, so only behind the socket
    "VLLM_COMPUTE_NANS_IN_LOGITS": "1",  # fills vllm:corrupted_requests_total
    "PYTHONUNBUFFERED": "1",  # the log is read while it is written
    "PYTHONSAFEPATH": "1",  # a folder of the suite must not be imported in the place of a package of the engine
}


def flags_of(suite: Suite, build: Build) -> dict[str, FlagValue]:
    """The suite's flags overlaid with the build's.

    Raises:
        SettingsMismatch: the build sets a flag in which builds may not differ.
        SuiteError: a flag that is not the suite's to set, a secret, or one that fixes the cache's size.
    """
    common, own = with_underscores(suite.flags), with_underscores(build.flags)
    # Before any other check: those tell the value.
    if secret := next((name for name in (*common, *own) if name.startswith(NEVER_KEPT)), ""):
        raise SuiteError(
            f"{secret} is a secret: as a flag it would be kept with the evidence, and stand in the report and in the "
            f"machine's list of processes. Remove it. Runs are offline and need none; to fetch a model, set HF_TOKEN "
            f"in the environment before `twx-accept models prepare`."
        )
    for name, value in own.items():
        if name not in suite.may_differ and (name not in common or common[name] != value):
            raise SettingsMismatch(
                f"build {build.name!r} sets {name}={value!r}, the suite {common.get(name, 'nothing')!r}: builds may "
                f"differ in {sorted(suite.may_differ)} only. Move {name} to the suite's flags or name it in may_differ."
            )
    merged = {**common, **own}
    for name in merged:
        if name in CACHE_SIZES:
            raise SuiteError(
                f"{name} fixes the size of the cache, so that no build could have more of it than another. Remove it; "
                f"the memory for the cache is set by gpu_memory_utilization, on a CPU by VLLM_CPU_KVCACHE_SPACE."
            )
        if name in OURS:
            raise SuiteError(f"{name} is set by the launcher itself. Remove it from the flags.")
    return merged


def with_underscores(flags: Mapping[str, FlagValue]) -> dict[str, FlagValue]:
    """Flags by the names that the engine's configuration uses, however they are spelt."""
    return {name.strip("-").replace("-", "_"): value for name, value in flags.items()}


def command(engine: Engine, build: Build, socket: Path, flags: Mapping[str, FlagValue]) -> list[str]:
    """The server's command line: it serves the build under the build's name, on the socket and nowhere else."""
    return [str(engine.python), *server(build.path, build.name, socket, flags)]


def server(model: Path, name: str, socket: Path, flags: Mapping[str, FlagValue]) -> list[str]:
    """The command line behind the engine's python."""
    several = flags.get("api_server_count", 1) not in (1, True)
    words = ["-m", *(SEVERAL_SERVERS if several else [SERVER_MODULE])]
    words += ["--model", str(model), "--served-model-name", name, "--uds", str(socket)]
    for each, value in flags.items():
        words += flag(each, value)
    return words


def flag(name: str, value: FlagValue) -> list[str]:
    """One flag as arguments: ``--flag``, ``--no-flag``, or ``--flag VALUE`` (JSON for a table)."""
    dashed = name.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{dashed}" if value else f"--no-{dashed}"]
    if isinstance(value, Mapping):
        return [f"--{dashed}", json.dumps(value, sort_keys=True, default=_plain)]
    return [f"--{dashed}", str(value)]


def expect_cards(engine: Engine, flags: Mapping[str, FlagValue], cards: tuple[int, ...]) -> None:
    """Checks that the engine has as many cards on this node as its flags put to work. ``cards`` are their bytes.

    Raises:
        SuiteError: it has fewer, or flags for several nodes contradict each other.
    """
    wrong = nodes.problems(flags, None if engine.device == "cpu" else len(cards))
    if wrong:
        raise SuiteError("; ".join(wrong))


def environment(engine: Engine, inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The server's environment: a little of this one's, the suite's, and what every server gets.

    Nothing of the test run's own Python is in it (``PYTHONPATH``, ``VIRTUAL_ENV``, its folder of commands).
    """
    kept = {name: value for name, value in inherited.items() if name in INHERITED or name.startswith("LC_")}
    own = {str(Path(sys.prefix, "bin")), str(Path(inherited.get("VIRTUAL_ENV", sys.prefix), "bin"))}
    path = [folder for folder in inherited.get("PATH", os.defpath).split(os.pathsep) if folder not in own]
    kept["PATH"] = os.pathsep.join([str(engine.python.parent), *path])
    return {**kept, **engine.environment, **FIXED}


def _plain(value: Any) -> Any:
    """A read-only mapping as a dictionary, which JSON knows."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} has no form in JSON")
