"""A set of documents from a seed."""

import json

from twx_accept.documents.document import Document, Fact
from twx_accept.documents.drawing import Draw
from twx_accept.documents.kinds import KINDS
from twx_accept.documents.naming import Names
from twx_accept.documents.shelf import Shelf
from twx_accept.documents.writing import Writer
from twx_accept.errors import UsageError

MOST_PASSAGES = 1000


def make(seed: int, passages: int) -> tuple[Document, ...]:
    """A set of documents that has never existed, and the facts that each of them states.

    The same arguments give the same set on every Python and every platform. The kinds are spread evenly. No name is in
    two documents of a set, so that a fact of one holds for no other.

    Args:
        seed: any whole number; another seed gives another set.
        passages: how many documents, 1 to 1000. A short set is not the beginning of a long one.

    Raises:
        UsageError: so many passages cannot be made.
    """
    if not 1 <= passages <= MOST_PASSAGES:
        raise UsageError(f"passages: {passages} cannot be made; ask for 1 to {MOST_PASSAGES}")
    names, shelf = Names(), Shelf()
    return tuple(
        _document(f"p{number:04}", kind, Draw("documents", seed, passages, number), names, shelf)
        for number, kind in enumerate(_spread(Draw("kinds", seed, passages), passages), start=1)
    )


def lines(documents: tuple[Document, ...]) -> str:
    """The documents as JSON Lines, one a line, each line ended."""
    return "".join(json.dumps(document.row(), ensure_ascii=False) + "\n" for document in documents)


def _spread(draw: Draw, passages: int) -> list[str]:
    """The kind of each passage: every kind once, in random order, and again."""
    kinds: list[str] = []
    while len(kinds) < passages:
        kinds += draw.shuffled(sorted(KINDS))
    return kinds[:passages]


def _document(name: str, kind: str, draw: Draw, names: Names, shelf: Shelf) -> Document:
    text, facts = shelf.write(KINDS[kind](Writer(draw, names)), draw)
    planted = tuple(Fact(id=f"{name}.{number:02}", text=fact) for number, fact in enumerate(facts, start=1))
    return Document(id=name, kind=kind, text=text, facts=planted)
