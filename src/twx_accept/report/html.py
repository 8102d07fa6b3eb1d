"""The report as one HTML file that loads nothing and runs nothing but its own, hashed script."""

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Final

import jinja2
from markupsafe import Markup

from twx_accept.domain.run import RunRecord
from twx_accept.report import format as fmt
from twx_accept.report import view
from twx_accept.report.hostile import marked, plain, shorten

_TEMPLATES: Final = "twx_accept.report"
LARGEST: Final = 1_950_000
"""Bytes of a page that can still be mailed, with a little left for what is estimated."""

PLACES: Final = ("", "long", "left", "right")
"""The classes of an item's texts, by where they stand; the script has them in this order too."""

_WHOLE: Final = 16  # characters of a word that has room on a phone's line


def render(run: RunRecord) -> str:
    """The whole page. A pure function of the run: the same run gives the same bytes.

    What it must have comes first; items get the room that this leaves of :data:`LARGEST`.
    """
    bare = replace(run, verdicts=tuple(replace(each, items=(), items_total=0) for each in run.verdicts))
    rest = len(_render(view.of(bare)).encode())
    return _render(view.of(run, max(LARGEST - rest, 0)))


def _render(page: view.Page) -> str:
    style, script = _source("style.css"), _source("script.js")
    template = _environment().get_template("report.html.j2")
    # Source files of the package and letters of base64, not input: the only text here that is not escaped.
    trusted = {"style": Markup(style), "script": Markup(script), "packed": Markup(page.evidence.packed)}  # noqa: S704
    return template.render(page=page, places=PLACES, policy=_policy(style, script), **trusted)


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: nothing from anywhere, this style and this script by their hashes."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


@cache
def _environment() -> jinja2.Environment:
    """Escapes everything, names acting characters in everything, and stops at a name that does not exist."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        autoescape=True,
        finalize=_visible,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["marked"] = lambda text: marked(shorten(str(text)))
    environment.filters["evident"] = marked  # evidence: cut before it comes here, by what there is room for
    environment.filters["whole"] = lambda text: _whole(shorten(str(text)))
    environment.filters["number"] = lambda count: fmt.number(count, 0)
    return environment


def _whole(text: str) -> Markup:
    """``text`` in which no short word, such as a build's name, is broken at its hyphen."""
    pieces = [
        Markup('<span class="whole">{}</span>').format(plain(word)) if _is_whole(word) else marked(word)
        for word in re.split(r"(\s+)", text)
    ]
    return Markup("").join(pieces)


def _is_whole(word: str) -> bool:
    return "-" in word and len(word) <= _WHOLE


def _visible(value: object) -> object:
    return plain(shorten(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _source(name: str) -> str:
    return (resources.files(_TEMPLATES) / "templates" / name).read_text(encoding="utf-8")
