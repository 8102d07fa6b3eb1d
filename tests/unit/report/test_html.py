"""The page: what it holds, what it never holds, how large it gets."""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import unpacked
from twx_accept.domain.run import RunRecord, Setting
from twx_accept.domain.verdict import Bar, Count, Effect, Figure, Fold, Item, Outcome, Segment, Unit, Verdict
from twx_accept.report import html

Make = Callable[..., RunRecord]
ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=40) | st.sampled_from(
    ["</script><script>x", "-->", '" onload="x', "{{ 7 * 7 }}", "<b>bold</b>", "\x1b[31m", "\u202e\ud800", "a\r\nb"]
)
VOID = {"meta", "link", "input", "circle", "path", "rect", "line", "use"}


class Page(HTMLParser):
    """The tags, attributes and texts of a page; refuses tags that do not match."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inside: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in <{tag}>"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag without content."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that is open."""
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.texts.append(data)
        if self._open and self._open[-1] in {"style", "script", "title"}:
            self.inside[self._open[-1]] = self.inside.get(self._open[-1], "") + data

    def values(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]

    def shape(self) -> Counter[tuple[str, tuple[str, ...]]]:
        """How often each tag occurs with which attributes."""
        return Counter((tag, tuple(sorted(attributes))) for tag, attributes in self.tags)


@pytest.fixture(scope="module")
def source(three: RunRecord) -> str:
    """The page of three builds."""
    return html.render(three)


@pytest.fixture(scope="module")
def page(source: str) -> Page:
    """The same page, parsed."""
    return Page(source)


