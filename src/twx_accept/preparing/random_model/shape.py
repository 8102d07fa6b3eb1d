"""How large a random model is: from options, from a template, or from a number of gigabytes."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Literal

from twx_accept.errors import UsageError

Kind = Literal["linear", "table", "router", "norm"]

LARGEST = 2**20
"""No number of a shape is larger: a slip of the keyboard is told instead of tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A decoder. ``experts`` is 0 where it is dense; ``intermediate`` is that of one expert where it is not."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary: int
    experts: int = 0
    experts_per_token: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a user asks for; what is None comes from the template."""

    template: str | None = None
    gigabytes: float | None = None
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    intermediate: int | None = None
    vocabulary: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """One tensor: ``linear`` is what a compressed build rounds; ``norm`` is all ones."""

    name: str
    shape: tuple[int, ...]
    kind: Kind


def _size(
    layers: int, hidden: int, heads: int, head_dim: int, intermediate: int, experts: int = 0, vocabulary: int = 32_768
) -> Shape:
    return Shape(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=8,  # one a card, eight-way
        head_dim=head_dim,
        intermediate=intermediate,
        vocabulary=vocabulary,
        experts=experts,
        experts_per_token=8 if experts else 0,
    )


TEMPLATES = {
    "dense": (
        _size(4, 512, 16, 64, 1536),
        _size(16, 1024, 16, 64, 3584),
        _size(24, 2048, 16, 128, 7168),
        _size(32, 4096, 32, 128, 14_336),
        _size(80, 8192, 64, 128, 28_672),
        _size(126, 16_384, 128, 128, 53_248),
    ),
    # Many small experts of which each token meets eight, as in Kimi K2: the last line has its width and vocabulary.
    "kimi-like": (
        _size(4, 512, 16, 64, 256, experts=16),
        _size(8, 1024, 16, 64, 512, experts=32),
        _size(16, 2048, 16, 128, 1024, experts=64),
        _size(32, 4096, 32, 128, 1024, experts=192, vocabulary=163_840),
        _size(61, 7168, 64, 128, 2048, experts=384, vocabulary=163_840),
    ),
}
"""The sizes of each template, the smallest first: a number of gigabytes picks one and then the number of layers."""


def shape_of(wishes: Wishes) -> Shape:
    """The shape that a user asks for.

    Raises:
        UsageError: an unknown template, numbers that contradict each other, or a size that no shape has.
    """
    template = wishes.template or "dense"
    if template not in TEMPLATES:
        raise UsageError(f"--template {template}: no such template; known are {', '.join(TEMPLATES)}")
    sizes = [_wished(size, wishes) for size in TEMPLATES[template]]
    if wishes.gigabytes is None:
        chosen = _nearest(sizes, wishes.hidden)
    elif wishes.layers is not None or wishes.hidden is not None:
        raise UsageError("--gigabytes chooses the layers and the hidden size: leave out --layers and --hidden, or it")
    else:
        chosen = _of_bytes(sizes, wishes.gigabytes)
    check(chosen)
    return chosen


def weights(shape: Shape) -> Iterator[Weight]:
    """Every tensor of the model, in the order of the forward pass, under the names that vLLM and transformers load."""
    yield Weight(name="model.embed_tokens.weight", shape=(shape.vocabulary, shape.hidden), kind="table")
    for layer in range(shape.layers):
        yield from _layer(shape, f"model.layers.{layer}")
    yield Weight(name="model.norm.weight", shape=(shape.hidden,), kind="norm")
    yield Weight(name="lm_head.weight", shape=(shape.vocabulary, shape.hidden), kind="table")


def parameters(shape: Shape) -> int:
    """How many weights the model has."""
    return _ends(shape) + shape.layers * _of_a_layer(shape)


def check(shape: Shape) -> None:
    """Refuse what no engine would serve.

    Raises:
        UsageError: naming the numbers and the cure.
    """
    for field in fields(shape):
        value = getattr(shape, field.name)
        least = 0 if field.name.startswith("experts") else 1
        if not least <= value <= LARGEST:
            raise UsageError(f"{_option(field.name)} {value}: give a whole number from {least} to {LARGEST}")
    for name in ("hidden", "intermediate"):
        if getattr(shape, name) % 16:
            raise UsageError(f"{_option(name)} {getattr(shape, name)}: give a multiple of 16, as the kernels need")
    if shape.heads % shape.kv_heads:
        raise UsageError(f"--heads {shape.heads} is no multiple of --kv-heads {shape.kv_heads}; make it one")
    if bool(shape.experts) != bool(shape.experts_per_token) or shape.experts_per_token > shape.experts:
        raise UsageError(
            f"--experts {shape.experts} with --experts-per-token {shape.experts_per_token}: "
            "give both, the second at most as large as the first, or neither"
        )


def _wished(size: Shape, wishes: Wishes) -> Shape:
    """A size of the template with what the user says himself."""
    said = {field.name: getattr(wishes, field.name, None) for field in fields(Shape)}
    found = replace(size, **{name: value for name, value in said.items() if value is not None})
    if wishes.experts and wishes.experts_per_token is None:
        found = replace(found, experts_per_token=min(8, wishes.experts))
    if wishes.experts == 0 and wishes.experts_per_token is None:
        found = replace(found, experts_per_token=0)
    return found


def _nearest(sizes: list[Shape], hidden: int | None) -> Shape:
    """The first size, or the one whose own width fits best what was asked for."""
    if hidden is None:
        return sizes[0]
    wide = [size for size in sizes if size.heads * size.head_dim <= max(hidden, 1024)]
    return (wide or sizes)[-1 if wide else 0]


def _of_bytes(sizes: list[Shape], gigabytes: float) -> Shape:
    """The size whose number of layers comes nearest to the template's own; the bytes are right to half a layer."""
    if not (math.isfinite(gigabytes) and gigabytes > 0):
        raise UsageError(f"--gigabytes {gigabytes}: give a number above 0")
    for size in sizes:
        check(size)
    wanted = gigabytes * 1e9 / 2
    fits = [replace(size, layers=round((wanted - _ends(size)) / _of_a_layer(size))) for size in sizes]
    there = [(fit, size) for fit, size in zip(fits, sizes, strict=True) if fit.layers >= 2]
    if not there:
        least = min(2 * parameters(replace(size, layers=2)) for size in sizes) / 1e9
        raise UsageError(f"--gigabytes {gigabytes}: the smallest of these models has {least:.3f}; ask for that or more")
    return min(there, key=lambda pair: abs(math.log(pair[0].layers / pair[1].layers)))[0]


