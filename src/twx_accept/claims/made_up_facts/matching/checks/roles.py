"""Who does it and to whom: the subject of a fact has to be the subject of what the sentence says."""

from twx_accept.claims.made_up_facts.matching.aligning import CAUSAL, gives_cause
from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.lexicon.degrees import DEGREES
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.referring import heads, referents
from twx_accept.claims.made_up_facts.matching.word import Word


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Why the parts are cast otherwise, or None."""
    fact = alignment.fact
    for number, clause in enumerate(fact.clauses):
        if clause.verb < 0 or _compares(fact, clause):
            continue
        reason = _Cast(alignment, clause, number, reading).reason()
        if reason:
            return reason
    return None


def _compares(fact: Sentence, clause: Clause) -> bool:
    """Comparisons have two sides that may change places; another check reads them."""
    words = fact.words[clause.start : clause.end]
    return any((DEGREES.get(word.low) or ("", 0, ""))[2] == "er" for word in words) or any(
        word.low in {"ahead_of", "behind"} for word in words
    )


class _Cast:
    """The parts of one clause of the fact, and of the clause of the sentence that tells the same."""

    def __init__(self, alignment: Alignment, clause: Clause, number: int, reading: Reading) -> None:
        self.alignment, self.clause = alignment, clause
        self.fact, self.said = alignment.fact, alignment.said
        self.subject = heads(self.fact, [place for place in clause.subject if place < clause.verb])
        if all(optional(self.fact.words[place]) for place in self.subject):
            strong = [place for place in clause.subject if place < clause.verb and self._strong(place)]
            self.subject = strong or self.subject
        self.there = self._their_clause(number)
        self.reading = reading

    def _their_clause(self, number: int) -> Clause | None:
        at = self.alignment.pairs.get(self.clause.verb)
        if at is not None and self.said.words[at].tag == "verb":
            return self.said.of(self.said.words[at])
        if self.clause.copula:
            told = [self.alignment.pairs[place] for place in self.clause.after if place in self.alignment.pairs]
            there = self.said.of(self.said.words[told[0]]) if told else None
            if there is not None and there.copula and told[0] > there.verb:
                return there
        anchor = self.alignment.anchors.get(number)
        return None if anchor is None else self.said.clauses[anchor]

    def reason(self) -> str | None:
        there = self.there
        if (
            there is None
            or there.verb < 0
            or not self.subject
            or self._causal()
            or any(self._gapped(place) for place in self.subject)
        ):
            return None
        self.doers, self.certain = referents(self.said, there, self.reading)
        writing = any(self.said.words[place].low in {"we", "i"} for place in there.subject)
        if writing and not any(there.verb < self.alignment.pairs.get(place, -1) < there.end for place in self.subject):
            return None
        self.direct = [
            place for place in there.after if not self.said.words[place].under and self.said.words[place].content
        ] or there.object
        swapped = self._swapped(there)
        if swapped is None:
            return self._apposed() or self._subject(there)
        if self._converse(there):
            return self._converse_parts(there)
        if swapped and not self.clause.passive and self._intransitive() and self._fits(self.subject, self.doers):
            return None
        return self._swapped_parts(there) if swapped else self._same_parts(there)

    def _intransitive(self) -> bool:
        """``it opened``, ``it lies deep``: a verb without an object of its own."""
        words = self.fact.words
        return not any(
            words[place].tag in {"noun", "name", "pronoun"} and not words[place].under for place in self.clause.after
        )

    def _converse(self, there: Clause) -> bool:
        one, two = self.fact.words[self.clause.verb].lex, self.said.words[there.verb].lex
        marks = {mark[0] + mark[1:] for mark in two.role}
        return one.lemma != two.lemma and any(("<" if mark[0] == ">" else ">") + mark[1:] in marks for mark in one.role)

    def _converse_parts(self, there: Clause) -> str | None:
        """``sold by A to B`` for ``B bought from A``."""
        if self.clause.passive:
            if there.passive or not self.clause.agent or not self._fits(self.clause.agent, self.doers):
                return None
            return f"in the passage {self.fact.words[self.clause.agent[0]].text} has the other part"
        agent = [self.said.words[place] for place in there.agent]
        doing = agent if there.passive else self.doers
        if doing and self._fits(self.subject, doing):
            return f"in the passage {self.fact.words[self.subject[0]].text} has the other part"
        after = [self.said.words[place] for place in there.after if self.said.words[place].content]
        return None if self._fits(self.subject, after) else self._subject(there)

    def _causal(self) -> bool:
        """``the strike shut the pit`` for ``the pit was shut because of a strike``."""
        said = {word.lex.lemma for word in self.said.words}
        verbs = {self.fact.words[clause.verb].lex.lemma for clause in self.fact.clauses if clause.verb >= 0}
        told = any(verb in CAUSAL and verb not in said for verb in verbs)
        return (
            (told or any(word.low in {"because", "because_of"} for word in self.fact.words)) and gives_cause(self.said)
        ) or (
            bool(verbs & CAUSAL)
            and any(
                word.lex.lemma in {"cause", "reason", "blame", "fault"}
                and (word.tag == "noun" or self.said.words[0].low == "what")
                for word in self.said.words
            )
        )

    def _swapped(self, there: Clause) -> bool | None:
        """Whether subject and object have changed places; None where the verbs are not the same event."""
        at = self.alignment.pairs.get(self.clause.verb)
        if at is None or at != there.verb or self.clause.copula:
            return None
        one, two = self.fact.words[self.clause.verb].lex, self.said.words[at].lex
        converse = one.lemma != two.lemma and any(
            mark[1:] == other[1:] and mark[0] != other[0] for mark in one.role for other in two.role
        )
        return (self.clause.passive != there.passive) ^ converse

    def _fits(self, places: list[int], words: list[Word]) -> bool:
        """Whether one of some words of the fact is one of some words of the passage."""
        for place in places:
            word = self.fact.words[place]
            for other in words:
                mine = self.alignment.word(place)
                if mine is not None and mine is not other and mine.lex.lemma == word.lex.lemma != other.lex.lemma:
                    continue
                if mine is not None and mine is not other and self._joined(place):
                    continue
                if mine is other or (
                    word.low == other.low
                    if word.name
                    else word.label == other.label
                    if word.label
                    else not word.keys.isdisjoint(other.keys)
                ):
                    return True
        return False

    def _joined(self, place: int) -> bool:
        """Whether a word of the fact and the one before it stand together in the sentence too."""
        pairs = self.alignment.pairs
        return place - 1 in pairs and pairs[place - 1] == pairs[place] - 1 and not self.fact.words[place].name

    def _unsaid(self, there: Clause) -> str | None:
        """An agent that no word of the sentence names, or a subject that stands behind the pronoun's verb."""
        if there.passive and self.clause.agent and set(self.clause.agent) <= self.alignment.context:
            return f"the passage does not say by {self.fact.words[self.clause.agent[0]].text}"
        spoken = any(self.said.words[place].low in {"he", "she"} for place in there.subject if place < there.verb)
        ats = [self.alignment.pairs.get(place, -1) for place in self.subject if self._strong(place)]
        if spoken and ats and all(at > there.verb for at in ats):
            return f"the passage does not say it of {self.fact.words[self.subject[0]].text}"
        if (
            self.clause.passive
            and self.clause.agent
            and not there.agent
            and any(there.start <= self.alignment.pairs.get(place, -1) < there.end for place in self.clause.agent)
        ):
            return f"the passage does not say by {self.fact.words[self.clause.agent[0]].text}"
        return None

    def _same_parts(self, there: Clause) -> str | None:
        unsaid = self._unsaid(there)
        if unsaid:
            return unsaid
        if self._fits(self.subject, self.doers):
            return self._objects(there) or self._far_object(there)
        done = [self.said.words[place] for place in (there.agent if there.passive else self.direct)]
        mine = [
            place for place in self.clause.after if self.fact.words[place].content and not self.fact.words[place].under
        ]
        if self.clause.passive:
            mine = self.clause.agent
        if (
            mine
            and self._fits(mine, [word for word in self.doers if word.name or word.label or word.tag == "noun"])
            and not self._owned(mine)
        ):
            return f"in the passage {self.fact.words[mine[0]].text} has the other part"
        if self.clause.verb in self.alignment.against:
            direct = [
                word for word in (self.said.words[place] for place in self.direct) if word.name or word.tag == "noun"
            ]
            if not there.passive and self._fits(self.subject, direct) and not self._fits(self.subject, self.doers):
                return f"in the passage {self.fact.words[self.subject[0]].text} has the other part"
            return self._subject(there)
        given = [place for place in self.subject if self._given(place, there)]
        if given and not self._fits(self.subject, self.doers):
            return f"in the passage {self.fact.words[given[0]].text} has the other part"
        if self.doers and self.certain and self._late(there):
            return f"the passage says it of {self.doers[0].text}"
        if (mine or self.clause.passive) and done and self._fits(self.subject, done):
            return f"in the passage {self.fact.words[self.subject[0]].text} has the other part"
        return self._subject(there)

    def _given(self, place: int, there: Clause) -> bool:
        at = self.alignment.pairs.get(place)
        if at is None or at < there.verb or not there.start <= at < there.end:
            return False
        word = self.said.words[at]
        return word.under in {"to", "from", "by", "against"} and (word.name or bool(word.label) or word.tag == "noun")

    def _late(self, there: Clause) -> bool:
        """The subject of the fact stands only behind the verb, where another is the subject."""
        if any(self._gapped(place) for place in self.subject):
            return False
        places = [self.alignment.pairs.get(place, -1) for place in self.subject if self._strong(place)]
        return (
            bool(places)
            and all(there.verb < at < there.end for at in places)
            and all(word not in self._used() for word in self.doers)
            and (not self.clause.passive or there.passive)
        )

    def _gapped(self, place: int) -> bool:
        """``wind supplied 38%, hydro more than half``: right behind the subject stands what the fact says of it."""
        at, words = self.alignment.pairs.get(place, -2), self.said.words
        if not 0 <= at < len(words) or any(word.segment == words[at].segment and word.tag == "verb" for word in words):
            return at >= 0 and any(
                other == at + 1 and self.fact.words[mine].value is not None
                for mine, other in self.alignment.pairs.items()
            )
        return any(
            at < other <= at + 4
            and words[other].segment == words[at].segment
            and self.fact.words[mine].value is not None
            for mine, other in self.alignment.pairs.items()
        )

    def _used(self) -> list[Word]:
        return [self.said.words[at] for at in self.alignment.pairs.values()]

    def _owned(self, mine: list[int]) -> bool:
        return not any(self.fact.words[place].name or self.fact.words[place].label for place in mine)

    def _far_object(self, there: Clause) -> str | None:
        """``recommended a sign and rejected a limit``: the object of the fact belongs to another verb."""
        mine = [
            place
            for place in self.clause.after
            if self.fact.words[place].tag in {"noun", "name", "value"}
            and not self.fact.words[place].under
            and not optional(self.fact.words[place])
        ]
        ats = [self.alignment.pairs[place] for place in mine if place in self.alignment.pairs]
        used = self._used()
        spare = [
            word
            for word in (self.said.words[place] for place in self.direct)
            if word not in used and word.tag in {"noun", "name"}
        ]
        if (
            ats
            and spare
            and all(at >= there.end for at in ats)
            and self.said.words[there.end].low in {"and", "but", ";", ",", "while", "whereas"}
        ):
            return f"the passage says {self.said.words[there.verb].text} of {spare[0].text}"
        return None

    def _objects(self, there: Clause) -> str | None:
        """The agents of two passives, or the named objects of two actives, have to agree."""
        if self.clause.passive and there.passive and self.clause.agent and there.agent:
            agents = [self.said.words[place] for place in there.agent]
            if not self._fits(self.clause.agent, agents):
                return f"the passage says by {agents[0].text}"
        return None

    def _swapped_parts(self, there: Clause) -> str | None:
        after = [self.said.words[place] for place in there.after if self.said.words[place].content]
        after += [self.said.words[place] for place in there.subject] if not self.doers else []
        converse = self.clause.passive == there.passive
        if (self.direct or converse) and self._fits(self.subject, self.doers) and not self._fits(self.subject, after):
            return f"in the passage {self.fact.words[self.subject[0]].text} has the other part"
        agent = [self.said.words[place] for place in there.agent]
        if there.passive and not self.clause.passive and agent and not self._fits(self.subject, agent):
            return f"the passage says by {agent[0].text}"
        if (
            agent
            and not self.clause.passive
            and any(
                self.alignment.pairs.get(place) in there.agent
                for place in self.clause.after
                if self.fact.words[place].content
            )
        ):
            return f"the passage says by {agent[0].text}"
        other = self.clause.agent
        if self.clause.passive and other and self.doers and self.certain and not self._fits(other, self.doers):
            named = [place for place in other if self.fact.words[place].name or self.fact.words[place].label]
            if named and any(word.name or word.label for word in self.doers):
                return f"the passage says it of {self.doers[0].text}"
        following = self.said.words[there.verb + 1] if there.verb + 1 < there.end else None
        if there.passive or (following is not None and following.low in {"it", "them", "him", "her"}):
            return None
        return None if self._fits(self.subject, after) else self._subject(there)

    def _apposed(self) -> str | None:
        """``the top seed, Rasheed Quaye``: a title beside a name is that name's."""
        if not self.clause.copula or not any(self.fact.words[place].name for place in self.subject):
            return None
        words = self.said.words
        for place in self.clause.after:
            at = self.alignment.pairs.get(place)
            if at is None or self.fact.words[place].tag != "noun" or self.fact.words[place].under or words[at].name:
                continue
            beside = at + 1
            if beside < len(words) and words[beside].low in {",", "("}:
                beside += 1
            while beside < len(words) and words[beside].tag == "title":
                beside += 1
            if beside < len(words) and words[beside].name and not self._named(words[beside], beside):
                return f"the passage says it of {words[beside].text}"
        return None

    def _named(self, word: Word, at: int) -> bool:
        following = self.said.words[at + 1] if at + 1 < len(self.said.words) else None
        lows = {word.low} | ({following.low} if following is not None and following.name else set())
        return any(self.fact.words[place].low in lows for place in self.subject if self.fact.words[place].name)

    def _subject(self, there: Clause) -> str | None:  # noqa: C901 a list of refusals
        """The subject of the fact may not be another than that of the sentence's clause."""
        needed = [place for place in self.subject if self._strong(place)]
        if not needed and self.certain and self.doers and all(word.name for word in self.doers) and not there.passive:
            writers = [
                place
                for place in self.subject
                if self.fact.words[place].low in {"author", "writer", "narrator", "columnist", "speaker"}
            ]
            if writers and not any(word in self._used() for word in self.doers):
                return f"the passage says it of {self.doers[0].text}"
        if not needed or not self.doers or self._fits(self.subject, self.doers):
            return None
        rivals = [word for word in self.doers if word.name or word.label or word.tag == "noun"]
        mine = [
            place
            for place in self.alignment.pairs
            if self.fact.words[place].clause == self.fact.words[needed[0]].clause
        ]
        used = {id(self.alignment.word(place)) for place in mine}
        rivals = [word for word in rivals if id(word) not in used]
        if not rivals:
            return None
        named = all(self.fact.words[place].name or self.fact.words[place].label for place in needed)
        if any(self._gapped(place) for place in needed):
            return None
        outside = [place for place in needed if place in self.alignment.pairs]
        if (
            not named
            and not outside
            and not (self.certain and all(place in self.alignment.context for place in needed))
        ):
            return None
        before = self.said.clauses.index(there) - 1
        if there.embedded and before >= 0 and not named and not all(word.name for word in rivals):
            outer = self.said.clauses[before]
            if all(outer.start <= self.alignment.pairs.get(place, -1) < there.start for place in needed):
                return None
        inside = [
            place
            for place in needed
            if there.start <= (at := self.alignment.pairs.get(place, -1)) < there.end
            and not (named and self.said.words[at].owner and at in there.subject)
        ]
        if inside:
            ruled = self.alignment.pairs.get(self.clause.verb) == there.verb and all(
                at in there.subject and self.said.words[at].under in {"at", "in", "on", "for", "from"}
                for at in (self.alignment.pairs[place] for place in inside)
            )
            if ruled and self.certain and not any(word in self._used() for word in self.doers):
                return f"the passage says it of {rivals[0].text}"
            governed = all(
                self.said.words[self.alignment.pairs[place]].under
                in {"after", "before", "than", "against", "to", "behind", "ahead_of", "like"}
                for place in inside
            )
            if named and self.clause.copula and governed and (self.certain or there.start <= there.verb):
                return f"the passage says it of {rivals[0].text}"
            return None
        if not self.certain and not named:
            return None
        owned = not self.clause.copula and any(
            self.said.words[place].low in {"its", "his", "her", "their"} for place in there.subject
        )
        topical = any(self.fact.words[place].low in self.reading.topics for place in self.clause.subject)
        topical = topical and all(self.fact.words[place].name or self.fact.words[place].label for place in needed)
        if not any(word.name or word.label for word in rivals) and (owned or topical):
            return None
        if any(word.name or word.label for word in rivals) or (self.certain and not named):
            return f"the passage says it of {rivals[0].text}, not of {self.fact.words[needed[0]].text}"
        return None

    def _strong(self, place: int) -> bool:
        word = self.fact.words[place]
        return word.value is None and word.tag in {"noun", "name"} and not optional(word)
