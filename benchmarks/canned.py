"""A server that answers letters' requests from a stencil, in a process of its own: what is left is the client's cost.

usage: python benchmarks/canned.py SOCKET

It speaks as much HTTP as a client with kept-alive connections needs, reads a body no further than it must, and answers
one choice for each prompt of the shape and size that vLLM 0.32 gives. The values are made up. It says ``ready`` once it
listens, and ends when its standard input does.
"""

import asyncio
import json
import re
import sys
from contextlib import suppress

TOKENS = 740
"""Ids in an answer's prompt: the mean of the MMLU prompts with five examples."""

LETTERS = (330, 389, 340, 422)
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


def choice(index: int) -> str:
    """One choice as vLLM 0.32 writes it."""
    values = [-1.0 - ((index * 7 + at * 3) % 11) / 16 for at in range(len(LETTERS))]
    top = {f"token_id:{token}": value for token, value in zip(LETTERS, values, strict=True)}
    logprobs = {
        "text_offset": [0],
        "token_logprobs": [values[0]],
        "tokens": [f"token_id:{LETTERS[0]}"],
        "top_logprobs": [top],
    }
    body = {
        "index": index,
        "text": " A",
        "logprobs": logprobs,
        "finish_reason": "length",
        "stop_reason": None,
        "token_ids": [LETTERS[0]],
        "prompt_token_ids": [(at * 7919 + index) % 49152 for at in range(TOKENS)],
        "prompt_logprobs": None,
    }
    return json.dumps(body, separators=(",", ":"))


class Stencil:
    """Answers by the number of prompts, made once for each number."""

    def __init__(self) -> None:
        self._made: dict[int, bytes] = {}

    def completions(self, raw: bytes) -> bytes:
        """The answer to a request for completions."""
        body = json.loads(raw)
        prompts = body["prompt"]
        count = len(prompts) if isinstance(prompts, list) and not isinstance(prompts[0], int) else 1
        if count not in self._made:
            choices = ",".join(choice(index) for index in range(count))
            usage = f'"usage":{{"prompt_tokens":{TOKENS * count},"total_tokens":{TOKENS * count + count}}}'
            head = '"id":"cmpl-0","object":"text_completion","created":0,"model":"m"'
            self._made[count] = f'{{{head},"choices":[{choices}],{usage}}}'.encode()
        return self._made[count]

    @staticmethod
    def tokens(raw: bytes) -> bytes:
        """Ids of a text: alike for every text but for the letter at its end."""
        prompt = json.loads(raw)["prompt"]
        letter = prompt[-2:]
        more = [LETTERS["ABCD".index(letter[1])]] if letter[0] == " " and letter[1] in "ABCD" else []
        tokens = [*range(TOKENS), *more]
        return json.dumps({"count": len(tokens), "max_model_len": 4096, "tokens": tokens, "token_strs": None}).encode()


async def serve(stencil: Stencil, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            found = LENGTH.search(head)
            raw = await reader.readexactly(int(found[1])) if found else b""
            answer = stencil.tokens(raw) if b"/tokenize " in head[:100] else stencil.completions(raw)
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(answer)
            )
            writer.write(answer)
            await writer.drain()
    writer.close()


async def main(socket: str) -> None:
    """Listen until standard input ends."""
    stencil = Stencil()
    server = await asyncio.start_unix_server(lambda r, w: serve(stencil, r, w), socket, limit=2**24)
    async with server:
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
