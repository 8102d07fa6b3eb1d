"""Where the locks of this machine lie."""

import os
from pathlib import Path

import pytest

from twx_accept.errors import UsageError
from twx_accept.session import locks
from twx_accept.session.locks import VARIABLE, usual_lock


@pytest.fixture(autouse=True)
def _places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places of the test's own, and no other named."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(locks, "OF_USERS", tmp_path / "run")
    monkeypatch.setattr(locks, "OF_ALL", tmp_path)


def mode(folder: Path) -> int:
    """Who may do what in it."""
    return folder.stat().st_mode & 0o777


def test_jobs_with_temporary_folders_of_their_own_share_the_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TMPDIR says nothing of it; only this user can enter, also a folder that was there with other rights."""
    (tmp_path / f"twx-accept-{os.getuid()}").mkdir(mode=0o755)
    for job in ("a", "b"):
        monkeypatch.setenv("TMPDIR", str(tmp_path / job))
        monkeypatch.setattr("tempfile.tempdir", None)
        assert usual_lock() == tmp_path / f"twx-accept-{os.getuid()}" / "machine.lock"
    assert mode(usual_lock().parent) == 0o700


def test_the_users_runtime_folder_comes_first(tmp_path: Path) -> None:
    """Where the machine gives the user one, no other user can stand in the way."""
    runtime = tmp_path / "run" / str(os.getuid())
    runtime.mkdir(parents=True)
    assert usual_lock() == runtime / "twx-accept" / "machine.lock"
    assert mode(runtime / "twx-accept") == 0o700


def test_another_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For machines on which neither place is shared; it is made, and one that is there keeps its rights."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "x" / "locks"))
    assert usual_lock() == tmp_path / "x" / "locks" / "machine.lock"
    (tmp_path / "mine").mkdir(mode=0o755)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine"))
    usual_lock()
    assert mode(tmp_path / "mine") == 0o755


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user could hold every lock, or take it away; the error names the folder and the cure."""
    me = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)  # so that what is made here is another's
    (tmp_path / "run" / str(me + 1)).mkdir(parents=True)  # neither is this runtime folder the user's
    with pytest.raises(UsageError, match=rf"twx-accept-{me + 1}: .* is no folder of yours; name a folder .*{VARIABLE}"):
        usual_lock()


@pytest.mark.parametrize("kind", ["a file", "a link", "a NUL"])
def test_what_is_no_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """A file in the place, a link that may lead anywhere, a name that no folder can have."""
    place = tmp_path / f"twx-accept-{os.getuid()}"
    if kind == "a file":
        place.write_text("")
    elif kind == "a link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    else:
        monkeypatch.setattr(os, "environ", {**os.environ, VARIABLE: "a\0b"})
    with pytest.raises(UsageError, match=VARIABLE):
        usual_lock()
