"""One acceptance run in one process of pytest."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from twx_accept import registration
from twx_accept.acceptance import ending, junit
from twx_accept.acceptance.loaded import loaded
from twx_accept.acceptance.selecting import DECIDED, claim_of
from twx_accept.acceptance.writing import write
from twx_accept.claims import Claim
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import InvalidClaim, LedgerError
from twx_accept.registration import ledgers
from twx_accept.report.hostile import plain
from twx_accept.report.text import summary, xml_safe
from twx_accept.serving.log import without_ending
from twx_accept.session import Session
from twx_accept.session.recording import record
from twx_accept.session.registry import Registry


@dataclass(slots=True, kw_only=True)
class Run:
    """One acceptance run of a pytest process.

    ``changed`` maps a claim to what has changed in its mark since it was registered; ``refused`` is why the tests that
    were found cannot be an acceptance run, where it could not be raised (in a process of pytest-xdist); ``heard`` are
    the claims and builds that other processes decided, each with the reasons if it is invalid, and ``folders`` the
    folder of each such claim's tests, beside which its mark lies.
    """

    config: pytest.Config
    session: Session
    reports: Path
    changed: dict[str, InvalidClaim] = field(default_factory=dict)
    refused: str = ""
    heard: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    folders: dict[str, Path] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _record: RunRecord | None = None
    _contradiction: str = ""
    _unwritten: str = ""
    _terminated: bool = False

    def header(self) -> list[str]:
        """What will run, in a few lines."""
        suite_, builds = self.session.suite, self.session.builds
        names = ", ".join(f"{b.name} (control)" if b.control else b.name for b in builds)
        number = len(self.session.claims)
        what = f"{suite_.original.name}, then {names}; {number} claim{'s' if number != 1 else ''} a build"
        what += f"; then {suite_.original.name} again" if self.session.floor else ""
        lines = [f"twx-accept: suite {suite_.name}: {what}"]
        if self.session.partial:
            lines.append(f"twx-accept: partial run ({self.session.partial}): verdicts are labelled and gate nothing")
        if self.session.collector.fresh:
            lines.append("twx-accept: --fresh: kept evidence is set aside and everything is asked again")
        return lines

    def compare_marks(self, folders: Mapping[str, Path]) -> None:
        """Hold each claim's mark against the one registered beside its tests; a partial run decides on none.

        What has changed is told by the claim's tests, which come first; nothing is asked for such a claim.
        """
        for name, folder in folders.items():
            claim = self.session.claim(name)
            try:
                self._read_ledger(folder)
                if not self.session.partial:
                    registration.require_registered(folder, claim, self.session.suite)
                    self._enter(claim)
            except (InvalidClaim, LedgerError) as error:
                self.changed[name] = InvalidClaim(str(error))
        self.session.leave_out(self.changed)

    def read_ledger(self, folder: Path) -> None:
        """The suite's ledger beside its tests. Where it cannot be used nothing is asked: no evidence begins under none.

        Raises:
            UsageError: the suite is not the one that is registered: it lost a claim, or compares by other rules.
        """
        try:
            self._read_ledger(folder)
        except LedgerError as error:  # told by each claim's tests
            self.session.preload({build.name: error for build in (self.session.suite.original, *self.session.builds)})
        if self.session.registry is not None and not self.session.partial:
            ledgers.require_suite(self.session.registry.book, self.session.suite)

    def _read_ledger(self, folder: Path) -> None:
        """The suite's ledger, whose head new evidence records."""
        if self.session.registry is None:
            book = ledgers.of(folder, self.session.suite)
            self.session.registry = Registry(book=book, evidence=self.reports / "evidence")
            self.session.collector.ledger = book.head

    def _enter(self, claim: Claim) -> None:
        """The registration in force of a claim."""
        registry = self.session.registry
        if registry is not None:
            entry = ledgers.entry_in_force(registry.book, claim)
            self.session.registry = replace(registry, entries={**registry.entries, claim.name: entry})

    def invalid(self, error: InvalidClaim) -> str:
        """Why a test is an error. A server's last lines are told once, not again by every claim that they ended."""
        reason = plain(f"invalid: {error}")  # pytest writes it as it is, and an engine's last words are in it
        if reason in self._told:
            return without_ending(reason)
        self._told.add(reason)
        return reason

    def verdict(self, item: pytest.Item, build_name: str, snapshot: Any) -> Verdict:
        """The verdict on the test's claim, after its mark was compared with the registered one.

        Raises:
            InvalidClaim: in a fixture, so that pytest counts it as an error and never as a failure.
        """
        claim, build = self.session.claim(claim_of(item)), self.session.suite.build(build_name)
        if claim.name in self.changed:
            refused = self.session.refuse(claim, build, self.changed[claim.name])
            item.stash[DECIDED] = self.session.verdicts[claim.name, build.name]
            raise refused
        if not self.session.partial:
            named = registration.name(claim, self.session.suite)
            same = bool(snapshot.use_extension(registration.Marks)(name=named) == claim.specification())
            if not same:
                refused = self.session.refuse(claim, build, registration.other_text(claim, self.session.suite))
                item.stash[DECIDED] = self.session.verdicts[claim.name, build.name]
                raise refused
        try:
            found = item.stash[DECIDED] = self.session.decide(claim, build)
        except InvalidClaim:
            item.stash[DECIDED] = self.session.verdicts[claim.name, build.name]
            raise
        item.add_report_section("setup", "stdout", xml_safe(junit.text_of(found)))  # the JUnit file's system-out
        return found

    def finish(self, session: pytest.Session) -> None:
        """Write the reports, also of a run that was stopped. Nothing is written where nothing was to run."""
        self.session.collector.reporter.rest()
        if self.refused:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        nothing = session.exitstatus in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
        if nothing or self.config.option.collectonly or hasattr(self.config, "workerinput"):
            return
        if self.heard and self.session.registry is None:  # no test was collected in this process
            self.compare_marks(self.folders)
        for (claim, build), reasons in self.heard.items():
            self.session.recall(claim, build, reasons)
        self.session.stopped = session.exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
        self._record = record(
            self.session,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            command=_command(list(map(str, self.config.invocation_params.args))),
            interrupted=self.session.stopped,
            around=loaded(self.config),
        )
        try:
            write(self._record, self.reports, say=self.session.collector.reporter.say)
        except OSError as error:
            self.unwritten(error)
        if session.exitstatus == pytest.ExitCode.OK:
            self._contradiction = ending.contradiction(self._record, list(map(str, self.config.invocation_params.args)))
        if (self._contradiction or self._unwritten) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def terminate(self) -> None:
        """Remember that somebody ended the run by SIGTERM."""
        self._terminated = True

    def unwritten(self, error: OSError) -> None:
        """Remember that a file of the run cannot be written, a full disk for one: the verdicts are told all the same.

        Of a JUnit file that was not written pytest would say that it was.
        """
        self._unwritten = self._unwritten or str(error)
        junit.forget(self.config)

    def summarize(self, terminal: Any) -> None:
        """The verdicts and where the report is; or why there was no run."""
        if self.refused:
            terminal.write_line(plain(f"ERROR: {self.refused}"), red=True)
        if self._record is None:
            return
        terminal.section("acceptance")
        if self._terminated:
            terminal.write_line("Stopped by SIGTERM.", red=True)
        for line in summary(self._record, where="" if self._unwritten else str(self.reports / "report.html")):
            terminal.write_line(line)
        if self._unwritten:
            why = f"{self.reports}: the reports cannot be written ({self._unwritten})"
            cure = "make room, or name another folder with --report-dir, and run again; what is there is an older run's"
            terminal.write_line(plain(f"ERROR: {why}; {cure}"), red=True)
        if self._contradiction:
            terminal.write_line(plain(f"Not a success: {self._contradiction}"), red=True)


def _command(words: list[str]) -> str:
    """The command line that reproduces a run, with what a variable adds to it."""
    more = os.environ.get("PYTEST_ADDOPTS", "").strip()
    return f"{f'PYTEST_ADDOPTS={shlex.quote(more)} ' if more else ''}{shlex.join(['pytest', *words])}"
