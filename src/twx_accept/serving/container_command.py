"""The command line of a container: what it sees of this machine, and what it does not.

It gets the weights (read-only), the files that flags name (read-only), a folder for the socket, a folder for compiled
kernels, the cards that the suite lets it have, and no network unless the engine spans nodes. Values of variables stand
on no command line: the program takes them from its own environment, by name.
"""

import getpass
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from twx_accept import nodes
from twx_accept.domain.suite import Build, Container, Engine, FlagValue
from twx_accept.errors import SuiteError
from twx_accept.serving import arguments
from twx_accept.serving.cards import VISIBLE
from twx_accept.serving.container_program import ContainerProgram, client_environment

RUN = "twx-accept.run"
"""The label that says which test run a container belongs to."""
BOOT = "twx-accept.boot"
"""The label that only one container has."""

OF_ONE = ("--name=", "--label=")
"""The words that no two containers share."""

SOCKETS = "/twx/socket"
CACHE = "/twx/cache"
UNWRITABLE = ',"\n'
"""What no path of a mount may hold: docker and podman read mounts as comma-separated values."""

MOST_LINKS, MOST_FILES = 40, 10_000
"""Hops of one link, as the kernel counts them, and files of one folder whose links are followed."""

ALONE = {
    "VLLM_HOST_IP": "127.0.0.1",
    **dict.fromkeys(("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME", "TP_SOCKET_IFNAME"), "lo"),
}
"""Without a network the engine's own processes find each other over the loopback interface."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One container. ``labels`` mark it, ``socket`` is the folder that the socket lies in, ``cache`` keeps kernels.

    ``visible`` are the cards that it gets, as CUDA_VISIBLE_DEVICES names them; None for all.
    """

    program: ContainerProgram
    engine: Engine
    settings: Container
    labels: Mapping[str, str]
    socket: Path = Path()
    cache: Path = Path()
    visible: str | None

    @property
    def label(self) -> str:
        """The label that no other container has."""
        return f"{BOOT}={self.labels[BOOT]}"


def server(run: Run, build: Build, flags: Mapping[str, FlagValue]) -> tuple[list[str], dict[str, str]]:
    """The command line that serves a build in a container, and the environment of the program that is started.

    Raises:
        SuiteError: a path that cannot be mounted.
    """
    model = build.path.resolve()
    inside = {**environment(flags), **run.engine.environment, **arguments.FIXED}
    inside.pop(VISIBLE, None)  # the cards of a container are numbered from 0
    outer = client_environment()
    words = [run.program.path, "run", "--rm", "--pull=never", *marked(run)]
    words += ["--network=host"] if nodes.spans(flags) else ["--network=none", "--hostname=localhost"]
    words += ["--ipc=private", f"--shm-size={int(run.settings.shared_memory_gib * 2**30)}b"]
    words += [*run.program.user, "--cap-drop=ALL", "--security-opt=no-new-privileges", "--security-opt=label=disable"]
    words += cards(run)
    words += [mount(source, target) for source, target in read_only(model, flags).items()]
    words += [mount(run.socket, SOCKETS, writable=True), mount(run.cache, CACHE, writable=True)]
    for name, value in inside.items():  # a variable that the program itself needs must not be changed for it
        words.append(f"--env={name}={value}" if name in outer else f"--env={name}")
    words += [*run.settings.options, f"--entrypoint={run.settings.python}", run.settings.image]
    return [*words, *arguments.server(model, build.name, Path(SOCKETS, "s"), flags)], {**inside, **outer}


def interpreter(run: Run) -> list[str]:
    """The command that runs the Python of an image, for a question or two, one after the other; it needs no folders."""
    program, settings = run.program, run.settings
    words = [program.path, "run", "--rm", "--pull=never", *marked(run), "--network=none", *program.user]
    words += ["--cap-drop=ALL", "--security-opt=no-new-privileges", "--security-opt=label=disable", "--env=HOME=/tmp"]
    return [*words, *cards(run), *settings.options, f"--entrypoint={settings.python}", settings.image]


