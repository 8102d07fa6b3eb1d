"""Scoring by letter: the prompt byte for byte, the letters' tokens, and the score of what comes back."""

from dataclasses import replace

import pytest

from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import load
from twx_accept.domain.exchange import Score, Unscored
from twx_accept.errors import InvalidClaim

PROMPT = """\
The following are multiple choice questions (with answers) about high school biology.

Which organ pumps blood?
A. heart
B. liver
C. lung
D. skin
Answer: A

Which gas do plants take in?
A. oxygen
B.  helium
C. carbon dioxide
D. neon
Answer: C

How many legs has a spider?
A. 4
B. 6
C. 10
D. 8
Answer: D

What carries oxygen?
A. plasma
B. hemoglobin
C. bile
D. saliva
Answer: B

Where is DNA kept?
A. nucleus
B. membrane
C. wall
D. flagellum
Answer: A

Which of these is a mammal?
A. trout
B. whale\x20
C. frog
D. gecko
Answer:"""
DEV = [
    ("Which organ pumps blood?", ["heart", "liver", "lung", "skin"], 0),
    (" Which gas do plants take in?\n", ["oxygen", " helium", "carbon dioxide", "neon"], 2),
    ("How many legs has a spider?", ["4", "6", "10", "8"], 3),
    ("What carries oxygen?", ["plasma", "hemoglobin", "bile", "saliva"], 1),
    ("Where is DNA kept?", ["nucleus", "membrane", "wall", "flagellum"], 0),
]
QUESTION = (" Which of these is a mammal?", ["trout", "whale ", "frog", "gecko"], 1)


def row(text, choices, answer, subject="high_school_biology"):
    """A row of a source."""
    return {"subject": subject, "question": text, "choices": choices, "answer": answer}


@pytest.fixture
def scoring(source):
    """Makes the scoring of a set of questions."""

    def make(test, dev):
        return Letter(load(source(test, dev), "questions", with_shots=True, per_subject=None))

    return make


def test_prompt_is_known_byte_for_byte(scoring):
    """Five examples, then the question: questions are stripped, choices are not, and nothing follows ``Answer:``."""
    letter = scoring([row(*QUESTION)], [row(*each) for each in DEV])
    assert letter.prompt(letter.questions.questions[0]) == PROMPT


def test_each_subject_has_its_own_examples(scoring, rows):
    """The prompt of one subject holds no example of another, whichever comes first in the source."""
    subjects = ("abstract_algebra", "anatomy")
    test = [each for subject in subjects for each in rows(2, subject)]
    dev = [{**each, "question": f"Example of {subject}?"} for subject in subjects for each in rows(5, subject)]
    letter = scoring(test, dev)
    for question in letter.questions.questions:
        prompt = letter.prompt(question)
        assert prompt.count(f"Example of {question.subject}?") == 5
        assert prompt.count("Example of ") == 5


def test_one_request_a_question_asks_for_exact_letters(letter, rows, answered):
    """A request reads one step, at temperature 0, of given ids over the whole vocabulary, and of no other token."""
    claim = letter(rows(2))
    exchanges = answered(claim, lambda _: 0)
    requests = [each.request for each in exchanges if each.request.key.arm == "answer"]
    assert [request.key.item for request in requests] == ["anatomy-0", "anatomy-1"]
    body = requests[0].body
    ids = body["logprob_token_ids"]
    assert len(set(ids)) == 4
    assert body == {
        "prompt": [claim.scoring.prompt(claim.questions.questions[0])],
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": 1,
        "logprob_token_ids": ids,
        "return_tokens_as_token_ids": True,
        "return_token_ids": True,
        "add_special_tokens": False,
    }
    assert {each.request.body["add_special_tokens"] for each in exchanges} == {False}


def test_builds_that_split_texts_alike_are_asked_the_very_same(letter, rows, answered):
    """Their plans are held once; of a build that splits them in another way it is another plan."""
    claim = letter(rows(2))
    one, other = (claim.follow_up(answered(claim, say)) for say in (lambda _: 0, lambda _: 1))
    assert all(left is right for left, right in zip(one, other, strict=True))
    in_another_way = answered(claim, lambda _: 0, lambda text: [1, ord(text[-1]) + 900] if text[-2] == " " else [1])
    third = claim.follow_up(in_another_way)
    assert [each.body["logprob_token_ids"] for each in third] == [[965, 966, 967, 968]] * 2
    assert [each.body["prompt"] for each in third] == [each.body["prompt"] for each in one]


