"""From two builds' exchanges to the counts of a paired comparison. Every planned question is in n."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twx_accept.claims.multiple_choice.questions import Question, QuestionSet
from twx_accept.claims.multiple_choice.scoring import Scoring
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Score, Unscored
from twx_accept.errors import PairingError

Scored = Score | Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One question and what came of it on both sides."""

    question: Question
    original: Scored
    build: Scored

    @property
    def original_right(self) -> bool:
        """Whether the original is right; without a score it counts as right, the worst for the build."""
        return isinstance(self.original, Unscored) or self.original.right

    @property
    def build_right(self) -> bool:
        """Whether the build is right; without a score it counts as wrong, the worst for the build."""
        return isinstance(self.build, Score) and self.build.right

    @property
    def tied(self) -> bool:
        """Whether either side has two choices exactly level at the top."""
        return any(isinstance(side, Score) and len(side.tied) > 1 for side in (self.original, self.build))

    def with_ties_against_the_build(self) -> tuple[bool, bool]:
        """Right for the original, right for the build, with every tie given against the build."""
        original = self.original_right or (
            isinstance(self.original, Score) and self.question.answer in self.original.tied
        )
        build = self.build_right and isinstance(self.build, Score) and len(self.build.tied) == 1
        return original, build


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The 2 x 2 table of a paired comparison of ``n`` questions."""

    both: int
    only_original: int
    only_build: int
    neither: int

    @property
    def n(self) -> int:
        """All questions."""
        return self.both + self.only_original + self.only_build + self.neither

    @classmethod
    def of(cls, outcomes: Sequence[tuple[bool, bool]]) -> "Counts":
        """Counts (right for the original, right for the build)."""
        return cls(
            both=outcomes.count((True, True)),
            only_original=outcomes.count((True, False)),
            only_build=outcomes.count((False, True)),
            neither=outcomes.count((False, False)),
        )


def pair(scoring: Scoring, questions: QuestionSet, original: BuildEvidence, build: BuildEvidence) -> tuple[Pair, ...]:
    """Every planned question with both scores.

    Raises:
        PairingError: the two sides were not asked the same thing, naming the first questions.
    """
    left, right = _by_key(original), _by_key(build)
    different = [name for name in _answered(left, right) if _asked(left[name]) != _asked(right[name])]
    if different:
        names = ", ".join(sorted({name.item for name in different})[:5])
        raise PairingError(
            f"{len(different)} requests differ between {original.build} and {build.build} "
            f"(first: {names}): another tokenizer, or other questions under the same ids"
        )
    return tuple(
        Pair(question=question, original=scoring.score(question, left), build=scoring.score(question, right))
        for question in questions.questions
    )


def _by_key(evidence: BuildEvidence) -> Mapping[Key, Exchange]:
    exchanges = evidence.exchanges.get("multiple_choice", ())
    found = {exchange.request.key: exchange for exchange in exchanges}
    if len(found) != len(exchanges):
        raise PairingError(f"{evidence.build}: {len(exchanges) - len(found)} exchanges stand twice under one key")
    return found


def _answered(left: Mapping[Key, Exchange], right: Mapping[Key, Exchange]) -> list[Key]:
    return [key for key in left if key in right and left[key].answer is not None and right[key].answer is not None]


def _asked(exchange: Exchange) -> tuple[str, Any]:
    """What was asked and, where the server says it, which tokens it read."""
    answer = exchange.answer or {}
    read = answer.get("tokens") or [choice.get("prompt_token_ids") for choice in exchange.choices()]
    return exchange.request.digest, read
