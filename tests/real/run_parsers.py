"""Run by the engine's own Python: what vLLM's parsers make of raw outputs. Reads JSON, writes JSON.

Input: ``{"tokenizer": folder, "tools": [...], "cases": [{"format": ..., "thinking": ..., "raw": ...}]}``.
Output: for each case the reasoning, the content and the calls, as the server's chat endpoint would take them.
"""

import json
import logging
import sys

logging.disable(logging.CRITICAL)  # a parser logs the traceback of each output that it cannot read

from transformers import AutoTokenizer  # noqa: E402
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest  # noqa: E402
from vllm.parser.parser_manager import ParserManager  # noqa: E402

SPECIAL = [
    *("<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>", "<think>", "</think>"),
    *("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_end|>"),
    "<|tool_call_argument_begin|>",
]
"""Single tokens in the tokenizers of Kimi; the parsers look their ids up."""


def main() -> None:
    """Parse every case with the parser of its format."""
    asked = json.load(sys.stdin)
    tokenizer = AutoTokenizer.from_pretrained(asked["tokenizer"])
    tokenizer.add_special_tokens({"additional_special_tokens": SPECIAL})
    request = ChatCompletionRequest(
        model="model", messages=[{"role": "user", "content": "?"}], tools=asked["tools"], tool_choice="auto"
    )
    json.dump([parsed(case, tokenizer, request) for case in asked["cases"]], sys.stdout)


def parsed(case, tokenizer, request):
    """The message of one raw output; a fresh parser for each, as for each request."""
    kimi = case["format"] if case["format"].startswith("kimi") else None
    parser_class = ParserManager.get_parser(
        tool_parser_name=case["format"], reasoning_parser_name=kimi, enable_auto_tools=True, tokenizer=tokenizer
    )
    parser = parser_class(tokenizer, request.tools)
    ids = tokenizer.encode(case["raw"], add_special_tokens=False)
    reasoning, content, calls = parser.parse(case["raw"], request, enable_auto_tools=True, model_output_token_ids=ids)
    return {
        "reasoning": reasoning,
        "content": content,
        "calls": [[call.id, call.name, call.arguments] for call in calls or []],
    }


if __name__ == "__main__":
    main()