def test_requests_go_out_by_subject(letter, rows, answered):
    """Questions of one subject follow each other, so that they share the server's prefix cache."""
    mixed = [each for pair in zip(rows(2, "law"), rows(2, "art"), strict=True) for each in pair]
    asked = [each.request.key for each in answered(letter(mixed), lambda _: 0)]
    assert [key.item for key in asked if key.arm == "answer"] == ["law-0", "law-1", "art-0", "art-1"]


def test_fewer_and_more_choices_ask_for_their_letters(letter, rows, answered):
    """Three choices ask for A to C, five for A to E, in one set."""
    claim = letter([*rows(1, "law", choices=3), *rows(1, "art", choices=5, answer=4)])
    exchanges = answered(claim, lambda question: question.answer)
    found = {each.request.key: each for each in exchanges}
    asked = [each.request.body["logprob_token_ids"] for each in exchanges if each.request.key.arm == "answer"]
    assert [len(ids) for ids in asked] == [3, 5]
    assert asked[1][:3] == asked[0]
    assert "\nE. choice 0 4\nAnswer:" in claim.scoring.prompt(claim.questions.questions[1])
    assert [claim.scoring.score(question, found).right for question in claim.questions.questions] == [True, True]


def merging(text):
    """A tokenizer that merges a letter with the colon before it."""
    return [1, 2] if text.endswith(":") else [1, 3]


def rewriting(text):
    """A tokenizer that cuts the text before the letter in another way."""
    return [1, 2] if text.endswith(":") else [1, 9, ord(text[-1])]


def two_tokens(text):
    """A tokenizer that needs two tokens for a letter."""
    return [1] if text.endswith(":") else [1, 2, ord(text[-1])]


def shared(text):
    """A tokenizer that knows no letter."""
    return [1] if text.endswith(":") else [1, 2]


def shifting(text):
    """A tokenizer whose letters depend on the text before them."""
    return [1] if text.endswith(":") else [1, ord(text[-1]) + ("about law" in text)]


@pytest.mark.parametrize(
    ("tokenizer", "told"),
    [
        (merging, "the letter A is not one token after the prompt of art-0"),
        (rewriting, "the letter A is not one token after the prompt of art-0"),
        (two_tokens, "the letter A is not one token after the prompt of art-0"),
        (shared, "two letters share a token after the prompt of art-0 ([2, 2, 2, 2])"),
        (shifting, "the letters' tokens change with the prompt ((65, 66, 67, 68), then (66, 67, 68, 69))"),
        (lambda _: [], "the server gave no tokens for the prompt of art-0"),
        (lambda _: None, "the server gave no tokens for the prompt of art-0"),
        (lambda _: [True], "the server gave no tokens for the prompt of art-0"),
        (lambda _: ["1"], "the server gave no tokens for the prompt of art-0"),
    ],
)
def test_tokenizer_that_cannot_be_scored_by_letter_is_found_at_boot(letter, rows, answered, tokenizer, told):
    """A letter that is no token of its own makes the claim invalid before a question is asked, and names the cure."""
    with pytest.raises(InvalidClaim) as caught:
        answered(letter([*rows(1, "art"), *rows(1, "law")]), lambda _: 0, tokenizer)
    assert told in str(caught.value)
    assert 'register `scoring = "continuation"` for this model' in str(caught.value)


def score(letter, rows, answered, said, answer=0):
    """The score of one question with four choices, the first one right if nothing else is said."""
    claim = letter(rows(1, answer=answer))
    found = {each.request.key: each for each in answered(claim, lambda _: said)}
    return claim.scoring.score(claim.questions.questions[0], found)


def test_most_likely_letter_is_chosen(letter, rows, answered):
    """The largest log-probability wins, 0 included."""
    assert score(letter, rows, answered, [-3.0, -2.5, 0.0, -9.0]) == Score(
        item="anatomy-0", right=False, chosen=2, values=(-3.0, -2.5, 0.0, -9.0), tied=(2,)
    )
    assert score(letter, rows, answered, [-1, -2, -3, -4]).right


