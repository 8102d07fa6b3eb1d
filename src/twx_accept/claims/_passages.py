"""Passages that every build reads, with the facts that are planted in them where they are known, checked row by row."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from twx_accept.claims._cells import folded, is_line, is_text, once, shown
from twx_accept.domain.source import Row, Sources
from twx_accept.errors import DatasetError

FEWEST = 2
"""Passages under which nothing can be said of how much passages differ."""

NO_KIND = "passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One text. ``planted`` are the facts that it is known to state, empty where nobody knows them."""

    id: str
    kind: str
    text: str
    planted: tuple[str, ...] = ()


def load(
    sources: Sources, source: str, split: str, *, limit: int | None, per_kind: int | None, with_facts: bool
) -> tuple[Passage, ...]:
    """The passages of that source, in its order.

    Args:
        sources: where rows come from.
        source: its name, a path or a hub name.
        split: which of its splits.
        limit: keep only the first so many; None keeps all.
        per_kind: of these, keep only the first so many of each kind; None keeps all.
        with_facts: whether planted facts are read too, and must be well-formed.

    Raises:
        DatasetError: a row is malformed, an id stands twice, or there are fewer than :data:`FEWEST`.
    """
    where = f"{source} ({split}"
    rows = enumerate(sources.rows(source, split))
    passages = [_passage(f"{where}, row {n})", n, row, with_facts=with_facts) for n, row in rows][:limit]
    once(f"{where})", [passage.id for passage in passages])
    _refuse_repeated(f"{where})", passages)
    if per_kind is not None:
        passages = _first(passages, per_kind)
    if len(passages) < FEWEST:
        raise DatasetError(f"{where}): {len(passages)} passages are too few to judge by; {FEWEST} or more are needed")
    return tuple(passages)


def _refuse_repeated(where: str, passages: Sequence[Passage]) -> None:
    """Passages are what is independent: one that is read many times would make any interval narrow."""
    first: dict[str, str] = {}
    for passage in passages:
        other = first.setdefault(folded(passage.text), passage.id)
        if other != passage.id:
            raise DatasetError(
                f"{where}: {other!r:.60} and {passage.id!r:.60} hold the same text; every passage counts as one of its "
                "own, so take one of them out"
            )


def _passage(where: str, number: int, row: Row, *, with_facts: bool) -> Passage:
    """One row; where it has no id, its number is one."""
    text, name = row.get("text"), row.get("id", f"{number:04d}")
    kind = row.get("kind", row.get("group", NO_KIND))
    if not is_text(text):
        raise DatasetError(f"{where}: text is {shown(text)}; it must be a text")
    for column, value in (("id", name), ("kind", kind)):
        if not is_line(value):
            raise DatasetError(f"{where}: {column} is {shown(value)}; it must be a text of one line, or be left out")
    planted = _planted(where, row.get("facts")) if with_facts else ()
    return Passage(id=str(name), kind=str(kind), text=text, planted=planted)


def _planted(where: str, facts: object) -> tuple[str, ...]:
    """The texts of the facts; a data set may leave the column out, or leave it empty."""
    if facts is None:
        return ()
    texts = [each.get("text") if isinstance(each, Mapping) else None for each in facts] if _is_list(facts) else [None]
    if not all(is_line(text) for text in texts):
        raise DatasetError(f"{where}: facts is {shown(facts)}; each must be a table with a text of one line")
    if len(set(texts)) != len(texts):
        raise DatasetError(f"{where}: facts hold one text twice; plant each fact once")
    return tuple(str(text) for text in texts)


def _first(passages: Sequence[Passage], per_kind: int) -> list[Passage]:
    taken: Counter[str] = Counter()
    kept = []
    for passage in passages:
        taken[passage.kind] += 1
        if taken[passage.kind] <= per_kind:
            kept.append(passage)
    return kept


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
