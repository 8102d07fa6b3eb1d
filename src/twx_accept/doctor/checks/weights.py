"""The weights of each build: every shard that the index names is there and whole, and a configuration beside them."""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from twx_accept.doctor.finding import Finding, Says, size
from twx_accept.doctor.node import Node
from twx_accept.domain.evidence import Tensor
from twx_accept.domain.suite import Build
from twx_accept.errors import EvidenceError
from twx_accept.evidence.files import WeightFiles
from twx_accept.evidence.safetensors import read_header

THREADS = 16
"""Headers are small and far apart: a network file system answers many at once."""
FETCH = "fetch the build again"
MOST_NAMED = 5


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Build by build; nothing is loaded, and of each file only its header is read."""
    if not node.here:
        yield says.unchecked("they lie with somebody else's servers")
        return
    places: dict[Path, str] = {}
    for build in node.builds:
        if other := places.get(build.path.resolve()):
            yield says.fault(f"{build.name} and {other} are one folder, {build.path}", "mend one of the paths")
        places[build.path.resolve()] = build.name
        yield from _of(node, build, says)


def _of(node: Node, build: Build, says: Says) -> Iterator[Finding]:
    if not build.path.is_dir():
        yield says.fault(f"{build.name}: no folder {build.path}", "mend its path, or fetch the build")
        return
    files = node.files(build)
    wrong = [*files.problems]
    tensors: dict[str, Tensor] = {}
    if not files.weights:
        wrong.append("holds no weight files (safetensors, bin or gguf)")
    for shard, found in _headers(files):
        if isinstance(found, EvidenceError):
            wrong.append(str(found))
        elif files.index is not None and (absent := _absent(files.index, shard, found)):
            wrong.append(absent)
        else:
            tensors |= found
    wrong += _configuration(build.path)
    if files.index is not None and not wrong and (odd := _other_total(files.index, tensors)):
        yield says.warning(f"{build.name}: {odd}", "whoever wrote the index counted otherwise; compare with the source")
    for each in wrong:
        what, _, cure = each.partition("; ")
        yield says.fault(f"{build.name}: {what}", cure or FETCH)
    if not wrong:
        read = f"{len(tensors):,} tensors, every header whole" if tensors else "their format has no header that is read"
        number = f"{len(files.weights)} file{'s' if len(files.weights) > 1 else ''}"
        yield says.ok(f"{build.name}: {number}, {size(node.weight_bytes(build))}, {read}")


def _headers(files: WeightFiles) -> Iterator[tuple[Path, dict[str, Tensor] | EvidenceError]]:
    """The header of each safetensors file, or what is wrong with the file."""
    shards = [file for file in files.weights if file.suffix == ".safetensors"]
    with ThreadPoolExecutor(THREADS) as pool:
        yield from zip(shards, pool.map(_header, shards), strict=True)


def _header(shard: Path) -> dict[str, Tensor] | EvidenceError:
    try:
        return read_header(shard)
    except EvidenceError as error:
        return error
    except OSError as error:
        return EvidenceError(f"{shard.name} cannot be read ({error}); give this user the right to read it")


def _absent(index: Path, shard: Path, tensors: Mapping[str, Tensor]) -> str:
    """Tensors that the index says are in a shard, and are not; empty where there is none."""
    try:
        weight_map: dict[str, Any] = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
        missing = sorted(name for name, file in weight_map.items() if file == shard.name and name not in tensors)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""  # already told: the index cannot be read
    if not missing:
        return ""
    more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    return (
        f"{index.name} says that {shard.name} holds {', '.join(missing[:MOST_NAMED])}{more}, which it does not; {FETCH}"
    )


def _other_total(index: Path, tensors: Mapping[str, Tensor]) -> str:
    """That the index gives another size for all tensors than the files have; empty where it does not, or gives none."""
    try:
        total = json.loads(index.read_text(encoding="utf-8"))["metadata"]["total_size"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""  # only a courtesy of whoever wrote it
    here = sum(tensor.bytes for tensor in tensors.values())
    if not isinstance(total, int | float) or not tensors or total == here:
        return ""
    return f"{index.name} says {total:,} bytes of tensors, the files hold {here:,}"


def _configuration(folder: Path) -> Iterator[str]:
    """What is wrong with the model's configuration."""
    file = folder / "config.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        yield f"no config.json; {FETCH}"
        return
    except (OSError, ValueError, RecursionError) as error:
        yield f"config.json cannot be read ({type(error).__name__}: {str(error)[:200]}); {FETCH}"
        return
    if not isinstance(found, dict) or not (found.get("architectures") or found.get("model_type")):
        yield f"config.json names neither architectures nor a model_type; {FETCH}"
