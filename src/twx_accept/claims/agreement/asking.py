"""What is asked of a build: the tokens of each passage, then the distributions at their positions.

Every build is asked for the tokens itself, and sent the ids that it answered; deciding refuses builds whose ids differ,
so that all have read the same. A prompt is a plain list of ids, which shares its request with no other: the engine
computes a passage's distributions a chunk at a time, and an answer of several passages would only be larger.

An engine that scores given ids (``sampling_params.prompt_logprob_token_ids``) could be asked for the original's own
ids, exactly: that would be one more arm here, and one more way of reading rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from twx_accept.claims._passages import Passage
from twx_accept.claims.agreement.settings import CLAIM, AgreementSettings
from twx_accept.domain.exchange import Exchange, Key, Request

TOKENS, PASSAGE, REVERSED, FULL = "tokens", "passage", "reversed", "full"
"""Arms: the ids of a passage; its distributions; these once more, in reverse order; all of one distribution."""

COMPLETIONS = "/v1/completions"

Ids = tuple[int, ...]


def key(item: str, arm: str) -> Key:
    """The key of an exchange of this claim."""
    return Key(claim=CLAIM, item=item, arm=arm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The requests of one build."""

    settings: AgreementSettings
    passages: tuple[Passage, ...]

    def opening(self) -> Sequence[Request]:
        """The tokens of each passage, without any that the tokenizer would add."""
        return [
            Request(
                key=key(passage.id, TOKENS),
                path="/tokenize",
                body={"prompt": passage.text, "add_special_tokens": False},
                phase="tokens",
            )
            for passage in self.passages
        ]

    def ids(self, exchanges: Mapping[Key, Exchange]) -> Mapping[str, Ids]:
        """The ids of each passage that has some, cut to the registered length."""
        found = {passage.id: tokens_of(exchanges.get(key(passage.id, TOKENS))) for passage in self.passages}
        return {name: ids[: self.settings.max_tokens_per_passage] for name, ids in found.items() if ids}

    def follow_up(self, exchanges: Mapping[Key, Exchange]) -> Sequence[Request]:
        """The passages, some of them again in reverse order, and the whole vocabulary after a few short beginnings."""
        ids = self.ids(exchanges)
        read = [name for name, tokens in ids.items() if len(tokens) > 1]
        again = spread(read, self.settings.reversed_probe)[::-1]
        return [
            *(self._rows(name, ids[name], PASSAGE, "prompt logprobs") for name in read),
            *(self._rows(name, ids[name], REVERSED, "prompt logprobs, reversed") for name in again),
            *(self._full(name, ids[name]) for name in self.full(ids) if not _refused(exchanges.get(key(name, FULL)))),
        ]

    def full(self, ids: Mapping[str, Ids]) -> Sequence[str]:
        """The passages whose beginnings are asked for the whole vocabulary."""
        long = [name for name, tokens in ids.items() if len(tokens) >= self.settings.prefix_tokens]
        return spread(long, self.settings.full_vocabulary_prefixes)

    def _rows(self, name: str, ids: Ids, arm: str, phase: str) -> Request:
        body = {"prompt": list(ids), "max_tokens": 1, "temperature": 0, "prompt_logprobs": self.settings.top_k}
        return Request(key=key(name, arm), path=COMPLETIONS, body=body, phase=phase)

    def _full(self, name: str, ids: Ids) -> Request:
        body = {
            "prompt": list(ids[: self.settings.prefix_tokens]),
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": -1,
            "return_tokens_as_token_ids": True,
        }
        return Request(key=key(name, FULL), path=COMPLETIONS, body=body, phase="full vocabulary")


def spread(names: Sequence[str], count: int) -> list[str]:
    """So many of them, at even distances."""
    taken = min(count, len(names))
    return [names[place * len(names) // taken] for place in range(taken)]


def tokens_of(exchange: Exchange | None) -> Ids | None:
    """The token ids that ``/tokenize`` answered, or None where it gave no list of whole numbers."""
    tokens = (exchange.answer or {}).get("tokens") if exchange else None
    if not isinstance(tokens, list) or not tokens or not all(type(token) is int and token >= 0 for token in tokens):
        return None
    return tuple(tokens)


def _refused(exchange: Exchange | None) -> bool:
    """Whether the server will never answer it: the check is a courtesy, and is not asked for in every run again."""
    return exchange is not None and exchange.failure is not None and exchange.failure.lasting
