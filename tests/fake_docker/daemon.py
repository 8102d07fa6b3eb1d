"""The daemon of the stand-in, in threads of the test."""

import array
import contextlib
import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

CLIENT = Path(__file__).with_name("client.py")
MARK = "FAKE_CONTAINER"
"""The variable by which every process of a container is found."""


@dataclass(frozen=True)
class FakeImage:
    """An image. ``programs`` are what it has, by the name inside; ``runs`` is the id that containers of it show."""

    programs: dict[str, Path]
    id: str = "1" * 64
    digests: tuple[str, ...] = ()
    digest: str = ""
    runs: str = ""


@dataclass
class FakeContainer:
    """A container: its options by name (each a list), its labels, its process once there is one, who started it."""

    id: str
    image: FakeImage
    options: dict[str, list[str]]
    words: list[str]
    client: str
    process: subprocess.Popen[bytes] | None = None

    @property
    def labels(self) -> dict[str, str]:
        """Its labels."""
        return dict(each.split("=", 1) for each in self.options.get("label", []))


@dataclass
class FakeDaemon:
    """The daemon; ``images`` are what it has, by reference.

    What goes wrong: ``taken`` refuses every name, ``stuck`` never removes a container, ``silent`` answers no small call
    at all, ``fails`` are commands that fail once, when they are given next. ``security`` are the options that ``info``
    shows, ``rootless`` that of podman. ``history`` has every container that there was; ``environments`` what each was
    given.
    """

    folder: Path
    images: dict[str, FakeImage]
    podman: bool = False
    security: list[str] = field(default_factory=lambda: ["name=seccomp,profile=default"])
    rootless: bool = False
    taken: bool = False
    stuck: bool = False
    silent: bool = False
    fails: list[str] = field(default_factory=list)
    history: list[FakeContainer] = field(default_factory=list)
    environments: list[dict[str, str]] = field(default_factory=list)
    _there: dict[str, FakeContainer] = field(default_factory=dict)
    _over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._place = tempfile.TemporaryDirectory(prefix="fake-docker-", dir="/tmp")  # paths of sockets are short
        self.socket = Path(self._place.name, "s")
        self.program = self.folder / ("podman" if self.podman else "docker")
        words = [sys.executable, "-I", "-S", str(CLIENT), "podman" if self.podman else "", str(self.socket)]
        self.program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        self.program.chmod(0o755)

    def __enter__(self) -> "FakeDaemon":
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._over.set()
        for container in list(self._there.values()):
            self._kill(container)
        self._listener.close()
        self._place.cleanup()

    def containers(self) -> list[str]:
        """The ids of all containers that are there."""
        return list(self._there)

    def processes(self) -> list[psutil.Process]:
        """Every living process of every container that there ever was."""
        found = []
        for container in self.history:
            with contextlib.suppress(psutil.NoSuchProcess):
                if container.process is not None and container.process.poll() is None:
                    top = psutil.Process(container.process.pid)
                    found += [top, *top.children(recursive=True)]
        return found

    def _accept(self) -> None:
        while True:
            try:
                there, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(there,), daemon=True).start()

    def _serve(self, there: socket.socket) -> None:
        with there:
            streams = array.array("i")
            raw, control, _, _ = there.recvmsg(2**20, socket.CMSG_SPACE(2 * streams.itemsize))
            while not raw.endswith(b"\n"):
                raw += there.recv(2**20)
            for level, kind, data in control:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                    streams.frombytes(data)
            request = json.loads(raw)
            out, err = streams
            try:
                status = self._answer(request, out, err)
            except BrokenPipeError:  # the client was killed
                status = 125
            except Exception as error:  # whatever it is, the client must not wait for ever
                os.write(err, f"the stand-in failed: {error!r}\n".encode())
                status = 125
            finally:
                os.close(out), os.close(err)
            with contextlib.suppress(OSError):
                there.sendall(json.dumps(status).encode() + b"\n")

    def _answer(self, request: dict[str, Any], out: int, err: int) -> int:
        if "signal" in request:
            for container in list(self._there.values()):
                if container.client == request["client"] and container.process is not None:
                    container.process.send_signal(request["signal"])
            return 0
        words = request["words"]
        if words[0] == "run":
            return self._run(words[1:], request, out, err)
        if self.silent:
            self._over.wait(600)
        try:
            told = self._small(words)
        except LookupError as error:
            os.write(err, f"Error response from daemon: {error.args[0]}\n".encode())
            return 1
        os.write(out, told.encode())
        return 0

    def _small(self, words: list[str]) -> str:
        """What a small command prints (LookupError where it fails)."""
        if words[0] in self.fails:
            self.fails.remove(words[0])
            raise LookupError("the daemon is restarting")
        commands = {
            "info": self._info,
            "image": self._image,
            "ps": self._ps,
            "container": self._inspect,
            "rm": self._rm,
        }
        return commands[words[0]](words)

    def _info(self, _words: list[str]) -> str:
        security = {"security": {"rootless": self.rootless}}
        return json.dumps({"host": security} if self.podman else {"SecurityOptions": self.security})

    def _image(self, words: list[str]) -> str:
        if words[2] not in self.images:
            raise LookupError(f"No such image: {words[2]}")
        image = self.images[words[2]]
        return json.dumps([{"Id": f"sha256:{image.id}", "RepoDigests": image.digests, "Digest": image.digest}])

    def _ps(self, words: list[str]) -> str:
        name, _, value = words[-1].removeprefix("label=").partition("=")
        marked = [each for each in self._there.values() if name in each.labels]
        return "".join(f"{each.id}\n" for each in marked if not value or each.labels[name] == value)

    def _inspect(self, words: list[str]) -> str:
        container = self._there.get(words[4])
        if container is None:
            raise LookupError(f"No such container: {words[4]}")
        if words[3] == "{{.Image}}":
            return f"sha256:{container.image.runs or container.image.id}\n"
        return container.labels.get(words[3].split('"')[1], "") + "\n"

    def _rm(self, words: list[str]) -> str:
        if self.stuck:
            raise LookupError("container is stuck: tried to kill it, but did not receive an exit event")
        for each in words[2:]:
            if each not in self._there:
                raise LookupError(f"No such container: {each}")
            self._kill(self._there[each])
        return ""

    def _run(self, words: list[str], request: dict[str, Any], out: int, err: int) -> int:
        options: dict[str, list[str]] = {}
        while words[0].startswith("--"):
            name, _, value = words.pop(0)[2:].partition("=")
            options.setdefault(name, []).append(value)
        reference, arguments = words[0], words[1:]
        image = self.images.get(reference)
        wrong = ""
        if image is None:
            wrong = f"No such image: {reference}"
        elif self.taken and "name" in options:
            wrong = f'Conflict. The container name "/{options["name"][0]}" is already in use by container "abc".'
        mounts = [dict(part.partition("=")[::2] for part in each.split(",")) for each in options.get("mount", [])]
        absent = [mount["source"] for mount in mounts if not Path(mount["source"]).exists()]
        if absent:
            wrong = f"invalid mount config: bind source path does not exist: {absent[0]}"
        program = image.programs.get(options["entrypoint"][0]) if image else None
        if wrong or image is None or program is None:
            os.write(err, f"docker: Error response from daemon: {wrong or 'executable not found in $PATH'}\n".encode())
            return 125 if wrong else 127
        inside = dict(self._variables(options.get("env", []), request["environment"]))
        self.environments.append(inside)
        container = FakeContainer(uuid.uuid4().hex, image, options, arguments, request["client"])
        self.history.append(container)
        self._there[container.id] = container

        def outside(text: str) -> str:
            for mount in mounts:
                text = text.replace(mount["target"], mount["source"]) if mount["source"] != mount["target"] else text
            return text

        container.process = subprocess.Popen(
            [str(program), *map(outside, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env={"PATH": os.defpath, MARK: container.id, **{name: outside(value) for name, value in inside.items()}},
            start_new_session=True,
        )
        status = container.process.wait()
        self._end(container)
        if "rm" in options and not self.stuck:
            self._there.pop(container.id, None)
        return status if status >= 0 else 128 - status

    @staticmethod
    def _variables(words: list[str], client: dict[str, str]) -> list[tuple[str, str]]:
        found = []
        for word in words:
            name, equals, value = word.partition("=")
            found.append((name, value if equals else client.get(name, "")))
        return found

    def _kill(self, container: FakeContainer) -> None:
        if container.process is not None:
            self._end(container)
            container.process.kill()
        deadline = time.monotonic() + 5
        while container.id in self._there and time.monotonic() < deadline:
            if "rm" not in container.options:
                self._there.pop(container.id, None)
            time.sleep(0.01)

    def _end(self, container: FakeContainer) -> None:
        """What the kernel does when the first process of a container ends: nothing of it lives on."""
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                first = container.process is not None and process.pid == container.process.pid
                if not first and process.environ().get(MARK) == container.id:
                    process.kill()