def test_the_policy_allows_this_style_and_script_alone(page: Page) -> None:
    """Both hashes are those of what stands in the page, and nothing may be loaded."""
    policy = next(tag["content"] for _, tag in page.tags if tag.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.inside[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not page.values("style")
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]


def test_nothing_is_loaded(source: str, page: Page) -> None:
    """No address leads out of the page."""
    # Letters of base64 may well be two slashes.
    bare = re.sub(r'<template id="packed~">[^<]*</template>|sha256-[\w+/=]+', "", source)
    assert not re.findall(r"https?:|//\w", bare.replace("// ", ""))
    assert all(value.startswith("#") or value == "data:," for value in page.values("href"))
    assert not page.values("src")


def test_ids_are_unique_and_every_reference_leads_somewhere(page: Page) -> None:
    """Buttons, labels, links and shapes all point to something in the page."""
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    references = [name for attribute in ("aria-labelledby", "aria-describedby") for name in page.values(attribute)]
    references += page.values("aria-controls") + [value[1:] for value in page.values("href") if value[0] == "#"]
    assert set(references) <= set(ids)
    assert len(page.values("aria-controls")) == 7


def test_every_figure_with_counts_is_a_button(page: Page) -> None:
    """A figure opens its counts, closed at first."""
    buttons = [attributes for tag, attributes in page.tags if tag == "button" and "aria-controls" in attributes]
    assert len(buttons) == 7
    assert all(button["aria-expanded"] == "false" and button["aria-controls"] for button in buttons)


def test_headings_are_in_order(page: Page) -> None:
    """One first heading, and no level is skipped."""
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_charts_are_named_and_have_their_record(page: Page, source: str) -> None:
    """Each drawing is an image with a title and a description, and a table follows it."""
    charts = [attributes for tag, attributes in page.tags if attributes.get("role") == "img"]
    assert len(charts) == 6  # a control has its own
    assert all(chart["aria-labelledby"] and chart["aria-describedby"] for chart in charts)
    note, table = r'(?:<p class="mark">[^<]*</p>\s*)?', r'<div class="scroll"[^>]*>\s*<table'
    follows = rf'</svg>\s*{note}<details class="record[^>]*><summary>[^<]*</summary>\s*{table}'
    assert len(re.findall(follows, source)) == 6


def test_zero_is_never_negative(source: str) -> None:
    """No figure reads as minus zero."""
    assert not re.search(r"(?<![\d\w.,])[-\N{MINUS SIGN}]0(\.0+)?(?![\d.])", "".join(Page(source).texts))


def test_the_outcome_is_told_in_words_and_shapes(source: str) -> None:
    """Each badge carries its word, and each word has a shape of its own."""
    badges = set(re.findall(r'class="badge (\w+)">.*?#shape~(\w+).*?</svg>([a-z ]+)</span>', source))
    assert badges == {
        ("good", "good", "shown"),
        ("open", "open", "not shown"),
        ("bad", "bad", "failed"),
        ("plain", "plain", "reported"),
    }


def test_two_renders_are_the_same(three: RunRecord, source: str) -> None:
    """A run has one page, byte for byte."""
    assert html.render(three) == source


def test_markup_in_ids_is_shown(one: RunRecord) -> None:
    """Case markup-in-ids: markup in an id, a prompt or a name is text, and the permalink still works."""
    evil = "<span style='color:red'>x</span>"
    item = Item(id=evil, group=evil, direction=evil, title=evil, body=(Count(label=evil, value=evil),))
    last = replace(one.verdicts[-1], items=(item, item), sentence=evil)
    source = html.render(replace(one, verdicts=(*one.verdicts[:-1], last), titles={"smol-w8": evil}))
    page = Page(source)
    assert "<span style" not in source
    assert evil in "".join(page.texts)
    links = [value for value in page.values("href") if "color" in value]
    assert links == ["#span-style-color:red-x-span", "#span-style-color:red-x-span--smol-w8"]
    assert {link[1:] for link in links} <= set(page.values("id"))


def test_an_item_never_takes_an_id_of_the_page(one: RunRecord) -> None:
    """An item called like a part of the page gets another id."""
    items = tuple(
        replace(one.verdicts[-1].items[0], id=name) for name in ("main", "claims", "shape~good", "size~h", "")
    )
    page = Page(html.render(replace(one, verdicts=(*one.verdicts[:-1], replace(one.verdicts[-1], items=items)))))
    ids = page.values("id")
    assert len(ids) == len(set(ids))


def hostile_run(text: str, number: float) -> RunRecord:
    """A run in which every text is ``text`` and every measured number is ``number``."""
    count = Count(label=text, value=text)
    effect = Effect(
        chart=text, title=text, label=text, difference=number, lower=number, upper=number, margin=1.0, notes=(count,)
    )
    verdict = Verdict(
        claim=text,
        title=text,
        build=text,
        outcome=Outcome.INVALID,
        sentence=text,
        mark=text,
        reasons=(text,),
        warnings=(text,),
        labels=(text,),
        figures=(Figure(key=text, label=text, value=text, counts=(count,)),),
        effects=(effect,),
        bars=(
            Bar(
                chart=text,
                title=text,
                label=text,
                unit=Unit.BYTES,
                segments=(Segment(label=text, value=number), Segment(label=f"{text}2", value=1.0)),
                limit=abs(number),
                note=text,
            ),
        ),
        items=(Item(id=text, group=text, direction=text, title=text, body=(count,)),),
        folds=(Fold(title=text, columns=(text,), rows=((text,),)),),
    )
    return RunRecord(
        suite=text,
        suite_title=text,
        demonstration=False,
        date=text,
        command=text,
        original="original",
        builds=(text,),
        planned=((f"{text}!", text),),
        verdicts=(verdict,),
        settings=(Setting(group=text, label=text, values={text: text}),),
        timings=(),
        partial=f"{text}!",
        noise_floor=text,
        titles={text: text},
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ANYTHING.filter(lambda text: text.strip() not in {"", "original", "control"}), st.floats())
def test_any_text_leaves_the_page_as_it_is(text: str, number: float) -> None:
    """Hostile text adds neither a tag nor an attribute: the page has the shape of the same page of harmless text."""
    source = html.render(hostile_run(text, number))
    source.encode()
    page, harmless = Page(source), Page(html.render(hostile_run("word", number)))
    difference = page.shape()
    difference.subtract(harmless.shape())
    # The names of acting characters are the only tags that depend on text, and long texts the only attribute; lines
    # of a chart are in two parts where labels reach them.
    expected = {("span", ("class",)), ("div", ()), ("div", ("class",)), ("line", ("class", "x1", "x2", "y1", "y2"))}
    assert {tag for tag, count in difference.items() if count} <= expected
    assert len(page.values("id")) == len(set(page.values("id")))
    assert not set(source) & set("\x00\x1b\u202e\u2028\ufeff\r")


def test_the_page_is_small_without_items(make: Make) -> None:
    """Three builds with 57 subjects each, before any evidence."""
    run = make("smol-w8", "smol-w4", "smol-damaged")
    bare = replace(run, verdicts=tuple(replace(verdict, items=()) for verdict in run.verdicts))
    assert len(html.render(bare).encode()) < 300_000


@pytest.mark.parametrize(("length", "kind"), [(500, "x"), (9_000, "<"), (200_000, "\u202e")])
def test_the_page_stays_small_with_items(one: RunRecord, length: int, kind: str) -> None:
    """However long and however hostile the answers are, they are cut, with a note of their length."""
    body = (Count(label="Prompt", value="why?"), Count(label="Answer", value=kind * length))
    items = tuple(Item(id=f"q-{n}", group="g", direction="d", title=f"Question {n}", body=body) for n in range(1_000))
    last = replace(one.verdicts[-1], items=items, items_total=1_234)
    source = html.render(replace(one, verdicts=(*one.verdicts[:-1], last)))
    assert len(source.encode()) < 2_000_000
    assert re.search(r"\b\d+ of 1,234 in this page, all in the evidence file", source)
    assert length < 9_000 or f"of {length:,} characters]" in source
    assert unpacked.count(source) == 300


def test_one_odd_character_costs_no_text(one: RunRecord) -> None:
    """A control character in a long answer is named, and the answer is still there to its end."""
    body = (Count(label="Answer", value="\x07" + "word " * 1_000 + "the end"),)
    items = tuple(replace(item, body=body) for item in one.verdicts[-1].items)
    source = html.render(replace(one, verdicts=(*one.verdicts[:-1], replace(one.verdicts[-1], items=items))))
    plain = source.count('<details class="item"')
    assert source.count("the end</pre>") == source.count("[U+0007]") == plain
    texts = [text for item in unpacked.items(source) for _, text, _ in item.body]
    assert plain + len(texts) == len(items)
    assert all(text.startswith("[U+0007]word") and text.endswith("the end") for text in texts)


def test_a_broken_claim_is_not_said_to_have_no_mark(one: RunRecord) -> None:
    """An invalid claim gates without saying its mark, and its reason is shown."""
    broken = replace(one.verdicts[-1], outcome=Outcome.INVALID, mark="", reasons=("served differently",), effects=())
    source = html.render(replace(one, verdicts=(one.verdicts[0], broken)))
    assert "No registered mark" not in source
    assert "<li><bdi>served differently</bdi></li>" in source
    assert 'class="badge warn"' in source


def test_many_rows_of_a_fold_are_cut_aloud(source: str) -> None:
    """A large table says how much of it is shown."""
    assert "200 of 250 rows shown, all in the evidence file." in source


def test_settings_name_what_differs(source: str) -> None:
    """The difference between builds stands above the table."""
    assert "Difference between builds: Quantization." in source


def test_an_empty_run_is_a_page(make: Make) -> None:
    """A run that was stopped before its first verdict still has a report."""
    source = html.render(make("smol-w8", verdicts=(), settings=(), timings=(), interrupted=True))
    Page(source)
    assert "INCOMPLETE" in source
    assert "Difference between builds: none." in source
