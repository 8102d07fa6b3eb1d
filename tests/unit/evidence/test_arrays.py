"""Arrays in the store: small, whole, and written, set aside and resumed with their exchange."""

import dataclasses
import sqlite3
import zlib
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from evidence_bench import IDENTITY, INVENTORY, answered, failed, request
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from twx_accept import cli
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.evidence import Origin
from twx_accept.domain.exchange import Exchange
from twx_accept.errors import EvidenceError
from twx_accept.evidence import Store, reading
from twx_accept.evidence.arrays import pack_rows, unpack_rows
from twx_accept.evidence.packing import pack, unpack
from twx_accept.evidence.store import VERSION

POSITIONS, MOST_BYTES = 82_712, 40e6
"""Positions of a whole suite, and what a build's may take."""

ORIGIN = Origin(suite="s", build="b", weights="w", control=False, partial="", ledger="0", attempt=1, began="now")


def realistic(positions: int, width: int = 51, vocabulary: int = 163_840) -> Distributions:
    """Rows as a large model gives them: frequent tokens often, and values of single precision."""
    random = np.random.default_rng(1)
    counts, ids, values = [], [], []
    for _ in range(positions):
        tokens = np.unique((vocabulary ** random.random(3 * width)).astype(int) * 7919 % vocabulary)
        chosen = random.choice(tokens, min(width, len(tokens)), replace=False)
        logits = np.sort(random.gumbel(size=len(chosen)) * 2)[::-1]
        values += (logits - np.log(np.exp(logits).sum()) - 0.05).astype(np.float32).astype(float).tolist()
        ids += chosen.tolist()
        counts.append(len(chosen))
    words = [(f" word{number}", " the") for number in random.integers(0, 5000, positions)]
    return Distributions.of(counts, ids, values, words)


ROWS = realistic(20)


def having(place: int, rows: Distributions = ROWS) -> Exchange:
    """An answered exchange with rows."""
    return dataclasses.replace(answered(request(place)), rows=rows)


def opened(folder: Path) -> Store:
    """The store in that folder."""
    return Store(folder / "e.sqlite", IDENTITY, INVENTORY, begin=lambda: ORIGIN)