def test_first_of_tied_letters_is_chosen(letter, rows, answered):
    """Letters that are exactly level are all named, and the first of them is the answer."""
    found = score(letter, rows, answered, [-3.0, -1.0, -2.0, -1.0])
    assert (found.chosen, found.tied) == (1, (1, 3))
    assert not found.right
    assert not score(letter, rows, answered, [-1.0, -1.0, -2.0, -3.0], answer=1).right
    found = score(letter, rows, answered, [-1.0, -1.0, -2.0, -3.0])
    assert (found.right, found.tied) == (True, (0, 1))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([-0.2, None, None, None], "the server did not return token"),
        ([-9999.0] * 4, "has the value -9999.0, which is no log-probability"),
        ([-1.0, -2.0, -3.0, -9998.0], "has the value -9998.0"),
        ([-1.0, float("-inf"), -2.0, -3.0], "has the value -inf"),
        ([-1.0, float("nan"), -2.0, -3.0], "has the value nan"),
        ([0.5, -1.0, -2.0, -3.0], "has the log-probability 0.5, above 0"),
        ([-1.0, float("inf"), -2.0, -3.0], "has the log-probability inf, above 0"),
        ([-1.0, True, -2.0, -3.0], "has the value True"),
        ([-1.0, "-1", -2.0, -3.0], "has the value '-1'"),
        ("refused", "no connection: refused"),
    ],
)
def test_answer_that_cannot_be_trusted_is_unscored(letter, rows, answered, said, told):
    """A letter that is missing, poisoned or no log-probability leaves the question without a score, with the reason."""
    found = score(letter, rows, answered, said)
    assert isinstance(found, Unscored)
    assert told in found.reason


def test_ids_that_decode_alike_stay_apart(letter, rows, answered):
    """Letters are told apart by token id: two ids that decode to one text are two letters."""
    claim = letter(rows(1))
    exchanges = answered(claim, lambda _: [-0.7, -0.9, -3.0, -4.0])
    question = exchanges[-1]
    for entry in question.answer["choices"]:
        entry["logprobs"]["tokens"] = ["A", "A"]
        entry["logprobs"]["top_logprobs"][0]["token_id:29909"] = -0.1
    found = claim.scoring.score(claim.questions.questions[0], {question.request.key: question})
    assert found.values == (-0.7, -0.9, -3.0, -4.0)


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [{}, {}]},
        {"choices": [{"logprobs": None}]},
        {"choices": [{"logprobs": {"top_logprobs": None}}]},
        {"choices": [{"logprobs": {"top_logprobs": []}}]},
        {"choices": [{"logprobs": {"top_logprobs": [None]}}]},
        {"choices": [{"logprobs": {"top_logprobs": [{"A": -0.1}]}}]},
        {"choices": [{"logprobs": {"top_logprobs": [{}, {}]}}]},
    ],
)
def test_answer_of_another_form_is_unscored(letter, rows, answered, answer):
    """Whatever else the server answered, it is a question without a score and no crash."""
    claim = letter(rows(1))
    question = replace(answered(claim, lambda _: 0)[-1], answer=answer)
    found = claim.scoring.score(claim.questions.questions[0], {question.request.key: question})
    assert isinstance(found, Unscored)
    assert found.reason


def test_question_that_was_never_asked_is_unscored(letter, rows):
    """No exchange is no wrong answer."""
    claim = letter(rows(1))
    assert claim.scoring.score(claim.questions.questions[0], {}) == Unscored(item="anatomy-0", reason="was never asked")


def test_answers_without_use_are_asked_again(letter, rows, answered, exchanged):
    """What gives no score or no tokens is named for another try; failures are asked again anyway."""
    claim = letter(rows(3))
    said = {"anatomy-0": 0, "anatomy-1": [-9999.0] * 4, "anatomy-2": "refused"}
    exchanges = answered(claim, lambda question: said[question.id])
    assert [key.item for key in claim.unusable(exchanges)] == ["anatomy-1"]
    broken = [exchanged(exchanges[0].request, {"tokens": None}), *exchanges[1:]]
    assert list(claim.unusable(broken)) == [exchanges[0].request.key]
    assert list(claim.unusable([])) == []
