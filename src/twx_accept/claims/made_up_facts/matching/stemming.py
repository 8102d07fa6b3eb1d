"""Lemmas and roots of English words by rule, light enough to be right on words that no list has."""

import re
from functools import lru_cache

from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.lexicon.verbs import BASES, IRREGULAR

_DOUBLED = re.compile(r"([bdfgklmnprstvz])\1$")
_VOWEL = re.compile(r"[aeiouy]")
_ENDINGS = several(
    "ships ship hoods hood isations isation izations ization ications ication ations ation itions ition utions "
    "ution sions sion tions "
    "tion ions ion ments ment ances ance ences ence ancy ency ities ity ically ally ably ibly ingly edly ings ing "
    "ists ist ers er ors or ees ee ants ant ents ent ness ives ive ables able ibles ible ous ful ical ial als al "
    "ics ic ised ise ized ize ies ied ed es ly age e y s"
)


def _verb_base(stem: str) -> str | None:
    """The base of a verb whose -ed or -ing was cut off."""
    if stem in BASES and not (stem + "e" in BASES and len(stem) < 4):
        return stem
    if stem + "e" in BASES:
        return stem + "e"
    if _DOUBLED.search(stem) and stem[:-1] in BASES:
        return stem[:-1]
    if stem.endswith("i") and stem[:-1] + "y" in BASES:
        return stem[:-1] + "y"
    return None


def _guessed(stem: str) -> str:
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if _DOUBLED.search(stem) and stem[-2:] not in {"ss", "ll", "zz"}:
        return stem[:-1]
    if re.search(r"(?:[aeiou][bcdgkmpstvz]|[lr][csv]|ng|at|iz|is)$", stem) and not re.search(
        r"(?:en|on|er|et|it|[aeiou]{2}.)$", stem
    ):
        return stem + "e"
    return stem


@lru_cache(maxsize=65536)
def lemma(word: str) -> tuple[str, str]:
    """The lemma of a word in small letters, and its form: ``base``, ``s``, ``ed``, ``ing`` or ``past``."""
    if word in IRREGULAR:
        base = IRREGULAR[word]
        return base, "past" if base in BASES and not word.endswith("s") and not word.endswith(
            "ing"
        ) else "ing" if word.endswith("ing") else "s"
    if word in BASES or len(word) < 4:
        return word, "base"
    for ending, form in (("ing", "ing"), ("ed", "ed")):
        if word.endswith("eed") and word not in {"agreed", "freed", "decreed", "disagreed", "guaranteed", "refereed"}:
            break
        if word.endswith(ending) and _VOWEL.search(word[: -len(ending)]):
            verb = _verb_base(word[: -len(ending)])
            if verb:
                return verb, form
            if len(word) > len(ending) + 2 and not word.endswith(("eed", "hundred", "sacred", "naked")):
                return (_guessed(word[: -len(ending)]), form) if form == "ed" else (word, "base")
    return _plural(word)


def _plural(word: str) -> tuple[str, str]:
    if word.endswith("men") and len(word) > 5:
        return word[:-3] + "man", "s"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y", "s"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes", "oes")) and len(word) > 4:
        return (word[:-1], "s") if word[:-1] in BASES else (word[:-2], "s")
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ous")):
        return word[:-1], "s"
    return word, "base"


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """What the derived forms of a word share, of at least five letters; or the word itself."""
    word = word.replace("isation", "ization").replace("yse", "yze")
    for _ in range(2):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 5:
                word = _DOUBLED.sub(r"\1", word[: -len(ending)])
                break
    return word
