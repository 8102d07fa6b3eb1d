"""Models with random weights: what is written, and what is refused."""

import hashlib
import json
import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from twx_accept import cli
from twx_accept.errors import PreparingError, TwxAcceptError, UsageError
from twx_accept.evidence.safetensors import read_header
from twx_accept.preparing.random_model import Wishes, make_random, making, numbers, shape_of
from twx_accept.preparing.random_model.shape import parameters
from twx_accept.preparing.random_model.shards import split, write_shards

SMALL = Wishes(layers=2, hidden=64, heads=4, kv_heads=2, intermediate=96, vocabulary=320)
MIXTURE = Wishes(
    template="kimi-like", layers=2, hidden=64, heads=4, kv_heads=2, intermediate=32, vocabulary=320, experts=4
)
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a model in a folder of that name, from a small block in small pieces: a quarter of a second less each."""
    monkeypatch.setattr(numbers, "BLOCK", 2**14)
    monkeypatch.setattr(numbers, "PIECE", 2**12)

    def made(name: str, wishes: Wishes = SMALL, **options: Any) -> Path:
        told = {"seed": None, "stored": "bf16", "damage": 0.0, "tokenizer": None, "like": None, **options}
        make_random(tmp_path / name, wishes, begin=lambda _: lambda _: None, **told)
        return tmp_path / name

    return made


def tensors(folder: Path) -> dict[str, Any]:
    """Every tensor as it is stored."""
    found: dict[str, Any] = {}
    kinds = {"BF16": np.uint16, "F32": np.float32, "I8": np.int8, "F8_E4M3": np.uint8}
    for file in sorted(folder.glob("*.safetensors")):
        text = file.read_bytes()
        start = 8 + int.from_bytes(text[:8], "little")
        for name, entry in json.loads(text[8:start]).items():
            if name != "__metadata__":
                begin, end = entry["data_offsets"]
                flat = np.frombuffer(text[start + begin : start + end], kinds[entry["dtype"]])
                found[name] = flat.reshape(entry["shape"])
    return found


def plain(bits: Any) -> Any:
    """The values of bfloat16."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def e4m3(code: int) -> float:
    """The value of an 8-bit float: a sign, four bits of exponent (bias 7), three of fraction."""
    sign, exponent, fraction = code >> 7, code >> 3 & 15, code & 7
    value = fraction / 8 * 2.0**-6 if exponent == 0 else (1 + fraction / 8) * 2.0 ** (exponent - 7)
    return -value if sign else value


def digests(folder: Path) -> dict[str, str]:
    """The digest of every file."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


@pytest.mark.parametrize("wishes", [SMALL, MIXTURE])
def test_the_file_holds_every_weight_that_the_shape_has(make: Make, wishes: Wishes) -> None:
    """The number of weights is the shape's, the header is whole, and the configuration says the same shape."""
    folder = make("model", wishes)
    header = read_header(folder / "model.safetensors")
    assert sum(math.prod(tensor.shape) for tensor in header.values()) == parameters(shape_of(wishes))
    said = json.loads((folder / "config.json").read_text())
    assert header["model.embed_tokens.weight"].shape == (said["vocab_size"], said["hidden_size"])
    keys = said["num_key_value_heads"] * said["head_dim"]
    assert header["model.layers.1.self_attn.k_proj.weight"].shape == (keys, 64)
    assert said["num_hidden_layers"] == 2


def test_a_mixture_has_a_router_and_its_experts(make: Make) -> None:
    """Each layer has a row of the router an expert, and three matrices an expert; a dense layer has neither."""
    folder = make("model", MIXTURE)
    header = read_header(folder / "model.safetensors")
    said = json.loads((folder / "config.json").read_text())
    assert (said["architectures"], said["num_experts"], said["num_experts_per_tok"]) == (["Qwen3MoeForCausalLM"], 4, 4)
    assert header["model.layers.0.mlp.gate.weight"].shape == (4, 64)
    assert header["model.layers.1.mlp.experts.3.down_proj.weight"].shape == (64, 32)
    assert not [name for name in read_header(make("dense") / "model.safetensors") if "experts" in name]


