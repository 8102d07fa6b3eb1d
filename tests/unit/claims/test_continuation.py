"""Scoring by continuation: both ways of asking give one sum, on a language model small enough to know everything."""

import json
import math
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.claims.multiple_choice import continuation
from twx_accept.claims.multiple_choice.continuation import Continuation
from twx_accept.claims.multiple_choice.questions import load
from twx_accept.domain.exchange import Score, Unscored
from twx_accept.errors import InvalidClaim

BYTES = r" ?[a-z]{1,2}|\n|."
"""A tokenizer of at most two letters a token, so that most choices have several."""


class Model:
    """A language model: a distribution over 5,000 tokens that depends on every token before."""

    def next(self, prefix, token):
        """The log-probability of a token after a prefix."""
        weight = random.Random(repr((*prefix, token))).random()  # noqa: S311 - reproducible, not secret
        return math.log(weight / 5000)

    def answer(self, body):
        """What a server would answer, in whichever way it was asked."""
        choices = []
        for index, prompt in enumerate(body["prompt"]):
            choice = {"index": index}
            if "logprob_token_ids" in body:
                ids = body["logprob_token_ids"]
                choice["logprobs"] = {"top_logprobs": [{f"token_id:{t}": self.next(prompt, t) for t in ids}]}
            if "prompt_logprobs" in body:
                choice["prompt_logprobs"] = [None] + [
                    {str(token): {"logprob": self.next(prompt[:at], token), "rank": 1}}
                    for at, token in enumerate(prompt)
                    if at
                ]
            choices.append(choice)
        return {"choices": choices}


@pytest.fixture
def scoring(source):
    """Makes the scoring of one question."""

    def make(choices, answer=0, text="Which one?"):
        row = {"id": "q", "subject": "s", "question": text, "choices": choices, "answer": answer}
        return Continuation(load(source([row]), "questions", with_shots=False, per_subject=None))

    return make


@pytest.fixture
def ask(exchanged):
    """Asks everything of the model, by the way that is forced or the cheaper one; gives exchanges by key."""

    def run(scoring, encode, way=None):
        cost = {None: 2.5, "trie": math.inf, "prompt": 0.0}[way]
        found = {
            request.key: exchanged(request, {"tokens": encode(request.body["prompt"])}) for request in scoring.opening()
        }
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(continuation, "PROMPT_LOGPROB_COST", cost)
            requests = scoring.answers(found)
        return found | {request.key: exchanged(request, Model().answer(request.body)) for request in requests}

    return run


def request_of(found):
    """The request of the one question."""
    return next(each.request for key, each in found.items() if key.arm == "answer")


def by_hand(encode, text, choices):
    """Nats a byte of each choice, added up token by token."""
    context = encode(f"Question: {text}\nAnswer:")
    paths = [encode(f"Question: {text}\nAnswer: {choice}") for choice in choices]
    start = 0
    while len({tuple(path[: start + 1]) for path in [context, *paths]}) == 1 and start < len(context):
        start += 1
    sums = [sum(Model().next(path[:at], path[at]) for at in range(start, len(path))) for path in paths]
    return [total / len(choice.encode()) for total, choice in zip(sums, choices, strict=True)]


def test_prompt_is_the_question_alone(scoring):
    """No examples, no choices: the stripped question and ``Answer:``, and each choice after a space."""
    made = scoring(["Yes", " no"], text="\n Is it? ")
    assert made.prompt(made.questions.questions[0]) == "Question: Is it?\nAnswer:"
    assert [request.body for request in made.opening()] == [
        {"prompt": f"Question: Is it?\nAnswer:{more}", "add_special_tokens": False} for more in ("", " Yes", "  no")
    ]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_both_ways_give_the_sum_added_by_hand(source, exchanged, tokenizer, data):
    """Given ids along a trie and the prompt's own log-probabilities score every choice alike."""
    choices = data.draw(st.lists(st.text("abcé€ ", min_size=1, max_size=9).filter(str.strip), min_size=2, max_size=5))
    row = {"subject": "s", "question": "Which?", "choices": choices, "answer": 0}
    made = Continuation(load(source([row]), "questions", with_shots=False, per_subject=None))
    encode = tokenizer(BYTES)
    tokens = {r.key: exchanged(r, {"tokens": encode(r.body["prompt"])}) for r in made.opening()}
    expected = by_hand(encode, "Which?", choices)
    for cost, way in ((math.inf, "logprob_token_ids"), (0.0, "prompt_logprobs")):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(continuation, "PROMPT_LOGPROB_COST", cost)
            (request,) = made.answers(tokens)
        assert way in request.body
        found = tokens | {request.key: exchanged(request, Model().answer(request.body))}
        score = made.score(made.questions.questions[0], found)
        assert score.values == pytest.approx(expected, rel=1e-12)
        assert score.chosen == expected.index(max(expected))


