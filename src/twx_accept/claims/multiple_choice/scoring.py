"""The two ways of scoring a question, each behind one Protocol: its requests, and the score of what came back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from twx_accept.claims.multiple_choice.questions import Question
from twx_accept.domain.distributions import POISON
from twx_accept.domain.exchange import Exchange, Key, Request, Score, Unscored

CLAIM = "multiple_choice"


class Scoring(Protocol):
    """How questions are asked and scored."""

    @property
    def template(self) -> str:
        """The prompt's template, as registered."""
        ...

    @property
    def unit(self) -> str:
        """What the values of a score are in."""
        ...

    def prompt(self, question: Question) -> str:
        """What the model reads before it answers."""
        ...

    def opening(self) -> Sequence[Request]:
        """What has to be known from the server's tokenizer first."""
        ...

    def answers(self, tokens: Mapping[Key, Exchange]) -> Sequence[Request]:
        """The requests that get the questions answered, given the answers to :meth:`opening`."""
        ...

    def score(self, question: Question, exchanges: Mapping[Key, Exchange]) -> Score | Unscored:
        """The score of one question from the exchanges of one build."""
        ...


def key(item: str, arm: str = "answer") -> Key:
    """The key of an exchange of this claim."""
    return Key(claim=CLAIM, item=item, arm=arm)


def tokenize(item: str, arm: str, text: str) -> Request:
    """A request for the tokens of a text, without any that the tokenizer would add."""
    return Request(
        key=key(item, arm), path="/tokenize", body={"prompt": text, "add_special_tokens": False}, phase="tokens"
    )


def tokens_of(exchange: Exchange | None) -> tuple[int, ...] | None:
    """The token ids that ``/tokenize`` answered, or None where it gave no list of whole numbers."""
    tokens = (exchange.answer or {}).get("tokens") if exchange else None
    if not isinstance(tokens, list) or not {*map(type, tokens)} <= {int}:
        return None
    return tuple(tokens)


def value_of(entry: Any, token: int) -> float | str:
    """The log-probability of a token in one ``top_logprobs`` entry, or why it is not to be had.

    Entries are keyed by token id, never by text: two ids may decode to one text (vLLM issue 44319).
    """
    value = entry.get(f"token_id:{token}") if isinstance(entry, dict) else None
    return checked(value, token)


def checked(value: Any, token: int) -> float | str:
    """A log-probability that can be trusted, or why it cannot."""
    if value is None:
        return f"the server did not return token {token}; it may be too old for logprob_token_ids"
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > POISON:
        return f"token {token} has the value {value!r}, which is no log-probability"
    if value > 0:
        return f"token {token} has the log-probability {value!r}, above 0"
    return float(value)


def pick(question: Question, values: Sequence[float]) -> Score:
    """The choice with the largest value; of choices that are exactly level the first."""
    best = max(values)
    tied = tuple(index for index, value in enumerate(values) if value == best)
    return Score(item=question.id, right=tied[0] == question.answer, chosen=tied[0], values=tuple(values), tied=tied)


def failed(question: Question, exchange: Exchange | None) -> Unscored | None:
    """Why an exchange cannot be scored at all, or None where it has an answer."""
    if exchange is None:
        return Unscored(item=question.id, reason="was never asked")
    if exchange.failure is not None:
        return Unscored(item=question.id, reason=f"{exchange.failure.kind}: {exchange.failure.message}")
    return None


def common_prefix(sequences: Iterable[Sequence[int]]) -> int:
    """How many leading tokens all sequences share."""
    length = 0
    for column in zip(*sequences, strict=False):
        if len(set(column)) > 1:
            break
        length += 1
    return length
