"""Which files are a build's, which of them are weights, and what is wrong with them."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from evidence_bench import index, safetensors, without
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.domain.evidence import Inventory, Tensor
from twx_accept.errors import EvidenceError
from twx_accept.evidence.files import CONFIGURATION, TOKENIZER, part, take_inventory
from twx_accept.evidence.safetensors import LARGEST_HEADER, read_header


def inventory(folder: Path) -> Inventory:
    """The inventory, untold."""
    return take_inventory(folder, lambda *_: None)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder for a model."""
    (tmp_path / "model").mkdir()
    return tmp_path / "model"


def test_a_whole_build(model: Path) -> None:
    """Shards, index, tensors and every other file that matters are found, and nothing is wrong."""
    safetensors(model / "a.safetensors", {"x": 3, "y": 0})
    safetensors(model / "b.safetensors", {"z": 5})
    index(model, "a.safetensors", "b.safetensors")
    others = {
        *("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "tokenizer.model"),
        *("chat_template.jinja", "tiktoken.model", "tokenization_own.py", "modeling_own.py", "vocab.json"),
        *("spiece.model", "qwen.tiktoken", "hf_quant_config.json", "merges.txt", "preprocessor_config.json"),
    }
    for name in (*others, "README.md", "notes.txt"):
        (model / name).write_text(name)
    found = inventory(model)
    assert set(found.weights) == {"a.safetensors", "b.safetensors", "model.safetensors.index.json"}
    assert found.total_bytes == sum((model / name).stat().st_size for name in found.weights)
    assert set(found.digests) == others | set(found.weights)
    assert found.tensors["z"] == Tensor(dtype="U8", shape=(5,), bytes=5)
    assert found.problems == ()
    assert {"tiktoken.model", "tokenization_own.py", "qwen.tiktoken"} <= set(part(found, TOKENIZER))
    assert {"config.json", "modeling_own.py"} <= set(part(found, CONFIGURATION))


def test_one_format_counts_and_the_engines_first(model: Path) -> None:
    """Where several formats lie side by side only the one that the engine loads is counted."""
    for name in ("w.gguf", "pytorch_model.bin"):
        (model / name).write_bytes(b"12345")
    assert set(inventory(model).weights) == {"pytorch_model.bin"}
    safetensors(model / "model.safetensors", {"x": 1})
    assert set(inventory(model).weights) == {"model.safetensors"}
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").unlink()
    assert inventory(model).weights == {"w.gguf": 5}


def test_what_a_trainer_leaves_is_no_weight(model: Path) -> None:
    """Files of a trainer, hidden files and folders are not counted, because no engine loads them."""
    for name in ("training_args.bin", "optimizer.bin", "scheduler.bin", "._model.safetensors"):
        (model / name).write_bytes(b"12345")
    (model / "w.gguf").write_bytes(b"1")
    assert set(inventory(model).weights) == {"w.gguf"}


def test_an_index_names_what_is_absent_and_what_is_too_much(model: Path) -> None:
    """Shards that are not as the index says are named, all of them."""
    for name in ("a", "b", "c"):
        safetensors(model / f"{name}.safetensors", {name: 1})
    index(model, "a.safetensors", "d.safetensors", "e.safetensors", 7)
    absent, extra = inventory(model).problems
    assert absent.endswith("absent: 7, d.safetensors, e.safetensors")
    assert extra.endswith("not in model.safetensors.index.json: b.safetensors, c.safetensors")


def test_the_engines_own_index_is_the_one(model: Path) -> None:
    """Beside another index the one with the engine's name counts."""
    safetensors(model / "model.safetensors", {"x": 1})
    index(model, "model.safetensors")
    index(model, "other", kind="consolidated.safetensors.index.json")
    assert inventory(model).problems == ()


def test_an_index_of_another_format(model: Path) -> None:
    """The older format has its own index."""
    (model / "pytorch_model-1.bin").write_bytes(b"1")
    index(model, "pytorch_model-1.bin", "pytorch_model-2.bin", kind="pytorch_model.bin.index.json")
    (problem,) = inventory(model).problems
    assert "pytorch_model-2.bin" in problem


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"weight_map": 3}', '{"weight_map": {"a": {}}}', "[" * 100_000, "\udc80", "null"]
)
def test_an_index_that_cannot_be_read_is_a_problem(text: str, model: Path) -> None:
    """Whatever stands in the index is a problem with a name, and no crash."""
    safetensors(model / "a.safetensors", {"x": 1})
    (model / "model.safetensors.index.json").write_text(text, errors="surrogateescape")
    (problem,) = inventory(model).problems
    assert problem.startswith("model.safetensors.index.json cannot be read")


