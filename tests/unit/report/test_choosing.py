"""Which build when: every sentence follows from figures, and what figures do not show is not said."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept import claims
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.run import RunRecord, Waiver
from twx_accept.domain.verdict import Count, Outcome, Quantity, Unit, Verdict
from twx_accept.report import choosing, data, html, markdown

SIZES = {"a": 731e9, "b": 561e9, "c": 650e9}
TOKENS = {"a": 1_000_000, "b": 1_240_000, "c": 1_100_000}
MINUS = "\N{MINUS SIGN}"


def verdict(build: str, claim: str, outcome: Outcome = Outcome.SHOWN, **statistics: float) -> Verdict:
    """A verdict with nothing but its outcome and numbers."""
    titles = {"weight_size": "Weight size", "cache_headroom": "Cache headroom", "multiple_choice": "MMLU"}
    return Verdict(
        claim=claim,
        title=titles.get(claim, claim.capitalize()),
        build=build,
        outcome=outcome,
        sentence=f"{build} {outcome}.",
        statistics=statistics,
        gates=outcome is not Outcome.REPORTED,
    )


def sizes(build: str) -> list[Verdict]:
    """Weights and cache of a build."""
    return [
        verdict(build, "weight_size", bytes=SIZES[build], bytes_original=864e9),
        verdict(build, "cache_headroom", tokens=TOKENS[build], tokens_original=800_000),
    ]


def agreement(build: str, value: float, half: float, n: int = 82_712) -> Verdict:
    """Agreement with an interval of twice that width."""
    return verdict(build, "agreement", Outcome.REPORTED, agreement=value, lower=value - half, upper=value + half, n=n)


def between(one: str, other: str, claim: str, unit: Unit, values: dict[str, float]) -> Contrast:
    """A difference of two sizes."""
    counts = tuple(Count(label=each, value=Quantity(value=values[each], unit=unit)) for each in (one, other))
    difference = values[other] - values[one]
    return Contrast(claim=claim, title=claim, one=one, other=other, difference=difference, unit=unit, counts=counts)


def scores(one: str, other: str, difference: float, half: float, **more: Any) -> Contrast:
    """A difference in points with its interval; not told apart unless ``adjusted`` says so."""
    values = {"claim": "multiple_choice", "title": "MMLU", "adjusted": 0.93, **more}
    return Contrast(
        one=one, other=other, difference=difference, lower=difference - half, upper=difference + half, **values
    )


def record(
    make: Callable[..., RunRecord], *builds: str, verdicts: list[Verdict] | None = None, **more: Any
) -> RunRecord:
    """A run of builds that are all shown, compared in sizes."""
    contrasts = [between(*pair, "weight_size", Unit.BYTES, SIZES) for pair in combinations(builds, 2)]
    contrasts += [between(*pair, "cache_headroom", Unit.TOKENS, TOKENS) for pair in combinations(builds, 2)]
    every = [each for build in builds for each in sizes(build)] if verdicts is None else verdicts
    changes: dict[str, Any] = {
        "builds": builds,
        "planned": tuple((each.title, each.build) for each in every),
        "verdicts": tuple(every),
        "contrasts": (*contrasts, *more.pop("scores", ())),
        "titles": {"a": "TWX3", "b": "TWX2.5"},
    }
    return replace(make("smol-w8"), **changes, **more)


Make = Callable[..., RunRecord]


def test_the_published_choice_comes_out_of_figures(make: Make) -> None:
    """More agreement for the one; less weight and more room for the other; level only by both one-sided tests."""
    agreeing = [agreement("a", 0.9821, 0.003), agreement("b", 0.9650, 0.004)]
    level = scores("a", "b", -0.021, 0.335, margin=1.0, p_equivalence=1e-9, adjusted_equivalence=1e-9)
    run = record(make, "a", "b", verdicts=[*sizes("a"), *sizes("b"), *agreeing], scores=[level])
    assert choosing.sentences(run) == [
        (
            "Closest to the original: TWX3. It picks the original's next token at 98.21% (97.91 to 98.51) of the "
            "positions, TWX2.5 96.50% (96.10 to 96.90)."
        ),
        "Most room: TWX2.5, with 1,240,000 tokens of cache.",
        "Smallest: TWX2.5, with 561 GB of weights.",
        (
            "TWX2.5 carries 170 GB less weight than TWX3 and has 24% more room in the cache. "
            f"On MMLU the two score the same within 1.00 points (95% interval {MINUS}0.36 to +0.31)."
        ),
    ]


def test_every_report_has_the_sentences(make: Make) -> None:
    """Page, Markdown and JSON say them word by word."""
    run = record(make, "a", "b")
    said = choosing.sentences(run)
    assert len(said) == 3
    page = html.render(run)
    assert '<h2 id="choosing~h">Which build when</h2>' in page
    assert '<a href="#choosing">' in page
    assert "### Which build when\n" in markdown.render(run)
    assert json.loads(data.render(run))["which_build_when"] == said
    for each in said:
        assert f"<bdi>{each}</bdi>" in page
        assert f"- {each}\n" in markdown.render(run)


def test_the_order_of_the_builds_changes_nothing_but_names(make: Make) -> None:
    """Whichever comes first in the suite, the same build is smallest, roomiest, and the one that a pair begins with."""
    for builds in permutations(("a", "b", "c")):
        said = choosing.sentences(record(make, *builds))
        assert said[:2] == [
            "Most room: TWX2.5, with 1,240,000 tokens of cache.",
            "Smallest: TWX2.5, with 561 GB of weights.",
        ]
        assert set(said[2:]) == {
            "TWX2.5 carries 170 GB less weight than TWX3 and has 24% more room in the cache.",
            "TWX2.5 carries 89.0 GB less weight than c and has 13% more room in the cache.",
            "c carries 81.0 GB less weight than TWX3 and has 10% more room in the cache.",
        }


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, f"(95% interval {MINUS}0.36 to +0.31), which does not tell them apart."),
        ({"adjusted": 0.04}, f"(95% interval {MINUS}0.36 to +0.31), measurably apart."),
        ({"adjusted": None}, f"(95% interval {MINUS}0.36 to +0.31), which does not tell them apart."),
        ({"margin": 1.0, "adjusted_equivalence": 0.025}, "which does not tell them apart."),
        ({"alpha": 0.05}, f"(90% interval {MINUS}0.36 to +0.31), which does not tell them apart."),
    ],
)
def test_level_is_said_by_two_one_sided_tests_alone(
    make: Make, more: dict[str, Any], words: str, *, turn: bool
) -> None:
    """Without them, or exactly at their level, the interval stands instead, whichever build comes first."""
    contrast = scores("a", "b", -0.021, 0.335, **more)
    if turn:
        contrast = scores("b", "a", 0.021, 0.335, **more)
    said = choosing.sentences(record(make, "a", "b", scores=[contrast]))[-1]
    assert "the same" not in said
    assert said.endswith(words)
    assert "On MMLU TWX2.5 is 0.02 points below TWX3 (" in said


def test_level_and_measurably_apart_are_both_said(make: Make) -> None:
    """Within the margin and yet not equal is one sentence that hides neither."""
    both = scores("a", "b", -0.4, 0.2, margin=1.0, adjusted=0.001, adjusted_equivalence=0.001)
    assert choosing.sentences(record(make, "a", "b", scores=[both]))[-1].endswith(
        f"the two score the same within 1.00 points (95% interval {MINUS}0.60 to {MINUS}0.20), "
        "and are measurably apart: TWX2.5 is 0.40 points below TWX3."
    )


def test_a_build_that_may_not_ship_is_not_recommended(make: Make) -> None:
    """The smallest and roomiest build failed: it is in no sentence but in no comparison either."""
    failed = [replace(sizes("b")[0], outcome=Outcome.FAILED), sizes("b")[1]]
    run = record(make, "a", "b", "c", verdicts=[*sizes("a"), *failed, *sizes("c")])
    said = choosing.sentences(run)
    assert said[0] == "Only builds that may ship are compared here: TWX3 and c."
    assert said[1:3] == ["Most room: c, with 1,100,000 tokens of cache.", "Smallest: c, with 650 GB of weights."]
    assert not any("TWX2.5" in each for each in said)
    both = [replace(each, outcome=Outcome.FAILED) for build in "ac" for each in sizes(build)]
    alone = choosing.sentences(record(make, "a", "b", "c", verdicts=[*both, *sizes("b")]))
    assert alone == [
        "Only TWX2.5 may ship, so there is nothing to choose between.",
        "Against the original, TWX2.5 carries 303 GB less weight (35%) and has 55% more room in the cache.",
    ]


def test_a_waived_build_is_not_recommended_and_a_control_never_is(make: Make) -> None:
    """Neither somebody's word nor a control that slips through makes a recommendation."""
    held = [replace(sizes("b")[0], outcome=Outcome.NOT_SHOWN), sizes("b")[1]]
    waiver = Waiver(build="b", claim="weight_size", reason="a demo", by="Ada", date="2026-11-29")
    waived = record(make, "a", "b", verdicts=[*sizes("a"), *held], waivers=(waiver,))
    assert choosing.sentences(waived)[0] == "Only TWX3 may ship, so there is nothing to choose between."
    run = record(make, "a", "b", controls=("b",), control="caught")
    assert choosing.sentences(run) == [
        "Against the original, TWX3 carries 133 GB less weight (15%) and has 25% more room in the cache."
    ]


