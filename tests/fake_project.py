"""A small project with a suite, tiny models and the acceptance tests, whose engine is the stand-in of ``fake_vllm``.

The answers are known: ``good`` answers as the original does, ``weak`` has four of 40 questions wrong and is too large,
``damaged`` (the control) has all of them wrong. Everything a run writes stays in two folders of its own.
"""

import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fake_vllm import Fault, Script, engine_python
from twx_accept import claims
from twx_accept.domain.scope import Scope
from twx_accept.registration import ledgers
from twx_accept.sources import FileOrHub
from twx_accept.suite import load

REPOSITORY = Path(__file__).resolve().parents[1]
ACCEPTANCE = REPOSITORY / "tests" / "acceptance"
BYTES = {"original": 4000, "good": 2000, "weak": 2000, "damaged": 1000}
SCORES = {
    "original": {" right": -0.1, " true": -0.1},
    "good": {" right": -0.1, " true": -0.1},
    "weak": {" right": -0.1, " false": -0.1},
    "damaged": {" wrong": -0.1, " false": -0.1},
}
RIGHT = {
    ("weight_size", "damaged"): "shown",
    ("multiple_choice", "damaged"): "failed",
    ("weight_size", "good"): "shown",
    ("multiple_choice", "good"): "shown",
    ("weight_size", "weak"): "failed",
    ("multiple_choice", "weak"): "not shown",
} | {("cache_headroom", build): "reported" for build in ("damaged", "good", "weak")}
"""What must come of it."""
SUITE = """
[suite]
name = "tiny"
title = "A tiny suite"
version = 1
original = "original"

[engine]
python = "../../engine/python"
device = "cpu"
ready_seconds = 20
stop_seconds = 5
memory_seconds = 20

[flags]
seed = 0
max_model_len = 2048

[asking]
concurrency = 1
prompts_per_request = 1
timeout_seconds = 10
attempts = 2

[claims.weight_size.mark]
good = 0.65
weak = 0.30
damaged = 0.50

[claims.cache_headroom]
mark = 0.95

[claims.multiple_choice]
title = "Quiz"
short = "quiz"
source = "../questions"
scoring = "continuation"
margin_points = 20.0
lead_share = 0.5
"""
BUILD = '\n[[builds]]\nname = "{0}"\npath = "../../models/{0}"\ncontrol = {1}\n'
SETTINGS = """
[pytest]
testpaths = tests
junit_logging = system-out
addopts = --strict-markers -p no:cacheprovider -p no:hypothesispytest -p no:anyio -p no:pytest_cov
markers =
    slow: any other marker
    x: any other marker
"""
FORKS = """
import importlib.metadata, json, os, sys, tempfile
import pytest
import twx_accept.acceptance.starting, twx_accept.claims, twx_accept.cli

def twx_accept_command(words):
    sys.argv = words
    try:
        twx_accept.cli.main()
    except SystemExit as ended:
        return int(ended.code or 0)

for plugin in importlib.metadata.entry_points(group="pytest11"):
    plugin.load()
twx_accept.claims.known()
for line in sys.stdin:
    folder, environment, out, words = json.loads(line)
    if not (pid := os.fork()):
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0), os.dup2(file, 1), os.dup2(file, 2)
        status = twx_accept_command(words) if words[0] == "twx-accept" else pytest.main(words)
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(status)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
"""Runs pytest and this project's command in forks of a process that has everything imported: it saves seconds."""
GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{role}_NAME": "A. Tester" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "tester@example.org" for role in ("AUTHOR", "COMMITTER")},
}
"""Git without this machine's settings."""
DROPPED = ("PYTEST_", "GITHUB_", "GIT_", "TWX_", "COV_", "COVERAGE_", "FORCE_COLOR", "NO_COLOR", "TERM", "CI")


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    status: int
    text: str


@dataclass
class Fork:
    """A run of pytest that was forked."""

    pid: int
    out: Path
    ran: Ran | None = None

    def wait(self) -> Ran:
        """Waits for its end."""
        if self.ran is None:
            self.ran = Ran(int(forking().stdout.readline()), self.out.read_text())
        return self.ran

    def kill(self) -> None:
        """Kills it unless it is known to be over, and waits for its end."""
        if self.ran is None and lives(self.pid):
            os.kill(self.pid, signal.SIGKILL)
        self.wait()


