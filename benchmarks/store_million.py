"""The evidence store with a million exchanges: rate, size, time to resume, and this process's memory.

usage: python benchmarks/store_million.py [--count 1000000] [--folder DIR]

Keeps made-up exchanges of the size of an MMLU question (a prompt of 3,000 characters, 740 ids in the answer) in batches
of 32, as a run does; then opens the file again and asks what is missing of a plan of all of them; then looks one of
them up, as `twx-accept show` does. Prints exchanges a second and this process's memory along the way. Writes
reports/benchmarks/store_million.json.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench import run_script, save, say, table

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


def main() -> None:
    """Keep, resume, read back."""
    parser = argparse.ArgumentParser(description="The store with a million exchanges.")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the file is made (default: a temporary folder)")
    options = parser.parse_args()
    marks, spent, busy = [], 0.0, 0.0
    with tempfile.TemporaryDirectory(prefix="twx-bench-", dir=options.folder) as name:
        file = Path(name) / "evidence.sqlite"
        with Store(file, {}, NOTHING, begin=lambda: ORIGIN) as store:
            kept = 0
            for batch in batches(options.count):
                begun, cpu = time.monotonic(), time.process_time()
                store.keep(batch)
                spent += time.monotonic() - begun
                busy += time.process_time() - cpu
                kept += len(batch)
                if kept % (options.count // 10 or 1) < BATCH or kept == options.count:
                    marks.append({"kept": kept, "kept/s": kept / spent, "memory MiB": memory()})
                    say(f"  {kept:,} kept, {kept / spent:,.0f}/s, {memory():,.0f} MiB")
        size = file.stat().st_size
        begun, cpu, before = time.monotonic(), time.process_time(), memory()
        with Store(file, {}, NOTHING) as store:
            opened = time.monotonic() - begun
            left = len(store.missing(map(request, range(options.count))))
            resumed, resumed_cpu, planned = time.monotonic() - begun, time.process_time() - cpu, memory()
        begun = time.monotonic()
        (shown,) = reading.of_item(file, f"q-{options.count // 2:07}")
        looked_up = time.monotonic() - begun
    if left or shown.request.digest != request(options.count // 2).digest:
        raise SystemExit(f"store_million: {left} are missing of {options.count}, or one is another")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row = {
        "exchanges": options.count,
        "kept/s": options.count / spent,
        "kept/cpu s": options.count / busy,
        "bytes each": size / options.count,
        "GB": size / 1e9,
        "opened s": opened,
        "resumed s": resumed,
        "resumed cpu s": resumed_cpu,
        "looked up s": looked_up,
        "memory MiB": [before, planned],
        "peak MiB": peak,
        "load": os.getloadavg()[0],
    }
    table([{k: f"{v:,.2f}" if isinstance(v, float) else v for k, v in row.items()}])
    save("store_million", {**row, "marks": marks})


if __name__ == "__main__":
    run_script(main)
