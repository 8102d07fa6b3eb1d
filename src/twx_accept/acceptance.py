"""An acceptance run under pytest: from the command line to a session, and from its verdicts to the reports."""

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from twx_accept import claims, registration, suite
from twx_accept.domain.run import RunRecord
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Build
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import SuiteError, UsageError
from twx_accept.report import data, html, markdown
from twx_accept.report.text import summary, xml_safe
from twx_accept.serving import ProcessLauncher
from twx_accept.session import Session
from twx_accept.session.collecting import Collector, Place
from twx_accept.session.progress import reporter
from twx_accept.session.recording import record
from twx_accept.sources import FileOrHub

MARKERS = (
    "acceptance: decides a claim about a build from a real server; runs only with -m acceptance",
    "claim(name): the claim that an acceptance test is about",
    "control: an acceptance test about the build that was damaged on purpose",
)
SOFTENERS = ("reruns", "only_rerun", "flaky_report")
"""Options of other plugins that repeat a failed test until it passes."""

WAIT_SECONDS = 6 * 3600.0


def add_options(group: pytest.OptionGroup) -> None:
    """Add the options."""
    group.addoption(
        "--suite",
        metavar="NAME",
        help="suite to run: a name in fixtures/suites/ or a .toml file's path (not needed where the builds tell it)",
    )
    group.addoption(
        "--build",
        action="append",
        default=[],
        metavar="NAME",
        help="build to decide about; may be repeated. Default: every build of the suite but the original.",
    )
    group.addoption(
        "--fresh", action="store_true", help="set kept evidence aside and ask everything again (nothing is deleted)"
    )
    group.addoption(
        "--questions",
        metavar="SOURCE",
        help="other questions than the suite's: a folder with test.jsonl or test.parquet (and dev.*), one such file, "
        "or a hub name such as cais/mmlu:all. The run is then partial and gates nothing.",
    )
    group.addoption(
        "--limit-questions",
        type=int,
        metavar="N",
        help="only the first N questions of each subject. The run is then partial and gates nothing.",
    )
    group.addoption(
        "--report-dir", metavar="DIR", help="where reports and evidence are written (default: reports/ at the root)"
    )


def is_asked_for(config: pytest.Config) -> bool:
    """Whether the marker expression asks for acceptance tests."""
    expression = config.getoption("markexpr", "") or ""
    words = expression.replace("(", " ").replace(")", " ").split()
    return any(word == "acceptance" and words[max(at - 1, 0)] != "not" for at, word in enumerate(words))


def is_acceptance(item: pytest.Item | pytest.Function | Any) -> bool:
    """Whether a test is an acceptance test."""
    return item.get_closest_marker("acceptance") is not None


def was_interrupted(status: int) -> bool:
    """Whether the run was stopped before its end."""
    return status in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)


def prepare(config: pytest.Config) -> "Run":
    """Read the suite and everything that can be wrong about the command line; nothing is booted or written.

    Raises:
        UsageError: naming the value and the cure.
    """
    _refuse_softening(config)
    root = config.rootpath
    wanted, names = config.getoption("suite"), config.getoption("build")
    chosen, builds = _choose(root, wanted, names)
    scope = _scope(config)
    sources = FileOrHub(folder=config.invocation_params.dir if scope.questions else chosen.folder)
    made = claims.of_suite(chosen, _Sources(suite=FileOrHub(folder=chosen.folder), given=sources, scope=scope), scope)
    reports = Path(config.getoption("report_dir") or root / "reports")
    if not config.option.collectonly and not getattr(config.option, "xmlpath", None):
        config.option.xmlpath = str(reports / "junit.xml")
    collector = Collector(
        suite=chosen,
        claims=made,
        place=Place(
            evidence=reports / "evidence",
            logs=reports / "evidence" / "logs",
            machine_lock=Path(tempfile.gettempdir()) / f"twx-accept-{os.getuid()}" / "machine.lock",
            wait_seconds=WAIT_SECONDS,
        ),
        launcher=ProcessLauncher(),
        reporter=reporter(sys.__stdout__ or sys.stdout, quiet=False),
        partial=scope.partial,
    )
    session = Session(
        suite=chosen,
        builds=builds,
        claims=made,
        collector=collector,
        partial=scope.partial,
        fresh=config.getoption("fresh"),
    )
    return Run(config=config, session=session, reports=reports)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """The questions that the command line names are found from where it was typed, the suite's from the suite."""

    suite: FileOrHub
    given: FileOrHub
    scope: Scope

    def rows(self, source: str, split: str) -> Sequence[Any]:
        """The rows from the right place."""
        return (self.given if source == self.scope.questions else self.suite).rows(source, split)


