"""From two builds' exchanges to the counts of a paired comparison. Every planned question is in n."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from twx_accept.claims._counts import Counts
from twx_accept.claims._memo import Memo
from twx_accept.claims._pairing import by_key, first, require_planned
from twx_accept.claims.multiple_choice.questions import Question, QuestionSet
from twx_accept.claims.multiple_choice.scoring import CLAIM, Scoring
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request, Score, Unscored
from twx_accept.errors import PairingError

__all__ = ["Counts", "Pair", "Scored", "pair", "right"]

Scored = Score | Unscored

FEWEST_ALIKE = 10
"""Questions whose scores are compared digit by digit; of fewer, coarse kernels may give some alike."""


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


def pair(scoring: Scoring, questions: QuestionSet, original: BuildEvidence, build: BuildEvidence) -> tuple[Pair, ...]:
    """Every planned question with both scores.

    Raises:
        PairingError: the two sides were not asked the same thing, or not what is planned, naming the first questions.
        InvalidClaim: the tokenizer makes scoring meaningless.
    """
    left, right = (by_key(side, CLAIM) for side in (original, build))
    for side, found in ((original, left), (build, right)):
        planned = _PLANNED.of(found, scoring, make=partial(_planned, scoring, found))
        require_planned(side.build, planned, found, "other questions")
    asked, other_asked = (_ASKED.of(found, make=partial(_asked, found)) for found in (left, right))
    different = [at for at, each in asked.items() if at in other_asked and other_asked[at] != each]
    if different:
        raise PairingError(
            f"{len(different)} requests differ between {original.build} and {build.build} "
            f"(first: {first(different)}): another tokenizer; serve both with the original's"
        )
    one, other = (_scores(scoring, questions, found) for found in (left, right))
    return tuple(
        Pair(question=question, original=original_score, build=build_score)
        for question, original_score, build_score in zip(questions.questions, one, other, strict=True)
    )


def _planned(scoring: Scoring, found: Mapping[Key, Exchange]) -> tuple[Request, ...]:
    return (*scoring.opening(), *scoring.answers(found))


_PLANNED: Memo[tuple[Request, ...]] = Memo()
_SCORED: Memo[list[Scored]] = Memo()
"""The scores of one side: a way of scoring belongs to its questions."""


def _scores(scoring: Scoring, questions: QuestionSet, found: Mapping[Key, Exchange]) -> list[Scored]:
    return _SCORED.of(found, scoring, make=lambda: [scoring.score(question, found) for question in questions.questions])


Asked = tuple[str, Any, Any]
"""Path and body of a request and, where the server says it, which tokens it read."""

_ASKED: Memo[Mapping[Key, Asked]] = Memo()


def _asked(found: Mapping[Key, Exchange]) -> Mapping[Key, Asked]:
    """What was asked of one side, as far as it has answered."""
    answered = ((at, each, each.answer) for at, each in found.items())
    return {
        at: (
            each.request.path,
            each.request.body,
            answer.get("tokens") or [choice.get("prompt_token_ids") for choice in each.choices()],
        )
        for at, each, answer in answered
        if answer is not None
    }


def alike(pairs: Iterable[Pair]) -> bool:
    """Whether all scores of both sides are the same to the last digit, and enough of them to mean something."""
    scores = [
        (each.original.values, each.build.values)
        for each in pairs
        if isinstance(each.original, Score) and isinstance(each.build, Score)
    ]
    return len(scores) >= FEWEST_ALIKE and all(one == other for one, other in scores)


def right(sides: Iterable[Scored]) -> int:
    """How many answers are right. What has no score is not, on either side; only the decision takes the worst."""
    return sum(isinstance(side, Score) and side.right for side in sides)
