"""Small HTTP calls to a server: to get ready, to prove settings, to look after it. Questions are asked elsewhere."""

import json
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2

from twx_accept.domain.serving import RunningServer
from twx_accept.errors import ServerDied, ServingError

LARGEST_ANSWER = 64 * 2**20
"""Bytes of an answer that are read at most: a server that has gone wrong must not fill the test run's memory."""


class Client:
    """Calls one server. Answers that are no JSON object are errors; what an object holds is checked by the caller."""

    def __init__(
        self,
        *,
        base_url: str,
        socket: Path | None,
        api_key: str = "",
        timeout: float = 30.0,
        certificates: Path | None = None,
    ) -> None:
        trusted = ssl.create_default_context(cafile=certificates) if certificates else True
        self._http = httpx2.Client(
            base_url=base_url,
            transport=httpx2.HTTPTransport(verify=trusted, uds=str(socket) if socket else None, trust_env=False),
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=timeout,
            trust_env=False,  # a proxy from the environment would answer in the server's place
        )

    @classmethod
    def of(cls, server: RunningServer, *, timeout: float = 30.0) -> "Client":
        """A client of a running server."""
        return cls(
            base_url=server.base_url,
            socket=server.socket,
            api_key=server.api_key,
            timeout=timeout,
            certificates=server.certificates,
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; a server with open ones may never end on SIGTERM."""
        self._http.close()

    def status(self, path: str) -> int:
        """The status code of a GET.

        Raises:
            ServerDied: nobody answers.
        """
        return self._call("GET", path, None)[0]

    def text(self, path: str) -> str:
        """The body of a GET (see :meth:`json` for errors)."""
        return self._good("GET", path, None).decode(errors="replace")

    def json(self, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The JSON object that a GET, or with a body a POST, answers.

        Raises:
            ServerDied: nobody answers, or the connection broke.
            ServingError: another status than 200, an answer that is too large, or no JSON object.
        """
        raw = self._good("GET" if body is None else "POST", path, body)
        try:
            answer = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ServingError(f"{path} answered no JSON ({error}): {raw[:200]!r}") from error
        if not isinstance(answer, dict):
            raise ServingError(f"{path} answered {type(answer).__name__}, not a JSON object: {raw[:200]!r}")
        return answer

    def _good(self, method: str, path: str, body: Mapping[str, Any] | None) -> bytes:
        status, raw = self._call(method, path, body)
        if status != httpx2.codes.OK:
            raise ServingError(f"{path} answered status {status}: {raw[:500].decode(errors='replace')}")
        return raw

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, bytes]:
        try:
            with self._http.stream(method, path, json=body) as response:
                parts, size = [], 0
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > LARGEST_ANSWER:
                        raise ServingError(f"{path} answered more than {LARGEST_ANSWER} bytes")
                return response.status_code, b"".join(parts)
        except httpx2.HTTPError as error:
            raise ServerDied(f"{path} was not answered: {type(error).__name__}: {error}") from error