def count(file: Path, table: str) -> int:
    """How many rows a table has."""
    with sqlite3.connect(file) as db:
        return int(db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 - the test's own word


def as_version_1(file: Path) -> None:
    """Make a file what it was before there were arrays."""
    with sqlite3.connect(file) as db:
        db.execute("DROP TABLE distributions")
        db.execute("DROP TABLE rejected_distributions")
        db.execute("DROP INDEX looked_up")
        db.execute("UPDATE meta SET value = ? WHERE name = 'version'", (pack(1),))
    db.close()


ROW = st.dictionaries(st.integers(0, 2**31 - 1), st.floats(-9990, 0), min_size=1, max_size=6)
TEXTS = st.text(st.characters(), max_size=4) | st.just("\ud800")


@settings(deadline=None)
@given(st.lists(ROW, max_size=5), st.data())
def test_rows_come_back_as_they_were(rows: list[dict[int, float]], data: st.DataObject) -> None:
    """Every id, value, kind of number and text survives packing."""
    pairs = st.lists(st.tuples(TEXTS, TEXTS), min_size=len(rows), max_size=len(rows))
    made = Distributions.of(
        [len(row) for row in rows],
        [token for row in rows for token in row],
        [value for row in rows for value in row.values()],
        data.draw(st.just([]) | pairs),
    )
    back = unpack_rows(pack_rows(made))
    assert back == made
    assert not back.ids.flags.writeable
    assert [
        dict(zip(ids.tolist(), values.tolist(), strict=True)) for ids, values in zip(*_rows(back), strict=True)
    ] == rows


def _rows(made: Distributions) -> tuple[list[np.ndarray], list[np.ndarray]]:
    parts = [slice(0, size) for size in made.counts]
    ids = [made.ids[place, part] for place, part in enumerate(parts)]
    return ids, [made.logprobs[place, part] for place, part in enumerate(parts)]


def test_a_whole_suite_takes_little_room() -> None:
    """82,712 positions of 51 tokens take at most 40 MB, and a whole vocabulary next to nothing for its ids."""
    rows = realistic(500)
    assert len(pack_rows(rows)) / len(rows) * POSITIONS < MOST_BYTES
    values = np.random.default_rng(1).normal(0, 3, 50_000)
    values -= np.log(np.exp(values).sum())
    whole = Distributions.of([50_000], range(50_000), values.astype(np.float32).astype(float).tolist())
    assert len(pack_rows(whole)) < 3.5 * 50_000


def test_damaged_arrays_are_no_arrays() -> None:
    """A form that was cut, changed or is another one is an error, never other numbers."""
    packed = pack_rows(ROWS)
    for blob in (b"", b"rows", packed[:-1], packed + b"x", b"ROWS" + packed[4:], packed[:4] + b"\xff" + packed[5:]):
        with pytest.raises((ValueError, zlib.error)):
            unpack_rows(blob)


@pytest.mark.parametrize(
    ("counts", "ids", "values"),
    [
        ([1], [1, 2], [-1.0, -1.0]),
        ([0], [], []),
        ([2], [1, 1], [-1.0, -2.0]),
        ([1], [-1], [-1.0]),
        ([1], [2**31], [-1.0]),
    ],
)
def test_rows_that_are_none_are_refused(counts: list[int], ids: list[int], values: list[float]) -> None:
    """Rows without a token, with one twice, or with ids out of range are not made."""
    with pytest.raises(ValueError, match="token"):
        Distributions.of(counts, ids, values)
    with pytest.raises(ValueError, match="not finite"):
        Distributions.of([1], [1], [float("nan")])
    with pytest.raises(ValueError, match="texts for"):
        Distributions.of([1], [1], [-1.0], [("a", "b")] * 2)
    with pytest.raises(ValueError, match="shape"):
        Distributions(np.zeros((1, 2), np.int32), np.zeros((2, 1)))


def test_arrays_are_kept_with_their_exchange(tmp_path: Path) -> None:
    """What is kept is read again, also by those that only look; exchanges without arrays have none."""
    with opened(tmp_path) as store:
        store.keep([having(1), answered(request(2))])
        assert store.exchanges("c") == (having(1), answered(request(2)))
    with opened(tmp_path) as store:
        assert store.missing([request(1), request(2)]) == []
        assert store.exchanges("c")[0].rows == ROWS
    assert reading.read(tmp_path / "e.sqlite").exchanges["c"][0].rows == ROWS
    assert reading.of_item(tmp_path / "e.sqlite", "1")[0].rows == ROWS


def test_arrays_of_another_answer_are_never_put_to_an_answer(tmp_path: Path) -> None:
    """A second answer leaves the first as it is, with or without arrays; a failure gives way to both."""
    with opened(tmp_path) as store:
        store.keep([answered(request(1)), having(2)])
        store.keep([having(1), having(2, realistic(3)), failed(request(3))])
        store.keep([having(3)])
        assert [each.rows for each in store.exchanges("c")] == [None, ROWS, ROWS]


def test_rejected_arrays_are_set_aside(tmp_path: Path) -> None:
    """They go with their answer, stay in the file, and make room for those of the next answer."""
    other = realistic(3)
    with opened(tmp_path) as store:
        store.keep([having(1), having(2)])
        store.reject([request(1).key])
        store.keep([having(1, other)])
        store.reject([request(1).key])
        assert store.missing([request(1), request(2)]) == [request(1)]
        assert [each.rows for each in store.exchanges("c")] == [ROWS]
    with sqlite3.connect(tmp_path / "e.sqlite") as db:
        blobs = [blob for (blob,) in db.execute("SELECT body FROM rejected_distributions ORDER BY rowid")]
    assert [unpack_rows(blob) for blob in blobs] == [ROWS, other]
    assert count(tmp_path / "e.sqlite", "distributions") == 1


def test_an_exchange_and_its_arrays_are_written_together(tmp_path: Path) -> None:
    """Where one exchange of a batch cannot be kept, nothing of the batch is: no answer without its arrays."""
    clash = dataclasses.replace(having(1), request=request(1, prompt="another"))
    with opened(tmp_path) as store:
        store.keep([having(1)])
        with pytest.raises(EvidenceError, match="other content"):
            store.keep([having(2), clash])
    assert count(tmp_path / "e.sqlite", "distributions") == count(tmp_path / "e.sqlite", "exchanges") == 1


def test_a_file_from_before_arrays_is_read_and_resumed(tmp_path: Path) -> None:
    """A file of version 1 is read without being touched, and resumed as one of this version with all that it held."""
    file = tmp_path / "e.sqlite"
    with opened(tmp_path) as store:
        store.keep([answered(request(1))])
    as_version_1(file)
    before = file.read_bytes()
    assert reading.read(file).exchanges["c"] == (answered(request(1)),)
    assert file.read_bytes() == before
    with opened(tmp_path) as store:
        assert store.missing([request(1), request(2)]) == [request(2)]
        store.keep([having(2)])
        assert store.exchanges("c") == (answered(request(1)), having(2))
    with sqlite3.connect(file) as db:
        assert unpack(db.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()[0]) == VERSION


def test_a_damaged_array_names_the_file(tmp_path: Path) -> None:
    """Arrays that cannot be read are an error with the cure, like any other damage."""
    with opened(tmp_path) as store:
        store.keep([having(1)])
        with sqlite3.connect(tmp_path / "e.sqlite") as db:
            db.execute("UPDATE distributions SET body = ?", (b"rows and nothing",))
        with pytest.raises(EvidenceError, match=r"e\.sqlite: an exchange of c cannot be read"):
            store.exchanges("c")


def test_arrays_are_shown_in_words_and_exported_whole(tmp_path: Path) -> None:
    """``show`` says how much an exchange holds; ``export`` writes every token and value of every position."""
    with opened(tmp_path) as store:
        store.keep([having(1), answered(request(2))])
    shown = CliRunner().invoke(cli.app, ["show", str(tmp_path / "e.sqlite"), "1"])
    assert shown.exit_code == 0
    assert "20 rows with the log-probabilities of" in shown.output
    out = tmp_path / "out.parquet"
    assert CliRunner().invoke(cli.app, ["export", str(tmp_path / "e.sqlite"), str(out)]).exit_code == 0
    first, second = pq.read_table(out).to_pylist()
    assert (second["token_ids"], second["logprobs"]) == (None, None)
    assert [len(row) for row in first["token_ids"]] == ROWS.counts.tolist()
    assert first["logprobs"][0] == ROWS.logprobs[0, : ROWS.counts[0]].tolist()
