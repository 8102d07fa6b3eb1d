"""Evidence files: which one is a build's, and how it is set aside."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from twx_accept.errors import AnswersSpoilt, ServerDied, ServingError
from twx_accept.session import collecting
from twx_accept.session.collecting import Collector, Place, _require_alive, _set_aside
from twx_accept.session.progress import Silent


def collector(folder: Path, partial: str, *claims: Any) -> Collector:
    """A collector that is only asked for names of files."""
    place = Place(evidence=folder, logs=folder, machine_lock=folder / "m.lock", wait_seconds=0)
    suite: Any = type("Suite", (), {"name": "s"})
    launcher: Any = None
    return Collector(suite=suite, claims=claims, place=place, launcher=launcher, reporter=Silent(), partial=partial)


def claim(specification: str) -> Any:
    """A claim of that specification."""
    return type("Claim", (), {"specification": lambda: {"questions": specification}})


def test_whole_runs_share_a_file_and_partial_ones_do_not(tmp_path: Path) -> None:
    """The identity names the file; a partial run has one for what it asks, so that other questions never mix."""
    build: Any = type("Build", (), {"name": "b"})
    files = [
        collector(tmp_path, partial, claim(questions)).file(build, {"weights": weights})
        for partial in ("", "questions from quiz")
        for questions in ("one", "two")
        for weights in ("x", "y")
    ]
    assert len(set(files)) == 2 + 4
    assert all(file.parent == tmp_path and file.name.startswith("s-b-") for file in files)


def test_evidence_is_set_aside_once_in_a_run(tmp_path: Path) -> None:
    """All processes of a run share what the first of them began; the next run sets that aside and loses nothing."""
    file = tmp_path / "e.sqlite"
    _set_aside(file, "run 1")
    file.write_text("first")
    (tmp_path / "e.sqlite-wal").write_text("first's log")
    _set_aside(file, "run 1")
    assert file.read_text() == "first"
    _set_aside(file, "run 2")
    assert not file.exists()
    file.write_text("second")
    _set_aside(file, "run 2")
    _set_aside(file, "run 3")
    kept = {path.name: path.read_text() for path in tmp_path.glob("*superseded*")}
    assert kept == {
        "e.superseded-1.sqlite": "first",
        "e.superseded-1.sqlite-wal": "first's log",
        "e.superseded-2.sqlite": "second",
    }


def test_a_server_that_lives_and_computes_nonsense_is_not_called_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a lost connection a canary that sings NaN says so: of a server that died what it answered would be kept."""
    server: Any = type("Server", (), {"model": "m"})
    for error, told in ((AnswersSpoilt("NaN"), AnswersSpoilt), (ServingError("no answer"), ServerDied)):
        monkeypatch.setattr(collecting, "check", Mock(side_effect=error))
        with pytest.raises(told):
            _require_alive(server)
