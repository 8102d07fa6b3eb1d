"""What the core that vLLM's CPU engine keeps back costs, and what binding its threads to cores does.

usage: python benchmarks/thread_binding.py --questions PATH [--suite PATH] [--subjects 4] [--per-subject 10]
           [--rounds 2] [--boots 2] [--settings NAME ...]

Serves the original of the suite under each setting of VLLM_CPU_OMP_THREADS_BIND and VLLM_CPU_NUM_OF_RESERVED_CPU in
turn, boot by boot, and asks the questions by letter as an acceptance run does. Each round begins with an empty prefix
cache: once with nothing beside it, and once with a process that hashes all the while, as a run does with the next
build's weights; the first turn of a boot is not taken. Medians and the least of the seconds of asking, the rate over
that of the first setting, what the other process hashed, and whether the letters are those of the first setting. The
cores that the engine took stand in its log and are shown. Writes reports/benchmarks/thread_binding.json after each
boot.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import re
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from against_in_process import Ours, compare
from workbench import LETTER_SUITE, REPORTS, choose, run_script, save, say, served, table

from twx_accept.domain.suite import Suite

BIND, RESERVED = "VLLM_CPU_OMP_THREADS_BIND", "VLLM_CPU_NUM_OF_RESERVED_CPU"
CORES = ",".join(map(str, sorted(os.sched_getaffinity(0))))
SETTINGS: Mapping[str, Mapping[str, str]] = {
    "default": {},
    "reserve-0": {BIND: "auto", RESERVED: "0"},
    "reserve-1": {BIND: "auto", RESERVED: "1"},
    "all-cores": {BIND: CORES},
    "nobind": {BIND: "nobind"},
}
ALONE, BESIDE = "alone", "beside hashing"
BLOCK = bytes(2**20)


def under(setting: str, suite: Suite) -> Suite:
    """The suite with the two variables of that setting and no other of theirs."""
    rest = {name: value for name, value in suite.engine.environment.items() if name not in (BIND, RESERVED)}
    return replace(suite, engine=replace(suite.engine, environment=rest | SETTINGS[setting]))


def cores_of(log: Path) -> str:
    """The cores that the engine bound its threads to, by its own log."""
    found = re.findall(r"core ids=(\[[^\]]*\])", log.read_text(encoding="utf-8", errors="replace"))
    return " ".join(found) or "unbound"


def _hash(count: Any) -> None:
    """Hash until it is ended, and count the MB."""
    summed = hashlib.sha256()
    while True:
        summed.update(BLOCK)
        count.value += len(BLOCK) / 1e6


@contextmanager
def hashing(beside: bool) -> Iterator[Any]:
    """A process that hashes, and how many MB it has hashed so far; or none, and 0."""
    context = multiprocessing.get_context("spawn")
    count = context.Value("d", 0.0, lock=False)
    process = context.Process(target=_hash, args=(count,), daemon=True)
    if beside:
        process.start()
        while not count.value:
            time.sleep(0.01)
    try:
        yield count
    finally:
        if beside:
            process.kill()
            process.join()


def boot(options: argparse.Namespace, setting: str, questions: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    """The turns of one boot under that setting, and the values of the letters."""
    turns = []
    with served(Path(options.suite), lambda suite: under(setting, suite)) as (suite, server):
        ours = Ours(server, questions, suite.asking)
        way = f"{suite.asking.concurrency}x{suite.asking.prompts_per_request}"
        ours.turn(way)
        about = {"cores": cores_of(REPORTS / "logs" / server.boot.log), "ready": server.boot.ready_seconds}
        for _ in range(options.rounds):
            for kind in (ALONE, BESIDE):
                with hashing(kind is BESIDE) as count:
                    before = count.value
                    turn = ours.turn(way)
                    hashed = (count.value - before) / turn["seconds"]
                turn |= {"who": setting, "kind": kind, "hashed MB/s": hashed, "load": os.getloadavg()[0], **about}
                turns.append(turn)
                say(json.dumps(turn))
    return turns, ours.values


def medians(turns: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """One row for each setting and kind of turn, with its rate over that of the first setting."""
    rows = []
    for kind in (ALONE, BESIDE):
        for who in dict.fromkeys(turn["who"] for turn in turns):
            own = [turn for turn in turns if turn["who"] == who and turn["kind"] == kind]
            middle = {
                name: statistics.median(turn[name] for turn in own)
                for name in ("ready", "asking", "client cpu", "hashed MB/s", "load")
            }
            middle["best"] = min(turn["asking"] for turn in own)  # on a shared machine the one least disturbed
            rows.append({"setting": who, "kind": kind, "cores": own[0]["cores"], "turns": len(own), **middle})
            first = next(row for row in rows if row["kind"] == kind)
            rows[-1] |= {"questions/s": count / middle["asking"], "rate": first["asking"] / middle["asking"]}
    return rows


def main() -> None:
    """Boot under each setting in turn, ask, print, write."""
    parser = argparse.ArgumentParser(description="The CPU engine's cores and threads.")
    parser.add_argument("--questions", required=True, help="folder with test and dev, as parquet or jsonl")
    parser.add_argument("--suite", default=str(LETTER_SUITE), help="suite whose original is served")
    parser.add_argument("--subjects", type=int, default=4, help="how many subjects (default 4; 0 is all)")
    parser.add_argument("--per-subject", type=int, default=10, help="questions of each (default 10; 0 is all)")
    parser.add_argument("--rounds", type=int, default=2, help="turns of each kind in a boot (default 2)")
    parser.add_argument("--boots", type=int, default=2, help="boots under each setting (default 2)")
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), choices=list(SETTINGS))
    options = parser.parse_args()
    turns: list[dict[str, Any]] = []
    letters: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
        questions = choose(options.questions, options.subjects, options.per_subject, Path(name))
    first: list[Any] = []
    for _ in range(options.boots):
        for setting in options.settings:
            found, values = boot(options, setting, questions)
            turns += found
            first = first or values
            letters[setting] = compare(first, values)
            rows = medians(turns, len(questions.questions))
            save("thread_binding", {"medians": rows, "letters": letters, "turns": turns})
    say(f"\n{len(questions.questions)} questions, medians, seconds and processor seconds:")
    table([{k: f"{v:,.2f}" if isinstance(v, float) else v for k, v in row.items()} for row in rows])
    for setting, each in letters.items():
        most = f"values differ by {each['largest difference']:.4f} at most"
        say(f"letters, {setting}: {each['same']} of {each['of']} those of {options.settings[0]}; {most}")


if __name__ == "__main__":
    run_script(main)
