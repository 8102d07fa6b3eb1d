"""Values that are found by what they were computed from."""

from twx_accept.claims._memo import MOST, Memo
from twx_accept.claims._pairing import by_key


def test_the_same_objects_are_computed_from_once():
    """Equal objects are others: only the very same have a value."""
    memo, made = Memo(), []
    first, equal = ("a", object()), ("a", object())
    for sources in ((first, 1), (first, 1), (equal, 1)):
        memo.of(*sources, make=lambda: made.append(1) or len(made))
    assert memo.of(first, 1, make=lambda: 0) == 1
    assert memo.of(equal, 1, make=lambda: 0) == 2
    assert len(made) == 2


def test_the_oldest_values_are_let_go():
    """A process that judges many runs does not hold them all."""
    memo = Memo()
    sources = [[number] for number in range(MOST + 3)]
    for each in sources:
        memo.of(each, make=lambda: "old")
    assert [memo.of(each, make=lambda: "new") for each in (sources[0], sources[-1])] == ["new", "old"]


def test_what_cannot_be_computed_is_not_held():
    """An error is raised each time, and a value that comes later is taken."""
    memo, source = Memo(), []
    for _ in range(2):
        try:
            memo.of(source, make=lambda: 1 // 0)
        except ZeroDivisionError:
            continue
        raise AssertionError
    assert memo.of(source, make=lambda: 3) == 3


def test_sides_share_what_is_found_by_their_keys(letter, rows, answered, evidence):
    """Evidence under another name has the same exchanges, and is looked through once."""
    kept = tuple(answered(letter(rows(6)), lambda _: 0))
    one, other = (evidence(name, kept) for name in ("original", "original, again"))
    assert by_key(one, "multiple_choice") is by_key(other, "multiple_choice")
    assert len(by_key(one, "multiple_choice")) == len(kept)