def test_weights_are_finite_centred_and_of_one_spread(make: Make) -> None:
    """Matrices have a mean of 0 and a standard deviation of 0.02, norms are ones, and nothing is NaN or infinite."""
    for name, tensor in tensors(make("model")).items():
        values = plain(tensor)
        assert np.isfinite(values).all()
        if "norm" in name:
            assert (values == 1).all()
        else:
            assert abs(values.mean()) < 0.002
            assert 0.018 < values.std() < 0.022


def test_no_two_tensors_are_alike(make: Make) -> None:
    """Each is cut from a place of its own, in one layer and from layer to layer."""
    found = [tensor.tobytes()[:64] for name, tensor in tensors(make("model")).items() if "norm" not in name]
    assert len(set(found)) == len(found)


def test_one_seed_is_one_model(make: Make) -> None:
    """The same seed gives the same bytes of every file; another seed, others."""
    one = digests(make("one", seed=7))
    assert one == digests(make("two", seed=7))
    assert one["model.safetensors"] != digests(make("three", seed=8))["model.safetensors"]


def test_the_drawn_numbers_never_change(tmp_path: Path) -> None:
    """A build made tomorrow, on another machine or with another numpy, is a build of the model made today."""
    folder = tmp_path / "model"
    told: Mapping[str, Any] = {"seed": 0, "stored": "bf16", "damage": 0.0, "tokenizer": None, "like": None}
    make_random(folder, SMALL, begin=lambda _: lambda _: None, **told)
    assert digests(folder)["model.safetensors"].startswith("242c84ce91231d2a")


@pytest.mark.parametrize(("stored", "half_step"), [("int8", 0.51), ("fp8", None)])
def test_a_rounded_build_holds_the_nearest_codes_of_the_same_weights(
    make: Make, stored: str, half_step: float | None
) -> None:
    """Each linear weight is within half a step of the original's, the file is smaller, and the rest is untouched."""
    original = make("original")
    build = make("build", Wishes(), like=original, stored=stored)
    before, after = tensors(original), tensors(build)
    assert (build / "model.safetensors").stat().st_size < 0.8 * (original / "model.safetensors").stat().st_size
    for name, tensor in before.items():
        scale = after.get(f"{name}_scale")
        if scale is None:
            assert (after[name] == tensor).all()
            continue
        values = after[name] if stored == "int8" else np.vectorize(e4m3)(after[name])
        assert scale.shape == (tensor.shape[0], 1)
        apart = np.abs(values * scale - plain(tensor))
        # An 8-bit float has a fraction of three bits: half a step is a sixteenth of the value, or of the smallest one.
        most = half_step * scale if half_step else np.maximum(np.abs(plain(tensor)) / 15.9, 2.0**-9 * scale)
        assert (apart <= most).all()
    assert {name for name in before if f"{name}_scale" in after} == {name for name in before if "proj" in name}
    said = json.loads((build / "config.json").read_text())["quantization_config"]
    assert (said["quant_method"], said["ignore"][0]) == ("compressed-tensors", "lm_head")


def test_damage_turns_that_share_of_the_signs(make: Make) -> None:
    """Of the linear weights a quarter changes its sign and nothing else; embeddings, head and norms stay."""
    original = make("original")
    before, after = tensors(original), tensors(make("build", Wishes(), like=original, damage=0.25))
    for name, tensor in before.items():
        turned = (tensor ^ after[name]) == 0x8000
        assert (turned | (tensor == after[name])).all()
        assert (0.2 < turned.mean() < 0.3) if "proj" in name else not turned.any()


def test_a_build_with_fewer_layers_keeps_the_first(make: Make) -> None:
    """What is left is the original's, byte for byte, and so is its tokenizer."""
    original = make("original")
    build = make("build", Wishes(layers=1), like=original)
    before, after = tensors(original), tensors(build)
    assert set(before) - set(after) == {name for name in before if ".layers.1." in name}
    assert all((before[name] == tensor).all() for name, tensor in after.items())
    assert (build / "tokenizer.json").read_bytes() == (original / "tokenizer.json").read_bytes()
    assert json.loads((build / "config.json").read_text())["num_hidden_layers"] == 1


