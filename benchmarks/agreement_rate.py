"""How fast the distributions at a passage's positions are had, by each way of asking.

usage: python benchmarks/agreement_rate.py [--suite PATH] [--passages PATH] [--count 300] [--rounds 3] [--concurrency 8]
           [--widths 100 50]

Serves the original of the suite and asks for the k likeliest tokens at every position of the passages: through
``/v1/completions`` with each k, and with the last k by ids alone (``/inference/v1/generate`` without texts) where the
server knows it. The ways take turns, round by round; the first round is not taken. Answers are read into arrays and
kept in an evidence file, as in a run. Each turn is printed as a line of JSON, and both ways' values are held together,
passage by passage. Writes reports/benchmarks/agreement_rate.json.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from workbench import LETTER_SUITE, ROOT, run_script, save, say, served, table

from twx_accept.asking import ask
from twx_accept.claims.agreement.passages import load
from twx_accept.claims.agreement.ways import Way, request
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.evidence import Inventory
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking
from twx_accept.evidence import Store
from twx_accept.sources import FileOrHub

Ids = Mapping[str, tuple[int, ...]]


def tokens(server: RunningServer, asking: Asking, texts: Mapping[str, str], longest: int) -> Ids:
    """The server's ids of each text, as many as are registered."""
    body = {"add_special_tokens": False}
    asked = [
        Request(key=key(name, "tokens"), path="/tokenize", body={"prompt": text, **body}, phase="tokens")
        for name, text in texts.items()
    ]
    found: list[Exchange] = []
    ask(server, asked, asking, keep=found.extend, require_alive=lambda: None)
    return {each.request.key.item: tuple((each.answer or {})["tokens"][:longest]) for each in found}


def key(item: str, arm: str) -> Key:
    """The key of an exchange."""
    return Key(claim="agreement", item=item, arm=arm)


def turn(
    server: RunningServer, asking: Asking, ids: Ids, way: Way, width: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """One turn: its times, and the rows by passage."""
    planned = []
    for name, passage in ids.items():
        path, body = request(way, passage, width)
        planned.append(Request(key=key(name, "passage"), path=path, body=body, phase="prompt logprobs"))
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as folder:
        nothing = Inventory(weights={}, digests={}, tensors={})
        with Store(Path(folder) / "evidence.sqlite", {}, nothing) as store:

            def keep(exchanges: Sequence[Exchange]) -> None:
                store.keep(exchanges)
                found.update({each.request.key.item: each.rows or each.failure for each in exchanges})

            begun, cpu = time.monotonic(), time.process_time()
            ask(server, planned, asking, keep=keep, require_alive=lambda: None)
            took, spent = time.monotonic() - begun, time.process_time() - cpu
    positions = sum(len(passage) - 1 for passage in ids.values())
    failed = sum(not isinstance(rows, Distributions) for rows in found.values())
    timed = {
        "who": f"{way.value}, k = {width}",
        "seconds": took,
        "client cpu": spent,
        "positions": positions,
        "failed": failed,
        "load": os.getloadavg()[0],
    }
    return timed, found


def largest_difference(left: Mapping[str, Any], right: Mapping[str, Any]) -> float:
    """Between the values of two turns in nats; infinite where a row has other tokens."""
    most = 0.0
    for name, one in left.items():
        other = right[name]
        if not isinstance(one, Distributions) or not isinstance(other, Distributions):
            continue
        if not np.array_equal(one.ids, other.ids):
            return float("inf")
        there = one.ids >= 0
        most = max(most, float(np.abs(one.logprobs[there] - other.logprobs[there]).max()))
    return most


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Every turn, and medians."""
    source = Path(options.passages).resolve()
    passages = load(FileOrHub(folder=ROOT), str(source), "test", limit=options.count or None, per_kind=None)
    turns: list[dict[str, Any]] = []
    with served(Path(options.suite)) as (suite, server):
        asking = replace(suite.asking, concurrency=options.concurrency, prompts_per_request=1)
        ids = tokens(server, asking, {each.id: each.text for each in passages.passages}, options.longest)
        ids = {name: passage for name, passage in ids.items() if len(passage) > 1}
        ways = [(Way.COMPLETIONS, width) for width in options.widths] + [(Way.TOKENS, options.widths[-1])]
        rows: dict[Way, Mapping[str, Any]] = {}
        for number in range(options.rounds + 1):
            for way, width in list(ways):
                timed, rows[way] = turn(server, asking, ids, way, width)
                if timed["failed"]:
                    first = next(each for each in rows[way].values() if not isinstance(each, Distributions))
                    say(f"{timed['who']}: {timed['failed']} passages failed, the first with {first}; left out")
                    ways.remove((way, width))
                elif number:
                    turns.append(timed)
                    say(json.dumps(timed))
        apart = largest_difference(rows[Way.COMPLETIONS], rows[Way.TOKENS])
        version = server.boot.engine_version
    return {
        "engine_version": version,
        "passages": len(ids),
        "concurrency": options.concurrency,
        "api_server_count": suite.flags.get("api_server_count", 1),
        "largest_difference_between_ways": apart if np.isfinite(apart) else "other tokens",
        "medians": medians(turns),
        "turns": turns,
    }


def medians(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each way, with ratios to the first."""
    rows: list[dict[str, Any]] = []
    for who in dict.fromkeys(each["who"] for each in turns):
        own = [each for each in turns if each["who"] == who]
        row = {"who": who, "turns": len(own)}
        row |= {name: statistics.median(each[name] for each in own) for name in ("seconds", "client cpu")}
        row["positions/s"] = own[0]["positions"] / row["seconds"]
        row["times as fast"] = (rows or [row])[0]["seconds"] / row["seconds"]
        rows.append(row)
    return rows


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description="Distributions a second, by each way of asking.")
    parser.add_argument("--suite", default=str(LETTER_SUITE), help="suite whose original is served")
    parser.add_argument("--passages", default=str(ROOT / "fixtures/passages/long.jsonl"), help="file or folder")
    parser.add_argument("--count", type=int, default=300, help="passages (default 300; 0 is all)")
    parser.add_argument("--longest", type=int, default=1024, help="tokens of a passage (default 1024)")
    parser.add_argument("--rounds", type=int, default=3, help="turns that are taken (default 3)")
    parser.add_argument("--concurrency", type=int, default=8, help="requests at once (default 8)")
    parser.add_argument(
        "--widths", type=int, nargs="+", default=[100, 50], help="k, the first is what others are held to"
    )
    result = measure(parser.parse_args())
    apart = result["largest_difference_between_ways"]
    say(f"\n{result['passages']} passages; both ways differ by {apart} nats at most:")
    table([{k: f"{v:,.2f}" if isinstance(v, float) else v for k, v in row.items()} for row in result["medians"]])
    save("agreement_rate", result)


if __name__ == "__main__":
    run_script(main)
