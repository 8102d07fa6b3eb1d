"""The same questions on the same server: asked by this project and by lm-evaluation-harness, in turn.

usage: python benchmarks/against_lm_eval.py --questions PATH [--subjects 4] [--per-subject 10] [--rounds 2]
           [--concurrent 1 8] [--suite PATH] [--lm-eval-python PATH]

Makes an environment for lm-evaluation-harness first (.venv-lm-eval, once; or takes the one that --lm-eval-python
names), then serves the original of the suite (benchmarks/suites/smollm2-letter.toml) and warms it up for both. Each
round is: ours, lm-eval with each number of concurrent requests; 1 is its default. Both run as processes of their own,
go through the same TCP forwarder (lm-eval knows no Unix sockets), read the same rows, begin with an empty prefix cache.
"asking" is from the first byte of a turn's first request to the last byte of its last answer, seen by the forwarder;
"process" is the whole process, its start included.

Asserts that lm-eval's prompts are ours byte for byte, and that both choose the same letter but at ties and where
either side's margin is under 0.05 nats. Writes reports/benchmarks/against_lm_eval.json.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from workbench import (
    HERE,
    LETTER_SUITE,
    ROOT,
    ask_by_letter,
    choose,
    lead,
    reset_prefix_cache,
    run_script,
    save,
    say,
    served,
    table,
)

from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import QuestionSet
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Suite
from twx_accept.serving.client import Client
from twx_accept.serving.metrics import total

LM_EVAL = "0.4.13"
ENVIRONMENT = ROOT / ".venv-lm-eval"
REQUIREMENTS = (f"lm-eval[api]=={LM_EVAL}", "transformers>=5,<6")
"""transformers reads the model's tokenizer, which the harness does not require itself; torch is not needed."""

LONGEST = 4096
"""Tokens. By default the harness cuts prompts over 2,047 tokens from the left, with a warning only."""

CLOSE = 0.05
"""Nats. A margin under this may fall either way: the order and the batching of requests move values that far."""

COUNTERS = {"prompt tokens": "vllm:prompt_tokens_total", "from the cache": "vllm:prefix_cache_hits_total"}


