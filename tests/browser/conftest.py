"""A real Chromium without a window, and the pages of runs in each state, as files that it opens."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

import fake_runs
from opened import DESKTOP, Open, Opened
from twx_accept.report import html

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BRIEF = ", brief"
LONGEST_MS = 60_000  # busy machines start a browser slowly


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium as the machine has it; without one there is nothing to test, which under CI is a failure."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        why = f"no browser on the PATH ({', '.join(PROGRAMS)}); on Debian: apt-get install chromium"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"], timeout=LONGEST_MS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def file_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Writes a page once, by its name and source."""
    folder = tmp_path_factory.mktemp("pages")

    def write(name: str, source: str) -> Path:
        path = folder / f"{name.replace(' ', '-')}.html"
        path.write_text(source, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def state(file_of: Callable[[str, str], Path]) -> Callable[[str], Path]:
    """The page of a run in a state, rendered once; with ", brief" a small one of as many kinds of parts."""
    made: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in made:
            run = fake_runs.PAGES[name.removesuffix(BRIEF)]()
            made[name] = file_of(name, html.render(fake_runs.brief(run) if name.endswith(BRIEF) else run))
        return made[name]

    return of


@pytest.fixture
def visit(browser: Browser, state: Callable[[str], Path]) -> Iterator[Open]:
    """Opens a file, or the page of a state by its name, in a context of its own with these settings.

    ``without`` names what the browser lacks.
    """
    with ExitStack() as closing:

        def opened(what: str | Path, anchor: str = "", without: str = "", **settings: Any) -> Opened:
            context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce"} | settings)
            closing.callback(context.close)
            context.set_default_timeout(LONGEST_MS)
            if without:
                context.add_init_script(f"delete globalThis.{without}")
            found = Opened(page=context.new_page())

            found.page.on("console", lambda message: found.said.append(message.text))
            found.page.on("pageerror", lambda error: found.said.append(str(error)))
            found.page.on("dialog", lambda dialog: found.said.append(dialog.message))
            found.page.on("request", lambda request: found.asked.append(request.url))
            path = what if isinstance(what, Path) else state(what)
            found.page.goto(path.as_uri() + anchor)
            return found

        yield opened
