"""On paper, and without a script: everything that a reader could unfold is there."""

import pytest

import fake_runs
from opened import Open

pytestmark = pytest.mark.browser

# What cannot be seen although a reader would want it: counts of figures, charts, tables and texts of items.
UNSEEN = """() => [...document.querySelectorAll(".panel dd, .chart, details td, details pre, .record td")]
  .filter(element => !element.checkVisibility() || !element.getBoundingClientRect().height)
  .map(element => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_paper_has_every_figure(visit: Open, name: str, script: bool) -> None:
    """Printed, every folded part is open, with and without the script; what is for clicking is gone."""
    page = visit(name, java_script_enabled=script).page
    page.emulate_media(media="print")
    assert page.evaluate(UNSEEN) == []
    assert not page.locator("nav").is_visible()
    assert not page.locator(".filters").is_visible()


def test_printing_leaves_the_page_as_it_was(visit: Open) -> None:
    """What the script unfolds for paper is folded again, and what a reader had open stays open."""
    page = visit("one").page
    page.locator("details.block").nth(1).evaluate("each => each.open = true")
    assert page.pdf().count(b"/Type /Page\n") > 10
    assert page.locator("details[open]").count() == 1


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
