"""What several commands take."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from twx_accept import claims, suite
from twx_accept.claims import Claim
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.errors import UsageError
from twx_accept.sources import FileOrHub

Root = Annotated[Path, typer.Option(help="The project's folder: the one that holds fixtures/.")]
Tests = Annotated[Path, typer.Option(help="The folder of the acceptance tests, beside whose files the marks lie.")]
SuiteName = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite: its name, as `twx-accept suites` lists it, or FILE.toml.")
]
Questions = Annotated[
    str | None,
    typer.Option(help="Read the suite's questions from here instead, e.g. a local copy of a hub's data set."),
]

TESTS = Path("tests/acceptance")


def suite_of(root: Path, name: str) -> Suite:
    """The suite of that name or in that file."""
    if name.endswith(".toml"):
        return suite.load(Path(name))
    found, _ = suite.choose(suite.find(root / "fixtures" / "suites"), name, [])
    return found


def tests_of(root: Path, tests: Path) -> Path:
    """The folder of the acceptance tests.

    Raises:
        UsageError: there is none.
    """
    folder = root / tests
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; --tests names the one of the acceptance tests, beside their marks")
    return folder


def claims_of(chosen: Suite, questions: str | None) -> tuple[Claim, ...]:
    """The suite's claims. ``questions`` is another copy of the same data set: what counts is its content's digest."""
    return claims.of_suite(chosen, sources_of(chosen, questions), Scope())


def sources_of(chosen: Suite, questions: str | None) -> Sources:
    """Where the suite's claims find their rows, as for :func:`claims_of`."""
    named = chosen.claims.get("multiple_choice", {}).get("source", "")
    return _Copy(FileOrHub(folder=chosen.folder), named, questions)


class _Copy:
    """Rows from a copy that the command line names, where it names one; passages and trials are the suite's own."""

    def __init__(self, own: FileOrHub, named: str, questions: str | None) -> None:
        self._own, self._named, self._questions = own, named, questions

    def rows(self, source: str, split: str) -> Sequence[Any]:
        """The rows of a split."""
        if self._questions is None or source != self._named:
            return self._own.rows(source, split)
        return FileOrHub(folder=Path()).rows(self._questions, split)
