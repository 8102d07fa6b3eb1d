"""Evidence that is read and never written: by a judge, a plan, and whoever asks what partial runs have touched."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from evidence_bench import IDENTITY, INVENTORY, answered, failed, request, without

from twx_accept.domain.evidence import Origin
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.errors import EvidenceError
from twx_accept.evidence import Store, attempts, reading
from twx_accept.session.archive import Archive

SUITE: Any = SimpleNamespace(name="s")
BUILD: Any = SimpleNamespace(name="b")


def origin(**changes: Any) -> Origin:
    """How evidence began."""
    values: dict[str, Any] = {
        "suite": "s",
        "build": "b",
        "weights": "w",
        "control": False,
        "partial": "",
        "ledger": "0" * 64,
        "attempt": 1,
        "began": "2026-01-01T00:00:00+00:00",
    }
    return Origin(**values | changes)


def kept(file: Path, *exchanges: Exchange, **changes: Any) -> Path:
    """An evidence file with those exchanges."""
    with Store(file, IDENTITY, INVENTORY, begin=lambda: origin(**changes)) as store:
        store.keep(exchanges)
    return file


def tokens(item: str) -> Exchange:
    """What a text's tokens were, which every question asks alike."""
    key = Key(claim="c", item=item, arm="tokens")
    return answered(Request(key=key, path="/tokenize", body={"prompt": " wrong"}, phase="tokens"))


def test_an_item_is_touched_under_whatever_id_it_was_asked(tmp_path: Path) -> None:
    """The same question under another id is the same question; a failure, and tokens, touch none."""
    file = kept(
        tmp_path / "a.sqlite",
        answered(request("one", prompt="first")),
        answered(request("renamed", prompt="second")),
        failed(request("three", prompt="third")),
        tokens("renamed"),
        answered(request("four", claim="other", prompt="fourth")),
    )
    planned = [answered(request(item, prompt=prompt)) for item, prompt in (("one", "new"), ("two", "second"))]
    planned += [answered(request(item, prompt=prompt)) for item, prompt in (("three", "third"), ("four", "fourth"))]
    assert reading.touched(file, "c", [*planned, tokens("five")]) == {"one", "two"}


def test_reading_leaves_a_folder_without_rights_as_it_is(tmp_path: Path) -> None:
    """A read-only folder is enough, and nothing is left beside the file."""
    file = kept(tmp_path / "kept" / "a.sqlite", answered(request(1)))
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    with without(file.parent, mode=0o555):
        assert len(reading.read(file).exchanges["c"]) == 1
        assert reading.origin(file) == origin()
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0" + b"\xff" * 200])
def test_what_is_no_evidence_is_one_line(tmp_path: Path, content: bytes | None) -> None:
    """An absent, empty, foreign or damaged file is told with its name and a cure."""
    file = tmp_path / "a.sqlite"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(EvidenceError, match=r"a\.sqlite: ") as error:
        reading.read(file)
    assert "\n" not in str(error.value)


def test_archive_takes_whole_runs_whatever_builds_are_called(tmp_path: Path) -> None:
    """Partial, superseded and foreign evidence is left out by what it says; of two in one second the later attempt."""
    kept(tmp_path / "s-my-partial-b-000000000001.sqlite", build="my-partial-b")
    kept(tmp_path / "s-b-000000000001.sqlite", attempt=2)
    kept(tmp_path / "s-b-000000000002.sqlite", attempt=1)
    kept(tmp_path / "s-c-000000000001-partial-1.sqlite", build="c", partial="2 questions", attempt=0)
    kept(tmp_path / "s-d-000000000001.superseded-1.sqlite", build="d")
    kept(tmp_path / "t-e-000000000001.sqlite", build="e", suite="t")
    assert {build: file.name for build, file in Archive(suite=SUITE, folder=tmp_path).files().items()} == {
        "b": "s-b-000000000001.sqlite",
        "my-partial-b": "s-my-partial-b-000000000001.sqlite",
    }


def test_lost_log_of_attempts_is_counted_from_the_evidence(tmp_path: Path) -> None:
    """Without its log the count goes on from what the kept and superseded evidence tells."""
    file = kept(tmp_path / "s-b-1.superseded-1.sqlite", attempt=4)
    kept(tmp_path / "s-b-2.sqlite", attempt=9, weights="others")
    assert attempts.begin(tmp_path, SUITE, BUILD, "w", file, "0" * 64) == 5
    assert attempts.begin(tmp_path, SUITE, BUILD, "w", file, "0" * 64) == 6


def test_weights_are_the_same_under_other_file_names() -> None:
    """Renamed shards, and an index that comes or goes, leave the digest by which attempts are counted."""
    one = attempts.weights_of({"a.safetensors": "1", "b.safetensors": "2", "model.safetensors.index.json": "3"})
    assert one == attempts.weights_of({"x.safetensors": "2", "y.safetensors": "1"})
    assert one != attempts.weights_of({"x.safetensors": "2", "y.safetensors": "3"})
