"""The part of speech of each word of a sentence: from the word itself where it has one, else from its neighbours."""

from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.lexicon.verbs import BASES, UNCHANGING
from twx_accept.claims.made_up_facts.matching.word import Word


def part_of_speech(found: list[Word], at: int, word: Word) -> str:  # noqa: C901 a table of word classes
    """What ``found[at]`` is, the words before it being known: the name of a word class."""
    low = word.low
    if word.name:
        return "title" if low in closed.HONORIFICS else "name"
    if low in closed.HONORIFICS:
        return "title"
    if low in closed.NEGATORS:
        return "negator"
    if low in closed.AUXILIARIES and not (low == "may" and word.text[0].isupper()):
        return "auxiliary"
    if low == "that" and at and found[at - 1].tag == "preposition" and found[at - 1].low != "in":
        return "determiner"
    if low in closed.RELATIVES and at and _relative(found, at):
        return "relative"
    if low in closed.PRONOUNS or (low in closed.POSSESSIVES):
        return "pronoun"
    if low in closed.DETERMINERS:
        return "determiner"
    if low in closed.CONJUNCTIONS:
        return "adverb" if low == "yet" and at and found[at - 1].tag in {"negator", "auxiliary"} else "conjunction"
    if low in _PARTICLES and _predicative(found, at):
        return "adjective"
    liked = (
        low in {"like", "round"} and at and (found[at - 1].tag == "pronoun" or found[at - 1].low in closed.DO | {"not"})
    )
    if low in closed.PREPOSITIONS and not liked:
        return "preposition"
    if low in closed.SUBORDINATORS:
        return "subordinator"
    if low in {"long", "far"} and at and (before := found[at - 1].value) is not None and before.unit:
        return "adjective"
    if low in closed.ADVERBS or (
        low.endswith("ly")
        and len(low) > 4
        and low
        not in {
            "family",
            "assembly",
            "early",
            "supply",
            "reply",
            "apply",
            "july",
            "italy",
            "anomaly",
            "monopoly",
            "butterfly",
            "ally",
            "rally",
        }
    ):
        return "adverb"
    if word.lex.degree is not None and not word.lex.verb:
        return "adjective"
    if word.lex.verb:
        return _verb_or_noun(found, at, word)
    return "verb" if word.lex.form == "s" and _ruled(found, at) else "noun"


def _ruled(found: list[Word], at: int) -> bool:
    """``who now chairs the board``: an unknown word right behind what only a verb follows, before an object."""
    place = at - 1
    while place >= 0 and found[place].tag == "adverb":
        place -= 1
    following = found[at + 1] if at + 1 < len(found) else None
    subject = place >= 0 and found[place].low in {"who", "which", "he", "she", "it"}
    return subject and following is not None and following.low in closed.DETERMINERS | closed.PREPOSITIONS


_PARTICLES = frozenset({"on", "off", "up", "down", "out", "over", "in", "away", "inside", "outside"})


def _predicative(found: list[Word], at: int) -> bool:
    """``is off on Windows``, ``but off``: a particle that says a state."""
    following = found[at + 1] if at + 1 < len(found) else None
    before = found[at - 1] if at else None
    if (
        found[at].low in {"up", "down"}
        and following is not None
        and (following.value is not None or following.low == "from")
    ):
        return True
    if before is None or not (
        before.low in closed.BE or before.tag == "conjunction" or before.tag == "negator" or before.low == "still"
    ):
        return False
    return (
        following is None
        or following.tag == "mark"
        or following.low in closed.PREPOSITIONS
        or following.low == "default"
    )


def _relative(found: list[Word], at: int) -> bool:
    before = found[at - 1]
    return before.low != "of" or found[at].low in {"which", "whom"}


def _verb_or_noun(found: list[Word], at: int, word: Word) -> str:  # noqa: C901 a table of contexts
    form = word.lex.form
    place = at - 1
    while place >= 0 and (
        found[place].tag == "adverb"
        or found[place].low == '"'
        or (found[place].tag == "negator" and found[place].low in {"not", "never"})
    ):
        place -= 1
    before = found[place] if place >= 0 else None
    following = found[at + 1] if at + 1 < len(found) else None
    noun = word.lex.noun
    if before is None:
        if form == "ing":
            return "noun" if noun else "verb"
        return (
            "verb"
            if form == "base"
            and (not noun or (following is not None and following.low in _OBJECT_STARTS - closed.PREPOSITIONS))
            else "noun"
            if noun
            else "verb"
        )
    if before.low == "to" or before.low in closed.MODALS or before.low in closed.DO:
        return "verb" if form == "base" or before.low in closed.DO else "noun"
    if before.tag == "auxiliary":
        return (
            "verb"
            if form in {"ed", "ing", "past"} or (word.lex.lemma in UNCHANGING and before.low in closed.BE | closed.HAVE)
            else "noun"
            if noun
            else "verb"
        )
    if (
        before.owner
        and word.lex.lemma in UNCHANGING
        and following is not None
        and (following.name or following.low in closed.DETERMINERS)
    ):
        return "verb"
    if (
        before.owner
        and form in {"ed", "past"}
        and following is not None
        and (following.value is not None or following.low in closed.DETERMINERS)
    ):
        return "verb"
    alone = before.low in {"both", "all", "some", "most", "each"} and form in {"ed", "past"}
    if alone and (following is None or following.tag == "mark" or following.low in closed.PREPOSITIONS):
        return "verb"
    if word.low == "following" and before.tag == "determiner":
        return "adjective"
    if before.tag in {"determiner", "adjective"} or before.low in closed.POSSESSIVES or before.owner:
        return (
            "adjective"
            if form in {"ed", "past"}
            or (form == "ing" and following is not None and following.tag == "" and not following.lex.verb and not noun)
            else "noun"
        )
    if before.tag == "preposition":
        if (
            form == "ing"
            and following is not None
            and following.value is None
            and not following.name
            and following.low not in _OBJECT_STARTS
            and following.lex.noun
            and following.low.isalpha()
        ):
            return "noun"
        return "verb" if form == "ing" and not noun else "adjective" if form == "ed" else "noun"
    if before.tag in {"relative", "pronoun"}:
        said = before.low == "that" and place > 0 and found[place - 1].tag == "verb"
        return "noun" if said and noun and form == "base" else "verb"
    unknown = form == "ed" and word.lex.lemma not in BASES
    if unknown and following is not None and not following.tag and following.lex.noun and following.low not in _CLOSING:
        return "adjective"
    if form in {"ed", "past"}:
        return "verb"
    if before.tag == "subordinator":
        return "noun" if noun else "verb"
    return _after_noun(found, at, before, following, form, noun)


