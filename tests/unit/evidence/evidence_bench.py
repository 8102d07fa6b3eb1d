"""Model folders and exchanges in miniature."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from twx_accept.domain.evidence import Boot, Inventory, Tensor
from twx_accept.domain.exchange import Exchange, Failure, Key, Request

IDENTITY: dict[str, Any] = {"weights": {"model.safetensors": "aaaa"}, "flags": {"seed": 0}}
INVENTORY = Inventory(
    weights={"model.safetensors": 10},
    digests={"model.safetensors": "aaaa", "config.json": "bbbb"},
    tensors={"a": Tensor(dtype="BF16", shape=(2, 3), bytes=12), "b": Tensor(dtype="I8", shape=(), bytes=1)},
    problems=("one", "two"),
)
PASSING = Failure(kind="HTTP 503", message="busy", lasting=False)


def request(item: int | str, *, claim: str = "c", prompt: str = "a prompt", **key: Any) -> Request:
    """A request."""
    return Request(
        key=Key(claim=claim, item=f"{item}", **key), path="/v1/completions", body={"prompt": prompt}, phase="p"
    )


def answered(request: Request, text: str = "an answer", **answer: Any) -> Exchange:
    """Its exchange with an answer."""
    body = {"choices": [{"index": 0, "text": text}], **answer}
    return Exchange(request=request, answer=body, failure=None, seconds=0.5, attempts=1)


def failed(request: Request) -> Exchange:
    """Its exchange with a failure."""
    return Exchange(request=request, answer=None, failure=PASSING, seconds=1.5, attempts=3)


def boot(number: int = 1, **parts: Any) -> Boot:
    """What a boot proved."""
    values: dict[str, Any] = {
        "ready_seconds": 44.5,
        "engine_version": "0.32.0",
        "device": "cpu",
        "flags": {"seed": 0, "hf_overrides": {"head_dtype": "float32"}},
        "settings": {"model_config": {"seed": 0, "deep": [1, [2.5, None, {"ü": "\ud800"}]]}},
        "cache": {"kv_cache_size_tokens": "93184"},
        "capacity_tokens": None,
        "weights_gib": (1.5, 1.25),
        "cache_gib": (0.1,),
        "cards": (143_771_000_000,),
        "cold": True,
        "log": "boot-1.log",
        "notes": ("odd",),
    }
    return Boot(number=number, **values | parts)


def safetensors(path: Path, tensors: Mapping[str, int], *, header: Any = None, cut: int = 0, more: int = 0) -> Path:
    """Write a safetensors file whose tensors have so many bytes; ``cut`` or add some at its end."""
    entries, begin = {}, 0
    for name, size in tensors.items():
        entries[name] = {"dtype": "U8", "shape": [size], "data_offsets": [begin, begin + size]}
        begin += size
    text = header if isinstance(header, bytes) else json.dumps(entries if header is None else header).encode()
    whole = len(text).to_bytes(8, "little") + text + bytes(begin) + bytes(more)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(whole[: len(whole) - cut])
    return path


def index(folder: Path, *names: Any, kind: str = "model.safetensors.index.json") -> None:
    """Write an index that names those shards."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / kind).write_text(json.dumps({"weight_map": {f"t{n}": name for n, name in enumerate(names)}}))


@contextlib.contextmanager
def without(*paths: Path, mode: int = 0o000) -> Iterator[None]:
    """Take rights on paths away; where the tests run as root, who may do everything, be nobody for as long."""
    before = {path: path.stat().st_mode for path in paths}
    root = os.geteuid() == 0
    opened = []
    for path in paths:
        path.chmod(mode)
    if root:
        for parent in paths[0].parents:
            if not parent.stat().st_mode & 0o001:
                opened.append((parent, parent.stat().st_mode))
                parent.chmod(parent.stat().st_mode | 0o011)
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, rights in [*before.items(), *opened]:
            path.chmod(rights)
