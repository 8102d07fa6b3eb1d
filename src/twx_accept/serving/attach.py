"""Attaches to a server that somebody else has started, such as one behind Kubernetes or Ray Serve. Nothing is booted.

What the server shows of itself is held against the suite as for any other; what it does not show stays unproven, and
the boot's record names it. Who else asks it, and whether it is one server at all, no address can prove.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from twx_accept.domain.evidence import NOT_SHOWN, Boot
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Address, Attach, Build, Suite
from twx_accept.errors import (
    AnswersSpoilt,
    NotReady,
    ServerDied,
    ServingError,
    SettingsMismatch,
    SuiteError,
    WrongServer,
)
from twx_accept.serving import arguments, describing, metrics
from twx_accept.serving.canary import NOT_OFFERED
from twx_accept.serving.client import Client
from twx_accept.serving.launcher import ProgressCallback, Seen
from twx_accept.serving.proof import Proof, prove, prove_environment
from twx_accept.serving.readiness import first_token
from twx_accept.suite_engine import KEY_VARIABLE

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SOMEBODY = ("that it is one server, and not several behind one address", "that nobody else asked it meanwhile")
"""What no address can prove."""
SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class AttachLauncher:
    """The :class:`.launcher.Launcher` for servers that are there already."""

    def look(self, suite: Suite, build: Build) -> Seen:
        """What the server says of itself. See :meth:`.launcher.Launcher.look`."""
        place = Place.of(suite, build)
        with place.client() as client:
            entry = place.entry(client)
            told = {"launcher": "attach", "version": describing.version(client) or NOT_SHOWN}
            deployment = {"address": place.address.url, "start": _start(client)}
        if place.files_are_here(entry):
            return Seen(engine=told, deployment=deployment)
        loaded = entry.root or "does not say what it has loaded"
        return Seen(engine=told, weights=f"served as {entry.name}: {loaded}", deployment=deployment)

    @contextmanager
    def boot(self, suite: Suite, build: Build, *, folder: Path, progress: ProgressCallback) -> Iterator[RunningServer]:
        """Attaches, proves what there is to prove, and yields. See :meth:`.launcher.Launcher.boot`.

        In the end the server must still be the one that it was in the beginning, also where an error is under way:
        whoever started it again may have caused that.
        """
        del folder  # the log is somebody else's
        place = Place.of(suite, build)
        progress("attaching", 0.0)
        flags = arguments.flags_of(suite, build)
        with place.client() as client:
            entry = place.entry(client)
            place.expect_ready(client)
            before = _witness(client, entry)
            boot = _describe(client, place, entry, flags, before["start"])
        running = RunningServer(
            base_url=place.address.url,
            socket=None,
            model=place.address.model,
            api_key=place.key,
            boot=boot,
            certificates=place.settings.certificates,
        )
        try:
            yield running
        except ServingError as error:
            try:
                _expect_same(place, before)
            except AnswersSpoilt as spoilt:
                raise spoilt from error
            except ServingError:  # it is gone, which is no other server
                pass
            raise
        _expect_same(place, before)


@dataclass(frozen=True, slots=True)
class Entry:
    """A model as ``/v1/models`` lists it. ``root`` is what the server has loaded, empty where it does not say."""

    name: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where one build is served."""

    suite: Suite
    build: Build
    settings: Attach
    address: Address
    key: str

    @classmethod
    def of(cls, suite: Suite, build: Build) -> "Place":
        """The build's place in the suite.

        Raises:
            SuiteError: there is none, or the key cannot be sent.
        """
        settings = suite.engine.attach
        if settings is None or build.name not in settings.addresses:
            raise SuiteError(f"{suite.file}: no address of {build.name}; add it to [engine.attach.builds]")
        key = os.environ.get(KEY_VARIABLE, "").strip()
        if not key.isascii() or not key.isprintable() or " " in key:
            raise SuiteError(f"{KEY_VARIABLE} holds blanks or characters that no key has; set it again")
        return cls(suite=suite, build=build, settings=settings, address=settings.addresses[build.name], key=key)

    def client(self) -> Client:
        """A client of the server.

        Raises:
            SuiteError: the file of certificates holds none.
        """
        trusted = self.settings.certificates
        try:
            return Client(base_url=self.address.url, socket=None, api_key=self.key, certificates=trusted)
        except OSError as error:  # ssl.SSLError is one
            raise SuiteError(f"engine.attach.certificates: {trusted}: {error}; mend it") from error

    def entry(self, client: Client) -> Entry:
        """The model as the server lists it.

        Raises:
            ServingError: nobody answers, the answer is an error, or no list; each with its cure.
            WrongServer: the model is not in it, or what is loaded is not what the suite says.
        """
        self._expect_list(client)
        data = client.json("/v1/models").get("data")
        listed = [each for each in data if isinstance(each, dict)] if isinstance(data, list) else []
        found = next((each for each in listed if each.get("id") == self.address.model), None)
        if found is None:
            names = [str(each.get("id"))[:80] for each in listed[:20]]
            raise WrongServer(
                f"{self.address.url} serves {names}, not {self.address.model!r}. "
                f"Correct the url, or the model, in engine.attach.builds.{self.build.name}."
            )
        root = str(found.get("root") or "")
        if self.address.root and root != self.address.root:
            raise WrongServer(
                f"{self.address.url} has loaded {root or 'it does not say what'!r}, not {self.address.root!r}, which "
                f"the suite says. Correct the url, or root, in engine.attach.builds.{self.build.name}."
            )
        return Entry(self.address.model, root)

    def _expect_list(self, client: Client) -> None:
        try:
            status = client.status("/v1/models")
        except ServerDied as error:
            cure = "Start the server, or correct its url."
            if "CERTIFICATE" in str(error).upper():
                cure = "Name a file with its authority's certificate in engine.attach.certificates."
            elif "WRONG_VERSION_NUMBER" in str(error).upper():
                cure = "It speaks no TLS: its url begins with http://."
            raise ServerDied(f"{self.address.url}: {error}. {cure}") from error
        if status == 200:
            return
        cures = {401: f"It wants a key: set {KEY_VARIABLE}", 404: "It is no OpenAI-compatible address"}
        cure = cures.get(status, "Look into the server's log")
        if status in (401, 403) and self.key:
            cure = f"It does not take the key in {KEY_VARIABLE}"
        elif 300 <= status < 400:
            cure = "It sends the caller elsewhere: name that address"
        raise ServingError(f"{self.address.url}/v1/models answers status {status}. {cure}.")

    def expect_ready(self, client: Client) -> None:
        """Checks that the server is healthy and that a real token comes back.

        Raises:
            NotReady: it is not, or none does.
        """
        health = client.status("/health")
        if health != 200 and health not in NOT_OFFERED:
            raise NotReady(f"/health of {self.address.url} answers {health}: wait until the server is ready.")
        if not first_token(client, self.address.model):
            raise NotReady(f"{self.address.url} gave no token for {self.address.model}: look into the server's log.")

    def files_are_here(self, entry: Entry) -> bool:
        """Whether the server says that it has loaded the build's folder, and the suite that this is the one here.

        An address of this machine alone does not tell: it may be the end of a tunnel from another one, which has other
        files in a folder of that name.

        Raises:
            SettingsMismatch: it stands on this machine and has loaded another folder.
        """
        here = self.settings.here and (urlsplit(self.address.url).hostname or "") in LOOPBACK
        if not here or not self.build.path.is_dir() or not entry.root:
            return False
        if Path(entry.root).resolve() != self.build.path.resolve():
            raise SettingsMismatch(
                f"{self.address.url} has loaded {entry.root}, not {self.build.path}. "
                f"Correct the path of {self.build.name}, or remove it if its weights are not on this machine."
            )
        return True


