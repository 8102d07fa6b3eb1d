"""Weights as they arrive from a copy that broke off, a mirror that lied, or nowhere."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from twx_accept.doctor import Level
from twx_accept.doctor.checks import tokenizer, weights


def shard(file: Path, name: str, size: int = 100) -> None:
    """A safetensors file with one tensor."""
    header = json.dumps({name: {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(size))


def sharded(folder: Path) -> Path:
    """The model in two shards with an index; the answer is the index."""
    (folder / "model.safetensors").unlink()
    for number in (1, 2):
        shard(folder / f"model-{number}.safetensors", f"layer.{number}")
    index = folder / "model.safetensors.index.json"
    names = {f"layer.{number}": f"model-{number}.safetensors" for number in (1, 2)}
    index.write_text(json.dumps({"metadata": {}, "weight_map": names}))
    return index


@pytest.fixture
def told(node_of: Any, look: Any, faults: Any) -> Callable[[], list[str]]:
    """The faults of the check, each without the name of the build that all of them are about."""

    def check() -> list[str]:
        found = faults(look(weights, node_of()))
        assert all(each.startswith("good: ") for each in found)
        return [each.removeprefix("good: ") for each in found]

    return check


@pytest.fixture
def good(project: Any) -> Path:
    """The folder of the build."""
    return project.root / "models" / "good"


def test_whole_builds_are_ok(node_of: Any, look: Any) -> None:
    """Each build has its number of files, its size and its tensors in one line."""
    findings = look(weights, node_of())
    assert {each.level for each in findings} == {Level.OK}
    assert findings[1].what.startswith("good: 1 file, 0 MB, 1 tensors, every header whole")


def test_shards_that_the_index_names_are_found(good: Path, told: Any) -> None:
    """An index whose shards are there, with the tensors that it says, is no fault."""
    sharded(good)
    assert told() == []


def test_an_absent_and_an_unknown_shard_are_named(good: Path, told: Any) -> None:
    """What the index names and what is there are held against each other."""
    sharded(good)
    (good / "model-2.safetensors").rename(good / "model-3.safetensors")
    assert told() == [
        "model.safetensors.index.json names shards that are absent: model-2.safetensors",
        "shards are present but not in model.safetensors.index.json: model-3.safetensors",
    ]


def test_a_tensor_in_no_shard_is_named(good: Path, told: Any) -> None:
    """A shard of another version has other tensors than the index says."""
    sharded(good)
    shard(good / "model-2.safetensors", "layer.9")
    assert told() == ["model.safetensors.index.json says that model-2.safetensors holds layer.2, which it does not"]


@pytest.mark.parametrize(
    ("metadata", "level"),
    [
        ({"total_size": 200}, Level.OK),
        ({"total_size": 201}, Level.WARNING),
        ({"total_size": "many"}, Level.OK),
        ([], Level.OK),
        (None, Level.OK),
    ],
)
def test_another_total_in_the_index_is_a_warning(
    good: Path, node_of: Any, look: Any, metadata: Any, level: Level
) -> None:
    """Some tools count otherwise, so it stops nothing; what is no number says nothing."""
    index = sharded(good)
    index.write_text(json.dumps(json.loads(index.read_text()) | {"metadata": metadata}))
    assert look(weights, node_of())[1].level is level


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "null", "{", '{"weight_map": null}', '{"weight_map": [1]}', '{"weight_map": {"a": ["b"]}}'),
        *("[" * 10_000, '{"weight_map": {"a": {"b": 1}}}', "\ufffd\0"),
    ],
)
def test_an_index_that_is_none_is_a_fault(good: Path, told: Any, content: str) -> None:
    """Whatever stands in it, it is told that it cannot be read, and the check goes on."""
    sharded(good).write_text(content)
    assert any("model.safetensors.index.json cannot be read" in each for each in told())


@pytest.mark.parametrize("entry", ['"../../../etc/passwd"', '""', "7", "true", '"model-1.safetensors/"'])
def test_an_index_that_names_what_is_no_shard_is_a_fault(good: Path, told: Any, entry: str) -> None:
    """A name is only ever compared, never opened."""
    index = sharded(good)
    index.write_text(f'{{"weight_map": {{"layer.1": "model-1.safetensors", "layer.2": {entry}}}}}')
    assert any("names shards that are absent" in each for each in told())


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda _: b"", "its header would be 0 bytes in a file of 0"),
        (lambda data: data[:5], "its header would be"),
        (lambda data: data[:40], "its header would be"),
        (lambda data: data[:-1], "describes 2000 bytes of tensors, 1999 are there"),
        (lambda data: data + b"x", "describes 2000 bytes of tensors, 2001 are there"),
        (lambda data: (2**62).to_bytes(8, "little") + data[8:], "its header would be 4611686018427387904 bytes"),
        (lambda data: data[:8] + b"\xff" + data[9:], "its header is no safetensors header"),
        (
            lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
            "a pointer of Git LFS and no weights",
        ),
    ],
)
def test_a_file_that_is_not_whole_is_a_fault(good: Path, told: Any, spoil: Any, said: str) -> None:
    """Cut off anywhere, longer than it says, of another kind, or a pointer that was never fetched."""
    file = good / "model.safetensors"
    file.write_bytes(spoil(file.read_bytes()))
    (found,) = told()
    assert found.startswith("model.safetensors: ")
    assert said in found


def test_a_link_to_nothing_is_a_fault(good: Path, told: Any) -> None:
    """A hub's cache that was cleaned leaves links behind."""
    (good / "model.safetensors").unlink()
    (good / "model.safetensors").symlink_to("nowhere")
    assert told()[0] == "model.safetensors is no file, or a link to nothing"


