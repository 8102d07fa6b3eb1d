"""The letters' log-probabilities from transformers in float32: what an engine's are compared with.

usage (in the engine's environment): python benchmarks/float32_reference.py MODEL INPUT OUTPUT

INPUT is JSON: a list of groups, each a list of {"item", "tokens", "letters"} whose prompts begin alike. OUTPUT gets
{"values": {item: [nats of each letter]}, "check": largest difference between a prompt run whole and run in two parts}.
The shared beginning of a group is run once and its keys and values are used again for each question.
"""

import json
import sys
import time
from itertools import takewhile
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, DynamicCache


def shared_length(prompts: list[list[int]]) -> int:
    """How many first tokens all prompts share, leaving each at least one of its own."""
    columns = zip(*prompts, strict=False)
    alike = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    return min(alike, *(len(prompt) - 1 for prompt in prompts))


def letters_of(logits: torch.Tensor, letters: list[int]) -> list[float]:
    """Log-probabilities of the letters after the last position, normalised in float64 over the vocabulary."""
    return torch.log_softmax(logits[0, -1].double(), dim=-1)[letters].tolist()


def run_group(model: Any, group: list[dict[str, Any]]) -> tuple[dict[str, list[float]], float]:
    """The values of a group's questions, and how far the first one's are from those of its prompt run whole."""
    first = group[0]
    shared = shared_length([question["tokens"] for question in group])
    cache = DynamicCache()
    if shared:
        model(torch.tensor([first["tokens"][:shared]]), past_key_values=cache, use_cache=True, logits_to_keep=1)
    values = {}
    for question in group:
        rest = torch.tensor([question["tokens"][shared:]])
        logits = model(rest, past_key_values=cache, use_cache=True, logits_to_keep=1).logits
        values[question["item"]] = letters_of(logits, question["letters"])
        cache.crop(shared - len(question["tokens"]))  # negative: takes so many off, back to the shared beginning
    whole = letters_of(model(torch.tensor([first["tokens"]]), logits_to_keep=1).logits, first["letters"])
    return values, max(abs(a - b) for a, b in zip(whole, values[first["item"]], strict=True))


def main() -> None:
    """Run every group."""
    folder, source, target = sys.argv[1:]
    groups = json.loads(Path(source).read_text(encoding="utf-8"))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, local_files_only=True).eval()
    total, done, check, started = sum(map(len, groups)), 0, 0.0, time.monotonic()
    values: dict[str, list[float]] = {}
    with torch.inference_mode():
        for group in groups:
            found, apart = run_group(model, group)
            values |= found
            done, check = done + len(group), max(check, apart)
            print(f"float32: {done} of {total} questions, {time.monotonic() - started:.0f} s", flush=True)
    Path(target).write_text(json.dumps({"values": values, "check": check}), encoding="utf-8")


if __name__ == "__main__":
    main()
