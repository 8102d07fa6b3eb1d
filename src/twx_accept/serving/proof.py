"""Proof of settings: what the engine says it runs with, held against what it was given.

A flag is *checked* when the engine's own configuration holds its value. Where the configuration has no such entry, the
arguments that the API server printed are the next best witness. A flag that neither shows is *not checked*, and said
to be so; nothing is taken for right because it could not be looked up.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from twx_accept.domain.suite import FlagValue
from twx_accept.errors import SettingsMismatch

ABSENT: Any = object()

PLACES = {
    "kv_cache_dtype": ("cache_config", "cache_dtype"),
    "attention_backend": ("attention_config", "backend"),
    "mamba_backend": ("mamba_config", "backend"),
    "reasoning_parser": ("structured_outputs_config", "reasoning_parser"),
    "scheduling_policy": ("scheduler_config", "policy"),
    "device_memory_utilization": ("cache_config", "gpu_memory_utilization"),
    "seed": ("model_config", "seed"),
}
"""Where the engine keeps flags that it calls by another name, or by a name that several of its parts use."""


class Finding(Enum):
    """What a comparison says."""

    SAME = "same"
    DIFFERENT = "different"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Proof:
    """Which settings were held against the engine's own, and ``unchecked``: a sentence for each that was not."""

    checked: tuple[str, ...]
    unchecked: tuple[str, ...]


def prove(
    given: Mapping[str, FlagValue], config: Mapping[str, Any], accepted: Mapping[str, Any], *, model: str | None
) -> Proof:
    """Holds every given flag against the engine's configuration, else against the arguments it printed.

    ``config`` is the ``vllm_config`` of ``/server_info`` (empty where there is none), ``accepted`` the arguments of the
    log's line. ``model`` is the folder that must be the one that is loaded, None where it is not known which.

    Raises:
        SettingsMismatch: at least one differs; all that differ are named with both values.
    """
    checked, unchecked, different = [], [], []
    for name, value in {**({} if model is None else {"model": model}), **given}.items():
        found, where = look_up(name, config, accepted)
        if found is ABSENT:
            unchecked.append(f"could not check {name}={value!r}: the engine shows no such setting")
            continue
        finding = compare(name, value, found)
        if finding is Finding.DIFFERENT:
            different.append(f"{name}: given {value!r}, runs with {found!r} ({where})")
        elif finding is Finding.UNCLEAR:
            unchecked.append(f"could not check {name}={value!r}: the engine shows {found!r} ({where})")
        else:
            checked.append(name)
    if different:
        raise SettingsMismatch(
            "the engine does not run with what it was given: " + "; ".join(different) + ". Give values that this "
            "engine keeps for this model, or remove the flags."
        )
    return Proof(tuple(checked), tuple(unchecked))


def look_up(name: str, config: Mapping[str, Any], accepted: Mapping[str, Any]) -> tuple[Any, str]:
    """The engine's value of a flag and where it stands; ABSENT where it is nowhere, or in places that differ."""
    if name in PLACES:
        section, entry = PLACES[name]
        places = [(f"{section}.{entry}", entry_of(config.get(section), entry))]
    else:
        sections = ((part, values) for part, values in config.items() if isinstance(values, Mapping))
        places = [(f"{part}.{name}", values[name]) for part, values in sections if name in values]
        places += [(name, config[name])] if name in config else []
    places = [(where, value) for where, value in places if value is not ABSENT]
    if places and all(value == places[0][1] for _, value in places):
        return places[0][1], places[0][0]
    if name in accepted:
        return accepted[name], "the log's non-default args"
    return ABSENT, ""


def entry_of(section: Any, entry: str) -> Any:
    """An entry of a part of the configuration, ABSENT where there is none."""
    return section.get(entry, ABSENT) if isinstance(section, Mapping) else ABSENT


def compare(name: str, given: FlagValue, found: Any) -> Finding:
    """Whether the engine's value is the given one. Values of kinds that cannot be held together are UNCLEAR."""
    special = {"dtype": same_dtype, "attention_backend": same_backend}.get(name)
    if (given == "auto" and found != "auto") or (name == "max_model_len" and given == -1):
        return Finding.UNCLEAR  # the engine chose; the note shows what
    if special is not None and isinstance(given, str) and isinstance(found, str):
        return Finding.SAME if special(given, found) else Finding.DIFFERENT
    return same(given, found)


def same(given: Any, found: Any) -> Finding:
    """Compares two values; of a table every given entry, since the engine adds its defaults to it."""
    if isinstance(given, Mapping) and isinstance(found, Mapping):
        entries = [same(value, found.get(key, ABSENT)) for key, value in given.items()]
        return next((worst for worst in (Finding.DIFFERENT, Finding.UNCLEAR) if worst in entries), Finding.SAME)
    if found is None or isinstance(given, bool) or isinstance(found, bool):
        comparable = found is None or (isinstance(given, bool) and isinstance(found, bool))
        return _equal(given is found) if comparable else Finding.UNCLEAR
    if isinstance(given, int | float) and isinstance(found, int | float):
        return _equal(float(given) == float(found))
    if isinstance(given, str) and isinstance(found, str):
        return _equal(given == found)
    if isinstance(given, str) and isinstance(found, list) and len(found) == 1:
        return _equal(given == found[0])
    return Finding.UNCLEAR


def same_dtype(given: str, found: str) -> bool:
    """``bfloat16`` is what the engine calls ``torch.bfloat16``."""
    return {"half": "float16", "float": "float32"}.get(given, given) == found.rpartition(".")[2]


def same_backend(given: str, found: str) -> bool:
    """``FLASH_ATTN`` may be shown as the path of its class, ``...flash_attn.FlashAttentionBackend``."""
    return given.casefold().replace("_", "") in found.casefold().replace("_", "")


def prove_environment(given: Mapping[str, str], shown: Mapping[str, Any]) -> Proof:
    """Holds the engine's own variables (``VLLM_...``) against what ``/server_info`` shows of them.

    An engine ignores a variable that it does not know, which looks just like one that it obeys: hence the notes.

    Raises:
        SettingsMismatch: at least one has another value.
    """
    checked, unchecked, different = [], [], []
    for name, value in given.items():
        if not name.startswith("VLLM_") or name == "VLLM_SERVER_DEV_MODE":
            continue  # the latter is proven by there being an answer
        found = shown.get(name, ABSENT)
        reading = next((read for kind, read in READINGS if isinstance(found, kind)), None)
        if found is ABSENT or reading is None:
            unchecked.append(f"could not check {name}={value}: the engine does not show it, and may not know it")
        elif reading(value) != found:
            different.append(f"{name}: given {value}, runs with {found!r}")
        else:
            checked.append(name)
    if different:
        raise SettingsMismatch("the engine read its environment otherwise than it was given: " + "; ".join(different))
    return Proof(tuple(checked), tuple(unchecked))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


READINGS: tuple[tuple[type, Callable[[str], Any]], ...] = (
    (bool, lambda text: text.strip().casefold() in ("1", "true")),
    (int, _number),
    (float, _number),
    (str, lambda text: text),
)
"""How a variable's text is read for each kind of value that the engine may show."""


def _equal(equal: bool) -> Finding:
    return Finding.SAME if equal else Finding.DIFFERENT
