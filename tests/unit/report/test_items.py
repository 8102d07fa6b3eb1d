"""Which items a page shows, and which part of their texts."""

from collections import Counter
from dataclasses import replace

import pytest

import fake_runs
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Count, Item
from twx_accept.report import html, items
from twx_accept.report.hostile import abridge
from twx_accept.report.ids import Ids


def only(run: RunRecord, *found: Item) -> RunRecord:
    """The run whose last verdict has these items, and no other has any."""
    bare = tuple(replace(each, items=(), items_total=0) for each in run.verdicts)
    return replace(run, verdicts=(*bare[:-1], replace(bare[-1], items=found, items_total=len(found))))


def question(n: int, text: str, group: str = "g", direction: str = "d") -> Item:
    """An item with one text."""
    return Item(id=f"q-{n}", group=group, direction=direction, title=f"{n}", body=(Count(label="prompt", value=text),))


def test_a_long_text_keeps_both_ends() -> None:
    """What is asked stands at the end of a prompt; the note between the ends says how long it is."""
    text = abridge("a" * 5_000 + "z" * 5_000, 101)
    assert text.startswith("a" * 51 + " \N{HORIZONTAL ELLIPSIS} [the first 51 and the last 50 of 10,000 characters]")
    assert text.endswith("\N{HORIZONTAL ELLIPSIS} " + "z" * 50)
    assert abridge("a" * 101, 101) == "a" * 101


def test_a_prompt_is_cut_in_its_middle(one: RunRecord) -> None:
    """However many examples come first, the question that was asked is in the page."""
    asked = [question(n, "example " * 1_000 + f"the question {n}?") for n in range(300)]
    page = html.render(only(one, *asked))
    assert all(f"the question {n}?" in page for n in range(300))


def test_every_group_and_direction_has_its_turn(one: RunRecord) -> None:
    """Of more items than a page has room for, a group that comes last is not the one that is left out."""
    found = [question(n, "x" * 3_000, f"group {n // 100}", "lost" if n % 100 else "won") for n in range(5_700)]
    (block,) = items.select(only(one, *found), Ids())
    shown = Counter((item.group, item.direction) for item in block.items)
    assert len(block.items) == items.INLINE
    assert len(shown) == 2 * 57
    assert [int(item.title) for item in block.items] == sorted(int(item.title) for item in block.items)


def test_what_a_control_shows_takes_no_room_from_the_others() -> None:
    """Where not everything fits, a build that was damaged on purpose has a quarter of the others' items."""
    blocks = items.select(fake_runs.record("twx2.5", "twx3", fake_runs.CONTROL), Ids())
    most = {
        build: max(len(block.items) for block in blocks if block.build == build)
        for build in fake_runs.RATIOS
        if any(block.build == build for block in blocks)
    }
    assert most["twx2.5"] == most["twx3"] == 4 * most[fake_runs.CONTROL] + most["twx2.5"] % 4
    assert most["twx2.5"] >= 60


@pytest.mark.parametrize("state", fake_runs.STATES)
def test_a_page_of_the_published_size_can_be_mailed(state: str) -> None:
    """Six claims at full size, with one to three builds and a control, stay under 2 MB with most of the room used."""
    size = len(html.render(fake_runs.STATES[state]()).encode())
    assert 1_200_000 < size < 2_000_000


def test_items_get_what_the_rest_of_a_page_leaves() -> None:
    """Twelve builds have so many figures, plots and tables that there is less room for items."""
    run = fake_runs.record("twx2.5")
    builds = tuple(f"build-{n}" for n in range(12))
    verdicts = tuple(replace(each, build=build) for build in builds for each in run.verdicts)
    source = html.render(replace(run, builds=builds, verdicts=verdicts, planned=()))
    assert len(source.encode()) < 2_000_000
    assert source.count('class="item"') > 100


def test_rows_of_folded_tables_share_their_room() -> None:
    """One build's tables have 200 rows; where several builds have as many, each says how much of it is shown."""
    assert "200 of 320 rows shown, all in the evidence file." in html.render(fake_runs.record("twx2.5"))
    assert "50 of 320 rows shown, all in the evidence file." in html.render(
        fake_runs.record("twx2.5", "twx3", "twx-small")
    )
