"""Which other passages could support a fact: those that hold most of what is rare in it."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from twx_accept.claims._passages import Passage

MOST = 3
"""Passages that are tried for one fact: those that share most with it."""

SHARED = 0.5
"""The part of a fact's rare words, by weight, that a passage must hold to be tried."""

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_SHORTEST = 3
"""Letters of a word; numbers count however short they are."""


def words(text: str) -> frozenset[str]:
    """Words and numbers of a text, in small letters."""
    found = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word for word in found if len(word) >= _SHORTEST or word[0].isdigit())


class Index:
    """The rare words, names and numbers of a set of passages.

    A word is rare where at most one passage in twenty holds it (and any that only two hold).
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        texts = {passage.id: words(passage.text) for passage in passages}
        times = Counter(word for text in texts.values() for word in text)
        most = max(2, len(passages) // 20)
        self._weights = {word: math.log(1 + len(passages) / n) for word, n in times.items() if n <= most}
        self._holding: dict[str, list[str]] = {}
        for name, text in texts.items():
            for word in text & self._weights.keys():
                self._holding.setdefault(word, []).append(name)

    def candidates(self, fact: str, own: str) -> list[str]:
        """Ids of the passages to try, the likeliest first; never the fact's own."""
        rare = sorted(words(fact) & self._weights.keys())
        shared: dict[str, float] = {}
        for word in rare:
            for name in self._holding[word]:
                shared[name] = shared.get(name, 0.0) + self._weights[word]
        enough = SHARED * sum(self._weights[word] for word in rare)
        found = [(-weight, name) for name, weight in shared.items() if name != own and weight >= enough]
        return [name for _, name in sorted(found)[:MOST]]
