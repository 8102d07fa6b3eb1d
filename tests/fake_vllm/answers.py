"""What the stand-in answers when it behaves, in the shapes of vLLM 0.32."""

from collections.abc import Mapping, Sequence
from typing import Any

from fake_vllm import model
from fake_vllm.script import Script

BLOCK = 128


def completions(body: Mapping[str, Any], name: str, scores: Mapping[str, float]) -> dict[str, Any]:
    """``/v1/completions``: one choice for each prompt."""
    prompts = prompts_of(body.get("prompt", ""))
    choices = [choice(index, prompt, body, scores) for index, prompt in enumerate(prompts)]
    asked, made = sum(map(len, prompts)), sum(len(one["_made"]) for one in choices)
    for one in choices:
        del one["_made"]
    usage = {"prompt_tokens": asked, "completion_tokens": made, "total_tokens": asked + made}
    return {
        "id": "cmpl-0",
        "object": "text_completion",
        "created": 0,
        "model": name,
        "choices": choices,
        "usage": usage,
    }


def prompts_of(prompt: Any) -> list[list[int]]:
    """The prompts of a request as ids: one text, several texts, one list of ids, or several."""
    if isinstance(prompt, str):
        return [model.tokenize(prompt)]
    if prompt and isinstance(prompt[0], int):
        return [list(prompt)]
    return [model.tokenize(one) if isinstance(one, str) else list(one) for one in prompt]


def choice(index: int, prompt: list[int], body: Mapping[str, Any], scores: Mapping[str, float]) -> dict[str, Any]:
    """The choice of one prompt."""
    made: list[int] = []
    while len(made) < int(body.get("max_tokens") or 16):
        made.append(model.next_token([*prompt, *made]))
    ids = bool(body.get("return_token_ids"))
    asked = body.get("prompt_logprobs")
    return {
        "index": index,
        "text": "".join(map(model.text_of, made)),
        "logprobs": None if body.get("logprobs") is None else logprobs(prompt, made, body, scores),
        "finish_reason": "length",
        "stop_reason": None,
        "token_ids": made if ids else None,
        "prompt_token_ids": prompt if ids else None,
        "prompt_logprobs": None if asked is None else prompt_logprobs(prompt, int(asked), scores),
        "_made": made,
    }


def logprobs(
    prompt: list[int], made: Sequence[int], body: Mapping[str, Any], scores: Mapping[str, float]
) -> dict[str, Any]:
    """The log-probabilities of the made tokens, with those of ``logprob_token_ids`` beside them."""
    names = [f"token_id:{token}" if body.get("return_tokens_as_token_ids") else model.text_of(token) for token in made]
    tops = []
    for position, token in enumerate(made):
        before = [*prompt, *made[:position]]
        entry = {f"token_id:{token}": model.TOP}
        for other in body.get("logprob_token_ids") or ():
            entry.setdefault(f"token_id:{other}", model.logprob(before, other, scores))
        tops.append(entry)
    return {
        "text_offset": [0] * len(made),
        "token_logprobs": [model.TOP] * len(made),
        "tokens": names,
        "top_logprobs": tops,
    }


def prompt_logprobs(prompt: list[int], k: int, scores: Mapping[str, float]) -> list[dict[str, Any] | None]:
    """For every prompt token but the first: itself and the ``k`` best, as maps from ids written as text."""
    found: list[dict[str, Any] | None] = [None]
    for position in range(1, len(prompt)):
        before, here = prompt[:position], prompt[position]
        best = model.next_token(before)
        others = [best, *(model.token_id(word) for word in model.WORDS if model.token_id(word) != best)][:k]
        values = {token: model.logprob(before, token, scores) for token in (here, *others)}
        if k:
            values[best] = model.TOP
        ranked = sorted(values, key=lambda token: -values[token])
        found.append(
            {
                str(token): {
                    "logprob": value,
                    "rank": ranked.index(token) + 1,
                    "decoded_token": model.text_of(token),
                }
                for token, value in values.items()
            }
        )
    return found


def tokenized(body: Mapping[str, Any]) -> dict[str, Any]:
    """``/tokenize`` of a prompt, or of the messages of a chat as plain text."""
    text = body.get("prompt")
    if text is None:
        text = "\n".join(f"{message['role']}: {message['content']}" for message in body.get("messages", []))
    tokens = model.tokenize(text)
    return {"count": len(tokens), "max_model_len": 2048, "tokens": tokens, "token_strs": None}


def metrics(script: Script, name: str) -> str:
    """``/metrics``: the two lines that are read, between others that are not."""
    cache = {"block_size": str(BLOCK), "cache_dtype": "auto", "kv_cache_size_tokens": str(script.capacity)}
    cache |= {"num_gpu_blocks": str(script.capacity // BLOCK), "enable_prefix_caching": "True", "engine": "0"}
    labels = ",".join(f'{key}="{value}"' for key, value in cache.items())
    return (
        "# HELP vllm:corrupted_requests_total Corrupted requests, in terms of total number of requests with NaNs.\n"
        f'vllm:corrupted_requests_total{{engine="0",model_name="{name}"}} {float(script.corrupted)}\n'
        f'vllm:corrupted_requests_created{{engine="0",model_name="{name}"}} 1.7e+09\n'
        f"vllm:cache_config_info{{{labels}}} 1.0\n"
        f"{script.more_metrics}"
    )