def test_a_folder_without_weights_or_none_is_a_fault(good: Path, told: Any) -> None:
    """Both are told as what they are."""
    (good / "model.safetensors").unlink()
    assert told() == ["holds no weight files (safetensors, bin or gguf)"]
    good.rename(good.with_name("elsewhere"))
    assert told() == [f"no folder {good}"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no config.json"),
        ("", "config.json cannot be read (JSONDecodeError"),
        ("[" * 10_000, "config.json cannot be read (RecursionError"),
        ("[]", "config.json names neither architectures nor a model_type"),
        ('{"architectures": []}', "config.json names neither architectures nor a model_type"),
    ],
)
def test_a_configuration_that_is_none_is_a_fault(good: Path, told: Any, content: str | None, said: str) -> None:
    """No engine loads weights without it."""
    (good / "config.json").unlink() if content is None else (good / "config.json").write_text(content)
    (found,) = told()
    assert found.startswith(said)


def test_two_builds_in_one_folder_are_a_fault(project: Any, node_of: Any, look: Any, faults: Any) -> None:
    """A build that is compared with itself passes everything."""
    project.suite('path = "../../models/good"', 'path = "../../models/original"')
    assert "are one folder" in faults(look(weights, node_of()))[0]


def test_formats_without_a_header_are_counted_and_said_to_be_no_more(good: Path, node_of: Any, look: Any) -> None:
    """What is not read is not called whole."""
    (good / "model.safetensors").rename(good / "model.gguf")
    assert "their format has no header that is read" in look(weights, node_of())[1].what


def test_weights_elsewhere_are_not_checked(node_of: Any, look: Any) -> None:
    """An attached server's files lie with it."""
    for check in (weights, tokenizer):
        assert [each.level for each in look(check, node_of(launcher="attach"))] == [Level.UNCHECKED]


def test_another_tokenizer_is_a_fault(project: Any, good: Path, node_of: Any, look: Any, faults: Any) -> None:
    """By content, each file that differs, is absent or is there besides; one that has none at all too."""
    assert look(tokenizer, node_of())[0].what == "the same for 4 builds: tokenizer.json"
    (good / "tokenizer.json").write_text("{}")
    (good / "chat_template.jinja").write_text("x")
    (project.root / "models" / "weak" / "tokenizer.json").unlink()
    assert faults(look(tokenizer, node_of())) == [
        "weak: no tokenizer file at all",
        "good: chat_template.jinja, tokenizer.json are not the original's",
    ]


def test_without_the_originals_tokenizer_nothing_is_compared(
    project: Any, node_of: Any, look: Any, faults: Any
) -> None:
    """There is nothing to hold the others against, and no false fault about them."""
    (project.root / "models" / "original" / "tokenizer.json").unlink()
    assert faults(look(tokenizer, node_of())) == ["original: no tokenizer file at all"]
