"""Records of runs for the tests of reports: any that can be, and one as large as a whole suite's."""

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from twx_accept.domain.contrast import Contrast
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
from twx_accept.report import bounds

ORIGINAL, BUILDS, CONTROL = "original", ("twx3", "twx2.5"), "twx-control"
TITLES = {"original": "Kimi K3.1 Pro as published", "twx3": "TWX3", "twx2.5": "TWX2.5", CONTROL: "damaged on purpose"}

MARKUP = st.sampled_from(
    [
        "a | b",
        "<img src=x onerror=alert(1)>",
        "]]>",
        "&lt;&#124;",
        "\\|",
        "`|`",
        "[x](http://y)",
        "@team #12 :smile:",
        "\x1b[31mred\x1b[0m",
        "\x00\x0b\x85",
        "\u202ertl",
        "\ud800",
        "\ufffe\uffff",
        "- x\n\n| a | b |\n|---|---|",
        "1. one",
        "    four",
        "***",
        "NaN",
        "",
    ]
)
# A high surrogate before a low one is one character to every reader of JSON.
TEXT = MARKUP | st.text(st.characters(codec=None, exclude_categories=()), max_size=20).filter(
    lambda text: not any("\ud800" <= one <= "\udbff" and "\udc00" <= other <= "\udfff" for one, other in pairwise(text))
)


