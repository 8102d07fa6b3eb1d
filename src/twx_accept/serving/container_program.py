"""docker or podman, as far as they are needed here: what they say of themselves, of images and of containers."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from twx_accept.errors import ServingError, SuiteError
from twx_accept.serving import removal

CALL_SECONDS = 60.0
"""How long a small call may take. A daemon that is stuck answers never."""

OF_THE_CLIENT = ("DOCKER_", "CONTAINER", "PODMAN_", "XDG_", "DBUS_", "LC_")
OF_THE_CLIENT_TOO = frozenset({"PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "LD_LIBRARY_PATH"})
"""Variables by which the program finds its daemon, its folders and its images; none of them reaches a container."""

NOT_HERE = ("tcp://", "ssh://", "http://", "https://")


def client_environment(inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What docker or podman itself runs with."""
    return {
        name: value for name, value in inherited.items() if name in OF_THE_CLIENT_TOO or name.startswith(OF_THE_CLIENT)
    }


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is on this machine. ``id`` is the digest of its configuration."""

    id: str
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContainerProgram:
    """The program that runs containers. ``user`` are the words that make the caller their user."""

    path: str
    name: str
    podman: bool
    user: tuple[str, ...]

    @classmethod
    def find(cls, word: str) -> "ContainerProgram":
        """The program of that name, asked whether it works.

        Raises:
            SuiteError: it is not installed.
            ServingError: it does not work, or its daemon does not answer.
        """
        path = shutil.which(word)
        if path is None:
            raise SuiteError(
                f"engine.container.program is {word!r}, which is not installed here. Install it, name the other one "
                f'(program = "docker" or "podman"), or serve from an environment with launcher = "process".'
            )
        if (host := os.environ.get("DOCKER_HOST", "")).startswith(NOT_HERE):
            raise SuiteError(
                f"DOCKER_HOST is {host}: a daemon on another machine sees neither the weights nor the socket. "
                f"Run the suite on that machine."
            )
        podman = "podman" in _call(path, "--version").casefold()
        return cls(path=path, name=word, podman=podman, user=_user(_info(path, word), podman=podman))

    def image(self, reference: str) -> Image:
        """The image of that name, which must be here and be the one that its digest says.

        Raises:
            ServingError: it is not here, or is another one.
        """
        try:
            found = json.loads(self.call("image", "inspect", reference))[0]
            image = Image(str(found["Id"]).removeprefix("sha256:"), tuple(found.get("RepoDigests") or ()))
        except (ValueError, LookupError, TypeError) as error:
            raise ServingError(f"`{self.name} image inspect {reference}` answers no image ({error}).") from error
        except ServingError as error:
            raise ServingError(
                f"the image {reference} is not on this machine ({error}). "
                f"Fetch it first, so that no boot waits for a download: `{self.name} pull {reference}`."
            ) from error
        digest = reference.rpartition("@")[2].removeprefix("sha256:")
        known = {image.id, *(each.rpartition("sha256:")[2] for each in image.digests), _digest(found)}
        if digest not in known:
            raise ServingError(
                f"{self.name} has under {reference} an image with the digests {sorted(filter(None, known))}: it is not "
                f"the one that the suite names. Remove it (`{self.name} image rm`) and fetch it again."
            )
        return image

    def labelled(self, label: str) -> list[str]:
        """The ids of all containers with the label, whether they run or not.

        Raises:
            ServingError: the program does not tell.
        """
        try:
            return removal.labelled(self.path, label)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise ServingError(
                f"`{self.name} ps --filter label={label}` failed: {removal.told(error)}. "
                f"See why `{self.name} ps` fails here, and run again."
            ) from error

    def image_of(self, container: str) -> str:
        """The id of the image that a container was made of.

        Raises:
            ServingError: the program does not tell.
        """
        told = self.call("container", "inspect", "--format", "{{.Image}}", container)
        return told.strip().removeprefix("sha256:")

    def labels(self, ids: list[str], label: str) -> dict[str, str]:
        """A label of each of these containers; one that is gone meanwhile is left out."""
        found = {}
        for each in ids:
            try:
                told = self.call("container", "inspect", "--format", f'{{{{index .Config.Labels "{label}"}}}}', each)
            except ServingError:
                continue
            found[each] = told.strip()
        return found

    def call(self, *words: str) -> str:
        """What a small call prints.

        Raises:
            ServingError: it failed, with what it said, or did not end.
        """
        return _call(self.path, *words)


def _call(program: str, *words: str) -> str:
    shown = f"`{os.path.basename(program)} {' '.join(words)}`"  # noqa: PTH119 - a word, not a path
    try:
        ran = subprocess.run(
            [program, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env=client_environment(),
            timeout=CALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ServingError(f"{shown} did not end within {CALL_SECONDS:g} s.") from error
    except OSError as error:
        raise ServingError(f"{shown} cannot be run: {error}.") from error
    if ran.returncode:
        lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
        raise ServingError(f"{shown} failed: {lines[-1][:500] if lines else f'exit status {ran.returncode}'}")
    return ran.stdout


def _info(path: str, word: str) -> Mapping[str, Any]:
    """What the program says of itself and its daemon."""
    cure = f"Start it (for docker: `systemctl start docker`), and let this user use it; `{word} info` must work."
    try:
        told = json.loads(_call(path, "info", "--format", "{{json .}}"))
    except ValueError as error:
        raise ServingError(f"`{word} info` answers no JSON ({error}). Use a newer {word}.") from error
    except ServingError as error:
        raise ServingError(f"{error}. {cure}") from error
    table = told if isinstance(told, dict) else {}
    if errors := table.get("ServerErrors"):  # docker's exit status is 0 all the same
        raise ServingError(f"{word} has no daemon that answers: {str(errors)[:300]}. {cure}")
    return table


def _user(table: Mapping[str, Any], *, podman: bool) -> tuple[str, ...]:
    """The words that let a container's processes act as the caller, and as nobody else."""
    me = f"--user={os.getuid()}:{os.getgid()}"
    groups = tuple(f"--group-add={group}" for group in sorted(set(os.getgroups()) - {os.getgid()}))
    if podman:
        security = table.get("host", {}).get("security", {}) if isinstance(table.get("host"), dict) else {}
        return ("--userns=keep-id", me) if security.get("rootless") else (me, *groups)
    options = [str(each) for each in table.get("SecurityOptions") or ()]
    if any("name=rootless" in each for each in options):
        return ("--user=0:0",)  # root in there is the caller out here
    remapped = any("name=userns" in each for each in options)
    return (*(("--userns=host",) if remapped else ()), me, *groups)


def _digest(found: Any) -> str:
    """The digest that podman knows of the image's own manifest."""
    return str(found.get("Digest") or "").removeprefix("sha256:")
