"""The matcher: a passage prepared once, and facts held against it."""

from twx_accept.claims._matching import text as texts
from twx_accept.claims._matching.deciding import decide
from twx_accept.claims._matching.gate import LONGEST, no_predicate, no_statement, unmarked
from twx_accept.claims._matching.match import Match, Support
from twx_accept.claims._matching.reading import Reading, read

_MOST_TEXT = 400_000


class Matcher:
    """Tells of facts whether one passage supports them.

    The verdict of a fact depends on the passage and the fact alone. A passage of more than 400,000 characters is read so
    far and no further.
    """

    def __init__(self, passage: str) -> None:
        self._passage: Reading = read(passage[:_MOST_TEXT])

    def match(self, fact: str) -> Match:
        """Whether the passage supports a fact. Never raises, whatever the text."""
        if len(fact) > LONGEST:
            return Match(verdict=Support.NOT_A_FACT, reason=f"it is longer than {LONGEST} characters", sentence="")
        plain = unmarked(texts.plain(fact))
        reason = no_statement(fact, plain)
        if reason:
            return Match(verdict=Support.NOT_A_FACT, reason=reason, sentence="")
        sentences = read(plain, self._passage.names).sentences
        if not sentences:
            return Match(verdict=Support.NOT_A_FACT, reason="it has no words", sentence="")
        worst: Match | None = None
        for sentence in sentences:
            reason = no_predicate(sentence)
            if reason:
                return Match(verdict=Support.NOT_A_FACT, reason=reason, sentence="")
            match = decide(sentence, self._passage)
            if match.verdict is not Support.SUPPORTED:
                return match
            worst = worst or match
        return worst or Match(verdict=Support.UNDECIDED, reason="nothing to decide", sentence="")


def match_fact(fact: str, passage: str) -> Match:
    """Whether a passage supports a fact; to hold many facts against one passage, prepare a :class:`Matcher`."""
    return Matcher(passage).match(fact)
