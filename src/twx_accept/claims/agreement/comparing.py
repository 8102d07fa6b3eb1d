"""From two builds' exchanges to what was read on both sides, passage by passage. Every planned passage stays in n."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from twx_accept.claims._memo import Memo
from twx_accept.claims._pairing import Found, by_key, require_planned
from twx_accept.claims._passages import Passage
from twx_accept.claims.agreement import texts
from twx_accept.claims.agreement.asking import Plan
from twx_accept.claims.agreement.keys import PASSAGE, TEXTS, Ids, key
from twx_accept.claims.agreement.measures import Measures, measure, tops
from twx_accept.claims.agreement.reading import rows_of
from twx_accept.claims.agreement.settings import CLAIM
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Request
from twx_accept.errors import InvalidClaim


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What both sides answered to one passage, and how far that lies apart, which is found when it is asked for."""

    original: Distributions
    build: Distributions

    @cached_property
    def measures(self) -> Measures:
        """Everything that tells them apart."""
        return measure(self.original, self.build)

    @cached_property
    def agreed(self) -> int:
        """Where the top tokens agree, which is all that two builds are told of each other."""
        return int((tops(self.original) == tops(self.build)).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One passage and its tokens, which both sides read; ``answers`` is None where a side has none: ``why`` says it.

    A passage that one side did not answer stays in n, and agrees nowhere.
    """

    passage: Passage
    ids: Ids
    answers: Answers | None
    why: str = ""

    @property
    def measures(self) -> Measures | None:
        """How far the two sides lie apart."""
        return None if self.answers is None else self.answers.measures

    @property
    def positions(self) -> int:
        """Places at which a next token is compared: one fewer than there are tokens."""
        return max(len(self.ids) - 1, 0)

    @property
    def agreed(self) -> int:
        """Where the top tokens agree; nowhere in a passage that one side did not answer."""
        return 0 if self.answers is None else self.answers.agreed

    @property
    def tolerated(self) -> int:
        """Where they agree if any of those that tie may be taken."""
        return 0 if self.measures is None else int(self.measures.tolerant.sum())


def read(plan: Plan, original: BuildEvidence, build: BuildEvidence) -> tuple[Reading, ...]:
    """Every planned passage on both sides; the same two sides are read once.

    Raises:
        PairingError: a side was asked something else than is planned, or something twice, naming the passages.
        InvalidClaim: the sides have different tokens for a passage, or no side has any.
    """
    sides = (side.exchanges.get(CLAIM, ()) for side in (original, build))
    return _READ.of(*sides, plan.settings, plan.passages, make=lambda: _read(plan, original, build))


_READ: Memo[tuple[Reading, ...]] = Memo()


def _read(plan: Plan, original: BuildEvidence, build: BuildEvidence) -> tuple[Reading, ...]:
    left, right = (by_key(side, CLAIM) for side in (original, build))
    for side, found in ((original, left), (build, right)):
        planned = _PLANNED.of(found, *_of(plan), make=partial(_planned, plan, found))
        require_planned(side.build, planned, found, "other passages or settings")
    ids = _ids(plan, original, build)
    return tuple(_reading(plan, passage, ids[passage.id], left, right) for passage in plan.passages)


_PLANNED: Memo[tuple[Request, ...]] = Memo()
_IDS: Memo[Mapping[str, Ids]] = Memo()
_SIDES: Memo[Mapping[str, Distributions | str]] = Memo()


def _of(plan: Plan) -> tuple[object, ...]:
    """What a plan is made of: it is itself made anew each time."""
    return plan.settings, plan.passages


def _planned(plan: Plan, found: Found) -> tuple[Request, ...]:
    return (*plan.opening(), *plan.follow_up(found))


def _own_ids(plan: Plan, found: Found) -> Mapping[str, Ids]:
    return _IDS.of(found, *_of(plan), make=lambda: plan.ids(found))


def _reading(plan: Plan, passage: Passage, ids: Ids, left: Found, right: Found) -> Reading:
    original, build = (_side(plan, passage, ids, found) for found in (left, right))
    if isinstance(original, Distributions) and isinstance(build, Distributions):
        answers = Answers(original=original, build=build)
        return Reading(passage=passage, ids=ids, answers=answers)
    sides = (("original", original), ("build", build))
    why = "; ".join(f"{name}: {side}" for name, side in sides if isinstance(side, str))
    return Reading(passage=passage, ids=ids, answers=None, why=why)


def _side(plan: Plan, passage: Passage, ids: Ids, found: Found) -> Distributions | str:
    """The rows of one side, which are looked through once where it said the ids itself."""
    own = _own_ids(plan, found)
    if own.get(passage.id) != ids:
        return _rows(plan, passage, ids, found)
    return _SIDES.of(
        found, *_of(plan), make=lambda: {p.id: _rows(plan, p, own[p.id], found) for p in plan.passages if p.id in own}
    )[passage.id]


def _rows(plan: Plan, passage: Passage, ids: Ids, found: Found) -> Distributions | str:
    if len(ids) < 2:
        return "one token leaves nothing to predict"
    rows = rows_of(found.get(key(passage.id, PASSAGE)), ids, plan.settings.top_k)
    return rows if isinstance(rows, str) else texts.with_texts(rows, ids, found.get(key(passage.id, TEXTS)))


def _ids(plan: Plan, original: BuildEvidence, build: BuildEvidence) -> Mapping[str, Ids]:
    """What was read, known from either side and alike on both."""
    left, right = (_own_ids(plan, by_key(side, CLAIM)) for side in (original, build))
    different = [name for name in left if name in right and left[name] != right[name]]
    if different:
        raise InvalidClaim(
            f"the tokenizer of {build.build} is not that of {original.build}: {len(different)} passages have other "
            f"tokens (first: {', '.join(different[:5])}); serve both with the original's"
        )
    ids = {**right, **left}
    unknown = [passage.id for passage in plan.passages if passage.id not in ids]
    if unknown:
        raise InvalidClaim(
            f"neither server gave the tokens of {len(unknown)} passages (first: {', '.join(unknown[:5])}), so that "
            "nobody knows how many positions are missing; look into the servers' logs, then run again"
        )
    return ids
