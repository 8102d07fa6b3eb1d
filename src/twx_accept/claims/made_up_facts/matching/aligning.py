"""Which word of a sentence each word of a fact stands on."""

from dataclasses import replace

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.carrying import carry
from twx_accept.claims.made_up_facts.matching.lexicon import closed, several
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.values import agree
from twx_accept.claims.made_up_facts.matching.word import Word
from twx_accept.claims.made_up_facts.matching.words import contrary

CAUSAL = frozenset(
    several(
        "prevent cause lead make mean trigger put bring force prompt result explain leave induce provoke keep oblige"
    )
)
_CAUSES = frozenset(
    {"because_of", "because", "since", "so", "therefore", "so_that", "judging", "thus", "hence", "as", "when"}
)
_DOING = frozenset(several("perform end finish make give conduct undertake do carry take effect pay"))
_HAPPENING = frozenset(several("hold perform stage play compose conduct carry"))
_VALUED = frozenset(several("cost receive yield strike watch spend go run play stage offer feature hold"))
_MEASURES = frozenset(
    several(
        "power capacity weigh last measure output price speed temperature content level price cost weight duration "
        "sum charge"
    )
)


def gives_cause(said: Sentence) -> bool:
    """Whether a sentence says why."""
    return any(
        word.low in _CAUSES
        and (word.tag in {"subordinator", "preposition", "conjunction", "adverb"} or word.low == "when")
        and (word.low != "as" or _clausal(said, word))
        for word in said.words
    )


def _clausal(said: Sentence, word: Word) -> bool:
    """Whether ``as`` opens a clause with a verb of its own."""
    return said.of(word).start == word.place or (word.place > 0 and said.words[word.place - 1].low == ",")


def align(fact: Sentence, said: Sentence, reading: Reading, contraries: bool = False) -> Alignment:
    """Lay a fact over a sentence of the passage; ``contraries``: the contrary of a predicate goes before its like."""
    done = Alignment(fact, said)
    for place, word in enumerate(fact.words):
        if word.content:
            done.options[place] = _options(word, said)
            if _counts(fact, word):
                done.options[place] = [at for at in done.options[place] if not _is_date(said.words[at])]
    _anchor(done)
    for place, options in sorted(done.options.items(), key=lambda item: _turn(fact.words[item[0]])):
        word = fact.words[place]
        wanted = (not options or contraries) and word.value is None and not word.name and not _measured(fact, word)
        opposed = _opposed(word, said) if wanted else []
        if options and not (opposed and word.tag in {"verb", "adjective"}):
            done.pairs[place] = _nearest(done, word, options)
            continue
        if opposed:
            done.pairs[place] = _nearest(done, word, opposed)
            done.against.add(place)
        elif not (optional(word) or _implied(word, done)) or word.under == "because_of":
            done.missing.append(place)
    _cohere(done)
    carry(done, reading)
    return done


def _turn(word: Word) -> int:
    """Values are laid first, verbs last: what they imply is asked of the others."""
    return 0 if word.value is not None else 2 if word.tag == "verb" else 1


def _options(word: Word, said: Sentence) -> list[int]:  # noqa: C901 one way for each sort of word
    if word.value is not None:
        found = [
            other.place
            for other in said.values
            if other.value is not None and (agree(word.value, other.value) or _end(word, other))
        ]
        if word.label:
            found += said.index.get(word.label, [])
        return found
    if word.label:
        head, mark = word.label.rsplit(" ", 1)
        if word.name and head in said.index:
            marked = [
                other.place
                for other in said.words
                if other.label.rsplit(" ", 1)[-1] == mark and other.label != word.label
            ]
            if marked and word.lex.noun:
                return marked
        found = list(said.index.get(word.label, ()))
        found += [other.place for other in said.values if other.label == word.label]
        return found
    places: set[int] = set()
    for key in word.keys:
        if key in said.index:
            places.update(said.index[key])
        if not word.name and "&" + key in said.index:
            places.update(said.index["&" + key])
    for role in word.lex.role:
        places.update(said.index.get("@" + ("<" if role[0] == ">" else ">") + role[1:], ()))
    if word.name:
        exact = {
            place
            for place in places
            if said.words[place].low == word.low or said.words[place].lex.lemma == word.lex.lemma
        }
        return sorted(exact)
    return sorted(places)


def _counts(fact: Sentence, word: Word) -> bool:
    """``1944 hectares``, ``2013 people``: a number that no year says."""
    if word.value is None or word.value.kind != "number":
        return False
    following = fact.words[word.place + 1] if word.place + 1 < len(fact.words) else None
    plural = following is not None and (following.low == "people" or following.lex.lemma != following.low)
    return bool(word.value.unit) or (following is not None and following.tag == "noun" and plural)


def _is_date(word: Word) -> bool:
    return word.value is not None and word.value.kind == "date"


def _measured(fact: Sentence, word: Word) -> bool:
    """``92 m high``, ``twelve years old``: a dimension, not a praise."""
    before = fact.words[word.place - 1] if word.place else None
    return (
        word.lex.degree is not None
        and not word.lex.degree[2]
        and before is not None
        and before.value is not None
        and bool(before.value.unit)
    )


def _end(word: Word, other: Word) -> bool:
    """``from -5 to 40`` for ``down to -5 and up to 40``."""
    if (
        word.value is None
        or other.value is None
        or other.value.bound != {"to": "at most", "from": "at least"}.get(word.ends)
    ):
        return False
    return agree(word.value, replace(other.value, bound=""))


