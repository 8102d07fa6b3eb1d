"""Holding what the engine says against what it was given."""

from typing import Any

import pytest

from twx_accept.errors import SettingsMismatch
from twx_accept.serving.proof import Proof, prove, prove_environment

CONFIG: dict[str, Any] = {
    "model_config": {
        "model": "/m",
        "dtype": "torch.bfloat16",
        "seed": 0,
        "max_model_len": 2048,
        "enforce_eager": True,
        "hf_overrides": {"head_dtype": "float32", "more": 1},
        "generation_config": "vllm",
        "quantization": None,
    },
    "cache_config": {"cache_dtype": "fp8", "gpu_memory_utilization": 0.9, "enable_prefix_caching": True},
    "attention_config": {"backend": "vllm.v1.attention.backends.flash_attn.FlashAttentionBackend"},
    "compilation_config": {"mode": 3, "level": 1},
    "kernel_config": {"level": 2},
    "lora_config": None,
    "shutdown_timeout": 30,
}


def holds(name: str, value: Any, accepted: dict[str, Any] | None = None) -> Proof:
    """The proof of one flag beside the model's."""
    return prove({name: value}, CONFIG, accepted or {}, model="/m")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", 0),
        ("max_model_len", 2048),
        ("enforce_eager", True),
        ("gpu_memory_utilization", 0.9),
        ("hf_overrides", {"head_dtype": "float32"}),
        ("kv_cache_dtype", "fp8"),
        ("dtype", "bfloat16"),
        ("dtype", "auto"),
        ("attention_backend", "FLASH_ATTN"),
        ("shutdown_timeout", 30),
        ("enable_prefix_caching", True),
    ],
)
def test_a_setting_that_the_engine_keeps_is_checked(name: str, value: Any) -> None:
    """What the engine shows with the given value is proven; what it chose itself is no proof."""
    proof = holds(name, value)
    assert proof.checked == (("model", name) if value != "auto" else ("model",))
    assert bool(proof.unchecked) == (value == "auto")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", 1),
        ("enforce_eager", False),
        ("gpu_memory_utilization", 0.92),
        ("hf_overrides", {"head_dtype": "bfloat16"}),
        ("hf_overrides", {"absent": 1, "head_dtype": "bfloat16"}),
        ("kv_cache_dtype", "fp8_e5m2"),
        ("dtype", "float16"),
        ("quantization", "awq"),
        ("attention_backend", "FLASHINFER"),
        ("shutdown_timeout", 0),
    ],
)
def test_a_setting_that_differs_is_refused_with_both_values(name: str, value: Any) -> None:
    """The error names the flag, what was given and what the engine runs with."""
    with pytest.raises(SettingsMismatch, match=rf"{name}: given .*, runs with .*\("):
        holds(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tool_call_parser", "kimi_k2"),  # shown nowhere
        ("level", 1),  # two parts of the engine disagree on whose it is
        ("compilation_config", 3),  # another kind of value than the engine keeps
        ("max_model_len", -1),  # left to the engine
        ("hf_overrides", {"absent": 1}),
        ("lora_config", {"a": 1}),
    ],
)
def test_what_cannot_be_checked_is_said_to_be_unchecked(name: str, value: Any) -> None:
    """A flag that is not to be found, or not to be compared, is never counted as checked."""
    if name == "lora_config":
        with pytest.raises(SettingsMismatch, match="None"):
            holds(name, value)
        return
    proof = holds(name, value)
    assert proof.checked == ("model",)
    assert proof.unchecked[0].startswith(f"could not check {name}={value!r}")


def test_arguments_that_the_server_printed_stand_in() -> None:
    """Flags of the API server are in no configuration: the arguments it printed prove or refute them."""
    accepted = {"tool_call_parser": "hermes", "chat_template": "x", "served": ["m"]}
    assert holds("tool_call_parser", "hermes", accepted).checked == ("model", "tool_call_parser")
    assert holds("served", "m", accepted).checked == ("model", "served")
    with pytest.raises(SettingsMismatch, match="non-default args"):
        holds("chat_template", "y", accepted)


def test_every_difference_is_named_at_once() -> None:
    """A suite with three wrong flags is told of all three."""
    with pytest.raises(SettingsMismatch, match=r"model: .*; seed: .*; max_model_len: "):
        prove({"seed": 1, "max_model_len": 1}, CONFIG, {}, model="/other")


@pytest.mark.parametrize("config", [{}, {"model_config": None}, {"model_config": "text", "cache_config": [1]}])
def test_a_configuration_of_another_shape_proves_nothing(config: dict[str, Any]) -> None:
    """Whatever an engine answers instead of its configuration, nothing is taken for checked."""
    proof = prove({"seed": 0, "kv_cache_dtype": "fp8"}, config, {}, model="/m")
    assert proof.checked == ()
    assert len(proof.unchecked) == 3


def test_variables_are_read_as_the_engine_reads_them() -> None:
    """Text is compared as the kind of value that the engine shows; what it does not show is unchecked."""
    given = {"VLLM_A": "1", "VLLM_B": "0", "VLLM_C": "1.5", "VLLM_D": "auto", "VLLM_E": "1", "OTHER": "1"}
    shown = {"VLLM_A": 1, "VLLM_B": False, "VLLM_C": 1.5, "VLLM_D": "auto"}
    proof = prove_environment(given, shown)
    assert proof.checked == ("VLLM_A", "VLLM_B", "VLLM_C", "VLLM_D")
    assert proof.unchecked == ("could not check VLLM_E=1: the engine does not show it, and may not know it",)
    with pytest.raises(SettingsMismatch, match="VLLM_B: given 1, runs with False"):
        prove_environment({"VLLM_B": "1"}, shown)
    with pytest.raises(SettingsMismatch, match="VLLM_A: given x"):
        prove_environment({"VLLM_A": "x"}, shown)
