"""Questions: what a row must be, the examples of each subject, and the sets that the project uses."""

import json
import os
from collections import Counter
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import load, repeated
from twx_accept.errors import DatasetError
from twx_accept.sources import FileOrHub

REPOSITORY = Path(__file__).parents[3]
EVERYDAY = REPOSITORY / "fixtures" / "questions" / "everyday"
ROW = {"subject": "anatomy", "question": "Which bone?", "choices": ["femur", "ulna", "tibia"], "answer": 2}


def refusal(source, test, dev=(), *, with_shots=False):
    """What is said of a set of questions that is not accepted, in one line."""
    with pytest.raises(DatasetError) as caught:
        load(source(test, dev), "questions", with_shots=with_shots, per_subject=None)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def questions(source, test, **options):
    """The accepted questions."""
    return load(source(test), "questions", with_shots=False, per_subject=None, **options).questions


def test_row_without_an_id_is_named_by_its_subject(source):
    """Questions are numbered within their subject where the source has no ids."""
    other = ROW | {"subject": "law"}
    assert [question.id for question in questions(source, [ROW, other, ROW])] == ["anatomy-0", "law-0", "anatomy-1"]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("answer", True, "answer is True; it must be the number of a choice, from 0"),
        ("answer", "1", "answer is '1'"),
        ("answer", 3, "answer is 3"),
        ("answer", -1, "answer is -1"),
        ("answer", 1.0, "answer is 1.0"),
        ("answer", None, "answer is None"),
        ("answer", float("nan"), "answer is nan"),
        ("answer", numpy.bool_(True), "answer is"),
        ("answer", numpy.float64(1), "answer is"),
        ("choices", ["a"], "it must be a list of 2 to 26 texts"),
        ("choices", [str(number) for number in range(27)], "it must be a list of 2 to 26 texts"),
        ("choices", ("a", "b"), "it must be a list of 2 to 26 texts"),
        ("choices", "ab", "it must be a list of 2 to 26 texts"),
        ("choices", numpy.array([["a" * 30, "b"], ["c", "d"]]), "it must be a list of 2 to 26 texts"),
        ("choices", ["a", 1, "c"], "each must be a text that is not empty"),
        ("choices", ["a", "", "c"], "each must be a text that is not empty"),
        ("choices", ["a", " \n", "c"], "each must be a text that is not empty"),
        ("choices", ["a", None, "c"], "each must be a text that is not empty"),
        ("choices", ["a", "\ud800", "c"], "each must be a text that is not empty"),
        ("question", "", "question is ''; it must be a text"),
        ("question", None, "question is None"),
        ("question", b"bytes", "question is b'bytes'"),
        ("question", "half \udfff", "question is 'half \\udfff'"),
        ("subject", None, "subject is None; it must be a word"),
        ("subject", "two\nlines", "subject is 'two\\nlines'"),
        ("id", 7, "id is 7; it must be a text of one line, or leave the column out"),
        ("id", None, "id is None"),
        ("id", "", "id is ''"),
        ("id", "two\nlines", "id is 'two\\nlines'"),
        ("id", "a\0b", "id is 'a\\x00b'"),
    ],
)
def test_broken_row_is_named(source, field, value, told):
    """A row that is no question is told with its number, its field and its value."""
    message = refusal(source, [ROW, ROW | {field: value}])
    assert message.startswith("questions (test, row 1): ")
    assert told in message


def test_absent_fields_are_named(source):
    """A source with other columns is told which are missing, which are needed, and which it has."""
    row = {"subject": "law", "prompt": "Which?", "choices": ["a", "b"], "a\nb": 1}
    assert refusal(source, [row]) == (
        "questions (test, row 0): no column question and no answer; rows need subject, question, choices, answer "
        "(it has: 'subject', 'prompt', 'choices', 'a\\nb')"
    )
    assert refusal(source, [{}]).endswith("(it has: none)")


def test_numbers_of_numpy_are_refused_by_name(source):
    """Rows are plain Python; whoever hands over other types is told where."""
    assert "row 0): answer is" in refusal(source, [ROW | {"answer": numpy.int64(1)}])


