"""Scoring by continuation, for models too small to bind letters: no examples, and the choices are not listed.

Each choice's text is scored as what follows the question: the sum of its tokens' log-probabilities over its UTF-8
bytes; the largest wins. Two ways give the same sum, and each question takes the cheaper one for the server:

- *a trie*: the four continuations share their beginnings, so each distinct beginning is one prompt, of which one step
  is needed: the log-probabilities of the tokens that may follow it, by given ids. No output head over the prompt.
- *the prompt's log-probabilities* of each whole continuation, cheaper where choices are long.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twx_accept.claims.multiple_choice.questions import Question, QuestionSet
from twx_accept.claims.multiple_choice.scoring import (
    checked,
    common_prefix,
    failed,
    key,
    pick,
    tokenize,
    tokens_of,
    value_of,
)
from twx_accept.domain.exchange import Exchange, Key, Request, Score, Unscored
from twx_accept.errors import InvalidClaim

MOST_IDS = 100
"""Ids in one request: vLLM takes 128 at most."""

PROMPT_LOGPROB_COST = 2.5
"""What a token costs with ``prompt_logprobs``, in tokens without (257 against 740 tokens a second on two CPU cores)."""

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Continuation:
    """Scores by the most likely continuation, in nats a byte."""

    questions: QuestionSet
    template: str = "Question: {question}\\nAnswer:| {choice}"
    unit: str = "nats a byte"

    def prompt(self, question: Question) -> str:
        """The question as the model reads it, ending right after ``Answer:``."""
        return f"Question: {question.text.strip()}\nAnswer:"

    def opening(self) -> Sequence[Request]:
        """The tokens of each question, alone and with each choice after it."""
        requests = []
        for question in self.questions.questions:
            context = self.prompt(question)
            requests.append(tokenize(question.id, "tokens", context))
            for index, choice in enumerate(question.choices):
                requests.append(tokenize(question.id, f"tokens.{index}", f"{context} {choice}"))
        return requests

    def answers(self, tokens: Mapping[Key, Exchange]) -> Sequence[Request]:
        """One request a question, with as many prompts as it needs."""
        return [self._request(question, *self._paths(question, tokens)) for question in self.questions.questions]

    def score(self, question: Question, exchanges: Mapping[Key, Exchange]) -> Score | Unscored:
        """The choice with the largest sum of log-probabilities a byte, if every token of every choice came back."""
        exchange = exchanges.get(key(question.id))
        if (unscored := failed(question, exchange)) is not None or exchange is None:
            return unscored or Unscored(item=question.id, reason="was never asked")
        try:
            start, paths = self._paths(question, exchanges)
        except InvalidClaim as error:
            return Unscored(item=question.id, reason=str(error))
        prompts = [tuple(prompt) for prompt in exchange.request.body["prompt"]]
        if len(exchange.choices()) != len(prompts):
            reason = f"the answer holds {len(exchange.choices())} choices for {len(prompts)} prompts"
            return Unscored(item=question.id, reason=reason)
        entries = dict(zip(prompts, exchange.choices(), strict=True))
        read = _from_prompt if "prompt_logprobs" in exchange.request.body else _from_trie
        values = []
        for path, choice in zip(paths, question.choices, strict=True):
            total = read(entries, path, start)
            if isinstance(total, str):
                return Unscored(item=question.id, reason=total)
            values.append(total / len(choice.encode("utf-8")))
        return pick(question, values)

    def _paths(self, question: Question, tokens: Mapping[Key, Exchange]) -> tuple[int, list[Tokens]]:
        """Where the continuations begin, and each choice's whole token path.

        Usually they begin where the question's own tokens end; where the tokenizer merges across that place, at the
        last token that all of them share with it.
        """
        context = tokens_of(tokens.get(key(question.id, "tokens")))
        paths = [tokens_of(tokens.get(key(question.id, f"tokens.{index}"))) for index in range(len(question.choices))]
        whole = [path for path in paths if path]
        if not context or len(whole) != len(question.choices):
            raise InvalidClaim(f"the server gave no tokens for {question.id}; look into its log, then run again")
        start = common_prefix([context, *whole])
        if start == 0 or any(len(path) <= start for path in whole):
            raise InvalidClaim(f"{question.id}: a choice adds no token to the question; score this model by letter")
        return start, whole

    def _request(self, question: Question, start: int, paths: Sequence[Tokens]) -> Request:
        nodes = sorted({path[:end] for path in paths for end in range(start, len(path))})
        ids = sorted({token for path in paths for token in path[start:]})
        whole = sorted(set(paths))
        trie_cost = sum(len(node) for node in nodes)
        prompt_cost = PROMPT_LOGPROB_COST * sum(len(path) for path in whole)
        body: dict[str, Any] = {"max_tokens": 1, "temperature": 0}
        if len(ids) <= MOST_IDS and trie_cost <= prompt_cost:
            given = {"logprobs": 1, "logprob_token_ids": ids, "return_tokens_as_token_ids": True}
            body |= {"prompt": [list(node) for node in nodes], **given}
            return Request(key=key(question.id), path="/v1/completions", body=body, phase="given ids")
        body |= {"prompt": [list(path) for path in whole], "prompt_logprobs": 0}
        return Request(key=key(question.id), path="/v1/completions", body=body, phase="prompt log-probabilities")


def _from_trie(entries: Mapping[Tokens, Mapping[str, object]], path: Tokens, start: int) -> float | str:
    """The sum over the path, each token read where the path leads to it."""
    total = 0.0
    for end in range(start, len(path)):
        logprobs = entries.get(path[:end], {}).get("logprobs")
        top = logprobs.get("top_logprobs") if isinstance(logprobs, dict) else None
        if not isinstance(top, list) or len(top) != 1:
            return f"the answer holds no top_logprobs after {end} tokens"
        value = value_of(top[0], path[end])
        if isinstance(value, str):
            return value
        total += value
    return total


def _from_prompt(entries: Mapping[Tokens, Mapping[str, object]], path: Tokens, start: int) -> float | str:
    """The sum over the path from the prompt's own log-probabilities; row i is the distribution *for* token i."""
    rows = entries.get(path, {}).get("prompt_logprobs")
    if not isinstance(rows, list) or len(rows) != len(path):
        return f"the answer holds no prompt_logprobs for {len(path)} tokens"
    total = 0.0
    for token, row in zip(path[start:], rows[start:], strict=True):
        entry = row.get(str(token)) if isinstance(row, dict) else None
        value = checked(entry.get("logprob") if isinstance(entry, dict) else None, token)
        if isinstance(value, str):
            return value
        total += value
    return total
