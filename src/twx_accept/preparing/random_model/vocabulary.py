"""The tokenizer of a random model: one that is written here, or the files of another model's."""

import itertools
import json
import shutil
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twx_accept.errors import UsageError

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
)
CHAT_TEMPLATE = """\
{%- for message in messages %}
{{- '<|im_start|>' + message['role'] + '\\n' + (message['content'] or '') + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """A tokenizer: how many ids it has, and which of them begin and end a text (None where it names none)."""

    size: int
    begin: int | None
    end: int | None


def own(folder: Path, size: int) -> Vocabulary:
    """Write a byte-level tokenizer of exactly ``size`` tokens: any text is its, and every id is text.

    Besides the 256 bytes it has a letter after a space (so that an answer letter is one token) and the short rows of
    small letters, so that English takes about two letters a token.

    Raises:
        UsageError: a size that it cannot have.
    """
    letters = _bytes()
    least, most = len(SPECIAL) + len(letters), len(SPECIAL) + len(letters) + sum(1 for _ in _merges(letters))
    if not least <= size <= most:
        raise UsageError(f"--vocabulary {size}: the tokenizer that is written here has {least} to {most} tokens")
    merges = list(itertools.islice(_merges(letters), size - least))
    words = [*SPECIAL, *letters, *("".join(pair) for pair in merges)]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    step = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    described = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": number, "content": word, **flags} for number, word in enumerate(SPECIAL)],
        "normalizer": None,
        "pre_tokenizer": step,
        "post_processor": None,
        "decoder": step,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {word: number for number, word in enumerate(words)},
            "merges": [" ".join(pair) for pair in merges],
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(described, ensure_ascii=False), encoding="utf-8")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIAL[1],
        "eos_token": SPECIAL[2],
        "pad_token": SPECIAL[2],
        "unk_token": SPECIAL[0],
        "clean_up_tokenization_spaces": False,
        "model_max_length": 10**9,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    (folder / "chat_template.jinja").write_text(CHAT_TEMPLATE, encoding="utf-8")
    return Vocabulary(size=size, begin=1, end=2)


def copied(source: Path, folder: Path | None) -> Vocabulary:
    """What another model's tokenizer has; its files are copied to ``folder``, where there is one.

    Raises:
        UsageError: there is no tokenizer.json in ``source``, or none that can be read.
    """
    file = source / "tokenizer.json"
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
        added = {token["content"]: int(token["id"]) for token in described["added_tokens"]}
        ids = {**{str(word): int(number) for word, number in described["model"]["vocab"].items()}, **added}
        settings = _settings(source / "tokenizer_config.json")
        found = Vocabulary(
            size=max(ids.values()) + 1, begin=_id(settings, "bos_token", ids), end=_id(settings, "eos_token", ids)
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"--tokenizer {source}: {type(error).__name__}: {error}: give a folder with a model's tokenizer.json"
        ) from error
    for name in FILES if folder is not None else ():
        if (source / name).is_file():
            shutil.copyfile(source / name, Path(str(folder)) / name)
    return found


def _settings(file: Path) -> Mapping[str, Any]:
    settings = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if not isinstance(settings, dict):
        raise TypeError(f"{file.name} holds no object")
    return settings


def _id(settings: Mapping[str, Any], name: str, ids: Mapping[str, int]) -> int | None:
    """The id of a special token; its setting is a text, or an object whose content is the text."""
    token = settings.get(name)
    return ids.get(token["content"] if isinstance(token, dict) else token or "")


def _bytes() -> list[str]:
    """A printable character for each byte, as byte-level tokenizers have them."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = itertools.count(0x100)
    return [chr(byte if byte in printable else next(others)) for byte in range(256)]


def _merges(letters: list[str]) -> Iterator[tuple[str, str]]:
    """A letter after a space; then two, three and four small letters, each a shorter row and one letter."""
    for letter in string.ascii_letters:
        yield letters[ord(" ")], letter
    for length in (1, 2, 3):
        for row in itertools.product(string.ascii_lowercase, repeat=length):
            for letter in string.ascii_lowercase:
                yield "".join(row), letter
