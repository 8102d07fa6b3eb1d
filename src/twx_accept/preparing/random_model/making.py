"""Makes a random model, or a build of one, in a folder of its own."""

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

from twx_accept.errors import PreparingError, UsageError
from twx_accept.preparing.random_model.describing import (
    Recipe,
    configuration,
    generation,
    recipe_of,
)
from twx_accept.preparing.random_model.numbers import ONE, STORED, Numbers, filled
from twx_accept.preparing.random_model.shape import Shape, Wishes, check, shape_of, weights
from twx_accept.preparing.random_model.shards import Entry, split, write_shards
from twx_accept.preparing.random_model.vocabulary import Vocabulary, copied, own

SPARE_BYTES = 10**8
"""Of the disk, for the tokenizer and whatever else is written meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was made, and how long its writing took."""

    folder: Path
    architecture: str
    shape: Shape
    bytes: int
    shards: int
    seconds: float


def make_random(
    out: Path,
    wishes: Wishes,
    *,
    seed: int | None,
    stored: str,
    damage: float,
    tokenizer: Path | None,
    like: Path | None,
    begin: Callable[[int], Callable[[int], None]],
) -> Made:
    """Write a model with random weights to ``out``.

    Args:
        out: a folder that is not there yet, or an empty one.
        wishes: its shape.
        seed: 0 or more, None for 0. One seed and one shape are the same bytes on every machine.
        stored: how linear layers are stored, one of ``STORED``.
        damage: the share of the linear layers' weights whose sign is turned, 0 to 1.
        tokenizer: the folder of another model, whose tokenizer it gets; None writes one.
        like: a model that was made here: shape, seed and tokenizer are its, the weights are the same ones, stored or
            damaged as is said here. With fewer ``wishes.layers`` the last ones are left out.
        begin: told the bytes that are to come; what it returns is told of each piece written, from several threads.

    Raises:
        UsageError: the options contradict each other, the folder is taken, or the disk is too small.
        PreparingError: it could not be written.
    """
    if stored not in STORED:
        raise UsageError(f"--store {stored}: give one of {', '.join(STORED)}")
    if not 0 <= damage <= 1:
        raise UsageError(f"--damage {damage}: give a share from 0 to 1")
    if not 0 <= (seed or 0) < 2**63:
        raise UsageError(f"--seed {seed}: give a whole number from 0 to {2**63 - 1}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out}: is there already: name another folder, or remove it")
    recipe, source = _planned(wishes, seed, tokenizer, like)
    recipe = replace(recipe, stored=stored, damage=damage)
    shards = split(_entries(recipe))
    size = sum(entry.bytes for shard in shards for entry in shard)
    started = time.monotonic()
    try:
        _place(out, recipe, source, shards, size, begin)
    except OSError as error:
        raise PreparingError(f"{error}: see that {out.parent} can be written and has free space") from error
    return Made(
        folder=out,
        architecture=configuration(recipe, Vocabulary(size=0, begin=None, end=None))["architectures"][0],
        shape=recipe.shape,
        bytes=size,
        shards=len(shards),
        seconds=time.monotonic() - started,
    )


def _planned(wishes: Wishes, seed: int | None, tokenizer: Path | None, like: Path | None) -> tuple[Recipe, Path | None]:
    """What is to be made, and whose tokenizer it gets."""
    if like is not None:
        said = {**asdict(replace(wishes, layers=None)), "seed": seed, "tokenizer": tokenizer}
        if any(value is not None for value in said.values()):
            raise UsageError("--like takes shape, seed and tokenizer from its model: leave out all but --layers")
        recipe = recipe_of(like)
        layers = wishes.layers if wishes.layers is not None else recipe.shape.layers
        if not 1 <= layers <= recipe.shape.layers:
            raise UsageError(f"--layers {layers}: {like} has {recipe.shape.layers}; give 1 to that many")
        return replace(recipe, shape=replace(recipe.shape, layers=layers)), like
    if tokenizer is not None:
        size = copied(tokenizer, None).size
        if wishes.vocabulary is None:
            wishes = replace(wishes, vocabulary=size)
        elif wishes.vocabulary < size:
            raise UsageError(f"--vocabulary {wishes.vocabulary}: the tokenizer has {size} ids; give that or more")
    shape = shape_of(wishes)
    check(shape)
    return Recipe(shape=shape, seed=seed or 0), tokenizer


def _place(
    out: Path,
    recipe: Recipe,
    tokenizer: Path | None,
    shards: list[list[Entry]],
    size: int,
    begin: Callable[[int], Callable[[int], None]],
) -> None:
    """Write everything in a hidden folder beside, which takes its place when it is whole."""
    out.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(out.parent).free
    if free < size + SPARE_BYTES:
        raise UsageError(
            f"{out.parent}: {free / 1e9:.1f} GB free, {(size + SPARE_BYTES) / 1e9:.1f} GB needed: "
            "free some space, name a folder on a larger disk, or ask for fewer gigabytes"
        )
    work = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        found = own(work, recipe.shape.vocabulary) if tokenizer is None else copied(tokenizer, work)
        _json(work / "config.json", configuration(recipe, found))
        _json(work / "generation_config.json", generation(found))
        write_shards(work, shards, begin(size))
        work.chmod(0o755)  # mkdtemp's 0700 would keep a server of another user out
        work.rename(out)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _entries(recipe: Recipe) -> Iterator[Entry]:
    """Every tensor, with where its numbers come from; the scale of a rounded one stands right after it."""
    storage = STORED[recipe.stored]
    numbers = Numbers(recipe.seed, storage, recipe.damage)
    for weight in weights(recipe.shape):
        count, linear = prod(weight.shape), weight.kind == "linear"
        dtype = storage.dtype if linear else "BF16"
        source = partial(numbers.stored if linear else numbers.plain, weight.name, count)
        if weight.kind == "norm":
            source = partial(filled, ONE, count)
        yield Entry(name=weight.name, dtype=dtype, shape=weight.shape, pieces=source)
        if linear and storage.scale is not None:
            rows = weight.shape[0]
            scales = partial(filled, storage.scale, rows)
            yield Entry(name=f"{weight.name}_scale", dtype="F32", shape=(rows, 1), pieces=scales)


def _json(file: Path, value: Any) -> None:
    file.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