class Forwarder:
    """Forwards TCP connections on 127.0.0.1 to a Unix socket, and sees when the first and the last byte passed."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.port = 0
        self.first: float | None = None
        self.last = 0.0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._pumps: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_error: object) -> None:
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def begin(self) -> None:
        """Forget what has passed."""
        self.first, self.last = None, 0.0

    def seconds(self) -> float:
        """From the first byte of the first request to the last byte of the last answer."""
        if self.first is None:
            raise RuntimeError("nothing was asked through the forwarder")
        return self.last - self.first

    def _call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _close(self) -> None:
        self._server.close()
        for pump in self._pumps:  # open connections would keep the model's server from ending
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _serve(self, client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        server_in, server_out = await asyncio.open_unix_connection(str(self.socket))
        for source, target, answers in ((client_in, server_out, False), (server_in, client_out, True)):
            pump = asyncio.create_task(self._pump(source, target, answers=answers))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, answers: bool) -> None:
        try:
            with suppress(ConnectionError):
                while data := await source.read(1 << 16):
                    self.first = self.first or time.monotonic()
                    target.write(data)
                    await target.drain()
                    if answers:
                        self.last = time.monotonic()
        finally:
            target.close()


def python() -> Path:
    """The python of lm-evaluation-harness' environment, which is made where it is not there."""
    program = ENVIRONMENT / "bin" / "python"
    wanted = f"import importlib.metadata as m, transformers, sys; sys.exit(m.version('lm_eval') != '{LM_EVAL}')"
    if program.exists() and subprocess.run([program, "-c", wanted], check=False, capture_output=True).returncode == 0:
        return program
    say(f"making {ENVIRONMENT.name} with {' and '.join(REQUIREMENTS)}")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
    subprocess.run([program, "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
    return program


def write_tasks(program: Path, questions: QuestionSet, source: Path, into: Path) -> dict[str, str]:
    """Tasks that are the harness's own ``mmlu`` tasks but for where their rows come from.

    Each includes the installed task file, so that template, description and choice of examples are the harness's own.

    Returns:
        The name of each subject's task.
    """
    import pyarrow.parquet

    where = "import lm_eval, pathlib; print(pathlib.Path(lm_eval.__file__).parent / 'tasks' / 'mmlu' / 'default')"
    answer = subprocess.run([program, "-c", where], check=True, capture_output=True, text=True)
    own = Path(answer.stdout.strip())
    into.mkdir()
    names = {}
    for subject in dict.fromkeys(question.subject for question in questions.questions):
        if not (own / f"mmlu_{subject}.yaml").is_file():
            raise SystemExit(f"against_lm_eval: lm-eval {LM_EVAL} has no task mmlu_{subject}; give the MMLU questions")
        files = {}
        for split in ("test", "dev"):
            rows = pyarrow.parquet.read_table(source / f"{split}.parquet", filters=[("subject", "=", subject)])
            files[split] = str(into / f"{subject}-{split}.parquet")
            pyarrow.parquet.write_table(rows, files[split])
        names[subject] = f"local_mmlu_{subject}"
        task = {
            "include": str(own / f"mmlu_{subject}.yaml"),
            "task": names[subject],
            "dataset_path": "parquet",
            "dataset_name": None,
            "dataset_kwargs": {"data_files": files},
        }
        (into / f"{subject}.yaml").write_text(json.dumps(task), encoding="utf-8")  # JSON is YAML
    return names


def ours(forwarder: Forwarder, suite: Suite, folder: Path, output: Path) -> dict[str, list[float]]:
    """One turn of ours, as a process of its own: each question's four values."""
    command = [sys.executable, str(HERE / "ask_by_letter.py"), "--base-url", f"http://127.0.0.1:{forwarder.port}"]
    command += ["--model", suite.original.name, "--questions", str(folder), "--output", str(output)]
    command += ["--concurrency", str(suite.asking.concurrency)]
    command += ["--prompts-per-request", str(suite.asking.prompts_per_request)]
    subprocess.run(command, env=environment(), check=True)
    values: dict[str, list[float]] = json.loads(output.read_text(encoding="utf-8"))
    return values


def theirs(
    program: Path, forwarder: Forwarder, suite: Suite, tasks: Path, names: Mapping[str, str], output: Path, *, many: int
) -> None:
    """One turn of lm-evaluation-harness, which writes its samples to ``output``."""
    model = {
        "model": suite.original.name,
        "base_url": f"http://127.0.0.1:{forwarder.port}/v1/completions",
        "tokenizer": str(suite.original.path),
        "tokenizer_backend": "huggingface",
        "num_concurrent": many,
        "max_length": LONGEST,
    }
    command = [str(program), "-m", "lm_eval", "run", "--model", "local-completions", "--model_args", json.dumps(model)]
    command += ["--include_path", str(tasks), "--tasks", ",".join(names.values()), "--num_fewshot", "5"]
    command += ["--batch_size", "1", "--log_samples", "--output_path", str(output)]
    own = {"HF_HOME": str(tasks / "home"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    log = output.with_suffix(".log")
    with log.open("wb") as stream:
        done = subprocess.run(
            command, env={**environment(), **own}, stdout=stream, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        raise SystemExit(f"against_lm_eval: lm-eval failed:\n{log.read_text(errors='replace')[-3000:]}")


def environment() -> dict[str, str]:
    """The environment without proxies: one would answer in the server's place."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return {**kept, "OPENAI_API_KEY": "none", "TOKENIZERS_PARALLELISM": "false"}


def samples(output: Path, questions: QuestionSet, names: Mapping[str, str]) -> dict[str, list[float]]:
    """Each question's four values from the samples of a turn.

    Raises:
        SystemExit: a prompt is not ours byte for byte, or a question has no sample.
    """
    scoring = Letter(questions)
    found: dict[str, list[float]] = {}
    for subject, task in names.items():
        file = next(output.rglob(f"samples_{task}_*.jsonl"))
        rows = sorted(map(json.loads, file.read_text(encoding="utf-8").splitlines()), key=lambda row: row["doc_id"])
        own = [question for question in questions.questions if question.subject == subject]
        if len(rows) != len(own):
            raise SystemExit(f"against_lm_eval: {task} has {len(rows)} samples for {len(own)} questions")
        for question, row in zip(own, rows, strict=True):
            asked = [row["arguments"][f"gen_args_{at}"] for at in range(len(question.choices))]
            wanted = [(scoring.prompt(question), f" {letter}") for letter in "ABCD"]
            if [(each["arg_0"], each["arg_1"]) for each in asked] != wanted:
                raise SystemExit(f"against_lm_eval: lm-eval asks {question.id} otherwise: {asked[0]!r}")
            found[question.id] = [float(value) for value, _greedy in row["filtered_resps"]]
    return found


def disagreements(left: Mapping[str, Sequence[float]], right: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """The questions for which two turns choose differently, each with its margins; of level letters the first wins."""
    found = []
    for item, ours_ in left.items():
        theirs_ = right[item]
        mine, other = list(ours_).index(max(ours_)), list(theirs_).index(max(theirs_))
        if mine != other:
            margins = [lead(ours_, other), lead(theirs_, mine)]
            found.append({"item": item, "ours": "ABCD"[mine], "lm-eval": "ABCD"[other], "margins": margins})
    return found


def largest_difference(left: Mapping[str, Sequence[float]], right: Mapping[str, Sequence[float]]) -> float:
    """The largest difference between two values of one letter, in nats."""
    return max(abs(a - b) for item in left for a, b in zip(left[item], right[item], strict=True))


def counters(server: RunningServer) -> dict[str, float]:
    """What the server has counted since its boot."""
    with Client.of(server) as client:
        text = client.text("/metrics")
    return {label: total(text, name) or 0.0 for label, name in COUNTERS.items()}


def warm_up(server: RunningServer, suite: Suite, questions: QuestionSet) -> None:
    """Ask in each of the two ways, untimed: what an engine does on its first request of a kind is nobody's speed."""
    ask_by_letter(server, questions, suite.asking)
    body = {"model": server.model, "prompt": Letter(questions).prompt(questions.questions[0])}
    with Client.of(server, timeout=300) as client:
        client.json("/v1/completions", {**body, "max_tokens": 1, "temperature": 0, "logprobs": 1, "echo": True})


class Bench:
    """The turns on one server."""

    def __init__(self, server: RunningServer, forwarder: Forwarder, questions: QuestionSet) -> None:
        self.server, self.forwarder, self.questions = server, forwarder, questions
        self.turns: list[dict[str, Any]] = []

    def turn(self, who: str, work: Any) -> Any:
        """Empty the cache, take the times of one turn, keep them."""
        reset_prefix_cache(self.server)
        before = counters(self.server)
        self.forwarder.begin()
        started = time.monotonic()
        result = work()
        process, asking = time.monotonic() - started, self.forwarder.seconds()
        counted = {label: round(value - before[label]) for label, value in counters(self.server).items()}
        self.turns.append({"who": who, "asking": asking, "process": process, **counted, "load": os.getloadavg()[0]})
        say(f"  {who}: {asking:.1f} s of asking, {process:.1f} s of process")
        return result

    def medians(self) -> list[dict[str, Any]]:
        """One row for each way of asking, with ratios to ours."""
        rows: list[dict[str, Any]] = []
        for who in dict.fromkeys(turn["who"] for turn in self.turns):
            own = [turn for turn in self.turns if turn["who"] == who]
            row = {"who": who, "turns": len(own)}
            row |= {name: statistics.median(turn[name] for turn in own) for name in ("asking", "process", *COUNTERS)}
            row |= {f"{name} ratio": row[name] / (rows or [row])[0][name] for name in ("asking", "process")}
            row["questions/s"] = len(self.questions.questions) / row["asking"]
            rows.append(row)
        return rows


def measure(options: argparse.Namespace, program: Path, folder: Path) -> dict[str, Any]:
    """Every turn, and what the two said."""
    source, tasks = folder / "questions", folder / "tasks"
    questions = choose(options.questions, options.subjects, options.per_subject, source)
    names = write_tasks(program, questions, source, tasks)
    pairs = []
    with served(Path(options.suite)) as (suite, server), Forwarder(server.socket or Path()) as forwarder:
        warm_up(server, suite, questions)
        bench = Bench(server, forwarder, questions)
        for number in range(1, options.rounds + 1):
            say(f"round {number} of {options.rounds}, {len(questions.questions)} questions")
            output = folder / f"ours-{number}.json"
            mine = bench.turn("ours", lambda output=output: ours(forwarder, suite, source, output))
            for many in options.concurrent:
                who, output = f"lm-eval, {many} at once", folder / f"lm-eval-{number}-{many}"
                bench.turn(
                    who,
                    lambda output=output, many=many: theirs(program, forwarder, suite, tasks, names, output, many=many),
                )
                pairs.append((who, number, mine, samples(output, questions, names)))
    return {
        "engine_version": server.boot.engine_version,
        "lm_eval": LM_EVAL,
        "questions": len(questions.questions),
        "questions_sha256": questions.digest,
        "medians": bench.medians(),
        "turns": bench.turns,
        "agreement": [
            {
                "who": who,
                "round": number,
                "same": len(mine) - len(disagreements(mine, other)),
                "exceptions": disagreements(mine, other),
                "largest_difference": largest_difference(mine, other),
            }
            for who, number, mine, other in pairs
        ],
    }


def show(result: Mapping[str, Any]) -> int:
    """Print it all; the number of disagreements that no tie and no narrow margin explains."""
    say("\nMedians of wall times in seconds:")
    plain = ("who", "turns", *COUNTERS)
    rows = [
        {k: v if k == "who" else f"{v:,.0f}" if k in plain else f"{v:.2f}" for k, v in row.items()}
        for row in result["medians"]
    ]
    table(rows)
    say("\nThe letters chosen:")
    wrong = 0
    for each in result["agreement"]:
        n, apart = result["questions"], each["largest_difference"]
        same = f"{each['same']} of {n} the same"
        say(f"  {each['who']}, round {each['round']}: {same}; values differ by {apart:.4f} at most")
        for exception in each["exceptions"]:
            close = min(exception["margins"]) < CLOSE
            wrong += not close
            margins = " and ".join(f"{margin:.4f}" for margin in exception["margins"])
            choices = f"{exception['ours']} ours, {exception['lm-eval']} lm-eval's"
            say(f"    {exception['item']}: {choices}; margins {margins} nats{'' if close else ': NOT A CLOSE CALL'}")
    return wrong


def main() -> None:
    """Prepare, measure, compare."""
    parser = argparse.ArgumentParser(description="Speed and letters against lm-evaluation-harness.")
    parser.add_argument("--questions", required=True, help="folder with test and dev, as parquet or jsonl")
    parser.add_argument("--subjects", type=int, default=4, help="how many subjects (default 4)")
    parser.add_argument("--per-subject", type=int, default=10, help="questions of each (default 10)")
    parser.add_argument("--rounds", type=int, default=2, help="turns of each (default 2)")
    parser.add_argument(
        "--concurrent",
        type=int,
        nargs="+",
        default=[1, 8],
        help="lm-eval's num_concurrent (default 1, as its own, and 8)",
    )
    parser.add_argument("--suite", default=str(LETTER_SUITE), help="suite whose original is served")
    parser.add_argument("--lm-eval-python", type=Path, help="a python that has lm-evaluation-harness")
    options = parser.parse_args()
    program = options.lm_eval_python or python()
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
        result = measure(options, program, Path(name))
    wrong = show(result)
    save("against_lm_eval", result)
    if wrong:
        raise SystemExit(f"against_lm_eval: {wrong} letters differ where neither side's margin is under {CLOSE} nats")


if __name__ == "__main__":
    run_script(main)
