"""What is asked of a build: the tokens of each passage, then the distributions at their positions.

Every build is asked for the tokens itself, and sent the ids that it answered; deciding refuses builds whose ids differ,
so that all have read the same. A prompt is a plain list of ids, which shares its request with no other: the engine
computes a passage's distributions a chunk at a time, and an answer of several passages would only be larger.

There are two ways to ask, which differ in nothing but what the server does around the engine: see :mod:`.ways`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from twx_accept.claims._passages import Passage
from twx_accept.claims.agreement import texts, vocabularies, ways
from twx_accept.claims.agreement.keys import (
    PASSAGE,
    PROBE,
    REVERSED,
    TOKENS,
    WITNESS,
    Ids,
    answered,
    key,
    tokens_of,
)
from twx_accept.claims.agreement.settings import AgreementSettings
from twx_accept.domain.exchange import Exchange, Key, Request


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
        """First which way the server can be asked; then all that is asked by it, and the texts if it gives none."""
        ids = self.ids(exchanges)
        read = [name for name, tokens in ids.items() if len(tokens) > 1]
        probes = self._probes(read, ids)
        begun = any(each.arm == PASSAGE for each in exchanges)
        if not begun and any(each.key not in exchanges for each in probes):
            return probes
        way, settings = ways.settled(exchanges), self.settings
        again = spread(read, settings.reversed_probe)[::-1]
        return [
            *(each for each in probes if answered(exchanges.get(each.key))),  # an older run had none, and needs none
            *(self._rows(way, name, ids[name], PASSAGE, "prompt logprobs") for name in read),
            *(self._rows(way, name, ids[name], REVERSED, "prompt logprobs, reversed") for name in again),
            *vocabularies.requests(exchanges, {name: ids[name][: settings.prefix_tokens] for name in self.full(ids)}),
            *(texts.requests(exchanges, {name: ids[name] for name in read}) if way is ways.Way.TOKENS else ()),
        ]

    def _probes(self, read: Sequence[str], ids: Mapping[str, Ids]) -> list[Request]:
        """A short beginning, asked in each way, one after the other, and what stands between texts."""
        if not read:
            return []
        begin = ids[read[0]][: max(self.settings.prefix_tokens, 2)]
        pairs = ((ways.Way.TOKENS, PROBE), (ways.Way.COMPLETIONS, WITNESS))
        return [self._rows(way, read[0], begin, arm, f"probe, {arm}") for way, arm in pairs] + [
            texts.separator(read[0])
        ]

    def full(self, ids: Mapping[str, Ids]) -> Sequence[str]:
        """The passages whose beginnings are asked for the whole vocabulary."""
        long = [name for name, tokens in ids.items() if len(tokens) >= self.settings.prefix_tokens]
        return spread(long, self.settings.full_vocabulary_prefixes)

    def _rows(self, way: ways.Way, name: str, ids: Ids, arm: str, phase: str) -> Request:
        path, body = ways.request(way, ids, self.settings.top_k)
        return Request(key=key(name, arm), path=path, body=body, phase=phase)


def spread(names: Sequence[str], count: int) -> list[str]:
    """So many of them, at even distances."""
    taken = min(count, len(names))
    return [names[place * len(names) // taken] for place in range(taken)]