def values(kind: Any, limits: bounds.Range = (None, None)) -> st.SearchStrategy[Any]:
    """Any value of a type that a record holds."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        found = st.one_of(*(values(each, limits) for each in inner))
        # A text that is a number's name is that number.
        return found.filter(lambda value: value not in list(bounds.NAMES)) if float in inner and str in inner else found
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return st.lists(values(inner[0]), max_size=2).map(tuple)
        return st.tuples(*map(values, inner))
    if origin is not None:
        assert issubclass(origin, Mapping)
        return st.dictionaries(TEXT, values(inner[1]), max_size=3)
    if dataclasses.is_dataclass(kind):
        return _objects(kind)
    if issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    return _scalars(kind, limits)


def _scalars(kind: type, limits: bounds.Range) -> st.SearchStrategy[Any]:
    least, most = limits
    if kind is float:
        names = st.sampled_from([float(name) for name in bounds.NAMES])
        return names | st.floats(least, most, allow_nan=False, allow_infinity=False)
    if kind is int:
        return st.integers(
            least if least is None else int(least), bounds.INTEGER if most is None else int(most)
        ).filter(lambda value: abs(value) <= bounds.INTEGER)
    return {str: TEXT, bool: st.booleans(), NoneType: st.none()}[kind]


def _objects(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.deferred(
        lambda: st.builds(
            kind,
            **{
                field.name: values(hints[field.name], bounds.RANGES.get((kind.__name__, field.name), (None, None)))
                for field in dataclasses.fields(kind)
            },
        )
    )


ANY = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a record takes minutes to make small
)
"""For tests of any record."""


@st.composite
def runs(draw: Any) -> RunRecord:
    """Any record that a run could leave: its verdicts are about its builds, each of them once."""
    run = draw(values(RunRecord))
    names = [name for name in dict.fromkeys(run.builds) if name != run.original] or [f"{run.original} again"]
    at = draw(st.lists(st.sampled_from(names), min_size=4, max_size=4))
    verdicts = {(each.claim, build): replace(each, build=build) for each, build in zip(run.verdicts, at, strict=False)}
    planned = tuple((title, build) for (title, _), build in zip(run.planned, at[2:], strict=False))
    return replace(run, builds=tuple(names), verdicts=tuple(verdicts.values()), planned=planned)


def quantity(value: float, unit: Unit, digits: int = 2) -> Quantity:
    """A quantity, briefly."""
    return Quantity(value=value, unit=unit, digits=digits)


# Claim, title, how many figures it has, and by what it is split in a folded chart.
SIX = (
    ("weight_size", "Weight size", 2, ""),
    ("cache_headroom", "Cache headroom", 3, ""),
    ("multiple_choice", "MMLU", 2, "subject"),
    ("made_up_facts", "Made-up facts", 12, "kind of passage"),
    ("tool_calls", "Tool calls", 24, "case"),
    ("agreement", "Agreement", 9, "kind of text"),
)


def six(items: int = 40) -> RunRecord:
    """All six claims about two builds and a control, each with the figures, charts and texts of a large suite."""
    builds = (CONTROL, *BUILDS)
    everyone = (ORIGINAL, *builds)
    return RunRecord(
        suite="kimi-k3.1",
        suite_title="Kimi K3.1 Pro and two compressed builds of it",
        demonstration=False,
        date="2026-11-30T03:02:23+00:00",
        command="pytest -m acceptance --suite kimi-k3.1",
        original=ORIGINAL,
        builds=builds,
        controls=(CONTROL,),
        planned=tuple((title, build) for build in builds for _, title, *_ in SIX),
        verdicts=tuple(_verdict(build, *claim, items) for build in builds for claim in SIX),
        settings=tuple(
            Setting(group=group, label=f"{group.lower()} {n}", values=dict.fromkeys(everyone, f"value {n}"))
            for group in ("Machine", "Engine", "Flags", "Weights")
            for n in range(20)
        ),
        timings=tuple(
            Timing(build=name, phase=title, seconds=812.5, asked=14_042) for name in everyone for _, title, *_ in SIX
        ),
        control="caught",
        noise_floor="measured",
        floor=tuple(replace(_verdict("original again", *claim, 0), gates=False) for claim in SIX),
        contrasts=tuple(_contrasts()),
        titles=TITLES,
        attempts=dict.fromkeys(builds, 2),
        registered="before the run (ledger entry 3; head 0123456789ab)",
        disclosures=("a partial run of 57 questions came first, before these marks were registered",),
    )


def _verdict(build: str, claim: str, title: str, figures: int, split: str, items: int) -> Verdict:
    outcome = Outcome.FAILED if build == CONTROL and split else Outcome.SHOWN
    counts = tuple(Count(label=f"count {n} of this figure", value=quantity(301 + n, Unit.COUNT, 0)) for n in range(9))
    named = f"{title}: " if figures > 2 else ""
    effect = Effect(
        chart=claim,
        title=f"{title}: difference from the original",
        label=build,
        difference=-0.591,
        lower=-0.912,
        upper=-0.271,
        margin=1.0,
        notes=counts[:3],
    )
    parts = tuple(
        replace(
            effect, chart=f"{claim} by {split}", title=f"By {split}", label=f"{split} {n}", margin=None, folded=True
        )
        for n in range(57 if claim == "multiple_choice" else 6 if split else 0)
    )
    return Verdict(
        claim=claim,
        title=title,
        build=build,
        outcome=outcome,
        sentence=(
            f"{build} is 0.59 points below the original; at worst 0.91; the mark is 1.00. Measurably worse, within the "
            "mark."
        ),
        mark="at most 1.00 points below the original",
        warnings=("17 of 82,712 positions have two tokens exactly level at the top",) if split else (),
        labels=("control",) if build == CONTROL else (),
        gates=build != CONTROL,
        figures=tuple(
            Figure(
                key=f"{place}{n}",
                label=f"{named}figure number {n} at low thinking effort",
                value=quantity(96.5 - n, Unit.SHARE if split else Unit.BYTES),
                counts=counts,
                headline=not n,
            )
            for place in ("original/", "")
            for n in range(figures)
        ),
        effects=(effect, *parts) if split else (),
        bars=tuple(
            Bar(
                chart=claim,
                title=title,
                label=name,
                unit=Unit.BYTES,
                segments=(Segment(label="weights", value=7e10), Segment(label="cache", value=1.2e11)),
                limit=2.88e11,
            )
            for name in (ORIGINAL, build)
        )
        if not split
        else (),
        items=tuple(_item(claim, n) for n in range(items if split else 0)),
        items_total=items if split else 0,
        folds=(
            Fold(
                title="Files",
                columns=("file", "bytes"),
                rows=tuple((f"model-{n:05}-of-00064", quantity(9e9, Unit.BYTES)) for n in range(64)),
            ),
        )
        if claim == "weight_size"
        else (),
        statistics={"n": 14_042, "b": 301, "c": 218, "lower": -0.00912, "p_margin": 0.0064, "outcome": "shown"},
    )


def _item(claim: str, number: int) -> Item:
    body = ("prompt", "the original's answer", "the build's answer")
    return Item(
        id=f"{claim}-{number}",
        group=f"group {number % 57}",
        direction="right only for the original",
        title=f"Question {number}",
        body=tuple(Count(label=label, value=f"{label} {number}: " + "words of a question " * 20) for label in body),
    )


def _contrasts() -> list[Contrast]:
    figures = {
        "made_up_facts": ("share made up", "planted facts recalled"),
        "tool_calls": ("low effort", "high effort"),
    }
    return [
        Contrast(
            claim=claim,
            title=title,
            one=BUILDS[0],
            other=BUILDS[1],
            figure=figure,
            difference=-0.021,
            lower=-0.356,
            upper=0.314,
            p=0.9337,
            margin=1.0,
            p_equivalence=1e-8,
            adjusted=0.9337,
            adjusted_equivalence=1e-8,
        )
        for claim, title, *_ in SIX[2:5]
        for figure in figures.get(claim, ("",))
    ]
