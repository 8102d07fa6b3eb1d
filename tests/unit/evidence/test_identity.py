"""What makes a build's evidence its own."""

import json
import platform
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evidence_bench import INVENTORY

from twx_accept.domain.exchange import canonical, digest
from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.errors import UsageError
from twx_accept.evidence import contents
from twx_accept.evidence import identity as module
from twx_accept.evidence.contents import by_content
from twx_accept.evidence.identity import engine_versions, identity


def program(path: Path, script: str) -> Path:
    """An executable that stands as the engine's python."""
    path.write_text(script)
    path.chmod(0o755)
    return path


def engine(path: Path, **versions: str) -> Path:
    """An engine's python with those packages."""
    return program(path, f"#!/bin/sh\necho '{json.dumps({'python': '3.12.1', **versions})}'\n")


def suite_at(folder: Path, **parts: Any) -> Suite:
    """A suite in a folder, with its build in the folder too."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = parts.pop("environment", {"VLLM_CPU_KVCACHE_SPACE": "1"})
    build = Build(name="m", title="M", path=folder / "m", flags={"quantization": "x"}, digests={})
    values: dict[str, Any] = {
        "flags": {"seed": 0, "hf_overrides": {"head_dtype": "float32"}},
        "asking": Asking(concurrency=8, prompts_per_request=16, timeout_seconds=300, attempts=4),
    }
    return Suite(
        **{
            "name": "s",
            "title": "S",
            "version": 1,
            "demonstration": True,
            "file": folder / "s.toml",
            "folder": folder,
            "original": build,
            "builds": (),
            "may_differ": (),
            "claims": {},
            "engine": Engine(
                python=engine(folder / "python", vllm="0.32.0"),
                device="cpu",
                environment=environment,
                ready_seconds=1,
                stop_seconds=1,
                memory_seconds=1,
            ),
            **values,
            **parts,
        }
    )


def of(suite: Suite, cards: Any = None, inventory: Any = INVENTORY) -> dict[str, Any]:
    """The identity of the suite's original."""
    return identity(suite, suite.original, inventory, cards or {}, engine_versions([str(suite.engine.python)]))


def test_places_ports_and_secrets_are_in_no_identity(tmp_path: Path) -> None:
    """The same build in another folder, with other ports, keys and caches, has the same identity."""
    one = {"VLLM_PORT": "8000", "HF_TOKEN": "secret", "HF_HOME": "/one", "MASTER_HOST": "a", "VLLM_X": "1"}
    other = {"VLLM_PORT": "8001", "HF_TOKEN": "hidden", "HF_HOME": "/other", "VLLM_API_KEY": "k", "VLLM_X": "1"}
    first = of(suite_at(tmp_path / "one", environment=one))
    assert first == of(suite_at(tmp_path / "other", environment=other))
    assert first["engine"]["environment"] == {"VLLM_X": "1"}
    text = canonical(first).decode()
    for word in (str(tmp_path), "/one", "secret", "8000"):
        assert word not in text


def test_which_of_several_like_cards_is_in_no_identity(tmp_path: Path) -> None:
    """Number and kind of cards are, so that evidence from one slot of a machine answers for another."""
    kinds = {"cards": [["NVIDIA B300", 80]] * 2, "driver": "575"}
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    slots = [{"CUDA_VISIBLE_DEVICES": "0,1", **order}, {"CUDA_VISIBLE_DEVICES": "GPU-2,GPU-3"}, {}]
    found = [of(suite_at(tmp_path / "one", environment={**slot, "VLLM_X": "1"}), kinds) for slot in slots]
    assert found[0] == found[1] == found[2]
    assert found[0]["machine"]["cards"] == kinds["cards"]
    assert of(suite_at(tmp_path / "one"), {**kinds, "cards": kinds["cards"][:1]}) != found[0]


def test_it_is_json_that_comes_back(tmp_path: Path) -> None:
    """An identity survives being stored."""
    found = of(suite_at(tmp_path), {"cards": ["H200"], "driver": "580"})
    assert json.loads(canonical(found)) == found


