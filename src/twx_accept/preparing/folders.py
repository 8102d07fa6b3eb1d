"""What lies in a build's folder, compared with the recipe; and how a finished folder takes its place."""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from twx_accept.preparing.recipe import BuildRecipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One file that is not what the recipe says; `found` is a digest, "missing" or "not in the recipe"."""

    file: str
    expected: str
    found: str

    def __str__(self) -> str:
        """Name file, expectation and finding in one line."""
        return f"{self.file}: expected {self.expected}, found {self.found}"


def sha256_of(path: Path) -> str:
    """The file's SHA-256 in hexadecimal; reads it in blocks, since weights do not fit everywhere."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def differences(folder: Path, build: BuildRecipe) -> list[Difference]:
    """Compare a folder with its recipe; an empty list means that every byte that counts is right.

    A file that the recipe does not know counts too: an engine loads every weight file that it finds. Hidden files do
    not count.
    """
    found: list[Difference] = []
    for name, expected in build.files.items():
        path = folder / name
        digest = sha256_of(path) if path.is_file() else "missing"
        if digest != expected:
            found.append(Difference(file=name, expected=expected, found=digest))
    if folder.is_dir():
        extra = sorted(p.name for p in folder.iterdir() if p.name not in build.files and not p.name.startswith("."))
        found += [Difference(file=name, expected="no such file", found="not in the recipe") for name in extra]
    return found


def put_in_place(made: Path, place: Path, aside: Path) -> None:
    """Move a finished folder to its place; one that lies there is moved to `aside` first and then removed.

    All three lie on one file system, so each step is a rename: whoever looks finds the old folder, none, or the new
    one, never half of it.
    """
    if place.exists():
        place.rename(aside)
    made.rename(place)
    shutil.rmtree(aside, ignore_errors=True)
