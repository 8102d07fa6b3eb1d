"""Compressed builds by rounding to nearest: no calibration data, no random source, so the same bytes each time."""

from pathlib import Path
from typing import Any

import torch
from compressed_tensors.compressors import ModelCompressor
from compressed_tensors.quantization import (
    QuantizationArgs,
    QuantizationConfig,
    QuantizationScheme,
    apply_quantization_config,
    fake_quantize,
)
from compressed_tensors.quantization.utils import calculate_qparams
from transformers import AutoModelForCausalLM, AutoTokenizer


def compress(source: Path, out: Path, method: dict[str, Any]) -> None:
    """Write the checkpoint `source` to `out`, compressed as `method` says.

    Args:
        source: the 16-bit checkpoint folder.
        out: an empty or missing folder.
        method: `{"kind": "w8a8"}` (whole numbers), `{"kind": "fp8"}` (E4M3 floats), or
            `{"kind": "w4a16", "group_size": int, "symmetric": bool, "levels": 16 or fewer}`. Fewer levels than the 16
            that four bits hold is damage on purpose: the storage stays at four bits.
    """
    model = AutoModelForCausalLM.from_pretrained(str(source), dtype=torch.bfloat16)
    # The output head shares its tensor with the embedding, which is looked up and not multiplied: both stay 16-bit.
    config = QuantizationConfig(config_groups={"linear": _scheme(method)}, ignore=["lm_head"])
    apply_quantization_config(model, config)
    bits = int(method.get("levels", 16)).bit_length() - 1
    with torch.no_grad():
        for module in model.modules():
            if getattr(module, "quantization_scheme", None) is not None:
                _round_to_nearest(module, bits)
    compressor = ModelCompressor.from_pretrained_model(model)
    compressor.compress_model(model)
    model.save_pretrained(str(out))
    compressor.update_config(str(out))
    AutoTokenizer.from_pretrained(str(source)).save_pretrained(str(out))


def _scheme(method: dict[str, Any]) -> QuantizationScheme:
    """Say it in compressed-tensors' words."""
    if method["kind"] in ("w8a8", "fp8"):
        of = "int" if method["kind"] == "w8a8" else "float"
        return QuantizationScheme(
            targets=["Linear"],
            weights=QuantizationArgs(num_bits=8, type=of, strategy="channel", symmetric=True),
            input_activations=QuantizationArgs(num_bits=8, type=of, strategy="token", symmetric=True, dynamic=True),
        )
    if method["kind"] == "w4a16":
        weights = QuantizationArgs(
            num_bits=4,
            type="int",
            strategy="group",
            group_size=int(method["group_size"]),
            symmetric=bool(method["symmetric"]),
        )
        return QuantizationScheme(targets=["Linear"], weights=weights)
    raise SystemExit(f"unknown kind of compression {method['kind']!r}: w8a8, fp8 and w4a16 are known")


def _round_to_nearest(module: Any, bits: int) -> None:
    """Set scales and zero points from each channel's or group's smallest and largest weight, in float32.

    With `bits` under the stored width the weights themselves are first rounded to so few levels, with the scales that
    are stored: packing then finds them on its finer grid and changes nothing.
    """
    stored = module.quantization_scheme.weights
    width = min(bits, stored.num_bits) if stored.num_bits == 4 else stored.num_bits
    used = stored.model_copy(update={"num_bits": width})
    weight = module.weight.float()
    parts = weight if stored.strategy == "channel" else weight.unflatten(-1, (-1, stored.group_size))
    scale, zero_point = calculate_qparams(parts.amin(-1), parts.amax(-1), used)
    module.weight_scale.copy_(scale.reshape(module.weight_scale.shape))
    if hasattr(module, "weight_zero_point"):
        module.weight_zero_point.copy_(zero_point.reshape(module.weight_zero_point.shape))
    if width < stored.num_bits:
        zeros = getattr(module, "weight_zero_point", None)
        module.weight.copy_(fake_quantize(weight, module.weight_scale.float(), zeros, used))
