"""Questions with choices, checked row by row."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from twx_accept.claims._cells import folded, is_line, is_text, once, shown
from twx_accept.claims._memo import Memo
from twx_accept.domain.exchange import digest
from twx_accept.domain.source import Row, Sources
from twx_accept.errors import DatasetError

COLUMNS = ("subject", "question", "choices", "answer")
"""What a row must have; ``id`` it may have."""

SHOTS = 5
"""Worked examples before each question by letter (Hendrycks et al. 2021, section 3)."""

"""Lone surrogates: JSON can spell them, and they have no UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. ``answer`` is the index of the right one of its ``choices``; ``id`` is unique in its set."""

    id: str
    subject: str
    text: str
    choices: tuple[str, ...]
    answer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """The questions in their registered order, the examples of each subject, and the digest of both."""

    questions: tuple[Question, ...]
    shots: dict[str, tuple[Question, ...]]
    digest: str


def load(sources: Sources, source: str, *, with_shots: bool, per_subject: int | None) -> QuestionSet:
    """The question set of that source.

    Args:
        sources: where rows come from.
        source: its name, a path or a hub name.
        with_shots: whether five examples of each subject are needed (split ``dev``).
        per_subject: keep only the first so many questions of each subject, in order; None keeps all.

    Raises:
        DatasetError: a row is malformed, an id stands twice, a subject has fewer than five examples.
    """
    questions = _parse(source, "test", sources.rows(source, "test"))
    if per_subject is not None:
        questions = _first(questions, per_subject)
    shots: dict[str, tuple[Question, ...]] = {}
    if with_shots:
        examples = _parse(source, "dev", sources.rows(source, "dev"))
        shots = _shots(source, examples, {question.subject for question in questions})
    parts = [_plain(question) for question in questions]
    return QuestionSet(
        questions=questions,
        shots=shots,
        digest=digest([parts, {subject: [_plain(shot) for shot in shots[subject]] for subject in shots}]),
    )


def repeated(questions: Sequence[Question]) -> frozenset[str]:
    """The ids of the questions that ask the same as an earlier one: the same words and choices, in whatever order.

    A set that is in use has some (MMLU has), so that they are no error; but the same question asked twice tells nothing
    new, and asked a hundred times it would make any interval narrow.
    """
    return _REPEATED.of(questions, make=lambda: _repeated(questions))


_REPEATED: Memo[frozenset[str]] = Memo()


def _repeated(questions: Sequence[Question]) -> frozenset[str]:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    again = []
    for question in questions:
        asks = folded(question.text), tuple(sorted(map(folded, question.choices)))
        if asks in seen:
            again.append(question.id)
        seen.add(asks)
    return frozenset(again)


def _parse(source: str, split: str, rows: Sequence[Row]) -> tuple[Question, ...]:
    seen: Counter[str] = Counter()
    questions = [_question(f"{source} ({split}, row {number})", row, seen) for number, row in enumerate(rows)]
    once(f"{source} ({split})", [question.id for question in questions])
    return tuple(questions)


def _question(where: str, row: Row, seen: Counter[str]) -> Question:
    """One row; where it has no id, its subject and its number within the subject make one."""
    if absent := [name for name in COLUMNS if name not in row]:
        has = ", ".join(map(shown, row)) or "none"
        raise DatasetError(
            f"{where}: no column {' and no '.join(absent)}; rows need {', '.join(COLUMNS)} (it has: {has})"
        )
    subject, text, choices, answer = (row[name] for name in COLUMNS)
    if not is_line(subject):
        raise DatasetError(f"{where}: subject is {shown(subject)}; it must be a word")
    if not is_text(text):
        raise DatasetError(f"{where}: question is {shown(text)}; it must be a text")
    if not isinstance(choices, list) or not 2 <= len(choices) <= 26:
        raise DatasetError(f"{where}: choices is {shown(choices)}; it must be a list of 2 to 26 texts")
    if not all(is_text(choice) for choice in choices):
        raise DatasetError(f"{where}: choices is {shown(choices)}; each must be a text that is not empty")
    if not isinstance(answer, int) or isinstance(answer, bool) or not 0 <= answer < len(choices):
        raise DatasetError(f"{where}: answer is {shown(answer)}; it must be the number of a choice, from 0")
    name = row.get("id", f"{subject}-{seen[subject]}")
    if not is_line(name):
        raise DatasetError(f"{where}: id is {shown(name)}; it must be a text of one line, or leave the column out")
    seen[subject] += 1
    return Question(id=name, subject=subject, text=text, choices=tuple(choices), answer=answer)


def _first(questions: Sequence[Question], per_subject: int) -> tuple[Question, ...]:
    taken: dict[str, int] = {}
    kept = []
    for question in questions:
        taken[question.subject] = taken.get(question.subject, 0) + 1
        if taken[question.subject] <= per_subject:
            kept.append(question)
    return tuple(kept)


def _shots(source: str, examples: Sequence[Question], subjects: set[str]) -> dict[str, tuple[Question, ...]]:
    """The first five examples of each subject, from that subject alone."""
    shots: dict[str, tuple[Question, ...]] = {}
    for subject in sorted(subjects):
        own = tuple(example for example in examples if example.subject == subject)[:SHOTS]
        if len(own) < SHOTS:
            raise DatasetError(f"{source} (dev): subject {subject!r} has {len(own)} examples; scoring needs {SHOTS}")
        shots[subject] = own
    return shots


def _plain(question: Question) -> list[object]:
    return [question.id, question.subject, question.text, list(question.choices), question.answer]
