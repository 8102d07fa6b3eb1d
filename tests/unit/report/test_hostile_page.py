"""Whatever models, data sets and suites write, and wherever they write it: shown whole, and only shown."""

from dataclasses import replace

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fake_runs
from twx_accept.domain.verdict import Count, Fold
from twx_accept.report import html
from twx_accept.report.hostile import plain

RUN = fake_runs.brief(fake_runs.STATES["exploratory"]())
ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), min_size=1, max_size=60)
FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "<",
            ">",
            "</",
            "script",
            "style",
            "textarea",
            "title>",
            "<!--",
            "-->",
            "]]>",
            "&",
            "&#0;",
            "&lt",
            ";",
            '"',
            "'",
            "=",
            "onload",
            "javascript:",
            "{{",
            "}}",
            "{%",
            "\x00",
            "\x1b[31m",
            "\x9b",
            "\r",
            "\n",
            "\t",
            "\u202e",
            "\u2066",
            "\ud800",
            "\udfff",
            "\ufeff",
            "\u2028",
            "\U000e0041",
            "a",
            " ",
        ]
    ),
    min_size=1,
    max_size=30,
).map("".join)
ACTIVE = {"script", "style", "iframe", "object", "embed", "img", "video", "form", "base", "link", "meta", "textarea"}


def parsed(source: str) -> tuple[list[str], str]:
    """What could act in a page, and its text, as the HTML standard reads it; a parse error is not mended."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(source)
    assert [error for _, error, _ in parser.errors] == []
    able = []
    for each in tree.iter():
        able += [each.tag] if each.tag in ACTIVE else []
        able += [name for name in each.attrib if name.startswith("on") or name in {"src", "style", "srcdoc"}]
        able += [each.attrib["href"][:1]] if each.tag == "a" else []
    return able, " ".join("".join(tree.find("body").itertext()).split())


SOME = next(each.items for each in RUN.verdicts if each.title == "Tool calls")
HARMLESS = parsed(html.render(RUN))[0]


@settings(max_examples=10)
@given(ANYTHING | FRAGMENTS)
def test_any_text_anywhere_is_shown_whole_and_does_nothing(text: str) -> None:
    """In every text of a run at once: a page without a parse error, with nothing active, and with every text in it."""
    run = fake_runs.with_text(RUN, text)
    able, said = parsed(html.render(run))
    assert able == HARMLESS
    # A build's name is shown as its title.
    (name,) = run.builds
    shown = {plain(each).replace(name, plain(run.titles[name])) for each in fake_runs.texts_of(run)}
    assert {each for each in shown if " ".join(each.split()) not in said} == set()


@pytest.mark.parametrize("kind", ["<b>", "\u202e", "\x1b[31m", "\ud800", "word "])
def test_answers_of_200_kilobytes_cost_no_other_text(kind: str) -> None:
    """Endless texts wherever a model or an engine may write leave a page that can be mailed and says what is cut."""
    endless = kind * (200_000 // len(kind))
    fold = Fold(title="What the model read", columns=("effort", "prompt"), rows=(("low", endless),))
    items = tuple(replace(item, title=endless, body=(Count(label="raw", value=endless),)) for item in SOME)
    more = {"sentence": endless, "reasons": (endless,), "warnings": (endless,), "folds": (fold,), "items": items}
    source = html.render(fake_runs.with_verdict(RUN, "Tool calls", **more))
    assert len(source.encode()) < 2_000_000
    assert f"of {len(endless):,} characters]" in source
    assert parsed(source)[0] == HARMLESS
    assert "attempt 1 with these weights" in parsed(source)[1]