_CLOSING = closed.DETERMINERS | closed.PRONOUNS | closed.PREPOSITIONS | closed.CONJUNCTIONS | closed.ADVERBS
_OBJECT_STARTS = closed.DETERMINERS | closed.PRONOUNS | closed.POSSESSIVES | closed.PREPOSITIONS


def _singular(found: list[Word], at: int) -> bool:
    """``a faulty weld``: behind an article and a singular, where no base form is a verb."""
    if found[at].lex.lemma in UNCHANGING:
        return False
    place = at - 1
    while place >= 0 and found[place].tag in {"noun", "adjective"} and found[place].lex.form != "s":
        place -= 1
    return 0 <= place < at - 1 and found[place].low in {"a", "an"}


def _governed(found: list[Word], at: int) -> bool:
    """Whether a verb stands before, with nothing between that opens another clause."""
    for other in reversed(found[:at]):
        if other.tag in {"mark", "conjunction", "relative", "subordinator"}:
            return False
        if other.tag == "verb":
            return other.lex.form in {"ed", "past", "s", "base"} and not other.lex.noun
    return False


def _after_noun(  # noqa: C901 a table of contexts
    found: list[Word], at: int, before: Word, following: Word | None, form: str, noun: bool
) -> str:
    if before.value is not None and form == "s" and following is not None and following.low == "of":
        return "noun"
    if not noun:
        return "noun" if form == "base" and _singular(found, at) else "verb"
    if form == "ing":
        participle = before.low == "," and following is not None and (following.low in _OBJECT_STARTS or following.name)
        return "verb" if participle else "noun"
    ends = following is None or following.tag == "mark"
    object_follows = following is not None and (
        following.low in _OBJECT_STARTS - {"of"}
        or following.value is not None
        or following.name
        or following.low in closed.ADVERBS
        or following.low.endswith("ly")
    )
    verb_follows = following is not None and (
        following.low in closed.AUXILIARIES or (following.lex.form in {"ed", "past"} and following.lex.verb)
    )
    if form == "s" and _governed(found, at):
        return "noun"
    word_unchanged = found[at].lex.lemma in UNCHANGING
    since = max((place for place in range(at) if found[place].low in {";", ":"}), default=-1)
    already = any(other.tag in {"verb", "auxiliary"} for other in found[max(0, at - 8, since + 1) : at])
    if form == "s" and before.low == "," and not already and following is not None and following.value is not None:
        return "verb"
    if before.tag == "conjunction" or before.low == ",":
        last = next((other for other in reversed(found[:at]) if other.tag == "verb"), None)
        return "verb" if last is not None and last.lex.form == form and (object_follows or ends) else "noun"
    if verb_follows or (following is not None and following.low == "of"):
        return "noun"
    if form == "s" and before.value is not None and before.value.unit and not already and object_follows:
        return "verb"
    if form == "s" and before.name and not already and not ends:
        return "verb"
    if form == "s" and (before.lex.form != "s" or before.name) and before.tag in {"noun", "name"}:
        return (
            "verb"
            if object_follows
            or (ends and not already)
            or (following is not None and not following.lex.verb and not already)
            else "noun"
        )
    if word_unchanged and before.tag in {"noun", "name", "value"}:
        return (
            "verb"
            if (object_follows or (following is not None and following.lex.form == "s")) and not already
            else "noun"
        )
    later = any(
        other.low in closed.AUXILIARIES or (other.lex.verb and other.lex.form in {"ed", "past"})
        for other in found[at + 1 :]
    )
    if form == "base" and object_follows and not already and not later and before.tag in {"noun", "name"}:
        return "verb"
    opens = at < 2 or found[at - 2].low in {";", ":"}
    if form == "base" and before.lex.form == "s" and before.tag == "noun" and opens and not already and not ends:
        return "noun" if later else "verb"
    if form == "base" and before.lex.form == "s" and before.tag in {"noun", "name"}:
        free = following is not None and following.lex.degree is not None
        return "verb" if (object_follows or free) and not already else "noun"
    return "noun"