@dataclass(slots=True, kw_only=True)
class Run:
    """One acceptance run of a pytest process."""

    config: pytest.Config
    session: Session
    reports: Path
    _record: RunRecord | None = None

    def header(self) -> list[str]:
        """What will run, in a few lines."""
        suite_, builds = self.session.suite, self.session.builds
        names = ", ".join(f"{b.name} (control)" if b.control else b.name for b in builds)
        what = f"{suite_.original.name}, then {names}; {len(self.session.claims)} claims a build"
        lines = [f"twx-accept: suite {suite_.name}: {what}"]
        if self.session.partial:
            lines.append(f"twx-accept: partial run ({self.session.partial}): verdicts are labelled and gate nothing")
        if self.session.fresh:
            lines.append("twx-accept: --fresh: kept evidence is set aside and everything is asked again")
        return lines

    def names_for(self, item: Any) -> list[str]:
        """The builds that a test is about: all, or the controls for a test of the control."""
        wanted = [b for b in self.session.builds if b.control or not item.get_closest_marker("control")]
        return [build.name for build in wanted]

    def verdict(self, item: pytest.Item, build_name: str, snapshot: Any) -> Verdict:
        """The verdict on the test's claim, after its mark was compared with the registered one.

        Raises:
            InvalidClaim: in a fixture, so that pytest counts it as an error and never as a failure.
        """
        claim = self.session.claim(_claim_of(item))
        if not self.session.partial:
            taken = snapshot.use_extension(registration.Marks)(name=registration.name(claim, self.session.suite))
            same = bool(taken == claim.specification())
            registration.require_registered(item.path.parent, claim, self.session.suite, same=same)
        found = self.session.decide(claim, self._build(build_name))
        print(xml_safe(_for_junit(found)))  # captured by pytest, for the JUnit file
        return found

    def finish(self, status: int) -> None:
        """Write the reports, also of a run that was stopped. Nothing is written where nothing was to run."""
        nothing = status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
        if nothing or self.config.option.collectonly or hasattr(self.config, "workerinput"):
            return
        self._record = record(
            self.session,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            command=" ".join(["pytest", *self.config.invocation_params.args]),
            interrupted=was_interrupted(status),
        )
        self.reports.mkdir(parents=True, exist_ok=True)
        for name, text in (
            ("report.html", html.render(self._record)),
            ("report.json", data.render(self._record)),
            ("summary.md", markdown.render(self._record)),
        ):
            (self.reports / name).write_text(text, encoding="utf-8", errors="replace")
        if step := os.environ.get("GITHUB_STEP_SUMMARY"):
            with Path(step).open("a", encoding="utf-8", errors="replace") as stream:
                stream.write(markdown.render(self._record))

    def summarize(self, terminal: Any) -> None:
        """The verdicts and where the report is."""
        if self._record is None:
            return
        terminal.section("acceptance")
        for line in summary(self._record, where=str(self.reports / "report.html")):
            terminal.write_line(line)

    def _build(self, name: str) -> Build:
        return self.session.suite.build(name)