@pytest.mark.parametrize(
    "changes", [{"partial": "4 questions a subject"}, {"interrupted": True}, {"control": "missed"}, {"verdicts": ()}]
)
def test_a_run_that_decides_nothing_recommends_nothing(make: Make, changes: dict[str, Any]) -> None:
    """Partial, stopped, blind or empty runs have no sentence."""
    run = replace(record(make, "a", "b"), **changes)
    assert choosing.sentences(run) == []
    assert "Which build when" not in html.render(run) + markdown.render(run)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ((0.98, 0.005), (0.96, 0.004), True),
        ((0.98, 0.010), (0.96, 0.010), False),  # the intervals touch
        ((0.98, 0.015), (0.96, 0.010), False),
        ((0.98, 0.0), (0.98, 0.0), False),
    ],
)
def test_agreement_is_told_where_intervals_do_not_touch(
    make: Make, first: tuple[float, float], second: tuple[float, float], *, told: bool
) -> None:
    """Bounds that meet do not tell two builds apart."""
    verdicts = [*sizes("a"), *sizes("b"), agreement("a", *first), agreement("b", *second)]
    apart = scores("a", "b", -2.0, 0.5, adjusted=0.001)
    said = choosing.sentences(record(make, "a", "b", verdicts=verdicts, scores=[apart]))
    assert any(each.startswith("Closest to the original: TWX3.") for each in said) == told
    assert not any(each.startswith("Closest to the original on MMLU") for each in said)


