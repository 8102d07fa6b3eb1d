"""A page that is open in a browser, as the tests of the report see it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

DESKTOP: ViewportSize = {"width": 1200, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A page, what it wrote to the console or asked a reader, and every address that it asked for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


Open = Callable[..., Opened]
FileOf = Callable[[str, str], Path]
