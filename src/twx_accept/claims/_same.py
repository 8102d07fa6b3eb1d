"""Were the original and the build served the same way? Only what the suite lists may differ; the rest is compared."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from twx_accept.domain.evidence import Boot, BuildEvidence
from twx_accept.errors import InvalidClaim

COMPARED = ("engine", "flags", "machine", "tokenizer", "asking")
"""The parts of an identity that must be equal; weights and configuration are what makes the build another one."""

OF_THE_BUILD = (
    "model_config.model",
    "model_config.tokenizer",
    "model_config.served_model_name",
    "model_config.quantization",
    "model_config.quantization_config",
    "quant_config",
    "instance_id",
    "compilation_config.cache_dir",
    "compilation_config.local_cache_dir",
    "compilation_config.compilation_time",
    "compilation_config.traced_files",
    "vllm_env.VLLM_OBJECT_STORAGE_SHM_BUFFER_NAME",
    "parallel_config",
    "cache_config.num_gpu_blocks",
    "cache_config.kv_cache_size_tokens",
    "cache_config.kv_cache_max_concurrency",
)
"""Paths in the engine's own configuration that name the build, the process, or what it measured.

``parallel_config`` holds ports and addresses of the process; its sizes are compared one by one.
"""

PARALLEL = ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size", "enable_expert_parallel")


def require_served_the_same(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> None:
    """Compare how the two were served.

    Raises:
        InvalidClaim: naming every difference with both values.
    """
    found = [*_identities(original, build, may_differ), *_boots(original, build, may_differ)]
    if found:
        raise InvalidClaim(f"not served the same way: {'; '.join(found[:8])}; serve both with the same settings")


def _identities(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> Iterator[str]:
    for part in COMPARED:
        left, right = original.identity.get(part), build.identity.get(part)
        for path, one, other in differences(left, right, part):
            if path.removeprefix("flags.").split(".")[0] not in may_differ:
                yield f"{path} is {one!r} for {original.build} and {other!r} for {build.build}"


def _boots(original: BuildEvidence, build: BuildEvidence, may_differ: Sequence[str]) -> Iterator[str]:
    """The engine's whole configuration of the last boots, less what names the build."""
    if not original.boots or not build.boots:
        return
    left, right = original.boots[-1], build.boots[-1]
    for path, one, other in differences(_settings(left), _settings(right), ""):
        if not path.startswith(OF_THE_BUILD) and path.rsplit(".", 1)[-1] not in may_differ:
            yield f"the engine's {path} is {one!r} for {original.build} and {other!r} for {build.build}"
    for name in PARALLEL:
        one, other = _parallel(left, name), _parallel(right, name)
        if one != other:
            yield f"the engine's {name} is {one!r} for {original.build} and {other!r} for {build.build}"


def _settings(boot: Boot) -> Mapping[str, Any]:
    inner = boot.settings.get("vllm_config", boot.settings)
    return inner if isinstance(inner, Mapping) else {}


def _parallel(boot: Boot, name: str) -> Any:
    return (_settings(boot).get("parallel_config") or {}).get(name)


def differences(left: Any, right: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Every place where two JSON values differ, as (dotted path, left, right), down to the leaves."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        for name in sorted({*left, *right}, key=str):
            inner = f"{path}.{name}" if path else str(name)
            yield from differences(left.get(name), right.get(name), inner)
    elif left != right:
        yield path, left, right
