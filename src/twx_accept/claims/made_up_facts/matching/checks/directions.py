"""From and to, before and after, above and below: what a fact puts on one side may not stand on the other."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.reading import Reading

_SIDES = (
    (frozenset({"from", "out_of"}), frozenset({"to", "into", "onto", "until", "till", "towards", "toward"})),
    (frozenset({"before"}), frozenset({"after", "since"})),
    (frozenset({"until", "till"}), frozenset({"since", "from"})),
    (frozenset({"above", "over"}), frozenset({"below", "under", "beneath"})),
    (frozenset({"inside", "within"}), frozenset({"outside", "beyond"})),
    (frozenset({"ahead_of"}), frozenset({"behind"})),
    (frozenset({"with"}), frozenset({"without"})),
    (frozenset({"for"}), frozenset({"against"})),
)
_MOVING = frozenset(several("go sail travel leave depart move bind run ship set"))


def check(alignment: Alignment, reading: Reading) -> str | None:  # noqa: C901 a list of refusals
    """Which side is the wrong one, or None."""
    _ = reading
    for place, at in alignment.pairs.items():
        word, other = alignment.fact.words[place], alignment.said.words[at]
        if not (word.value is not None or word.name or word.label or word.tag == "noun"):
            continue
        one, two = word.under, other.under
        if (
            one in {"above", "below"}
            and two not in {"above", "below", "over", "under"}
            and word.value is None
            and word.tag == "noun"
        ):
            return f"the passage does not say {one} {word.text}"
        if not one or not two or one == two:
            continue
        clause, there = alignment.fact.of(word), alignment.said.of(other)
        told = alignment.pairs.get(clause.verb)
        if told is not None and alignment.said.words[told].clause != other.clause and one in {"from", "to", "into"}:
            continue
        if _turned(alignment, clause.verb, there.verb):
            if {one, two} == {"to", "from"}:
                return f"in the passage {other.text} has the other part"
            continue
        for left, right in _SIDES:
            if (one in left and two in right) or (one in right and two in left):
                if "with" in left or (alignment.against and "before" in left):
                    continue
                return f"the passage says {two} {other.text}, the fact {one} {word.text}"
        dated = word.value is not None and word.value.kind == "date"
        if dated and one in {"in", "on", "at"} and two in {"until", "till", "before", "after", "since"}:
            return f"the passage says {two} {other.text}, the fact {one} {word.text}"
        if one in {"from", "to"} and two == "by" and word.value is not None:
            return f"the passage says {two} {other.text}, the fact {one} {word.text}"
        if one == "from" and two == "for" and other.name and word.name:
            return f"the passage says {two} {other.text}, the fact {one} {word.text}"
    return None


def _turned(alignment: Alignment, verb: int, there: int) -> bool:
    """The verbs tell the event from its two ends: sold to, bought from."""
    if verb < 0 or there < 0:
        return False
    one, two = alignment.fact.words[verb].lex.role, alignment.said.words[there].lex.role
    return any(mark[1:] == other[1:] and mark[0] != other[0] for mark in one for other in two)
