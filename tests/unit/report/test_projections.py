"""Markdown, JSON and terminal text of the same run, its tables and its scales."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Bar, Segment, Unit
from twx_accept.report import data, html, markdown, table, text
from twx_accept.report.scale import around, axis_unit, from_zero, ticks

Make = Callable[..., RunRecord]
ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


def with_sentence(run: RunRecord, sentence: str) -> RunRecord:
    """The run with one sentence changed."""
    first, *rest = run.verdicts
    return replace(run, verdicts=(replace(first, sentence=sentence), *rest))


def test_markdown_says_what_the_page_says(three: RunRecord) -> None:
    """Verdict, claims, figures, differing settings and the command."""
    page = markdown.render(three)
    assert page.startswith("## smol-w8 may ship; smol-w4 may not\n")
    assert "smol-damaged: the positive control was caught" in page
    assert "| Weight files | 0.269 GB | 0.164 GB | 0.112 GB | 0.269 GB |" in page
    assert "Difference between builds: Quantization." in page
    assert "pytest -m acceptance" in page


@settings(deadline=None)
@given(ANYTHING | st.sampled_from(["a | b", "<img src=x>", "[x](http://y)", "@team", "`x`\n# y", "www.x.y"]))
def test_markdown_keeps_hostile_text_in_its_cell(make: Make, sentence: str) -> None:
    """No sentence adds a column, a line, a tag, a link or a mention."""
    page = markdown.render(with_sentence(make("smol-w8"), sentence))
    row = next(line for line in page.splitlines() if line.startswith("| Weight size | smol-w8"))
    assert row.count("|") == 6
    assert not set(row.replace("| ", "").replace(" |", "")) & set("<>[]`*@")
    assert "://" not in row
    assert all(line.startswith(("## smol-w8", "### ")) for line in page.splitlines() if line.startswith("#"))


def test_markdown_is_cut_before_a_job_page_cuts_it(one: RunRecord) -> None:
    """However much there is to say, the page stays under its size and says that it was cut."""
    many = tuple(replace(one.verdicts[0], title=f"Claim {n}", sentence="w\u00f6rd " * 200) for n in range(500))
    page = markdown.render(replace(one, verdicts=many))
    assert len(page.encode()) < 60_000
    assert page.endswith("_The rest is in the report._\n")


@given(ANYTHING, st.floats())
def test_json_holds_everything(make: Make, sentence: str, number: float) -> None:
    """Every text survives, numbers that JSON lacks become names, and two renders are the same."""
    run = with_sentence(make("smol-w8"), sentence)
    run = replace(run, verdicts=(replace(run.verdicts[0], statistics={"x": number}), *run.verdicts[1:]))
    rendered = data.render(run)
    assert rendered == data.render(run)
    rendered.encode("ascii")
    document = json.loads(rendered)
    assert rendered == json.dumps(document, indent=1) + "\n"  # lines that a diff can be read from, whoever wrote them
    assert document["builds"][0]["may_ship"] is True
    assert document["run"]["verdicts"][0]["sentence"].encode("utf-16", "surrogatepass") == sentence.encode(
        "utf-16", "surrogatepass"
    )
    assert document["run"]["verdicts"][2]["items"][0]["body"][3]["value"]["value"] == -0.0139


def test_the_summary_ends_with_who_may_ship(three: RunRecord) -> None:
    """One line a claim and build, what there is of floor and control, then one a build, then the report's place."""
    lines = text.summary(three, "reports/report.html")
    assert len(lines) == 9 + 1 + 3 + 1
    assert "Noise floor: not measured. Positive control: caught." in lines
    assert lines[0].startswith("shown      Weight size \N{MIDDLE DOT} smol-w8 has")
    assert "[mark: at most 0.650 of the original]" in lines[0]
    assert lines[-4:-1] == [
        "smol-w8 may ship: 2 of 2 registered claims shown",
        "smol-w4 may not ship: Everyday questions not shown; 1 of 2 registered claims shown",
        "smol-damaged: the positive control was caught (Everyday questions failed)",
    ]
    assert lines[-1] == "Report: reports/report.html"
    assert text.styled(three, "reports/report.html").plain == "\n".join(lines)


@given(ANYTHING)
def test_a_model_cannot_write_to_the_terminal(make: Make, sentence: str) -> None:
    """No control character and no second line reaches the terminal."""
    for line in text.summary(with_sentence(make("smol-w8"), f"{sentence}\x1b[2J\n")):
        assert line.isprintable() or not any(ord(character) < 32 for character in line)
        assert "\n" not in line


