"""What a random model's config.json says, to the engine and to whoever makes a build of it."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from twx_accept.errors import UsageError
from twx_accept.preparing.random_model.numbers import STORED
from twx_accept.preparing.random_model.shape import Shape, check
from twx_accept.preparing.random_model.vocabulary import Vocabulary

KEY = "random_weights"
VERSION = 1
"""How numbers are drawn. Another way of drawing is another version, of whose models no builds are made."""

_CURE = "name a model that `twx-accept models make-random` of this version made"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that decides the weights' bytes."""

    shape: Shape
    seed: int
    stored: str = "bf16"
    damage: float = 0.0


def configuration(recipe: Recipe, vocabulary: Vocabulary) -> dict[str, Any]:
    """The model's config.json: Llama where it is dense, Qwen3's mixture of experts where it is not.

    Both are among what vLLM serves with tensor parallel and with an 8-bit cache.
    """
    shape = recipe.shape
    general = {
        "dtype": "bfloat16",
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "intermediate_size": shape.intermediate,
        "vocab_size": shape.vocabulary,
        "max_position_embeddings": 131_072,
        "rope_theta": 500_000.0,
        "rope_parameters": {"rope_theta": 500_000.0, "rope_type": "default"},
        "hidden_act": "silu",
        "rms_norm_eps": 1e-5,
        "attention_bias": False,
        "tie_word_embeddings": False,
        "bos_token_id": vocabulary.begin,
        "eos_token_id": vocabulary.end,
    }
    experts = {
        "architectures": ["Qwen3MoeForCausalLM"],
        "model_type": "qwen3_moe",
        "num_experts": shape.experts,
        "num_experts_per_tok": shape.experts_per_token,
        "moe_intermediate_size": shape.intermediate,
        "norm_topk_prob": True,
        "decoder_sparse_step": 1,
        "mlp_only_layers": [],
    }
    dense = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "mlp_bias": False}
    kept = {KEY: {"version": VERSION, **asdict(recipe)}}
    return {**(experts if shape.experts else dense), **general, **_quantization(recipe.stored), **kept}


def generation(vocabulary: Vocabulary) -> dict[str, Any]:
    """The model's generation_config.json."""
    return {"bos_token_id": vocabulary.begin, "eos_token_id": vocabulary.end}


def recipe_of(folder: Path) -> Recipe:
    """The recipe of a model that was made here.

    Raises:
        UsageError: another model, or one that cannot be read.
    """
    try:
        kept = dict(json.loads((folder / "config.json").read_text(encoding="utf-8"))[KEY])
        drawn = kept.pop("version")
        found = Recipe(**{**kept, "shape": Shape(**kept["shape"])})
        whole = all(type(number) is int for number in (*asdict(found.shape).values(), found.seed))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"--like {folder}: {type(error).__name__}: {error}: {_CURE}") from error
    if drawn != VERSION or not whole:
        raise UsageError(f"--like {folder}: its weights were drawn in a way that is not known here: {_CURE}")
    if (found.stored, found.damage) != ("bf16", 0.0):
        raise UsageError(
            f"--like {folder}: is a build itself ({found.stored}, damage {found.damage}); name its original"
        )
    check(found.shape)
    return found


def _quantization(stored: str) -> dict[str, Any]:
    """How a rounded build is stored, in compressed-tensors' words; activations are rounded token by token."""
    if STORED[stored].scale is None:
        return {}
    kind = {"int8": "int", "fp8": "float"}[stored]
    form = {"int8": "int-quantized", "fp8": "float-quantized"}[stored]
    common = {"num_bits": 8, "type": kind, "symmetric": True}
    group = {
        "format": form,
        "targets": ["Linear"],
        "weights": {**common, "strategy": "channel", "dynamic": False},
        "input_activations": {**common, "strategy": "token", "dynamic": True},
        "output_activations": None,
    }
    return {
        "quantization_config": {
            "quant_method": "compressed-tensors",
            "quantization_status": "compressed",
            "format": form,
            "config_groups": {"group_0": group},
            "ignore": ["lm_head", "re:.*mlp[.]gate$"],
            "kv_cache_scheme": None,
        }
    }
