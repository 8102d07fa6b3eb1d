"""Where a claim's questions, passages and prompts come from."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Row = Mapping[str, Any]


class Sources(Protocol):
    """Reads rows of a named source. Given to the claims, so that they touch no file and no network themselves."""

    def rows(self, source: str, split: str) -> Sequence[Row]:
        """All rows of one split, in their order (DatasetError where there is none)."""
        ...