def test_doubled_ids_are_listed(source):
    """Ids that stand twice are listed, also where one was given and the other made."""
    named = [ROW | {"id": name} for name in ("x", "a", "x", "a", "x", "b")]
    assert refusal(source, named) == ("questions (test): 2 ids stand twice: 'x', 'a'; every row needs its own")
    assert "'anatomy-0'" in refusal(source, [ROW, ROW | {"id": "anatomy-0"}])


def test_ids_may_look_like_anything_in_one_line(source):
    """Slashes, markup and quotes in an id are kept as they are."""
    hostile = ["../../etc/passwd", "<script>alert(1)</script>", "a'; DROP TABLE x", "$(reboot)", "日本"]
    assert [q.id for q in questions(source, [ROW | {"id": name} for name in hostile])] == hostile


@given(
    row=st.fixed_dictionaries(
        {},
        optional={
            name: st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                lambda inner: st.lists(inner, max_size=3),
                max_leaves=4,
            )
            for name in ("id", "subject", "question", "choices", "answer")
        },
    )
)
def test_any_row_is_a_question_or_one_line(source, row):
    """Whatever a row holds, it is a question or a DatasetError of one line."""
    try:
        said = questions(source, [ROW | row])[0].subject
    except DatasetError as error:
        said = str(error)
    assert len(said.splitlines()) == 1


def test_limit_takes_the_first_questions_of_each_subject(source, rows):
    """A limit counts within each subject and keeps the order, however subjects are mixed."""
    mixed = [row for pair in zip(rows(3, "law"), rows(3, "art"), strict=True) for row in pair]
    limited = load(source(mixed), "questions", with_shots=False, per_subject=2)
    assert [question.id for question in limited.questions] == ["law-0", "art-0", "law-1", "art-1"]


def test_examples_are_the_first_five_of_the_own_subject(source, rows):
    """Each subject has its own first five examples, in order, and one with four is named."""
    dev = [*rows(6, "law"), *rows(5, "art")]
    found = load(source([*rows(1, "art"), *rows(1, "law")], dev), "questions", with_shots=True, per_subject=None)
    assert {subject: [shot.id for shot in shots] for subject, shots in found.shots.items()} == {
        subject: [f"{subject}-{number}" for number in range(5)] for subject in ("art", "law")
    }
    assert "subject 'law' has 4 examples; scoring needs 5" in refusal(
        source, rows(1, "law"), rows(4, "law"), with_shots=True
    )


def test_digest_changes_with_anything_that_is_asked(source, rows):
    """Order, text, choices, answer, id and examples are all part of the registered digest."""

    def digest(test, dev):
        return load(source(test, dev), "questions", with_shots=True, per_subject=None).digest

    test, dev = rows(2), rows(5)
    variants = [
        (test, dev),
        (test[::-1], dev),
        (test[:1], dev),
        *(([test[0] | change, test[1]], dev) for change in ({"id": "x"}, {"question": "x"}, {"answer": 1})),
        (test, [dev[0] | {"question": "x"}, *dev[1:]]),
    ]
    assert len({digest(*variant) for variant in variants}) == len(variants)
    assert digest(test, dev) == digest([dict(row) for row in test], dev)


