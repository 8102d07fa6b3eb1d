"""The page for those who cannot see it, cannot use a mouse, read it in the dark or on a phone."""

from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

import fake_runs
from opened import DESKTOP, PHONE, Open

pytestmark = pytest.mark.browser

UNFOLD = """() => {
  for (const button of document.querySelectorAll("button[aria-controls]")) button.click();
  for (const details of document.querySelectorAll("details")) details.open = true;
}"""
# Every element that reaches out of the window, but for what lies in a part that scrolls on its own.
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter(element => {
  const box = element.getBoundingClientRect();
  if (box.width < 2 || box.right <= innerWidth + 1 && box.left >= -1) return false;
  return !element.closest(".scroll, svg, .skip, .sprite");
}).map(element => element.outerHTML.slice(0, 200))"""


def violations(page: Page, *rules: str) -> str:
    """What axe finds, of all its rules or of these, in words; empty where it finds nothing."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **only})
    return found.generate_report() if found.violations_count else ""


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_axe_finds_nothing(visit: Open, name: str) -> None:
    """No violation in any state, folded on a wide window and open on a phone, and no faint text in the dark.

    The pages have few of the items and rows that are all built alike: axe takes a minute for seven hundred.
    """
    page = visit(f"{name}, brief").page
    assert violations(page) == ""
    page.evaluate(UNFOLD)
    page.set_viewport_size(PHONE)
    assert violations(page) == ""
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_all_that_a_page_can_hold(visit: Open, scheme: str) -> None:
    """The page with every part, open, in either scheme, on a wide window and on a phone."""
    page = visit("everything, brief", color_scheme=scheme).page
    page.evaluate(UNFOLD)
    for window in (DESKTOP, PHONE):
        page.set_viewport_size(window)
        assert violations(page) == "", window


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_nothing_scrolls_sideways_on_a_phone(visit: Open, name: str) -> None:
    """At 360 pixels the page is as wide as the window, folded and open; wide tables scroll within themselves."""
    page = visit(name if name == "everything" else f"{name}, brief", viewport=PHONE).page
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert page.evaluate(OUTSIDE) == []
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        page.evaluate("for (const each of document.querySelectorAll('button[aria-controls]')) each.click()")


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_headings_are_in_order(visit: Open, name: str) -> None:
    """One first heading, no level skipped, none empty."""
    page = visit(name).page
    found = page.locator("h1, h2, h3, h4").evaluate_all(
        "all => all.map(each => [+each.tagName[1], each.textContent.trim()])"
    )
    levels = [level for level, _ in found]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(text for _, text in found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_visible(visit: Open, scheme: str) -> None:
    """Whatever Tab reaches is seen, inside the window and outlined."""
    page = visit("one, brief", color_scheme=scheme).page
    reached = set()
    while True:
        page.keyboard.press("Tab")
        tag, outline, seen = page.evaluate(
            """() => {
              const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
              return [at.tagName, style.outlineStyle + " " + style.outlineWidth,
                      box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth];
            }"""
        )
        if tag == "BODY":  # past the end
            break
        reached.add(tag)
        assert seen, tag
        assert outline == "solid 3px", tag
    assert {"A", "BUTTON", "SUMMARY", "DIV"} <= reached


def test_the_first_key_skips_to_the_report(visit: Open) -> None:
    """A reader with a keyboard need not pass the navigation."""
    page = visit("one").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
