"""The host: memory, disk, sockets, engine, compilers; and what the claims need of it."""

import shutil
import tempfile
from collections import namedtuple
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from fake_vllm import engine_python
from twx_accept.doctor import Level, examine
from twx_accept.doctor.checks import compiler, cores, disk, engine, host_memory, marks, sockets, sources
from twx_accept.doctor.finding import in_two
from twx_accept.domain.suite import Container
from twx_accept.errors import ServingError, UsageError
from twx_accept.serving.holding import GIB

OK, WARNING, FAULT, UNCHECKED = Level
Usage = namedtuple("Usage", "total used free")


def levels(findings: Any) -> list[Level]:
    """How bad each is."""
    return [each.level for each in findings]


def test_a_good_node_has_no_fault(node_of: Any) -> None:
    """Every check has something to say, and nothing stands in the way."""
    findings = list(examine(node_of(environment={"VLLM_CPU_KVCACHE_SPACE": "0.1"})))
    assert [each for each in findings if each.level is FAULT] == []
    assert len({each.check for each in findings}) == 13
    assert all(each.what == each.what.strip() and "\n" not in each.what for each in findings)


def test_a_check_that_cannot_look_stops_no_other(node_of: Any, monkeypatch: Any) -> None:
    """An error of the system is "not checked", one of ours is a fault with its cure."""

    def broken(error: Exception) -> Any:
        def check(*_: Any) -> Any:
            raise error
            yield

        return check

    monkeypatch.setattr(disk, "check", broken(OSError("I/O error")))
    monkeypatch.setattr(sockets, "check", broken(UsageError("x is 1; make it 2")))
    found = {each.check: each for each in examine(node_of())}
    assert (found["disk"].level, found["disk"].what) == (UNCHECKED, "it could not be looked at: I/O error")
    assert (found["sockets"].level, found["sockets"].what, found["sockets"].cure) == (FAULT, "x is 1", "make it 2")
    assert found["marks"].level is OK


@pytest.mark.parametrize(
    ("logical", "physical", "environment", "level", "told"),
    [
        (2, 2, {}, WARNING, "keeps 1 of 2 cores back, and computes on 1"),
        (4, 2, {}, WARNING, "keeps 1 of 2 cores back, and computes on 1"),
        (8, 4, {"VLLM_CPU_OMP_THREADS_BIND": "auto"}, WARNING, "keeps 1 of 4 cores back, and computes on 3"),
        (2, 1, {}, OK, "computes on 1 of 1 physical"),  # there is none to keep back
        (1, None, {}, OK, "computes on 1 of 1 physical"),
        (16, 8, {}, OK, "computes on 7 of 8 physical cores"),
        (2, 2, {"VLLM_CPU_NUM_OF_RESERVED_CPU": "0"}, OK, "2 physical cores here; the engine is told to keep 0 back"),
        (2, 2, {"VLLM_CPU_OMP_THREADS_BIND": "0,1"}, OK, "says which cores compute: 0,1"),
        (2, 2, {"VLLM_CPU_OMP_THREADS_BIND": "nobind"}, WARNING, "bound to no core"),
    ],
)
def test_a_core_that_is_kept_back_is_told_where_there_are_few(
    node_of: Any,
    look: Any,
    monkeypatch: Any,
    logical: int,
    physical: int | None,
    environment: dict[str, str],
    level: Level,
    told: str,
) -> None:
    """Half of two cores is worth a word, one of eight is not, and whoever has said so is not asked again."""
    monkeypatch.setattr(cores, "cores", lambda: logical)
    monkeypatch.setattr(psutil, "cpu_count", lambda logical=logical: physical if logical is False else logical)
    (found,) = look(cores, node_of(environment=environment))
    assert (found.level, told in found.what) == (level, True), found.what


def test_each_worker_keeps_a_core_back(node_of: Any, look: Any, monkeypatch: Any) -> None:
    """Two slices of a model keep two, where there are more."""
    monkeypatch.setattr(cores, "cores", lambda: 4)
    monkeypatch.setattr(psutil, "cpu_count", lambda **_: 4)
    (found,) = look(cores, node_of(environment={}, flags={"tensor_parallel_size": 2}))
    assert found.what == "the engine keeps 2 of 4 cores back, and computes on 2"


def test_cards_have_no_such_cores(node_of: Any, look: Any) -> None:
    """Nothing is said of an engine that computes elsewhere, or is somebody else's."""
    assert look(cores, node_of(device="cuda")) == []
    assert look(cores, node_of(launcher="attach")) == []