def test_a_snapshot_of_links_is_read_like_files(tmp_path: Path) -> None:
    """A hub's cache, whose snapshots are links to blobs, has the names of the links and the sizes of the blobs."""
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    for number, name in enumerate(("model-1.safetensors", "model-2.safetensors")):
        safetensors(blobs / f"{number:064}", {name: 10 + number})
        (snapshot / name).symlink_to(f"../../blobs/{number:064}")
    index(blobs, "model-1.safetensors", "model-2.safetensors", kind="i")
    (snapshot / "model.safetensors.index.json").symlink_to("../../blobs/i")
    found = inventory(snapshot)
    assert found.problems == ()
    assert set(found.weights) == {"model-1.safetensors", "model-2.safetensors", "model.safetensors.index.json"}
    assert found.weights["model-1.safetensors"] == (blobs / f"{0:064}").stat().st_size
    assert set(found.tensors) == {"model-1.safetensors", "model-2.safetensors"}


@pytest.mark.parametrize("named", ["a", "b", "c"])
@pytest.mark.parametrize("hard", [True, False])
def test_links_to_one_file_count_once_under_the_name_of_the_index(hard: bool, named: str, model: Path) -> None:
    """Of several links, soft or hard, the one counts that the index names, and none of them is too much."""
    file = safetensors(model / "b.safetensors", {"x": 100})
    for name in ("a", "c"):
        link = model / f"{name}.safetensors"
        link.hardlink_to(file) if hard else link.symlink_to(file)
    index(model, f"{named}.safetensors")
    found = inventory(model)
    assert found.problems == ()
    assert set(found.weights) == {f"{named}.safetensors", "model.safetensors.index.json"}


def test_two_shards_that_are_one_blob_are_both_there(model: Path) -> None:
    """An index may name two links to one file: neither is absent, and the bytes count once."""
    file = safetensors(model.parent / "blob", {"x": 100})
    for name in ("a", "b"):
        (model / f"{name}.safetensors").symlink_to(file)
    index(model, "a.safetensors", "b.safetensors")
    found = inventory(model)
    assert found.problems == ()
    assert set(found.weights) == {"a.safetensors", "model.safetensors.index.json"}


def test_links_to_nothing_are_problems(model: Path) -> None:
    """A link that leads nowhere, or to itself, or a folder with a shard's name, is named and not passed over."""
    (model / "a.safetensors").symlink_to("nowhere")
    (model / "b.safetensors").symlink_to("b.safetensors")
    (model / "c.safetensors").mkdir()
    (model / "config.json").symlink_to("nowhere")
    (model / "model.safetensors.index.json").symlink_to("nowhere")
    found = inventory(model)
    assert found.weights == {}
    assert [problem.partition(" is no file")[0] for problem in found.problems] == [f"{n}.safetensors" for n in "abc"]


def test_an_empty_folder_has_no_weights(model: Path) -> None:
    """Without weights the inventory is empty; the claims say what that means."""
    found = inventory(model)
    assert (found.weights, found.total_bytes, found.digests) == ({}, 0, {})


def test_what_is_no_folder_is_an_error(tmp_path: Path) -> None:
    """A file, a link to nothing and a wrong path are errors that name the path and the cure."""
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link", "wrong"):
        with pytest.raises(EvidenceError, match=f"{name}: no such model folder; make it"):
            inventory(tmp_path / name)


def test_a_file_that_cannot_be_read_is_an_error(model: Path) -> None:
    """Without the right to read a shard there is an error that names it, and no smaller build."""
    file = safetensors(model / "a.safetensors", {"x": 1})
    with without(file), pytest.raises(EvidenceError, match=r"a\.safetensors.*right to read"):
        inventory(model)


