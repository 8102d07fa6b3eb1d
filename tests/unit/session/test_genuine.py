"""A build is what it is held out for, or its claims are invalid: not the original, and not what nobody loads."""

from collections.abc import Mapping
from typing import Any

import pytest

from twx_accept.domain.evidence import NOT_SHOWN, BuildEvidence, Inventory
from twx_accept.errors import InvalidClaim
from twx_accept.session.genuine import disclosure, require_genuine

CONFIGURATION = {"config.json": "c"}


def side(name: str, weights: Mapping[str, str], **parts: Any) -> BuildEvidence:
    """Evidence of a build with those weight files; ``flags``, ``configuration`` and ``deployment`` may be given."""
    identity = {"weights": weights, "configuration": CONFIGURATION, "flags": {}, **parts}
    nothing = Inventory(weights={}, digests={}, tensors={})
    return BuildEvidence(
        build=name,
        control=False,
        identity=identity,
        identity_digest=name,
        inventory=nothing,
        boots=(),
        exchanges={},
    )


ORIGINAL = side("original", {"model.safetensors": "a"})


def test_a_build_with_other_weights_is_one() -> None:
    """Nothing is said of a build whose weights are others and which brings no code."""
    build = side("good", {"model.safetensors": "b"})
    require_genuine(ORIGINAL, build)
    assert disclosure(ORIGINAL, build) == ""


@pytest.mark.parametrize(
    "weights",
    [
        {"model.safetensors": "a"},
        {"renamed.safetensors": "a"},
        {"model.safetensors": "a", "model.safetensors.index.json": "i"},
    ],
    ids=["a link", "a copy by another name", "a copy with an index"],
)
def test_the_original_under_a_builds_name_is_told(weights: dict[str, str]) -> None:
    """However its files are called, weights and settings of the original make every claim invalid."""
    with pytest.raises(InvalidClaim, match="good is original: it has the same weights"):
        require_genuine(ORIGINAL, side("good", weights))


def test_the_originals_weights_served_otherwise_are_disclosed() -> None:
    """A build that differs in a flag or a configuration alone may be meant so, and the reader is told."""
    build = side(
        "good", {"model.safetensors": "a"}, flags={"kv_cache_dtype": "fp8"}, configuration={"config.json": "d"}
    )
    require_genuine(ORIGINAL, build)
    assert disclosure(ORIGINAL, build) == (
        "good has the original's own weights and differs in flag kv_cache_dtype, config.json alone"
    )


def test_flags_of_a_builds_own_are_disclosed() -> None:
    """What the suite lets a build differ in is told where it does."""
    build = side("good", {"model.safetensors": "b"}, flags={"quantization": "fp8", "seed": 7})
    assert disclosure(ORIGINAL, build) == (
        "good is served with other flags than the original (quantization, seed), as the suite lets it"
    )


def test_code_that_a_build_brings_is_disclosed() -> None:
    """A model's own Python computes what it likes; code that the original has too is none of the build's own."""
    code = CONFIGURATION | {"modeling.py": "m", "configuration.py": "k"}
    build = side("good", {"model.safetensors": "b"}, configuration=code)
    original = side("original", {"model.safetensors": "a"}, configuration=CONFIGURATION | {"configuration.py": "k"})
    assert disclosure(original, build) == ("good brings code of its own that the original does not have: modeling.py")


def test_one_model_by_two_names_on_an_attached_server_is_the_original() -> None:
    """Where no files are known, one address that has loaded one folder under both names is one model."""

    def attached(name: str, root: str, address: str = "http://h:1") -> BuildEvidence:
        shown = {"tokenizer": NOT_SHOWN, "configuration": NOT_SHOWN, "deployment": {"address": address}}
        return side(name, {NOT_SHOWN: f"served as {name}: {root}"}, **shown)

    with pytest.raises(InvalidClaim, match="good is original"):
        require_genuine(attached("original", "/m/a"), attached("good", "/m/a"))
    require_genuine(attached("original", "/m/a"), attached("good", "/m/b"))
    require_genuine(attached("original", "/model"), attached("good", "/model", "http://h:2"))
    silent = "does not say what it has loaded"
    require_genuine(attached("original", silent), attached("good", silent))


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("model.safetensors", "pt"),
        ("model.safetensors", "npcache"),
        ("model.safetensors", "tensorizer"),
        ("model.safetensors", "dummy"),
        ("pytorch_model.bin", "safetensors"),
    ],
)
def test_files_that_the_engine_does_not_read_are_not_its_weights(file: str, told: str) -> None:
    """A load format that reads other files than were measured makes the claims invalid, on either side."""
    build = side("good", {file: "b"}, flags={"load_format": told})
    with pytest.raises(InvalidClaim, match=f"good: load_format={told} does not read the .* files that were measured"):
        require_genuine(ORIGINAL, build)
    with pytest.raises(InvalidClaim, match="good: load_format"):
        require_genuine(build, side("other", {"model.safetensors": "c"}))


@pytest.mark.parametrize("told", ["auto", "hf", "safetensors", "runai_streamer", "fastsafetensors"])
def test_formats_that_read_what_was_measured_are_taken(told: str) -> None:
    """A load format that reads safetensors reads what was counted of a folder that has them."""
    require_genuine(ORIGINAL, side("good", {"model.safetensors": "b"}, flags={"load_format": told}))


def test_a_loaders_text_may_name_other_weights() -> None:
    """A number of threads is a loader's own business; a pattern or an address may be another model's."""
    fine = {"load_format": "runai_streamer", "model_loader_extra_config": {"concurrency": 16}}
    require_genuine(ORIGINAL, side("good", {"model.safetensors": "b"}, flags=fine))
    wrong = {"load_format": "sharded_state", "model_loader_extra_config": {"pattern": "/elsewhere/*.safetensors"}}
    with pytest.raises(InvalidClaim, match="model_loader_extra_config holds pattern, which may name other weights"):
        require_genuine(ORIGINAL, side("good", {"model.safetensors": "b"}, flags=wrong))
