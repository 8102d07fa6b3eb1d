"""Serves a build with a vLLM process on this machine, on a Unix socket that only its owner can reach."""

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Boot
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Engine, FlagValue, Suite
from twx_accept.errors import ServingError, SettingsMismatch, SuiteError
from twx_accept.serving import arguments, log, metrics
from twx_accept.serving.child import Child
from twx_accept.serving.client import Client
from twx_accept.serving.launcher import ProgressCallback
from twx_accept.serving.memory import Memory, memory_of, wait_until_back
from twx_accept.serving.proof import prove, prove_environment
from twx_accept.serving.readiness import died, wait_until_ready
from twx_accept.serving.stopping import stop

BASE_URL = "http://localhost"
"""The host name that requests carry over the socket; nothing resolves it."""
LONGEST_SOCKET_PATH = 100
"""Bytes. The kernel takes 107, without saying so in words when there are more."""
SERVER_INFO = "/server_info?config_format=json"
SECRETS = ("hf_token",)


class ProcessLauncher:
    """The launcher for an engine in an environment of its own on this machine (:class:`.launcher.Launcher`)."""

    @contextmanager
    def boot(self, suite: Suite, build: Build, *, folder: Path, progress: ProgressCallback) -> Iterator[RunningServer]:
        """Boots, proves, yields, stops, and waits for the memory. See :meth:`.launcher.Launcher.boot`.

        If the server ends by itself while the context lasts, the end of the context raises ServerDied, whatever its
        exit status; where the context is left by an error, that error gets the news as a note.
        """
        engine = suite.engine
        flags = arguments.flags_of(suite, build)
        expect_executable(engine.python)
        memory = memory_of(engine.device)
        before = memory.used()
        number, logfile = next_log(folder, build.name)
        with socket_folder() as place:
            socket = place / "s"
            child = Child(
                arguments.command(engine, build, socket, flags),
                environment=arguments.environment(engine),
                log=logfile,
                grace_seconds=engine.stop_seconds,
                remove=place,
            )
            with stopped_in_the_end(child, build, memory, before, engine.memory_seconds):
                with Client(base_url=BASE_URL, socket=socket) as client:
                    seconds = wait_until_ready(
                        child, client, build.name, seconds=engine.ready_seconds, progress=progress
                    )
                    boot = describe(client, engine, build, flags, number, seconds, logfile, memory)
                yield RunningServer(base_url=BASE_URL, socket=socket, model=build.name, api_key="", boot=boot)


@contextmanager
def stopped_in_the_end(
    child: Child, build: Build, memory: Memory, before: tuple[int, ...], memory_seconds: float
) -> Iterator[None]:
    """Stops the server however the context ends. An error that is under way is kept, and gets later ones as notes."""
    try:
        yield
    except BaseException as error:
        try:
            end(child, build, memory, before, memory_seconds)
        except ServingError as later:
            error.add_note(str(later))
        raise
    end(child, build, memory, before, memory_seconds)


def end(child: Child, build: Build, memory: Memory, before: tuple[int, ...], memory_seconds: float) -> None:
    """Stops the server and waits for its memory.

    Raises:
        ServerDied: it had ended already.
        ServingError: a process survived.
        MemoryNotBack: its memory did not come back.
    """
    death = died(child, build.name, "while it was needed") if child.exit_status is not None else None
    stop(child)
    wait_until_back(memory, before, seconds=memory_seconds)
    if death is not None:
        raise death


def describe(
    client: Client,
    engine: Engine,
    build: Build,
    flags: Mapping[str, FlagValue],
    number: int,
    seconds: float,
    logfile: Path,
    memory: Memory,
) -> Boot:
    """The boot as the server itself describes it, once its settings are proven."""
    text = log.read(logfile)
    info = server_info(client)
    config, shown = info.get("vllm_config") or {}, info.get("vllm_env") or {}
    accepted = log.accepted_arguments(text)
    flag_proof = prove(flags, config, accepted, model=str(build.path))
    environment_proof = prove_environment({**engine.environment, **arguments.FIXED}, shown)
    device = device_of(config, engine.device)
    labels, capacity = metrics.cache(client.text("/metrics"))
    return Boot(
        number=number,
        ready_seconds=seconds,
        engine_version=version(client) or log.engine_version(text),
        device=device,
        flags=dict(flags),
        settings=without_secrets({**config, "vllm_env": shown}) if config else {"non_default_args": dict(accepted)},
        cache=labels,
        capacity_tokens=capacity,
        weights_gib=log.gib(text, "Model loading took"),
        cache_gib=log.gib(text, "Available KV cache memory:"),
        cards=memory.totals(),
        cold=log.cold(text),
        log=logfile.name,
        notes=(*flag_proof.unchecked, *environment_proof.unchecked, *log.kernel_lines(text)),
    )


def server_info(client: Client) -> dict[str, Any]:
    """The engine's whole configuration, empty where it does not tell (an older engine)."""
    with contextlib.suppress(ServingError):
        return client.json(SERVER_INFO)
    return {}


def version(client: Client) -> str:
    """The engine's version, empty where it does not tell."""
    with contextlib.suppress(ServingError):
        return str(client.json("/version").get("version", ""))
    return ""


def device_of(config: Mapping[str, Any], expected: str) -> str:
    """The device that the engine runs on.

    Raises:
        SettingsMismatch: it is not the suite's: engines fall back to the CPU without a word.
    """
    section = config.get("device_config")
    found = section.get("device") if isinstance(section, Mapping) else None
    if isinstance(found, str) and found.partition(":")[0] != expected:
        raise SettingsMismatch(
            f"the engine runs on {found!r}, the suite says {expected!r}. Correct device in the suite."
        )
    return found if isinstance(found, str) else expected


def without_secrets(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration without what must not be kept with the evidence."""
    return {
        part: {key: "(removed)" if key in SECRETS and value else value for key, value in values.items()}
        if isinstance(values, Mapping)
        else values
        for part, values in config.items()
    }


def expect_executable(python: Path) -> None:
    """Checks that the engine's Python can be started at all."""
    if not os.access(python, os.X_OK) or not python.is_file():
        raise SuiteError(f"the engine's python {python} is no program. Install vLLM into an environment and name it.")


def next_log(folder: Path, build: str) -> tuple[int, Path]:
    """The number of this boot and its log, a new file: ``NAME-boot-1.log``. Earlier logs are never written over."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", build)
    number = 1
    while True:
        path = folder / f"{stem}-boot-{number}.log"
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            number += 1
        else:
            return number, path


@contextmanager
def socket_folder() -> Iterator[Path]:
    """A fresh folder that only its owner can enter, with a path that is short enough for a socket."""
    fits = len(os.fsencode(tempfile.gettempdir())) + len("/twx-01234567/s") <= LONGEST_SOCKET_PATH
    with tempfile.TemporaryDirectory(prefix="twx-", dir=None if fits else "/tmp", ignore_cleanup_errors=True) as folder:  # noqa: S108 - fresh, 0700
        yield Path(folder)