def test_shards_are_filled_in_order_and_indexed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """No shard is over the limit unless one tensor is; the index names each tensor's shard; same bytes."""
    whole = tensors(make("whole"))
    monkeypatch.setattr(making, "split", lambda entries: split(entries, 40_000))
    folder = make("sharded")
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    files = sorted(file.name for file in folder.glob("*.safetensors"))
    assert files[0] == f"model-00001-of-{len(files):05}.safetensors"
    assert set(index["weight_map"].values()) == set(files)
    held = {name: read_header(folder / name) for name in files}
    assert all(name in held[file] for name, file in index["weight_map"].items())
    sizes = [[tensor.bytes for tensor in header.values()] for header in held.values()]
    assert index["metadata"]["total_size"] == sum(map(sum, sizes))
    assert all(sum(size) <= 40_000 or len(size) == 1 for size in sizes)
    found = tensors(folder)
    assert set(found) == set(whole)
    assert all((found[name] == tensor).all() for name, tensor in whole.items())


def test_every_byte_is_counted(tmp_path: Path) -> None:
    """Progress is told how much is to come, and then exactly that much."""
    totals: list[int] = []
    done: list[int] = []

    def begin(total: int) -> Callable[[int], None]:
        totals.append(total)
        return done.append

    folder = tmp_path / "model"
    made = make_random(folder, SMALL, seed=0, stored="int8", damage=0, tokenizer=None, like=None, begin=begin)
    assert totals == [sum(done)] == [made.bytes]


