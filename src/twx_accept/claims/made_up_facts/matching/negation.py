"""How far a negation and a preposition reach in a sentence, and where its segments part."""

from twx_accept.claims.made_up_facts.matching.word import Word

_PARTING = frozenset({"instead_of", "unlike", "except", "without"})


def mark_scopes(words: list[Word]) -> None:  # noqa: C901 one pass with three scopes
    """Mark what stands in the scope of a negation of its own, and the preposition that governs each word."""
    under, scope, segment = "", False, 0
    contrast = False
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else None
        if word.tag == "mark" or word.tag in {"conjunction", "subordinator", "relative"}:
            segment += 1
            apposed = (
                word.low == ","
                and place > 0
                and words[place - 1].tag == "noun"
                and following is not None
                and following.name
                and under in {"to", "from", "by", "with", "of"}
            )
            if apposed:
                pass
            elif word.low in {",", ";", ":", ".", "("} or word.tag in {"subordinator", "relative"} or word.low == "but":
                under = ""
                scope = False
            elif word.low == "and" and under == "instead_of":
                scope, under = False, ""
            if word.low == "but" and _universal(words[:place]) and not _clause_follows(words, place):
                scope, under = True, "except"
        elif word.tag in {"verb", "auxiliary"}:
            under, scope = "", False
        elif word.tag in {"determiner", "pronoun"} and place > 0 and words[place - 1].tag in {"noun", "name", "value"}:
            under = "" if not words[place - 1].owner else under
        elif word.tag == "preposition":
            kept = scope and word.low != "without" and place > 0 and words[place - 1].low in _PARTING
            joined = (
                word.low == "of" and place > 0 and words[place - 1].name and following is not None and following.name
            )
            under = under if joined else word.low
            contrast = (word.low in _PARTING and word.low != "without") or (contrast and (word.low == "of" or kept))
            scope = word.low in _PARTING or (scope and word.low == "of") or kept
        elif (word.low in {"no", "neither", "nor", "without"} and following is not None) or (
            word.low in {"hardly", "scarcely"} and following is not None and following.low == "any"
        ):
            scope = True
        elif (
            word.low in {"not", "never"}
            and following is not None
            and following.tag in {"determiner", "preposition", "noun", "name", "value", "adjective", "pronoun"}
            and not _verbal(words, place)
            and not (place == 0 and following.low == "until")
        ):
            scope = True
            if following.tag == "preposition":
                scope = True
                _mark_until(words, place + 1)
        word.under, word.segment = under, segment
        word.negated = word.negated or scope
        word.contrasted = word.contrasted or (scope and contrast)
        if word.low in {"nobody", "nothing", "none"}:
            word.negated = True


def _mark_until(words: list[Word], place: int) -> None:
    for word in words[place:]:
        if word.tag in {"mark", "verb", "auxiliary", "subordinator", "relative"} or word.low == "but":
            return
        word.negated = True


def _verbal(words: list[Word], place: int) -> bool:
    """Whether ``not`` at a place denies the verb before it: ``are not original``, ``does not``."""
    return place > 0 and words[place - 1].tag == "auxiliary"


def _clause_follows(words: list[Word], place: int) -> bool:
    """Whether a conjunction opens a clause with a verb of its own."""
    for word in words[place + 1 :]:
        if word.tag == "mark" or word.tag in {"relative", "subordinator"}:
            return False
        if word.tag in {"verb", "auxiliary"}:
            return True
    return False


def _universal(words: list[Word]) -> bool:
    return any(
        word.low in {"every", "all", "each", "nobody", "none", "nothing", "everyone", "everybody", "any", "no"}
        for word in words[-8:]
    )
