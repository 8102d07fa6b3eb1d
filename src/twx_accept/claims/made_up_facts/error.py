"""The matcher's own error, from facts that people labelled: what the registered margin is worth after it.

A rate that is measured with sensitivity s and specificity t moves by s + t - 1 points for each point that the true rate
moves (Rogan and Gladen 1978, American Journal of Epidemiology 107:71-76). A margin is made smaller by that factor.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from twx_accept.claims._passages import is_line, is_text, once, shown
from twx_accept.claims.made_up_facts.supporting import Matching, Prepare, Support
from twx_accept.domain.exchange import digest
from twx_accept.domain.source import Row, Sources
from twx_accept.errors import DatasetError

TRUE, FALSE, NO_FACT = "supported", "unsupported", "not_a_fact"
"""What people say of a fact: the passage states it; it does not; it is no statement about the passage's subject."""

RIGHT = {TRUE: Support.SUPPORTED, FALSE: Support.UNSUPPORTED, NO_FACT: Support.NOT_A_FACT}
PASSAGES = "passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One fact about a passage, as people labelled it. ``kind`` is the pattern of its wording or of its slip."""

    passage: str
    fact: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Labelled facts, the passages that they are about, and the digest of both."""

    facts: tuple[Labelled, ...]
    passages: dict[str, str]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Labelled facts of one sort: how many, how many judged as labelled, how many left undecided."""

    label: str
    kind: str
    n: int
    right: int
    undecided: int

    @property
    def share(self) -> float:
        """Judged as labelled; what is undecided is not."""
        return self.right / self.n


@dataclass(frozen=True, slots=True, kw_only=True)
class MatcherError:
    """How well facts are matched. ``kinds`` are the tallies of each kind, false ones first."""

    false: Tally
    true: Tally
    kinds: tuple[Tally, ...]

    @property
    def sensitivity(self) -> float:
        """Share of the false facts that are judged unsupported."""
        return self.false.share

    @property
    def specificity(self) -> float:
        """Share of the true facts that are judged supported."""
        return self.true.share

    @property
    def factor(self) -> float:
        """What a point of the true rate is worth in the measured one; 0 or less for a matcher that guesses."""
        return (self.false.right * self.true.n + self.true.right * self.false.n - self.false.n * self.true.n) / (
            self.false.n * self.true.n
        )


def load(sources: Sources, source: str, split: str) -> LabelledSet:
    """The labelled facts of a source.

    Raises:
        DatasetError: a row is malformed, or there are no true or no false facts.
    """
    passages = dict(_passage(f"{source} ({PASSAGES}, row {n})", row) for n, row in enumerate(_rows(sources, source)))
    rows = sources.rows(source, split)
    once(f"{source} ({split})", [str(row["id"]) for row in rows if "id" in row])
    facts = tuple(_fact(f"{source} ({split}, row {n})", row, passages) for n, row in enumerate(rows))
    for label in (TRUE, FALSE):
        if not any(fact.label == label for fact in facts):
            raise DatasetError(f"{source} ({split}): holds no fact labelled {label}; the matcher's error needs both")
    plain = [[each.passage, each.fact, each.label, each.kind] for each in facts]
    return LabelledSet(facts=facts, passages=passages, digest=digest([passages, plain]))


def _rows(sources: Sources, source: str) -> Sequence[Row]:
    rows = sources.rows(source, PASSAGES)
    once(f"{source} ({PASSAGES})", [str(row.get("id")) for row in rows])
    return rows


def _passage(where: str, row: Row) -> tuple[str, str]:
    name, text = row.get("id"), row.get("text")
    if not is_line(name) or not is_text(text):
        raise DatasetError(f"{where}: id is {shown(name)} and text {shown(text)}; both must be texts")
    return name, text


def _fact(where: str, row: Row, passages: dict[str, str]) -> Labelled:
    passage, fact, label, kind = row.get("passage"), row.get("fact"), row.get("label"), row.get("kind", "")
    if not isinstance(passage, str) or passage not in passages:
        raise DatasetError(f"{where}: passage is {shown(passage)}, which is none of {len(passages)} passages")
    if not isinstance(fact, str):
        raise DatasetError(f"{where}: fact is {shown(fact)}; it must be a text")
    if not isinstance(label, str) or label not in RIGHT:
        raise DatasetError(f"{where}: label is {shown(label)}; it must be one of {', '.join(RIGHT)}")
    if not isinstance(kind, str):
        raise DatasetError(f"{where}: kind is {shown(kind)}; it must be a text, or be left out")
    return Labelled(passage=passage, fact=fact, label=label, kind=kind)


def measure(labelled: LabelledSet, prepare: Prepare) -> MatcherError:
    """Match every labelled fact against its passage."""
    prepared: dict[str, Matching] = {}
    verdicts = []
    for each in labelled.facts:
        if each.passage not in prepared:
            prepared[each.passage] = prepare(labelled.passages[each.passage])
        verdicts.append((each, prepared[each.passage].match(each.fact).verdict))
    sorts = {(each.label, each.kind) for each in labelled.facts}
    order = sorted(sorts, key=lambda sort: ((FALSE, TRUE, NO_FACT).index(sort[0]), sort[1]))
    return MatcherError(
        false=_tally(verdicts, FALSE, ""),
        true=_tally(verdicts, TRUE, ""),
        kinds=tuple(_tally([v for v in verdicts if v[0].kind == kind], label, kind) for label, kind in order),
    )


def _tally(verdicts: Sequence[tuple[Labelled, Support]], label: str, kind: str) -> Tally:
    own = [verdict for each, verdict in verdicts if each.label == label]
    return Tally(
        label=label, kind=kind, n=len(own), right=own.count(RIGHT[label]), undecided=own.count(Support.UNDECIDED)
    )


class Yardstick:
    """The matcher's own error, measured once and only when it is needed; None where nothing is labelled."""

    def __init__(self, labelled: LabelledSet | None, prepare: Prepare) -> None:
        self.labelled = labelled
        self._prepare = prepare

    @cached_property
    def error(self) -> MatcherError | None:
        """How well the matcher judges what people labelled."""
        return None if self.labelled is None else measure(self.labelled, self._prepare)