@dataclass
class Project:
    """The project's folder, its temporary folder, and the command to run in it."""

    root: Path
    temporary: Path
    script: Script = field(default_factory=Script)

    def __post_init__(self) -> None:
        self.temporary.mkdir(parents=True, exist_ok=True)
        suites, tests = self.root / "fixtures" / "suites", self.root / "tests" / "acceptance"
        suites.mkdir(parents=True)
        (self.root / "pytest.ini").write_text(SETTINGS)
        builds = "".join(BUILD.format(name, str(name == "damaged").lower()) for name in BYTES)
        (suites / "tiny.toml").write_text(SUITE + builds)
        shutil.copytree(ACCEPTANCE, tests, ignore=shutil.ignore_patterns("__marks__", "__pycache__"))
        (self.root / "tests" / "test_plain.py").write_text("def test_plain():\n    pass\n")
        for name, size in BYTES.items():
            model(self.root / "models" / name, size)
        self.questions("fixtures/questions", 40)
        self.behave()

    def behave(self, **changes: Any) -> None:
        """Gives the engine another script; ``builds`` adds to what each build scores."""
        builds = {name: {"scores": scores} | changes.get("builds", {}).get(name, {}) for name, scores in SCORES.items()}
        changes["faults"] = tuple(Fault(**fault) for fault in changes.get("faults", ()))
        self.script = Script(**(changes | {"journal": str(self.temporary / "journal"), "builds": builds}))
        engine_python(self.root / "engine", self.script)

    def questions(self, folder: str, number: int) -> Path:
        """Writes a question set of four subjects; every tenth question has another right word than the rest."""
        rows = [question(at) for at in range(number)]
        path = self.root / folder
        path.mkdir(parents=True, exist_ok=True)
        (path / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def change(self, file: str, old: str, new: str) -> None:
        """Replaces a text that must be in a file of the project."""
        path = self.root / file
        text = path.read_text()
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new))

    def suite(self, old: str, new: str) -> None:
        """Replaces a text of the suite."""
        self.change("fixtures/suites/tiny.toml", old, new)

    def register(self) -> "Project":
        """Registers the marks of the suite as it stands, and enters them in its ledger."""
        suite = load(self.root / "fixtures" / "suites" / "tiny.toml")
        made = claims.of_suite(suite, FileOrHub(folder=suite.folder), Scope())
        who = ledgers.Who(name="a test", date="2026-01-01T00:00:00+00:00", commit="none")
        ledgers.register(self.root / "tests" / "acceptance", suite, made, who)
        return self

    def git(self, *words: str) -> str:
        """Runs git in the project as somebody who has no settings of his own; the answer is what it said."""
        ran = subprocess.run(
            ["git", "-C", str(self.root), *words],  # noqa: S607 - whichever git the user has
            env=self.environment(GIT),
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout

    def commit(self, message: str = "as it stands") -> str:
        """Commits everything of the project, whose repository begins with the first commit; the answer is its hash."""
        if not (self.root / ".git").exists():
            self.git("init", "--quiet", "--initial-branch=main")
            (self.root / ".gitignore").write_text("/reports/\n/models/\n/engine/\n__pycache__/\n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD").strip()

    def pytest(self, *words: str, **environment: str) -> Ran:
        """Runs pytest in the project and waits for its end."""
        return self.command("pytest", *words, **environment)

    def accept(self, *words: str, **environment: str) -> Ran:
        """Runs the acceptance tests and waits for their end."""
        return self.pytest("-m", "acceptance", *words, **environment)

    def each(self, *lines: tuple[str, ...]) -> list[Ran]:
        """Runs pytest once for each command line, without the seconds that a fresh interpreter takes to import."""
        ran = []
        for line in lines:
            with self.forked(*line) as fork:
                ran.append(fork.wait())
        return ran

    def twx(self, *words: str, **environment: str) -> Ran:
        """Runs `twx-accept` in the project, the same way."""
        with self._fork(["twx-accept", *words], environment) as fork:
            return fork.wait()

    @contextmanager
    def forked(self, *words: str) -> Iterator["Fork"]:
        """Runs pytest in a fork as long as the context lasts; one at a time."""
        with self._fork(["-p", "no:warnings", *words], {}) as fork:
            yield fork

    @contextmanager
    def _fork(self, words: list[str], environment: Mapping[str, str]) -> Iterator["Fork"]:
        forks, out = forking(), self.temporary / "out"
        request = [str(self.root), self.environment(environment), str(out), words]
        forks.stdin.write(json.dumps(request) + "\n")
        forks.stdin.flush()
        fork = Fork(int(forks.stdout.readline()), out)
        try:
            yield fork
        finally:
            fork.kill()

    def command(self, module: str, *words: str, **environment: str) -> Ran:
        """Runs a module in the project and waits for its end."""
        with self.started(*words, module=module, **environment) as process:
            text, _ = process.communicate(timeout=100)
        return Ran(process.returncode, text)

    @contextmanager
    def started(self, *words: str, module: str = "pytest", **environment: str) -> Iterator["subprocess.Popen[str]"]:
        """Runs a module as long as the context lasts, in a process group of its own that is killed after it."""
        entry = f"import sys; sys.argv[0] = 'twx-accept'; from {module} import main; sys.exit(main())"
        how = ["-m", "pytest"] if module == "pytest" else ["-c", entry]
        process = subprocess.Popen(
            [sys.executable, *how, *words],
            cwd=self.root,
            env=self.environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """This one's without anything that speaks to pytest, with folders of the project's own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
        own = {"TMPDIR": str(self.temporary), "TWX_ACCEPT_LOCKS": str(self.temporary / "locks")}
        own |= {"XDG_CACHE_HOME": str(self.temporary / "cache"), "COLUMNS": "120"}
        return {**kept, **own, "CI": "1", **more}

    def events(self, event: str = "", build: str = "") -> list[dict[str, Any]]:
        """What the engine noted so far, of one kind or build."""
        journal = self.temporary / "journal"
        lines = journal.read_text().splitlines() if journal.exists() else []
        found = [json.loads(line) for line in lines]
        return [each for each in found if event in ("", each["event"]) and build in ("", each["build"])]

    def boots(self) -> list[str]:
        """The builds that were booted, in order."""
        return [each["build"] for each in self.events("boot")]

    def asked(self, build: str) -> list[Any]:
        """The questions that a build was asked, as prompts of log-probabilities, in order."""
        details = [each["detail"] for each in self.events("request", build)]
        return [detail["prompt"] for detail in details if isinstance(detail["prompt"], list)]

    def servers(self) -> list[int]:
        """The processes of every server that still lives."""
        return [each["detail"] for each in self.events("boot") if lives(each["detail"])]

    def wait_for(self, event: str, build: str = "", number: int = 1) -> bool:
        """Waits until the engine has noted so many events; the answer is whether it has."""
        return until(lambda: len(self.events(event, build)) >= number)

    def report(self) -> dict[str, Any]:
        """The run's JSON."""
        found: dict[str, Any] = json.loads((self.root / "reports" / "report.json").read_text())
        return found

    def outcomes(self) -> dict[tuple[str, str], str]:
        """The outcome of each claim and build in the run's JSON."""
        return {(each["claim"], each["build"]): each["outcome"] for each in self.report()["run"]["verdicts"]}

    def tree(self) -> dict[str, bytes]:
        """Every file of the project but Python's own compiled ones."""
        files = [path for path in self.root.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
        return {str(path.relative_to(self.root)): path.read_bytes() for path in files}


@functools.cache
def forking() -> Any:
    """The process that forks, one for all tests of this process; it ends with its standard input."""
    return subprocess.Popen([sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def question(at: int) -> dict[str, Any]:
    """One question; the right choice is ``right``, in every tenth question ``true``."""
    words = ["right", "wrong", "poor", "bad"] if at % 10 else ["true", "false", "odd", "void"]
    turn = at % 4
    choices = words[-turn:] + words[:-turn] if turn else words
    return {
        "id": f"q-{at:02}",
        "subject": f"subject {at // 10}",
        "question": f"What is number {at}?",
        "choices": choices,
        "answer": choices.index(words[0]),
    }


def model(folder: Path, size: int) -> None:
    """A model folder with one tensor of that many bytes."""
    folder.mkdir(parents=True)
    tensor = {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}
    header = json.dumps({"layers.0.weight": tensor}).encode()
    content = (folder.name.encode() * size)[:size]  # no two builds have the same weights
    (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + content)
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
    (folder / "tokenizer.json").write_text(json.dumps({"version": "1.0"}))


def lives(pid: int) -> bool:
    """Whether a process is there and more than a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def until(done: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Waits until it is so; the answer is whether it came to be."""
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
