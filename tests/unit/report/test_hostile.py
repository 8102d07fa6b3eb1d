"""What models, data sets and ids may hold."""

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from twx_accept.report import text
from twx_accept.report.hostile import marked, plain, shorten

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


def test_colour_codes_leave_no_trace_in_xml() -> None:
    """Case ansi-in-junit: the text stays, its colours go."""
    assert text.xml_safe("\x1b[31mred\x1b[0m") == "red"
    assert text.xml_safe("\x1b]8;;http://x\x1b\\link\x1b]8;;\x07 \x9b1mbold \x00\ufffe\ud800") == "link bold "


@given(ANYTHING)
def test_any_text_is_well_formed_xml(anything: str) -> None:
    """Whatever a model wrote, JUnit stays well-formed and holds no control character."""
    safe = text.xml_safe(anything)
    element = ET.Element("failure", message=safe)
    element.text = safe
    assert ET.fromstring(ET.tostring(element, "utf-8")).text == (safe or None)  # noqa: S314 - made one line above
    assert not any(ord(character) < 32 and character not in "\n\t" for character in safe)


@given(ANYTHING)
def test_every_acting_character_is_named(anything: str) -> None:
    """What is left can be encoded, has no control character and turns no direction."""
    seen = plain(anything)
    seen.encode()
    assert not set(seen) & set("\x00\x07\x08\x1b\x7f\x9b\u202e\u2066\u200f\u200b\ufeff\u2028")


@given(ANYTHING)
def test_marked_text_is_escaped_plain_text(anything: str) -> None:
    """The HTML form says the same and holds no tag but its own."""
    html = str(marked(anything)).replace('<span class="ctl">', "").replace("</span>", "")
    assert "<" not in html
    assert html == str(marked(plain(anything)))


def test_a_long_text_says_how_long_it_is() -> None:
    """Cutting is never silent."""
    assert shorten("abc", 3) == "abc"
    assert shorten("a" * 200_000, 10).endswith("[the first 10 of 200,000 characters]")