@pytest.fixture(scope="module")
def everyday():
    """The bundled rows by split."""
    return {
        split: [json.loads(line) for line in (EVERYDAY / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]
        for split in ("test", "dev")
    }


def test_bundled_questions_are_480_in_12_subjects(everyday):
    """The embedded set has 40 questions of each of 12 subjects, and 5 examples of each."""
    subjects = Counter(row["subject"] for row in everyday["test"])
    assert len(subjects) == 12
    assert set(subjects.values()) == {40}
    assert Counter(row["subject"] for row in everyday["dev"]) == dict.fromkeys(subjects, 5)


def test_bundled_answers_are_balanced(everyday):
    """No letter is right more often than another, over all and nearly so in each subject."""
    assert set(Counter(row["answer"] for row in everyday["test"]).values()) == {120}
    for subject in {row["subject"] for row in everyday["test"]}:
        counts = Counter(row["answer"] for row in everyday["test"] if row["subject"] == subject)
        assert set(counts) == {0, 1, 2, 3}
        assert max(counts.values()) <= 15


def test_no_bundled_question_stands_twice(everyday):
    """Over both splits no question is asked twice, no example is a test question, and no choice repeats."""
    asked = [" ".join(row["question"].casefold().split()) for split in everyday.values() for row in split]
    assert len(set(asked)) == 540
    for row in [*everyday["test"], *everyday["dev"]]:
        assert len({choice.casefold().strip() for choice in row["choices"]}) == 4


def test_bundled_questions_are_accepted():
    """The embedded set loads with its examples."""
    found = load(FileOrHub(folder=EVERYDAY.parent), "everyday", with_shots=True, per_subject=None)
    assert len(found.questions) == 480
    assert all(len(shots) == 5 for shots in found.shots.values())


@pytest.fixture(scope="module")
def mmlu():
    """MMLU as it was published, from TWX_ACCEPT_MMLU or from beside the repository."""
    named = os.environ.get("TWX_ACCEPT_MMLU")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data" / "mmlu"
    if not named and not folder.is_dir():
        pytest.skip("MMLU is not here: set TWX_ACCEPT_MMLU to a folder with its test.parquet and dev.parquet")
    return load(FileOrHub(folder=folder), str(folder.resolve()), with_shots=True, per_subject=None)


def test_mmlu_is_whole(mmlu):
    """All 14,042 test questions of 57 subjects load, with five examples each and the known split of answers."""
    assert len(mmlu.questions) == 14_042
    assert len({question.subject for question in mmlu.questions}) == 57
    assert set(mmlu.shots) == {question.subject for question in mmlu.questions}
    assert Counter(question.answer for question in mmlu.questions) == {0: 3222, 1: 3462, 2: 3582, 3: 3776}


def test_prompts_of_mmlu_follow_the_template(mmlu):
    """Every real prompt names its subject, has five examples and the question, and ends right after ``Answer:``."""
    scoring = Letter(mmlu)
    for question in mmlu.questions:
        prompt = scoring.prompt(question)
        spaced = question.subject.replace("_", " ")
        assert prompt.startswith(f"The following are multiple choice questions (with answers) about {spaced}.\n\n")
        assert prompt.endswith(f"\nD. {question.choices[3]}\nAnswer:")
        assert f"\n\n{question.text.strip()}\nA. {question.choices[0]}\nB. " in prompt
        assert prompt.count("\nAnswer:") >= 6


def test_first_prompt_of_mmlu_is_known_byte_for_byte(mmlu):
    """The first question of abstract algebra gives the prompt of lm-evaluation-harness' ``mmlu``."""
    prompt = Letter(mmlu).prompt(mmlu.questions[0])
    assert prompt.startswith(
        "The following are multiple choice questions (with answers) about abstract algebra.\n\n"
        "Find all c in Z_3 such that Z_3[x]/(x^2 + c) is a field.\nA. 0\nB. 1\nC. 2\nD. 3\nAnswer: B\n\n"
        "Statement 1 | If aH is an element of a factor group, then |aH| divides |a|."
    )
    assert prompt.endswith(
        "\n\nFind the degree for the given field extension Q(sqrt(2), sqrt(3), sqrt(18)) over Q.\n"
        "A. 0\nB. 4\nC. 2\nD. 6\nAnswer:"
    )


def test_a_question_is_known_again_however_it_is_spaced_and_ordered(source):
    """Spaces, capitals and the order of the choices make no other question; another choice or word does."""
    texts = ["What is it?", " what  IS it?\n", "What is it?", "What is it?", "What was it?"]
    choices = [["a", "b"], ["B ", "a"], ["a", "b"], ["a", "c"], ["a", "b"]]
    rows_ = [
        {"id": str(at), "subject": "s", "question": text, "choices": listed, "answer": 0}
        for at, (text, listed) in enumerate(zip(texts, choices, strict=True))
    ]
    assert repeated(questions(source, rows_)) == {"1", "2"}