def test_the_table_has_the_original_first_and_once(three: RunRecord) -> None:
    """The figure that each verdict repeats for the original stands in its column once."""
    laid_out = table.of(three)
    assert laid_out.columns == ("original", "smol-w8", "smol-w4", "smol-damaged")
    (files, ratio) = laid_out.groups[0].rows
    assert [bool(cell) for cell in files.cells] == [True] * 4
    assert [bool(cell) for cell in ratio.cells] == [False, True, True, True]
    assert ratio.headline


def test_a_figure_that_disagrees_is_not_dropped(make: Make) -> None:
    """Two values for one figure of the original are both shown."""
    run = make("smol-w8", "smol-w4")
    first, *rest = run.verdicts
    other = replace(first, figures=(replace(first.figures[0], value="unknown"), *first.figures[1:]))
    rows = table.of(replace(run, verdicts=(other, *rest))).groups[0].rows
    assert sum(row.label == "Weight files" for row in rows) == 2


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=5))
def test_ticks_are_few_and_within_the_scale(values: list[float]) -> None:
    """Any data gets a readable axis."""
    for scale in (around([0.0, *values]), from_zero(values)):
        placed = ticks(scale, Unit.POINTS)
        assert len(placed) <= 8
        assert all(0 <= float(scale.at(value)[:-1]) <= 100 for value, _ in placed)
        assert len({label for _, label in placed}) == len(placed)


@pytest.mark.parametrize(
    ("most", "last"),
    [(3_016_800, "3 million tokens"), (46_592, "40 thousand tokens"), (19_000, "15,000 tokens"), (0, "1.0 tokens")],
)
def test_an_axis_counts_many_tokens_by_the_thousand(most: float, last: str) -> None:
    """Ticks have few letters, so that a phone has room for them; the last names the unit."""
    scale = from_zero([most])
    assert f"{ticks(scale, Unit.TOKENS)[-1][1]} {axis_unit(scale, Unit.TOKENS)}" == last


def test_a_record_that_repeats_its_drawing_is_folded(one: RunRecord) -> None:
    """Where each bar has one part, with its figure and its note beside it, the table is there and closed."""
    first, *rest = one.verdicts
    long = replace(first, bars=tuple(replace(bar, note="a note for which a phone has no room") for bar in first.bars))
    shut, open_ = '<details class="record"><summary>', '<details class="record whole" open><summary>'
    for verdict, closed in ((first, 1), (long, 0)):
        page = html.render(replace(one, verdicts=(verdict, *rest)))
        assert page.count(shut) == closed
        assert page.count(shut) + page.count(open_) == len(re.findall('role="img"', page))
    assert "Every bar: a note for which a phone has no room." in page


def test_bars_of_one_length_are_a_sentence(one: RunRecord) -> None:
    """Bars that all end at the same place show nothing that a sentence would not."""
    first, *rest = one.verdicts
    segments = (Segment(label="cache", value=46_592),)
    bars = [replace(bar, note="", unit=Unit.TOKENS, segments=segments) for bar in first.bars]
    page = html.render(replace(one, verdicts=(replace(first, bars=tuple(bars)), *rest)))
    assert '<p class="alike">46,592 tokens for every build</p>' in page
    assert 'class="alike"' not in html.render(one)


def test_a_part_keeps_its_fill_from_chart_to_chart(one: RunRecord) -> None:
    """A chart of the cache alone has the fill that the cache has among the parts of the memory."""
    *rest, last = one.verdicts
    cache = tuple(
        Bar(
            chart="c",
            title="Cache alone",
            label=name,
            unit=Unit.TOKENS,
            segments=(Segment(label="Cache", value=value),),
        )
        for name, value in (("original", 1.0), ("smol-w8", 2.0))
    )
    page = html.render(replace(one, verdicts=(*rest, replace(last, bars=cache))))
    alone = page.partition("Cache alone</h3>")[2].partition("</svg>")[0]
    assert set(re.findall(r'class="(t\d)"', alone)) == {"t1"}
    assert '<rect class="t1" width="14" height="14"/></svg>Cache</li>' in page


def test_a_name_in_the_headline_is_not_broken(three: RunRecord) -> None:
    """A build's name stays on one line, and a name that is too long for that may break."""
    assert '<span class="whole">smol-w8</span> may ship' in html.render(three)
    long = html.render(replace(three, titles={"smol-w8": "a-name-of-a-build-that-is-long"}))
    assert "<h1>a-name-of-a-build-that-is-long may" in long
