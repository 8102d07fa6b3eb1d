"""What the subject of a clause is, and what a pronoun stands for."""

from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_BACK = 3


def heads(sentence: Sentence, places: list[int]) -> list[int]:
    """The places that name what a phrase is about: not under a preposition, not an owner."""
    words = sentence.words
    loose = [
        place
        for place in places
        if words[place].content and words[place].tag not in {"verb", "adverb", "value"} and not words[place].owner
    ]
    first = words[places[0]].under if places else ""
    found = [place for place in loose if not words[place].under or (first and words[place].under == first)]
    return found or loose


def _loose(words: list[Word], clause: Clause) -> bool:
    """``offers a course, starting on``: a participle that may be of anything before it."""
    before = words[clause.verb - 1] if clause.verb else None
    return before is not None and (before.low in {",", "("} or before.tag in {"noun", "name", "value"})


def referents(sentence: Sentence, clause: Clause, reading: Reading) -> tuple[list[Word], bool]:
    """The words that the subject of a clause names, or stands for; and whether that is certain.

    No words where the subject is unknown or the writer.
    """
    words = sentence.words
    pronouns = {words[place].low for place in clause.subject if words[place].tag == "pronoun"}
    named = [words[place] for place in heads(sentence, clause.subject)]
    if named and not pronouns & {"who", "which", "that"}:
        number = sentence.clauses.index(clause)
        if (
            clause.inherits >= 0
            and number
            and words[clause.verb].lex.form in {"ing", "ed", "past"}
            and _loose(words, clause)
        ):
            before = sentence.clauses[number - 1]
            return [*named, *(words[place] for place in before.after if words[place].tag in {"noun", "name"})], False
        return named, True
    if pronouns & closed.FIRST_PERSON or not clause.subject:
        return [], False
    number = sentence.clauses.index(clause)
    people = bool(pronouns & {"he", "she"})
    found, certain = _spoken_of(sentence, sentence.clauses[:number], people)
    if found:
        return found, certain
    found = []
    for number in {0, *range(max(0, sentence.number - _BACK), sentence.number)}:
        other = reading.sentences[number]
        if number < sentence.number:
            found += [word for word in other.topic if not word.under or other.topic[0].under]
    return (found, False) if any(word.name or word.label for word in found) else ([], False)


def _spoken_of(sentence: Sentence, clauses: list[Clause], people: bool) -> tuple[list[Word], bool]:
    """What a pronoun refers back to within its sentence, the nearest first."""
    words = sentence.words
    for before in reversed(clauses):
        if before.inherits >= 0 and before.verb >= 0 and words[before.verb].lex.form == "ing":
            continue
        found = [words[place] for place in heads(sentence, before.subject)]
        if found and (not people or any(word.name for word in found) or not before.subject):
            return found, people
        if people and before.verb >= 0:
            found = [words[place] for place in before.after if words[place].name]
            if found:
                return found, False
    return [], False
