"""Attaching to servers that somebody else has started, with a stand-in over TCP."""

import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_vllm import FakeServer, Fault, Script
from twx_accept.domain.suite import Address, Attach, Suite
from twx_accept.errors import (
    AnswersSpoilt,
    NotReady,
    ServerDied,
    ServingError,
    SettingsMismatch,
    SuiteError,
    WrongServer,
)
from twx_accept.serving import AttachLauncher, check
from twx_accept.serving.memory import memory_of
from twx_accept.suite_engine import KEY_VARIABLE

MakeSuite = Callable[..., Suite]
CONFIG = {
    "model_config": {"seed": 0, "max_model_len": 2048, "enforce_eager": True, "generation_config": "vllm"},
    "device_config": {"device": "cpu"},
}


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


@pytest.fixture
def attached(make_suite: MakeSuite) -> Callable[..., Suite]:
    """Makes a suite whose original is served at an address; keywords replace parts of the address or of the suite."""

    def make(
        url: str, *, certificates: Path | None = None, path: Path | None = None, here: bool = False, **parts: Any
    ) -> Suite:
        suite = make_suite(**{key: parts.pop(key) for key in ("flags", "environment") if key in parts})
        address = Address(**{"url": url, "model": "original", **parts})
        attach = Attach(addresses={"original": address}, certificates=certificates, here=here)
        engine = replace(suite.engine, launcher="attach", attach=attach, python=Path("/dev/null"))
        original = replace(suite.original, path=path or Path("/dev/null"))
        return replace(suite, engine=engine, original=original)

    return make


@contextmanager
def there(script: Script | None = None, **settings: Any) -> Iterator[FakeServer]:
    """A server that is there already."""
    with FakeServer(script, served="original", tcp=True, **settings) as server:
        yield server


def boot(suite: Suite) -> Any:
    """The context of an attached server."""
    return AttachLauncher().boot(suite, suite.original, folder=Path("/nowhere"), progress=lambda *_: None)


def test_a_server_that_shows_everything_is_proven_as_far_as_an_address_can(attached: Any) -> None:
    """Flags, device, version and cache are checked; what no address shows is named, in one line."""
    with there(config=CONFIG) as server, boot(attached(f"{server.base_url}")) as running:
        assert check(running).text
        found = running.boot
    assert (found.launcher, found.engine_version, found.capacity_tokens, found.device) == (
        "attach",
        "0.32.0",
        46592,
        "cpu",
    )
    assert found.settings["model_config"]["seed"] == 0
    assert (found.log, found.weights_gib, found.cards) == ("", (), ())
    assert found.unproven == (
        "which weights, tokenizer and template it has loaded (it does not say)",
        "its machine and its cards",
        "that answers kept by an earlier run are this deployment's (it shows no start; --fresh asks again)",
        "that it is one server, and not several behind one address",
        "that nobody else asked it meanwhile",
    )
    assert found.notes == (f"attached; nothing was booted; not proven: {'; '.join(found.unproven)}",)


def test_a_server_that_shows_nothing_is_attached_and_everything_is_unproven(attached: Any) -> None:
    """Behind a gateway that passes on /v1 alone: what cannot be looked up is named, and nothing is taken for right."""
    hidden = ("/server_info", "/metrics", "/health", "/version")
    script = Script(faults=tuple(Fault(path=path, action="status", status=404) for path in hidden))
    suite = attached("", environment={"VLLM_X": "1"})
    with there(script) as server:
        addresses = {"original": Address(url=server.base_url, model="original")}
        suite = replace(suite, engine=replace(suite.engine, attach=Attach(addresses=addresses)))
        with boot(suite) as running:
            assert check(running).corrupted is None
            found = running.boot
        seen = AttachLauncher().look(suite, suite.original)
    assert found.unproven[1:5] == (
        "its engine's version",
        "its settings and its device (the suite says cpu)",
        "the flags seed, max_model_len, enforce_eager, generation_config",
        "the variables VLLM_X",
    )
    assert "the size of its cache" in found.unproven
    assert "that no answer came of NaN" in found.unproven
    assert (found.settings, found.capacity_tokens) == ({}, None)
    assert seen.engine == {"launcher": "attach", "version": "not shown"}
    assert seen.weights == "served as original: does not say what it has loaded"