def test_what_failed_or_was_stopped_leaves_nothing(tmp_path: Path, make: Make) -> None:
    """A disk that is full in the middle is one line with a cure, Ctrl-C passes; neither leaves a folder behind."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    def stopped(_: int) -> None:
        raise KeyboardInterrupt

    told: Mapping[str, Any] = {"seed": 0, "stored": "bf16", "damage": 0.0, "tokenizer": None, "like": None}
    with pytest.raises(PreparingError, match=r"No space left on device.*free space"):
        make_random(tmp_path / "model", SMALL, begin=lambda _: full, **told)
    with pytest.raises(KeyboardInterrupt):
        make_random(tmp_path / "model", SMALL, begin=lambda _: stopped, **told)
    assert list(tmp_path.iterdir()) == []
    assert make("model").is_dir()


def test_a_disk_that_is_too_small_is_told_before_the_start(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written where it would not fit; the line says how much is free and how much is needed."""
    usage = shutil.disk_usage("/")._replace(free=10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(UsageError, match=r"0\.0 GB free, 0\.1 GB needed"):
        make("model")


def test_a_failed_shard_stops_the_others(tmp_path: Path, make: Make) -> None:
    """A file that is in the way is an error of ours, and no thread goes on writing."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "model.safetensors").write_text("in the way")
    with pytest.raises(FileExistsError):
        write_shards(tmp_path / "work", [[]], lambda _: None)
    with pytest.raises(UsageError, match=r"there already"):
        make("work")


@pytest.mark.parametrize(
    ("wishes", "options", "told"),
    [
        (Wishes(template="llama"), {}, "--template llama: no such template; known are dense, kimi-like"),
        (Wishes(gigabytes=1.0, layers=3), {}, "leave out --layers and --hidden, or it"),
        (Wishes(gigabytes=float("nan")), {}, "--gigabytes nan: give a number above 0"),
        (Wishes(gigabytes=-1.0), {}, "--gigabytes -1.0: give a number above 0"),
        (Wishes(gigabytes=0.01), {}, "the smallest of these models has"),
        (Wishes(layers=0), {}, "--layers 0: give a whole number from 1"),
        (Wishes(layers=10**9), {}, "--layers 1000000000: give a whole number"),
        (Wishes(hidden=100), {}, "--hidden 100: give a multiple of 16"),
        (Wishes(intermediate=24), {}, "--intermediate 24: give a multiple of 16"),
        (Wishes(heads=12), {}, "--heads 12 is no multiple of --kv-heads 8"),
        (Wishes(heads=0, gigabytes=1.0), {}, "--heads 0: give a whole number from 1"),
        (Wishes(experts=4, experts_per_token=5), {}, "--experts 4 with --experts-per-token 5"),
        (Wishes(experts_per_token=2), {}, "--experts 0 with --experts-per-token 2"),
        (Wishes(vocabulary=100), {}, "--vocabulary 100: the tokenizer that is written here has 259 to 475"),
        (SMALL, {"stored": "int4"}, "--store int4: give one of bf16, int8, fp8"),
        (SMALL, {"damage": 1.5}, "--damage 1.5: give a share from 0 to 1"),
        (SMALL, {"damage": float("nan")}, "--damage nan: give a share from 0 to 1"),
        (SMALL, {"seed": -1}, "--seed -1: give a whole number"),
        (SMALL, {"like": Path("nowhere")}, "--like takes shape, seed and tokenizer from its model"),
        (Wishes(template="kimi-like"), {"like": Path("nowhere")}, "leave out all but --layers"),
        (Wishes(), {"like": Path("nowhere"), "seed": 0}, "leave out all but --layers"),
        (Wishes(), {"like": Path("nowhere"), "tokenizer": Path("there")}, "leave out all but --layers"),
        (Wishes(), {"like": Path("nowhere")}, "--like nowhere: FileNotFoundError"),
        (SMALL, {"tokenizer": Path("nowhere")}, "--tokenizer nowhere: FileNotFoundError"),
    ],
)
def test_what_cannot_be_made_is_refused(make: Make, wishes: Wishes, options: dict[str, Any], told: str) -> None:
    """Each option that is wrong is named with its value and what to give instead; nothing is left behind."""
    with pytest.raises(UsageError) as refused:
        make("model", wishes, **options)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "config",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"random_weights": 1}',
        '{"random_weights": {"version": 1}}',
        '{"random_weights": {"version": 1, "shape": {"layers": 1}, "seed": 0}}',
        json.dumps({"random_weights": {"version": 2, "seed": 0, "shape": asdict(shape_of(SMALL))}}),
        json.dumps({"random_weights": {"version": 1, "seed": "0", "shape": asdict(shape_of(SMALL))}}),
        json.dumps({"random_weights": {"version": 1, "seed": 0, "shape": {**asdict(shape_of(SMALL)), "layers": 1.5}}}),
        "[" * 100_000,
    ],
)
def test_a_build_is_made_only_of_a_model_that_was_made_here(tmp_path: Path, make: Make, config: str) -> None:
    """Any other configuration, whole or broken, is refused with the folder's name and the cure."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text(config)
    with pytest.raises(UsageError, match=r"--like .*other: .*name a model that"):
        make("build", Wishes(), like=tmp_path / "other")


def test_a_build_of_a_build_is_refused(make: Make) -> None:
    """Rounding twice, or damage on damage, would be told wrong; the original is asked for."""
    build = make("build", Wishes(), like=make("original"), stored="int8")
    with pytest.raises(UsageError, match=r"is a build itself .int8, damage 0.0.; name its original"):
        make("again", Wishes(), like=build, damage=0.5)
    with pytest.raises(UsageError, match=r"--layers 3: .* has 2; give 1 to that many"):
        make("more", Wishes(layers=3), like=build.parent / "original")


@pytest.mark.parametrize("gigabytes", [0.2, 1, 16, 60, 100, 400, 1100, 2500])
@pytest.mark.parametrize("template", ["dense", "kimi-like"])
def test_gigabytes_choose_a_shape(gigabytes: float, template: str) -> None:
    """The model has as many bytes as were asked for, to a quarter at worst, and divides among eight cards."""
    shape = shape_of(Wishes(template=template, gigabytes=gigabytes))
    assert 2 * parameters(shape) / 1e9 == pytest.approx(gigabytes, rel=0.25)
    assert shape.layers >= 2
    for count in (shape.heads, shape.kv_heads, shape.intermediate, shape.vocabulary):
        assert count % 8 == 0


def test_the_command_says_what_it_made(tmp_path: Path) -> None:
    """One line with bytes, architecture, shape and speed; a wrong option is one line and status 2."""
    words = ["models", "make-random", str(tmp_path / "model"), "--layers", "1", "--vocabulary", "320"]
    ran = CliRunner().invoke(cli.app, [*words, "--experts", "8", "--experts-per-token", "2", "--intermediate", "64"])
    assert ran.exit_code == 0, ran.output
    assert "Qwen3MoeForCausalLM, 1 layers of 512, 8 experts of which 2 a token, 320 tokens" in ran.output
    again = CliRunner().invoke(cli.app, words)
    assert isinstance(again.exception, TwxAcceptError)
    assert "name another folder" in str(again.exception)
