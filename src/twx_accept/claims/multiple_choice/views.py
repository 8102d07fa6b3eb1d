"""What a reader sees of a comparison of questions: figures with their counts, effects, and the flipped questions."""

from collections.abc import Sequence

from twx_accept.claims._lines import count, points, probability, share
from twx_accept.claims.multiple_choice.comparing import Counts, Pair, Scored
from twx_accept.claims.multiple_choice.comparing import right as count_right
from twx_accept.claims.multiple_choice.scoring import Scoring
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Score, Unscored
from twx_accept.domain.verdict import Count, Effect, Figure, Item, Quantity, Unit
from twx_accept.statistics.paired import McNemar, NonInferiority, tango_interval
from twx_accept.statistics.proportion import wilson

__all__ = ["count", "effects", "figures", "flipped"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CONFIDENCE = 0.95


def figures(
    pairs: Sequence[Pair], counts: Counts, result: NonInferiority, equality: McNemar, ties: Sequence[Count]
) -> tuple[Figure, ...]:
    """The rows of the table: how many are right, and how far that is from the original."""
    original = _right("original/right", [pair.original for pair in pairs])
    build = _right("right", [pair.build for pair in pairs])
    difference = Figure(
        key="difference",
        label="Difference from the original",
        value=Quantity(value=result.difference * 100, unit=Unit.POINTS, digits=2),
        headline=True,
        counts=(
            count("right for both", counts.both),
            count("right only for the original", counts.only_original),
            count("right only for the build", counts.only_build),
            count("right for neither", counts.neither),
            points("lower bound (Tango, one-sided)", result.lower),
            points("upper bound", result.upper),
            probability("p against a loss of the margin", result.p),
            probability("p of equality (McNemar, exact, two-sided)", equality.exact),
            *_design(result),
            *ties,
        ),
    )
    return original, build, difference


def _right(key: str, sides: Sequence[Scored]) -> Figure:
    """How many are right on one side, of all that were planned."""
    right = count_right(sides)
    interval = wilson(right, len(sides), CONFIDENCE)
    return Figure(
        key=key,
        label="Right answers",
        value=share(right / len(sides)),
        counts=(
            count("right", right),
            count("of", len(sides)),
            Count(label="95% interval (Wilson), from", value=share(interval.lower)),
            Count(label="to", value=share(interval.upper)),
            count("without a score", sum(isinstance(side, Unscored) for side in sides)),
        ),
    )


def effects(
    title: str, evidence: BuildEvidence, pairs: Sequence[Pair], result: NonInferiority, equality: McNemar
) -> list[Effect]:
    """The difference with its pass mark and, folded, each subject's (reported, never gated).

    A control is drawn apart: it is so far off that no difference between the others could be seen on its scale.
    """
    build = evidence.build
    whole = Effect(
        chart="multiple_choice, control" if evidence.control else "multiple_choice",
        title=f"{title}: the positive control" if evidence.control else f"{title}: difference from the original",
        label=build,
        difference=result.difference * 100,
        lower=result.lower * 100,
        upper=result.upper * 100,
        margin=result.margin.fraction * 100,
        notes=(
            count("right only for the original", result.b),
            count("right only for the build", result.c),
            probability("p (McNemar)", equality.exact),
        ),
    )
    subjects: dict[str, list[Pair]] = {}
    for pair in pairs:
        subjects.setdefault(pair.question.subject, []).append(pair)
    return [whole, *(_subject(title, build, subject, inside) for subject, inside in subjects.items())]


def _subject(title: str, build: str, subject: str, pairs: Sequence[Pair]) -> Effect:
    counts = Counts.of([(p.original_right, p.build_right) for p in pairs])
    interval = tango_interval(counts.only_original, counts.only_build, counts.n, CONFIDENCE)
    return Effect(
        chart=f"multiple_choice by subject, {build}",
        title=f"{title} by subject, {build} (reported, not gated)",
        label=subject.replace("_", " "),
        difference=(counts.only_build - counts.only_original) / counts.n * 100,
        lower=interval.lower * 100,
        upper=interval.upper * 100,
        notes=(
            count("right only for the original", counts.only_original),
            count("right only for the build", counts.only_build),
            count("of", counts.n),
        ),
        folded=True,
    )


def flipped(short: str, pairs: Sequence[Pair], scoring: Scoring) -> tuple[Item, ...]:
    """Every question that only one side has right, in order, and every one without a score.

    Args:
        short: the question set's short name, the beginning of each permalink.
        pairs: all questions.
        scoring: what says their prompts, and what the choices' values are in.
    """
    return tuple(
        _item(short, pair, scoring.prompt(pair.question), scoring.unit)
        for pair in pairs
        if pair.original_right != pair.build_right or _unscored(pair)
    )


def _item(short: str, pair: Pair, prompt: str, unit: str) -> Item:
    question = pair.question
    direction = "right only for the original" if pair.original_right else "right only for the build"
    if _unscored(pair):
        direction = "without a score"
    return Item(
        id=f"{short}-{question.id}",
        group=question.subject.replace("_", " "),
        direction=direction,
        title=question.text.strip(),
        body=(
            Count(label="prompt", value=prompt),
            Count(label="right answer", value=f"{LETTERS[question.answer]}. {question.choices[question.answer]}"),
            Count(label="the original's answer", value=_answer(pair, pair.original)),
            Count(label="the build's answer", value=_answer(pair, pair.build)),
            *(
                Count(label=f"{LETTERS[index]}. {choice}", value=f"{_values(pair, index)} {unit}")
                for index, choice in enumerate(question.choices)
            ),
        ),
    )


def _answer(pair: Pair, side: Score | Unscored) -> str:
    if isinstance(side, Unscored):
        return f"none: {side.reason}"
    tie = " (tied)" if len(side.tied) > 1 else ""
    return f"{LETTERS[side.chosen]}. {pair.question.choices[side.chosen]}{tie}"


def _values(pair: Pair, index: int) -> str:
    sides = (("original", pair.original), ("build", pair.build))
    return ", ".join(
        f"{name} {side.values[index]:.4f}" if isinstance(side, Score) else f"{name} none" for name, side in sides
    )


def _unscored(pair: Pair) -> bool:
    return isinstance(pair.original, Unscored) or isinstance(pair.build, Unscored)


def _design(result: NonInferiority) -> tuple[Count, ...]:
    effect = result.overturning_design_effect
    if effect is None:
        return ()
    label = "design effect that would overturn the verdict"
    return (Count(label=label, value=Quantity(value=effect, unit=Unit.RATIO, digits=2)),)
