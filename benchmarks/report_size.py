"""How long a report takes and how large it is, with the questions, calls, facts and positions of the published runs.

Run: python benchmarks/report_size.py
"""

import sys
import time
from pathlib import Path

from twx_accept.report import html

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the runs are those that the tests of the report use

import fake_runs

MOST_SECONDS, MOST_BYTES = 5.0, 2_000_000
ITEM = '<details class="item"'
RUNS = {
    "one build": ("twx2.5",),
    "two builds and a control": ("twx2.5", "twx3", fake_runs.CONTROL),
    "three builds": ("twx2.5", "twx3", "twx-small"),
}


def main() -> None:
    """Print seconds of processor time, bytes and items of each page; exit with an error where one is over its limit."""
    over = []
    for name, builds in RUNS.items():
        run = fake_runs.record(*builds)
        begun = time.process_time()
        page = html.render(run)
        seconds, size = time.process_time() - begun, len(page.encode())
        total = sum(verdict.items_total for verdict in run.verdicts)
        print(f"{name}: {seconds:.2f} s, {size / 1e6:.2f} MB, {page.count(ITEM)} of {total:,} items")
        over += [name] if seconds > MOST_SECONDS or size > MOST_BYTES else []
    if over:
        sys.exit(f"more than {MOST_SECONDS:.0f} s or {MOST_BYTES / 1e6:.0f} MB: {', '.join(over)}")


if __name__ == "__main__":
    main()
