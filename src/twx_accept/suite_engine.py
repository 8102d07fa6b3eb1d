"""The engine of a suite file: how it is brought up, and what each way of that needs."""

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from platformdirs import user_cache_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from twx_accept.domain.suite import Address, Attach, Container, Engine
from twx_accept.errors import SuiteError

ENGINE_VARIABLE = "TWX_ACCEPT_ENGINE_PYTHON"
KEY_VARIABLE = "TWX_ACCEPT_ATTACH_KEY"
"""Holds the key of servers that are attached; no suite and no evidence does."""

DIGEST = re.compile(r"(?:[^\s@]+@)?sha256:[0-9a-f]{64}")
OPTION = re.compile(r"--[a-z][a-z0-9-]*(?:=\S.*)?")

VARIABLE_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*$"
CARD = r"^(?:GPU|MIG)-[A-Za-z0-9/-]+$"
"""A card's UUID or its beginning, as ``nvidia-smi -L`` shows it."""

OURS = frozenset(
    {
        *("name", "label", "label-file", "rm", "detach", "cidfile", "pull", "entrypoint", "env", "env-file"),
        *("user", "userns", "network", "net", "publish", "publish-all", "gpus", "shm-size", "ipc", "interactive"),
        *("tty", "restart", "sig-proxy", "init", "health-cmd", "workdir", "log-driver", "attach", "env-host"),
        *("privileged", "pid", "replace"),
    }
)
"""Options of docker and podman that the launcher gives itself, or that would take from it what it vouches for."""

CURE_TAG = (
    "a tag can be moved to another image; name it by digest, NAME@sha256:..., which "
    "`docker image inspect --format '{{{{json .RepoDigests}}}}' {0}` shows for an image that is here"
)


def _line(text: str) -> str:
    """Paths and titles are shown in one line, and no path of the system holds a NUL."""
    if text.splitlines() != [text] or "\0" in text:
        raise ValueError("should be one line of text that is not empty")
    return text


def _image(text: str) -> str:
    """An image that can never be another one."""
    if not DIGEST.fullmatch(_line(text)) or text.startswith("-"):
        raise ValueError(CURE_TAG.format(text.partition("@")[0]))
    return text


def _option(text: str) -> str:
    """A word for docker or podman, in the one form in which it cannot swallow the next."""
    if not OPTION.fullmatch(_line(text)):
        raise ValueError("should be one option with its value behind an equals sign, such as --device=/dev/infiniband")
    name = text[2:].partition("=")[0]
    if name in OURS:
        raise ValueError(f"--{name} is the launcher's own; remove it")
    return text