def marked(run: Run) -> list[str]:
    """The words by which a container is found again."""
    name = f"--name=twx-accept-{run.labels[BOOT][:12]}"
    return [name, *(f"--label={label}={value}" for label, value in run.labels.items())]


def environment(flags: Mapping[str, FlagValue]) -> dict[str, str]:
    """Where things are inside, and who the engine is there: a user without an entry of its own in the image."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user without a name here either
        user = "twx"
    return {
        "HOME": CACHE,
        "USER": user,
        "LOGNAME": user,
        "XDG_CACHE_HOME": f"{CACHE}/xdg",
        "VLLM_CACHE_ROOT": f"{CACHE}/vllm",
        "TRITON_CACHE_DIR": f"{CACHE}/triton",
        "TORCHINDUCTOR_CACHE_DIR": f"{CACHE}/inductor",
        **({} if nodes.spans(flags) else ALONE),
    }


def cards(run: Run) -> list[str]:
    """The words that give a container its cards: those that the suite or the environment names, else all.

    Raises:
        SuiteError: none is named at all.
    """
    if run.engine.device == "cpu":
        return []
    if run.visible is None:
        return ["--device=nvidia.com/gpu=all"] if run.program.podman else ["--gpus=all"]
    named = [name.strip() for name in run.visible.split(",") if name.strip()]
    if not named:
        raise SuiteError(f"{VISIBLE} is empty, so the engine has no card. Name its cards, or say device = cpu.")
    if run.program.podman:
        return [f"--device=nvidia.com/gpu={name}" for name in named]
    return [f'--gpus="device={",".join(named)}"']  # docker reads commas as its own without the quotes


def mount(source: Path, target: Path | str, *, writable: bool = False) -> str:
    """One mount.

    Raises:
        SuiteError: docker and podman have no way to write that path.
    """
    for path in map(str, (source, target)):
        if any(character in path for character in UNWRITABLE):
            raise SuiteError(f"{path!r} holds a comma or a quote, which no mount of a container can. Rename it.")
    return f"--mount=type=bind,source={source},target={target}{'' if writable else ',readonly'}"


def read_only(model: Path, flags: Mapping[str, FlagValue]) -> dict[Path, Path]:
    """Which folders and files of this machine the engine reads, each under its own path inside.

    Links are followed hop by hop: a hub's cache keeps a model's files in another folder and links to them.
    """
    wanted = [model, *(Path(text) for text in texts(dict(flags)) if text.startswith("/") and text != "/")]
    places: list[Path] = []
    for path in wanted:
        if is_there(path):
            places += [path, *linked(path)]
    found: dict[Path, Path] = {}
    for place in sorted(set(places), key=lambda each: len(each.parts)):
        if not any(place.is_relative_to(above) and not above.is_symlink() for above in found):
            found[place] = place
    return found


def is_there(path: Path) -> bool:
    """Whether it exists; a text that no path can be (a template, say) does not."""
    try:
        return path.exists()
    except OSError:
        return False


def linked(path: Path) -> Iterator[Path]:
    """Everything outside of a file or folder that links in it lead to, each hop of them."""
    inner = [path, *islice(path.rglob("*"), MOST_FILES)] if path.is_dir() else [path]
    for each in inner:
        hop = each
        for _ in range(MOST_LINKS):
            if not hop.is_symlink():
                break
            hop = hop.parent / hop.readlink()
            hop = hop.parent.resolve() / hop.name
            yield hop


def texts(value: Any) -> Iterator[str]:
    """Every text in a value of the suite, also within a text that is JSON."""
    if isinstance(value, str):
        yield value
        if value.startswith("{"):
            try:
                yield from texts(json.loads(value))
            except (ValueError, RecursionError):
                return
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)
