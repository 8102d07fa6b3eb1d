"""How many facts a second the matcher decides on one core, with passages prepared once.

Run: python benchmarks/facts_per_second.py
"""

import json
import time
from pathlib import Path

from twx_accept.claims.made_up_facts.matching import Matcher

FACTS = Path(__file__).parents[1] / "fixtures" / "facts"
ROUNDS = 5


def main() -> None:
    """Print the rate of preparing and of matching, in processor time."""
    for name in ("labelled", "more"):
        passages = [json.loads(line) for line in (FACTS / name / "passages.jsonl").read_text("utf-8").splitlines()]
        rows = [json.loads(line) for line in (FACTS / name / "open.jsonl").read_text("utf-8").splitlines()]
        begun = time.process_time()
        prepared = {row["id"]: Matcher(row["text"]) for row in passages}
        ready = time.process_time()
        for _ in range(ROUNDS):
            for row in rows:
                prepared[row["passage"]].match(row["fact"])
        done = time.process_time()
        print(
            f"{name}: {len(passages) / (ready - begun):,.0f} passages prepared a second, "
            f"{ROUNDS * len(rows) / (done - ready):,.0f} facts matched a second"
        )


if __name__ == "__main__":
    main()
