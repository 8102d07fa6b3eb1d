"""Makes the record of a boot: what the server says of itself, once its settings are proven."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Boot
from twx_accept.domain.suite import Build, Engine, FlagValue
from twx_accept.errors import ServingError, SettingsMismatch
from twx_accept.serving import arguments, log, metrics
from twx_accept.serving.client import Client
from twx_accept.serving.proof import prove, prove_environment

SERVER_INFO = "/server_info?config_format=json"
SECRETS = frozenset({"hf_token"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One start of a server: what it was given. ``number`` counts the boots of a build, each with a ``log`` file.

    ``model`` is the path that the engine was given. Relative paths in ``flags`` are relative to ``folder``.
    """

    engine: Engine
    folder: Path
    build: Build
    model: Path
    flags: Mapping[str, FlagValue]
    number: int
    log: Path


def describe(client: Client, start: Start, *, ready_seconds: float, cards: tuple[int, ...]) -> Boot:
    """The boot as the server describes it. ``cards`` are the total bytes of each card.

    ``Boot.settings`` is the engine's configuration with its environment under ``vllm_env``; an engine that does not
    tell it leaves only ``non_default_args``. ``Boot.notes`` begins with every setting that could not be checked, and
    then has the log's lines about kernels and quantization.

    Raises:
        SettingsMismatch: the engine runs with other settings, or on another device.
    """
    text = log.read(start.log)
    info = server_info(client)
    config, shown = table(info, "vllm_config"), table(info, "vllm_env")
    accepted = log.accepted_arguments(text)
    flags = prove(start.flags, config, accepted, model=str(start.model))
    environment = prove_environment({**start.engine.environment, **arguments.FIXED}, shown)
    labels, capacity = metrics.cache(client.text("/metrics"))
    return Boot(
        number=start.number,
        launcher=start.engine.launcher,
        ready_seconds=ready_seconds,
        engine_version=version(client) or log.engine_version(text),
        device=device(config, start.engine.device),
        flags=dict(start.flags),
        settings=without_secrets({**config, "vllm_env": shown}) if config else {"non_default_args": accepted},
        cache=labels,
        capacity_tokens=capacity,
        weights_gib=log.gib(text, "Model loading took"),
        cache_gib=log.gib(text, "Available KV cache memory:"),
        cards=cards,
        cold=log.cold(text),
        log=start.log.name,
        notes=(*flags.unchecked, *environment.unchecked, *log.kernel_lines(text)),
    )


def server_info(client: Client) -> Mapping[str, Any]:
    """The engine's whole configuration, empty where it does not tell (an older engine)."""
    with contextlib.suppress(ServingError):
        return client.json(SERVER_INFO)
    return {}


def version(client: Client) -> str:
    """The engine's version, empty where it does not tell."""
    with contextlib.suppress(ServingError):
        return str(client.json("/version").get("version", ""))
    return ""


def table(info: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A table of the answer, empty where it is absent or something else."""
    found = info.get(name)
    return found if isinstance(found, Mapping) else {}


def device(config: Mapping[str, Any], expected: str) -> str:
    """The device that the engine runs on, the expected one where it does not tell.

    Raises:
        SettingsMismatch: it is another one; an engine can fall back to the CPU without a word.
    """
    found = table(config, "device_config").get("device")
    if not isinstance(found, str):
        return expected
    if found.partition(":")[0] != expected:
        raise SettingsMismatch(f"the engine runs on {found!r}, not {expected!r}. Correct device in the suite's engine.")
    return found


def without_secrets(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration without what must not be kept with the evidence."""
    return {
        part: {key: "(removed)" if key in SECRETS and value else value for key, value in values.items()}
        if isinstance(values, Mapping)
        else values
        for part, values in config.items()
    }
