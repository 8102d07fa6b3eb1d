"""The tokenizer of a random model."""

import json
from pathlib import Path
from typing import Any

import pytest

from twx_accept.errors import UsageError
from twx_accept.preparing.random_model.vocabulary import FILES, Vocabulary, copied, own


def described(folder: Path) -> dict[str, Any]:
    """The tokenizer's file."""
    found: dict[str, Any] = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("size", [259, 260, 320, 2048, 32_768])
def test_it_has_exactly_as_many_tokens_as_were_asked_for(tmp_path: Path, size: int) -> None:
    """Ids are 0 to size - 1, all 256 bytes among their texts; a merge makes a token that is there of two that are."""
    assert own(tmp_path, size) == Vocabulary(size=size, begin=1, end=2)
    model = described(tmp_path)["model"]
    assert sorted(model["vocab"].values()) == list(range(size))
    assert len([word for word in model["vocab"] if len(word) == 1]) == 256
    pairs = [merge.split(" ") for merge in model["merges"]]
    assert all(word in model["vocab"] for left, right in pairs for word in (left, right, left + right))
    assert len(model["merges"]) == size - 259


def test_an_answer_letter_after_a_space_is_one_token(tmp_path: Path) -> None:
    """Scoring by letter needs it."""
    own(tmp_path, 320)
    assert {"ĠA", "ĠB", "ĠC", "ĠD"} <= set(described(tmp_path)["model"]["vocab"])


def test_a_copied_tokenizer_says_its_size_and_its_ends(tmp_path: Path) -> None:
    """All its files and nothing else are copied; the largest id counts, also of an added token."""
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    out.mkdir()
    own(source, 300)
    text = described(source)
    text["added_tokens"].append({"id": 310, "content": "<extra>"})
    (source / "tokenizer.json").write_text(json.dumps(text), encoding="utf-8")
    (source / "model.safetensors").write_text("no tokenizer")
    assert copied(source, out) == Vocabulary(size=311, begin=1, end=2)
    there = {file.name for file in out.iterdir()}
    assert there == {"tokenizer.json", "tokenizer_config.json", "chat_template.jinja"} <= set(FILES)


def test_a_special_token_may_be_an_object_or_absent(tmp_path: Path) -> None:
    """Older settings hold an object with the text in it; without settings nothing is said of the ends."""
    own(tmp_path, 300)
    (tmp_path / "tokenizer_config.json").write_text('{"eos_token": {"content": "<|endoftext|>"}, "bos_token": null}')
    assert copied(tmp_path, None) == Vocabulary(size=300, begin=None, end=0)
    (tmp_path / "tokenizer_config.json").unlink()
    assert copied(tmp_path, None) == Vocabulary(size=300, begin=None, end=None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"added_tokens": [], "model": {"vocab": {}}}',
        '{"added_tokens": [], "model": {"vocab": {"a": "one"}}}',
        '{"added_tokens": [1], "model": {"vocab": {"a": 1}}}',
        "[" * 100_000,
    ],
)
def test_a_broken_tokenizer_is_refused(tmp_path: Path, text: str) -> None:
    """Whatever is wrong with it, the folder is named with the cure."""
    (tmp_path / "tokenizer.json").write_text(text)
    with pytest.raises(UsageError, match=r"--tokenizer .*give a folder with a model's tokenizer.json"):
        copied(tmp_path, None)


def test_broken_settings_are_refused(tmp_path: Path) -> None:
    """Settings that are no object are told like a broken tokenizer."""
    own(tmp_path, 300)
    (tmp_path / "tokenizer_config.json").write_text("[]")
    with pytest.raises(UsageError, match=r"tokenizer_config.json holds no object"):
        copied(tmp_path, None)
