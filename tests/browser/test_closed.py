"""The page asks for nothing and runs nothing but its own script."""

import select
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import fake_runs
from opened import Open

pytestmark = pytest.mark.browser

INJECTED = """<script>window.ran = 1</script><img src="http://{at}/x.png" onerror="window.ran = 2">
<a id="bait" href="javascript:window.ran = 3">x</a><style>body {{ display: none }}</style>
<iframe src="http://{at}/frame"></iframe><link rel="stylesheet" href="http://{at}/x.css">
<form id="form" action="http://{at}/post"></form><base href="http://{at}/">"""


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A server that a page could reach."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        yield server


def received(server: socket.socket) -> bytes:
    """What was sent to a server; a browser may connect ahead of a navigation that it then refuses."""
    found = b""
    while True:
        try:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(0.5)
                found += connection.recv(100)
        except TimeoutError:
            if not select.select([server], [], [], 0)[0]:
                return found


@pytest.mark.parametrize("name", fake_runs.PAGES)
def test_nothing_is_asked_for_and_nothing_is_refused(visit: Open, name: str) -> None:
    """One file is read, and using all of it writes nothing to the console."""
    opened = visit(name)
    page = opened.page
    page.evaluate("for (const each of document.querySelectorAll('summary, button')) each.click()")
    page.get_by_label("Search").fill("harbour")
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_load_state("networkidle")
    assert len(opened.asked) == 1
    assert opened.asked[0].startswith("file:")
    assert opened.said == []


def test_what_is_slipped_into_the_page_does_not_run(
    visit: Open, state: Callable[[str], Path], file_of: Callable[[str, str], Path], listening: socket.socket
) -> None:
    """Were markup ever to come through, the policy would still stop its scripts, styles, pictures, frames and forms."""
    evil = INJECTED.format(at=f"127.0.0.1:{listening.getsockname()[1]}")
    source = state("one").read_text(encoding="utf-8").replace("<main", evil + "<main", 1)
    opened = visit(file_of("injected", source))
    page = opened.page
    page.evaluate("document.getElementById('bait').click()")
    page.evaluate("document.getElementById('form').submit()")
    assert received(listening) == b""
    assert page.evaluate("window.ran") is None
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert page.evaluate("document.documentElement.className") == "js", "the page's own script still runs"
    assert sum("Content Security Policy" in said for said in opened.said) >= 5


def test_hostile_text_does_nothing(visit: Open) -> None:
    """Markup and ends of what it stands in, in every text: nothing runs, is asked for or is added."""
    opened = visit("hostile")
    page = opened.page
    page.evaluate("for (const each of document.querySelectorAll('summary, button')) each.click()")
    assert page.evaluate("window.ran") is None
    assert page.locator("script").count() == 1
    assert page.locator("img, iframe, object, embed, form, base, svg [onload], [onclick], [onerror]").count() == 0
    assert page.locator('a[href]:not([href^="#"])').count() == 0
    assert page.get_by_text("window.ran=1").count() > 100
    assert opened.said == []
    assert len(opened.asked) == 1


def test_hostile_text_is_not_turned_around(visit: Open) -> None:
    """Marks of direction are named, so that what follows them is read as it was written."""
    page = visit("hostile").page
    text = str(page.locator("main").text_content())
    assert "[U+202E]reversed [U+200F][U+2028][U+FEFF][U+D800]" in text
    assert not set(text) & set("\u202e\u200f\u2028\ufeff\x00\x07\x1b")
