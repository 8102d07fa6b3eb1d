"""With pytest-xdist the tests run in other processes: what they found is brought together in the one that reports.

Each report of a test says which claim it decided about which build. The process that reports has no verdict of its own
and recalls it from the kept evidence, which gives the same one; only the words of an invalid claim travel.
"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from twx_accept.acceptance import junit
from twx_accept.acceptance.selecting import DECIDED
from twx_accept.domain.run import Timing
from twx_accept.domain.verdict import Outcome

if TYPE_CHECKING:
    from twx_accept.acceptance.run import Run

OUTPUT = "twx_accept"
"""The name of what a process of pytest-xdist hands over at its end."""


def label(item: pytest.Item, report: Any) -> None:
    """Say in a test's report what it decided, as JSON, so that it reaches the process that reports."""
    if report.when == "setup" and DECIDED in item.stash:
        verdict = item.stash[DECIDED]
        again = verdict.outcome is not Outcome.INVALID or "exploratory" in verdict.labels  # decided again from evidence
        reasons = [] if again else list(verdict.reasons)
        said = {"claim": verdict.claim, "build": verdict.build, "reasons": reasons}
        report.twx_accept = {**said, "folder": str(item.path.parent)}


def refuse_skipping(report: Any) -> None:
    """An acceptance test that skips itself or expects its failure while it runs is a failed one."""
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"an acceptance test is decided or invalid, never skipped: {_why(report)}"


def _why(report: Any) -> str:
    if hasattr(report, "wasxfail"):
        why = str(report.wasxfail or "expected to fail")
        del report.wasxfail
        return why
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


class Controller:
    """Hooks for the process that reports; where the tests run in the same one, nothing is left for them to do."""

    def __init__(self, run: "Run") -> None:
        self._run = run

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note what another process decided."""
        said = getattr(report, "twx_accept", None)
        if said and (said["claim"], said["build"]) not in self._run.session.verdicts:
            self._run.heard[said["claim"], said["build"]] = said["reasons"]
            self._run.folders[said["claim"]] = Path(said["folder"])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a process hands over."""
        handed = getattr(node, "workeroutput", {}).get(OUTPUT, {})
        self._run.session.collector.timings += [Timing(**each) for each in handed.get("timings", [])]
        if refused := handed.get("refused"):
            self._run.refused = refused
            junit.forget(self._run.config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """In a process of pytest-xdist, hand over what the tests' reports do not say."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            timings = [asdict(timing) for timing in self._run.session.collector.timings]
            output[OUTPUT] = {"timings": timings, "refused": self._run.refused}
