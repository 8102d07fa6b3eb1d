"""The error of what judges facts, from facts that people labelled: what the registered margin is worth after it.

A rate that is measured with sensitivity s and specificity t moves by s + t - 1 points for each point that the true rate
moves (Rogan and Gladen 1978, American Journal of Epidemiology 107:71-76). A margin is made smaller by that factor: by
the factor itself for the matcher alone, whose error is counted once and registered; by its lower bound for matcher and
judge, whose error each run measures anew.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from twx_accept.claims._cells import folded, is_line, is_text, once, shown
from twx_accept.claims.made_up_facts.supporting import Matching, Prepare, Support
from twx_accept.domain.exchange import digest
from twx_accept.domain.source import Row, Sources
from twx_accept.errors import DatasetError
from twx_accept.statistics.clustered import ratio_difference
from twx_accept.statistics.independent import newcombe_hybrid_interval

TRUE, FALSE, NO_FACT = "supported", "unsupported", "not_a_fact"
"""What people say of a fact: the passage states it; it does not; it is no statement about the passage's subject."""

RIGHT = {TRUE: Support.SUPPORTED, FALSE: Support.UNSUPPORTED, NO_FACT: Support.NOT_A_FACT}
PASSAGES = "passages"
OPEN = "open"
"""The split of labelled facts that anybody may read. Those of every other split are counted, and never shown."""

ALPHA = 0.025
"""Of the lower bound, one-sided, where no claim says another."""

MATCHER = "the matcher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One fact about a passage, as people labelled it. ``kind`` is the pattern of its wording or of its slip."""

    passage: str
    fact: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Labelled facts, the passages that they are about, and the digest of both. ``sealed``: nobody may read them."""

    facts: tuple[Labelled, ...]
    passages: dict[str, str]
    digest: str
    sealed: bool = True


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
    """How well facts are judged, and by whom. ``kinds`` are the tallies of each kind, false ones first.

    ``lower`` is the lower bound of ``factor``, the smaller of two: clustered by passage (CR1, t), since one passage's
    facts err together, and Newcombe's for independent rates, which does not close up where none errs. ``bounded``: it
    is what decides.
    """

    false: Tally
    true: Tally
    kinds: tuple[Tally, ...]
    lower: float
    who: str = MATCHER
    bounded: bool = False

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

    @property
    def worth(self) -> float:
        """What a point of a registered margin is worth."""
        return self.lower if self.bounded else self.factor


def load(sources: Sources, source: str, split: str) -> LabelledSet:
    """The labelled facts of a source.

    Raises:
        DatasetError: a row is malformed, or there are no true or no false facts.
    """
    passages = dict(_passage(f"{source} ({PASSAGES}, row {n})", row) for n, row in enumerate(_rows(sources, source)))
    rows = sources.rows(source, split)
    once(f"{source} ({split})", [str(row["id"]) for row in rows if "id" in row])
    facts = tuple(_fact(f"{source} ({split}, row {n})", row, passages) for n, row in enumerate(rows))
    _refuse_repeated(f"{source} ({split})", facts)
    for label in (TRUE, FALSE):
        if not any(fact.label == label for fact in facts):
            raise DatasetError(f"{source} ({split}): holds no fact labelled {label}; the matcher's error needs both")
    plain = [[each.passage, each.fact, each.label, each.kind] for each in facts]
    return LabelledSet(facts=facts, passages=passages, digest=digest([passages, plain]), sealed=split != OPEN)


def _refuse_repeated(where: str, facts: Sequence[Labelled]) -> None:
    """An easy fact that stands many times would make any matcher look good. Its text is not told: it may be sealed."""
    first: dict[tuple[str, str, str], int] = {}
    for n, each in enumerate(facts):
        other = first.setdefault((each.passage, each.label, folded(each.fact)), n)
        if other != n:
            raise DatasetError(
                f"{where}: row {n} says of passage {each.passage!r:.60} what row {other} says; a fact that stands "
                "twice counts twice in the matcher's error: leave one of them out"
            )


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


def match(labelled: LabelledSet, prepare: Prepare) -> tuple[Support, ...]:
    """The matcher's verdict on every labelled fact, in their order."""
    prepared: dict[str, Matching] = {}
    for each in labelled.facts:
        if each.passage not in prepared:
            prepared[each.passage] = prepare(labelled.passages[each.passage])
    return tuple(prepared[each.passage].match(each.fact).verdict for each in labelled.facts)


def measure(
    facts: Sequence[Labelled],
    verdicts: Sequence[Support],
    alpha: float = ALPHA,
    *,
    who: str = MATCHER,
    bounded: bool = False,
) -> MatcherError:
    """The error of verdicts on labelled facts, both in the same order, with a true and a false one among them.

    Args:
        facts: what people say.
        verdicts: what was found.
        alpha: one-sided error rate of the lower bound.
        who: whose verdicts they are.
        bounded: whether the lower bound decides.
    """
    pairs = list(zip(facts, verdicts, strict=True))
    sorts = {(each.label, each.kind) for each in facts}
    order = sorted(sorts, key=lambda sort: ((FALSE, TRUE, NO_FACT).index(sort[0]), sort[1]))
    return MatcherError(
        false=tally(pairs, FALSE),
        true=tally(pairs, TRUE),
        kinds=tuple(tally([pair for pair in pairs if pair[0].kind == kind], label, kind) for label, kind in order),
        lower=_lower(pairs, alpha),
        who=who,
        bounded=bounded,
    )


def tally(pairs: Sequence[tuple[Labelled, Support]], label: str, kind: str = "") -> Tally:
    """Of those facts the ones of a label, called by that kind."""
    own = [verdict for each, verdict in pairs if each.label == label]
    return Tally(
        label=label, kind=kind, n=len(own), right=own.count(RIGHT[label]), undecided=own.count(Support.UNDECIDED)
    )


def _lower(pairs: Sequence[tuple[Labelled, Support]], alpha: float) -> float:
    """The lower bound of the share of false facts caught minus the share of true ones lost, which is the factor."""
    passages: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])  # true: lost, of; false: caught, of
    for each, verdict in pairs:
        if each.label in (TRUE, FALSE):
            right, place = verdict is RIGHT[each.label], 2 * (each.label == FALSE)
            passages[each.passage][place] += right if each.label == FALSE else not right
            passages[each.passage][place + 1] += 1
    counts = list(passages.values())
    lost, true, caught, false = (sum(column) for column in zip(*counts, strict=True))
    bounds = [newcombe_hybrid_interval(caught, false, lost, true, 1 - 2 * alpha).lower]
    if len(counts) > 1:
        x_lost, m_true, x_caught, m_false = (list(column) for column in zip(*counts, strict=True))
        bounds.append(ratio_difference(x_lost, m_true, x_caught, m_false, alpha).lower)
    return min(bounds)


class Yardstick:
    """The matcher's own error, measured once and only when it is needed; None where nothing is labelled."""

    def __init__(self, labelled: LabelledSet | None, prepare: Prepare, alpha: float = ALPHA) -> None:
        self.labelled = labelled
        self.alpha = alpha
        self._prepare = prepare

    @cached_property
    def verdicts(self) -> tuple[Support, ...]:
        """The matcher's verdict on every labelled fact."""
        return () if self.labelled is None else match(self.labelled, self._prepare)

    @cached_property
    def error(self) -> MatcherError | None:
        """How well the matcher judges what people labelled."""
        return None if self.labelled is None else measure(self.labelled.facts, self.verdicts, self.alpha)
