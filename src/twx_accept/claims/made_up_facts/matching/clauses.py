"""Clauses of a sentence: who does what, whether it is denied, what stands under which preposition."""

from dataclasses import dataclass, field

from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.lexicon.verbs import PAST_ONLY, UNCHANGING
from twx_accept.claims.made_up_facts.matching.negation import mark_scopes
from twx_accept.claims.made_up_facts.matching.word import Word

_STRONG = {";", ":", "("}
_TURNS = frozenset({"since", "before", "after", "until", "as", "than"})
_PREVENTING = frozenset({"prevent", "stop", "keep", "ban", "bar", "hinder", "forbid"})
_FAILING = frozenset({"fail", "refuse", "decline", "neglect", "omit", "forget"})
_STANDING = frozenset({"come", "go", "lie", "stand", "reach", "be", "run", "hang", "follow", "appear", "sit", "live"})


@dataclass(slots=True, eq=False)
class Clause:
    """``subject`` and ``after``: the places of words before and after the verb; ``verb``: its place, or -1.

    ``object``: what a relative clause with a subject of its own is about: ``the pot that the plough had broken``.
    """

    start: int
    end: int
    verb: int = -1
    passive: bool = False
    denied: bool = False
    subject: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    agent: list[int] = field(default_factory=list)
    inherits: int = -1
    copula: bool = False
    embedded: bool = False
    object: list[int] = field(default_factory=list)


def clauses_of(words: list[Word]) -> list[Clause]:
    """The clauses of a sentence, from left to right; a sentence without a verb is one clause."""
    for place, word in enumerate(words):
        word.place = place
    mark_scopes(words)
    groups = _groups(words)
    if not groups:
        clause = Clause(0, len(words), after=list(range(len(words))))
        _finish(words, [clause])
        return [clause]
    clauses: list[Clause] = []
    start = 0
    for number, (first, last) in enumerate(groups):
        cut = _cut(words, groups[number - 1][1] + 1 if number else 0, first, number == 0)
        if clauses:
            clauses[-1].end = cut
        clause = Clause(cut if clauses else start, len(words))
        _fill(words, clause, first, last, clauses)
        clauses.append(clause)
    _finish(words, clauses)
    return clauses


def _groups(words: list[Word]) -> list[tuple[int, int]]:
    """First and last place of each verb group."""
    groups = []
    at = 0
    while at < len(words):
        if words[at].tag not in {"verb", "auxiliary"}:
            at += 1
            continue
        last, place = at, at + 1
        while place < len(words) and words[last].tag == "auxiliary":
            if words[place].tag in {"verb", "auxiliary"}:
                last = place
            elif words[place].tag not in {"adverb", "negator"} and words[place].low != "all":
                break
            place += 1
        if words[at].tag == "verb" and at and words[at - 1].low == "to":
            pass
        groups.append((at, last))
        at = last + 1
    return groups


def _cut(words: list[Word], low: int, high: int, first: bool) -> int:
    """Where the clause of a verb group begins."""
    if first:
        return 0
    followed = words[high].lex.form in {"ed", "past"} and high + 1 < len(words) and words[high + 1].low == "by"
    if words[high - 1].low == "," and (words[high].lex.form == "ing" or followed):
        return high - 1
    joint = _joint(words, low, high)
    if joint >= 0:
        return joint
    found = {sort: place for place in range(low, high) if (sort := _opens(words, place, high))}
    for sort in ("clause", "infinitive", "conjunction", "comma"):
        if sort in found:
            return found[sort]
    return high


def _opens(words: list[Word], place: int, high: int) -> str:
    """What a word may open before the verb group at ``high``, or nothing."""
    word = words[place]
    turns = word.low in _TURNS and words[place + 1].value is None
    if word.low in _STRONG or word.tag in {"relative", "subordinator"} or turns:
        return "clause"
    if word.tag == "conjunction":
        return "conjunction"
    if word.low == "," and place + 1 < high:
        return "comma"
    return "infinitive" if word.low == "to" and place == high - 1 else ""


def _joint(words: list[Word], low: int, high: int) -> int:
    """``served as director and stayed``: a conjunction right before the verb joins it to the verb before; or -1."""
    for place in range(high - 1, low - 1, -1):
        if words[place].tag == "conjunction":
            return place
        if words[place].tag not in {"adverb", "negator"}:
            return -1
    return -1