def test_bytes_are_counted_not_characters(scoring, ask, tokenizer):
    """A choice of three characters and eight bytes is divided by eight."""
    encode, choices = tokenizer(BYTES), ["€é€", "abc"]
    made = scoring(choices)
    score = made.score(made.questions.questions[0], ask(made, encode))
    assert len(choices[0].encode()) == 8
    assert score.values == pytest.approx(by_hand(encode, "Which one?", choices), rel=1e-12)


@pytest.mark.parametrize("way", ["trie", "prompt"])
def test_choice_that_begins_another_is_scored_alone(scoring, ask, tokenizer, way):
    """A choice that is the beginning of another ends where it ends."""
    encode, choices = tokenizer(), ["north", "north west", "north west wind"]
    made = scoring(choices)
    found = ask(made, encode, way)
    score = made.score(made.questions.questions[0], found)
    assert score.values == pytest.approx(by_hand(encode, "Which one?", choices), rel=1e-12)
    assert len(request_of(found).body["prompt"]) == 3


@pytest.mark.parametrize("way", ["trie", "prompt"])
def test_identical_choices_are_asked_once_and_tie(scoring, ask, tokenizer, way):
    """Choices that read alike share their prompts and their value, and the first of them is chosen."""
    made = scoring(["same", "same"], answer=1)
    found = ask(made, tokenizer(), way)
    assert len(request_of(found).body["prompt"]) == 1
    score = made.score(made.questions.questions[0], found)
    assert (score.chosen, score.tied, score.right) == (0, (0, 1), False)


@pytest.mark.parametrize("way", ["trie", "prompt"])
def test_merge_across_the_boundary_begins_where_all_agree(scoring, ask, tokenizer, way):
    """Where the tokenizer merges the colon with a choice, every choice is summed from the last shared token."""
    encode, choices = tokenizer(r": x| ?\w+|\n|."), ["x", "y"]
    made = scoring(choices)
    context = encode("Question: Which one?\nAnswer:")
    assert encode("Question: Which one?\nAnswer: x")[: len(context)] != context
    score = made.score(made.questions.questions[0], ask(made, encode, way))
    assert score.values == pytest.approx(by_hand(encode, "Which one?", choices), rel=1e-12)


def test_short_choices_take_the_trie_and_long_ones_the_prompt(scoring, ask, tokenizer):
    """One step for each shared beginning is cheaper for short choices, the prompt's log-probabilities for long ones."""
    short = request_of(ask(scoring(["red", "blue"]), tokenizer()))
    assert (short.phase, len(short.body["prompt"])) == ("given ids", 1)
    long = request_of(ask(scoring(["a b c d e f g h i j", "k l m n o p q r s t"]), tokenizer()))
    assert (long.phase, len(long.body["prompt"])) == ("prompt log-probabilities", 2)
    assert "logprobs" not in long.body


def test_more_ids_than_the_server_takes_take_the_prompt(scoring, ask, tokenizer):
    """Over 100 different tokens cannot be given by id, whatever that would cost."""
    choices = [" ".join(f"w{place}x{word}" for word in range(5)) for place in range(21)]
    request = request_of(ask(scoring(choices), tokenizer(), "trie"))
    assert request.phase == "prompt log-probabilities"
    fewer = request_of(ask(scoring(choices[:20]), tokenizer(), "trie"))
    assert len(fewer.body["logprob_token_ids"]) == 100


@pytest.mark.parametrize("way", ["trie", "prompt"])
def test_answer_for_other_prompts_is_unscored(scoring, ask, tokenizer, exchanged, way):
    """Choices that are too few, too many or for other tokens leave the question without a score."""
    made = scoring(["north", "north west"])
    encode = tokenizer()
    found = ask(made, encode, way)
    question, request = made.questions.questions[0], request_of(found)
    choices = Model().answer(request.body)["choices"]
    for other in (choices[:-1], [*choices, choices[0]], []):
        score = made.score(question, found | {request.key: exchanged(request, {"choices": other})})
        assert isinstance(score, Unscored)
        assert f"for {len(choices)} prompts" in score.reason
    moved = {
        key: exchanged(each.request, {"tokens": [9, 9, *encode(each.request.body["prompt"])]})
        for key, each in found.items()
        if key.arm != "answer"
    }
    assert isinstance(made.score(question, found | moved), Unscored)