def test_agreement_on_other_positions_is_not_compared(make: Make) -> None:
    """Two builds that read different numbers of positions are not ranked."""
    verdicts = [*sizes("a"), *sizes("b"), agreement("a", 0.98, 0.001), agreement("b", 0.9, 0.001, n=80_000)]
    assert not any("Closest" in each for each in choosing.sentences(record(make, "a", "b", verdicts=verdicts)))


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        ((-0.0057, -0.0257), "Closest to the original on MMLU: TWX3, 0.57 points below it."),
        ((0.0, -0.02), "Closest to the original on MMLU: TWX3, 0.00 points from it."),
        ((0.011, -0.009), "Highest on MMLU: TWX3."),
        ((None, -0.009), "Highest on MMLU: TWX3."),
    ],
)
def test_without_agreement_knowledge_tells(make: Make, losses: tuple[float | None, float], words: str) -> None:
    """The build that scores measurably above the other is the closest, unless one is above the original."""
    known = [
        verdict(build, "multiple_choice", **({} if loss is None else {"difference": loss}))
        for build, loss in zip("ab", losses, strict=True)
    ]
    run = record(
        make,
        "a",
        "b",
        verdicts=[*sizes("a"), *sizes("b"), *known],
        scores=[scores("a", "b", -2.0, 0.5, adjusted=0.049)],
    )
    assert choosing.sentences(run)[0] == words
    level = [scores("a", "b", -2.0, 0.5, adjusted=0.05)]
    silent = record(make, "a", "b", verdicts=[*sizes("a"), *sizes("b"), *known], scores=level)
    assert not any(word in each for each in choosing.sentences(silent) for word in ("Closest", "Highest"))