def _opposed(word: Word, said: Sentence) -> list[int]:
    if word.tag not in {"verb", "adjective", "noun", "adverb"}:
        return []
    return [
        other.place
        for other in said.words
        if other.content
        and other.value is None
        and not other.name
        and contrary(word.lex, other.lex)
        and not _converse(word, other)
    ]


def _converse(word: Word, other: Word) -> bool:
    """``lose`` and ``beat`` are one event from two ends, not contraries."""
    return any(mark[1:] == also[1:] and mark[0] != also[0] for mark in word.lex.role for also in other.lex.role)


def _anchor(done: Alignment) -> None:
    """For each clause of the fact, the clause of the sentence that shares most with it."""
    for number in range(len(done.fact.clauses)):
        votes: dict[int, float] = {}
        for place, options in done.options.items():
            word = done.fact.words[place]
            if word.clause != number:
                continue
            weight = 2.0 if word.value is not None or word.tag == "verb" else 1.0
            if optional(word):
                weight *= 0.3
            clauses = {done.said.words[option].clause for option in options}
            for clause in clauses:
                votes[clause] = votes.get(clause, 0.0) + weight / len(clauses) ** 0.5
        if votes:
            done.anchors[number] = max(sorted(votes), key=lambda clause: votes[clause])


def _nearest(done: Alignment, word: Word, options: list[int]) -> int:
    anchor = done.anchors.get(word.clause, -1)
    words = done.said.words
    if word.tag == "verb":
        valued = {
            words[at].clause
            for place, at in done.pairs.items()
            if done.fact.words[place].clause == word.clause
            and done.fact.words[place].value is not None
            and words[at].value is not None
            and len(done.options[place]) == 1
        }
        if len(valued) == 1 and any(words[place].clause in valued for place in options):
            anchor = min(valued)

    itself = word.tag == "verb" and any(
        words[place].tag == "verb" and words[place].lex.lemma == word.lex.lemma for place in options
    )

    def cost(place: int) -> tuple[int, int, int, int, int]:
        other = words[place]
        exact = 0 if other.lex.lemma == word.lex.lemma or word.value is not None else 1
        preposition = 0 if other.under == word.under else 1
        by_the_way = itself and other.tag != "verb"
        return (1 if by_the_way else 0, abs(other.clause - anchor) if anchor >= 0 else 0, exact, preposition, place)

    return min(options, key=cost)


def _cohere(done: Alignment) -> None:
    """Two words that stand side by side in both texts are taken together."""
    words, said = done.fact.words, done.said.words
    for place, at in list(done.pairs.items()):
        following = done.pairs.get(place + 1)
        if (
            following is None
            or following == at + 1
            or words[place].value is not None
            or words[place + 1].value is not None
        ):
            continue
        for one in done.options.get(place, ()):
            if (
                one + 1 in done.options.get(place + 1, ())
                and _same(words[place], said[one])
                and _same(words[place + 1], said[one + 1])
            ):
                done.pairs[place], done.pairs[place + 1] = one, one + 1
                break


def _same(word: Word, other: Word) -> bool:
    return word.low == other.low or word.lex.lemma == other.lex.lemma


def _implied(word: Word, done: Alignment) -> bool:
    """What the form of the sentence says without a word: a cause, the dimension of a unit, the writer."""
    fact, said = done.fact, done.said
    lemma = word.lex.lemma
    if (
        lemma in _DOING
        and word.tag == "verb"
        and any(
            at == done.pairs.get(place) and said.words[at].tag == "verb"
            for place in range(word.place + 1, len(fact.words))
            for at in done.options.get(place, ())
        )
    ):
        return True
    if lemma == "lack":
        return True
    if lemma in _HAPPENING and word.tag == "verb" and fact.of(word).passive and not fact.of(word).agent:
        return any(place in done.pairs for place in fact.of(word).after)
    if _measured(fact, word):
        at = done.pairs.get(word.place - 1, -1)
        beside = said.words[at + 1] if 0 <= at < len(said.words) - 1 else None
        told = any(done.pairs.get(place, at) < at for place in fact.of(word).subject)
        return at >= 0 and told and (beside is None or beside.lex.degree is None)
    if lemma in {"old", "age", "aged"}:
        return any(place in done.pairs and fact.words[place].value is not None for place in done.options)
    if lemma in CAUSAL:
        return gives_cause(said)
    if lemma in _VALUED and any(place in done.pairs and fact.words[place].value is not None for place in done.options):
        return True
    if lemma in _MEASURES:
        return any(other.value is not None and other.value.unit for other in fact.words)
    if word.tag == "noun" and not word.name:
        before = fact.words[word.place - 1] if word.place else None
        definite = before is not None and before.low in {"the", "this"}
        writer = any(
            clause.verb >= 0
            and (not clause.subject or any(said.words[at].low in closed.FIRST_PERSON for at in clause.subject[:1]))
            and not any(said.words[at].tag in {"noun", "name"} for at in clause.subject)
            for clause in said.clauses
        )
        given = any(other.low in {"us", "me", "our", "my", "mine"} for other in said.words)
        return (
            definite
            and writer
            and (
                word.place in fact.of(word).subject
                or word.owner
                or (given and word.under in {"to", "by", "for", "of", "from"})
            )
        )
    return False
