"""What is planned, wished, possible or still to be done has not happened."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.lexicon import closed, several
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence

_INTENDING = frozenset(
    several(
        "intend plan hope want wish aim propose expect threaten refuse decline ask offer try attempt seek consider "
        "promise need fail should must would could may might ought cannot will shall"
    )
)


def check(alignment: Alignment, reading: Reading) -> str | None:
    """What the fact takes for done though the passage does not, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    for clause in fact.clauses:
        at = alignment.pairs.get(clause.verb)
        if clause.verb < 0 or at is None or said.words[at].tag != "verb" or clause.verb in alignment.against:
            continue
        if not _done(fact, clause):
            continue
        mark = _open(said, said.of(said.words[at]))
        if mark and mark not in {word.lex.lemma for word in fact.words}:
            return f"the passage only says {mark!r} of it"
    return None


def _done(fact: Sentence, clause: Clause) -> bool:
    """Whether a clause says that something has happened."""
    words = fact.words
    if clause.denied or clause.embedded:
        return False
    group = [words[place] for place in range(max(clause.start, clause.verb - 4), clause.verb + 1)]
    helpers = {word.low for word in group[:-1] if word.tag in {"auxiliary", "negator"}} | {
        word.low for word in group[:-1] if word.low == "to"
    }
    if helpers & (closed.MODALS | {"to", "not"}) or any(word.lex.lemma in _INTENDING for word in group[:-1]):
        return False
    verb = words[clause.verb]
    past = verb.lex.form in {"ed", "past"}
    return past and (bool(helpers & {"was", "were", "has", "have", "had", "been"}) or not helpers)


def _open(said: Sentence, there: Clause) -> str:
    """The word that leaves open whether it happens: ``intends to``, ``has to be``."""
    words = said.words
    if there.verb < 0:
        return ""
    for at in range(there.verb - 1, max(-1, there.verb - 5), -1):
        word = words[at]
        if word.low == "to":
            before = words[at - 1] if at else None
            if before is None:
                return ""
            if before.low in {"has", "have", "is", "are", "still", "yet"}:
                return "to"
            return before.lex.lemma if before.lex.lemma in _INTENDING else ""
        if word.low in {"will", "shall", "may", "might", "must"}:
            return "" if word.text.lower() == "had" else word.low
        if word.tag not in {"auxiliary", "adverb", "negator"}:
            return ""
    return ""