def _fill(  # noqa: C901 one case after another
    words: list[Word], clause: Clause, first: int, last: int, before: list[Clause]
) -> None:
    clause.verb = last
    group = words[first : last + 1]
    head = words[last]
    clause.copula = head.lex.lemma == "be"
    helpers = {word.low for word in group[:-1]}
    participle = (
        head.tag == "verb"
        and (head.lex.form in {"ed", "past"} or head.lex.lemma in UNCHANGING)
        and head.low not in PAST_ONLY
    )
    clause.passive = participle and bool(helpers & closed.BE or helpers & {"get", "gets", "got"})
    clause.denied = any(word.tag == "negator" for word in group) or (
        first > 0 and words[first - 1].low in {"never", "not", "no_longer", "hardly", "scarcely", "nor", "cannot"}
    )
    if last + 1 < len(words) and words[last + 1].low in {"not", "no_longer", "never"} and head.tag == "auxiliary":
        clause.denied = True
    if last + 1 < len(words) and words[last + 1].low in {"nothing", "nobody", "none"}:
        clause.denied = True
    if (
        before
        and words[clause.start].low == "to"
        and words[before[-1].verb].lex.lemma in _FAILING
        and before[-1].verb > clause.start - 3
    ):
        clause.denied = not before[-1].denied
    if before and first > 0 and words[first - 1].low == "from" and words[before[-1].verb].lex.lemma in _PREVENTING:
        clause.denied = not before[-1].denied
    if (
        before
        and words[clause.start].low == "since"
        and first > clause.start
        and words[first - 1].low == "last"
        and before[-1].copula
    ):
        clause.denied = True
    clause.subject = [
        place
        for place in _subject(words, clause.start, first)
        if not (clause.denied and words[place].low == "last" and place == first - 1)
    ]
    opener = words[clause.start] if clause.start < first else None
    following = words[last + 1] if last + 1 < len(words) else None
    dated = following is not None and following.value is not None and following.value.kind == "date"
    objected = following is not None and following.tag in {"determiner", "pronoun", "value", "name"} and not dated
    clause.embedded = (
        opener is not None
        and opener.low not in {"while", "whereas", "although", "though"}
        and (opener.tag in {"relative", "subordinator"} or opener.low in {"since", "after", "before", "as"})
        and bool(before)
    )
    if opener is not None and opener.tag == "relative" and opener.low != "whose" and not clause.subject:
        clause.subject = _antecedent(words, clause.start)
    elif clause.subject and opener is not None and opener.low in {"that", "which"} and clause.embedded:
        if words[clause.start - 1].tag in {"noun", "name"} or words[clause.start - 1].low == ",":
            clause.object = _antecedent(words, clause.start)
    elif not clause.subject and before:
        clause.inherits = len(before) - 1
        if participle and not helpers and not objected and first > 0 and words[first - 1].low == ";":
            clause.passive = True
            return
        reduced = (
            participle
            and not objected
            and not helpers
            and first > 0
            and words[first - 1].tag in {"noun", "name", "value", "mark"}
            and words[first - 1].low != ";"
        )
        if reduced and (words[first - 1].low != "," or _by(words, last)):
            clause.passive = clause.embedded = True
            clause.subject = _antecedent(words, first, through=words[first - 1].low == ",")
        else:
            apart = any(words[place].low == "," for place in range(max(0, clause.start - 1), first)) or (
                before[-1].embedded and (opener is None or opener.tag != "conjunction")
            )
            outer = [other for other in before if not other.embedded] if apart else []
            clause.subject = _inherited(words, clause, (outer or before)[-1])
            if (
                helpers == set()
                and participle
                and not objected
                and before[-1].passive
                and opener is not None
                and opener.tag == "conjunction"
            ):
                clause.passive = True
    elif participle and not helpers and not clause.passive:
        apart = dated and first > 0 and words[first - 1].low == ","
        clause.passive = apart or _by(words, last) or (not clause.subject and not objected)


def _inherited(words: list[Word], clause: Clause, before: Clause) -> list[int]:
    """The subject of a verb that has none: the object that stands before ``to``, or else the subject before."""
    if words[clause.start].low == "to":
        objects = [
            place for place in range(before.verb + 1, clause.start) if words[place].content and not words[place].under
        ]
        if objects and not before.passive:
            return objects
    return before.subject


