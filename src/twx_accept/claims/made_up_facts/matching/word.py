"""One word of a text, as the matcher sees it."""

from dataclasses import dataclass, field

from twx_accept.claims.made_up_facts.matching.values import Value
from twx_accept.claims.made_up_facts.matching.words import Lex


@dataclass(slots=True, eq=False)
class Word:
    """One word, value, label or mark of a sentence.

    ``tag``: the part of speech. ``keys``: what it may match by. ``negated``: it stands in the scope of ``no``,
    ``not a``, ``rather than`` and the like, by itself; ``contrasted``: by ``unlike``, ``instead of`` or ``except``.
    ``under``: the preposition that governs it; ``ends``: which end of a range it is. ``clause`` and ``segment``: their
    numbers. ``start``: where it begins in the text. ``content``: it has matter of its own, which a restatement has to
    find in the passage.
    """

    text: str
    low: str
    lex: Lex
    tag: str = ""
    value: Value | None = None
    name: bool = False
    label: str = ""
    keys: frozenset[str] = field(default_factory=frozenset)
    negated: bool = False
    under: str = ""
    clause: int = 0
    segment: int = 0
    place: int = 0
    owner: bool = False
    ends: str = ""
    contrasted: bool = False
    start: int = 0
    content: bool = False