def select(config: pytest.Config, items: list[pytest.Item], run: Run | None) -> None:
    """Leave out what does not run; refuse what would soften an acceptance test; order by build.

    Raises:
        pytest.UsageError: a test is marked to be expected to fail or repeated, or two tests decide one thing.
    """
    if run is None:
        left_out = [item for item in items if is_acceptance(item)]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not is_acceptance(item)]
        return
    without_build = [item for item in items if is_acceptance(item) and not _build_of(item)]
    config.hook.pytest_deselected(items=without_build)
    items[:] = [item for item in items if item not in without_build]
    mine = [item for item in items if is_acceptance(item)]
    for item in mine:
        for name in ("xfail", "flaky", "skip", "skipif"):
            if item.get_closest_marker(name):
                raise pytest.UsageError(f"{item.nodeid} is marked {name}: an acceptance test is decided or invalid")
    _refuse_doubles(mine, run)
    order = {build.name: place for place, build in enumerate(run.session.builds)}
    claims_ = {claim.name: place for place, claim in enumerate(run.session.claims)}
    items.sort(key=lambda item: _place(item, order, claims_))


def _place(item: pytest.Item, builds: dict[str, int], claims_: dict[str, int]) -> tuple[int, int]:
    """Builds in the session's order, claims in the suite's, other tests after them."""
    marker = item.get_closest_marker("claim")
    place = claims_.get(marker.args[0], len(claims_)) if marker and marker.args else len(claims_)
    return builds.get(_build_of(item), len(builds)), place


def _build_of(item: pytest.Item) -> str:
    """The build that a test is about; empty where there is none for it (no control among the chosen builds)."""
    callspec = getattr(item, "callspec", None)
    name = callspec.params.get("build_name") if callspec else None
    return name if isinstance(name, str) else ""


def _refuse_doubles(items: list[pytest.Item], run: Run) -> None:
    """Every claim of a suite must be decided by exactly one test for each build, and nothing else."""
    seen: dict[tuple[str, str], str] = {}
    known = {claim.name for claim in run.session.claims}
    for item in list(items):
        marker = item.get_closest_marker("claim")
        if marker is None:
            continue
        key = (_claim_of(item), _build_of(item))
        if key in seen:
            raise pytest.UsageError(f"{item.nodeid} and {seen[key]} both decide {key[0]} for {key[1]}; remove one")
        seen[key] = item.nodeid
        if key[0] not in known:
            raise pytest.UsageError(
                f"{item.nodeid} is about the claim {key[0]!r}, which suite {run.session.suite.name!r} does not make "
                f"(it makes: {', '.join(sorted(known))})"
            )


def _claim_of(item: pytest.Item) -> str:
    marker = item.get_closest_marker("claim")
    if marker is None or len(marker.args) != 1:
        raise pytest.UsageError(f'{item.nodeid} uses `verdict` and names no claim; mark it @pytest.mark.claim("NAME")')
    return str(marker.args[0])


def _refuse_softening(config: pytest.Config) -> None:
    if getattr(config.option, "update_snapshots", False):
        raise UsageError("--snapshot-update is refused in an acceptance run: it would move the marks that are tested")
    for name in SOFTENERS:
        if getattr(config.option, name, None):
            raise UsageError(f"--{name.replace('_', '-')} is refused in an acceptance run: it hides failures")


def _choose(root: Path, wanted: str | None, names: list[str]) -> tuple[Any, tuple[Build, ...]]:
    if wanted and wanted.endswith(".toml"):
        file = Path(wanted)
        if not file.is_file():
            raise SuiteError(f"--suite {wanted}: no such file")
        found = suite.load(file)
        return suite.choose({found.name: found}, found.name, names)
    return suite.choose(suite.find(root / "fixtures" / "suites"), wanted, names)


def _scope(config: pytest.Config) -> Scope:
    limit = config.getoption("limit_questions")
    if limit is not None and limit < 1:
        raise UsageError(f"--limit-questions {limit}: give a whole number of questions a subject, 1 or more")
    return Scope(questions_per_group=limit, questions=config.getoption("questions"))


def _for_junit(verdict: Verdict) -> str:
    """Verdict, mark and counts as text: consumers of JUnit files drop properties."""
    numbers = ", ".join(f"{name} = {value}" for name, value in verdict.statistics.items())
    labels = f" ({', '.join(verdict.labels)})" if verdict.labels else ""
    return f"{verdict.outcome}{labels}: {verdict.sentence}\nmark: {verdict.mark or 'none'}\n{numbers}"
