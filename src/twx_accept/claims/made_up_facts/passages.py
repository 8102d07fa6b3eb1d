"""The passages of the claim with their planted facts, and the digest that they are registered by."""

from dataclasses import dataclass

from twx_accept.claims import _passages
from twx_accept.claims._passages import Passage
from twx_accept.domain.exchange import digest
from twx_accept.domain.source import Sources


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSet:
    """The passages in their registered order, and their digest."""

    passages: tuple[Passage, ...]
    digest: str

    @property
    def planted(self) -> int:
        """Planted facts of all passages."""
        return sum(len(passage.planted) for passage in self.passages)


def load(sources: Sources, source: str, split: str, *, limit: int | None, per_kind: int | None) -> PassageSet:
    """The passages of that source; see :func:`twx_accept.claims._passages.load`."""
    found = _passages.load(sources, source, split, limit=limit, per_kind=per_kind, with_facts=True)
    plain = [[each.id, each.kind, each.text, list(each.planted)] for each in found]
    return PassageSet(passages=found, digest=digest(plain))
