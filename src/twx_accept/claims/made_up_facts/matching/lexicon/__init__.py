"""What the matcher knows of English words."""


def several(words: str) -> tuple[str, ...]:
    """The words of a line."""
    return tuple(words.split())
