"""Were the original and the build served the same way? Only what the suite lists may differ; the rest is compared."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from twx_accept.domain.evidence import NOT_SHOWN, Boot, BuildEvidence
from twx_accept.errors import InvalidClaim

COMPARED = ("engine", "flags", "machine", "tokenizer", "asking")
"""The parts of an identity that must be equal; weights and configuration are what makes the build another one."""

OF_THE_BUILD = frozenset(
    {
        "model_config.model",
        "model_config.model_weights",
        "model_config.tokenizer",
        "model_config.served_model_name",
        "model_config.quantization",
        "model_config.quantization_config",
        "quant_config",
    }
)
"""Places in the engine's own configuration that name the build: its path, its name, how it is packed."""

OF_THE_PROCESS = frozenset(
    {
        "instance_id",
        "compilation_config.cache_dir",
        "compilation_config.local_cache_dir",
        "compilation_config.compilation_time",
        "compilation_config.traced_files",
        "parallel_config.assigned_physical_gpu_ids",
        "parallel_config.placement_group",
        "parallel_config.ray_runtime_env",
        "vllm_env.CUDA_VISIBLE_DEVICES",
        "vllm_env.VLLM_OBJECT_STORAGE_SHM_BUFFER_NAME",
        "cache_config.num_gpu_blocks",
        "cache_config.kv_cache_size_tokens",
        "cache_config.kv_cache_max_concurrency",
    }
)
"""Places that a process draws, counts or measures for itself."""

ADDRESSES = frozenset({"port", "ip", "addr", "rank"})
"""Words in the names of ``parallel_config`` that say where a process is reached; its sizes are compared."""

DEFAULTS, FLAG_OF_DEFAULTS = "generation_config.json", "generation_config"
"""A model's sampling defaults, and the flag that says whose are taken: ``auto``, which is the engine's default, its."""

MOST_DIFFERENCES = 8


def require_served_the_same(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> None:
    """Compare how the two were served, in every one of their boots.

    What cannot be compared because an attached server does not show it is no difference; that it was not proven stands
    in the boot's record.

    Raises:
        InvalidClaim: naming every difference with both values.
    """
    found = [
        *_identities(original, build, may_differ),
        *_defaults(original, build, may_differ),
        *_boots(original, build, may_differ),
    ]
    if found:
        more = len(found) - MOST_DIFFERENCES
        told = [*found[:MOST_DIFFERENCES], *([f"and {more} more"] if more > 0 else [])]
        raise InvalidClaim(f"not served the same way: {'; '.join(told)}; serve both with the same settings")


def _identities(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> Iterator[str]:
    for part in COMPARED:
        for side in (original, build):
            if part not in side.identity:
                yield f"{part} is not recorded for {side.build}"
        for path, one, other in differences(original.identity.get(part), build.identity.get(part), part):
            flag = path.split(".")[1:2] if part == "flags" else []
            if not set(flag) & set(may_differ) and NOT_SHOWN not in (one, other):
                yield f"{path} is {_shown(one)} for {original.build} and {_shown(other)} for {build.build}"


def _defaults(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> Iterator[str]:
    """A model's own sampling defaults go into every request that does not say otherwise, unless the engine's are asked.

    They are files of the build, and would let it answer another way than the original does.
    """
    asked = {_own(side, "flags").get(FLAG_OF_DEFAULTS, "auto") for side in (original, build)}
    hidden = any(side.identity.get("configuration") == NOT_SHOWN for side in (original, build))
    if asked != {"auto"} or FLAG_OF_DEFAULTS in may_differ or hidden:
        return
    one, other = (_own(side, "configuration").get(DEFAULTS) for side in (original, build))
    if one != other:
        yield (
            f"{DEFAULTS}, whose sampling defaults the engine takes, is {_shown(one)} for {original.build} and "
            f'{_shown(other)} for {build.build} (generation_config = "vllm" takes the engine\'s own)'
        )


def _own(side: BuildEvidence, part: str) -> Mapping[str, Any]:
    found = side.identity.get(part)
    return found if isinstance(found, Mapping) else {}


def _boots(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> Iterator[str]:
    """The engine's whole configuration in every boot against that of the original's last."""
    for side in (original, build):
        if not side.boots:
            yield f"no boot of {side.build} is recorded"
    if not original.boots:
        return
    reference = original.boots[-1]
    for side in (original, build):
        for boot in side.boots:
            for path, one, other in differences(*_shown_by_both(reference, boot), ""):
                if not _may_differ(path.split("."), may_differ):
                    yield (
                        f"the engine's {path} is {_shown(one)} for {original.build} (boot {reference.number}) "
                        f"and {_shown(other)} for {side.build} (boot {boot.number})"
                    )


def _shown_by_both(one: Boot, other: Boot) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The settings of two boots. What a server that was there already does not show is compared with nothing.

    It is listed as not proven wherever the run is shown.
    """
    left, right = _settings(one), _settings(other)
    if "attach" not in (one.launcher, other.launcher):
        return left, right
    whole = bool(one.settings and other.settings)
    names = {*left, *right} if whole else {"version", "bytes of each card"}
    shown = {name for name in names if "" not in (left.get(name), right.get(name))}
    return {name: left[name] for name in shown & {*left}}, {name: right[name] for name in shown & {*right}}


def _settings(boot: Boot) -> Mapping[str, Any]:
    """What the engine says of itself and runs on."""
    inner = boot.settings.get("vllm_config", boot.settings)
    configuration = inner if isinstance(inner, Mapping) else {}
    return {**configuration, "device": boot.device, "version": boot.engine_version, "bytes of each card": boot.cards}


def _may_differ(path: Sequence[str], may_differ: Sequence[str]) -> bool:
    beginnings = {".".join(path[:end]) for end in range(1, len(path) + 1)}
    of_the_process = path[0] == "parallel_config" and bool(ADDRESSES & set(path[-1].split("_")))
    return bool(beginnings & (OF_THE_BUILD | OF_THE_PROCESS)) or of_the_process or bool(set(path) & set(may_differ))


def differences(left: Any, right: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Every place where two JSON values differ, as (dotted path, left, right), down to the leaves.

    A table that one side lacks is compared leaf by leaf too, so that what is excused inside it stays excused.
    """
    tables = [{} if side is None else side for side in (left, right)]
    if all(isinstance(table, Mapping) for table in tables):
        one, other = tables
        for name in sorted({*one, *other}, key=str):
            inner = f"{path}.{name}" if path else str(name)
            yield from differences(one.get(name), other.get(name), inner)
    elif left != right:
        yield path, left, right


def _shown(value: Any) -> str:
    return f"{value!r:.80}"
