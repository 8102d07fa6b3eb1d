"""The address of an item is a link to it."""

import pytest
from playwright.sync_api import Page

import fake_runs
from opened import Open

pytestmark = pytest.mark.browser

SEEN = """name => {
  const item = document.getElementById(name), box = item.getBoundingClientRect();
  return [item.open, box.top >= -1 && box.top < innerHeight, document.activeElement === item.querySelector("summary")];
}"""
# The first and the last item of every block, by their ids.
ENDS = """blocks => blocks.flatMap(block => {
  const items = [...block.querySelectorAll(".item")];
  return [items[0].id, items.at(-1).id];
})"""


def ends(page: Page) -> list[str]:
    """Some item of every block, the first and the last."""
    return list(dict.fromkeys(page.locator(".block").evaluate_all(ENDS)))


def test_a_permalink_opens_and_shows_its_item(visit: Open) -> None:
    """An address with an item's id opens the item, scrolls to it and gives it the focus."""
    first = visit("everything").page
    for name in ends(first)[::5]:
        page = visit("everything", anchor=f"#{name}").page
        assert page.evaluate(SEEN, name) == [True, True, True], name


def test_an_address_is_followed_within_the_page(visit: Open) -> None:
    """A link that is pasted while the page is open works for every block."""
    page = visit("everything").page
    for name in ends(page):
        page.evaluate("name => { location.hash = name; }", name)
        page.wait_for_function("name => document.getElementById(name).open", arg=name)
        assert page.evaluate(SEEN, name)[:2] == [True, True], name


def test_an_item_that_is_filtered_away_is_shown_by_its_link(visit: Open) -> None:
    """A link clears the filter that hides what it leads to."""
    page = visit("one").page
    (name, *_) = ends(page)
    page.get_by_label("Search").fill("no item has these words")
    assert page.locator("[data-matches]").text_content() == f"0 of {page.locator('.item').count()} items"
    page.evaluate("name => { location.hash = name; }", name)
    page.wait_for_function("name => document.getElementById(name).open", arg=name)
    assert page.evaluate(SEEN, name)[:2] == [True, True]
    assert page.get_by_label("Search").input_value() == ""


def test_an_item_links_to_itself(visit: Open) -> None:
    """The link in an opened item puts its address into the address bar."""
    page = visit("one").page
    page.locator(".block > summary").first.click()
    item = page.locator(".item").nth(3)
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
