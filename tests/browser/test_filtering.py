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
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Item
from twx_accept.report import evidence, html, packing

pytestmark = pytest.mark.browser

KEYSTROKE_MS = 100
ROWS = 14_042
FIRST, FOUND = 25, 10  # items of a block that are drawn at once, and while something is looked for
WORD = "harbour 1871"
# One keystroke: how long until it is answered and laid out, the longest that the page is busy at a time until all is
# found, and how long until then.
KEYSTROKE = """async text => {
  const field = document.querySelector('[data-filter="text"]'), said = document.querySelector("[data-matches]");
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  const begun = performance.now();
  let before = begun;
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  void document.documentElement.scrollHeight;
  const answered = performance.now() - begun;
  let busy = answered;
  while (said.textContent.startsWith("searching")) {
    before = performance.now();
    await new Promise(done => setTimeout(done));
    void document.documentElement.scrollHeight;
    busy = Math.max(busy, performance.now() - before);
  }
  return [answered, busy, performance.now() - begun];
}"""
SETTLED = "() => /^[0-9]/.test(document.querySelector('[data-matches]').textContent)"


def said(page: Page) -> int:
    """How many items the page says it has found, once it has looked through all."""
    page.wait_for_function(SETTLED)
    found = re.match(r"([\d,]+) of", str(page.locator("[data-matches]").text_content()))
    assert found is not None
    return int(found[1].replace(",", ""))


def drawn(page: Page) -> int:
    """How many items are seen."""
    seen = "all => all.filter(each => each.checkVisibility()).length"
    return int(page.locator(".item").evaluate_all(seen))


def expected(run: RunRecord, fits: Callable[[Item], bool], place: int | None = None) -> list[int]:
    """How many items of each block fit, of those that a page has of it."""
    with_items = [each for each in run.verdicts if each.items]
    turns = [evidence.in_turn(each.items)[: evidence.INLINE] for each in with_items]
    counts = [sum(fits(each.items[at]) for at in turn) for each, turn in zip(with_items, turns, strict=True)]
    return counts if place is None else counts[place : place + 1]


def words(item: Item) -> str:
    """All that a search looks at."""
    texts = [item.title, item.group, item.direction]
    return "\n".join([*texts, *(f"{entry.label}\n{entry.value}" for entry in item.body)]).lower()


def shown(counts: list[int]) -> int:
    """How many items are drawn of so many that are found in each block."""
    return sum(min(FOUND, count) for count in counts)


def test_filters_show_what_they_say(visit: Open) -> None:
    """Words, build and claim, group and direction each unfold their items, together what all of them leave."""
    page, run = visit("everything").page, fake_runs.STATES["everything"]()
    assert (said(page), drawn(page)) == (sum(expected(run, lambda _: True)), 0)
    lost = "right only for the build"
    page.get_by_label("Direction").select_option(lost)
    counts = expected(run, lambda item: item.direction == lost)
    assert (said(page), drawn(page)) == (sum(counts), shown(counts))
    page.get_by_label("Build and claim").select_option(index=1)
    counts = expected(run, lambda item: item.direction == lost, 0)
    assert (said(page), drawn(page)) == (sum(counts), shown(counts))
    assert page.locator(".block:visible").count() == 1
    page.get_by_label("Direction").select_option("")
    page.get_by_label("Search").fill("  SUBJECT 07 ")
    counts = expected(run, lambda item: "subject 07" in words(item), 0)
    assert 0 < said(page) == sum(counts)
    assert drawn(page) == shown(counts)
    page.get_by_label("Build and claim").select_option("")
    page.get_by_label("Search").fill("1871 is not among")
    counts = expected(run, lambda item: "1871 is not among" in words(item))
    assert (said(page), drawn(page)) == (sum(counts), shown(counts))


def test_more_is_shown_where_a_reader_asks_for_it(visit: Open) -> None:
    """Of 300 items 25 are drawn, then 100 more each time; the first new one gets the focus; the end has no button."""
    opened = visit("one")
    page = opened.page
    said(page)
    block = page.locator(".block").first
    block.locator("summary").first.click()
    assert block.locator(".item").count() == FIRST
    for count in (125, 225, 300):
        left = re.match(r"[\d,]+ more", str(block.locator(".rest span").text_content()))
        assert left is not None
        before = block.locator(".item").count()
        block.locator(".rest button").click()
        assert block.locator(".item").count() == count
        assert block.locator(".item summary").nth(before).evaluate("each => each === document.activeElement")
    assert not block.locator(".rest").is_visible()
    block.locator(".rest button").evaluate("each => each.click()")  # by a program, though there is no more
    block.locator(".item").last.locator("summary").click()
    block.locator(".item").last.locator("pre").nth(3).wait_for()
    assert opened.said == []


