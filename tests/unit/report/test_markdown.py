"""Markdown as GitHub and GitLab show it: every table whole, nothing a model wrote at work, small enough for a job."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from any_run import ANY, MARKUP, SIX, runs, six
from twx_accept.domain.run import RunRecord
from twx_accept.report import markdown

GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
BLOCKS = {"heading", "paragraph", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td"}
INLINE = {"text", "strong_open", "strong_close", "em_open", "em_close", "softbreak", "html_inline"}
JOB_PAGE = 60_000
HEADINGS = (
    "Claims",
    "Noise floor: the original served again",
    "Builds against each other",
    "Which build when",
    "Settings",
)


def tokens(page: str) -> list[Token]:
    """A page as it is read, after checking that it has no other parts than the report's own."""
    found = GFM.parse(page)
    for token in found:
        kind = token.type.removesuffix("_open").removesuffix("_close")
        assert kind in BLOCKS | {"inline"}, token
        for child in token.children or ():
            assert child.type in INLINE, child
            if child.type == "html_inline":
                assert child.content in {"<code>", "</code>"}
    return found


def tables(page: str) -> list[list[list[str]]]:
    """The cells of each table, as they are shown; every row has as many as its head."""
    found: list[list[list[str]]] = []
    inside = False
    for token in tokens(page):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in {"th_open", "td_open", "th_close", "td_close"}:
            inside = token.type.endswith("open")
        elif inside and token.type == "inline":
            found[-1][-1].append("".join(child.content for child in token.children or ()))
    for table in found:
        assert {len(row) for row in table} == {len(table[0])}
    return found


def lines_of_tables(page: str) -> int:
    """How many lines look like a row of a table, the lines under the heads aside."""
    return sum(line.startswith("| ") for line in page.splitlines())


def test_a_whole_suite_has_all_its_tables() -> None:
    """Six claims about two builds and a control: every table is there, in order, and nothing is cut."""
    run = six()
    page = markdown.render(run)
    print(f"{len(page.encode()) / 1000:.1f} kB")
    assert len(page.encode()) < JOB_PAGE
    assert "The rest is in the report" not in page
    found = tables(page)
    assert sum(map(len, found)) == lines_of_tables(page)
    assert [row[0] for row in found[0][1:]] == [title for _ in range(3) for _, title, *_ in SIX]
    heads = [each.content for token in tokens(page) for each in token.children or () if token.map]
    for heading in (*HEADINGS, *(title for _, title, *_ in SIX)):
        assert heading in heads
    figures = {figure.label for verdict in run.verdicts for figure in verdict.figures}
    shown = {row[0] for table in found for row in table}
    assert figures <= shown


@ANY
@given(runs())
def test_no_content_breaks_a_table(run: RunRecord) -> None:
    """Whatever texts a run holds, each row stays a row of as many cells, and no other markup comes to be."""
    page = markdown.render(run)
    assert len(page.encode()) < JOB_PAGE
    assert sum(map(len, tables(page))) == lines_of_tables(page)


@given(MARKUP)
def test_every_text_is_shown_as_text(text: str) -> None:
    """In a title, a sentence, a mark, a heading and a line of its own, markup is seen and does nothing."""
    run = six(items=0)
    first = replace(run.verdicts[1], title=text, sentence=text, mark=text, warnings=(text,))
    changed = replace(
        run, verdicts=(first, *run.verdicts[2:]), suite_title=text, disclosures=(text,), titles={"twx3": text}
    )
    page = markdown.render(changed)
    assert sum(map(len, tables(page))) == lines_of_tables(page)
    plain = " ".join(markdown.plain(text).split())
    if plain:
        assert any(row[0] == plain for row in tables(page)[0])


@pytest.mark.parametrize("limit", range(3000, 15_000, 250))
def test_a_page_that_is_cut_stays_whole(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """Wherever the page must end, no table is left half, and it says that it was cut."""
    monkeypatch.setattr(markdown, "LIMIT", limit)
    page = markdown.render(six(items=0))
    assert len(page.encode()) <= limit
    assert sum(map(len, tables(page))) == lines_of_tables(page)
    *_, last = (token for token in tokens(page) if token.type == "inline")
    assert shown(last.children) == "The rest is in the report."


def shown(children: Sequence[Any] | None) -> str:
    """The text of inline tokens."""
    return "".join(child.content for child in children or ())
