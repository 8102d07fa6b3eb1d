"""Served the same way: only what the suite lists may differ, and everything else is compared."""

import copy

import pytest

from twx_accept.claims._same import differences, require_served_the_same
from twx_accept.errors import InvalidClaim


def difference(original, build, may_differ=()):
    """What is said of two builds that were not served the same way."""
    with pytest.raises(InvalidClaim) as caught:
        require_served_the_same(original, build, may_differ)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


@pytest.fixture
def configured(boot, evidence):
    """Makes the evidence of a build whose engine has one setting changed, given as a dotted path."""

    def make(name, path, value):
        settings = copy.deepcopy(boot().settings)
        *groups, leaf = path.split(".")
        place = settings
        for group in groups:
            place = place.setdefault(group, {})
        place[leaf] = value
        return evidence(name, boots=[boot(settings=settings)])

    return make


def test_two_builds_under_one_roof_are_the_same(evidence):
    """Equal parts and equal settings pass, whatever the weights and the configuration."""
    require_served_the_same(evidence("original"), evidence("small", identity={"weights": {"a": "b"}}), ())


@pytest.mark.parametrize("part", ["engine", "flags", "machine", "tokenizer", "asking"])
def test_each_part_of_the_identity_is_compared(evidence, part):
    """A difference in any compared part is told with both values, and no other flag's name excuses it."""
    build = evidence("small", identity={part: {"x": 1}})
    message = difference(evidence("original", identity={part: {"x": 2}}), build, (part, "quantization"))
    assert f"{part}.x is 2 for original and 1 for small" in message


@pytest.mark.parametrize("part", ["engine", "flags", "machine", "tokenizer", "asking"])
def test_part_that_was_not_recorded_is_no_agreement(evidence, part):
    """Two sides that both say nothing have not been compared."""
    sides = [evidence(name) for name in ("original", "small")]
    for side in sides:
        del side.identity[part]
    assert f"{part} is not recorded for original; {part} is not recorded for small" in difference(*sides)


def test_listed_flags_may_differ(evidence):
    """A flag that the suite lists may differ, tables and all; its neighbour may not."""
    original = evidence("original", identity={"flags": {"quantization": None, "overrides": {"a": 1}, "seed": 0}})
    build = evidence("small", identity={"flags": {"quantization": "fp8", "overrides": {"a": 2}, "seed": 0}})
    require_served_the_same(original, build, ("quantization", "overrides"))
    message = difference(original, build, ("quantization",))
    assert "flags.overrides.a is 1 for original and 2 for small" in message
    assert "quantization" not in message


def test_flag_named_like_a_part_excuses_only_the_flag(evidence):
    """``tokenizer`` is a flag too; listing it does not let the tokenizer's files differ."""
    build = evidence("small", identity={"tokenizer": {"tokenizer.json": "1" * 64}})
    assert "tokenizer.tokenizer.json" in difference(evidence("original"), build, ("tokenizer",))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model_config.max_model_len", 4096),
        ("model_config.model_impl", "transformers"),
        ("model_config.tokenizer_mode", "slow"),
        ("model_config.dtype", "float16"),
        ("cache_config.block_size", 32),
        ("cache_config.num_gpu_blocks_override", 5),
        ("parallel_config.tensor_parallel_size", 4),
        ("parallel_config.pipeline_parallel_size", 2),
        ("parallel_config.enable_expert_parallel", True),
        ("parallel_config.decode_context_parallel_size", 2),
        ("parallel_config.nnodes", 2),
        ("scheduler_config.max_num_seqs", 64),
        ("speculative_config", {"method": "ngram"}),
        ("vllm_env.VLLM_BATCH_INVARIANT", "1"),
    ],
)
def test_engine_settings_are_compared(evidence, configured, path, value):
    """What the engine says of itself must be equal, names that begin like a build's own included."""
    assert f"the engine's {path}" in difference(evidence("original"), configured("small", path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model_config.model", "/models/small"),
        ("model_config.tokenizer", "/models/small"),
        ("model_config.served_model_name", "small"),
        ("model_config.quantization", "compressed-tensors"),
        ("model_config.quantization_config", {"bits": 4}),
        ("quant_config", "<a class>"),
        ("instance_id", "2"),
        ("cache_config.num_gpu_blocks", 99),
        ("cache_config.kv_cache_size_tokens", 99),
        ("compilation_config.compilation_time", 3.5),
        ("parallel_config.master_port", 6000),
        ("parallel_config._data_parallel_master_port_list", [1]),
        ("parallel_config.data_parallel_master_ip", "10.0.0.1"),
        ("vllm_env.VLLM_OBJECT_STORAGE_SHM_BUFFER_NAME", "x"),
    ],
)
def test_what_names_the_build_or_the_process_may_differ(evidence, configured, path, value):
    """Paths, names, ports and what a process measured are no settings."""
    require_served_the_same(evidence("original"), configured("small", path, value), ())


