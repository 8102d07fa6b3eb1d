"""Files that are no evidence, are damaged, or cannot be written."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from evidence_bench import IDENTITY, INVENTORY, answered, request, without

from twx_accept.errors import EvidenceError, EvidenceLocked
from twx_accept.evidence import Store, store
from twx_accept.evidence.packing import pack


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of evidence with enough in it to be damaged in the middle."""
    made = tmp_path / "e.sqlite"
    with Store(made, IDENTITY, INVENTORY) as kept:
        kept.keep([answered(request(n, prompt=f"{n} " * 50), f"{n * 7919} " * 200) for n in range(300)])
    return made


def use(file: Path) -> int:
    """Open a file and read all of it."""
    with Store(file, IDENTITY, INVENTORY) as kept:
        kept.inventory()
        kept.boots()
        kept.missing([request(1, prompt="1 " * 50)])
        return len(kept.exchanges("c"))


def overwrite(file: Path, at: int, raw: bytes) -> None:
    """Write over some bytes."""
    with file.open("r+b") as stream:
        stream.seek(at)
        stream.write(raw)


def as_folder(file: Path) -> None:
    """A folder in the place of the file."""
    file.unlink()
    file.mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "random bytes": lambda file: file.write_bytes(bytes(range(256)) * 40),
    "text": lambda file: file.write_text("surely no database"),
    "one byte": lambda file: file.write_bytes(b"S"),
    "half a header": lambda file: file.write_bytes(file.read_bytes()[:50]),
    "half a page": lambda file: file.write_bytes(file.read_bytes()[:2000]),
    "one page": lambda file: file.write_bytes(file.read_bytes()[:4096]),
    "half": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "last page lost": lambda file: file.write_bytes(file.read_bytes()[:-4096]),
    "pages of zeros": lambda file: overwrite(file, 4096, bytes(file.stat().st_size - 4096)),
    "a folder": as_folder,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_an_error_that_names_file_and_cure(name: str, file: Path) -> None:
    """Whatever became of the file, it is an error of ours and never a short list of answers."""
    DAMAGE[name](file)
    with pytest.raises(EvidenceError, match=r"e\.sqlite.*(--fresh|right to write)"):
        use(file)


@pytest.mark.parametrize("at", range(100, 60_000, 3_777))
def test_bytes_that_change_never_change_an_answer_unseen(at: int, file: Path) -> None:
    """Wherever the file is overwritten, what is read is what was kept, or an error of ours."""
    before = file.read_bytes()
    overwrite(file, at, bytes(byte ^ 0x5A for byte in before[at : at + 40]))
    try:
        with Store(file, IDENTITY, INVENTORY) as kept:
            texts = [exchange.choices()[0]["text"] for exchange in kept.exchanges("c")]
    except EvidenceError:
        return
    assert set(texts) <= {f"{n * 7919} " * 200 for n in range(300)}


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    """A file without a byte is what a kill before the first write leaves, and is begun again."""
    (tmp_path / "e.sqlite").touch()
    assert use(tmp_path / "e.sqlite") == 0


def test_a_newer_schema_is_refused_and_left(file: Path) -> None:
    """A file of a later version is not read, not changed, and the message says to update."""
    with sqlite3.connect(file) as db:
        db.execute("UPDATE meta SET value = ? WHERE name = 'version'", (pack(store.VERSION + 1),))
    db.close()
    before = file.read_bytes()
    with pytest.raises(EvidenceError, match=rf"schema {store.VERSION + 1}.*update"):
        use(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("version", pack("1")),
        ("version", pack(None)),
        ("version", b"no zlib"),
        ("identity", pack([])),
        ("inventory", pack({})),
        ("inventory", pack({"tensors": [], "weights": {}, "digests": {}, "problems": []})),
        ("inventory", b""),
    ],
)
def test_meta_data_of_the_wrong_form_are_an_error(name: str, value: bytes, file: Path) -> None:
    """What the file says of itself is checked before it is used."""
    with sqlite3.connect(file) as db:
        db.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
    db.close()
    with pytest.raises(EvidenceError, match=r"e\.sqlite"):
        use(file)


