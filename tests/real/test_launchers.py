"""A real vLLM server from a container, and one that somebody else has started."""

import http.server
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fake_docker import FakeDaemon, FakeImage
from twx_accept import suite
from twx_accept.serving import ContainerLauncher, check
from twx_accept.serving.child import Child
from twx_accept.serving.stopping import stop
from twx_accept.suite_engine import KEY_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON") or ROOT / ".venv-vllm" / "bin" / "python")
MODELS = ROOT / "models" / "smollm2"
PORT = 18431
REFERENCE = f"localhost/vllm@sha256:{'a' * 64}"

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not ENGINE.exists(), reason="no engine: `make engine` makes it"),
    pytest.mark.skipif(not (MODELS / "smol-w8").is_dir(), reason="no models: `make models` makes them"),
]


ATTACHED = """
[suite]
name = "smollm2"
title = "Two builds that somebody else serves"
version = 1
original = "original"

[engine]
launcher = "attach"
device = "cpu"

[engine.attach]
here = true

[engine.attach.builds]
original = {{ url = "{url}/v1" }}
smol-w8 = {{ url = "{gateway}/teams/a", root = "/models/smol-w8" }}

[flags]
max_model_len = 2048
seed = 0
hf_overrides = {{ head_dtype = "float32" }}

[asking]
concurrency = 4
prompts_per_request = 4

[[builds]]
name = "original"
path = "{models}/original"

[[builds]]
name = "smol-w8"

[claims.weight_size.mark]
smol-w8 = 0.65

[claims.cache_headroom]
mark = 0.95

[claims.multiple_choice]
title = "Everyday questions"
short = "everyday"
source = "{root}/fixtures/questions/everyday"
scoring = "continuation"
margin_points = 5.0
lead_share = 0.10
"""


def suite_file(folder: Path, engine: str, more: str = "") -> Path:
    """The embedded suite with the quick claims, brought up in another way; ``more`` goes before its flags."""
    text = (ROOT / "fixtures" / "suites" / "smollm2.toml").read_text(encoding="utf-8")
    begin, end = text.index("# vLLM lives in an environment"), text.index('device = "cpu"')
    text = text[:begin] + engine + text[end : text.index("# What follows is reported")]
    text = (
        text.replace("[flags]\n", f"{more}\n[flags]\n")
        .replace('"../../', f'"{ROOT}/')
        .replace('"../', f'"{ROOT}/fixtures/')
    )
    file = folder / "smollm2.toml"
    file.write_text(text, encoding="utf-8")
    return file


