"""The ledger finds every way of changing the past, and names the line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept import ledger
from twx_accept.errors import LedgerError


def written(folder: Path, entries: int = 4) -> ledger.Ledger:
    """A ledger with so many registrations."""
    made = ledger.Ledger(file=folder / "s.ledger.jsonl")
    for number in range(entries):
        made = made.appended("registration", {"margin": f"{number}.0"})
    return made


def test_a_ledger_reads_as_it_was_written(tmp_path: Path) -> None:
    """What was appended is what is loaded, with the same head."""
    made = written(tmp_path)
    assert ledger.load(made.file) == made
    assert made.position(made.head) == 4
    assert made.position(ledger.GENESIS) == 0


def test_an_absent_ledger_is_an_empty_one(tmp_path: Path) -> None:
    """Where nothing was registered the head is that of nothing."""
    assert ledger.load(tmp_path / "none.jsonl").head == ledger.GENESIS


@pytest.mark.parametrize("line", range(4))
def test_an_edited_entry_is_named(tmp_path: Path, line: int) -> None:
    """A mark that is changed in place is found, whichever line it stands in."""
    made = written(tmp_path)
    made.file.write_text(made.file.read_text().replace(f'"{line}.0"', '"9.0"'))
    with pytest.raises(LedgerError, match=f"jsonl:{line + 1}: was edited"):
        ledger.load(made.file)


@pytest.mark.parametrize("line", range(3))
def test_a_removed_entry_is_named(tmp_path: Path, line: int) -> None:
    """An entry that was taken out of the middle, or the first one, is found."""
    made = written(tmp_path)
    lines = made.file.read_text().splitlines(keepends=True)
    made.file.write_text("".join(lines[:line] + lines[line + 1 :]))
    with pytest.raises(LedgerError, match=f"jsonl:{line + 1}: does not follow"):
        ledger.load(made.file)


def test_reordered_entries_are_named(tmp_path: Path) -> None:
    """Two entries that changed places are found."""
    made = written(tmp_path)
    one, two, *rest = made.file.read_text().splitlines(keepends=True)
    made.file.write_text("".join([two, one, *rest]))
    with pytest.raises(LedgerError, match="does not follow"):
        ledger.load(made.file)


def test_an_entry_of_another_ledger_is_named(tmp_path: Path) -> None:
    """A whole entry that belongs to another chain is found."""
    (tmp_path / "other").mkdir()
    other = written(tmp_path / "other", 2).appended("waiver", {"reason": "none"})
    made = written(tmp_path)
    with made.file.open("a") as stream:
        stream.write(other.entries[-1].line() + "\n")
    with pytest.raises(LedgerError, match="jsonl:5: does not follow"):
        ledger.load(made.file)


def test_a_cut_tail_is_a_shorter_ledger_that_lacks_the_old_head(tmp_path: Path) -> None:
    """Whole entries cut off the end leave a valid chain, in which a head that evidence recorded is missing."""
    made = written(tmp_path)
    made.file.write_text("".join(made.file.read_text().splitlines(keepends=True)[:2]))
    assert ledger.load(made.file).position(made.head) is None


@given(cut=st.integers(1, 400))
@settings(deadline=None, max_examples=30)
def test_a_truncated_file_is_found(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """A file that ends within an entry is no ledger."""
    made = written(tmp_path_factory.mktemp("ledger"), 2)
    text = made.file.read_text()
    shorter = text[: max(len(text) - cut, 1)]
    made.file.write_text(shorter)
    if shorter.endswith("\n"):
        assert len(ledger.load(made.file).entries) == 1
    else:
        with pytest.raises(LedgerError, match="cut"):
            ledger.load(made.file)


@pytest.mark.parametrize(
    "line", ["", "{}", "[]", "null", "\x00", '{"number": NaN}', '"' + "[" * 5000, '{"number": 1, "kind": 1}']
)
def test_rubbish_is_named(tmp_path: Path, line: str) -> None:
    """A line that is no entry is named, whatever it holds."""
    file = tmp_path / "s.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(LedgerError, match="jsonl:1: "):
        ledger.load(file)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    """A file that is not UTF-8 is no ledger."""
    file = tmp_path / "s.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LedgerError, match="cannot be read"):
        ledger.load(file)


def test_a_ledger_that_somebody_else_extended_is_not_written_over(tmp_path: Path) -> None:
    """An entry that another process appended is neither lost nor doubled."""
    made = written(tmp_path)
    made.appended("registration", {"by": "somebody else"})
    with pytest.raises(LedgerError, match="has changed"):
        made.appended("registration", {"by": "me"})
    assert len(ledger.load(made.file).entries) == 5
