"""A file from before what is missing had an index: it is read as it is, and gets the index when it is resumed."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from evidence_bench import IDENTITY, INVENTORY, answered, failed, request, without

from twx_accept.domain.evidence import Origin
from twx_accept.errors import EvidenceError
from twx_accept.evidence import Store, reading

ORIGIN = Origin(suite="", build="b", weights="", control=False, partial="", ledger="", attempt=1, began="")
COUNT = 400
KEPT = (*(answered(request(f"{n:03}"), f"{n * 7919} " * 200) for n in range(COUNT)), failed(request("failed")))

RESUMER = f"""
import os, signal, sqlite3, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from evidence_bench import IDENTITY, INVENTORY
from twx_accept.evidence import Store

connect, left = sqlite3.connect, int(sys.argv[2])

def dying(*arguments, **options):
    db = connect(*arguments, **options)
    count = [left]
    def step():
        count[0] -= 1
        if count[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    db.set_progress_handler(step, 50)
    return db

sqlite3.connect = dying
Store(Path(sys.argv[1]), IDENTITY, INVENTORY).__exit__(None, None, None)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of this version, as programs without the index left it."""
    made = tmp_path / "e.sqlite"
    with Store(made, IDENTITY, INVENTORY, begin=lambda: ORIGIN) as store:
        store.keep(KEPT)
    db = sqlite3.connect(made)
    db.execute("DROP INDEX looked_up")
    db.execute("VACUUM")
    db.close()
    return made


def indices(file: Path) -> list[str]:
    """The names of its indices."""
    db = sqlite3.connect(file)
    found = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")]
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()
    return found


def resumed(file: Path) -> list[str]:
    """Resume it with one question more, and name what is missing; all that was kept must be there."""
    plan = [*(each.request for each in KEPT), request("new")]
    with Store(file, IDENTITY, INVENTORY) as store:
        assert store.exchanges("c") == KEPT
        return [each.key.item for each in store.missing(plan)]


def test_an_older_file_gets_the_index_and_keeps_everything(file: Path) -> None:
    """It is resumed with all that it held; what failed and what never came is missing, as before."""
    assert resumed(file) == ["failed", "new"]
    assert indices(file) == ["looked_up"]
    assert resumed(file) == ["failed", "new"]


def test_an_older_program_can_go_on_with_a_newer_file(file: Path) -> None:
    """What a program that knows of no index keeps in the file is found by one that does."""
    assert resumed(file) == ["failed", "new"]
    db = sqlite3.connect(file)
    db.execute("UPDATE exchanges SET answer = x'00', failure = NULL WHERE item = 'failed'")
    db.execute("DELETE FROM exchanges WHERE item = '007'")
    db.commit()
    db.close()
    with Store(file, IDENTITY, INVENTORY) as store:
        plan = [each.request for each in KEPT]
        assert [each.key.item for each in store.missing(plan)] == ["007"]


def test_an_older_file_is_judged_where_nothing_can_be_written(file: Path) -> None:
    """Deciding reads it without a byte being changed; only resuming needs the right to write, and says so."""
    before = file.read_bytes()
    with without(file.parent, file, mode=0o555):
        assert reading.read(file).exchanges["c"] == KEPT
        with pytest.raises(EvidenceError, match="right to write"):
            Store(file, IDENTITY, INVENTORY)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_full_disk_leaves_an_older_file_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no room for the index the error says so, everything is still there, and later it is made."""
    connect = sqlite3.connect

    def full(*arguments: Any, **options: Any) -> sqlite3.Connection:
        db = connect(*arguments, **options)
        db.execute("PRAGMA max_page_count = 1")  # as far as it is now
        return db

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", full)
        with pytest.raises(EvidenceError, match="make room"):
            Store(file, IDENTITY, INVENTORY)
    assert reading.read(file).exchanges["c"] == KEPT
    assert resumed(file) == ["failed", "new"]


def test_a_kill_while_the_index_is_made_loses_nothing(file: Path) -> None:
    """Wherever SIGKILL falls between the opening and the last step, the file holds all, and the next run ends it."""
    made = file.read_bytes()
    killed = 0
    for steps in (0, 2, 4, 8, 16, 32, 64, 128, 100_000):
        for path in file.parent.iterdir():
            path.unlink()
        file.write_bytes(made)
        done = subprocess.run([sys.executable, "-c", RESUMER, file, str(steps)], check=False, capture_output=True)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        killed += done.returncode != 0
        assert reading.read(file).exchanges["c"] == KEPT
        assert resumed(file) == ["failed", "new"]
        assert indices(file) == ["looked_up"]
    assert killed >= 5
    assert done.returncode == 0