def accept(folder: Path, file: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A small run through the acceptance tests: one question a subject."""
    words = ["-m", "pytest", "-m", "acceptance", "tests/acceptance", "-p", "no:cacheprovider", "--suite", str(file)]
    words += ["--build", "smol-w8", "--limit-questions", "1", "--report-dir", str(folder / "reports")]
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def report(folder: Path) -> Any:
    """The run's record."""
    return json.loads((folder / "reports" / "report.json").read_text(encoding="utf-8"))["run"]


def test_a_container_serves_asks_and_leaves_nothing(tmp_path: Path) -> None:
    """Original and build are served from an image, through the session as ever, and no container is left."""
    image = FakeImage(programs={"python3": ENGINE}, digests=(REFERENCE,))
    with FakeDaemon(tmp_path / "bin", {REFERENCE: image}) as docker:
        table = f'[engine.container]\nimage = "{REFERENCE}"\nprogram = "{docker.program}"\n'
        table += f'cache_folder = "{tmp_path / "cache"}"\n'
        file = suite_file(tmp_path, 'launcher = "container"\n', table)
        done = accept(tmp_path, file)
        assert done.returncode == 0, done.stdout + done.stderr
        assert len([each for each in docker.history if "mount" in each.options]) == 2
        assert not docker.containers()
        assert not docker.processes()
    run = report(tmp_path)
    figures = {verdict["claim"]: verdict["statistics"] for verdict in run["verdicts"]}
    assert figures["multiple_choice"]["n"] == 12
    assert figures["cache_headroom"]["tokens"] > 0
    settings = {setting["label"]: setting["values"] for setting in run["settings"]}
    assert settings["image"]["smol-w8"] == REFERENCE.partition("@")[2]
    assert "notes" not in settings or "could not check" not in settings["notes"]["original"]
    assert "names of the flags are not checked" not in done.stdout  # the engine's own help was read


@pytest.fixture(params=["docker", "podman"])
def program(request: pytest.FixtureRequest) -> str:
    """A container engine of this machine that works."""
    found = shutil.which(request.param)
    if found is None:
        pytest.skip(f"no {request.param} here")
    ran = subprocess.run([found, "info", "--format", "{{json .}}"], capture_output=True, text=True, check=False)
    if ran.returncode or "ServerErrors" in ran.stdout:
        pytest.skip(f"{request.param} does not work here: {(ran.stderr or ran.stdout)[-200:]}")
    return found


@contextmanager
def hollow_image(program: str) -> Iterator[tuple[str, list[str]]]:
    """An image that holds nothing, and the options that give a container this machine's programs and the engine."""
    packed = io.BytesIO()
    seen = [Path("/usr"), Path("/etc/alternatives"), ENGINE.parents[1], Path(os.path.realpath(ENGINE)).parents[1]]
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name in ("tmp", "proc", "sys", "dev", "etc", "usr", "var/tmp"):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name.endswith("tmp") else 0o755
            tar.addfile(entry)
        for path in map(Path, ("/bin", "/sbin", "/lib", "/lib64")):
            if path.is_symlink():
                entry = tarfile.TarInfo(path.name)
                entry.type, entry.linkname = tarfile.SYMTYPE, str(path.readlink())
                tar.addfile(entry)
            elif path.exists():
                seen.append(path)
    ran = subprocess.run([program, "import", "-"], input=packed.getvalue(), capture_output=True, check=True)
    image = ran.stdout.decode().split()[-1].removeprefix("sha256:")
    try:
        yield f"sha256:{image}", [f"--volume={path}:{path}:ro" for path in dict.fromkeys(seen) if path.exists()]
    finally:
        subprocess.run([program, "image", "rm", image], capture_output=True, check=False)


def test_a_real_container_engine_does_what_the_stand_in_does(tmp_path: Path, program: str) -> None:
    """Where docker or podman works, the engine comes up without a network or rights, is proven, and leaves nothing."""
    with hollow_image(program) as (image, options):
        listed = ", ".join(f'"{each}"' for each in options)
        table = f'[engine.container]\nimage = "{image}"\nprogram = "{program}"\npython = "{ENGINE}"\n'
        table += f'cache_folder = "{tmp_path / "cache"}"\noptions = [{listed}]\n'
        found = suite.load(suite_file(tmp_path, 'launcher = "container"\n', table))
        launcher = ContainerLauncher()
        assert launcher.look(found, found.original).engine["image"] == image
        with launcher.boot(found, found.original, folder=tmp_path, progress=lambda *_: None) as server:
            assert check(server).text
            assert not [note for note in server.boot.notes if note.startswith("could not check")]
        asked = [program, "ps", "--all", "--quiet", "--filter", "label=twx-accept.run"]
        assert not subprocess.run(asked, capture_output=True, text=True, check=True).stdout


@contextmanager
def somebody_elses(folder: Path, key: str) -> Iterator[str]:
    """A server of the original, started by hand as anybody would."""
    found = suite.load(suite_file(folder, f'python = "{ENGINE}"\n'))
    words = [str(ENGINE), "-m", "vllm.entrypoints.openai.api_server", "--model", str(found.original.path)]
    words += ["--served-model-name", "original", "--host", "127.0.0.1", "--port", str(PORT)]
    words += ["--enforce-eager", "--max-model-len", "2048", "--generation-config", "vllm", "--max-logprobs", "-1"]
    words += ["--seed", "0", "--hf-overrides", '{"head_dtype": "float32"}']
    environment = {**os.environ, **found.engine.environment, "VLLM_API_KEY": key, "HF_HUB_OFFLINE": "1"}
    log = folder / "somebody-elses.log"
    server = Child(words, environment=environment, log=log, folder=folder)  # ends with this process, however that ends
    try:
        deadline = time.monotonic() + 400
        while time.monotonic() < deadline:
            assert not server.over, log.read_text()[-3000:]
            try:
                if httpx2.get(f"http://127.0.0.1:{PORT}/health", trust_env=False).status_code == 200:
                    break
            except httpx2.HTTPError:
                time.sleep(0.5)
        yield f"http://127.0.0.1:{PORT}"
    finally:
        stop(server, 5.0)


class Gateway(http.server.BaseHTTPRequestHandler):
    """What stands before servers: it has names of its own for models, passes on what it knows, and hides the rest."""

    protocol_version = "HTTP/1.1"
    url = ""

    def do_GET(self) -> None:
        """Passes a GET on."""
        self._pass_on(None)

    def do_POST(self) -> None:
        """Passes a POST on, under the name that the server knows."""
        self._pass_on(self.rfile.read(int(self.headers["Content-Length"])).replace(b'"smol-w8"', b'"original"'))

    def _pass_on(self, body: bytes | None) -> None:
        path = self.path.removeprefix("/teams/a")
        if path == self.path or path not in ("/v1/models", "/v1/completions", "/tokenize"):
            self._answer(404, b"no such place")
            return
        headers = {"Authorization": self.headers.get("Authorization", ""), "Content-Type": "application/json"}
        there = httpx2.request(
            self.command, self.url + path, content=body, headers=headers, trust_env=False, timeout=120
        )
        content = there.content.replace(b'"original"', b'"smol-w8"').replace(str(MODELS).encode(), b"/models")
        self._answer(there.status_code, content.replace(b"/models/original", b"/models/smol-w8"))

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: Any) -> None:
        """Says nothing."""


