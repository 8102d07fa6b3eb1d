#!/usr/bin/env python3
"""Run the embedded suite for real and check that every claim came out as the README says it should.

usage: python scripts/demo.py

Runs `pytest -m acceptance --suite smollm2` (the original, the control and both builds, one server after another), then
reads reports/report.json. Exit status 0 when every claim has been decided as expected, else 1 with what differs.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "reports" / "report.json"

# What the README promises: the 4-bit build loses more than the margin excuses, and the control is caught, which is to
# come out failed or not shown where answers are compared.
EXPECTED = {
    ("smol-w8", "weight_size"): {"shown"},
    ("smol-w8", "multiple_choice"): {"shown"},
    ("smol-w4", "weight_size"): {"shown"},
    ("smol-w4", "multiple_choice"): {"not shown", "failed"},
    ("smol-damaged", "weight_size"): {"shown"},
    ("smol-damaged", "multiple_choice"): {"failed", "not shown"},
} | {
    (build, claim): {"reported"}
    for build in ("smol-w8", "smol-w4", "smol-damaged")
    for claim in ("cache_headroom", "agreement", "made_up_facts", "tool_calls")
}


def main() -> int:
    """Run, compare, tell."""
    started = time.monotonic()
    REPORT.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-m", "acceptance", "--suite", "smollm2", "tests/acceptance"]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if not REPORT.is_file():
        print(f"demo: no report was written (pytest ended with {status})", file=sys.stderr)
        return 1
    verdicts = json.loads(REPORT.read_text(encoding="utf-8"))["run"]["verdicts"]
    found = {(verdict["build"], verdict["claim"]): verdict["outcome"] for verdict in verdicts}
    wrong = [
        f"{claim} of {build} is {found.get((build, claim), 'not decided')}, expected {' or '.join(sorted(wanted))}"
        for (build, claim), wanted in EXPECTED.items()
        if found.get((build, claim)) not in wanted
    ]
    for line in wrong:
        print(f"demo: {line}", file=sys.stderr)
    took = time.monotonic() - started
    print(f"\nThe report: {REPORT.with_suffix('.html')}")
    if not wrong:
        print(f"Every claim was decided as the README says, in {took:.0f} s.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
