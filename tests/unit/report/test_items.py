"""Which items a page shows, and which part of their texts."""

import re
from collections import Counter
from dataclasses import replace

import pytest

import fake_runs
import unpacked
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Count, Item
from twx_accept.report import evidence, html, packing
from twx_accept.report.hostile import abridge
from twx_accept.report.ids import Ids
from twx_accept.report.items import LEFT, RIGHT, SHORT


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
    assert unpacked.count(page) == 300
    ends = [text for item in unpacked.items(page) for _, text, _ in item.body]
    ends += re.findall(r'<pre dir="auto">([^<]*)</pre>', page)
    assert {f"the question {n}?" for n in range(300)} <= {text[text.rindex("the question") :] for text in ends}


def test_every_group_and_direction_has_its_turn(one: RunRecord) -> None:
    """Of more items than a page has room for, a group that comes last is not the one that is left out."""
    found = [question(n, "x" * 3_000, f"group {n // 100}", "lost" if n % 100 else "won") for n in range(5_700)]
    (block,) = evidence.select(only(one, *found), Ids()).blocks
    shown = Counter((item.group, item.direction) for item in block.items)
    assert len(block.items) == evidence.INLINE
    assert len(shown) == 2 * 57
    assert [int(item.title) for item in block.items] == sorted(int(item.title) for item in block.items)


def test_what_a_control_shows_takes_no_room_from_the_others() -> None:
    """Where not everything fits, a build that was damaged on purpose has a quarter of the others' items."""
    blocks = evidence.select(fake_runs.record("twx2.5", "twx3", fake_runs.CONTROL), Ids(), 300_000).blocks
    most = {
        build: max(len(block.items) for block in blocks if block.build == build)
        for build in ("twx2.5", "twx3", fake_runs.CONTROL)
    }
    assert most["twx2.5"] == most["twx3"] == 4 * most[fake_runs.CONTROL] + most["twx2.5"] % 4
    assert 60 <= most["twx2.5"] < evidence.INLINE


def test_a_control_gives_way_before_a_text_is_cut() -> None:
    """A page that is a little too large leaves out three quarters of the control's items, and no letter of a text."""
    blocks = evidence.select(fake_runs.record("twx2.5", fake_runs.CONTROL), Ids(), 700_000).blocks
    assert {len(block.items) for block in blocks if block.build == "twx2.5"} == {80, evidence.INLINE}
    assert {len(block.items) for block in blocks if block.build == fake_runs.CONTROL} == {75}
    assert not any("characters]" in text for block in blocks for item in block.items for _, text, _ in item.body)


@pytest.mark.parametrize("state", ["one", "everything", "partial"])
def test_a_page_of_the_published_size_has_all_items_and_can_be_mailed(state: str) -> None:
    """Six claims at full size, with one to three builds and a control: 300 items of each, every text whole, in 2 MB."""
    run = fake_runs.STATES[state]()
    page = html.render(run)
    assert len(page.encode()) < 2_000_000
    assert unpacked.count(page) == sum(min(evidence.INLINE, each.items_total) for each in run.verdicts)
    assert "characters]" not in page
    assert not any("characters]" in item.text for item in unpacked.items(page))


@pytest.mark.parametrize("state", ["one", "two", "everything"])
def test_some_items_of_every_claim_and_build_need_no_script(state: str) -> None:
    """Of each block the first of its groups and directions are markup, the others packed, all in their order."""
    page = html.render(fake_runs.STATES[state]())
    packed = unpacked.blocks(page)
    assert len(packed) == page.count('<details class="block">')
    assert {block.count(None) for block in packed} == {evidence.PLAIN}


def test_a_text_that_many_items_have_is_kept_once(one: RunRecord) -> None:
    """Three hundred questions with the same long examples before each take little more room than one."""
    examples = "\n\n".join(f"example {n}: {n * 7919 % 1009} {n * 104_729 % 2003}" for n in range(200))
    alone, many = (
        html.render(only(one, *(question(n, f"{examples}\n\nquestion {n}?") for n in range(count))))
        for count in (6, 300)
    )
    assert unpacked.count(many) == 300
    assert all(item.body[0][1] == f"{examples}\n\nquestion {item.title}?" for item in unpacked.items(many))
    assert len(many) - len(alone) < 300 * 100


def test_what_both_sides_said_stands_beside_each_other(one: RunRecord) -> None:
    """The original's texts and the build's are paired, whatever lies between them; nothing is lost."""
    labels = ["prompt", "the original", "the original, raw output", "the build", "the build, raw output", "why"]
    body = tuple(Count(label=label, value=f"{label} said") for label in labels)
    item = Item(id="q", group="g", direction="d", title="t", body=body)
    (block,) = evidence.select(only(one, item), Ids()).blocks
    places = [(label, place) for label, _, place in block.items[0].body]
    assert places == [
        ("prompt", SHORT),
        ("the original", LEFT),
        ("the build", RIGHT),
        ("the original, raw output", LEFT),
        ("the build, raw output", RIGHT),
        ("why", SHORT),
    ]
    one_sided = replace(item, body=body[:4])
    (block,) = evidence.select(only(one, one_sided), Ids()).blocks
    assert [(label, place) for label, _, place in block.items[0].body] == [(label, SHORT) for label in labels[:4]]


@pytest.mark.parametrize("most", [1, 500])
def test_more_text_than_a_browser_should_hold_is_cut(
    one: RunRecord, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """However well texts compress, a page holds so many characters of them and no more, and some of each block."""
    monkeypatch.setattr(packing, "MOST", most * 1_000)
    found = [question(n, f"{n} " * 9_000) for n in range(300)]
    page = html.render(only(one, *found))
    assert sum(len(item.text) for item in unpacked.items(page)) <= most * 1_000 + 300 * 20
    assert 1 <= unpacked.count(page) < 10 if most == 1 else unpacked.count(page) == 300
    assert "characters]" in page


def test_items_get_what_the_rest_of_a_page_leaves() -> None:
    """Twelve builds have so many figures, plots and tables that there is less room for items."""
    run = fake_runs.record("twx2.5")
    builds = tuple(f"build-{n}" for n in range(12))
    verdicts = tuple(replace(each, build=build) for build in builds for each in run.verdicts)
    source = html.render(replace(run, builds=builds, verdicts=verdicts, planned=()))
    assert len(source.encode()) < 2_000_000
    assert unpacked.count(source) > 1_000


def test_rows_of_folded_tables_share_their_room() -> None:
    """One build's tables have 200 rows; where several builds have as many, each says how much of it is shown."""
    assert "200 of 320 rows shown, all in the evidence file." in html.render(fake_runs.record("twx2.5"))
    assert "50 of 320 rows shown, all in the evidence file." in html.render(
        fake_runs.record("twx2.5", "twx3", "twx-small")
    )
