"""What the script draws of packed items is what the page would have as markup, whatever the texts are."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page

import fake_runs
from opened import FileOf, Open
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Count, Item
from twx_accept.report import evidence, html

pytestmark = pytest.mark.browser

SETTLED = "() => /^[0-9]/.test(document.querySelector('[data-matches]').textContent)"
ITEMS = """all => all.map(each => each.outerHTML.replaceAll(/>\\s+</g, "><").replaceAll(' open=""', ""))"""
ODD = (
    "\x00\x01[U+0041]\x01",
    "a\n\nb\n\n\n c",
    "\n\n",
    "",
    " ",
    "\r\n\r\nx\r",
    "\\u0041\\n",
    "\ud83d",
    "\U0001f4a9",
    "\xf1 \u6f22",
)


def some(run: RunRecord, count: int = 12) -> RunRecord:
    """The run with so many items of each verdict."""
    cut = (replace(each, items=each.items[:count], items_total=min(count, each.items_total)) for each in run.verdicts)
    return replace(run, verdicts=tuple(cut))


def odd(run: RunRecord) -> RunRecord:
    """The run in which the texts of items are odd ones, in turn."""

    def changed(at: int, item: Item) -> Item:
        body = tuple(
            Count(label=ODD[(at + n) % len(ODD)], value=ODD[(at + n * 3 + 1) % len(ODD)]) for n in range(len(item.body))
        )
        return replace(item, title=f"{ODD[at % len(ODD)]} {at}", body=body)

    verdicts = (
        replace(each, items=tuple(changed(at, item) for at, item in enumerate(each.items))) for each in run.verdicts
    )
    return replace(run, verdicts=tuple(verdicts))


RUNS = {
    "as it is": lambda: some(fake_runs.record("twx2.5")),
    "hostile": lambda: fake_runs.with_text(some(fake_runs.record("twx2.5")), fake_runs.HOSTILE),
    "odd": lambda: odd(some(fake_runs.record("twx2.5"))),
}


def drawn(page: Page) -> list[str]:
    """The markup of every item, opened."""
    page.wait_for_function(SETTLED)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.wait_for_function("() => [...document.querySelectorAll('.item')].every(each => each.querySelector('dl'))")
    found: list[str] = page.locator(".item").evaluate_all(ITEMS)
    return found


@pytest.mark.parametrize("name", RUNS)
def test_the_script_draws_what_the_page_would_have(
    visit: Open, file_of: FileOf, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Packed or as markup, an item is the same element with the same texts; nothing runs and nothing is asked for."""
    run = RUNS[name]()
    monkeypatch.setattr(evidence, "PLAIN", 0)
    packed = visit(file_of(f"{name} packed", html.render(run)))
    monkeypatch.setattr(evidence, "PLAIN", 300)
    markup = visit(file_of(f"{name} markup", html.render(run)))
    assert packed.page.locator("template").count() == 1
    assert markup.page.locator("template").count() == 0
    found = drawn(packed.page)
    assert len(found) == 4 * 12
    assert found == drawn(markup.page)
    for opened in (packed, markup):
        assert opened.page.evaluate("window.ran") is None
        assert opened.page.locator("script").count() == 1
        assert (opened.said, len(opened.asked)) == ([], 1)


def test_names_of_characters_are_found_and_cannot_be_faked(
    visit: Open, file_of: FileOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search finds a named character by its name; only a real one is marked."""
    monkeypatch.setattr(evidence, "PLAIN", 0)
    page = visit(file_of("names", html.render(odd(some(fake_runs.record("twx2.5")))))).page
    page.wait_for_function(SETTLED)
    page.get_by_label("Search").fill("[u+0000][u+0001][u+0041]")
    page.wait_for_function("() => !/ 0 of|^48 of/.test(document.querySelector('[data-matches]').textContent)")
    item = page.locator(".item:visible").first
    item.locator("summary").click()
    item.locator("dl").wait_for()
    marked = set(item.locator(".ctl").all_text_contents())
    assert {"[U+0000]", "[U+0001]"} <= marked
    assert "[U+0041]" not in marked
