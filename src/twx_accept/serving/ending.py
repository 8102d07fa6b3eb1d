"""Steps that are taken in the end, whatever went wrong before them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from twx_accept.errors import ServingError


@contextmanager
def finally_do(step: Callable[[], None]) -> Iterator[None]:
    """Takes a step when the context ends. Of two errors the first stays, and gets the step's as a note."""
    try:
        yield
    except BaseException as error:
        try:
            step()
        except ServingError as later:
            error.add_note(str(later))
        raise
    step()
