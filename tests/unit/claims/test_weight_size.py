"""Weight size: bytes of the weight files against the original's, and what is in them."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from twx_accept.domain.verdict import Outcome
from twx_accept.errors import InvalidClaim, SuiteError

MARKED = {"mark": {"small": 0.65}}


@pytest.fixture
def decide(claim, evidence):
    """Decides weight size from two sizes in bytes."""

    def run(original, build, settings=MARKED, name="small"):
        return claim("weight_size", settings).decide(evidence("original", size=original), evidence(name, size=build))

    return run


def modules(verdict):
    """The rows about modules that are gone or new."""
    return next(fold for fold in verdict.folds if fold.title.startswith("Modules"))


def test_size_within_the_mark_is_shown(decide):
    """Half the bytes of the original are within 0.65, and said in decimal gigabytes."""
    verdict = decide(2_000_000_000, 1_000_000_000)
    assert verdict.outcome is Outcome.SHOWN
    assert verdict.sentence == (
        "small has 1.00 GB of weights, 0.500 of the original's 2.00 GB; the mark is 0.650. Within the mark."
    )
    assert verdict.mark == "at most 0.650 of the original's bytes"
    assert verdict.statistics == {
        "bytes": 1_000_000_000,
        "bytes_original": 2_000_000_000,
        "ratio": 0.5,
        "mark": 0.65,
    }


@example(whole=9_421_756_522_128, mark=683)
@given(whole=st.integers(1, 10**13), mark=st.integers(1, 999))
def test_exactly_the_ratio_is_shown_and_a_byte_more_fails(claim, evidence, whole, mark):
    """The mark is at most: the ratio itself passes for any size, one byte more does not."""
    made = claim("weight_size", {"mark": {"small": mark / 1000}})
    original = evidence("original", size=whole * 1000)
    assert made.decide(original, evidence("small", size=whole * mark)).outcome is Outcome.SHOWN
    assert made.decide(original, evidence("small", size=whole * mark + 1)).outcome is Outcome.FAILED


def test_larger_than_the_mark_fails(decide):
    """More bytes than the mark allows fail, and gate."""
    verdict = decide(1000, 651)
    assert (verdict.outcome, verdict.gates, verdict.passes) == (Outcome.FAILED, True, False)
    assert verdict.sentence.endswith("the mark is 0.650. Larger than the mark.")


@pytest.mark.parametrize("settings", [{}, {"mark": {"damaged": 0.5}}])
def test_build_without_a_mark_is_reported(decide, settings):
    """A build that no mark is registered for is reported and gates nothing."""
    verdict = decide(1000, 900, settings)
    assert (verdict.outcome, verdict.gates, verdict.mark) == (Outcome.REPORTED, False, "")
    assert verdict.sentence.endswith("no mark is registered.")


def test_mark_for_a_build_that_is_not_there_is_refused(claim):
    """A mistyped name in the marks would leave a build without a gate, so it is an error that lists the builds."""
    for name in ("smal", "original", "a\nb"):
        with pytest.raises(SuiteError) as caught:
            claim("weight_size", {"mark": {name: 0.5}})
        assert "suite.toml: claims.weight_size.mark: no build" in str(caught.value)
        assert "it has: small, damaged" in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("mark", [0, -1, 65, 1.01, float("inf"), float("nan"), "0.5", True, None])
def test_impossible_mark_is_refused(claim, mark):
    """A mark is a ratio above 0 and at most 1: one in percent would let every build pass."""
    with pytest.raises(SuiteError, match=r"claims\.weight_size\.mark\.small"):
        claim("weight_size", {"mark": {"small": mark}})


def test_marks_are_registered_without_rounding(claim):
    """Two marks that differ in the eighth decimal are registered differently."""
    marks = [claim("weight_size", {"mark": {"small": mark}}).specification()["marks"] for mark in (0.65, 0.65000001)]
    assert marks == [{"small": "0.650000"}, {"small": "0.65000001"}]


@pytest.mark.parametrize("broken", ["original", "small"])
def test_incomplete_weights_are_invalid(claim, evidence, broken):
    """Shards that are missing or foreign on either side are named, and nothing is decided."""
    made = claim("weight_size", MARKED)
    problem = {"problems": ("index names shards that are absent: b", "and another")}
    sides = [evidence(name, **(problem if name == broken else {})) for name in ("original", "small")]
    with pytest.raises(InvalidClaim) as caught:
        made.decide(*sides)
    assert str(caught.value) == f"{broken}: index names shards that are absent: b; and another"


@pytest.mark.parametrize("empty", ["original", "small"])
def test_no_weights_are_invalid(claim, evidence, empty):
    """A folder without weight files has no size."""
    sides = [evidence(name, size=0 if name == empty else 1000) for name in ("original", "small")]
    with pytest.raises(InvalidClaim, match=f"{empty}: no weight files found"):
        claim("weight_size", MARKED).decide(*sides)


def test_files_must_be_those_that_the_suite_pins(claim, evidence, suite_of):
    """A suite that names a file's digest is only decided on that file."""
    builds = suite_of({}).builds
    pinned = (replace(builds[0], digests={"model.safetensors": "a" * 64}), builds[1])
    made = claim("weight_size", MARKED, builds=pinned)
    right = evidence("small", digests={"model.safetensors": "a" * 64})
    assert made.decide(evidence("original"), right).outcome is Outcome.FAILED
    with pytest.raises(InvalidClaim, match=r"small: model\.safetensors is bbb.* the suite pins aaa"):
        made.decide(evidence("original"), evidence("small", digests={"model.safetensors": "b" * 64}))
    with pytest.raises(InvalidClaim, match=r"model\.safetensors is not there"):
        made.decide(evidence("original"), evidence("small"))