def test_an_error_is_told_as_value_and_cure() -> None:
    """The cure is what comes last."""
    assert in_two(UsageError("a is 1; b is 2; make both 3")) == ("a is 1; b is 2", "make both 3")
    assert in_two(ServingError("no driver:\n 1.5. Look. Then ask.")) == ("no driver: 1.5", "Look. Then ask.")
    assert in_two(UsageError("nothing to do")) == ("nothing to do", "")


@pytest.mark.parametrize(
    ("told", "free", "expected"),
    [
        ("1", 2 * GIB, [OK]),
        ("1", GIB, [FAULT]),
        ("many", 9 * GIB, [FAULT]),
        (None, 9 * GIB, [WARNING, OK]),
    ],
)
def test_a_cpu_must_have_room_for_weights_and_cache(
    node_of: Any, look: Any, monkeypatch: Any, told: str | None, free: int, expected: list[Level]
) -> None:
    """The cache is what the engine is told; without a word it takes what it likes."""
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=free))
    environment = {} if told is None else {"VLLM_CPU_KVCACHE_SPACE": told}
    assert levels(look(host_memory, node_of(environment=environment))) == expected


def test_little_memory_beside_cards_is_a_warning(node_of: Any, look: Any, monkeypatch: Any) -> None:
    """Weights pass through it, and workers share some of it."""
    node = node_of(device="cuda")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=10))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, 0))
    found = look(host_memory, node)
    assert levels(found) == [WARNING, WARNING]
    assert found[1].what.endswith("shm has 0.0 GiB free")


def test_room_for_evidence_is_measured_by_what_is_kept(node_of: Any, look: Any, monkeypatch: Any) -> None:
    """Without any it is an estimate and called one; too little is a warning with the figure."""
    node = node_of()
    assert "an estimate without any kept, 1.0 GB a build" in look(disk, node)[0].what
    node.evidence.mkdir(parents=True)
    (node.evidence / "e.sqlite").write_bytes(bytes(3_000_000))
    assert "15 MB needed (the largest kept so far, 3 MB a build)" in look(disk, node)[0].what
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, 14_000_000))
    found = look(disk, node)[0]
    assert found.level is WARNING
    assert "14 MB free for evidence" in found.what