def _ends(shape: Shape) -> int:
    return 2 * shape.vocabulary * shape.hidden + shape.hidden


def _of_a_layer(shape: Shape) -> int:
    return sum(math.prod(weight.shape) for weight in _layer(shape, ""))


def _layer(shape: Shape, at: str) -> Iterator[Weight]:
    inner, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    yield Weight(name=f"{at}.input_layernorm.weight", shape=(shape.hidden,), kind="norm")
    for name, size in (
        ("q_proj", (inner, shape.hidden)),
        ("k_proj", (keys, shape.hidden)),
        ("v_proj", (keys, shape.hidden)),
        ("o_proj", (shape.hidden, inner)),
    ):
        yield Weight(name=f"{at}.self_attn.{name}.weight", shape=size, kind="linear")
    if shape.experts:
        for name in ("q_norm", "k_norm"):
            yield Weight(name=f"{at}.self_attn.{name}.weight", shape=(shape.head_dim,), kind="norm")
    yield Weight(name=f"{at}.post_attention_layernorm.weight", shape=(shape.hidden,), kind="norm")
    if not shape.experts:
        yield from _mlp(shape, f"{at}.mlp")
        return
    yield Weight(name=f"{at}.mlp.gate.weight", shape=(shape.experts, shape.hidden), kind="router")
    for expert in range(shape.experts):
        yield from _mlp(shape, f"{at}.mlp.experts.{expert}")


def _mlp(shape: Shape, at: str) -> Iterator[Weight]:
    for name in ("gate_proj", "up_proj"):
        yield Weight(name=f"{at}.{name}.weight", shape=(shape.intermediate, shape.hidden), kind="linear")
    yield Weight(name=f"{at}.down_proj.weight", shape=(shape.hidden, shape.intermediate), kind="linear")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
