"""A writer that is killed at any moment leaves a file that the next run resumes."""

import contextlib
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from evidence_bench import IDENTITY, INVENTORY, answered, request

from twx_accept.evidence import Store

WRITER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from evidence_bench import IDENTITY, INVENTORY, answered, boot, request
from twx_accept.evidence import Store

print("begun", flush=True)
with Store(Path(sys.argv[1]), IDENTITY, INVENTORY) as store:
    for start in range(0, 1_000_000, 8):
        batch = [answered(request(f"{{n:07}}"), f"answer {{n}} " * 50) for n in range(start, start + 8)]
        store.keep(batch)
        if start % 64 == 0:
            store.reject([batch[0].request.key])
        print(start, flush=True)
"""


def write_until_killed(file: Path, lines: int, more: float) -> int:
    """Run a writer, kill it so many seconds after so many lines, and return the last batch that it reported."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, file], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    said = [writer.stdout.readline() for _ in range(lines)]
    time.sleep(more)
    writer.kill()
    said += writer.stdout.read().splitlines()
    writer.wait()
    numbers = [int(line) for line in said if line.strip().isdecimal()]
    return max(numbers, default=-8)


@pytest.mark.parametrize(
    ("lines", "more"), [(1, 0.0), (1, 0.003), (1, 0.01), (2, 0.0), (9, 0.001), (60, 0.0), (200, 0.007)]
)
def test_a_kill_loses_at_most_what_is_in_flight(lines: int, more: float, tmp_path: Path) -> None:
    """After SIGKILL the file is sound, has each key once, and holds every batch that was reported as kept."""
    file = tmp_path / "e.sqlite"
    last = write_until_killed(file, lines, more)
    with Store(file, IDENTITY, INVENTORY) as store:
        assert store.inventory() == INVENTORY
        kept = {exchange.request.key.item: exchange for exchange in store.exchanges("c")}
        assert len(kept) == len(store.exchanges("c"))
        promised = [f"{n:07}" for n in range(last + 8) if n % 64 or n == last]
        assert [item for item in promised if item not in kept and int(item) % 64] == []
        store.keep([answered(request("a later run"))])
        assert len(store.exchanges("c")) == len(kept) + 1
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        aside = {item for (item,) in db.execute("SELECT item FROM rejected")}
    assert not aside & set(kept)
    assert not {f"{n:07}" for n in range(0, last, 64)} - aside - set(kept)


class Killed(BaseException):
    """Stands for a kill between two statements."""


class Dying:
    """A connection that ends before its nth statement, without commit or rollback, as a kill would."""

    def __init__(self, db: sqlite3.Connection, statements: int) -> None:
        self._db = db
        self._left = statements

    def __getattr__(self, name: str) -> object:
        return getattr(self._db, name)

    def __enter__(self) -> object:
        return self._db.__enter__()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> object:
        return None if kind is Killed else self._db.__exit__(kind, *rest)  # type: ignore[arg-type]

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Killed

    def execute(self, *arguments: object) -> object:
        """Count, and execute."""
        self._count()
        return self._db.execute(*arguments)  # type: ignore[arg-type]

    def executemany(self, sql: str, rows: object) -> None:
        """Count each row, and execute."""
        for row in rows:  # type: ignore[attr-defined]
            self._count()
            self._db.execute(sql, row)


@pytest.mark.parametrize("statements", range(16))
def test_a_file_is_begun_wholly_or_not_at_all(statements: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the making of a file is cut off, the next run begins it or finds it whole."""
    file = tmp_path / "e.sqlite"
    connect = sqlite3.connect
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda *args, **options: Dying(connect(*args, **options), statements))
        with contextlib.suppress(Killed):
            Store(file, IDENTITY, INVENTORY).__exit__(None, None, None)
    with Store(file, IDENTITY, INVENTORY) as store:
        assert store.inventory() == INVENTORY
        assert store.boots() == ()
        store.keep([answered(request(1))])


def test_two_processes_that_begin_at_once_make_one_file(tmp_path: Path) -> None:
    """Writers side by side wait for each other, and each key is there once."""
    file = tmp_path / "e.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, file], stdout=subprocess.PIPE) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None
        for _ in range(30):
            assert writer.stdout.readline()
    for writer in writers:
        writer.kill()
        writer.communicate()
    with Store(file, IDENTITY, INVENTORY) as store:
        items = [exchange.request.key.item for exchange in store.exchanges("c")]
    assert len(items) == len(set(items)) >= 8 * 28 - 4
