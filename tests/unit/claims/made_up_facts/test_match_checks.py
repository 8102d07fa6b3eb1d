"""Each check of the matcher on a table of facts."""

import pytest

from twx_accept.claims.made_up_facts.matching import Support, match_fact

NUMBERS = [
    ("The pump moves 1.5 litres a second.", "The pump moves 15 litres a second.", False),
    ("The pump moves 1.5 litres a second.", "The pump moves 1.5 litres each second.", True),
    ("The pump works at -3 degrees.", "The pump works at 3 degrees.", False),
    ("The mirror is cooled to \u221215 \u00b0C.", "The mirror is cooled to minus 15 degrees Celsius.", True),
    ("The prize was 2 million euros.", "The prize was \u20ac2,000,000.", True),
    ("The prize was 2 million euros.", "The prize was 2 billion euros.", False),
    ("The road is 1.5 km long.", "The road is 1,500 m long.", True),
    ("The road is 3 km long.", "The road is 3 kilometres long.", True),
    ("The road is 3 km long.", "The road is 3 miles long.", False),
    ("The fee is $40.", "The fee is \u00a340.", False),
    ("The council has 1,487 members.", "The council has about 1,500 members.", True),
    ("The council has 1,487 members.", "The council has about 2,500 members.", False),
    ("The council has 1,487 members.", "The council has 1,500 members.", False),
    ("The lamp burns for at least 20 hours.", "The lamp burns for at most 20 hours.", False),
    ("Three quarters of the voters stayed at home.", "75% of the voters stayed at home.", True),
    ("Three quarters of the voters stayed at home.", "A quarter of the voters stayed at home.", False),
    ("Thirty-seven boats sank.", "37 boats sank.", True),
    ("She came third in the race.", "She came second in the race.", False),
    ("The work takes 14 to 16 months.", "The work takes 14 to 18 months.", False),
    ("The work takes 14 to 16 months.", "The work takes between 14 and 16 months.", True),
]
DATES = [
    ("The bridge opened on 4 May 1931.", "The bridge opened on May 4, 1931.", True),
    ("The bridge opened on 4 May 1931.", "The bridge opened on 04.05.1931.", True),
    ("The bridge opened on 4 May 1931.", "The bridge opened on 14 May 1931.", False),
    ("The bridge opened on 4 May 1931.", "The bridge opened in June 1931.", False),
    ("The bridge opened on 4 May 1931.", "The bridge opened in 1931.", True),
    ("The shop closes at 6:30 p.m.", "The shop closes at 18:30.", True),
    ("The shop closes at 6:30 p.m.", "The shop closes at half past six in the evening.", True),
    ("The shop closes at 6:30 p.m.", "The shop closes at 6:30 a.m.", False),
]
NEGATION = [
    ("The council did not approve the bridge in 1931.", "The council approved the bridge in 1931.", False),
    ("The council did not approve the bridge in 1931.", "In 1931 the bridge was not approved by the council.", True),
    ("The council approved the bridge.", "The council never approved the bridge.", False),
    ("No deaths were reported.", "Deaths were reported.", False),
    ("The globe failed to sell.", "The globe was sold.", False),
    ("The wall is a granary, not a rampart.", "The wall is a rampart.", False),
    ("The search was lawful.", "The search was unlawful.", False),
    ("The pool will not open before June.", "The pool will open before June.", False),
]
BINDING = [
    ("Mill A employs 40 people and Mill B employs 65.", "Mill A employs 65 people.", False),
    ("Mill A employs 40 people and Mill B employs 65.", "Mill B employs 65 people.", True),
    ("Spruce makes up 44% of the volume, beech 31%, oak 12%.", "Oak makes up 31% of the volume.", False),
    ("Spruce makes up 44% of the volume, beech 31%, oak 12%.", "Beech makes up 31% of the volume.", True),
    ("Lamps are on by day but off at night.", "Lamps are off by day.", False),
]
ROLES = [
    ("Arvid Holm sold the mill to Greta Lund.", "Greta Lund sold the mill to Arvid Holm.", False),
    ("Arvid Holm sold the mill to Greta Lund.", "Greta Lund bought the mill from Arvid Holm.", True),
    ("Arvid Holm sold the mill to Greta Lund.", "The mill was sold to Greta Lund by Arvid Holm.", True),
    ("Arvid Holm beat Greta Lund in the final.", "Greta Lund was beaten by Arvid Holm in the final.", True),
    ("Arvid Holm beat Greta Lund in the final.", "Greta Lund beat Arvid Holm in the final.", False),
    ("The fare rose from 10 to 25 crowns.", "The fare rose from 25 to 10 crowns.", False),
    ("Wash the lamp before noon.", "Wash the lamp after noon.", False),
    ("The rise was 4%.", "The fall was 4%.", False),
]
WITNESSES = "The prosecutor called 19 witnesses and the defence two."
COMPARISON = [
    ("The river Anna is longer than the river Bela.", "The river Bela is shorter than the river Anna.", True),
    ("The river Anna is longer than the river Bela.", "The river Bela is longer than the river Anna.", False),
    ("The river Anna is longer than the river Bela.", "The river Anna is shorter than the river Bela.", False),
    ("It is the second longest bridge in the land.", "It is the longest bridge in the land.", False),
    (WITNESSES, "The prosecutor called more witnesses than the defence.", True),
    (WITNESSES, "The defence called more witnesses than the prosecutor.", False),
]
QUANTITY = [
    ("Most of the trees were spruces.", "All of the trees were spruces.", False),
    ("Every class except Year 2 visited the library.", "Every class visited the library.", False),
    ("The boys carried a map.", "Only the boys carried a map.", False),
]
NAMES = [
    ("Dr. Priya Lindqvist runs the ward.", "Dr. Pia Lindqvist runs the ward.", False),
    ("Dr. Priya Lindqvist runs the ward.", "Lindqvist runs the ward.", True),
    ("Orrin Castell appealed. He lost the case.", "Orrin Castell lost the case.", True),
    ("The lambs were sold at Carrick Mart.", "The lambs were sold at Carlisle Mart.", False),
    ("The pump was built by Arvid Holm.", "The pump was erected by Arvid Holm.", True),
]
TABLES = [*NUMBERS, *DATES, *NEGATION, *BINDING, *ROLES, *COMPARISON, *QUANTITY, *NAMES]


@pytest.mark.parametrize(("passage", "fact", "supported"), TABLES, ids=[fact for _, fact, _ in TABLES])
def test_each_check(passage: str, fact: str, supported: bool) -> None:
    """A fact is supported exactly where the passage says it."""
    found = match_fact(fact, passage)
    assert (found.verdict is Support.SUPPORTED) is supported, found
    assert found.reason


@pytest.mark.parametrize(
    "fact",
    [
        "I cannot help with that.",
        "I'm sorry, but I can't.",
        "Here are the facts:",
        "**Visiting Hours**",
        "How old is the oak?",
        "List all the facts in the passage.",
        "3.",
        "- 4)",
        "",
        "\x00\x01",
        "<|end|> <pad>",
    ],
)
def test_what_is_no_statement(fact: str) -> None:
    """Refusals, headings, questions and rubbish are told apart from facts."""
    assert match_fact(fact, "The pump moves 1.5 litres a second.").verdict is Support.NOT_A_FACT


def test_the_reason_names_both_values() -> None:
    """A sceptic reads what the passage says, what the fact says, and the sentence."""
    found = match_fact("The mill employs 65 people.", "It is old. The mill employs 40 people.")
    assert found.reason == "the passage says 40, the fact 65"
    assert found.sentence == "The mill employs 40 people."
