"""``twx-accept documents make``."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from twx_accept import cli
from twx_accept.documents import lines, make
from twx_accept.sources import FileOrHub


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """Runs ``documents make`` in this process: status, standard output and standard error."""
    monkeypatch.setattr(sys, "argv", ["twx-accept", "documents", "make", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_the_file_reads_back_as_a_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file holds the set of the seed, one passage a line, and is read as any other source."""
    file = tmp_path / "passages.jsonl"
    status, out, err = run(capsys, monkeypatch, "--seed", "7", "--passages", "24", str(file))
    assert (status, err) == (0, "")
    assert out.startswith(f"{file}: 24 passages of 16 kinds, ")
    assert out.endswith(" planted facts, seed 7\n")
    documents = make(7, 24)
    assert file.read_text(encoding="utf-8") == lines(documents)
    rows = FileOrHub(folder=tmp_path).rows(str(file), "test")
    assert rows == [document.row() for document in documents]
    assert set(rows[0]) == {"id", "kind", "text", "facts"}
    assert set(rows[0]["facts"][0]) == {"id", "text"}
    assert all(json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())


def test_without_a_file_the_rows_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard output holds the rows and nothing else, so that it can be piped."""
    assert run(capsys, monkeypatch, "--seed", "7", "--passages", "5") == (0, lines(make(7, 5)), "")


def test_another_file_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that holds something else is left, unless --force is given; the same set may be made again."""
    file = tmp_path / "passages.jsonl"
    file.write_text("mine\n")
    words = ("--seed", "7", "--passages", "3", str(file))
    assert run(capsys, monkeypatch, *words) == (
        2,
        "",
        f"twx-accept: {file}: is there and holds something else; --force replaces it\n",
    )
    assert file.read_text() == "mine\n"
    assert run(capsys, monkeypatch, *words, "--force")[0] == 0
    assert run(capsys, monkeypatch, *words)[0] == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize("passages", ["0", "-3", "1001", "99999999999999999999"])
def test_an_impossible_size_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, passages: str
) -> None:
    """A size that cannot be had is one line and status 2."""
    file = tmp_path / "passages.jsonl"
    status, out, err = run(capsys, monkeypatch, "--seed", "1", "--passages", passages, str(file))
    assert (status, out) == (2, "")
    assert err == f"twx-accept: passages: {passages} cannot be made; ask for 1 to 1000\n"
    assert not file.exists()


def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is absent, a file in the place of a folder, a folder and a wrong ending are told in one line."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder.jsonl").mkdir()
    for place, said in (
        ("absent/out.jsonl", "absent: no such folder; make it first, or name another"),
        ("file/out.jsonl", "file: no such folder; make it first, or name another"),
        ("folder.jsonl", "folder.jsonl: is a folder; name a file in it"),
        ("out.txt", "out.txt: is not named after what it will hold; end it in .jsonl"),
    ):
        answer = run(capsys, monkeypatch, "--seed", "1", "--passages", "2", str(tmp_path / place))
        assert answer == (2, "", f"twx-accept: {tmp_path / said}\n")


def test_a_disk_that_refuses_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the disk or of rights is one line and status 2."""

    def refuse(self: Path, _: bytes) -> int:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    status, out, err = run(capsys, monkeypatch, "--seed", "1", "--passages", "2", str(tmp_path / "out.jsonl"))
    assert (status, out) == (2, "")
    assert err.startswith("twx-accept: [Errno 13] Permission denied")
    assert err.count("\n") == 1


def test_a_seed_must_be_given(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a seed, or with one that is no whole number, nothing is made."""
    assert run(capsys, monkeypatch)[0] == 2
    assert run(capsys, monkeypatch, "--seed", "one")[0] == 2


def test_the_help_teaches() -> None:
    """The help says what the passages are for, what a line holds, and gives a call that works."""
    shown = CliRunner().invoke(cli.app, ["documents", "make", "--help"], env={"COLUMNS": "120"}).output
    for word in ("--seed", "--passages", "--force", "OUT.jsonl", "source of passages", "documents make --seed"):
        assert word in shown