@pytest.mark.parametrize("way", ["trie", "prompt"])
@pytest.mark.parametrize("value", [None, -9999.0, float("nan"), 0.5, True, "-1"])
def test_poisoned_value_is_unscored(scoring, ask, tokenizer, exchanged, way, value):
    """One token without a value that can be trusted leaves the whole question without a score."""
    made = scoring(["north", "south"])
    found = ask(made, tokenizer(), way)
    request = request_of(found)
    answer = json.loads(json.dumps(Model().answer(request.body)))
    for choice in answer["choices"]:
        if way == "trie":
            top = choice["logprobs"]["top_logprobs"][0]
            top[next(iter(top))] = value
        else:
            choice["prompt_logprobs"][-1] = {name: {"logprob": value} for name in choice["prompt_logprobs"][-1]}
    score = made.score(made.questions.questions[0], found | {request.key: exchanged(request, answer)})
    assert isinstance(score, Unscored)


@pytest.mark.parametrize("way", ["trie", "prompt"])
@pytest.mark.parametrize(
    "choice", [{}, {"logprobs": None, "prompt_logprobs": None}, {"logprobs": {}}, {"logprobs": []}]
)
def test_answer_of_another_form_is_unscored(scoring, ask, tokenizer, exchanged, way, choice):
    """Whatever else came back, it is a question without a score and no crash."""
    made = scoring(["north", "south"])
    found = ask(made, tokenizer(), way)
    request = request_of(found)
    answer = {"choices": [choice] * len(request.body["prompt"])}
    score = made.score(made.questions.questions[0], found | {request.key: exchanged(request, answer)})
    assert isinstance(score, Unscored)


def test_rows_of_the_prompt_must_be_as_many_as_its_tokens(scoring, ask, tokenizer, exchanged):
    """A list of prompt log-probabilities that is one short would shift every token."""
    made = scoring(["north", "south"])
    found = ask(made, tokenizer(), "prompt")
    request = request_of(found)
    answer = Model().answer(request.body)
    for choice in answer["choices"]:
        choice["prompt_logprobs"].pop(0)
    score = made.score(made.questions.questions[0], found | {request.key: exchanged(request, answer)})
    assert isinstance(score, Unscored)


@pytest.mark.parametrize(
    ("encode", "told"),
    [
        (lambda _: None, "the server gave no tokens for q"),
        (lambda _: [], "the server gave no tokens for q"),
        (lambda text: [1] if text.endswith("Answer:") else None, "the server gave no tokens for q"),
        (lambda _: [1, 2], "a choice adds no token to the question"),
        (lambda text: [len(text), 1, 2], "a choice adds no token to the question"),
    ],
)
def test_tokens_that_cannot_be_scored_make_the_claim_invalid(scoring, ask, encode, told):
    """Without tokens, or where a choice adds none, nothing is asked."""
    with pytest.raises(InvalidClaim) as caught:
        ask(scoring(["a", "b"]), encode)
    assert told in str(caught.value)


def test_tokens_that_are_lost_later_leave_the_question_unscored(scoring, ask, tokenizer):
    """Scoring a kept answer never raises, even where the tokens it was asked with are gone."""
    made = scoring(["a", "b"])
    found = ask(made, tokenizer())
    assert isinstance(made.score(made.questions.questions[0], found), Score)
    alone = {key: each for key, each in found.items() if key.arm == "answer"}
    assert "gave no tokens" in made.score(made.questions.questions[0], alone).reason


STABLE = """
from twx_accept.claims.multiple_choice.continuation import Continuation
from twx_accept.claims.multiple_choice.questions import load
from twx_accept.domain.exchange import Exchange
class Source:
    def rows(self, source, split):
        return [{"subject": "s", "question": "Which?", "choices": ["a b", "c d e", "f", "a"], "answer": 0}]
scoring = Continuation(load(Source(), "questions", with_shots=False, per_subject=None))
opening = scoring.opening()
tokens = {r.key: Exchange(request=r, answer={"tokens": [ord(mark) for mark in r.body["prompt"]]}, failure=None,
                          seconds=0, attempts=1) for r in opening}
print([r.digest for r in [*opening, *scoring.answers(tokens)]], scoring.questions.digest)
"""


def test_digests_are_stable_across_processes():
    """What is asked has the same digest in every process, whatever the seed of its hashes."""
    ran = [
        subprocess.run(
            [sys.executable, "-c", STABLE],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert ran[0] == ran[1]
    assert ran[0].count("'") == 12
