"""Projects whose engine is the stand-in; see ``tests/fake_project.py``."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from fake_project import Project  # noqa: E402 - found through the line above


@pytest.fixture(scope="module")
def make_project() -> Iterator[Callable[[], Project]]:
    """Makes projects with registered marks, in a folder with a short name: sockets cannot have long ones."""
    folder = Path(tempfile.mkdtemp(prefix="twxp"))

    def make() -> Project:
        number = len(list(folder.iterdir()))
        return Project(folder / str(number) / "project", folder / str(number) / "tmp").register()

    yield make
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def project(make_project: Callable[[], Project]) -> Project:
    """A project of the test's own."""
    return make_project()


@pytest.fixture(scope="module")
def untouched(make_project: Callable[[], Project]) -> Project:
    """A project that several tests share because none of them changes it or boots anything in it."""
    return make_project()
