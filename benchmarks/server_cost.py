"""What vLLM's API process does for one position of a passage, by its own code and without an engine.

usage: ENGINE_PYTHON -P benchmarks/server_cost.py MODEL_FOLDER [k ...]

Microseconds of processor time a position, the best of three: making Python objects of the k likeliest tokens (with
their texts, where they are asked for), the answer's model, its dump and its JSON. Through ``/v1/completions`` the texts
are always written; ``/inference/v1/generate`` can leave them out. Why the second way of asking is worth having.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from starlette.responses import JSONResponse
from vllm.entrypoints.generate.base.serving import clamp_prompt_logprobs
from vllm.entrypoints.openai.completion.protocol import CompletionResponse, CompletionResponseChoice
from vllm.entrypoints.serve.engine.protocol import UsageInfo
from vllm.logprobs import create_prompt_logprobs
from vllm.tokenizers import get_tokenizer
from vllm.v1.engine.logprobs import LogprobsProcessor
from vllm.v1.outputs import LogprobsTensors

POSITIONS, VOCABULARY = 340, 49152


def once(width: int, tokenizer: Any) -> dict[str, float]:
    """Seconds of each step for a passage, and the bytes of its JSON."""
    ids = torch.randint(0, VOCABULARY, (POSITIONS, width + 1))
    tensors = LogprobsTensors(ids, -torch.rand(POSITIONS, width + 1) * 10, torch.arange(POSITIONS), None)
    times: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        begun = time.process_time()
        made = work()
        times[name] = time.process_time() - begun
        return made

    processor = LogprobsProcessor(
        tokenizer=tokenizer,
        logprobs=None,
        prompt_logprobs=create_prompt_logprobs(False),
        cumulative_logprob=None,
        num_logprobs=None,
        num_prompt_logprobs=width,
    )
    timed("objects", lambda: processor._update_prompt_logprobs(tensors))
    found = timed("clamping", lambda: clamp_prompt_logprobs(processor.pop_prompt_logprobs()))
    choice = timed(
        "model",
        lambda: CompletionResponseChoice(index=0, text="a", finish_reason="length", prompt_logprobs=found),
    )
    usage = UsageInfo(prompt_tokens=1, completion_tokens=1, total_tokens=2)
    answer = CompletionResponse(id="x", created=0, model="m", usage=usage, choices=[choice])
    dumped = timed("dump", answer.model_dump)
    body = timed("JSON", lambda: JSONResponse(content=dumped).body)
    return {**times, "bytes": len(body)}


def main(model: str, widths: list[int]) -> None:
    """Print a line for each k, with texts and without."""
    for width in widths:
        for what, tokenizer in (("with texts", get_tokenizer(model)), ("without", None)):
            turns = [once(width, tokenizer) for _ in range(3)]
            best = {name: min(turn[name] for turn in turns) / POSITIONS for name in turns[0]}
            size = best.pop("bytes")
            steps = ", ".join(f"{name} {seconds * 1e6:.0f}" for name, seconds in best.items())
            print(f"k = {width}, {what}: {sum(best.values()) * 1e6:.0f} us a position ({steps}), {size:.0f} bytes")


if __name__ == "__main__":
    main(sys.argv[1], [int(each) for each in sys.argv[2:]] or [100, 50])
