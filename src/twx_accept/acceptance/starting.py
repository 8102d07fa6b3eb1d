"""From the command line to a run: what can be wrong is told here; nothing is booted, nor written but one folder."""

import os
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from twx_accept import claims, suite
from twx_accept.acceptance import places, stopping
from twx_accept.acceptance.controller import Controller
from twx_accept.acceptance.options import refuse_softening, scope_of
from twx_accept.acceptance.run import Run
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import SuiteError
from twx_accept.serving import launcher_of
from twx_accept.session import Session
from twx_accept.session.collecting import Collector, Place
from twx_accept.session.locks import usual_lock
from twx_accept.session.progress import Reporter, reporter
from twx_accept.sources import FileOrHub

WAIT_SECONDS = 6 * 3600.0


def start(config: pytest.Config) -> Run:
    """The run that the command line asks for.

    Raises:
        UsageError: naming the value and the cure.
    """
    refuse_softening(config)
    chosen, builds = _choose(config.rootpath, config.getoption("suite"), config.getoption("build"))
    scope = scope_of(config)
    sources = FileOrHub(folder=config.invocation_params.dir if scope.questions else chosen.folder)
    made = claims.of_suite(chosen, _Sources(suite=FileOrHub(folder=chosen.folder), given=sources, scope=scope), scope)
    reports = Path(config.getoption("report_dir") or config.rootpath / "reports")
    if not config.option.collectonly:
        places.require_writable(reports)
        places.require_models(chosen, (chosen.original, *builds))
    place = Place(
        evidence=reports / "evidence",
        logs=reports / "evidence" / "logs",
        machine_lock=usual_lock(),
        wait_seconds=WAIT_SECONDS,
    )
    collector = Collector(
        suite=chosen,
        claims=made,
        place=place,
        launcher=launcher_of(chosen.engine),
        reporter=_reporter(config),
        partial=scope.partial,
        fresh=_name_of_run(config) if config.getoption("fresh") else "",
    )
    session = Session(
        suite=chosen,
        builds=builds,
        claims=made,
        collector=collector,
        partial=scope.partial,
        floor=config.getoption("noise_floor") or (chosen.noise_floor and not scope.partial),
    )
    run = Run(config=config, session=session, reports=reports)
    if not config.option.collectonly and not getattr(config.option, "xmlpath", None):
        config.option.xmlpath = str(reports / "junit.xml")
    if not config.option.collectonly and not hasattr(config, "workerinput"):
        stopping.heed(config, run.terminate)
    config.pluginmanager.register(Controller(run), "twx-accept-controller")
    return run


def _choose(root: Path, wanted: str | None, names: list[str]) -> tuple[Suite, tuple[Build, ...]]:
    if wanted and wanted.endswith(".toml"):
        file = Path(wanted)
        if not file.is_file():
            raise SuiteError(
                f"--suite {wanted}: no such file; give the path of a suite file, or a name in fixtures/suites"
            )
        found = suite.load(file)
        return suite.choose({found.name: found}, found.name, names)
    return suite.choose(suite.find(root / "fixtures" / "suites"), wanted, names)


def _name_of_run(config: pytest.Config) -> str:
    """A name that all processes of one run share, and no two runs."""
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    return str(worker.get("testrunuid") or uuid.uuid4().hex)


def _reporter(config: pytest.Config) -> Reporter:
    """Progress on the terminal itself, in lines only from a process of pytest-xdist."""
    return reporter(
        _terminal(config),
        quiet=hasattr(config, "workerinput") or config.get_verbosity() < -1,
        before=lambda: _end_line(config),
    )


def _terminal(config: pytest.Config) -> IO[str]:
    """Where standard output goes now. While a test runs, pytest points it at a file, and this copy stays.

    In a process of pytest-xdist only standard error leads to the terminal.
    """
    try:
        stream = os.fdopen(
            os.dup(2 if hasattr(config, "workerinput") else 1),
            "w",
            encoding=getattr(sys.__stdout__, "encoding", "utf-8"),
            errors="replace",
        )
    except OSError:
        return sys.stderr
    config.add_cleanup(stream.close)
    return stream


def _end_line(config: pytest.Config) -> None:
    """Ends the line of dots that pytest has begun, which it takes up again with the file's name."""
    terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    if terminal is None or capture is None or hasattr(config, "workerinput"):
        return
    with capture.global_and_fixture_disabled():
        terminal.ensure_newline()
        terminal.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """The questions that the command line names are found from where it was typed, the suite's from the suite."""

    suite: FileOrHub
    given: FileOrHub
    scope: Scope

    def rows(self, source: str, split: str) -> Sequence[Any]:
        """The rows from the right place."""
        return (self.given if source == self.scope.questions else self.suite).rows(source, split)