def test_the_best_of_three_stands_above_each_of_the_others(make: Make) -> None:
    """Above one of two is not the best of three."""
    two = [scores("a", "b", -2.0, 0.5, adjusted=0.01), scores("a", "c", -0.2, 0.5, adjusted=0.6)]
    said = choosing.sentences(record(make, "a", "b", "c", scores=[*two, scores("b", "c", 1.8, 0.5, adjusted=0.01)]))
    assert not any("Highest" in each or "Closest" in each for each in said)


def test_sizes_nearly_alike_are_not_told_apart(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than one percent is what boots of one build differ by; and nothing is no difference."""
    monkeypatch.setitem(SIZES, "b", 731e9 * 0.991)
    monkeypatch.setitem(TOKENS, "b", 1_009_000)
    assert choosing.sentences(record(make, "a", "b")) == []
    monkeypatch.setitem(SIZES, "b", 731e9)
    monkeypatch.setitem(TOKENS, "b", 1_010_000)
    assert choosing.sentences(record(make, "a", "b")) == [
        "Most room: TWX2.5, with 1,010,000 tokens of cache.",
        "TWX2.5 has 1% more room in the cache than TWX3.",
    ]


def test_smaller_with_less_room_is_said_both_ways(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that is smaller and yet holds less is not praised for both."""
    monkeypatch.setitem(TOKENS, "b", 800_000)
    assert choosing.sentences(record(make, "a", "b"))[-1] == (
        "TWX2.5 carries 170 GB less weight than TWX3 and has 20% less room in the cache."
    )


def test_other_claims_are_told_only_where_they_tell_apart(make: Make) -> None:
    """Tool calls that do not tell two builds apart are in the table, and nowhere else."""
    frame = {"claim": "tool_calls", "title": "Tool calls"}
    silent = scores("a", "b", -1.0, 3.0, figure="low effort", **frame)
    told = scores("a", "b", -4.0, 2.0, figure="high effort", adjusted=0.003, **frame)
    said = choosing.sentences(record(make, "a", "b", scores=[silent, told]))[-1]
    assert said.endswith(
        f"On Tool calls, high effort, TWX2.5 is 4.00 points below TWX3 "
        f"(95% interval {MINUS}6.00 to {MINUS}2.00), measurably apart."
    )
    assert "low effort" not in said


def test_many_builds_have_no_pairs(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four builds and more the table has the pairs."""
    monkeypatch.setitem(SIZES, "d", 900e9)
    monkeypatch.setitem(TOKENS, "d", 700_000)
    assert len(choosing.sentences(record(make, "a", "b", "c", "d"))) == 2


def test_the_rules_know_claims_that_exist() -> None:
    """A claim that is renamed would silence its rule."""
    assert set(choosing.CLAIMS) <= set(claims.known())


def test_figures_of_one_build_that_nobody_measured_say_nothing(make: Make) -> None:
    """One build whose sizes are those of the original, or unknown, needs no sentence."""
    for statistics in ({}, {"bytes": 864e9, "bytes_original": 864e9}, {"bytes": 1.0, "bytes_original": 0.0}):
        assert choosing.sentences(record(make, "a", verdicts=[verdict("a", "weight_size", **statistics)])) == []


@given(
    st.lists(st.floats(-5, 5), min_size=3, max_size=3),
    st.lists(st.floats(0, 1) | st.none(), min_size=3, max_size=3),
    st.lists(st.floats(0.0, 0.1) | st.none(), min_size=3, max_size=3),
)
def test_no_figures_make_sameness_or_a_best_out_of_nothing(
    make: Make, differences: list[float], adjusted: list[float | None], equivalence: list[float | None]
) -> None:
    """Whatever the figures, sameness takes its tests, and a best build stands above each other one."""
    pairs = list(combinations("abc", 2))
    contrasts = [
        scores(*pair, difference, 0.5, margin=1.0, adjusted=p, adjusted_equivalence=q)
        for pair, difference, p, q in zip(pairs, differences, adjusted, equivalence, strict=True)
    ]
    said = choosing.sentences(record(make, "a", "b", "c", scores=contrasts))
    assert sum("the same" in each for each in said) == sum(each.same for each in contrasts)
    best = [each for each in said if each.startswith(("Closest", "Highest"))]
    assert len(best) <= 1
    if best:
        assert sum(p is not None and p < 0.05 for p in adjusted) >= 2