def test_settings_that_are_shown_must_be_the_suites(attached: Any) -> None:
    """A server with other settings than the suite says is refused, like any other."""
    config = {"model_config": {**CONFIG["model_config"], "max_model_len": 1024}}
    told = "max_model_len: given 2048, runs with 1024"
    with (
        there(config=config) as server,
        pytest.raises(SettingsMismatch, match=told),
        boot(attached(server.base_url)),
    ):
        pytest.fail("it has other settings")


def test_another_device_than_the_suites_is_refused(attached: Any) -> None:
    """An engine that fell back to the CPU is told, as everywhere."""
    with there(config={"device_config": {"device": "cpu"}}) as server:
        suite = attached(server.base_url, flags={})
        suite = replace(suite, engine=replace(suite.engine, device="cuda"))
        with pytest.raises(SettingsMismatch, match="runs on 'cpu'"), boot(suite):
            pytest.fail("it has another device")


def test_a_server_of_this_machine_that_says_what_it_loaded_vouches_for_the_files(attached: Any, tmp_path: Path) -> None:
    """Where the suite says so and it names the build's folder, sizes can be told; another folder is refused."""
    folder = tmp_path / "model"
    folder.mkdir()
    with there(Script(root=str(folder))) as server:
        suite = attached(server.base_url, path=folder, here=True)
        assert AttachLauncher().look(suite, suite.original).weights == ""
        with boot(suite) as running:
            told = f"that the files in {folder} are those that it has loaded (the suite says here = true)"
            assert running.boot.unproven[0] == told
        suite = attached(server.base_url, path=tmp_path, here=True)
        with pytest.raises(SettingsMismatch, match=f"has loaded {folder}, not {tmp_path}"):
            AttachLauncher().look(suite, suite.original)
        suite = attached(server.base_url, here=True)
        assert AttachLauncher().look(suite, suite.original).weights == f"served as original: {folder}"


def test_files_under_the_same_path_are_not_taken_for_those_behind_a_tunnel(attached: Any, tmp_path: Path) -> None:
    """An address of this machine may lead to another one that has the same folder: the weights count as not shown."""
    with there(Script(root=str(tmp_path))) as server:
        suite = attached(server.base_url, path=tmp_path)
        assert AttachLauncher().look(suite, suite.original).weights == f"served as original: {tmp_path}"
        with boot(suite) as running:
            assert running.boot.unproven[0].startswith("which weights, tokenizer and template it has loaded")


def test_what_it_must_have_loaded_is_held_against_what_it_says(attached: Any) -> None:
    """A root in the suite must be the server's."""
    with there(Script(root="/models/a")) as server:
        with boot(attached(server.base_url, root="/models/a")):
            pass
        with (
            pytest.raises(WrongServer, match="has loaded '/models/a', not '/models/b'"),
            boot(attached(server.base_url, root="/models/b")),
        ):
            pytest.fail("it has loaded another model")


def test_a_model_among_several_is_found_by_its_name(attached: Any) -> None:
    """A gateway serves many models; one that it does not have is named with those that it has."""
    with there(Script(models=("other", "release-7"))) as server:
        suite = attached(server.base_url, model="release-7")
        assert AttachLauncher().look(suite, suite.original).weights.startswith("served as release-7")
        with pytest.raises(WrongServer, match=r"serves \['other', 'release-7'\], not 'original'.*builds.original"):
            AttachLauncher().look(attached(server.base_url), suite.original)


