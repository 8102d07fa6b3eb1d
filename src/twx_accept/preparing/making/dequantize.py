"""A GGUF file becomes a 16-bit checkpoint folder that vLLM can serve."""

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig


def dequantize(gguf: Path, out: Path) -> None:
    """Write weights in bfloat16, configuration, tokenizer and chat template of `gguf` to the folder `out`.

    `dequantize=True` matters: transformers can load the packed form too, but refuses to save it.
    """
    model = AutoModelForCausalLM.from_pretrained(
        str(gguf.parent),
        gguf_file=gguf.name,
        dtype=torch.bfloat16,
        quantization_config=GgufConfig(dequantize=True),
    )
    model.save_pretrained(str(out))
    AutoTokenizer.from_pretrained(str(gguf.parent), gguf_file=gguf.name).save_pretrained(str(out))
