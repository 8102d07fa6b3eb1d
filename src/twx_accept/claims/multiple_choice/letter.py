"""Scoring by letter: five examples, the choices listed, and the answer letter that the model rates most likely.

The template is that of lm-evaluation-harness' ``mmlu`` byte for byte (after Hendrycks et al. 2021), so that scores
compare. It takes one request a question: the letters' exact log-probabilities over the full vocabulary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from twx_accept.claims._memo import Memo
from twx_accept.claims.multiple_choice.questions import Question, QuestionSet
from twx_accept.claims.multiple_choice.scoring import failed, key, pick, tokenize, tokens_of, value_of
from twx_accept.domain.exchange import Exchange, Key, Request, Score, Unscored
from twx_accept.errors import InvalidClaim

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Letter:
    """Scores by the most likely answer letter."""

    questions: QuestionSet
    template: str = (
        "The following are multiple choice questions (with answers) about {subject}.\\n\\n"
        "[{question}\\nA. {0}\\nB. {1}\\nC. {2}\\nD. {3}\\nAnswer: {letter}\\n\\n]x5"
        "{question}\\nA. {0}\\nB. {1}\\nC. {2}\\nD. {3}\\nAnswer:"
    )
    unit: str = "nats"

    def prompt(self, question: Question) -> str:
        """The whole prompt of a question, ending right after ``Answer:``."""
        return f"{_head(question.subject, self.questions.shots[question.subject])}{_listed(question)}"

    def opening(self) -> Sequence[Request]:
        """For the first question of each subject: the tokens of its prompt, alone and with each letter after it."""
        requests, letters = [], self._letters()
        for question in self._probes():
            prompt = self.prompt(question)
            requests.append(tokenize(question.id, "tokens", prompt))
            requests += [tokenize(question.id, f"tokens.{letter}", f"{prompt} {letter}") for letter in letters]
        return requests

    def answers(self, tokens: Mapping[Key, Exchange]) -> Sequence[Request]:
        """One request a question, subject by subject, so that those of one share the server's prefix cache."""
        ids = _one(self.letter_ids(tokens))
        return _PLANNED.of(self.questions, ids, make=lambda: self._answers(ids))

    def _answers(self, ids: Sequence[int]) -> tuple[Request, ...]:
        places = {question.subject: place for place, question in enumerate(self._probes())}
        return tuple(
            Request(
                key=key(question.id),
                path="/v1/completions",
                body={
                    "prompt": [self.prompt(question)],
                    "max_tokens": 1,
                    "temperature": 0,
                    "logprobs": 1,
                    "logprob_token_ids": list(ids[: len(question.choices)]),
                    "return_tokens_as_token_ids": True,
                    "return_token_ids": True,
                    "add_special_tokens": False,
                },
                phase="given ids",
            )
            for question in sorted(self.questions.questions, key=lambda question: places[question.subject])
        )

    def letter_ids(self, tokens: Mapping[Key, Exchange]) -> tuple[int, ...]:
        """The token id of each letter after a prompt.

        Raises:
            InvalidClaim: a letter is no single token of its own after the prompt, so that scoring by letter would
                compare something else.
        """
        cure = 'register `scoring = "continuation"` for this model'
        found: tuple[int, ...] = ()
        letters = self._letters()
        for question in self._probes():
            context = tokens_of(tokens.get(key(question.id, "tokens")))
            if not context:
                raise InvalidClaim(f"the server gave no tokens for the prompt of {question.id}; try again, or {cure}")
            ids = []
            for letter in letters:
                whole = tokens_of(tokens.get(key(question.id, f"tokens.{letter}")))
                if whole is None or whole[:-1] != context:
                    raise InvalidClaim(
                        f"the letter {letter} is not one token after the prompt of {question.id}; {cure}"
                    )
                ids.append(whole[-1])
            if len(set(ids)) != len(ids):
                raise InvalidClaim(f"two letters share a token after the prompt of {question.id} ({ids}); {cure}")
            if found and tuple(ids) != found:
                raise InvalidClaim(f"the letters' tokens change with the prompt ({found}, then {tuple(ids)}); {cure}")
            found = tuple(ids)
        return found

    def score(self, question: Question, exchanges: Mapping[Key, Exchange]) -> Score | Unscored:
        """The most likely letter, if all of them came back."""
        exchange = exchanges.get(key(question.id))
        if (unscored := failed(question, exchange)) is not None or exchange is None:
            return unscored or Unscored(item=question.id, reason="was never asked")
        choices = exchange.choices()
        logprobs = choices[0].get("logprobs") if len(choices) == 1 else None
        top = logprobs.get("top_logprobs") if isinstance(logprobs, dict) else None
        if not isinstance(top, list) or len(top) != 1:
            return Unscored(
                item=question.id, reason=f"the answer holds {len(choices)} choices, not one with top_logprobs"
            )
        values = [value_of(top[0], token) for token in exchange.request.body["logprob_token_ids"]]
        numbers = [value for value in values if isinstance(value, float)]
        if len(numbers) != len(values):
            return Unscored(item=question.id, reason=next(value for value in values if isinstance(value, str)))
        return pick(question, numbers)

    def _probes(self) -> Sequence[Question]:
        first: dict[str, Question] = {}
        for question in self.questions.questions:
            first.setdefault(question.subject, question)
        return list(first.values())

    def _letters(self) -> str:
        return LETTERS[: max(len(question.choices) for question in self.questions.questions)]


_PLANNED: Memo[tuple[Request, ...]] = Memo()
"""Builds that split texts alike, as all should, are asked the very same requests."""


@lru_cache(maxsize=64)
def _one(ids: tuple[int, ...]) -> tuple[int, ...]:
    """Of equal ids always the same object, which a memo knows its values by."""
    return ids


@lru_cache(maxsize=256)
def _head(subject: str, shots: tuple[Question, ...]) -> str:
    """What all prompts of a subject begin with, written once."""
    examples = "".join(f"{_listed(shot)} {LETTERS[shot.answer]}\n\n" for shot in shots)
    return f"The following are multiple choice questions (with answers) about {_spaced(subject)}.\n\n{examples}"


def _spaced(subject: str) -> str:
    return subject.replace("_", " ")


def _listed(question: Question) -> str:
    choices = "".join(f"{letter}. {choice}\n" for letter, choice in zip(LETTERS, question.choices, strict=False))
    return f"{question.text.strip()}\n{choices}Answer:"