def _by(words: list[Word], last: int) -> bool:
    for place in range(last + 1, min(last + 6, len(words) - 1)):
        word = words[place]
        if word.low == "by":
            return words[place + 1].value is None
        if word.tag in {
            "mark",
            "verb",
            "auxiliary",
            "relative",
            "subordinator",
            "conjunction",
            "determiner",
            "noun",
            "name",
        }:
            return False
    return False


def _subject(words: list[Word], start: int, first: int) -> list[int]:
    """The places of the noun phrases before a verb, without a leading prepositional phrase that a comma closes."""
    linked = next((place for place in range(start, first) if words[place].tag == "relative"), None)
    if (
        linked is not None
        and linked > start
        and all(words[place].tag in {"relative", "adverb"} for place in range(linked, first))
    ):
        return _antecedent(words, linked)
    places: list[int] = []
    for place in range(start, first):
        word = words[place]
        if word.low in {":", ";"}:
            places = []
        elif word.low == "," and places and words[places[0]].under and words[places[0]].under not in {"of", "by"}:
            places = [other for other in places if not words[other].under]
        elif (
            word.content or word.tag in {"pronoun", "determiner", "title"} or word.low in {"none", "nobody", "nothing"}
        ):
            places.append(place)
    if any(
        (words[place].content and words[place].tag != "adverb") or words[place].tag in {"pronoun", "negator"}
        for place in places
    ):
        return places
    return (
        places
        if places and words[places[-1]].low in {"this", "that", "these", "those", "all", "some", "most", "both", "each"}
        else []
    )


def _antecedent(words: list[Word], place: int, through: bool = False) -> list[int]:
    """The noun phrase that ends before a place; ``through``: with the one it hangs on, ``a clock by Renn, dated``."""
    places: list[int] = []
    place -= 1
    while place >= 0 and words[place].low in {",", "of", "in", "from", "at", "to", "by", "with"}:
        place -= 1
    while place >= 0:
        word = words[place]
        if (word.content and word.tag != "verb") or word.tag == "title":
            places.append(place)
        elif word.tag == "determiner":
            if (
                place > 1
                and words[place - 1].low == ","
                and len(places) < 3
                and words[place - 2].content
                and words[place - 2].tag != "verb"
            ):
                place -= 2
                continue
            break
        elif (
            word.low == ","
            and places
            and (words[places[-1]].name or words[places[-1]].label)
            and words[place - 1].tag == "noun"
        ):
            pass
        elif through and word.tag == "preposition" and places:
            through = False
        elif word.low not in {"of", "and"}:
            break
        place -= 1
    return places[::-1]


def _finish(words: list[Word], clauses: list[Clause]) -> None:
    for number, clause in enumerate(clauses):
        for place in range(clause.start, clause.end):
            words[place].clause = number
        if clause.verb < 0:
            continue
        clause.after = list(range(clause.verb + 1, clause.end))
        turned = _inverted(words, clause)
        if turned:
            clause.subject = turned
        if clause.passive:
            clause.agent = [
                place
                for place in clause.after
                if words[place].under == "by" and words[place].content and words[place].value is None
            ]
        if any(
            words[place].negated and words[place].under != "except"
            for place in clause.subject
            if place >= clause.start and not words[place].under
        ):
            clause.denied = not clause.denied
            if _parted(words, clause):
                clause.denied = not clause.denied


def _inverted(words: list[Word], clause: Clause) -> list[int]:
    """``From the south came the wind``: the subject behind a verb that has only a phrase of place or time before it."""
    opener = words[clause.start]
    before = [place for place in clause.subject if words[place].content]
    if clause.passive or opener.tag != "preposition" or words[clause.verb].lex.lemma not in _STANDING:
        return []
    if any(words[place].tag == "pronoun" or place < clause.start for place in clause.subject):
        return []
    if any(not words[place].under or words[place].under == "by" for place in before):
        return []
    places = []
    for place in clause.after:
        word = words[place]
        if word.under or word.tag not in {"determiner", "noun", "name", "adjective", "value", "title", "adverb"}:
            break
        places.append(place)
    return places if any(words[place].tag in {"noun", "name"} for place in places) else []


def _parted(words: list[Word], clause: Clause) -> bool:
    """``Bracken, not the drone, found``: only a part of the subject is denied."""
    nouns = [place for place in clause.subject if words[place].content and not words[place].under]
    return any(words[place].negated for place in nouns) and any(not words[place].negated for place in nouns[:1])
