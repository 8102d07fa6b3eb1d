"""Runs as the session would record them, built by hand with realistic figures."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from twx_accept.domain.run import RunRecord, Setting, Timing
from twx_accept.domain.verdict import (
    Bar,
    Count,
    Effect,
    Figure,
    Fold,
    Item,
    Outcome,
    Quantity,
    Segment,
    Unit,
    Verdict,
)

BYTES = {"original": 269_060_552, "smol-w8": 163_512_880, "smol-w4": 111_930_168, "smol-damaged": 269_060_552}
TITLES = {"original": "SmolLM2 135M"}
CONTROL = "smol-damaged"
CLAIMS = ("Weight size", "Cache headroom", "Everyday questions")


def quantity(value: float, unit: Unit, digits: int = 2) -> Quantity:
    """A quantity, briefly."""
    return Quantity(value=value, unit=unit, digits=digits)


def weight_bar(build: str) -> Bar:
    """The weights of one build on the scale of all."""
    return Bar(
        chart="weights",
        title="Weights",
        label=TITLES.get(build, build),
        unit=Unit.BYTES,
        segments=(Segment(label="Weights", value=BYTES[build]),),
        note=f"{BYTES[build] / BYTES['original']:.3f} of the original",
    )


def memory_bar(build: str) -> Bar:
    """Weights, cache and the rest against the memory of the host."""
    parts = (("Weights", BYTES[build]), ("Cache", 2.1e9), ("The rest", 0.6e9))
    segments = tuple(Segment(label=label, value=value) for label, value in parts)
    label = TITLES.get(build, build)
    return Bar(chart="memory", title="Memory", label=label, unit=Unit.BYTES, segments=segments, limit=4e9)


def size(build: str) -> Verdict:
    """Weight size: shown, but for the control, which has no mark."""
    ratio = BYTES[build] / BYTES["original"]
    gated = build != CONTROL
    files = Count(label="Files", value=quantity(1, Unit.COUNT))
    return Verdict(
        claim="size",
        title=CLAIMS[0],
        build=build,
        outcome=Outcome.SHOWN if gated else Outcome.REPORTED,
        sentence=f"{build} has {ratio:.3f} of the original's weights.",
        mark="at most 0.650 of the original" if gated else "",
        labels=() if gated else ("control",),
        gates=gated,
        figures=(
            Figure(
                key="original/bytes",
                label="Weight files",
                value=quantity(BYTES["original"], Unit.BYTES, 3),
                counts=(files,),
            ),
            Figure(key="bytes", label="Weight files", value=quantity(BYTES[build], Unit.BYTES, 3), counts=(files,)),
            Figure(key="ratio", label="Of the original", value=quantity(ratio, Unit.RATIO, 3), headline=True),
        ),
        bars=(weight_bar("original"), weight_bar(build)),
        folds=(
            Fold(
                title="Tensors added",
                columns=("Tensor", "Bytes"),
                rows=tuple((f"layers.{n}.scale", quantity(1152, Unit.COUNT)) for n in range(250)),
            ),
        ),
    )


def cache(build: str) -> Verdict:
    """Cache headroom: reported on a CPU."""
    tokens = quantity(52_224, Unit.TOKENS)
    return Verdict(
        claim="cache",
        title=CLAIMS[1],
        build=build,
        outcome=Outcome.REPORTED,
        sentence="Holds 52,224 tokens; on a CPU the engine is told its cache.",
        labels=("control",) if build == CONTROL else (),
        gates=False,
        figures=(Figure(key="tokens", label="Capacity", value=tokens),),
        bars=(memory_bar("original"), memory_bar(build)),
    )


def item(build: str, number: int) -> Item:
    """One flipped question."""
    return Item(
        id=f"{build}-questions-{number}",
        group="virology" if number % 2 else "econometrics",
        direction="right only for the original",
        title=f"Question {number}",
        body=(
            Count(label="Prompt", value=f"Question: what is true of case {number}?\nAnswer:"),
            Count(label="Original", value="It heals."),
            Count(label=build, value="It does not."),
            Count(label="Lead", value=quantity(-0.0139, Unit.LOGPROB, 4)),
        ),
    )


def questions(build: str, outcome: Outcome, b: int, c: int, lower: float, upper: float) -> Verdict:
    """Everyday questions: ``b`` right only for the original, ``c`` only for the build, of 480."""
    difference = (c - b) / 480 * 100
    counts = tuple(
        Count(label=label, value=quantity(value, unit))
        for label, value, unit in (
            ("Right only for the original", b, Unit.COUNT),
            ("Right only for the build", c, Unit.COUNT),
            ("McNemar, exact, p", 0.00003, Unit.PROBABILITY),
        )
    )
    effect = Effect(
        chart="questions",
        title="Everyday questions, difference in points",
        label=build,
        difference=difference,
        lower=lower,
        upper=upper,
        margin=5.0,
        notes=counts,
    )
    subjects = tuple(
        replace(effect, chart="subjects", title="By subject", label=f"subject {n}", margin=None, notes=(), folded=True)
        for n in range(57)
    )
    value = quantity(difference, Unit.POINTS)
    return Verdict(
        claim="questions",
        title=CLAIMS[2],
        build=build,
        outcome=outcome,
        sentence=f"{build} is {abs(difference):.2f} points below the original; the mark is 5.00.",
        mark="at most 5.00 points below the original",
        labels=("control",) if build == CONTROL else (),
        figures=(
            Figure(key="difference", label="Difference from the original", value=value, counts=counts, headline=True),
            Figure(key="ties", label="Exactly level choices", value=quantity(-0.0001, Unit.POINTS)),
        ),
        effects=(effect, *subjects),
        items=tuple(item(build, number) for number in range(20)),
        items_total=b + c,
        statistics={"b": b, "c": c, "lower": lower},
    )


QUESTIONS = {
    "smol-w8": questions("smol-w8", Outcome.SHOWN, 14, 11, -2.93, 1.62),
    "smol-w4": questions("smol-w4", Outcome.NOT_SHOWN, 52, 37, -6.98, 0.74),
    CONTROL: questions(CONTROL, Outcome.FAILED, 98, 25, -19.6, -10.8),
}


def record(*builds: str, **changes: object) -> RunRecord:
    """A whole run of these builds, with changes."""
    everyone = ("original", *builds)
    run = RunRecord(
        suite="smollm2",
        suite_title="SmolLM2 135M on a CPU",
        demonstration=True,
        date="2026-11-30T03:02:23+00:00",
        command="pytest -m acceptance --suite smollm2",
        original="original",
        builds=builds,
        planned=tuple((claim, build) for build in builds for claim in CLAIMS),
        verdicts=tuple(each for build in builds for each in (size(build), cache(build), QUESTIONS[build])),
        settings=(
            Setting(group="Engine", label="vLLM", values=dict.fromkeys(everyone, "0.32.0")),
            Setting(group="Build", label="Quantization", values={build: f"as {build}" for build in everyone}),
        ),
        timings=tuple(Timing(build=build, phase="questions", seconds=207.8, asked=1920) for build in everyone),
        control="caught" if CONTROL in builds else "none in this suite",
        titles=TITLES,
        controls=(CONTROL,) if CONTROL in builds else (),
    )
    return replace(run, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def make() -> Callable[..., RunRecord]:
    """Makes a run of the named builds."""
    return record


@pytest.fixture(scope="session")
def one() -> RunRecord:
    """One build that may ship."""
    return record("smol-w8")


@pytest.fixture(scope="session")
def three() -> RunRecord:
    """One build that may ship, one that may not, and a control that was caught."""
    return record("smol-w8", "smol-w4", CONTROL)
