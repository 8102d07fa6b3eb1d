"""Our asking through a server against the same prompts through vLLM's own in-process ``LLM.generate``.

usage: python benchmarks/against_in_process.py --questions PATH [--suite PATH] [--subjects 4] [--per-subject 10]
           [--rounds 3] [--boots 2] [--settings 8x16] [--no-in-process]

Serves the original of the suite and asks the questions by letter, as an acceptance run does: planned, asked, kept in an
evidence file. Then stops it, and gives the same texts to ``LLM.generate`` in the engine's environment with the engine's
same flags, environment and prefix caching; and again, boot by boot. Each round begins with an empty prefix cache, the
first one of a boot is not taken. ``--settings 16x32`` is 16 requests at once with 32 prompts each; several are asked in
turn. ``--subjects 0 --per-subject 0`` takes all. Each turn is printed as a line of JSON as it ends, and
reports/benchmarks/against_in_process.json is written after each boot. The letters' values of both are compared.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench import HERE, LETTER_SUITE, choose, lead, reset_prefix_cache, run_script, save, say, served, table

from twx_accept.asking import ask
from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import QuestionSet
from twx_accept.domain.evidence import Inventory
from twx_accept.domain.exchange import Exchange
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking
from twx_accept.evidence import Store
from twx_accept.serving import arguments
from twx_accept.serving.client import Client
from twx_accept.serving.metrics import total
from twx_accept.suite import load as load_suite

CLOSE = 0.05
"""Nats. A margin under this may fall either way: the order and the batching of requests move values that far."""

COUNTERS = {"prompt tokens": "vllm:prompt_tokens_total", "from the cache": "vllm:prefix_cache_hits_total"}


class Ours:
    """Turns on a running server."""

    def __init__(self, server: RunningServer, questions: QuestionSet, asking: Asking) -> None:
        self.server, self.scoring, self.asking = server, Letter(questions), asking
        self.opened: dict[Any, Exchange] = {}
        ask(server, self.scoring.opening(), asking, keep=self._open, require_alive=lambda: None)
        self.letters = self.scoring.letter_ids(self.opened)
        self.values: list[tuple[float, ...]] = []

    def _open(self, exchanges: Any) -> None:
        self.opened.update({each.request.key: each for each in exchanges})

    def turn(self, setting: str) -> dict[str, Any]:
        """One turn: from the first plan to the last answer kept. ``seconds`` has it all, ``asking`` only the asking."""
        many, prompts = map(int, setting.split("x"))
        asking = replace(self.asking, concurrency=many, prompts_per_request=prompts)
        reset_prefix_cache(self.server)
        before = self._counters()
        with tempfile.TemporaryDirectory(prefix="twx-bench-") as folder:
            nothing = Inventory(weights={}, digests={}, tensors={})
            with Store(Path(folder) / "evidence.sqlite", {}, nothing) as store:
                begun, cpu = time.monotonic(), time.process_time()
                requests = store.missing(self.scoring.answers(self.opened))
                planned = time.monotonic()
                ask(self.server, requests, asking, keep=store.keep, require_alive=lambda: None)
                ended, spent = time.monotonic(), time.process_time() - cpu
                found = {each.request.key: each for each in store.exchanges("multiple_choice")}
        scores = [self.scoring.score(question, found) for question in self.scoring.questions.questions]
        self.values = [score.values for score in scores if hasattr(score, "values")]
        if len(self.values) != len(scores):
            raise SystemExit(f"against_in_process: {len(scores) - len(self.values)} questions have no score")
        counted = {label: round(value - before[label]) for label, value in self._counters().items()}
        return {
            "who": f"ours, {setting}",
            "seconds": ended - begun,
            "asking": ended - planned,
            "client cpu": spent,
            **counted,
        }

    def _counters(self) -> dict[str, float]:
        with Client.of(self.server) as client:
            text = client.text("/metrics")
        return {label: total(text, name) or 0.0 for label, name in COUNTERS.items()}


def in_process(options: argparse.Namespace, ours: Ours, folder: Path) -> tuple[list[dict[str, Any]], list[list[float]]]:
    """The turns of one boot in process, and the values of the last."""
    suite = load_suite(Path(options.suite))
    prompts = [request.body["prompt"][0] for request in ours.scoring.answers(ours.opened)]
    flags = arguments.flags_of(suite, suite.original)
    task, result = folder / "task.json", folder / "result.json"
    plain = json.loads(json.dumps(flags, default=dict))
    made = {
        "model": str(suite.original.path),
        "flags": plain,
        "prompts": prompts,
        "letters": list(ours.letters),
        "rounds": options.rounds,
    }
    task.write_text(json.dumps(made), encoding="utf-8")
    # -P: this folder's modules must not be imported in the place of the engine's.
    command = [str(suite.engine.python), "-P", str(HERE / "in_process.py"), str(task), str(result)]
    log = folder / "in_process.log"
    with log.open("wb") as stream:
        done = subprocess.run(
            command, env=arguments.environment(suite.engine), stdout=stream, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        raise SystemExit(f"against_in_process: LLM.generate failed:\n{log.read_text(errors='replace')[-3000:]}")
    found = json.loads(result.read_text(encoding="utf-8"))
    turns = [
        {"who": "LLM.generate", "seconds": s, "asking": s, "prompt tokens": found["prompt_tokens"]}
        for s in found["seconds"]
    ]
    return turns, found["values"]


def medians(turns: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """One row for each way, with its rate over that of ``LLM.generate`` where that was measured."""
    rows = []
    for who in dict.fromkeys(turn["who"] for turn in turns):
        own = [turn for turn in turns if turn["who"] == who]
        row: dict[str, Any] = {"who": who, "turns": len(own)}
        row |= {name: statistics.median(turn[name] for turn in own) for name in ("seconds", "asking")}
        for name in ("client cpu", *COUNTERS):
            row[name] = statistics.median(turn.get(name, 0) for turn in own)
        row["questions/s"] = count / row["asking"]
        rows.append(row)
    theirs = next((row for row in rows if row["who"] == "LLM.generate"), None)
    for row in rows:
        row["rate over LLM.generate"] = theirs["asking"] / row["asking"] if theirs else None
    return rows


def compare(ours: list[tuple[float, ...]], theirs: list[list[float]]) -> dict[str, Any]:
    """How many letters are the same, the largest difference, and those that differ where neither was close."""
    pairs = list(zip(ours, theirs, strict=True))
    other = [(a, b) for a, b in pairs if a.index(max(a)) != b.index(max(b))]
    clear = [(a, b) for a, b in other if min(lead(a), lead(b)) >= CLOSE]
    largest = max(abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True))
    return {"same": len(pairs) - len(other), "of": len(pairs), "largest difference": largest, "clear": len(clear)}


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Boot by boot, the two in turn."""
    questions = choose(options.questions, options.subjects, options.per_subject, folder / "questions")
    count = len(questions.questions)
    turns: list[dict[str, Any]] = []
    compared: list[dict[str, Any]] = []
    result: dict[str, Any] = {}
    for _ in range(options.boots):
        with served(Path(options.suite)) as (suite, server):
            ours = Ours(server, questions, suite.asking)
            for number in range(options.rounds + 1):
                for setting in options.settings:
                    turn = ours.turn(setting)
                    if number:
                        turns.append(turn)
                        say(json.dumps(turn | {"load": os.getloadavg()[0]}))
            version = server.boot.engine_version
        if not options.no_in_process:
            theirs, values = in_process(options, ours, folder)
            turns += theirs
            for turn in theirs:
                say(json.dumps(turn | {"load": os.getloadavg()[0]}))
            # Planned by subject, scored in the order of the questions.
            order = {request.key.item: at for at, request in enumerate(ours.scoring.answers(ours.opened))}
            arranged = [values[order[question.id]] for question in questions.questions]
            compared.append(compare(ours.values, arranged))
        result = {
            "engine_version": version,
            "questions": count,
            "questions_sha256": questions.digest,
            "flags": json.loads(json.dumps(dict(suite.flags), default=dict)),
            "medians": medians(turns, count),
            "turns": turns,
            "letters": compared,
        }
        save("against_in_process", result)
    return result


