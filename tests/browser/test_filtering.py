"""Search and filters over the evidence: right, and at once."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Page

import fake_runs
from opened import Open
from twx_accept.domain.verdict import Item
from twx_accept.report import html, items

pytestmark = pytest.mark.browser

KEYSTROKE_MS = 100
ROWS = 14_042
# Types a word letter by letter, takes it back letter by letter, and measures from the key to the next frame's layout.
TYPING = """async word => {
  const field = document.querySelector('[data-filter="text"]'), times = [];
  const shown = () => document.documentElement.scrollHeight;
  const steps = [...word].map((_, n) => word.slice(0, n + 1));
  for (const text of [...steps, ...steps.slice(0, -1).reverse(), ""]) {
    await new Promise(requestAnimationFrame);
    const begun = performance.now();
    field.value = text;
    field.dispatchEvent(new Event("input", {bubbles: true}));
    shown();
    times.push(performance.now() - begun);
  }
  return times;
}"""


def matches(page: Page) -> tuple[int, int]:
    """How many items the page says it shows, and how many it does show."""
    said = re.match(r"([\d,]+) of", str(page.locator("[data-matches]").text_content()))
    assert said is not None
    shown = page.locator(".item").evaluate_all("all => all.filter(each => each.checkVisibility()).length")
    return int(said[1].replace(",", "")), shown


def test_filters_show_what_they_say(visit: Open) -> None:
    """Words, build and claim, group and direction each unfold their items, together what all of them leave."""
    page = visit("everything").page
    whole = page.locator(".item").count()
    assert matches(page) == (whole, 0)
    page.get_by_label("Direction").select_option("right only for the build")
    count = page.locator('.item[data-direction="right only for the build"]').count()
    assert matches(page) == (count, count)
    page.get_by_label("Build and claim").select_option(index=1)
    count = page.locator('[data-block="1"] .item[data-direction="right only for the build"]').count()
    assert matches(page) == (count, count)
    assert page.locator(".block:visible").count() == 1
    page.get_by_label("Direction").select_option("")
    page.get_by_label("Search").fill("  SUBJECT 07 ")
    count = page.locator('[data-block="1"] .item[data-group="subject 07"]').count()
    assert 0 < count == matches(page)[1]


def test_a_cleared_search_leaves_folded_what_was_folded(visit: Open) -> None:
    """What a reader opened stays open, what only the search opened does not."""
    page = visit("two").page
    blocks = page.locator(".block")
    blocks.nth(1).locator("summary").first.click()
    page.get_by_label("Search").fill("harbour")
    assert page.locator(".block:not([open]):visible").count() == 0
    page.get_by_label("Search").fill("")
    assert blocks.evaluate_all("all => all.map(each => each.open)").index(True) == 1
    assert page.locator(".block[open]").count() == 1


def quick(page: Page, what: str) -> bool:
    """Whether half of the keystrokes of words typed and taken back are answered in time; prints how long they take."""
    times = [float(each) for each in page.evaluate(TYPING, "harbour 1871")]
    print(f"{what}: median {median(times):.1f} ms, first {times[0]:.1f}, worst {max(times):.1f}")
    return median(times) < KEYSTROKE_MS


def test_a_keystroke_is_answered_at_once(visit: Open) -> None:
    """On the page with the most builds and claims, as it is really made."""
    page = visit("everything").page
    assert quick(page, f"{page.locator('.item').count()} items of three builds and a control")


def numbered(n: int, item: Item) -> Item:
    """The item under another id."""
    return Item(id=f"q-{n}", group=item.group, direction=item.direction, title=item.title, body=item.body)


@pytest.fixture
def every_question(monkeypatch: pytest.MonkeyPatch, file_of: Callable[[str, str], Path]) -> Path:
    """A page without limits, on which all 14,042 questions are items."""
    monkeypatch.setattr(items, "INLINE", ROWS)
    monkeypatch.setattr(items, "BUDGET", 10**9)
    monkeypatch.setattr(html, "LARGEST", 10**9)
    run = fake_runs.record("twx2.5")
    (found,) = (each.items for each in run.verdicts if each.title == "MMLU")
    rows = tuple(numbered(n, found[n % len(found)]) for n in range(ROWS))
    run = fake_runs.with_verdict(run, "MMLU", items=rows, items_total=ROWS)
    run = replace(run, verdicts=tuple(each for each in run.verdicts if each.title == "MMLU"))
    return file_of("every question", html.render(run))


def test_a_keystroke_is_answered_at_once_with_every_question(visit: Open, every_question: Path) -> None:
    """With the limits lifted to all 14,042 questions the filter still keeps up."""
    page = visit(every_question).page
    assert page.locator(".item").count() == ROWS
    assert quick(page, f"{ROWS:,} questions, {every_question.stat().st_size / 1e6:.1f} MB")
