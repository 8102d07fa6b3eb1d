"""The same prompts through vLLM's own ``LLM.generate``, in the engine's environment: what no server stands before.

usage: ENGINE_PYTHON -P benchmarks/in_process.py TASK.json RESULT.json

TASK.json: model, flags (the suite's, by their names with underscores), prompts (texts), letters (token ids) and rounds.
against_in_process.py writes it. Flags that only a server has are left out. The first round is not taken: it warms up.
"""

import dataclasses
import json
import sys
import time
from pathlib import Path
from typing import Any


def flags_of(flags: dict[str, Any]) -> dict[str, Any]:
    """Those of the flags that belong to the engine."""
    from vllm import EngineArgs

    known = {field.name for field in dataclasses.fields(EngineArgs)}
    return {name: value for name, value in flags.items() if name in known}


def main(task: Path, result: Path) -> None:
    """Start the engine, generate in rounds, write seconds and values."""
    from vllm import LLM, SamplingParams

    given = json.loads(task.read_text(encoding="utf-8"))
    llm = LLM(model=given["model"], **flags_of(given["flags"]))
    letters = given["letters"]
    step = SamplingParams(max_tokens=1, temperature=0, logprobs=len(letters), logprob_token_ids=letters)
    prompts, seconds, outputs = given["prompts"], [], []
    for number in range(given["rounds"] + 1):
        if not llm.reset_prefix_cache():
            raise SystemExit("in_process: the engine did not empty its prefix cache")
        begun = time.perf_counter()
        outputs = llm.generate(prompts, step, use_tqdm=False)
        took = time.perf_counter() - begun
        if number:
            seconds.append(took)
        print(f"in process: {len(prompts)} prompts in {took:.2f} s", flush=True)
    values = [[each.outputs[0].logprobs[0][token].logprob for token in letters] for each in outputs]
    tokens = sum(len(each.prompt_token_ids) for each in outputs)
    result.write_text(json.dumps({"seconds": seconds, "values": values, "prompt_tokens": tokens}), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