def _describe(client: Client, place: Place, entry: Entry, flags: Mapping[str, Any], start: str) -> Boot:
    engine = place.suite.engine
    info = describing.server_info(client)
    config, shown = describing.table(info, "vllm_config"), describing.table(info, "vllm_env")
    proven = prove(flags, config, {}, model=None)
    environment = prove_environment(engine.environment, shown)
    text = _metrics(client)
    labels, capacity = metrics.cache(text)
    unproven = (*_unproven(client, place, entry, config, proven, environment, text), *_kept_for(start), *SOMEBODY)
    return Boot(
        number=1,
        launcher="attach",
        ready_seconds=0.0,
        engine_version=describing.version(client),
        device=describing.device(config, engine.device),
        flags=dict(flags),
        settings=describing.without_secrets({**config, "vllm_env": shown}) if config else {},
        cache=labels,
        capacity_tokens=capacity,
        unproven=unproven,
        notes=(f"attached; nothing was booted; not proven: {'; '.join(unproven)}", *_oddities(place, text)),
    )


def _unproven(
    client: Client,
    place: Place,
    entry: Entry,
    config: Mapping[str, Any],
    flags: Proof,
    environment: Proof,
    text: str,
) -> Iterator[str]:
    """What this server does not show, in words."""
    if place.files_are_here(entry):
        yield f"that the files in {place.build.path} are those that it has loaded (the suite says here = true)"
    else:
        says = f"says {entry.root}" if entry.root else "does not say"
        yield f"which weights, tokenizer and template it has loaded (it {says})"
    if not describing.version(client):
        yield "its engine's version"
    if not config:
        yield f"its settings and its device (the suite says {place.suite.engine.device})"
    if flags.unchecked:
        yield f"the flags {', '.join(_name(each) for each in flags.unchecked)}"
    if environment.unchecked:
        yield f"the variables {', '.join(_name(each) for each in environment.unchecked)}"
    yield "its machine and its cards"
    if metrics.cache(text)[1] is None:
        yield "the size of its cache"
    if metrics.corrupted(text) is None:
        yield "that no answer came of NaN"


