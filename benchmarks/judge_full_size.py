"""How long deciding and rendering a run of the published size takes, from kept evidence alone.

usage: python benchmarks/judge_full_size.py [--builds 3] [--rounds 3] [--workers 1 16] [--profile] [--folder DIR]

Makes the evidence of an original and so many builds (see full_size.py; --folder keeps it for the next time), then
decides every claim about every build and writes the reports as `twx-accept judge` does, in a process of its own each
time and with each number of workers in turn (default: 1, and one for each core). Medians of seconds: starting, loading
the suite, deciding, rendering, of wall time, and of processor time with that of the workers. All must say the same of
every claim and build, to the byte of the report. Writes reports/benchmarks/judge_full_size.json.
"""

import argparse
import contextlib
import cProfile
import hashlib
import json
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

BEGUN = time.monotonic()

import psutil  # noqa: E402 - as below
from workbench import peak_mib, run_script, save, say, table  # noqa: E402 - the time of the imports is taken too

from twx_accept.session.crew import cores  # noqa: E402 - as above

MOST_SECONDS = 5.0
ME = psutil.Process()


def judge(folder: Path, out: Path, workers: int, profile: bool = False) -> dict[str, Any]:
    """One time in this process: seconds of each stage, and the verdicts' outcomes."""
    from twx_accept import claims
    from twx_accept.acceptance.writing import write
    from twx_accept.cli.common import suite_of
    from twx_accept.domain.scope import Scope
    from twx_accept.registration import ledgers
    from twx_accept.session.judging import Bench, make_ready
    from twx_accept.session.judging import judge as decide
    from twx_accept.sources import FileOrHub

    times = {"imports": time.monotonic() - BEGUN}
    begun = time.monotonic()
    with cProfile.Profile() if profile else contextlib.nullcontext() as taken:
        suite = suite_of(folder, str(folder / "full-size.toml"))
        make_ready(suite, folder / "evidence", workers)
        made = claims.of_suite(suite, FileOrHub(folder=folder), Scope())
        book = ledgers.of(folder / "tests", suite)
        entries = {claim.name: ledgers.entry_in_force(book, claim, None) for claim in made}
        times["suite"] = time.monotonic() - begun
        begun, cpu = time.monotonic(), used()
        bench = Bench(suite=suite, claims=made, book=book, entries=entries, evidence=folder / "evidence")
        run = decide(bench, date="2026-01-01T00:00:00+00:00", command="judge", workers=workers)
        times["deciding"], times["deciding cpu"] = time.monotonic() - begun, used() - cpu
        begun, cpu = time.monotonic(), used()
        write(run, out, say=lambda _text: None)
        times["rendering"], times["rendering cpu"] = time.monotonic() - begun, used() - cpu
    if taken is not None:
        pstats.Stats(taken).sort_stats("cumulative").print_stats(70)
        pstats.Stats(taken).sort_stats("tottime").print_stats(40)
    peak = peak_mib()
    outcomes = {f"{each.claim} of {each.build}": each.outcome.value for each in run.verdicts}
    reasons = [f"{each.claim} of {each.build}: {each.reasons[0]}"[:300] for each in run.verdicts if each.reasons]
    size = (out / "report.html").stat().st_size
    said = hashlib.sha256((out / "report.json").read_bytes()).hexdigest()
    return {
        **times,
        "workers": workers,
        "peak MiB": peak,
        "page bytes": size,
        "report sha256": said,
        "outcomes": outcomes,
        "reasons": reasons,
    }


def used() -> float:
    """Seconds of processor time of this process and of all that it began."""
    return sum(sum(each.cpu_times()[:4]) for each in (ME, *ME.children(recursive=True)))


def main() -> None:
    """Make, judge in turn, print, write; an error where deciding and rendering take longer than they may."""
    parser = argparse.ArgumentParser(description="Seconds of deciding and rendering at the published size.")
    parser.add_argument("--builds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, nargs="+", help="processes, each number in turn")
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    parser.add_argument("--folder", type=Path, help="keep the evidence here, and use what is there")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    workers = options.workers or sorted({1, cores()})
    if options.once:
        with tempfile.TemporaryDirectory(prefix="twx-bench-") as out:
            print(json.dumps(judge(options.once, Path(out), workers[0])))
        return
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
        folder = (options.folder or Path(name) / "run").resolve()
        if not (folder / "full-size.toml").exists():
            from full_size import Size, make

            folder.mkdir(parents=True, exist_ok=True)
            begun = time.monotonic()
            made = make(folder, Size(builds=options.builds))
            size = sum(file.stat().st_size for file in made.evidence.iterdir()) / 1e6
            say(f"{made.exchanges:,} exchanges made in {time.monotonic() - begun:.0f} s, {size:.0f} MB")
        if options.profile:
            judge(folder, Path(name) / "out", workers[0], profile=True)
            return
        turns = [once(folder, count) for _ in range(options.rounds) for count in workers]
    rows = [medians([turn for turn in turns if turn["workers"] == count]) for count in workers]
    say(f"{options.builds} builds, medians of {options.rounds} in seconds (load {turns[-1]['load']:.1f}):")
    table(
        [{each: f"{value:.2f}" if isinstance(value, float) else value for each, value in row.items()} for row in rows]
    )
    for reason in turns[-1]["reasons"]:
        say(f"  {reason}")
    save("judge_full_size", {"builds": options.builds, "medians": rows, "turns": turns})
    if len({turn["report sha256"] for turn in turns}) > 1:
        raise SystemExit("judge_full_size: the reports differ")
    if min(row["deciding and rendering"] for row in rows) > MOST_SECONDS:
        raise SystemExit(f"judge_full_size: more than {MOST_SECONDS:.0f} s")


def once(folder: Path, workers: int) -> dict[str, Any]:
    """One time in a process of its own."""
    command = [sys.executable, __file__, "--once", str(folder), "--workers", str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1]) | {"load": os.getloadavg()[0]}


def medians(turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The row of one number of workers."""
    names = ("imports", "suite", "deciding", "deciding cpu", "rendering", "rendering cpu", "page bytes", "peak MiB")
    return {
        "workers": turns[0]["workers"],
        **{each: statistics.median(float(turn[each]) for turn in turns) for each in names},
        "deciding and rendering": statistics.median(turn["deciding"] + turn["rendering"] for turn in turns),
    }


if __name__ == "__main__":
    run_script(main)
