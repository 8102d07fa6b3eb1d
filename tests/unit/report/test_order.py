"""The positive control runs first and is shown last."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from twx_accept.domain.run import RunRecord
from twx_accept.report import charting, html, markdown, text, view
from twx_accept.report.headline import standings
from twx_accept.report.ids import Ids
from twx_accept.report.naming import arranged

Make = Callable[..., RunRecord]
CONTROL = "smol-damaged"
SHOWN = ["smol-w8", "smol-w4", CONTROL]


@pytest.fixture
def first(make: Make) -> RunRecord:
    """A run that served its control first."""
    return make(CONTROL, "smol-w8", "smol-w4")


def test_the_control_is_last_in_every_part_of_the_page(first: RunRecord) -> None:
    """Builds, bars, figures and claims keep the suite's order but for the control."""
    page = view.of(first)
    assert [each.build for each in page.standings] == SHOWN
    assert page.columns == ("original", *SHOWN)
    assert page.settings.builds == ("original", *SHOWN)
    assert all([row[0] for row in chart.rows][1:] == SHOWN for chart in page.bars)
    assert all([each.title for each in claim.verdicts] == SHOWN for claim in page.claims)
    assert [block.build for block in page.evidence.blocks] == SHOWN


def test_the_control_is_last_in_the_other_reports(first: RunRecord) -> None:
    """Markdown and text list it after the others."""
    assert [each.build for each in standings(first)] == SHOWN
    rows = [line for line in markdown.render(first).splitlines() if line.startswith("| Weight size |")]
    assert [line.split(" | ")[1] for line in rows] == SHOWN
    lines = [line for line in text.summary(first) if "Weight size" in line.split(" \N{MIDDLE DOT} ")[0]]
    assert [re.findall(r"smol-\w+", line)[0] for line in lines] == SHOWN


def test_the_control_has_a_forest_plot_of_its_own(first: RunRecord) -> None:
    """The others' plot holds the others alone; the control's starts folded behind the folded ones of its claim."""
    made = charting.forests(arranged(first), Ids())
    assert [chart.id for chart in made[:3]] == ["chart-questions", "chart-subjects", "chart-questions-control"]
    assert [row[0] for row in made[0].rows] == SHOWN[:2]
    assert [row[0] for row in made[2].rows] == [CONTROL]
    assert made[2].title == "Everyday questions, difference in points: the positive control"
    assert [chart.folded for chart in made] == [False, True, True, True]


def test_a_control_that_is_alone_is_not_folded(make: Make) -> None:
    """Where nothing else was decided, its plot is the page."""
    assert not charting.forests(make(CONTROL), Ids())[0].folded


def test_charts_call_builds_by_their_titles(make: Make) -> None:
    """A bar and an interval that a claim labels with the build's name have the title of the rest of the page."""
    run = make("smol-w8", titles={"original": "SmolLM2", "smol-w8": "The 8-bit one"})
    assert [row[0] for row in charting.bar_charts(run, Ids())[0].rows][-1] == "The 8-bit one"
    assert charting.forests(run, Ids())[0].rows[0][0] == "The 8-bit one"
    effect = replace(run.verdicts[-1].effects[0], title="Quiz by subject, smol-w8 (reported)", label="history")
    (chart,) = charting.forests(replace(run, verdicts=(replace(run.verdicts[-1], effects=(effect,)),)), Ids())
    assert chart.title == "Quiz by subject, The 8-bit one (reported)"
    assert chart.rows[0][0] == "history"


def test_the_others_use_the_width_of_their_plot(first: RunRecord) -> None:
    """From the worst lower bound to the best upper bound the intervals take most of the width."""
    drawing = str(charting.forests(arranged(first), Ids())[0].drawing)
    ends = [float(place) for place in re.findall(r'class="ci" x1="([\d.]+)%"', drawing)]
    assert max(ends) - min(ends) > 85


def test_a_run_without_a_control_keeps_its_order(make: Make) -> None:
    """Nothing moves where nothing was damaged."""
    run = make("smol-w4", "smol-w8")
    assert arranged(run) == run
    assert html.render(run) == html.render(arranged(run))