def _kept_for(start: str) -> Iterator[str]:
    """That nothing tells a server from the next one in its place, where nothing does."""
    if start in (NOT_SHOWN, SEVERAL):
        shows = "no start" if start == NOT_SHOWN else "several starts"
        yield f"that answers kept by an earlier run are this deployment's (it shows {shows}; --fresh asks again)"


def _name(note: str) -> str:
    """The name in ``could not check NAME=...``."""
    return note.removeprefix("could not check ").partition("=")[0]


def _oddities(place: Place, text: str) -> Iterator[str]:
    busy = sum(metrics.total(text, f"vllm:num_requests_{state}") or 0 for state in ("running", "waiting"))
    if busy:
        yield f"somebody else was asking it when it was attached: {busy:g} requests"
    parts = urlsplit(place.address.url)
    if place.key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
        yield "the key went over the network without TLS"


def _metrics(client: Client) -> str:
    """``/metrics``, empty where it is not offered."""
    return client.text("/metrics") if client.status("/metrics") == 200 else ""


def _witness(client: Client, entry: Entry) -> Mapping[str, str]:
    """What must not change while a server is asked."""
    return {
        "root": entry.root,
        "version": describing.version(client),
        "start": _start(client),
    }


def _start(client: Client) -> str:
    """When a server was started, in seconds, as it says. Several servers behind one address have no one start."""
    starts = {metrics.total(_metrics(client), "process_start_time_seconds") for _ in range(3)}
    if len(starts) > 1:
        return SEVERAL
    (start,) = starts
    return NOT_SHOWN if start is None else str(start)


def _expect_same(place: Place, before: Mapping[str, str]) -> None:
    """Checks that a server is still the one that it was.

    Raises:
        AnswersSpoilt: it is another one.
        ServingError: nobody answers.
    """
    try:
        with place.client() as client:
            after = _witness(client, place.entry(client))
        changes = _changes(before, after)
    except WrongServer as error:
        changes = str(error)
    if changes:
        raise AnswersSpoilt(
            f"{place.address.url} was another server in the end ({changes}): it was started again, or exchanged, while "
            f"it was asked. What it answered since is nobody's and is set aside; run again."
        )


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {before[name]} and {after[name]}" for name in before if before[name] != after[name])
