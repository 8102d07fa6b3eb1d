"""Ask the questions of a folder on a server that is running, as an acceptance run does, and write what it answered.

usage: python benchmarks/ask_by_letter.py --base-url URL --model NAME --questions FOLDER --output FILE
           [--concurrency 8] [--prompts-per-request 16]

FOLDER holds test.parquet and dev.parquet. against_lm_eval.py runs this as a process of its own, so that what starting
it takes can be compared with what starting lm-evaluation-harness takes.
"""

import argparse
import json
from pathlib import Path

from workbench import ask_by_letter, questions_in, run_script

from twx_accept.domain.evidence import Boot
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking


def main() -> None:
    """Ask and write."""
    parser = argparse.ArgumentParser(description="Ask a folder's questions by letter on a running server.")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--questions", required=True, type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--prompts-per-request", type=int, default=16)
    options = parser.parse_args()
    unknown = Boot(
        number=0, ready_seconds=0, engine_version="", device="", flags={}, settings={}, cache={}, capacity_tokens=None
    )
    server = RunningServer(base_url=options.base_url, socket=None, model=options.model, api_key="", boot=unknown)
    asking = Asking(
        concurrency=options.concurrency,
        prompts_per_request=options.prompts_per_request,
        timeout_seconds=300,
        attempts=4,
    )
    answers = ask_by_letter(server, questions_in(options.questions), asking)
    values = {item: answer.score.values for item, answer in answers.items()}
    options.output.write_text(json.dumps(values), encoding="utf-8")


if __name__ == "__main__":
    run_script(main)
