"""Is a build what it is held out for: other weights than the original's, and those that its engine loads.

Both are told from the evidence alone, in a run and when judging again. A build that is the original passes every claim;
so does one whose engine was told to read other files than those that were measured and hashed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from twx_accept.domain.evidence import NOT_SHOWN, BuildEvidence
from twx_accept.errors import InvalidClaim
from twx_accept.evidence.attempts import weights_of

READS = {
    ".safetensors": frozenset(
        {
            *("auto", "hf", "safetensors", "mistral", "fastsafetensors", "instanttensor", "runai_streamer"),
            *("runai_streamer_sharded", "sharded_state", "bitsandbytes"),
        }
    ),
    ".bin": frozenset({"auto", "hf", "npcache", "bitsandbytes"}),
    ".gguf": frozenset({"auto", "gguf"}),
}
"""Which values of ``load_format`` make an engine read the weight files that are counted, by the files' ending."""

LOADER = "model_loader_extra_config"
"""Where a text may say what to load instead of the folder's files: a pattern, an address."""


def require_genuine(original: BuildEvidence, build: BuildEvidence) -> None:
    """Stop where a claim would say nothing of the build, whatever it comes to.

    Raises:
        InvalidClaim: the engine was told to load something else than what is known of one side, or the build is the
            original.
    """
    for side in (original, build):
        if why := _loads_else(side):
            raise InvalidClaim(f"{side.build}: {why}")
    if _same_weights(original, build) and not differing(original, build):
        raise InvalidClaim(
            f"{build.build} is {original.build}: it has the same weights and configuration and is served with the same "
            "flags, so that nothing was compressed; give the build's own path"
        )


def disclosure(original: BuildEvidence, build: BuildEvidence) -> str:
    """That two builds differ in settings alone, in settings too, or in code, in words; empty where none is so."""
    found = []
    if _same_weights(original, build) and (other := differing(original, build)):
        found.append(f"has the original's own weights and differs in {', '.join(other)} alone")
    elif flags := list(_unlike(original, build, "flags")):
        found.append(f"is served with other flags than the original ({', '.join(flags)}), as the suite lets it")
    mine, theirs = (_part(side, "configuration") for side in (build, original))
    if code := sorted(name for name, value in mine.items() if name.endswith(".py") and theirs.get(name) != value):
        found.append(f"brings code of its own that the original does not have: {', '.join(code)}")
    return f"{build.build} {' and '.join(found)}" if found else ""


def differing(original: BuildEvidence, build: BuildEvidence) -> list[str]:
    """In what two builds differ besides their weights: flags and files, by name."""
    found = [f"flag {name}" for name in _unlike(original, build, "flags")]
    return found + list(_unlike(original, build, "configuration"))


def _unlike(original: BuildEvidence, build: BuildEvidence, part: str) -> Iterator[str]:
    left, right = _part(original, part), _part(build, part)
    yield from (name for name in sorted({*left, *right}) if left.get(name) != right.get(name))


def _same_weights(original: BuildEvidence, build: BuildEvidence) -> bool:
    """Whether both have the same weight files or, where no files are known, one server says that it loaded the same."""
    left, right = _part(original, "weights"), _part(build, "weights")
    if NOT_SHOWN not in {*left, *right}:
        return bool(left) and weights_of(left) == weights_of(right)
    address = [_part(side, "deployment").get("address") for side in (original, build)]
    loaded = [str(side.get(NOT_SHOWN, "")).partition(": ")[2] for side in (left, right)]
    return None not in address and address[0] == address[1] and loaded[0] == loaded[1] and loaded[0].startswith("/")


def _loads_else(side: BuildEvidence) -> str:
    """What the engine loads in the place of the files that are known; empty where it loads these."""
    flags, names = _part(side, "flags"), _part(side, "weights")
    endings = {ending for ending in READS for name in names if name.endswith(ending)}
    told = str(flags.get("load_format", "auto"))
    if endings and not any(told in READS[ending] for ending in endings):
        return (
            f"load_format={told} does not read the {', '.join(sorted(endings))} files that were measured and hashed; "
            "remove the flag, or the files that are not loaded"
        )
    if texts := sorted(_texts(flags.get(LOADER))):
        return f"{LOADER} holds {', '.join(texts)}, which may name other weights than the build's; remove it"
    return ""


def _texts(value: Any) -> Iterator[str]:
    """The names of a table's texts, at any depth."""
    for name, inner in value.items() if isinstance(value, Mapping) else ():
        if isinstance(inner, str):
            yield str(name)
        yield from _texts(inner)


def _part(side: BuildEvidence, part: str) -> Mapping[str, Any]:
    found = side.identity.get(part)
    return found if isinstance(found, Mapping) else {}