def test_dropped_and_added_modules_are_listed(claim, evidence):
    """A vision tower that is gone is no compression, and is told by name; so is what was added."""
    plain = ("model.q.weight", "model.q.bias", "vision.a.weight", "vision.b.weight", "scale")
    verdict = claim("weight_size", MARKED).decide(
        evidence("original", tensors=plain), evidence("small", tensors=("model.q.weight", "model.q.bias", "new.weight"))
    )
    assert modules(verdict).title == "Modules dropped or added against the original (4)"
    assert modules(verdict).rows == (
        ("", "dropped"),
        ("vision.a", "dropped"),
        ("vision.b", "dropped"),
        ("new", "added"),
    )


@pytest.mark.parametrize(
    "packed",
    [
        ("m.q.weight_packed", "m.q.weight_scale", "m.q.weight_shape"),
        ("m.q.qweight", "m.q.qzeros", "m.q.scales", "m.q.g_idx"),
        ("m.q.weight", "m.q.weight.absmax", "m.q.weight.quant_state.bitsandbytes__nf4"),
        ("m.q.weight", "m.q.weight_scale_inv", "m.q.input_scale"),
    ],
)
def test_packed_tensors_are_their_module_still(claim, evidence, packed):
    """A packed weight has other tensors than a plain one, and its module is neither gone nor new."""
    verdict = claim("weight_size", MARKED).decide(
        evidence("original", tensors=("m.q.weight",)), evidence("small", tensors=packed)
    )
    assert modules(verdict).rows == (("none", "every module of the original has weights in the build"),)


def test_modules_that_no_header_names_are_unknown(claim, evidence):
    """Where one side's format names no tensors, nothing is called dropped."""
    bare = evidence("small")
    bare = replace(bare, inventory=replace(bare.inventory, tensors={}))
    verdict = claim("weight_size", MARKED).decide(evidence("original"), bare)
    assert modules(verdict).title == "Modules dropped or added against the original (unknown)"
    assert modules(verdict).rows[0][0] == "unknown"


def test_bytes_are_shown_beside_what_the_engine_loaded(claim, evidence, boot):
    """What the engine says it loaded is summed over its workers; on a CPU it does not say."""
    sides = [
        evidence("original", boots=[boot(weights_gib=())]),
        evidence("small", boots=[boot(weights_gib=(1.0, 2.0))]),
    ]
    verdict = claim("weight_size", MARKED).decide(*sides)
    loaded = [
        count.value for figure in verdict.figures for count in figure.counts if count.label.startswith("the engine")
    ]
    assert loaded[0] == "the engine does not say"
    assert loaded[1].value == 3 * 2**30