@pytest.mark.parametrize("name", ["version", "identity", "inventory"])
def test_missing_meta_data_are_an_error(name: str, file: Path) -> None:
    """A file that does not say what it is is not used."""
    with sqlite3.connect(file) as db:
        db.execute("DELETE FROM meta WHERE name = ?", (name,))
    db.close()
    with pytest.raises(EvidenceError, match=r"e\.sqlite"):
        use(file)


@pytest.mark.parametrize("column", ["request", "answer"])
@pytest.mark.parametrize("value", [b"", b"no zlib", pack([1]), pack({})[:-3], b"x" * 100])
def test_an_exchange_of_the_wrong_form_is_an_error(column: str, value: bytes, file: Path) -> None:
    """One exchange that cannot be read is an error that names its claim, and no answer less."""
    with sqlite3.connect(file) as db:
        db.execute(f"UPDATE exchanges SET {column} = ? WHERE item = '7'", (value,))  # noqa: S608 - the test's own
    db.close()
    with pytest.raises(EvidenceError, match="an exchange of c cannot be read"):
        use(file)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_of_another_program_is_left_as_it_is(mode: str, tmp_path: Path) -> None:
    """A foreign database is refused without a byte of it, or a file beside it, being changed."""
    foreign = tmp_path / "a #strange? 100% name.sqlite"
    db = sqlite3.connect(foreign)
    db.execute(f"PRAGMA journal_mode = {mode}")
    db.execute("CREATE TABLE cookies (a)")
    db.commit()
    db.close()
    before = foreign.read_bytes()
    with pytest.raises(EvidenceError, match=r"another program.*cookies"):
        use(foreign)
    assert foreign.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [foreign.name]


def test_the_unfinished_database_of_another_program_is_left_too(tmp_path: Path) -> None:
    """A foreign database with a write-ahead log that its program left behind keeps both, byte for byte."""
    live, foreign = tmp_path / "live", tmp_path / "foreign.sqlite"
    db = sqlite3.connect(live)
    db.execute("PRAGMA journal_mode = wal")
    db.execute("CREATE TABLE cookies (a)")
    db.commit()
    log = foreign.with_name("foreign.sqlite-wal")
    foreign.write_bytes(live.read_bytes())
    log.write_bytes(live.with_name("live-wal").read_bytes())
    db.close()
    before = foreign.read_bytes(), log.read_bytes()
    with pytest.raises(EvidenceError, match=r"another program.*cookies"):
        use(foreign)
    assert (foreign.read_bytes(), log.read_bytes()) == before


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """Where a file stands in the place of the folder the message says so."""
    (tmp_path / "file").touch()
    with pytest.raises(EvidenceError, match="right to write"):
        use(tmp_path / "file" / "e.sqlite")


def test_a_folder_that_cannot_be_written_is_an_error(file: Path) -> None:
    """Without the right to write there is an error that says so, and the file stays as it is."""
    with without(file.parent, file, mode=0o555), pytest.raises(EvidenceError, match="right to write"):
        use(file)
    assert use(file) == 300


def test_a_full_disk_is_an_error_and_loses_nothing_else(file: Path) -> None:
    """Where no more can be written the message says so, and what was kept before is still there."""
    with Store(file, IDENTITY, INVENTORY) as kept:
        kept._db.execute("PRAGMA max_page_count = 1")  # as far as it is now
        with pytest.raises(EvidenceError, match="make room"):
            kept.keep([answered(request(1000 + n), f"{n * 7919} " * 2000) for n in range(200)])
        assert len(kept.exchanges("c")) == 300


def test_a_file_that_another_process_keeps_writing_is_locked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says that somebody else writes; moving the file aside is not advised."""
    monkeypatch.setattr(store, "WAIT_SECONDS", 0.05)
    with Store(file, IDENTITY, INVENTORY) as kept:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EvidenceLocked, match="another process") as raised:
            kept.keep([answered(request(1000))])
        with pytest.raises(EvidenceLocked):
            use(file)
        other.execute("ROLLBACK")
        other.close()
        assert "--fresh" not in str(raised.value)
        kept.keep([answered(request(1000))])
