"""Known traps for a matcher, by their ids."""

import pytest

from twx_accept.claims.made_up_facts import match_fact

CASES = {
    "one-and-a-half-is-not-fifteen": (
        "The pump moves 1.5 litres a second at -3 degrees.",
        {
            "The pump moves 15 litres a second.": {"unsupported"},
            "The pump works at 3 degrees.": {"unsupported"},
            "The pump moves 1.5 litres each second.": {"supported"},
        },
    ),
    "value-of-the-other-subject": (
        "Mill A employs 40 people and Mill B employs 65.",
        {"Mill A employs 65 people.": {"unsupported"}, "Mill B employs 65 people.": {"supported"}},
    ),
    "negation": (
        "The council did not approve the bridge in 1931.",
        {
            "The council approved the bridge in 1931.": {"unsupported"},
            "In 1931 the bridge was not approved by the council.": {"supported"},
        },
    ),
    "garbage-is-not-support": (
        "The pump moves 1.5 litres a second.",
        {"asdf qwer": {"unsupported", "undecided", "not a fact"}, "I cannot help with that.": {"not a fact"}},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_known_trap(case: str) -> None:
    """Each fact of the case gets the verdict that a careful reader gives."""
    passage, facts = CASES[case]
    for fact, right in facts.items():
        assert match_fact(fact, passage).verdict in right, fact
