"""The evidence of one build: what is kept already, and one server for everything that is not."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from twx_accept.asking import ask
from twx_accept.claims import Claim
from twx_accept.domain.evidence import BuildEvidence, Inventory, Origin
from twx_accept.domain.exchange import Exchange, Key, Request, digest
from twx_accept.domain.run import Timing
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import AnswersSpoilt, InvalidClaim, ServerDied, ServingError
from twx_accept.evidence import Store, attempts
from twx_accept.evidence.hashing import Progress
from twx_accept.evidence.lock import held, is_held
from twx_accept.ledger import GENESIS
from twx_accept.serving import Canary, Launcher, check
from twx_accept.session.appealing import appeal
from twx_accept.session.booting import Booter
from twx_accept.session.identifying import identify, require_unchanged
from twx_accept.session.progress import Reporter
from twx_accept.session.repetition import FIRST, Repetition, name_of
from twx_accept.session.slots import Machine, slots, taken

ROUNDS = 3
"""How often what has no usable answer is asked again before the run goes on without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the evidence of a run lives."""

    evidence: Path
    logs: Path
    machine_lock: Path
    wait_seconds: float


@dataclass(slots=True, kw_only=True)
class Collector:
    """Collects the evidence of builds, one server at a time.

    ``fresh`` names a run that begins new evidence: what another run has kept is set aside, once for all the processes
    that share the name. Without a name, what is kept is used. ``ledger`` is the head of the suite's ledger, which new
    evidence records.
    """

    suite: Suite
    claims: Sequence[Claim]
    place: Place
    launcher: Launcher
    reporter: Reporter
    partial: str
    fresh: str = ""
    ledger: str = GENESIS
    timings: list[Timing] = field(default_factory=list)

    def file(self, build: Build, identity: Mapping[str, Any]) -> Path:
        """The build's evidence file: one for each identity, and another for each kind of partial run."""
        name = f"{self.suite.name}-{build.name}-{digest(identity)[:12]}"
        if self.partial:
            # The words alone will not do: two sets of questions may lie in folders of one name.
            name += f"-partial-{digest([self.partial, [claim.specification() for claim in self.claims]])[:8]}"
        return self.place.evidence / f"{name}.sqlite"

    def identify(self, build: Build) -> tuple[Mapping[str, Any], Inventory]:
        """What a build is and what will serve it; nothing is booted for it.

        Raises:
            UsageError: the suite asks for something that is not there.
            ServingError: what would tell does not answer.
            EvidenceError: the build's files cannot be read.
        """
        say = self.reporter.say
        return identify(
            self.suite,
            build,
            self.launcher,
            hashing=self._hashing(build),
            say=lambda text: say(f"{build.name}: {text}"),
        )

    def _hashing(self, build: Build) -> Progress:
        def show(name: str, done: int, total: int) -> None:
            self.reporter.status(f"{build.name}: hashing {name} ({done / 1e9:.1f} of {total / 1e9:.1f} GB)")

        return show

    def collect(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = FIRST
    ) -> BuildEvidence:
        """Everything that the claims need of a build; a server is booted for what is not kept.

        Args:
            build: the build.
            identity: its identity.
            inventory: its files.
            run: the repetition; each has boots of its own.

        Raises:
            EvidenceError: the kept evidence cannot be used, or another run holds it.
            ServingError: no server, or not the right one.
        """
        file = self.file(build, identity)
        with held(
            self._lock(file),
            f"the evidence of {build.name}",
            wait_seconds=self.place.wait_seconds,
            say=self.reporter.say,
        ):
            if self.fresh:
                _set_aside(file, self.fresh)
            with Store(file, identity, inventory, begin=lambda: self._origin(build, file, identity)) as store:
                part = Repetition(store, run)
                if self._outstanding(part):
                    self._serve(build, part, inventory)
                for claim in self.claims:
                    appeal(name_of(build.name, run), claim, part, self.suite.asking, self.reporter)
                return self._evidence(build, identity, part)

    def look(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = FIRST
    ) -> BuildEvidence | None:
        """What is kept of a build: the first run of it whole or not, another only whole; None where there is nothing.

        It takes no lock, so that a run that is stopped can report while another one works.

        Raises:
            EvidenceError: the kept evidence cannot be used.
        """
        file = self.file(build, identity)
        if not file.exists():
            return None
        with Store(file, identity, inventory) as store:
            part = Repetition(store, run)
            there = part.boots() and (run == FIRST or not self._outstanding(part))
            return self._evidence(build, identity, part) if there else None

    def busy(self, build: Build, identity: Mapping[str, Any]) -> bool:
        """Whether another process collects it now, and this machine can serve another build beside it."""
        return slots(self.suite) > 1 and is_held(self._lock(self.file(build, identity)))

    @staticmethod
    def _lock(file: Path) -> Path:
        return file.with_suffix(".lock")

    def _evidence(self, build: Build, identity: Mapping[str, Any], part: Repetition) -> BuildEvidence:
        return BuildEvidence(
            build=name_of(build.name, part.run),
            control=build.control,
            identity=identity,
            identity_digest=digest(identity),
            inventory=part.store.inventory(),
            boots=part.boots(),
            exchanges={claim.name: part.exchanges(claim.name) for claim in self.claims},
            origin=part.store.origin(),
        )

    def _origin(self, build: Build, file: Path, identity: Mapping[str, Any]) -> Origin:
        """How new evidence begins: under the ledger's present head, as one more attempt with these weights."""
        folder, weights = self.place.evidence, attempts.weights_of(identity["weights"])
        number = 0 if self.partial else attempts.begin(folder, self.suite, build, weights, file, self.ledger)
        return Origin(
            suite=self.suite.name,
            build=build.name,
            weights=weights,
            control=build.control,
            partial=self.partial,
            ledger=self.ledger,
            attempt=number,
            began=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def _outstanding(self, part: Repetition) -> bool:
        """Whether a server is needed: nothing was ever booted, or something has no usable answer."""
        return not part.boots() or any(
            claim.unusable(part.exchanges(claim.name)) or _open(claim, part) for claim in self.claims
        )

    def _serve(self, build: Build, part: Repetition, inventory: Inventory) -> None:
        name = name_of(build.name, part.run)
        machine = Machine(lock=self.place.machine_lock, wait_seconds=self.place.wait_seconds)
        booter = Booter(launcher=self.launcher, logs=self.place.logs)

        def say(text: str) -> None:
            self.reporter.say(f"{name}: {text}")

        with taken(self.suite, build, name, machine, say) as slot:
            booter.wait(slot, say)
            started = time.monotonic()
            say("booting" + (f" on {slot.named()}" if slot.cards else ""))
            with booter.booted(slot, build, part, self._boot_progress(name)) as server:
                self.timings.append(_timing(name, "boot", started))
                say(f"ready after {time.monotonic() - started:.0f} s")
                canary = check(server)
                for claim in sorted(self.claims, key=lambda claim: claim.cost):  # a hopeless build shows itself early
                    canary = self._ask(name, claim, part, server, canary)
                require_unchanged(build, inventory, self._hashing(build))
                stopping = time.monotonic()
            self.timings.append(_timing(name, "stop", stopping))

    def _ask(self, name: str, claim: Claim, part: Repetition, server: RunningServer, canary: Canary) -> Canary:
        """Everything that one claim has to ask, and a canary after it."""
        started = time.monotonic()
        before = part.count(claim.name)
        asked = self._until_nothing_is_open(name, claim, part, server)
        if not asked:
            return canary
        took = time.monotonic() - started
        self.timings.append(_timing(name, claim.title, started, asked=asked, kept=before))
        part.store.add_stage(claim.name, asked, took)
        self.reporter.say(f"{name}: {claim.title}: {asked:,} requests in {took:.0f} s ({asked / took:.1f}/s)")
        after = check(server, before=canary)
        for note in after.notes:
            self.reporter.say(f"{name}: {note}")
        return after

    def _until_nothing_is_open(self, name: str, claim: Claim, part: Repetition, server: RunningServer) -> int:
        """Ask, follow up, and ask again what has no usable answer. Returns how many requests went out."""
        tries: Counter[Key] = Counter()
        asked = 0
        while True:
            part.reject(claim.unusable(part.exchanges(claim.name)))
            todo = [request for request in _open(claim, part) if tries[request.key] < ROUNDS]
            if not todo:
                return asked
            asked += len(todo)
            tries.update(request.key for request in todo)
            with self.reporter.asking(f"{name}: {claim.title}", len(todo)) as count:

                def keep(exchanges: Sequence[Exchange], count: Callable[[int], None] = count) -> None:
                    part.keep(exchanges)
                    tries.update({each.request.key: ROUNDS for each in exchanges if _hopeless(each)})
                    count(len(exchanges))

                ask(server, todo, self.suite.asking, keep=keep, require_alive=lambda: _require_alive(server))

    def _boot_progress(self, name: str) -> Callable[[str, float], None]:
        def show(phase: str, seconds: float) -> None:
            self.reporter.status(f"{name}: {phase} ({seconds:.0f} s of at most {limit:.0f} s)")

        limit = self.suite.engine.ready_seconds
        return show


def _open(claim: Claim, part: Repetition) -> list[Request]:
    """What the claim has to ask and has no answer to: its first requests, then what follows from their answers."""
    first = part.missing(claim.opening())
    if first:
        return first
    try:
        return part.missing(claim.follow_up(part.exchanges(claim.name)))
    except InvalidClaim:
        return []  # what follows has no meaning; deciding says why


def _hopeless(exchange: Exchange) -> bool:
    return exchange.failure is not None and exchange.failure.lasting


def _require_alive(server: RunningServer) -> None:
    """Raise where nobody answers any more. The launcher adds what the server's log says about it."""
    try:
        check(server)
    except AnswersSpoilt:
        raise
    except ServingError as error:
        raise ServerDied(f"{server.model} stopped answering while it was asked; what it answered is kept") from error


def _timing(name: str, phase: str, started: float, *, asked: int = 0, kept: int = 0) -> Timing:
    return Timing(build=name, phase=phase, seconds=time.monotonic() - started, asked=asked, kept=kept)


def _set_aside(file: Path, run: str) -> None:
    """Rename the evidence of another run (and what belongs to it), so that nothing is lost and new can begin.

    Beside it stands which run began the new one: with pytest-xdist several processes come here, and only the first
    may set anything aside. The caller holds the lock.
    """
    note = file.with_suffix(".begun")
    if note.exists() and note.read_text(encoding="utf-8") == run:
        return
    number = 1
    while (aside := file.with_name(f"{file.stem}.superseded-{number}.sqlite")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):  # the file itself last: a kill in between leaves it to be set aside again
        part = file.with_name(file.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    note.write_text(run, encoding="utf-8")
