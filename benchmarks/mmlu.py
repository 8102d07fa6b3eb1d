"""Both compressed builds against the original on MMLU, by letter and by continuation: verdicts, ties and speed.

usage: python benchmarks/mmlu.py --questions PATH [--letter 20] [--continuation 4]

PATH is a folder with test.parquet and dev.parquet (or .jsonl). The numbers say how many questions of each subject are
asked; 0 leaves that scoring out. Every run asks afresh: kept answers would have no speed. Runs pytest twice, with
reports in reports/benchmarks/letter and reports/benchmarks/continuation, and writes reports/benchmarks/mmlu.json.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from workbench import HERE, REPORTS, ROOT, save, say, table

TEST = "tests/acceptance/test_multiple_choice.py"
"""The only claim of these suites: the tests of other claims have nothing to decide in them."""


def run(scoring: str, source: str, limit: int) -> dict[str, Any]:
    """One acceptance run on the questions; the run of its report.json.

    Raises:
        SystemExit: it wrote no report.
    """
    folder = REPORTS / scoring
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", TEST, "-m", "acceptance", "-q"]
    command += ["--suite", str(HERE / "suites" / f"smollm2-{scoring}.toml"), "--questions", source]
    command += ["--limit-questions", str(limit), "--report-dir", str(folder), "--fresh"]
    say(f"\nby {scoring}, {limit} questions a subject")
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if not report.is_file():
        raise SystemExit(f"mmlu: no report was written by {scoring} (pytest ended with {status})")
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["run"]
    return found


def rows(scoring: str, run_: dict[str, Any]) -> list[dict[str, Any]]:
    """One row for the original and one for each build; figures as they are, unrounded."""
    verdicts = {verdict["build"]: verdict for verdict in run_["verdicts"]}
    seconds: dict[str, float] = {}
    for timing in run_["timings"]:
        if timing["asked"]:
            seconds[timing["build"]] = seconds.get(timing["build"], 0.0) + timing["seconds"]
    decided = [verdict["statistics"] for verdict in verdicts.values() if verdict["statistics"]]
    found: list[dict[str, Any]] = []
    for build in (run_["original"], *run_["builds"]):
        row: dict[str, Any] = {"scoring": scoring, "build": build, "seconds": seconds.get(build)}
        if build == run_["original"] and decided:
            row |= {"n": decided[0]["n"], "right": decided[0]["right_original"]}
        elif build in verdicts:
            verdict = verdicts[build]
            names = ("n", "b", "c", "difference", "lower", "upper", "ties")
            row |= {name: verdict["statistics"].get(name) for name in names}
            row |= {"right": verdict["statistics"].get("right_build"), "verdict": verdict["outcome"]}
            row |= {"labels": verdict["labels"], "reasons": verdict["reasons"]}
        found.append(row)
    return found


def shown(row: dict[str, Any]) -> dict[str, object]:
    """A row for a person: points and shares."""
    n, seconds = row.get("n"), row.get("seconds")
    decided = row.get("difference") is not None
    return {
        "scoring": row["scoring"],
        "build": row["build"],
        "n": n or "",
        "right": f"{row['right'] / n:.2%}" if n else "",
        "b": row.get("b", ""),
        "c": row.get("c", ""),
        "points": f"{100 * row['difference']:+.2f}" if decided else "",
        "interval": f"{100 * row['lower']:+.2f} to {100 * row['upper']:+.2f}" if decided else "",
        "verdict": row.get("verdict", "the original"),
        "label": ", ".join(row.get("labels", ())),
        "ties": row.get("ties", ""),
        "seconds": f"{seconds:.1f}" if seconds else "",
        "questions/s": f"{n / seconds:.2f}" if n and seconds else "",
    }


def main() -> None:
    """Run both, print one table, write the result."""
    parser = argparse.ArgumentParser(description="MMLU by letter and by continuation through acceptance runs.")
    parser.add_argument("--questions", required=True, help="folder with test and dev, as parquet or jsonl")
    parser.add_argument("--letter", type=int, default=20, help="questions of each subject by letter (default 20)")
    parser.add_argument("--continuation", type=int, default=4, help="the same by continuation (default 4)")
    options = parser.parse_args()
    source = str(Path(options.questions).resolve()) if Path(options.questions).exists() else options.questions
    found = []
    for scoring, limit in (("letter", options.letter), ("continuation", options.continuation)):
        if limit > 0:
            found += rows(scoring, run(scoring, source, limit))
    if not found:
        parser.error("--letter and --continuation are both 0: nothing to ask")
    say("")
    table([shown(row) for row in found])
    for row in found:
        for reason in row.get("reasons", ()):
            say(f"{row['scoring']}, {row['build']}: {reason}")
    say("\nb: right only for the original; c: right only for the build; points and interval: build minus original.")
    save("mmlu", {"limits": {"letter": options.letter, "continuation": options.continuation}, "rows": found})


if __name__ == "__main__":
    main()