def test_listed_flag_may_differ_in_the_engine_too(evidence, configured):
    """A listed flag shows somewhere in the engine's configuration, as a value or as a table."""
    build = configured("small", "model_config.hf_overrides.head_dtype", "float32")
    require_served_the_same(evidence("original"), build, ("hf_overrides",))
    assert "hf_overrides" in difference(evidence("original"), build)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"device": "cpu"}, "the engine's device is 'cuda' for original (boot 1) and 'cpu' for small (boot 1)"),
        ({"engine_version": "0.31.0"}, "the engine's version is '0.32.0'"),
        ({"cards": (1,) * 4}, "the engine's bytes of each card"),
        ({"settings": {}}, "the engine's model_config"),
        ({"settings": {"vllm_config": "odd"}}, "the engine's model_config"),
        ({"settings": {"parallel_config": "odd"}}, "the engine's parallel_config"),
    ],
)
def test_what_a_boot_ran_on_is_compared(evidence, boot, change, told):
    """Device, version and cards belong to how a build was served."""
    assert told in difference(evidence("original"), evidence("small", boots=[boot(**change)]))


def test_what_an_attached_server_does_not_show_is_no_difference(evidence, boot):
    """Of two servers that somebody else started only what both show is compared; a difference in that is one."""
    shown = {"engine": {"version": "0.32.0"}, "tokenizer": {"a": "b"}, "machine": "not shown"}
    hidden = {"engine": {"version": "not shown"}, "tokenizer": "not shown", "machine": "not shown"}
    silent = boot(launcher="attach", settings={}, engine_version="")
    original = evidence("original", identity=shown, boots=[boot(launcher="attach")])
    require_served_the_same(original, evidence("small", identity=hidden, boots=[silent]), ())
    require_served_the_same(evidence("original", identity=hidden, boots=[silent]), original, ())
    other = boot(launcher="attach", settings={}, engine_version="0.31.0")
    told = difference(original, evidence("small", identity=hidden, boots=[other]))
    assert "the engine's version is '0.32.0' for original (boot 1) and '0.31.0' for small" in told
    open_ = boot(launcher="attach", settings={**boot().settings, "model_config": {"seed": 9}})
    assert "model_config" in difference(original, evidence("small", identity=hidden, boots=[open_]))


def test_every_boot_is_compared(evidence, boot):
    """Answers were collected over all boots, so an earlier one with other settings counts too."""
    other = boot(engine_version="0.31.0")
    last = boot(number=2)
    assert "for small (boot 1)" in difference(evidence("original"), evidence("small", boots=[other, last]))
    assert "for original (boot 2) and '0.31.0' for original (boot 1)" in difference(
        evidence("original", boots=[other, last]), evidence("small")
    )


def test_build_that_was_never_booted_is_not_the_same(evidence):
    """Without a boot nothing is proven."""
    assert "no boot of small is recorded" in difference(evidence("original"), evidence("small", boots=[]))
    assert "no boot of original is recorded" in difference(evidence("original", boots=[]), evidence("small"))


def test_many_and_long_differences_stay_readable(evidence):
    """The first differences are told, long values are cut, and the rest is counted."""
    build = evidence("small", identity={"flags": {f"f{number}": "x\n" * 500 for number in range(20)}})
    message = difference(evidence("original", identity={"flags": {}}), build)
    assert "and 12 more" in message
    assert len(message) < 2000


def test_differences_go_down_to_the_leaves():
    """Tables are compared field by field, an absent field like none, and lists as a whole."""
    left, right = {"a": {"b": 1, "c": [1]}, "d": None, "e": 1}, {"a": {"b": 2, "c": [1, 2]}, "e": {"f": 1}}
    assert list(differences(left, right, "")) == [
        ("a.b", 1, 2),
        ("a.c", [1], [1, 2]),
        ("e", 1, {"f": 1}),
    ]


def test_a_builds_own_sampling_defaults_are_compared(evidence):
    """Defaults that a model brings reach every request, unless the engine's own are asked for or may differ."""

    def side(name, defaults, **flags):
        return evidence(name, identity={"flags": flags, "configuration": {"generation_config.json": defaults}})

    message = difference(side("original", "a"), side("small", "b"))
    assert (
        "generation_config.json, whose sampling defaults the engine takes, is 'a' for original and 'b' for" in message
    )
    assert "None for small" in difference(side("original", "a"), evidence("small", identity={"flags": {}}))
    require_served_the_same(side("original", "a"), side("small", "a"), ())
    unseen = evidence("small", identity={"flags": {}, "configuration": "not shown"})
    require_served_the_same(side("original", "a"), unseen, ())
    vllm = [side(name, name, generation_config="vllm") for name in ("original", "small")]
    require_served_the_same(*vllm, ())
    require_served_the_same(side("original", "a"), side("small", "b"), ("generation_config",))