def show(result: Mapping[str, Any]) -> None:
    """Print it all."""
    say(f"\n{result['questions']} questions, medians of wall times in seconds:")
    table(
        [
            {
                k: v if isinstance(v, str) else "" if v is None else f"{v:,.2f}".removesuffix(".00")
                for k, v in row.items()
            }
            for row in result["medians"]
        ]
    )
    for each in result["letters"]:
        most = f"values differ by {each['largest difference']:.4f} at most"
        say(f"letters: {each['same']} of {each['of']} the same; {most}")


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description="Our asking against LLM.generate.")
    parser.add_argument("--questions", required=True, help="folder with test and dev, as parquet or jsonl")
    parser.add_argument("--suite", default=str(LETTER_SUITE), help="suite whose original is served")
    parser.add_argument("--subjects", type=int, default=4, help="how many subjects (default 4; 0 is all)")
    parser.add_argument("--per-subject", type=int, default=10, help="questions of each (default 10; 0 is all)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of a boot that are taken (default 3)")
    parser.add_argument("--boots", type=int, default=2, help="boots of each (default 2)")
    parser.add_argument("--settings", nargs="+", default=["8x16"], help="requests at once x prompts in each")
    parser.add_argument("--no-in-process", action="store_true", help="only ours")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
        result = measure(options, Path(name))
    show(result)
    if clear := sum(each["clear"] for each in result["letters"]):
        raise SystemExit(
            f"against_in_process: {clear} letters differ where neither side's margin is under {CLOSE} nats"
        )


if __name__ == "__main__":
    run_script(main)
