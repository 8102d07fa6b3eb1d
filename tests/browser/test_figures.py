"""Every figure opens its counts, however a reader reaches for it."""

import pytest
from playwright.sync_api import Page

import fake_runs
from opened import PHONE, Open

pytestmark = pytest.mark.browser

BUTTONS = "button[aria-controls]"
# For each figure: whether it says that it is open, whether its panel is seen, and how many counts the panel has.
STATE = """buttons => buttons.map(button => {
  const panel = document.getElementById(button.getAttribute("aria-controls"));
  return [button.getAttribute("aria-expanded"), panel.checkVisibility(), panel.querySelectorAll("dd").length,
          panel.querySelector("p").textContent.includes(button.textContent)];
})"""

REST = "buttons => buttons.forEach(button => button.getAttribute('aria-expanded') === 'true' || button.click())"


def told(page: Page) -> list[tuple[str, bool, int, bool]]:
    """What every figure of the page says of itself."""
    return [tuple(each) for each in page.locator(BUTTONS).evaluate_all(STATE)]


def all_open(page: Page) -> bool:
    """Whether every figure is open and shows its counts under its own value."""
    return all(open_ == "true" and seen and counts and own for open_, seen, counts, own in told(page))


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_figures_open_by_click_and_close_again(visit: Open, name: str) -> None:
    """A click opens the counts of that figure alone, a second one closes them."""
    page = visit(name).page
    assert not any(open_ == "true" or seen for open_, seen, *_ in told(page))
    buttons = page.locator(BUTTONS).all()
    assert len(buttons) >= 15
    buttons[0].click()
    assert [open_ == "true" for open_, *_ in told(page)] == [True] + [False] * (len(buttons) - 1)
    buttons[0].click()
    assert told(page)[0][:2] == ("false", False)
    for button in buttons[:: 1 if name == "one" else 9]:
        button.click()
    page.locator(BUTTONS).evaluate_all(REST)
    assert all_open(page)


def test_figures_open_by_touch(visit: Open) -> None:
    """A finger on a phone opens every figure, and each is large enough for it."""
    page = visit("two", viewport=PHONE, has_touch=True, is_mobile=True).page
    for button in page.locator(BUTTONS).all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 24
        assert box["width"] >= 24
        button.tap()
    assert all_open(page)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_figures_open_by_keyboard(visit: Open, key: str) -> None:
    """Tab reaches every figure in reading order, and either key opens it."""
    page = visit("one").page
    count = len(told(page))
    page.locator(BUTTONS).first.focus()
    for place in range(count):
        assert page.evaluate(f"document.activeElement === document.querySelectorAll('{BUTTONS}')[{place}]")
        page.keyboard.press(key)
        page.keyboard.press("Tab")
    assert all_open(page)
