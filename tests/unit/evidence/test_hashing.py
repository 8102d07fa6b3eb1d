"""Digests, and what is remembered of them."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from evidence_bench import without

from twx_accept.evidence import hashing
from twx_accept.evidence.hashing import digests


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Files of several sizes, an empty one among them."""
    (tmp_path / "m").mkdir()
    made = []
    for number, size in enumerate((0, 1, 1000, 50_000, 50_001, 7)):
        made.append(tmp_path / "m" / f"f{number}")
        made[-1].write_bytes(bytes([number]) * size)
    return made


def right(files: list[Path]) -> dict[str, str]:
    """The digests, taken the plain way."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def hashed(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are really read."""
    read: list[str] = []
    genuine = hashing._sha256
    with monkeypatch.context() as patch:
        patch.setattr(hashing, "_sha256", lambda file, count: (read.append(file.name), genuine(file, count))[1])
        assert digests(files, lambda *_: None) == right(files)
    return sorted(read)


def test_bytes_are_counted_to_the_last(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing in parallel tells each step once, in growing order, and ends with all bytes; so does remembering."""
    monkeypatch.setattr(hashing, "CHUNK", 1000)
    monkeypatch.setattr(hashing, "TOLD", 1)
    total = sum(file.stat().st_size for file in files)
    for _ in range(2):
        told: list[tuple[str, int, int]] = []
        digests(files, lambda *step, told=told: told.append(step))
        assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
        assert told[-1][1] == total
        assert {all_ for _, _, all_ in told} == {total}
        assert {name for name, _, _ in told} >= {file.name for file in files if file.stat().st_size}
    assert len(told) == len(files)


def test_progress_goes_on_within_a_file(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file is told in steps, not only at its end."""
    monkeypatch.setattr(hashing, "CHUNK", 1000)
    monkeypatch.setattr(hashing, "TOLD", 1)
    told: list[int] = []
    digests(files[3:4], lambda _, done, __: told.append(done))
    assert told == list(range(1000, 50_001, 1000))


def test_a_digest_is_taken_once(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """What was hashed is remembered, and only what is new is read."""
    assert hashed(files[:4], monkeypatch) == ["f0", "f1", "f2", "f3"]
    assert hashed(files, monkeypatch) == ["f4", "f5"]
    assert hashed(files, monkeypatch) == []


def test_a_changed_file_is_read_again(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Another size or another time of change is another file."""
    hashed(files, monkeypatch)
    os.utime(files[1], ns=(1, 1))
    files[2].write_bytes(b"longer" * 1000)
    assert hashed(files, monkeypatch) == ["f1", "f2"]


def test_restored_times_do_not_deceive(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Other content of the same size with the old time, as unpacking leaves it, is read again."""
    before = files[3].stat()
    hashed(files, monkeypatch)
    files[3].write_bytes(bytes(reversed(range(250))) * 200)
    os.utime(files[3], ns=(before.st_atime_ns, before.st_mtime_ns))
    assert hashed(files, monkeypatch) == ["f3"]
    other = files[3].with_name("other")
    other.write_bytes(b"x" * 50_000)
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(files[3])
    assert hashed(files, monkeypatch) == ["f3"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "null", "[" * 100_000, "\udc80", '{"a": 3}', '{"a": null}', '"a"', '{"a": {}}']
)
def test_a_memory_that_cannot_be_read_is_begun_anew(
    text: str, files: list[Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever became of the memory, the files are hashed and remembered again."""
    cache.parent.mkdir(parents=True)
    cache.write_text(text, errors="surrogateescape")
    assert len(hashed(files, monkeypatch)) == len(files)
    assert hashed(files, monkeypatch) == []


@pytest.mark.parametrize("value", ["", "abc", "g" * 64, "A" * 64, "a" * 63, "a" * 65, "a" * 64 + "\n", 3, None, []])
def test_what_is_no_digest_is_not_believed(
    value: object, files: list[Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A remembered value that no SHA-256 can be is thrown away."""
    hashed(files, monkeypatch)
    cache.write_text(json.dumps(dict.fromkeys(json.loads(cache.read_text()), value)))
    assert len(hashed(files, monkeypatch)) == len(files)


def test_without_a_place_to_remember_the_files_are_hashed(
    files: list[Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home that cannot be written, or is a file, costs time and nothing else."""
    with without(files[0].parent.parent, mode=0o555):
        assert len(hashed(files, monkeypatch)) == len(files)
    assert not cache.exists()
    cache.parent.parent.touch()
    assert len(hashed(files, monkeypatch)) == len(files)
    cache.parent.parent.unlink()
    cache.mkdir(parents=True)
    assert len(hashed(files, monkeypatch)) == len(files)
    shutil.rmtree(cache)
    assert len(hashed(files, monkeypatch)) == len(files)
    assert hashed(files, monkeypatch) == []


def test_a_file_that_is_gone_is_an_error(files: list[Path]) -> None:
    """A file that cannot be read raises, in whichever thread that was."""
    files[2].unlink()
    with pytest.raises(OSError, match="f2"):
        digests(files, lambda *_: None)


def test_whoever_stops_the_hashing_waits_for_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the reading of every file at once, and nothing half read is remembered."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    whole = 2**36  # a hole: minutes of reading, and no byte on the disk
    for name in ("a", "b"):
        with (tmp_path / name).open("wb") as stream:
            stream.truncate(whole)
    told: list[int] = []

    def stop(name: str, done: int, _total: int) -> None:
        told.append(done)
        if name == "a":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        digests([tmp_path / "a", tmp_path / "b"], stop)
    assert max(told) < whole
    assert not (tmp_path / "cache" / "twx-accept" / "digests.json").exists()
