"""What is known of a word: its lemma, the groups of meaning it is in, and what contradicts it."""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from twx_accept.claims.made_up_facts.matching.lexicon.actions import ACTIONS
from twx_accept.claims.made_up_facts.matching.lexicon.degrees import DEGREES, POSITIVE
from twx_accept.claims.made_up_facts.matching.lexicon.opposites import CONVERSES, KIN, OPPOSITES
from twx_accept.claims.made_up_facts.matching.lexicon.phrases import STAND_INS
from twx_accept.claims.made_up_facts.matching.lexicon.things import THINGS
from twx_accept.claims.made_up_facts.matching.lexicon.verbs import BASES, NOUN_TOO
from twx_accept.claims.made_up_facts.matching.stemming import lemma, root

_NEGATIVE = ("un", "in", "im", "dis", "non-", "non", "il", "ir")
_SPELLINGS = {
    "color": "colour", "honor": "honour", "labor": "labour", "neighbor": "neighbour", "harbor": "harbour",
    "favor": "favour",
    "center": "centre", "theater": "theatre", "meter": "metre", "liter": "litre", "gray": "grey", "plow": "plough",
    "defense": "defence",
    "license": "licence", "program": "programme", "catalog": "catalogue", "jewelry": "jewellery", "mom": "mum",
    "tire": "tyre", "skeptic": "sceptic",
    "organize": "organise", "recognize": "recognise", "realize": "realise", "analyze": "analyse",
    "authorize": "authorise", "randomize": "randomise",
    "aluminum": "aluminium", "airplane": "aeroplane", "modernize": "modernise", "apologize": "apologise",
    "criticize": "criticise", "utilize": "utilise",
    "anaesthesia": "anaesthetic", "anesthesia": "anaesthetic", "mold": "mould", "fiber": "fibre",
    "per_cent": "percent", "burned": "burnt",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lex:
    """A word of the language. ``poles``: each axis of contraries that it lies on, with its end (1 or -1)."""

    lemma: str
    form: str
    verb: bool
    noun: bool
    keys: frozenset[str]
    poles: dict[str, int]
    degree: tuple[str, int, str] | None
    role: frozenset[str]


def _groups(lines: str, mark: str, table: dict[str, set[str]]) -> None:
    for number, line in enumerate(lines.splitlines()):
        for word in line.split():
            table[_spelled(lemma(word)[0])].add(f"{mark}{number}")
            table[word].add(f"{mark}{number}")


def _spelled(word: str) -> str:
    return _SPELLINGS.get(word, word)


def _tables() -> tuple[dict[str, set[str]], dict[str, dict[str, int]], dict[str, set[str]]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for mark, lines in (("a", ACTIONS), ("t", THINGS), ("k", KIN)):
        _groups(lines, "#" + mark, groups)
    poles: dict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(OPPOSITES.splitlines()):
        for side, end in zip(line.split(" / "), (1, -1), strict=True):
            for word in side.split():
                poles[word][f"o{number}"] = end
    roles: dict[str, set[str]] = defaultdict(set)
    for number, line in enumerate(CONVERSES.splitlines()):
        for side, mark in zip(line.split(" > "), "<>", strict=True):
            for word in side.split():
                roles[word].add(f"{mark}{number}")
    return groups, poles, roles


GROUPS, _POLES, _ROLES = _tables()


@lru_cache(maxsize=65536)
def lex(word: str) -> Lex:
    """What is known of a word in small letters (or of the mark that stands for a phrase)."""
    base, form = lemma(word)
    base = _spelled(base)
    degree = DEGREES.get(word)
    if degree and degree[2] and word in POSITIVE:
        base, form = POSITIVE[word], degree[2]
    keys = {base, word} | GROUPS.get(base, set()) | GROUPS.get(word, set())
    stem = root(base)
    if len(stem) >= 5 or stem == base:
        keys.add("~" + stem)
    if base.endswith("ly") and len(base) > 5:
        adjective = base[:-3] + "y" if base.endswith("ily") else base[:-2]
        keys |= {adjective} | GROUPS.get(adjective, set())
    if "-" in word:
        keys |= {word.replace("-", "")}
    poles = {"!" + base: 1, **_POLES.get(base, {}), **_POLES.get(word, {})}
    for prefix in _NEGATIVE:
        if base.startswith(prefix) and len(base) - len(prefix) >= 4:
            poles["!" + lemma(base[len(prefix) :])[0]] = -1
    verb = base in BASES or base in STAND_INS or form == "ed"
    return Lex(
        lemma=base, form=form, verb=verb, noun=not verb or base in NOUN_TOO, keys=frozenset(keys), poles=poles,
        degree=degree,
        role=frozenset(_ROLES.get(base, ())) if verb else frozenset(),
    )  # fmt: skip


def related(one: Lex, other: Lex) -> bool:
    """Whether two words may say the same thing."""
    return not one.keys.isdisjoint(other.keys)


def contrary(one: Lex, other: Lex) -> bool:
    """Whether two words say the contrary of each other."""
    poles = other.poles
    return any(poles.get(axis) == -end for axis, end in one.poles.items()) and one.lemma != other.lemma