def root_url(text: str, key_variable: str) -> str:
    """The root of an OpenAI-compatible address, without its /v1 and without what does not belong into a file.

    Raises:
        ValueError: it is none, or holds a secret, which belongs into that variable.
    """
    parts = urlsplit(_line(text))
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:  # a port of words raises
        raise ValueError("should be an address such as https://models.example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(f"should hold no name, password, query or fragment; a key belongs into {key_variable}")
    return text.rstrip("/").removesuffix("/v1").rstrip("/")


Line = Annotated[str, AfterValidator(_line)]
Variable = Annotated[str, Field(pattern=VARIABLE_PATTERN)]


class Section(BaseModel):
    """A table of a suite file: unknown fields are errors, and types are not converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ContainerSection(Section):
    """``[engine.container]``."""

    image: Annotated[str, AfterValidator(_image)]
    program: Line = "docker"
    python: Line = "python3"
    shared_memory_gib: float = Field(default=16.0, gt=0)
    cache_folder: Line | None = None
    options: list[Annotated[str, AfterValidator(_option)]] = []


class AddressSection(Section):
    """``[engine.attach.builds.NAME]``."""

    url: Annotated[str, AfterValidator(lambda text: root_url(text, KEY_VARIABLE))]
    model: Line | None = None
    root: Line = ""


class AttachSection(Section):
    """``[engine.attach]``."""

    builds: dict[str, AddressSection] = Field(min_length=1)
    certificates: Line | None = None
    here: bool = False


class EngineSection(Section):
    """``[engine]``."""

    launcher: Literal["process", "container", "attach"] = "process"
    python: Line | None = None
    device: Literal["cpu", "cuda"] = "cuda"
    ready_seconds: float = Field(default=1800, gt=0)
    stop_seconds: float = Field(default=60, gt=0)
    memory_seconds: float = Field(default=120, gt=0)
    environment: dict[Variable, Line] = {}
    cards: list[Annotated[int, Field(ge=0)] | Annotated[str, Field(pattern=CARD)]] | None = Field(
        default=None, min_length=1
    )
    container: ContainerSection | None = None
    attach: AttachSection | None = None


def engine_of(path: Path, folder: Path, checked: EngineSection, builds: Collection[str]) -> Engine:
    """The engine of that suite file.

    Args:
        path: the file, for errors.
        folder: what relative paths are relative to.
        checked: its table.
        builds: the names of its builds.

    Raises:
        SuiteError: the launcher's own settings are absent, or contradict the rest.
    """
    _expect_settings(path, checked)
    return Engine(
        python=_python(path, folder, checked),
        device=checked.device,
        environment=checked.environment,
        ready_seconds=checked.ready_seconds,
        stop_seconds=checked.stop_seconds,
        memory_seconds=checked.memory_seconds,
        launcher=checked.launcher,
        container=_container(path, folder, checked.container),
        attach=_attach(path, folder, checked.attach, builds),
        cards=_cards(path, checked),
    )


def _expect_settings(path: Path, checked: EngineSection) -> None:
    for name in ("container", "attach"):
        there = getattr(checked, name) is not None
        if there and checked.launcher != name:
            raise SuiteError(
                f"{path}: engine.{name} is for the launcher {name!r}, and engine.launcher is {checked.launcher!r}; "
                f'set launcher = "{name}", or remove the table'
            )
        if checked.launcher == name and not there:
            raise SuiteError(f"{path}: engine.launcher is {name!r}; add the table [engine.{name}]")
    if checked.launcher != "process" and checked.python is not None:
        where = "engine.container.python is the one in the image" if checked.launcher == "container" else "nothing runs"
        raise SuiteError(f"{path}: engine.python is for the launcher 'process'; remove it ({where})")


def _python(path: Path, folder: Path, checked: EngineSection) -> Path:
    if checked.container is not None:
        return Path(checked.container.python)
    if checked.attach is not None:
        return Path(os.devnull)
    override = os.environ.get(ENGINE_VARIABLE)
    if override:
        return resolve(ENGINE_VARIABLE, Path.cwd(), override)
    if checked.python is None:
        raise SuiteError(f"{path}: engine.python: is missing; add it: the python of vLLM's own environment")
    return resolve(f"{path}: engine.python", folder, checked.python)


def _container(path: Path, folder: Path, section: ContainerSection | None) -> Container | None:
    if section is None:
        return None
    usual = user_cache_path("twx-accept") / "containers"
    named = section.cache_folder
    return Container(
        image=section.image,
        program=section.program,
        python=section.python,
        shared_memory_gib=section.shared_memory_gib,
        cache=usual if named is None else resolve(f"{path}: engine.container.cache_folder", folder, named),
        options=tuple(section.options),
    )


def _attach(path: Path, folder: Path, section: AttachSection | None, builds: Collection[str]) -> Attach | None:
    if section is None:
        return None
    unknown, absent = sorted(set(section.builds) - set(builds)), sorted(set(builds) - set(section.builds))
    if unknown:
        known = ", ".join(builds)
        raise SuiteError(f"{path}: engine.attach.builds.{unknown[0]}: no build of this suite; it has: {known}")
    if absent:
        raise SuiteError(f"{path}: engine.attach.builds.{absent[0]}: is missing; add its url")
    addresses = {
        name: Address(url=each.url, model=each.model or name, root=each.root) for name, each in section.builds.items()
    }
    served: dict[tuple[str, str], str] = {}
    for name, each in addresses.items():
        if other := served.get((each.url, each.model)):
            raise SuiteError(
                f"{path}: engine.attach.builds: {other} and {name} are both {each.model!r} at {each.url}; "
                "give each build an address or a model of its own"
            )
        served[each.url, each.model] = name
    named = section.certificates
    file = None if named is None else resolve(f"{path}: engine.attach.certificates", folder, named)
    if file is not None and not file.is_file():
        raise SuiteError(f"{path}: engine.attach.certificates is {named!r}: there is no {file}; mend the path")
    return Attach(addresses=addresses, certificates=file, here=section.here)


def _cards(path: Path, checked: EngineSection) -> tuple[str, ...]:
    """The names of the cards that may be used, each once and in one place."""
    names = tuple(map(str, checked.cards or ()))
    if names and (checked.device == "cpu" or checked.launcher == "attach"):
        why = "device is 'cpu'" if checked.device == "cpu" else "the server is somebody else's"
        raise SuiteError(f"{path}: engine.cards is {', '.join(names)}, and {why}; remove it")
    if names and "CUDA_VISIBLE_DEVICES" in checked.environment:
        raise SuiteError(f"{path}: engine.cards and CUDA_VISIBLE_DEVICES both name cards; remove the latter")
    if double := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise SuiteError(f"{path}: engine.cards names {', '.join(double)} twice; name each card once")
    return names


def visible_cards(engine: Engine) -> int | None:
    """How many cards the suite itself gives the engine, None where it does not say."""
    if engine.cards:
        return len(engine.cards)
    named = engine.environment.get("CUDA_VISIBLE_DEVICES")
    if engine.device == "cpu" or named is None:
        return None
    return len([name for name in named.split(",") if name.strip()])


def resolve(where: str, folder: Path, text: str) -> Path:
    """The path without following links: a virtual environment's python is a link that must stay one."""
    try:
        expanded = Path(text).expanduser()
    except RuntimeError as error:
        raise SuiteError(f"{where}: {text!r} names a home that is not known; write the whole path") from error
    return Path(os.path.normpath(folder / expanded))


JUDGE_KEY_VARIABLE = "TWX_ACCEPT_JUDGE_KEY"
"""Holds the key of the server of a judge (a second stage), where it wants one; no suite and no evidence does."""