def test_a_cleared_search_leaves_folded_what_was_folded(visit: Open) -> None:
    """What a reader opened stays open, what only the search opened does not."""
    page = visit("two").page
    said(page)
    blocks = page.locator(".block")
    blocks.nth(1).locator("summary").first.click()
    page.get_by_label("Search").fill("harbour")
    said(page)
    assert page.locator(".block:not([open]):visible").count() == 0
    page.get_by_label("Search").fill("")
    said(page)
    assert blocks.evaluate_all("all => all.map(each => each.open)").index(True) == 1
    assert page.locator(".block[open]").count() == 1


def test_a_browser_that_cannot_unpack_says_so(visit: Open) -> None:
    """What stands in the page as markup is there and searched; that there is more is said, not hidden."""
    opened = visit("one", without="DecompressionStream")
    page = opened.page
    blocks = page.locator(".block").count()
    assert said(page) == evidence.PLAIN * blocks
    assert str(page.locator("[data-matches]").text_content()).endswith("this browser cannot unpack the rest")
    page.get_by_label("Search").fill("harbour")
    assert 0 < said(page) == drawn(page) <= evidence.PLAIN * blocks
    assert page.locator(".rest span").first.text_content() == "this browser cannot unpack the rest"
    assert opened.said == []


def keystrokes(rounds: int) -> list[str]:
    """What stands in the field: a word typed and taken back letter by letter, pasted, and cleared at once."""
    typed = [WORD[: n + 1] for n in range(len(WORD))]
    return [*typed, *typed[-2::-1], "", WORD, ""] * rounds


def quick(page: Page, what: str, rounds: int = 3) -> bool:
    """Whether every keystroke costs the page little enough processor time; prints the costs, and how long they take.

    Processor time of the page's own thread, all of the search and its layout together: what others do with the machine
    does not count.
    """
    said(page)
    clock = page.context.new_cdp_session(page)
    clock.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        found = {each["name"]: each["value"] for each in clock.send("Performance.getMetrics")["metrics"]}
        return float(found["TaskDuration"]) * 1000

    times: dict[str, list[float]] = {name: [] for name in ("spent", "answered", "busy", "found")}
    for text in keystrokes(rounds):
        before = spent()
        took = page.evaluate(KEYSTROKE, text)
        for name, each in zip(times, (spent() - before, *took), strict=True):
            times[name].append(each)
    for name, each in times.items():
        print(
            f"{what}: {name}: worst of {len(each)} {max(each):.1f} ms, first {each[0]:.1f}, median {median(each):.1f}"
        )
    return max(times["spent"]) < KEYSTROKE_MS


def test_a_keystroke_is_answered_at_once(visit: Open) -> None:
    """On the page with the most builds and claims, as it is really made: every keystroke, the first among them."""
    page = visit("everything").page
    assert quick(page, "3,920 items of three builds and a control")


def every_question(*builds: str) -> RunRecord:
    """A run of these builds in which all 14,042 questions are items of each."""
    run = fake_runs.record(*builds)

    def whole(found: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(replace(found[n % len(found)], id=f"q-{n}") for n in range(ROWS))

    kept = [each for each in run.verdicts if each.title == "MMLU"]
    return replace(run, verdicts=tuple(replace(each, items=whole(each.items), items_total=ROWS) for each in kept))


@pytest.mark.parametrize("builds", [("twx2.5",), ("twx2.5", "twx3", "twx-small")])
def test_a_keystroke_is_answered_at_once_with_every_question(
    visit: Open, file_of: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, builds: tuple[str, ...]
) -> None:
    """With the limits lifted to all 14,042 questions, of one build and of each of three, every keystroke keeps up."""
    monkeypatch.setattr(evidence, "INLINE", ROWS)
    monkeypatch.setattr(evidence, "BUDGET", 10**9)
    monkeypatch.setattr(html, "LARGEST", 10**9)
    monkeypatch.setattr(packing, "MOST", 10**9)
    path = file_of(f"every question {len(builds)}", html.render(every_question(*builds)))
    page = visit(path).page
    assert quick(page, f"{ROWS * len(builds):,} questions, {path.stat().st_size / 1e6:.1f} MB")
    page.get_by_label("Search").fill("")
    assert said(page) == ROWS * len(builds)
