"""Small calls to a server."""

from pathlib import Path

import pytest

from fake_vllm import FakeServer, Fault, Script
from twx_accept.errors import ServerDied, ServingError
from twx_accept.serving.client import Client


def client_of(server: FakeServer, api_key: str = "") -> Client:
    """A client of the stand-in."""
    return Client(base_url=server.base_url, socket=server.socket, api_key=api_key, timeout=2.0)


def test_a_socket_that_is_not_there_is_a_dead_server(tmp_path: Path) -> None:
    """Before there is a server its socket cannot be reached, which is no crash."""
    with (
        Client(base_url="http://localhost", socket=tmp_path / "s") as client,
        pytest.raises(ServerDied, match="/health was not answered"),
    ):
        client.status("/health")


def test_no_proxy_answers_in_the_servers_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment is not asked."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with FakeServer(tcp=True) as server, client_of(server) as client:
        assert client.status("/health") == 200


def test_an_error_of_the_server_is_shown() -> None:
    """The status and what the server says of it are in the error."""
    with (
        FakeServer() as server,
        client_of(server) as client,
        pytest.raises(ServingError, match=r"status 404.*`other` does not exist"),
    ):
        client.json("/v1/completions", {"model": "other", "prompt": "a"})


@pytest.mark.parametrize("answer", ["[]", "1", "null", "[" * 100_000, "{", ""])
def test_what_is_no_json_object_is_an_error(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists, numbers, broken JSON and nesting without end are errors of ours."""
    monkeypatch.setattr("fake_vllm.answers.metrics", lambda *_: answer)
    with FakeServer() as server, client_of(server) as client, pytest.raises(ServingError):
        client.json("/metrics")


def test_a_key_is_sent_where_there_is_one() -> None:
    """The key goes along as a bearer token, and is not sent where there is none."""
    with FakeServer() as server:
        assert client_of(server, "k")._http.headers["authorization"] == "Bearer k"
        assert "authorization" not in client_of(server)._http.headers


def test_a_stand_in_within_the_tests_cannot_end_them() -> None:
    """A script that ends its process is refused where the process is pytest's; so are unknown faults."""
    with pytest.raises(ValueError, match="die_after"):
        FakeServer(Script(die_after=1))
    with pytest.raises(ValueError, match="explode"):
        Fault(path="/", action="explode")
