"""How long a report takes and how large it is, with the questions, calls, facts and positions of the published runs.

Run: python benchmarks/report_size.py
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

from twx_accept.report import html

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the runs are those that the tests of the report use

import fake_runs
import unpacked

MOST_SECONDS, MOST_BYTES, MOST_WITHOUT = 5.0, 2_000_000, 300_000
MOST_ITEMS = 300  # of one claim and build
RUNS = {
    "one build": ("twx2.5",),
    "two builds and a control": ("twx2.5", "twx3", fake_runs.CONTROL),
    "three builds": ("twx2.5", "twx3", "twx-small"),
    "three builds and a control": ("twx2.5", "twx3", "twx-small", fake_runs.CONTROL),
}
FEW = "three builds"  # what the limit without items is about; a control is one build more


def main() -> None:
    """Print seconds of processor time, bytes and items of each page; exit with an error where one is over its limit."""
    over = []
    for name, builds in RUNS.items():
        run = fake_runs.record(*builds)
        begun = time.process_time()
        page = html.render(run)
        seconds, size = time.process_time() - begun, len(page.encode())
        bare = replace(run, verdicts=tuple(replace(each, items=(), items_total=0) for each in run.verdicts))
        without = len(html.render(bare).encode())
        total = sum(verdict.items_total for verdict in run.verdicts)
        wanted = sum(min(MOST_ITEMS, verdict.items_total) for verdict in run.verdicts)
        shown = unpacked.count(page)
        print(
            f"{name}: {seconds:.2f} s, {size / 1e6:.2f} MB, {without / 1e3:.0f} kB of it without items; "
            f"{shown:,} of {total:,} items, {MOST_ITEMS} of a claim and build being {wanted:,}"
        )
        small = name != FEW or without <= MOST_WITHOUT
        over += [] if seconds <= MOST_SECONDS and size <= MOST_BYTES and shown == wanted and small else [name]
    if over:
        sys.exit(
            f"more than {MOST_SECONDS:.0f} s or {MOST_BYTES / 1e6:.0f} MB, fewer than {MOST_ITEMS} items, or more than "
            f"{MOST_WITHOUT / 1e3:.0f} kB without: {', '.join(over)}"
        )


if __name__ == "__main__":
    main()
