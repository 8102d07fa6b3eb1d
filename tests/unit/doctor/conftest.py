"""Nodes whose suite is a small project's, with or without cards."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_nvml import FakeCard, FakeNvml
from fake_project import Project
from twx_accept.doctor import Finding, Level, Node
from twx_accept.doctor.finding import Says
from twx_accept.domain.suite import Suite
from twx_accept.session.slots import Machine
from twx_accept.sources import FileOrHub
from twx_accept.suite import load


@pytest.fixture
def project() -> Iterator[Project]:
    """A project with registered marks, in a folder with a short name: sockets cannot have long ones."""
    folder = Path(tempfile.mkdtemp(prefix="twxd"))
    yield Project(folder / "project", folder / "tmp").register()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def node_of(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Node]:
    """Makes a node of the project's suite; keywords replace parts of the suite's engine, ``flags`` its flags."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.temporary / "cache"))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    def make(*, flags: dict[str, Any] | None = None, **engine: Any) -> Node:
        suite: Suite = load(project.root / "fixtures" / "suites" / "tiny.toml")
        suite = replace(suite, engine=replace(suite.engine, **engine), flags={**suite.flags, **(flags or {})})
        return Node(
            suite=suite,
            tests=project.root / "tests" / "acceptance",
            evidence=project.root / "reports" / "evidence",
            machine=Machine(lock=project.temporary / "locks" / "machine.lock", wait_seconds=5.0),
            sources=FileOrHub(folder=suite.folder),
        )

    return make


@pytest.fixture
def look() -> Callable[..., list[Finding]]:
    """Runs one check."""
    return lambda check, node: list(check.check(node, Says("it")))


@pytest.fixture
def faults() -> Callable[[list[Finding]], list[str]]:
    """What the faults among findings say."""
    return lambda findings: [each.what for each in findings if each.level is Level.FAULT]


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> FakeNvml:
    """Four free cards."""
    found = FakeNvml(*(FakeCard(uuid=f"GPU-{index}") for index in range(4)))
    monkeypatch.setitem(sys.modules, "pynvml", found)
    return found
