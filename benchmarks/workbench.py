"""What the benchmarks share: choosing questions, serving the original, asking by letter, a table, a result file."""

import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from twx_accept.asking import ask
from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import QuestionSet, load
from twx_accept.domain.exchange import Exchange, Score, Unscored
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking, Suite
from twx_accept.errors import TwxAcceptError
from twx_accept.evidence.lock import held
from twx_accept.serving import ProcessLauncher
from twx_accept.serving.client import Client
from twx_accept.session.locks import usual_lock
from twx_accept.sources import FileOrHub
from twx_accept.suite import load as load_suite

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
REPORTS = ROOT / "reports" / "benchmarks"
LETTER_SUITE = HERE / "suites" / "smollm2-letter.toml"

WAIT_SECONDS = 6 * 3600.0
"""How long to wait for an acceptance run on this machine to end: two servers at once would slow each other down."""


def say(text: str) -> None:
    """One line of progress, at once."""
    print(text, flush=True)


def run_script(main: Callable[[], None]) -> None:
    """Run a script; an error that names its cure ends it in one line instead of a traceback."""
    try:
        main()
    except TwxAcceptError as error:
        raise SystemExit("\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])) from error


def peak_mib() -> float:
    """The most memory that this process has held, MiB: of the program that it runs, not of the one that began it.

    ``ru_maxrss`` is no such figure: a process that has just been begun has that of the one that it was forked from.
    """
    told = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="utf-8"), re.MULTILINE)
    return int(told[1]) / 1024 if told else float("nan")


def table(rows: Sequence[Mapping[str, object]]) -> None:
    """Print rows as columns under the names of the first row's keys; numbers to the right."""
    heads = list(rows[0])
    cells = [[str(row.get(head, "")) for head in heads] for row in rows]
    widths = [max(len(head), *(len(line[at]) for line in cells)) for at, head in enumerate(heads)]
    right = [all(line[at][:1] in "-+0123456789" or not line[at] for line in cells) for at in range(len(heads))]
    for line in (heads, *cells):
        parts = [f"{c:>{w}}" if r else f"{c:<{w}}" for c, w, r in zip(line, widths, right, strict=True)]
        say("  ".join(parts).rstrip())


def save(name: str, result: Mapping[str, Any]) -> None:
    """Write a benchmark's result, with the date and the machine's size, to reports/benchmarks/NAME.json."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    machine = {"cores": os.cpu_count(), "load_average": os.getloadavg()[0], "processor": platform.machine()}
    document = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine, **result}
    file = REPORTS / f"{name}.json"
    file.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    say(f"\nwritten: {file.relative_to(ROOT)}")


def forget(files: Sequence[Path]) -> None:
    """Empty the page cache of them."""
    for file in files:
        with file.open("rb") as stream:
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def choose(source: str, subjects: int, per_subject: int, into: Path) -> QuestionSet:
    """Write the first questions of some subjects, spread evenly over the source, to ``into`` and load them from there.

    0 subjects, or 0 of each, are all. ``into`` gets test.parquet and dev.parquet, so that another program can read
    exactly the same rows.
    """
    import pyarrow  # a second of import time
    import pyarrow.parquet

    given = FileOrHub(folder=Path.cwd())
    test, dev = given.rows(source, "test"), given.rows(source, "dev")
    names = list(dict.fromkeys(row["subject"] for row in test))
    count = min(subjects or len(names), len(names))
    wanted = [names[at * len(names) // count] for at in range(count)]
    kept = [row for name in wanted for row in [r for r in test if r["subject"] == name][: per_subject or None]]
    into.mkdir(parents=True, exist_ok=True)
    for split, rows in (("test", kept), ("dev", [row for row in dev if row["subject"] in wanted])):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), into / f"{split}.parquet")
    return questions_in(into)


def questions_in(folder: Path) -> QuestionSet:
    """The questions of a folder that :func:`choose` wrote, with their examples."""
    return load(FileOrHub(folder=folder), str(folder), with_shots=True, per_subject=None)


@contextmanager
def served(
    suite_file: Path = LETTER_SUITE, change: Callable[[Suite], Suite] = lambda suite: suite
) -> Iterator[tuple[Suite, RunningServer]]:
    """The original of that suite, changed, on a running server, alone on this machine as far as this project goes."""
    suite = change(load_suite(suite_file))
    with held(usual_lock(), "this machine (one server at a time)", wait_seconds=WAIT_SECONDS, say=say):
        say(f"{suite.original.name}: booting")
        logs = REPORTS / "logs"
        with ProcessLauncher().boot(suite, suite.original, folder=logs, progress=lambda _phase, _s: None) as server:
            boot = server.boot
            say(f"{suite.original.name}: ready after {boot.ready_seconds:.0f} s (vLLM {boot.engine_version})")
            yield suite, server


def reset_prefix_cache(server: RunningServer) -> None:
    """Empty the server's prefix cache (RuntimeError where it refuses)."""
    with Client.of(server) as client:
        answer = client.json("/reset_prefix_cache", {})
    if answer.get("success") is not True:
        raise RuntimeError(f"the server did not empty its prefix cache: {answer}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the server said of one question: the letters' log-probabilities (nats) and the tokens that it read."""

    score: Score
    tokens: tuple[int, ...]
    letters: tuple[int, ...]


def ask_by_letter(
    server: RunningServer, questions: QuestionSet, asking: Asking, *, count: Callable[[int], None] = lambda _n: None
) -> dict[str, Answer]:
    """Ask every question the way an acceptance run does.

    Args:
        server: where to ask.
        questions: what to ask.
        asking: concurrency and prompts in a request.
        count: told how many requests have been answered since it was last called.

    Raises:
        RuntimeError: a question has no score.
    """
    scoring = Letter(questions)
    found: dict[Any, Exchange] = {}

    def keep(exchanges: Sequence[Exchange]) -> None:
        found.update({each.request.key: each for each in exchanges})
        count(len(exchanges))

    ask(server, scoring.opening(), asking, keep=keep, require_alive=lambda: None)
    requests = scoring.answers(found)
    ask(server, requests, asking, keep=keep, require_alive=lambda: None)
    scores = [scoring.score(question, found) for question in questions.questions]
    unscored = [score for score in scores if isinstance(score, Unscored)]
    if unscored:
        raise RuntimeError(f"{len(unscored)} questions have no score; {unscored[0].item}: {unscored[0].reason}")
    return {
        score.item: Answer(
            score=score,
            tokens=tuple(found[request.key].choices()[0]["prompt_token_ids"]),
            letters=tuple(request.body["logprob_token_ids"]),
        )
        for score, request in zip(scores, requests, strict=True)
        if isinstance(score, Score)
    }


def lead(values: Sequence[float], over: int | None = None) -> float:
    """By how much the largest value leads: over the second largest, or over the one at ``over``."""
    first, second = sorted(values, reverse=True)[:2]
    return first - (second if over is None else values[over])
