"""What asking costs this side: microseconds of processor time a question, without an engine.

usage: python benchmarks/client_cost.py [--questions PATH] [--count 2000] [--rounds 5] [--prompts-per-request 1 16 32]
           [--concurrency 16] [--profile]

Plans, asks, keeps and scores as an acceptance run does, against a server of its own process that answers at once.
Without --questions the prompts are made up, as long as those of MMLU with five examples. Writes
reports/benchmarks/client_cost.json.
"""

import argparse
import cProfile
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench import HERE, questions_in, run_script, save, say, table

from twx_accept.asking import ask
from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import Question, QuestionSet
from twx_accept.domain.evidence import Boot, Inventory
from twx_accept.domain.exchange import Exchange
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking
from twx_accept.evidence import Store

SUBJECTS = 57
WORDS = [
    "the",
    "model",
    "of",
    "a",
    "question",
    "with",
    "some",
    "words",
    "in",
    "it",
    "that",
    "are",
    "as",
    "long",
    "as",
    "those",
    "which",
    "people",
    "write",
]


def made_up(count: int) -> QuestionSet:
    """Questions whose prompts have about 3,000 characters with their examples, as those of MMLU."""

    def question(subject: int, number: int, size: int) -> Question:
        text = " ".join(WORDS[(number * 7 + at * 3) % len(WORDS)] for at in range(size))
        choices = tuple(f"{WORDS[(number + at) % len(WORDS)]} {number} {at} and some more" for at in range(4))
        name = f"subject_{subject:02}"
        return Question(id=f"{name}-{number}", subject=name, text=text, choices=choices, answer=number % 4)

    questions = tuple(question(at % SUBJECTS, at, 50) for at in range(count))
    shots = {f"subject_{s:02}": tuple(question(s, 100_000 + n, 65) for n in range(5)) for s in range(SUBJECTS)}
    return QuestionSet(questions=questions, shots=shots, digest="")


@contextmanager
def answering() -> Iterator[RunningServer]:
    """The server that answers from a stencil."""
    with tempfile.TemporaryDirectory(prefix="twx-") as folder:
        socket = Path(folder) / "s"
        command = [sys.executable, str(HERE / "canned.py"), str(socket)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None  # noqa: S101 - for mypy
            if child.stdout.readline() != b"ready\n":
                raise SystemExit("client_cost: the server that answers from a stencil did not start")
            boot = Boot(
                number=0,
                ready_seconds=0,
                engine_version="",
                device="",
                flags={},
                settings={},
                cache={},
                capacity_tokens=None,
            )
            yield RunningServer(base_url="http://localhost", socket=socket, model="m", api_key="", boot=boot)
            child.communicate()


class Stages:
    """Processor and wall seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, tuple[float, float]] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the times of what runs inside."""
        cpu, wall = time.process_time(), time.monotonic()
        yield
        self.seconds[name] = time.process_time() - cpu, time.monotonic() - wall


def turn(server: RunningServer, questions: QuestionSet, asking: Asking, folder: Path) -> Stages:
    """One whole turn: plan, ask and keep, read what is kept, score."""
    stages, scoring = Stages(), Letter(questions)
    opened: dict[Any, Exchange] = {}
    ask(
        server,
        scoring.opening(),
        asking,
        keep=lambda exchanges: opened.update({each.request.key: each for each in exchanges}),
        require_alive=lambda: None,
    )
    nothing = Inventory(weights={}, digests={}, tensors={})
    with Store(folder / "evidence.sqlite", {}, nothing) as store:
        with stages.stage("planning"):
            requests = store.missing(scoring.answers(opened))
        with stages.stage("asking and keeping"):
            ask(server, requests, asking, keep=store.keep, require_alive=lambda: None)
        with stages.stage("reading"):
            found = {each.request.key: each for each in store.exchanges("multiple_choice")}
        with stages.stage("scoring"):
            scores = [scoring.score(question, found) for question in questions.questions]
    if len(scores) != len(questions.questions) or any(not hasattr(score, "chosen") for score in scores):
        raise SystemExit("client_cost: a question has no score")
    return stages


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Medians over the rounds, the sizes of requests in turn within each."""
    questions = questions_in(Path(options.questions).resolve()) if options.questions else made_up(options.count)
    questions = QuestionSet(questions=questions.questions[: options.count], shots=questions.shots, digest="")
    count = len(questions.questions)
    rounds: dict[int, list[Stages]] = {size: [] for size in options.prompts_per_request}
    with answering() as server:
        for number in range(options.rounds + 1):  # the first one warms up
            for size in options.prompts_per_request:
                asking = Asking(
                    concurrency=options.concurrency, prompts_per_request=size, timeout_seconds=60, attempts=1
                )
                with tempfile.TemporaryDirectory(prefix="twx-bench-") as folder:
                    stages = turn(server, questions, asking, Path(folder))
                if number or not options.rounds:
                    rounds[size].append(stages)
    rows = []
    for size, turns in rounds.items():
        row: dict[str, Any] = {"prompts a request": size, "questions": count}
        for name in turns[0].seconds:
            row[name] = statistics.median(each.seconds[name][0] for each in turns) / count * 1e6
        row["together"] = sum(value for name, value in row.items() if name in turns[0].seconds)
        row["wall of asking"] = statistics.median(each.seconds["asking and keeping"][1] for each in turns) / count * 1e6
        rows.append(row)
    return rows


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as it is printed."""
    return {name: f"{value:.0f}" if isinstance(value, float) else value for name, value in row.items()}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description="Microseconds of this side's processor time a question.")
    parser.add_argument("--questions", help="folder with test and dev (default: made up)")
    parser.add_argument("--count", type=int, default=2000, help="questions (default 2000)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (default 5)")
    parser.add_argument("--prompts-per-request", type=int, nargs="+", default=[1, 16, 32])
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    options = parser.parse_args()
    if options.profile:
        with cProfile.Profile() as profile:
            measure(options)
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
        return
    rows = measure(options)
    say("Microseconds a question, medians:")
    table([shown(row) for row in rows])
    save("client_cost", {"concurrency": options.concurrency, "rows": rows})


if __name__ == "__main__":
    run_script(main)
