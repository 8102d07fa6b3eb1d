"""A judge's server that answers chat requests as a test says, and keeps what it heard."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Say = Callable[[str, str], Any]
"""Given passage and statement: a word, the bytes of a whole answer, a status that is sent with an echo of what was
asked, or None, which is an error of the server."""


@dataclass
class Judged:
    """Where the judge is reached, and the body and key of each request."""

    address: str
    heard: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@contextmanager
def judging(say: Say, model: str = "judge", lists: bytes | None = None) -> Iterator[Judged]:
    """A server that says so, signed by that model; ``lists`` is what it answers when asked for its models."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.heard.append(body)
            told.keys.append(self.headers["Authorization"])
            prompt = body["messages"][0]["content"]
            said = say(*asked(prompt))
            if isinstance(said, int):
                self._send(said, json.dumps({"error": {"message": prompt}}).encode())
                return
            self._send(500 if said is None else 200, said if isinstance(said, bytes) else _answer(model, said))

        def do_GET(self) -> None:
            told.keys.append(self.headers.get("Authorization", ""))
            self._send(404 if lists is None else 200, lists or b"{}")

        def _send(self, status: int, answer: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told = Judged(f"http://127.0.0.1:{server.server_port}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()


def asked(prompt: str) -> tuple[str, str]:
    """The passage and the statement of a prompt, which quotes both as JSON; both empty in another prompt."""
    found = [line.split(": ", 1)[1] for line in prompt.splitlines() if line.startswith(("Passage: ", "Statement: "))]
    return (json.loads(found[0]), json.loads(found[1])) if len(found) == 2 else ("", "")


def _answer(model: str, said: Any) -> bytes:
    message = {"role": "assistant", "content": said}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return json.dumps({"model": model, "choices": choices}).encode()