CHANGES: dict[str, Any] = {
    "flags": {"flags": {"seed": 1}},
    "concurrency": {"asking": Asking(concurrency=1, prompts_per_request=16, timeout_seconds=300, attempts=4)},
    "prompts": {"asking": Asking(concurrency=8, prompts_per_request=1, timeout_seconds=300, attempts=4)},
    "environment": {"environment": {"VLLM_CPU_KVCACHE_SPACE": "2"}},
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_can_change_an_answer_changes_the_identity(name: str, tmp_path: Path) -> None:
    """Flags, the way of asking and the engine's environment each make another identity."""
    assert digest(of(suite_at(tmp_path, **CHANGES[name]))) != digest(of(suite_at(tmp_path)))


def test_weights_cards_and_versions_change_the_identity(tmp_path: Path) -> None:
    """Other weights or another configuration, engine or card make another identity; time-outs do not."""
    suite = suite_at(tmp_path)
    known = of(suite)
    for name in INVENTORY.digests:
        assert of(suite, inventory=replace(INVENTORY, digests={**INVENTORY.digests, name: "c"})) != known
    assert of(suite, {"driver": "580"}) != known
    newer = replace(suite.engine, python=engine(tmp_path / "newer", vllm="0.33.0"))
    assert of(replace(suite, engine=newer)) != known
    assert of(replace(suite, asking=replace(suite.asking, timeout_seconds=1, attempts=1))) == known


def test_a_flag_that_names_a_file_counts_by_what_is_in_it(tmp_path: Path) -> None:
    """A chat template's text makes the identity, not its place."""
    found = []
    for folder, text in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.jinja").write_text(text)
        flags = {"chat_template": str(tmp_path / folder / "t.jinja")}
        found.append(of(suite_at(tmp_path / folder, flags=flags)))
    assert found[0] == found[1] != found[2]
    assert str(tmp_path) not in canonical(found[0]).decode()


def test_versions_are_read_without_importing_the_engine() -> None:
    """A real python answers with its version; one without vLLM is refused, with the cure."""
    with pytest.raises(UsageError, match=r"has no vLLM; make it \(`python scripts/make_engine.py`"):
        engine_versions([sys.executable])


def test_versions_are_those_that_the_server_will_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package in this run's folder or on its PYTHONPATH is not the server's; what a wrapper sets is."""
    for name in ("here", "own"):
        metadata = tmp_path / name / f"vllm-9.9.{len(name)}.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: 9.9.{len(name)}\n")
    monkeypatch.chdir(tmp_path / "here")
    for name, value in (("PYTHONPATH", str(tmp_path / "here")), ("PYTHONPATH", ""), ("PYTHONSAFEPATH", "")):
        monkeypatch.setenv(name, value)
        with pytest.raises(UsageError, match="has no vLLM"):
            engine_versions([sys.executable])
    unset = program(tmp_path / "unset", f'#!/bin/sh\nexec env -u PYTHONSAFEPATH {sys.executable} "$@"\n')
    with pytest.raises(UsageError, match="has no vLLM"):  # a container gets no variable of ours, nor does Python 3.10
        engine_versions([str(unset)])
    wrapper = program(tmp_path / "python", f'#!/bin/sh\nPYTHONPATH={tmp_path}/own exec {sys.executable} "$@"\n')
    assert engine_versions([str(wrapper)])["vllm"] == "9.9.3"


def test_both_packages_of_the_engine_are_known(tmp_path: Path) -> None:
    """The engine's package for CPUs has a name of its own."""
    versions = engine_versions([str(engine(tmp_path / "python", **{"vllm-cpu": "0.32.0", "torch": "2.13"}))])
    assert versions == {"python": "3.12.1", "vllm-cpu": "0.32.0", "torch": "2.13"}


def test_an_engine_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A missing python, a file without the right to run and a folder are named, with the cure."""
    (tmp_path / "plain").write_text("")
    (tmp_path / "folder").mkdir()
    for name in ("missing", "plain", "folder"):
        with pytest.raises(UsageError, match=f"{name}: the engine's python is not there; make it"):
            engine_versions([str(tmp_path / name)])


BROKEN = {
    "fails": "#!/bin/sh\nexit 3\n",
    "is no program": "surely no program",
    "has no interpreter": "#!/nowhere/python\n",
    "says nothing": "#!/bin/sh\n",
    "chatters": "#!/bin/sh\necho hello\n",
    "says a list": "#!/bin/sh\necho '[]'\n",
    "says a number": "#!/bin/sh\necho 3\n",
    "says numbers": "#!/bin/sh\necho '{\"vllm\": 3}'\n",
    "is killed": "#!/bin/sh\nkill -9 $$\n",
    "is silent": "#!/bin/sh\nexec sleep 60\n",
    "says no text": "#!/bin/sh\nprintf '\\377'\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_engine_that_is_broken_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in the place of the engine's python, the error names it and the cure."""
    monkeypatch.setattr(module, "PROBE_SECONDS", 0.5)
    python = program(tmp_path / "python", BROKEN[name])
    with pytest.raises(UsageError, match=r"python: .*make_engine"):
        engine_versions([str(python)])


def test_an_engine_that_reads_its_input_does_not_wait_for_us(tmp_path: Path) -> None:
    """A program that wants input gets none."""
    with pytest.raises(UsageError, match="does not run"):
        engine_versions([str(program(tmp_path / "python", "#!/bin/sh\nexec cat\n"))])


def test_a_python_in_an_image_has_a_cure_of_its_own(tmp_path: Path) -> None:
    """Of a long command the ends are named, with what the command said and the cure for an image."""
    docker = program(tmp_path / "docker", "#!/bin/sh\necho 'no such file: python3' >&2\nexit 127\n")
    told = r"docker \.\.\. image: .*\(exit status 127: no such file: python3\); name an image with vLLM in it"
    with pytest.raises(UsageError, match=told):
        engine_versions([str(docker), "run", "image"])


def test_the_machine_is_a_class_and_no_name() -> None:
    """Architecture, processor and cores: nothing that tells two equal machines apart."""
    found = module.machine()
    assert set(found) == {"architecture", "processor", "cores"}
    assert platform.node() not in str(found["processor"])


def folder_of(folder: Path, **files: str) -> Path:
    """A folder with those files."""
    (folder / "inner").mkdir(parents=True)
    for name, text in files.items():
        (folder / "inner" / name).write_text(text)
    return folder


FORMS: dict[str, Any] = {
    "a flag": lambda path: {"flags": {"tokenizer": path}},
    "a table": lambda path: {"flags": {"speculative_config": {"model": path, "n": [1, path]}}},
    "a table as text": lambda path: {"flags": {"speculative_config": json.dumps({"model": path})}},
    "a variable": lambda path: {"environment": {"VLLM_TUNED_CONFIG_FOLDER": path}},
    "a list of places": lambda path: {"environment": {"LD_LIBRARY_PATH": f"/nowhere:{path}"}},
}


@pytest.mark.parametrize("form", FORMS)
def test_what_names_a_folder_counts_by_what_is_in_it(tmp_path: Path, form: str) -> None:
    """Names and contents make the identity, wherever the folder lies; what a Python writes there does not."""
    found = []
    for number, files in enumerate(({"a": "one"}, {"a": "one"}, {"a": "two"}, {"b": "one"}, {"a": "one", "b": ""})):
        folder = folder_of(tmp_path / str(number) / "x", **files)
        folder_of(folder / "__pycache__", a=str(number))
        found.append(of(suite_at(tmp_path / "suite", **FORMS[form](str(folder)))))
    assert found[0] == found[1]
    assert len({digest(each) for each in found}) == 4
    assert str(tmp_path) not in canonical(found[0]).decode()


def test_a_library_counts_by_what_is_in_it(tmp_path: Path) -> None:
    """A variable that names a file counts by it."""
    found = []
    for number, text in enumerate(("one", "one", "two")):
        file = folder_of(tmp_path / str(number), a=text) / "inner" / "a"
        found.append(of(suite_at(tmp_path / "suite", environment={"LD_PRELOAD": str(file)})))
    assert found[0] == found[1] != found[2]


def test_the_end_of_a_large_file_counts(tmp_path: Path) -> None:
    """Weights of one size and shape have the same beginning."""
    found = set()
    for number, end in enumerate("xyx"):
        folder = folder_of(tmp_path / str(number), weights="0" * 3 * 2**20 + end)
        found.add(digest(of(suite_at(tmp_path / "suite", flags={"tokenizer": str(folder)}))))
    assert len(found) == 2


def test_what_cannot_be_looked_into_counts_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an image, empty, or too large: another path is another identity."""
    monkeypatch.setattr(contents, "MOST_FILES", 3)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".hidden").write_text("")
    many = folder_of(tmp_path / "many", **dict.fromkeys("abc", ""))
    for path in ("/nowhere/tuned", str(tmp_path / "empty"), str(many), "~nobody-is-called-so/x", "/a\0b"):
        suite = suite_at(tmp_path / "suite", environment={"VLLM_TUNED_CONFIG_FOLDER": path}, flags={"tokenizer": path})
        found = of(suite)
        assert found["engine"]["environment"] == {"VLLM_TUNED_CONFIG_FOLDER": path}
        assert found["flags"]["tokenizer"] == path


def test_a_relative_path_begins_at_the_suite(tmp_path: Path) -> None:
    """As it does for the engine, whichever folder the run is in; the name of a model at a hub is none."""
    folder_of(tmp_path / "suite" / "own", a="one")
    found = of(suite_at(tmp_path / "suite", flags={"tokenizer": "own/inner", "hf_config_path": "somebody/model"}))
    assert found["flags"]["tokenizer"].startswith("sha256:")
    assert found["flags"]["hf_config_path"] == "somebody/model"


def test_a_template_in_the_flags_counts_by_its_text(tmp_path: Path) -> None:
    """A flag that is a chat template itself, longer than any path may be, is no file and raises nothing."""
    for text in ("{% for m in messages %}</s>" * 400, "a/\0b", "{" * 100_000, '{"a": "b/c"}', 7, True, {"a": 1}):
        assert by_content(text, tmp_path) == text
    file = tmp_path / "template.jinja"
    file.write_text("x")
    assert str(by_content(str(file), tmp_path)).startswith("sha256:")
