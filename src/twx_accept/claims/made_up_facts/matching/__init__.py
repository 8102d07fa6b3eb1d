"""Does a passage support a fact? A deterministic matcher of words, values and their bindings, without any model.

It reads English prose. It proves nothing about the world, and supports only what a sentence of the passage says in
words that it can relate to those of the fact.
"""

from twx_accept.claims.made_up_facts.matching.match import Match, Support
from twx_accept.claims.made_up_facts.matching.matcher import Matcher, match_fact

__all__ = ["Match", "Matcher", "Support", "match_fact"]
