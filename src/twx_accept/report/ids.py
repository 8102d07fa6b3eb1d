"""Ids of a page: each one once, whatever names builds, claims and items have."""

import re

_UNSAFE = re.compile(r"[^A-Za-z0-9_.:-]+")
_LENGTH = 80


class Ids:
    """Hands out ids. The order of asking decides who gets the plain name, so a page is the same every time.

    No id that is handed out has a tilde: names with one are free for the page's own parts.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def copy(self) -> "Ids":
        """The same ids, to be handed out from here on a trial."""
        other = Ids()
        other._taken = set(self._taken)
        return other

    def take(self, *wanted: str) -> str:
        """The first of ``wanted`` that is free, made safe for an address; the last one numbered if none is."""
        safe = [self._safe(name) for name in wanted]
        choice = next((name for name in safe if name not in self._taken), None)
        number = 2
        while choice is None:
            candidate = f"{safe[-1]}-{number}"
            choice = None if candidate in self._taken else candidate
            number += 1
        self._taken.add(choice)
        return choice

    @staticmethod
    def _safe(name: str) -> str:
        return _UNSAFE.sub("-", name)[:_LENGTH].strip("-") or "item"
