"""On paper, and without a script: everything that a reader could unfold is there."""

from collections.abc import Callable
from pathlib import Path

import pytest

import fake_runs
import unpacked
from opened import Open

pytestmark = pytest.mark.browser

# What cannot be seen although a reader would want it: counts of figures, charts, tables and texts of items.
UNSEEN = """() => [...document.querySelectorAll(".panel dd, .chart, details td, details pre, .record td")]
  .filter(element => !element.checkVisibility() || !element.getBoundingClientRect().height && element.textContent)
  .map(element => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_paper_has_every_figure(visit: Open, state: Callable[[str], Path], name: str, script: bool) -> None:
    """Printed, every folded part is open, with and without the script; of the items, so many are there as it says."""
    page = visit(name, java_script_enabled=script).page
    if script:
        page.wait_for_function("() => document.querySelector('[data-matches]')?.textContent ?? true")
    page.emulate_media(media="print")
    assert page.evaluate(UNSEEN) == []
    assert not page.locator("nav").is_visible()
    assert not page.locator(".filters").is_visible()
    assert not page.locator(".rest button:visible").count()
    packed = unpacked.blocks(state(name).read_text(encoding="utf-8"))
    for block, left in zip(page.locator(".block").all(), packed, strict=False):
        kept = left.count(None) if not script else min(len(left), 25)
        assert block.locator(".item").count() == kept
        said = str(block.locator(".rest").text_content()) if block.locator(".rest:visible").count() else "0 more"
        assert said.startswith(f"{len(left) - kept} more")


def test_paper_has_what_a_search_found(visit: Open) -> None:
    """Printed, a search has the texts of the items that it shows, and no others."""
    page = visit("one").page
    page.get_by_label("Search").fill("subject 07")
    page.wait_for_function("() => /^[0-9]+ of 980/.test(document.querySelector('[data-matches]').textContent)")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = page.locator(".item:visible")
    assert shown.count() == page.locator(".item pre[dir]:visible").evaluate_all(
        "all => new Set(all.map(each => each.closest('.item'))).size"
    )
    assert 0 < shown.count() <= 40


def test_printing_leaves_the_page_as_it_was(visit: Open) -> None:
    """What the script unfolds for paper is folded again, and what a reader had open stays open."""
    page = visit("one").page
    page.locator("details.block").nth(1).evaluate("each => each.open = true")
    before = page.locator("details[open]").count()
    assert page.pdf().count(b"/Type /Page\n") > 10
    assert page.locator("details[open]").count() == before
    assert page.locator("details.block[open]").count() == 1


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_without_a_script_every_figure_is_readable(visit: Open, name: str) -> None:
    """Counts lie open, nothing that does nothing is offered, and items unfold by themselves."""
    page = visit(name, java_script_enabled=False).page
    hidden = [panel for panel in page.locator(".panel").all() if not panel.is_visible()]
    assert hidden == []
    assert not page.locator(".filters").is_visible()
    page.locator(".block > summary").first.click()
    item = page.locator(".item").first
    item.locator("summary").click()
    assert item.locator("pre").first.is_visible()
    assert not page.locator(".rest button").first.is_visible()
    for each in page.locator(".rest").all():
        assert "more, packed: the page\u2019s script shows them" in str(each.text_content())
