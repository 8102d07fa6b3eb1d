"""The matcher: a passage prepared once, and facts held against it."""

from twx_accept.claims.made_up_facts.matching import text as texts
from twx_accept.claims.made_up_facts.matching.deciding import decide
from twx_accept.claims.made_up_facts.matching.gate import LONGEST, no_predicate, no_statement, unmarked
from twx_accept.claims.made_up_facts.matching.match import Match, Support
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence, read, statements

_MOST_TEXT = 400_000
_MOST_PARTS = 3


class Matcher:
    """Tells of facts whether one passage supports them.

    The verdict of a fact depends on the passage and the fact alone. A passage of more than 400,000 characters is read
    so far and no further.
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
        sentences = statements(plain, self._passage.names)
        if not sentences:
            return Match(verdict=Support.NOT_A_FACT, reason="it has no words", sentence="")
        worst: Match | None = None
        for sentence in sentences:
            reason = no_predicate(sentence)
            if reason:
                return Match(verdict=Support.NOT_A_FACT, reason=reason, sentence="")
            match = decide(sentence, self._passage)
            if match.verdict is not Support.SUPPORTED:
                parts = self._parts(sentence, plain) if len(sentences) == 1 else []
                return self._all(parts, match) if parts else match
            worst = worst or match
        return worst or Match(verdict=Support.UNDECIDED, reason="nothing to decide", sentence="")

    def _parts(self, sentence: Sentence, plain: str) -> list[str]:
        """The independent clauses of a fact that joins two or three."""
        whole = _apposition(sentence, plain)
        if whole:
            return whole
        cuts = [0]
        for clause in sentence.clauses[1:]:
            opener = sentence.words[clause.start]
            own = any(clause.start < place < clause.verb for place in clause.subject)
            if own and opener.low in {"and", "but", "while", "whereas", ";"}:
                cuts += [opener.start, opener.start + len(opener.text)]
        cuts.append(len(plain))
        parts = [plain[cuts[number] : cuts[number + 1]].strip(" ,;") for number in range(0, len(cuts), 2)]
        return parts if 1 < len(parts) <= _MOST_PARTS else []

    def _all(self, parts: list[str], whole: Match) -> Match:
        """Supported where every part is; each part is a sentence of its own."""
        match = whole
        for part in parts:
            found = statements(part, self._passage.names)
            if len(found) != 1 or no_predicate(found[0]):
                return whole
            match = decide(found[0], self._passage)
            if match.verdict is not Support.SUPPORTED:
                return match
        return match


def _apposition(sentence: Sentence, plain: str) -> list[str]:
    """``Loxley, a village, has a mill``: that it is a village, and that it has a mill."""
    marks = [word for word in sentence.words if word.low == ","]
    if len(marks) < 2 or not sentence.words:
        return []
    first, last = marks[0], marks[1]
    inner = sentence.words[first.place + 1] if first.place + 1 < len(sentence.words) else None
    after = sentence.words[last.place + 1] if last.place + 1 < len(sentence.words) else None
    if inner is None or after is None or after.tag not in {"verb", "auxiliary", "adverb"}:
        return []
    if (
        any(word.tag in {"verb", "auxiliary"} for word in sentence.words[: first.place])
        or sentence.words[0].tag == "preposition"
    ):
        return []
    subject = plain[: first.start]
    said = plain[first.start + 1 : last.start].strip()
    rest = plain[last.start + 1 :].strip()
    if inner.tag == "relative" and inner.low in {"who", "which"}:
        return [f"{subject} {said[len(inner.text) :].strip()}", f"{subject} {rest}"]
    if inner.tag == "determiner":
        return [f"{subject} is {said}", f"{subject} {rest}"]
    return []


def match_fact(fact: str, passage: str) -> Match:
    """Whether a passage supports a fact; to hold many facts against one passage, prepare a :class:`Matcher`."""
    return Matcher(passage).match(fact)