@pytest.mark.parametrize("size", range(8))
def test_a_file_shorter_than_its_first_number_is_a_problem(size: int, model: Path) -> None:
    """A file without a whole length is truncated."""
    (model / "a.safetensors").write_bytes(bytes(size))
    (problem,) = inventory(model).problems
    assert problem.startswith("a.safetensors: its header would be")


def test_a_pointer_of_git_lfs_is_told_as_one(model: Path) -> None:
    """Who cloned without the large files is told how to get them."""
    (model / "a.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n")
    (problem,) = inventory(model).problems
    assert problem == "a.safetensors: a pointer of Git LFS and no weights; fetch them with `git lfs pull`"


@pytest.mark.parametrize("length", [1, 3, LARGEST_HEADER + 1, 2**63, 2**64 - 1])
def test_a_header_that_cannot_be_so_long_is_not_read(length: int, model: Path) -> None:
    """A hostile length is refused before anything is read or reserved."""
    (model / "a.safetensors").write_bytes(length.to_bytes(8, "little") + b"{")
    (problem,) = inventory(model).problems
    assert problem.startswith("a.safetensors: ")


def spans(*offsets: Any, shape: Any = (), dtype: Any = "U8") -> dict[str, Any]:
    """A header of tensors with those offsets."""
    return {f"t{n}": {"dtype": dtype, "shape": shape, "data_offsets": each} for n, each in enumerate(offsets)}


@pytest.mark.parametrize(
    "header",
    [
        *(b"", b"[]", b"3", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": 3}', b'{"a": {}}', b"null"),
        *(b'{"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1e999]}}', b'{"a": NaN}'),
        *(spans([0]), spans([0, 5, 5]), spans("05"), spans([0, "10"]), spans([0, 10.0]), spans([False, 10])),
        *(spans([0, 9]), spans([0, 11]), spans([-1, 10]), spans([10, 0]), spans([1, 10]), spans([0, 2**70])),
        *(spans([0, 5], [4, 10]), spans([0, 4], [5, 10]), spans([0, 10], [0, 10]), spans([0, 4], [10, 4], [4, 10])),
        *(spans([0, 10], shape="10"), spans([0, 10], shape=[-1]), spans([0, 10], shape=[10.5])),
        *(spans([0, 10], shape=3), spans([0, 10], dtype=None), {}),
    ],
)
def test_a_header_that_does_not_describe_its_file_is_a_problem(header: Any, model: Path) -> None:
    """No JSON, wrong forms, and offsets that overlap, leave gaps or miss the file's end are named."""
    safetensors(model / "a.safetensors", {}, header=header, more=10)
    (problem,) = inventory(model).problems
    assert problem.startswith("a.safetensors: ")
    assert problem.endswith("fetch the build again")


@pytest.mark.parametrize(("cut", "more"), [(1, 0), (5, 0), (0, 1), (100, 0)])
def test_a_file_that_is_not_whole_is_a_problem(cut: int, more: int, model: Path) -> None:
    """One byte too few or too many is seen without reading the tensors."""
    safetensors(model / "a.safetensors", {"x": 50, "y": 50}, cut=cut, more=more)
    (problem,) = inventory(model).problems
    assert "a.safetensors" in problem


def test_a_header_with_metadata_and_padding_is_read(model: Path) -> None:
    """Metadata are no tensor, order is free, and blanks after the JSON belong to the format."""
    entries = spans([5, 10], [0, 5], [10, 10], shape=[1]) | {"__metadata__": {"format": "pt"}}
    file = safetensors(model / "a.safetensors", {}, header=json.dumps(entries).encode() + b"   ", more=10)
    assert {name: tensor.bytes for name, tensor in read_header(file).items()} == {"t0": 5, "t1": 5, "t2": 0}


@settings(max_examples=200, deadline=None)
@given(raw=st.binary(max_size=80), length=st.none() | st.integers(0, 90))
def test_no_bytes_break_the_reading(tmp_path_factory: pytest.TempPathFactory, raw: bytes, length: int | None) -> None:
    """Any bytes at all are a header or an error of ours."""
    file = tmp_path_factory.getbasetemp() / "any.safetensors"
    file.write_bytes(raw if length is None else length.to_bytes(8, "little") + raw)
    with contextlib.suppress(EvidenceError):
        read_header(file)