@contextmanager
def gateway(url: str) -> Iterator[str]:
    """A gateway before the server."""
    before = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("To", (Gateway,), {"url": url}))
    threading.Thread(target=before.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{before.server_address[1]}"
    finally:
        before.shutdown()
        before.server_close()


def test_a_server_that_somebody_else_started_is_asked_and_left_alone(tmp_path: Path) -> None:
    """What can be proven of it is decided, sizes that it does not show are not; it goes on, and the key is nowhere."""
    key = "somebody-elses-key"
    with somebody_elses(tmp_path, key) as url, gateway(url) as before:
        file = tmp_path / "smollm2.toml"
        file.write_text(ATTACHED.format(url=url, gateway=before, models=MODELS, root=ROOT), encoding="utf-8")
        refused = accept(tmp_path, file)
        assert f"It wants a key: set {KEY_VARIABLE}" in refused.stdout
        done = accept(tmp_path, file, **{KEY_VARIABLE: key})
        run = report(tmp_path)
        assert httpx2.get(f"{url}/health", trust_env=False).status_code == 200  # nobody stopped it
    verdicts = {verdict["claim"]: verdict for verdict in run["verdicts"]}
    assert verdicts["multiple_choice"]["outcome"] != "invalid", done.stdout
    assert verdicts["multiple_choice"]["statistics"]["n"] == 12
    assert verdicts["weight_size"]["outcome"] == verdicts["cache_headroom"]["outcome"] == "invalid"
    assert "does not show its weight files" in verdicts["weight_size"]["reasons"][0]
    assert "smol-w8 was attached, and its server does not show its cache" in verdicts["cache_headroom"]["reasons"][0]
    said = {each.partition(":")[0]: each for each in run["disclosures"]}
    assert "attached; nothing was booted; not proven: that the files in" in said["original"]
    assert "the size of its cache" not in said["original"]
    assert "which weights, tokenizer and template it has loaded (it says /models/smol-w8)" in said["smol-w8"]
    for open_ in ("the flags max_model_len, seed, hf_overrides", "the size of its cache", "its engine's version"):
        assert open_ in said["smol-w8"]
    for found in (tmp_path / "reports").rglob("*"):
        assert not found.is_file() or key.encode() not in found.read_bytes(), found


def test_only_what_the_suite_says_is_compared(tmp_path: Path) -> None:
    """The suite of these tests is the embedded one, but for how it is brought up."""
    found = suite.load(suite_file(tmp_path, f'python = "{ENGINE}"\n'))
    shipped = suite.load(ROOT / "fixtures" / "suites" / "smollm2.toml")
    assert replace(found, file=shipped.file, folder=shipped.folder, claims=shipped.claims).flags == shipped.flags
