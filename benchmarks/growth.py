"""How cost grows: once, twice and four times the questions, the builds and the passages, in one table.

usage: python benchmarks/growth.py [--rounds 3]

The evidence is made up (full_size.py) at a fourteenth of the published size, so that four times of each is quick. For
each size: this side's processor seconds of asking the questions of every build (against a server that answers at once),
the bytes of the evidence, and the processor seconds of deciding and of rendering, the page's bytes and the process's
memory. Processor time, because it is what a busy machine changes least. Writes reports/benchmarks/growth.json.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from client_cost import answering, made_up, turn
from full_size import Size, make
from workbench import HERE, run_script, save, say, table

from twx_accept.domain.suite import Asking

BASE = Size(builds=1, questions=1000, passages=24, trials_per_case=7, positions=6000)
TIMES = (1, 2, 4)


def sizes() -> list[tuple[str, int, Size]]:
    """What grows, how many times, and the size."""
    grown = [("everything once", 1, BASE)]
    for times in TIMES[1:]:
        grown.append(("questions", times, replace(BASE, questions=BASE.questions * times)))
        grown.append(("builds", times, replace(BASE, builds=BASE.builds * times)))
        more = replace(BASE, passages=BASE.passages * times, positions=BASE.positions * times)
        grown.append(("passages", times, more))
    return sorted(grown, key=lambda each: ["everything once", "questions", "builds", "passages"].index(each[0]))


def asking(size: Size) -> float:
    """Processor seconds of planning, asking, keeping, reading and scoring the questions of one build."""
    settings = Asking(concurrency=16, prompts_per_request=32, timeout_seconds=60, attempts=1)
    with answering() as server, tempfile.TemporaryDirectory(prefix="twx-bench-") as folder:
        stages = turn(server, made_up(size.questions), settings, Path(folder))
    return sum(cpu for cpu, _wall in stages.seconds.values())


def judged(folder: Path) -> dict[str, Any]:
    """One time of deciding and rendering, in a process of its own."""
    command = [sys.executable, str(HERE / "judge_full_size.py"), "--once", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure each size, print the table, write."""
    parser = argparse.ArgumentParser(description="How cost grows with questions, builds and passages.")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = []
    for what, times, size in sizes():
        with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
            made = make(Path(name), size)
            turns = [judged(Path(name)) for _ in range(options.rounds)]
            kept = sum(file.stat().st_size for file in made.evidence.glob("*.sqlite"))
        asked = statistics.median(asking(size) for _ in range(options.rounds)) * (1 + size.builds)
        found = {each: statistics.median(turn[each] for turn in turns) for each in turns[0] if each not in TEXTS}
        rows.append(
            {
                "what grows": what,
                "times": times,
                "exchanges": made.exchanges,
                "asking cpu s": asked,
                "evidence MB": kept / 1e6,
                "deciding cpu s": found["deciding cpu"],
                "rendering cpu s": found["rendering cpu"],
                "page kB": found["page bytes"] / 1e3,
                "memory MiB": found["peak MiB"],
            }
        )
        say(json.dumps(rows[-1]))
    say(f"\nMedians of {options.rounds}, load {os.getloadavg()[0]:.1f}:")
    table([{k: f"{v:,.2f}" if isinstance(v, float) else v for k, v in row.items()} for row in rows])
    save("growth", {"base": str(BASE), "rows": rows})


TEXTS = ("outcomes", "reasons")

if __name__ == "__main__":
    run_script(main)
