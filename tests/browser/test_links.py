"""The address of an item is a link to it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

import fake_runs
import unpacked
from opened import Open

pytestmark = pytest.mark.browser

OPEN = "name => document.getElementById(name) && document.getElementById(name).open"
SEEN = """name => {
  const item = document.getElementById(name), box = item.getBoundingClientRect();
  return [item.open, box.top >= -1 && box.top < innerHeight, document.activeElement === item.querySelector("summary")];
}"""


def ends(page: Page, state: Callable[[str], Path], name: str) -> list[str]:
    """The ids of some items of every block: the first that is markup, the first and the last that are packed."""
    plain = page.locator(".block").evaluate_all("all => all.map(each => each.querySelector('.item').id)")
    packed = [[item.id for item in block if item] for block in unpacked.blocks(state(name).read_text(encoding="utf-8"))]
    return list(dict.fromkeys([*plain, *(name for block in packed for name in (block[0], block[-1]))]))


def test_a_permalink_opens_and_shows_its_item(visit: Open, state: Callable[[str], Path]) -> None:
    """An address with an item's id opens the item, scrolls to it and gives it the focus."""
    first = visit("everything").page
    for name in ends(first, state, "everything")[::7]:
        page = visit("everything", anchor=f"#{name}").page
        page.wait_for_function(OPEN, arg=name)
        assert page.evaluate(SEEN, name) == [True, True, True], name


def test_an_address_is_followed_within_the_page(visit: Open, state: Callable[[str], Path]) -> None:
    """A link that is pasted while the page is open works for every block."""
    page = visit("everything").page
    for name in ends(page, state, "everything"):
        page.evaluate("name => { location.hash = name; }", name)
        page.wait_for_function(OPEN, arg=name)
        assert page.evaluate(SEEN, name)[:2] == [True, True], name


def test_an_item_that_is_filtered_away_is_shown_by_its_link(visit: Open, state: Callable[[str], Path]) -> None:
    """A link clears the filter that hides what it leads to."""
    page = visit("one").page
    name = ends(page, state, "one")[-1]
    page.get_by_label("Search").fill("no item has these words")
    page.wait_for_function("() => document.querySelector('[data-matches]').textContent === '0 of 980 items'")
    page.evaluate("name => { location.hash = name; }", name)
    page.wait_for_function(OPEN, arg=name)
    assert page.evaluate(SEEN, name)[:2] == [True, True]
    assert page.get_by_label("Search").input_value() == ""


def test_an_item_that_a_search_found_is_shown_by_its_link(visit: Open, state: Callable[[str], Path]) -> None:
    """A link leads to its item among all that a search has unfolded, and leaves the search as it is."""
    page = visit("everything").page
    names = ends(page, state, "everything")
    page.get_by_label("Search").fill("e")
    page.wait_for_function("() => /^[0-9]/.test(document.querySelector('[data-matches]').textContent)")
    for name in (names[-1], names[len(names) // 2]):
        page.evaluate("name => { location.hash = name; }", name)
        page.wait_for_function(OPEN, arg=name)
        assert page.evaluate(SEEN, name) == [True, True, True], name
    assert page.get_by_label("Search").input_value() == "e"


def test_an_item_links_to_itself(visit: Open) -> None:
    """The link in an opened item puts its address into the address bar."""
    page = visit("one").page
    page.locator(".block > summary").first.click()
    page.wait_for_function("() => document.querySelectorAll('.block:first-of-type .item').length > 20")
    item = page.locator(".item").nth(9)
    item.locator("summary").click()
    item.get_by_role("link", name="Link to this item").click()
    assert page.url.endswith("#" + str(item.get_attribute("id")))


@pytest.mark.parametrize("anchor", ["#", "#%E0%A4%A", "#no-such-item", "#%00", "#.item", "#main"])
def test_an_address_that_leads_nowhere_breaks_nothing(visit: Open, anchor: str) -> None:
    """A malformed or stale address leaves a page that works."""
    opened = visit("one", anchor=anchor)
    opened.page.get_by_label("Search").fill("harbour")
    assert opened.said == []


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_every_link_of_a_page_leads_to_something_that_is_shown(visit: Open, name: str) -> None:
    """The navigation lists the parts that there are, and nothing else."""
    page = visit(name).page
    for link in page.locator("nav a").all():
        link.click()
        target = page.locator(str(link.get_attribute("href")))
        assert target.is_visible()
        assert page.evaluate("element => element.getBoundingClientRect().top < innerHeight", target.element_handle())
