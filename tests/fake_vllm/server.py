"""The HTTP side of the stand-in."""

import json
import socketserver
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from fake_vllm import answers, chatting
from fake_vllm.script import Fault, Script

VERSION = "0.32.0"


class FakeServer:
    """A stand-in that answers in threads of this process, over a Unix socket, or over TCP with ``tcp``.

    ``seen`` lists every request as (path, body), ``most_at_once`` is the largest number that was answered at once.
    ``config`` is what ``/server_info`` shows (before the script's ``settings``), ``served`` the name of its model.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        served: str = "m",
        socket: Path | None = None,
        tcp: bool = False,
        config: Mapping[str, Any] | None = None,
        environment: Mapping[str, Any] | None = None,
        die: Callable[[], None] | None = None,
        note: Callable[[str, Any], None] = lambda _event, _detail: None,
    ) -> None:
        self.script = script or Script()
        self.served = served
        self.config = {part: dict(values) for part, values in (config or {}).items()}
        for part, values in self.script.settings.items():
            self.config.setdefault(part, {}).update(values)
        self.environment = {**(environment or {}), **self.script.environment}
        if die is None and self.script.die_after is not None:
            raise ValueError("die_after is for a stand-in that is a process of its own: see engine_python")
        self._die = die or (lambda: None)
        self._note = note
        self.seen: list[tuple[str, Any]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._hits = dict.fromkeys(self.script.faults, 0)
        self._lock = threading.Lock()
        self._folder = None if tcp or socket else tempfile.TemporaryDirectory(prefix="fake-")
        self.socket = None if tcp else socket or Path(self._folder.name, "s")
        self._http = _Tcp(self) if tcp else _Unix(self)
        self.base_url = f"http://127.0.0.1:{self._http.server_address[1]}" if tcp else "http://localhost"

    def __enter__(self) -> "FakeServer":
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        if self._folder is not None:
            self._folder.cleanup()

    def begin(self, path: str, body: Any) -> Fault | None:
        """Notes a request; the answer is the fault that it meets, if any."""
        with self._lock:
            self.seen.append((path, body))
            if body is not None:
                self._note("request", {"path": path, "prompt": body.get("prompt") if isinstance(body, dict) else None})
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            asked = sum(1 for seen, _ in self.seen if seen == "/v1/completions")
            if self.script.die_after is not None and asked > self.script.die_after:
                self._die()
            text = json.dumps(body)
            for fault in self.script.faults:
                if fault.path == path and fault.match in text:
                    self._hits[fault] += 1
                    turn = self._hits[fault] - fault.after
                    if turn >= 1 and (fault.times == 0 or turn <= fault.times):
                        return fault
        return None

    def finish(self) -> None:
        """A request is answered."""
        with self._lock:
            self._at_once -= 1

    def answer(self, path: str, body: Any) -> tuple[int, Any]:
        """Status and answer (text, or what becomes JSON) of a request that nothing spoils."""
        names = list(self.script.models or (self.served,))
        root = {"root": self.script.root} if self.script.root else {}
        plain = {
            "/health": lambda: (self.script.health, ""),
            "/v1/models": lambda: (
                200,
                {"object": "list", "data": [{"id": name, "object": "model"} | root for name in names]},
            ),
            "/version": lambda: (200, {"version": VERSION}),
            "/metrics": lambda: (200, answers.metrics(self.script, names[0])),
            "/tokenize": lambda: (200, answers.tokenized(body)),
            "/v1/completions": lambda: (200, answers.completions(body, names[0], self.script.scores)),
            "/reset_prefix_cache": lambda: (200, {"success": True}),
            "/detokenize": lambda: (200, {"prompt": chatting.unspell(body["tokens"])}),
            "/v1/chat/completions": lambda: self._chat(body, names[0]),
        }
        if self.script.server_info:
            plain["/server_info"] = lambda: (200, {"vllm_config": self.config, "vllm_env": self.environment})
        if path not in plain:
            return 404, {"detail": "Not Found"}
        asked = body.get("model") if isinstance(body, dict) else None
        if asked is not None and asked not in names:
            return 404, error(404, f"The model `{asked}` does not exist.")
        return plain[path]()

    def _chat(self, body: Mapping[str, Any], name: str) -> tuple[int, Any]:
        refused = chatting.refusal(body, self.script)
        return (400, error(400, refused)) if refused else (200, chatting.answer(body, name, self.script))


def error(status: int, message: str) -> dict[str, Any]:
    """An error as vLLM words it."""
    return {"error": {"message": message, "type": "BadRequestError", "param": None, "code": status}}


class Handler(BaseHTTPRequestHandler):
    """One connection, kept alive over many requests."""

    protocol_version = "HTTP/1.1"
    server: "_Unix | _Tcp"

    def do_GET(self) -> None:
        """Answers a GET."""
        self._serve(None)

    def do_POST(self) -> None:
        """Answers a POST."""
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            self._serve(json.loads(raw))
        except ValueError:
            self._send(400, error(400, "the body is no JSON"))

    def _serve(self, body: Any) -> None:
        fake, path = self.server.fake, self.path.partition("?")[0]
        fault = fake.begin(path, body)
        key = fake.script.api_key
        try:
            if key and path.startswith("/v1") and self.headers.get("Authorization") != f"Bearer {key}":
                self._send(401, {"error": "Unauthorized"})
            elif fault is None:
                self._send(*fake.answer(path, body))
            else:
                self._misbehave(fault, path, body)
        finally:
            fake.finish()

    def _misbehave(self, fault: Fault, path: str, body: Any) -> None:
        if fault.action == "drop":
            self.close_connection = True
            return
        if fault.action == "status":
            self._send(fault.status, error(fault.status, "asked for by the script"), retry_after=fault.retry_after)
            return
        if fault.action == "slow":
            time.sleep(fault.seconds)
        status, answer = self.server.fake.answer(path, body)
        if fault.action in ("missing", "impossible", "nan", "empty"):
            answer = spoil(answer, fault.action, body)
        self._send(status, answer, how=fault.action)

    def _send(self, status: int, answer: Any, *, how: str = "", retry_after: float | None = None) -> None:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        raw = b"<html>surely not JSON" if how == "garbage" else text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if isinstance(answer, str) else "application/json")
        self.send_header("Content-Length", str(len(raw)))
        if retry_after is not None:
            self.send_header("Retry-After", str(retry_after))
        self.end_headers()
        if how == "truncate":
            raw, self.close_connection = raw[: len(raw) // 2], True
        self.wfile.write(raw)

    def log_message(self, *_arguments: Any) -> None:
        """Says nothing: the log belongs to the script's ``prints``."""

    def address_string(self) -> str:
        """A Unix socket has no address to show."""
        return "-"


def spoil(answer: dict[str, Any], action: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without choices, without one of the asked ids, or with a value for it that is no probability."""
    if action == "empty":
        return {**answer, "choices": []}
    for one in answer["choices"]:
        logprobs = one["logprobs"] or {"top_logprobs": [], "token_logprobs": []}
        for entry in logprobs["top_logprobs"]:
            asked = [f"token_id:{token}" for token in body.get("logprob_token_ids") or ()]
            name = asked[-1] if asked else next(iter(entry))
            entry[name] = FALSE_VALUES.get(action)
            if action == "missing":
                del entry[name]
        if action in FALSE_VALUES and logprobs["token_logprobs"] and not body.get("logprob_token_ids"):
            logprobs["token_logprobs"][-1] = FALSE_VALUES[action]
    return answer


FALSE_VALUES = {"impossible": -9999.0, "nan": float("nan")}


class _Unix(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, fake: FakeServer) -> None:
        self.fake = fake
        super().__init__(str(fake.socket), Handler)

    def handle_error(self, *_arguments: Any) -> None:
        """A client that went away is no news."""


class _Tcp(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True

    def __init__(self, fake: FakeServer) -> None:
        self.fake = fake
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, *_arguments: Any) -> None:
        """A client that went away is no news."""
