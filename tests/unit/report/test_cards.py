"""One card of each build: what is on it, the limit, and the smallest and largest card where they differ."""

import re

import pytest

import fake_runs
from twx_accept.report import charting, html
from twx_accept.report.charting import Chart
from twx_accept.report.ids import Ids

B300, H200 = 288_000_000_000, 150_754_820_096
MACHINES = {
    "one card": (H200,),
    "two cards": (H200, H200),
    "eight cards": (B300,) * 8,
    "eight cards, one of them smaller": (B300,) * 7 + (279_000_000_000,),
    "two cards within one percent": (H200, round(H200 * 0.995)),
}


def drawn(name: str) -> Chart:
    """The chart of cards of a run of two builds on this machine."""
    run = fake_runs.on_cards(fake_runs.record("twx2.5", "twx3"), *MACHINES[name])
    (chart,) = (each for each in charting.bar_charts(run, Ids()) if each.limited)
    return chart


@pytest.mark.parametrize("name", MACHINES)
def test_a_card_of_each_build_has_its_parts_and_its_limit(name: str) -> None:
    """One bar for each build, to one scale, whose parts are the smallest card; the original's weights take the most."""
    chart, smallest = drawn(name), min(MACHINES[name])
    assert chart.title == "One card of each build"
    assert chart.columns[:6] == ("Build", "weights", "cache", "the rest", "Total", "Limit")
    assert [row[0] for row in chart.rows] == ["Kimi K3.1 Pro", "TWX2.5", "TWX3"]
    assert {row[4] for row in chart.rows} == {row[5] for row in chart.rows} == {f"{smallest / 1e9:.2f} GB"}
    weights = [float(row[1].removesuffix(" GB")) for row in chart.rows]
    assert weights == sorted(weights, key=lambda each: (each != weights[0], each))
    assert weights[0] == max(weights)
    assert chart.drawing.count('class="mark"') == len(chart.rows)


def test_smallest_and_largest_card_are_told_where_they_differ() -> None:
    """By more than one percent, in the table and under the chart, once for all builds; else nothing is said."""
    said = "the smallest card of 8; the largest has 288.0 GB"
    chart = drawn("eight cards, one of them smaller")
    assert {row[6] for row in chart.rows} == {said}
    assert chart.notes == (f"Every bar: {said}.",)
    for name in set(MACHINES) - {"eight cards, one of them smaller"}:
        assert drawn(name).notes == ()
        assert "Note" not in drawn(name).columns


def test_figures_of_large_parts_stand_in_them() -> None:
    """A part that has room for its figure shows it, on a phone too; a narrow one has it in the table alone."""
    chart = drawn("eight cards")
    inside = re.findall(r'class="v v\d m"[^>]*>([^<]*)<', chart.drawing)
    assert inside == [cell for row in chart.rows for cell in row[1:3]]
    assert all(row[3] == "34.56 GB" and row[3] not in inside for row in chart.rows)


def test_the_page_says_why_one_bar_stands_for_a_build() -> None:
    """Each card holds one slice; a machine without cards has no such sentence and no limit."""
    run = fake_runs.record("twx2.5")
    slices = "Each card of the machine holds one slice of the model"
    assert slices in html.render(fake_runs.brief(fake_runs.on_cards(run, *MACHINES["eight cards"])))
    bare = fake_runs.brief(fake_runs.with_verdict(run, "Cache headroom", bars=()))
    assert slices not in html.render(bare)
