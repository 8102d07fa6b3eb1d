"""The evidence store with a million exchanges: rate, size, time to resume, and this process's memory.

usage: python benchmarks/store_million.py [--count 1000000] [--folder DIR]

Keeps made-up exchanges of the size of an MMLU question (a prompt of 3,000 characters, 740 ids in the answer) in batches
of 32, as a run does. Then opens the file again and asks what is missing of a plan of all of them and one more: first
with the page cache emptied of the file (posix_fadvise), then again, and beside it what making the plan and its digests
takes alone. Then looks one up, as `twx-accept show` does, and opens the file from the disk as an older version left it,
without the index. Prints exchanges a second and this process's memory along the way. Writes
reports/benchmarks/store_million.json.
"""

import argparse
import os
import resource
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench import forget, peak_mib, run_script, save, say, table

from twx_accept.domain.evidence import Inventory, Origin
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.evidence import Store, reading

CLAIM = "multiple_choice"
BATCH = 32
NOTHING = Inventory(weights={}, digests={}, tensors={})
ORIGIN = Origin(suite="", build="", weights="", control=False, partial="", ledger="", attempt=1, began="")
WORDS = "the model of a question with some words in it that are as long as those which people write in their tests"
PROMPT = " ".join([WORDS] * 28)


def request(number: int) -> Request:
    """A request whose prompt is unlike every other at its end, as within a subject."""
    body = {
        "prompt": [f"{PROMPT} subject {number // 250}: question {number}?\nAnswer:"],
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": 1,
        "logprob_token_ids": [330, 389, 340, 422],
        "return_tokens_as_token_ids": True,
        "return_token_ids": True,
        "add_special_tokens": False,
    }
    return Request(key=Key(claim=CLAIM, item=f"q-{number:07}"), path="/v1/completions", body=body, phase="given ids")


IDS = [(at * 7919) % 49152 for at in range(740)]


def answered(number: int) -> Exchange:
    """Its exchange."""
    top = {f"token_id:{token}": -1.0 - (number + at) % 17 / 16 for at, token in enumerate((330, 389, 340, 422))}
    choice: dict[str, Any] = {
        "index": 0,
        "text": " A",
        "logprobs": {"text_offset": [0], "token_logprobs": [-1.0], "tokens": ["token_id:330"], "top_logprobs": [top]},
        "finish_reason": "length",
        "token_ids": [330],
        "prompt_token_ids": [*IDS[:-2], number % 49152, number // 49152],
    }
    answer = {"id": f"cmpl-{number}", "model": "m", "choices": [choice], "usage": {"prompt_tokens": 740}}
    return Exchange(request=request(number), answer=answer, failure=None, seconds=0.1, attempts=1)


def batches(count: int) -> Iterator[list[Exchange]]:
    """All of them, as they come."""
    for begin in range(0, count, BATCH):
        yield [answered(number) for number in range(begin, min(begin + BATCH, count))]


def memory() -> float:
    """MiB that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


@dataclass(slots=True)
class Clock:
    """Seconds since it was made: of the wall, and of this process."""

    wall: float = field(default_factory=time.monotonic)
    busy: float = field(default_factory=time.process_time)

    def took(self) -> tuple[float, float]:
        """Both."""
        return time.monotonic() - self.wall, time.process_time() - self.busy


def keep(file: Path, count: int) -> tuple[dict[str, float], list[dict[str, float]]]:
    """Keep all of them: the rates, and marks along the way."""
    marks, spent, busy, kept = [], 0.0, 0.0, 0
    with Store(file, {}, NOTHING, begin=lambda: ORIGIN) as store:
        for batch in batches(count):
            clock = Clock()
            store.keep(batch)
            wall, own = clock.took()
            spent, busy, kept = spent + wall, busy + own, kept + len(batch)
            if kept % (count // 10 or 1) < BATCH or kept == count:
                marks.append({"kept": kept, "kept/s": kept / spent, "kept/cpu s": kept / busy, "memory MiB": memory()})
                say(f"  {kept:,} kept, {kept / spent:,.0f}/s, {kept / busy:,.0f}/cpu s, {memory():,.0f} MiB")
    return {"kept/s": count / spent, "kept/cpu s": count / busy}, marks


def resume(file: Path, count: int) -> tuple[float, float]:
    """Open it and ask what is missing of a plan of all and one more: seconds of the wall and of this process."""
    clock = Clock()
    with Store(file, {}, NOTHING) as store:
        left = store.missing(map(request, range(count + 1)))
    took = clock.took()
    if [each.key.item for each in left] != [f"q-{count:07}"]:
        raise SystemExit(f"store_million: {len(left)} are missing of {count + 1}, not the one that was not asked")
    return took


def look_up(file: Path, number: int) -> float:
    """Seconds to show one."""
    clock = Clock()
    (shown,) = reading.of_item(file, f"q-{number:07}")
    if shown.request.digest != request(number).digest:
        raise SystemExit(f"store_million: {shown.request.key} is another")
    return clock.took()[0]


def open_older(file: Path) -> float:
    """Seconds to open it as one that a program without the index left, from the disk."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("DROP INDEX looked_up")
    forget([file])
    clock = Clock()
    with Store(file, {}, NOTHING):
        return clock.took()[0]


def plan(count: int) -> float:
    """Seconds of this process to make the plan and take its digests, which no store can spare."""
    clock = Clock()
    for each in map(request, range(count)):
        _ = each.digest
    return clock.took()[1]


def main() -> None:
    """Keep, resume, read back."""
    parser = argparse.ArgumentParser(description="The store with a million exchanges.")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the file is made (default: a temporary folder)")
    options = parser.parse_args()
    count = options.count
    row: dict[str, Any] = {"exchanges": count}
    with tempfile.TemporaryDirectory(prefix="twx-bench-", dir=options.folder) as name:
        file = Path(name) / "evidence.sqlite"
        rates, marks = keep(file, count)
        size = file.stat().st_size
        row |= rates | {"bytes each": size / count, "GB": size / 1e9, "peak MiB, keeping": peak_mib()}
        forget([file])
        row["resumed cold s"], row["resumed cold cpu s"] = resume(file, count)
        row["resumed s"], row["resumed cpu s"] = resume(file, count)
        row |= {"planned cpu s": plan(count), "peak MiB, resuming": peak_mib()}
        row["looked up s"] = look_up(file, count // 2)
        row["older opened s"] = open_older(file)
    row["load"] = os.getloadavg()[0]
    table([{k: f"{v:,.2f}" if isinstance(v, float) else v for k, v in row.items()}])
    save("store_million", {**row, "marks": marks})


if __name__ == "__main__":
    run_script(main)