def test_a_key_is_sent_and_kept_nowhere(attached: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key comes from the environment alone; without it, or with a wrong one, the error says so and shows none."""
    with there(Script(api_key="hidden-words")) as server:
        suite = attached(server.base_url)
        with pytest.raises(ServingError, match=f"status 401. It wants a key: set {KEY_VARIABLE}"), boot(suite):
            pytest.fail("it wants a key")
        monkeypatch.setenv(KEY_VARIABLE, "wrong-words")
        with pytest.raises(ServingError, match=f"does not take the key in {KEY_VARIABLE}") as caught, boot(suite):
            pytest.fail("it wants another key")
        assert "wrong-words" not in str(caught.value)
        monkeypatch.setenv(KEY_VARIABLE, "hidden-words\n")  # as a file of a secret often ends
        with boot(suite) as running:
            assert check(running).text
            assert running.api_key == "hidden-words"
            assert "hidden-words" not in repr(running)
    monkeypatch.setenv(KEY_VARIABLE, "two words")
    with pytest.raises(SuiteError, match=f"{KEY_VARIABLE} holds blanks") as refused, boot(suite):
        pytest.fail("it is no key")
    assert "two words" not in str(refused.value)


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        (
            Fault(path="/v1/models", action="status", status=404),
            ServingError,
            "404. It is no OpenAI-compatible address",
        ),
        (Fault(path="/v1/models", action="status", status=500), ServingError, "status 500. Look into the server's log"),
        (Fault(path="/v1/models", action="status", status=307), ServingError, "sends the caller elsewhere"),
        (Fault(path="/v1/models", action="garbage"), ServingError, "no JSON"),
        (Fault(path="/v1/models", action="drop"), ServerDied, "Start the server, or correct its url"),
        (Fault(path="/health", action="status", status=503), NotReady, "/health of .* answers 503: wait until"),
        (Fault(path="/v1/completions", action="empty"), NotReady, "gave no token for original"),
        (
            Fault(path="/v1/completions", action="status", status=400),
            ServingError,
            "/v1/completions answered status 400",
        ),
    ],
    ids=lambda value: value.path + " " + value.action + str(value.status) if isinstance(value, Fault) else None,
)
def test_a_server_that_is_not_as_it_should_be_is_told(attached: Any, fault: Fault, error: Any, told: str) -> None:
    """Each way in which an address does not serve has an error of its own, with the cure."""
    with there(Script(faults=(fault,))) as server, pytest.raises(error, match=told), boot(attached(server.base_url)):
        pytest.fail("it does not serve")


def test_an_address_where_nobody_listens_is_told(attached: Any) -> None:
    """Nothing is waited for: a server that somebody else starts is there, or it is not."""
    with there() as server:
        suite = attached(server.base_url)
    with pytest.raises(ServerDied, match="Start the server, or correct its url"), boot(suite):
        pytest.fail("nobody listens")


def test_a_list_of_models_of_another_form_is_told(attached: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in the place of the list, the error says what was found."""
    for answer in ({"data": None}, {"data": [None, "original"]}, {}, {"data": [{"id": None}]}):
        monkeypatch.setattr(FakeServer, "answer", lambda *_, answer=answer: (200, answer))
        with there() as server, pytest.raises(WrongServer, match="not 'original'"), boot(attached(server.base_url)):
            pytest.fail("there is no list")


def test_a_server_in_the_place_of_another_is_another_deployment(attached: Any) -> None:
    """Its address and its start tell it; where it shows no start, or several, that is among the unproven."""
    starts = iter(range(100))
    with there(Script(more_metrics="process_start_time_seconds 1.7e9\n")) as server:
        suite = attached(server.base_url)
        seen = AttachLauncher().look(suite, suite.original)
        assert seen.deployment == {"address": server.base_url, "start": "1700000000.0"}
        with boot(suite) as running:
            assert not any("kept by an earlier run" in each for each in running.boot.unproven)
        server.script = replace(server.script, more_metrics="")
        assert AttachLauncher().look(suite, suite.original).deployment["start"] == "not shown"
        server.answer = lambda path, body: several(server, path, body, starts)
        assert AttachLauncher().look(suite, suite.original).deployment["start"] == "several"


def several(server: FakeServer, path: str, body: Any, starts: Iterator[int]) -> Any:
    """The answers of several servers behind one address, each with a start of its own."""
    server.script = replace(server.script, more_metrics=f"process_start_time_seconds {next(starts)}\n")
    return FakeServer.answer(server, path, body)


def test_a_server_that_was_started_again_meanwhile_is_noticed(attached: Any) -> None:
    """Another start or another model in the end means that nobody knows who answered."""
    with there(Script(more_metrics="process_start_time_seconds 1.7e9\n")) as server:
        with boot(attached(server.base_url)):
            pass
        with (
            pytest.raises(AnswersSpoilt, match=r"another server in the end \(start: 1700000000.0 and 1800000000.0\)"),
            boot(attached(server.base_url)),
        ):
            server.script = replace(server.script, more_metrics="process_start_time_seconds 1.8e9\n")


def test_a_server_that_was_started_again_is_told_before_what_came_of_it(attached: Any) -> None:
    """An error of whoever asked gives way: it may come of the other server, which has answered too."""
    with there(Script(more_metrics="process_start_time_seconds 1.7e9\n")) as server:
        with (  # noqa: PT012 - the error comes of leaving the context by another one
            pytest.raises(AnswersSpoilt, match="another server in the end") as told,
            boot(attached(server.base_url)),
        ):
            server.script = replace(server.script, more_metrics="process_start_time_seconds 1.8e9\n")
            raise ServerDied("it stopped answering")
        assert isinstance(told.value.__cause__, ServerDied)


def test_another_model_in_the_end_is_another_server(attached: Any) -> None:
    """A name that is served no more says the same of the answers as another start does."""
    with (
        there() as server,
        pytest.raises(AnswersSpoilt, match=r"\['other'\].*set aside"),
        boot(attached(server.base_url)),
    ):
        server.script = replace(server.script, models=("other",))


def test_several_servers_behind_one_address_have_no_one_start(attached: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where calls meet different servers, a change of start means nothing."""
    starts = iter(range(1000))
    answer = FakeServer.answer

    def many(self: FakeServer, path: str, body: Any) -> Any:
        self.script = replace(self.script, more_metrics=f"process_start_time_seconds {next(starts)}\n")
        return answer(self, path, body)

    monkeypatch.setattr(FakeServer, "answer", many)
    with there() as server, boot(attached(server.base_url)):
        pass


def test_an_error_that_is_under_way_is_kept(attached: Any) -> None:
    """A server that has gone while it was asked is told by whoever asked it."""
    with there() as server:
        suite = attached(server.base_url)
        with pytest.raises(ServerDied, match="stopped"), boot(suite):
            raise ServerDied("it stopped")


def test_others_who_ask_it_are_noted(attached: Any) -> None:
    """Requests that are in flight before the first of ours are somebody else's."""
    busy = 'vllm:num_requests_running{engine="0"} 3\nvllm:num_requests_waiting{engine="0"} 1\n'
    with there(Script(more_metrics=busy)) as server, boot(attached(server.base_url)) as running:
        assert "somebody else was asking it when it was attached: 4 requests" in running.boot.notes


def test_no_memory_of_this_machine_is_an_attached_servers(attached: Any) -> None:
    """No driver is asked, and no card is waited for."""
    engine = replace(attached("http://nowhere").engine, device="cuda")
    assert memory_of(engine).totals() == ()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that only itself vouches for, and its key."""
    file, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=here", "-addext"]
    try:
        subprocess.run(
            [
                shutil.which("openssl") or "openssl",
                *words,
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                str(key),
                "-out",
                str(file),
            ],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no openssl here: {error}")
    return file, key


def test_tls_is_checked(attached: Any, certificate: tuple[Path, Path]) -> None:
    """A certificate that nobody vouches for is refused with the cure; one whose authority is named is taken."""
    file, key = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    server = FakeServer(served="original", tcp=True)
    server._http.socket = context.wrap_socket(server._http.socket, server_side=True)
    url = server.base_url.replace("http://", "https://")
    with server:
        with pytest.raises(ServerDied, match="Name a file with its authority's certificate"), boot(attached(url)):
            pytest.fail("nobody vouches for it")
        with boot(attached(url, certificates=file)) as running:
            assert check(running).text
    key.write_text("no certificate")
    with (
        pytest.raises(SuiteError, match=r"engine.attach.certificates: .*key.pem"),
        boot(attached(url, certificates=key)),
    ):
        pytest.fail("it holds no certificate")
    with there() as plain:
        url = plain.base_url.replace("http://", "https://")
        with pytest.raises(ServerDied, match="It speaks no TLS: its url begins with http://"), boot(attached(url)):
            pytest.fail("it speaks no TLS")
