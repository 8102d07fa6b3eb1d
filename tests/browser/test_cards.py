"""The charts of cards, bars and differences as they are seen, on a wide window and on a phone."""

import pytest
from playwright.sync_api import Page

import fake_runs
from opened import DESKTOP, PHONE, FileOf, Open
from twx_accept.report import html

pytestmark = pytest.mark.browser

B300 = 288_000_000_000
# Figures inside the parts of bars that reach out of their part.
CRAMPED = """() => [...document.querySelectorAll("#size .v")].filter(text => {
  const box = text.getBoundingClientRect();
  return ![...text.closest("svg").querySelectorAll("rect")].some(part => {
    const room = part.getBoundingClientRect();
    return box.left >= room.left && box.right <= room.right && box.top >= room.top - 1 && box.bottom <= room.bottom + 1;
  });
}).map(text => text.textContent)"""
# Texts of a chart that reach out of it or into each other.
TANGLED = """() => [...document.querySelectorAll(".chart")].flatMap(chart => {
  const whole = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
  return texts.flatMap(([text, box], at) => [
    ...(box.left < whole.left - 1 || box.right > whole.right + 1 ? [text] : []),
    ...texts.slice(at + 1).filter(([, other]) =>
      box.left < other.right - 1 && other.left < box.right - 1 &&
      box.top < other.bottom - 4 && other.top < box.bottom - 4
    ).map(([other]) => text + " | " + other),
  ]);
})"""
# Pass marks whose strokes lie over a row's label: where a dash is drawn and where a label stands.
STRUCK = """() => [...document.querySelectorAll(".forest")].flatMap(chart => {
  const labels = [...chart.querySelectorAll(".l, .d")].map(text => text.getBoundingClientRect());
  return [...chart.querySelectorAll("line.mark, line.zero")].flatMap(line => {
    const box = line.getBoundingClientRect(), dashes = getComputedStyle(line).strokeDasharray;
    const pattern = dashes === "none" ? [box.height] : dashes.split(", ").map(parseFloat);
    const found = [];
    for (let y = box.top, at = 0; y < box.bottom; y += pattern[at % pattern.length], at++) {
      const end = Math.min(y + pattern[at % pattern.length], box.bottom);
      const over = label =>
        label.left < box.left && box.left < label.right && label.top + 3 < end && y < label.bottom - 3;
      if (at % 2 === 0 && labels.some(over)) found.push(line.outerHTML);
    }
    return found;
  });
})"""


def opened(page: Page) -> Page:
    """The page with every chart unfolded."""
    page.evaluate("for (const each of document.querySelectorAll('details.figure')) each.open = true")
    return page


@pytest.mark.parametrize("window", [DESKTOP, PHONE])
@pytest.mark.parametrize("cards", [(B300,), (B300, B300), (B300,) * 7 + (279_000_000_000,)])
def test_cards_are_drawn_with_room(
    visit: Open, file_of: FileOf, cards: tuple[int, ...], window: dict[str, int]
) -> None:
    """One, two and eight cards: no figure leaves its part, nothing leaves the chart, and what differs is told."""
    run = fake_runs.brief(fake_runs.on_cards(fake_runs.record("twx2.5", "twx3", "twx-small"), *cards))
    page = visit(file_of(f"cards {len(cards)}", html.render(run)), viewport=window).page
    assert page.locator("#size .v").count() >= 8
    assert page.evaluate(CRAMPED) == []
    assert page.evaluate(TANGLED) == []
    assert page.get_by_text("the smallest card of 8; the largest has 288.0 GB.").is_visible() == (len(cards) == 8)
    assert page.evaluate("document.documentElement.scrollWidth") == window["width"]


@pytest.mark.parametrize("window", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["everything", "failed"])
def test_charts_are_not_tangled(visit: Open, name: str, window: dict[str, int]) -> None:
    """No text of a chart lies over another, and no mark runs through a label."""
    page = opened(visit(f"{name}, brief", viewport=window).page)
    assert page.locator(".forest line.mark").count() >= 5
    assert page.evaluate(TANGLED) == []
    assert page.evaluate(STRUCK) == []
