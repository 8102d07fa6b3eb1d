"""Suites, claims and a collector without a server."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence, Inventory
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import InvalidClaim, TwxAcceptError
from twx_accept.session import Session
from twx_accept.session.progress import Silent
from twx_accept.session.repetition import name_of

INVENTORY = Inventory(weights={}, digests={}, tensors={})


class Claim:
    """A claim whose outcome for each build is given; an error is raised."""

    def __init__(self, name: str, outcomes: Mapping[str, Outcome | Exception], *, sensitive: bool = True) -> None:
        self.name, self.title, self.sensitive, self.outcomes = name, name.title(), sensitive, outcomes
        self.anchored, self.cost, self.compared = False, float(sensitive), {}

    def specification(self) -> Mapping[str, Any]:
        """Nothing but its name."""
        return {"name": self.name}

    def mark(self, build: str) -> str:
        """One for each build."""
        return f"the mark of {build}"

    def between(
        self,
        original: BuildEvidence,  # noqa: ARG002 - part of the protocol
        one: BuildEvidence,
        other: BuildEvidence,
    ) -> Sequence[Contrast]:
        """The p-value that is given for the pair, or its error."""
        found = self.compared.get((one.build, other.build))
        if isinstance(found, Exception):
            raise found
        names = {"claim": self.name, "title": self.title, "one": one.build, "other": other.build}
        return () if found is None else [Contrast(**names, difference=1.0, p=found, p_equivalence=found, margin=1.0)]

    def opening(self) -> Sequence[Request]:
        """Nothing."""
        return ()

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:  # noqa: ARG002 - part of the protocol
        """Nothing."""
        return ()

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:  # noqa: ARG002 - part of the protocol
        """Nothing."""
        return ()

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:  # noqa: ARG002 - part of the protocol
        """The given outcome."""
        outcome = self.outcomes[build.build]
        if isinstance(outcome, Exception):
            raise outcome
        return Verdict(claim=self.name, title=self.title, build=build.build, outcome=outcome, sentence="Said.")


class Collector:
    """Hands out evidence, or the error that is given for a build; ``asked`` lists what was collected."""

    def __init__(self, errors: Mapping[str, TwxAcceptError], kept: Sequence[str]) -> None:
        self.errors, self.kept = errors, kept
        self.asked: list[str] = []
        self.others: set[str] = set()
        self.claims: Sequence[Any] = ()
        self.reporter, self.timings = Silent(), []

    def identify(self, build: Build) -> tuple[Mapping[str, Any], Inventory]:
        """A build is its name."""
        return {"weights": build.name}, INVENTORY

    def collect(self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = 1) -> BuildEvidence:
        """The evidence, as if it had been asked for."""
        name = name_of(build.name, run)
        self.asked.append(name)
        if name in self.errors:
            raise self.errors[name]
        return self._evidence(name, build, identity, inventory)

    def look(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = 1
    ) -> BuildEvidence | None:
        """The evidence of a build that is kept or was collected."""
        name = name_of(build.name, run)
        there = name in self.kept or (name in self.asked and name not in self.errors)
        return self._evidence(name, build, identity, inventory) if there else None

    def busy(self, build: Build, _identity: Mapping[str, Any]) -> bool:
        """Whether the test says that another process collects it now."""
        return build.name in self.others

    def _evidence(self, name: str, build: Build, identity: Mapping[str, Any], inventory: Inventory) -> BuildEvidence:
        return BuildEvidence(
            build=name,
            control=build.control,
            identity=identity,
            identity_digest="0",
            inventory=inventory,
            boots=(),
            exchanges={},
        )


def suite_of(folder: Path) -> Suite:
    """A suite with an original, two builds and a control."""

    def build(name: str) -> Build:
        return Build(name=name, title=name, path=folder, control=name == "damaged", flags={}, digests={})

    return Suite(
        name="s",
        title="S",
        version=1,
        demonstration=False,
        file=folder / "s.toml",
        folder=folder,
        original=build("original"),
        builds=(build("a"), build("b"), build("damaged")),
        engine=Engine(python=folder, device="cpu", environment={}, ready_seconds=1, stop_seconds=1, memory_seconds=1),
        asking=Asking(concurrency=1, prompts_per_request=1, timeout_seconds=1, attempts=1),
        flags={},
        may_differ=(),
        claims={},
    )


@pytest.fixture
def make_session(tmp_path: Path) -> Callable[..., Session]:
    """Makes sessions of given claims and builds."""

    def make(
        *claims: Any,
        builds: Sequence[str] = ("damaged", "a"),
        errors: Mapping[str, TwxAcceptError] | None = None,
        kept: Sequence[str] = (),
        partial: str = "",
        floor: bool = False,
    ) -> Session:
        suite = suite_of(tmp_path)
        collector: Any = Collector(errors or {}, kept)
        chosen = [suite.build(name) for name in builds]
        return Session(suite=suite, builds=chosen, claims=claims, collector=collector, partial=partial, floor=floor)

    return make


@pytest.fixture
def make_claim() -> type[Claim]:
    """Makes claims."""
    return Claim


@pytest.fixture
def invalid() -> InvalidClaim:
    """An error with a note, as a launcher leaves it."""
    error = InvalidClaim("it broke")
    error.add_note("its server ended")
    return error