def test_a_folder_that_cannot_be_written_is_a_fault(node_of: Any, look: Any, monkeypatch: Any) -> None:
    """Found by writing: a full disk and a read-only mount have rights too."""

    def refuse(**_: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert levels(look(disk, node_of())) == [FAULT, WARNING]


def test_the_engines_caches_lie_where_the_engine_looks(node_of: Any, look: Any, tmp_path: Path) -> None:
    """By its own variable, by the user's cache, in the user's home."""
    assert disk.engine_cache({"VLLM_CACHE_ROOT": "/a", "XDG_CACHE_HOME": "/b"}) == Path("/a")
    assert disk.engine_cache({"XDG_CACHE_HOME": "/b", "HOME": "/c"}) == Path("/b/vllm")
    assert disk.engine_cache({"HOME": "/c"}) == Path("/c/.cache/vllm")
    found = look(disk, node_of(device="cuda", environment={"VLLM_CACHE_ROOT": str(tmp_path)}))
    assert f"for the engine's caches in {tmp_path}; 10.0 GB needed (a rule of thumb)" in found[1].what


def test_a_socket_is_tried_where_a_server_would_have_it(node_of: Any, look: Any, monkeypatch: Any) -> None:
    """A path that is too long falls back to a short one; a folder that is not there is a fault with the cure."""
    assert levels(look(sockets, node_of())) == [OK]
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    (found,) = look(sockets, node_of())
    assert (found.level, found.cure.partition(" ")[0]) == (FAULT, "set")
    assert "/nowhere" in found.what


@pytest.mark.parametrize(("mode", "length", "said"), [(0o755, 100, "mode 0755: others"), (0o700, 1, "more than 1")])
def test_a_folder_that_others_could_enter_is_a_fault(
    node_of: Any, look: Any, monkeypatch: Any, tmp_path: Path, mode: int, length: int, said: str
) -> None:
    """Whoever reaches the socket may tell the server what to do."""
    tmp_path.chmod(mode)
    monkeypatch.setattr(sockets, "socket_folder", lambda: nullcontext(tmp_path))
    monkeypatch.setattr(sockets, "LONGEST_SOCKET_PATH", length)
    (found,) = look(sockets, node_of())
    assert found.level is FAULT
    assert said in found.what


def test_an_engine_is_started_for_its_versions(project: Any, node_of: Any, look: Any) -> None:
    """Its versions are told; a version that this project was not run with is a warning."""
    found = look(engine, node_of())
    assert found[0].what == "python 3.12.0, vllm 0.32.0"
    assert levels(found)[0] is OK
    program = engine_python(project.root / "engine")
    program.write_text('#!/bin/sh\necho \'{"python": "3.12", "vllm": "9.1.0"}\'\n')
    assert levels(look(engine, node_of()))[:2] == [OK, WARNING]
    program.write_text('#!/bin/sh\necho \'{"python": "3.12", "vllm": "main"}\'\n')
    assert levels(look(engine, node_of()))[:2] == [OK, UNCHECKED]


@pytest.mark.parametrize(
    "program", ["", "#!/bin/sh\nexit 3\n", "#!/bin/sh\necho hello\n", "#!/bin/sh\necho '{}'\n", None]
)
def test_an_engine_that_does_not_start_is_a_fault(project: Any, node_of: Any, program: str | None) -> None:
    """Absent, failing, no python at all, or one without vLLM."""
    file = engine_python(project.root / "engine")
    file.unlink() if program is None else file.write_text(program)
    (found,) = [each for each in examine(node_of()) if each.check == "engine"]
    assert found.level is FAULT
    assert found.cure


def test_an_image_that_is_not_here_is_a_fault(project: Any, node_of: Any) -> None:
    """What cannot be run is told by the launcher's own words."""
    image = "vllm@sha256:" + "0" * 64
    container = Container(
        image=image, program="no-such-docker", python="python3", shared_memory_gib=1, cache=project.root
    )
    node = node_of(launcher="container", container=container)
    found = [each for each in examine(node) if each.check == "engine"]
    assert levels(found) == [OK, FAULT]
    assert "no-such-docker" in found[1].what


def test_a_compiler_is_looked_for_where_the_engine_looks(
    node_of: Any, look: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    """On the path of its process: a fault on a CPU, warnings beside cards, not checked in somebody else's house."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    assert levels(look(compiler, node_of())) == [FAULT]
    assert levels(look(compiler, node_of(device="cuda", environment={"CUDA_HOME": str(tmp_path)}))) == [
        WARNING,
        WARNING,
    ]
    for name in ("g++", "gcc", "ninja", "nvcc", "my-cc"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert [each.what for each in look(compiler, node_of())] == [str(tmp_path / "g++")]
    assert levels(look(compiler, node_of(environment={"CXX": "no-such"}))) == [FAULT]
    assert levels(look(compiler, node_of(device="cuda", environment={"CC": "my-cc"}))) == [OK]
    for launcher in ("container", "attach"):
        assert levels(look(compiler, node_of(launcher=launcher))) == [UNCHECKED]


def test_a_source_that_fails_hides_no_other_claim(project: Any, node_of: Any, look: Any) -> None:
    """The claim is named with what is wrong with its source; its mark is not checked, and is not called changed."""
    assert levels(look(sources, node_of())) == [OK] * 3
    (project.root / "fixtures" / "questions" / "test.jsonl").write_text("{")
    node = node_of()
    found = look(sources, node)
    assert levels(found) == [OK, OK, FAULT]
    assert found[2].what.startswith("multiple_choice: ")
    assert levels(look(marks, node)) == [UNCHECKED]


def test_marks_are_held_against_the_suite(project: Any, node_of: Any, look: Any) -> None:
    """As registered, changed since, or not registered at all."""
    assert [each.what[:44] for each in look(marks, node_of())] == ["registered as they stand (ledger entry 1, he"]
    project.suite("margin_points = 20.0", "margin_points = 30.0")
    (found,) = look(marks, node_of())
    assert found.level is FAULT
    assert "margin.value was registered as" in found.what
    assert "twx-accept register tiny" in found.cure
    shutil.rmtree(project.root / "tests" / "acceptance" / "__marks__")
    (found,) = look(marks, node_of())
    assert (found.level, found.what) == (WARNING, "not registered: Weight size, Cache headroom, Quiz")
    shutil.rmtree(project.root / "tests")
    assert levels(look(marks, node_of())) == [UNCHECKED]


def test_a_forged_ledger_is_a_fault(project: Any, node_of: Any, look: Any) -> None:
    """Nothing can be decided under it."""
    file = project.root / "tests" / "acceptance" / "__marks__" / "tiny.ledger.jsonl"
    file.write_text(file.read_text().replace("2026", "2025"))
    assert levels(look(marks, node_of())) == [FAULT]
