"""Reads and checks a suite file. Everything a user can write wrong in it is told here, before anything boots."""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from twx_accept import nodes
from twx_accept.domain.suite import Asking, Build, Engine, FlagValue, Suite
from twx_accept.errors import SuiteError
from twx_accept.suite_engine import (
    CARD,
    ENGINE_VARIABLE,
    VARIABLE_PATTERN,
    EngineSection,
    Line,
    Section,
    engine_of,
    resolve,
    visible_cards,
)

__all__ = ["ENGINE_VARIABLE", "choose", "explain", "find", "load"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NAME_PATTERN = rf"^{NAME.pattern}$"
FLAG_PATTERN = r"^[a-z][a-z0-9_]*$"
SHA256_PATTERN = r"^[0-9a-f]{64}$"

FIXES_CACHE = ("kv_cache_memory", "num_gpu_blocks")
"""What flags begin with that fix the cache's size, however much of their names is written out."""

NAMES_FILE = ("chat_template", "tool_parser_plugin", "reasoning_parser_plugin")
FILES = (".jinja", ".j2", ".json", ".py")
"""Flags that may name a file, and how such a name ends; a chat template may stand there itself."""

SECRETS = re.compile(r"(?<=://)[^/\s]*(?=@)|(?<=^--env=)\w*=.*")
"""What a message does not repeat of a value: the name and password of an address, the value of a variable."""

PATTERNS = {
    NAME_PATTERN: "should be letters, digits, dots, dashes and underscores, at most 64, no sign first",
    FLAG_PATTERN: "should be the engine's flag with underscores in the place of dashes, as max_model_len",
    SHA256_PATTERN: "should be a SHA-256, 64 hex digits in lower case",
    VARIABLE_PATTERN: "should be the name of a variable: letters, digits and underscores, no digit first",
    CARD: "should be a card's index, or its UUID as `nvidia-smi -L` shows it",
}
"""What a text must look like, in words."""

MOST_PROBLEMS = 8
"""Problems that one message names; a file of another kind would have hundreds."""


def _flag(value: Any) -> Any:
    """Flags become arguments, and JSON in the identity of the evidence."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        value = None
    if not isinstance(value, bool | int | float | str | Mapping) or (isinstance(value, str) and "\0" in value):
        raise ValueError("should be true, false, a finite number, a text, or a table of these and of lists")
    return value


Name = Annotated[str, Field(pattern=NAME_PATTERN)]
FlagName = Annotated[str, Field(pattern=FLAG_PATTERN)]
Flags = dict[FlagName, Annotated[Any, AfterValidator(_flag)]]
Sha256 = Annotated[str, Field(pattern=SHA256_PATTERN)]


class _Head(Section):
    name: Name
    title: Line
    version: int = Field(ge=1)
    demonstration: bool = False
    noise_floor: Literal["required", "optional"] = "optional"
    original: Name
    may_differ: list[FlagName] = Field(default=["quantization", "load_format"])


class _Asking(Section):
    concurrency: int = Field(default=16, ge=1, le=4096)
    prompts_per_request: int = Field(default=32, ge=1, le=1024)
    timeout_seconds: float = Field(default=600, gt=0)
    attempts: int = Field(default=5, ge=1, le=100)


class _Build(Section):
    name: Name
    title: Line | None = None
    path: Line
    control: bool = False
    flags: Flags = Field(default={})
    digests: dict[str, Sha256] = Field(default={})


class _File(Section):
    suite: _Head
    engine: EngineSection
    flags: Flags = Field(default={})
    asking: _Asking = _Asking()
    builds: list[_Build] = Field(min_length=2)
    claims: dict[str, dict[str, Any]] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _weights_elsewhere(cls, raw: Any) -> Any:
        """The weights of a server that is attached lie with it, wherever that is: no path of theirs is needed."""
        engine, builds = (raw.get("engine"), raw.get("builds")) if isinstance(raw, dict) else (None, None)
        if not isinstance(engine, dict) or engine.get("launcher") != "attach" or not isinstance(builds, list):
            return raw
        return raw | {"builds": [{"path": os.devnull} | each if isinstance(each, dict) else each for each in builds]}


def load(path: Path) -> Suite:
    """The suite in that TOML file.

    Args:
        path: the suite file. Relative paths in it are relative to its folder.

    Raises:
        SuiteError: naming the file, the field, the value and the cure.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise SuiteError(f"{path}: cannot be read ({error}); give a TOML file in UTF-8") from error
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is no TOMLDecodeError
        raise SuiteError(f"{path}: is no valid TOML ({error}); mend it there") from error
    try:
        checked = _File.model_validate(raw)
    except ValidationError as error:
        raise SuiteError(f"{path}: {explain(error, of=_File)}") from error
    return _assemble(path, checked)


def find(folder: Path) -> dict[str, Suite]:
    """All suites in that folder (``*.toml``), by name.

    Raises:
        SuiteError: two files hold one suite's name, or one of them is wrong.
    """
    suites: dict[str, Suite] = {}
    for file in sorted(folder.glob("*.toml")):
        suite = load(file)
        if suite.name in suites:
            raise SuiteError(
                f"{file}: suite {suite.name!r} is already in {suites[suite.name].file}; "
                "give one another name under [suite]"
            )
        suites[suite.name] = suite
    return suites


def choose(suites: Mapping[str, Suite], name: str | None, builds: Iterable[str]) -> tuple[Suite, tuple[Build, ...]]:
    """The suite and the builds that a command line asks for.

    Args:
        suites: what is there, by name.
        name: the suite that was asked for, or None to find it by its builds (the only suite, where there is one).
        builds: names of builds; none means every build of the suite but the original.

    Returns:
        The suite, and its builds in the suite's order with the control first, so that a control which is not caught
        stops the others early.

    Raises:
        SuiteError: a name is unknown, or stands in several suites; the known ones are listed.
    """
    wanted = tuple(dict.fromkeys(builds))
    suite = _suite_of(suites, name, wanted)
    known = {build.name: build for build in suite.builds}
    for build in wanted:
        if build == suite.original.name:
            raise SuiteError(f"build {build!r} is the original of suite {suite.name!r}; name a compressed build of it")
        if build not in known:
            raise SuiteError(f"no build {build!r} in suite {suite.name!r}; it has: {', '.join(known)}")
    chosen = [build for build in suite.builds if not wanted or build.name in wanted]
    return suite, tuple(sorted(chosen, key=lambda build: not build.control))


def _suite_of(suites: Mapping[str, Suite], name: str | None, builds: tuple[str, ...]) -> Suite:
    listing = "; ".join(f"{suite.name}: {', '.join(build.name for build in suite.builds)}" for suite in suites.values())
    if not suites:
        raise SuiteError(
            "no suite file found in fixtures/suites; go to the project's folder, name a file FILE.toml, or write a "
            "project with `twx-accept init DIR`"
        )
    if name is not None:
        if name not in suites:
            raise SuiteError(f"no suite {name!r}; known suites and builds: {listing}")
        return suites[name]
    if not builds:
        if len(suites) == 1:
            return next(iter(suites.values()))
        raise SuiteError(f"several suites are here, so --suite or --build is needed; known: {listing}")
    holding = [
        suite for suite in suites.values() if any(builds[0] in (b.name, suite.original.name) for b in suite.builds)
    ]
    if not holding:
        raise SuiteError(f"no build {builds[0]!r} in any suite; known suites and builds: {listing}")
    if len(holding) > 1:
        names = ", ".join(suite.name for suite in holding)
        raise SuiteError(f"build {builds[0]!r} is in several suites ({names}); say which with --suite")
    return holding[0]


def _assemble(path: Path, checked: _File) -> Suite:
    folder = path.resolve().parent
    names = [build.name for build in checked.builds]
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise SuiteError(f"{path}: builds: {', '.join(double)} stands twice; every build needs a name of its own")
    if checked.suite.original not in names:
        raise SuiteError(f"{path}: suite.original is {checked.suite.original!r}, which is none of: {', '.join(names)}")
    for flag in [*checked.flags, *(flag for build in checked.builds for flag in build.flags)]:
        if flag.startswith(FIXES_CACHE):
            raise SuiteError(f"{path}: flags.{flag} fixes the cache, which is what is measured; remove it")
    builds = {build.name: _build(path, folder, checked, build) for build in checked.builds}
    engine, flags = engine_of(path, folder, checked.engine, names), _flags(path, folder, checked.flags)
    for build in builds.values():
        _expect_nodes(path, engine, flags, build)
    original = builds.pop(checked.suite.original)
    if original.control:
        raise SuiteError(f"{path}: the original {original.name!r} cannot be the control; damage a build of its own")
    return Suite(
        name=checked.suite.name,
        title=checked.suite.title,
        version=checked.suite.version,
        demonstration=checked.suite.demonstration,
        noise_floor=checked.suite.noise_floor == "required",
        file=path,
        folder=folder,
        original=original,
        builds=tuple(builds.values()),
        engine=engine,
        asking=Asking(**checked.asking.model_dump()),
        flags=flags,
        may_differ=tuple(checked.suite.may_differ),
        claims=checked.claims,
    )


def _expect_nodes(path: Path, engine: Engine, flags: Mapping[str, FlagValue], build: Build) -> None:
    """Flags for several nodes fit together. Those of an attached server are somebody else's, and only looked at."""
    if engine.launcher == "attach":
        return
    if wrong := nodes.problems({**flags, **build.flags}, visible_cards(engine)):
        raise SuiteError(f"{path}: flags of {build.name}: {'; '.join(wrong)}")


def _flags(path: Path, folder: Path, flags: Mapping[str, FlagValue]) -> dict[str, FlagValue]:
    """The flags, with each file that one of them names where it lies from here: an engine is started elsewhere."""
    found = dict(flags)
    for name in NAMES_FILE:
        value = found.get(name)
        if isinstance(value, str) and value.endswith(FILES):
            file = resolve(f"{path}: flags.{name}", folder, value)
            if not file.is_file():
                raise SuiteError(f"{path}: flags.{name} is {value!r}: there is no {file}; mend the path")
            found[name] = str(file)
    return found


def _build(path: Path, folder: Path, checked: _File, build: _Build) -> Build:
    outside = sorted(set(build.flags) - set(checked.suite.may_differ))
    if outside:
        listed = ", ".join(checked.suite.may_differ) or "none"
        raise SuiteError(
            f"{path}: builds.{build.name}.flags sets {', '.join(outside)}, in which builds may not differ; "
            f"set it under [flags] for all, or list it in suite.may_differ (now: {listed})"
        )
    flags = _flags(path, folder, build.flags)
    return Build(
        name=build.name,
        title=build.title or build.name,
        path=resolve(f"{path}: builds.{build.name}.path", folder, build.path),
        control=build.control,
        flags=flags,
        digests=build.digests,
    )


def explain(error: ValidationError, *at: str, of: type[BaseModel] | None = None) -> str:
    """What is wrong, in one line: each field, the problem, the value.

    Args:
        error: what pydantic says.
        at: where the checked table stands.
        of: what it was checked by, so that a name that is not known is told with those that are.
    """
    problems = []
    for problem in error.errors(include_url=False):
        place = [part for part in map(str, (*at, *problem["loc"])) if part != "[key]"]
        field = ".".join(part if part.isprintable() else repr(part) for part in place)
        shown = "" if problem["type"] == "missing" else f" (it is {_shown(problem['input'])})"
        problems.append(f"{field}: {_wrong(problem, of)}{shown}")
    more = len(problems) - MOST_PROBLEMS
    return "; ".join([*problems[:MOST_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])


def _wrong(problem: ErrorDetails, of: type[BaseModel] | None) -> str:
    """One problem and its cure, without its place and value."""
    if problem["type"] == "missing":
        return "is missing; add it"
    if problem["type"] == "extra_forbidden":
        return f"no such field; {_meant(problem['loc'], of)}"
    if problem["type"] == "string_pattern_mismatch":
        return PATTERNS.get(problem["ctx"]["pattern"], problem["msg"])
    return problem["msg"].removeprefix("Value error, ")


def _meant(place: tuple[int | str, ...], of: type[BaseModel] | None) -> str:
    """What a field that there is not may be meant for."""
    known = _fields(of, place[:-1])
    near = difflib.get_close_matches(str(place[-1]), known, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"remove it; known here: {', '.join(known)}" if known else "remove it or mend its name"


def _fields(of: Any, place: Iterable[int | str]) -> list[str]:
    """The names that the table at that place may have, as far as its model says."""
    for part in place:
        if of is not None and part in of.model_fields:  # else the key of a mapping, or a number in a list
            of = _table(of.model_fields[str(part)].annotation)
    return [] if of is None else list(of.model_fields)


def _table(annotation: Any) -> Any:
    """The model within an annotation: of a table, of a list of tables, of one that may be absent."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := _table(each)) is not None), None)


def _shown(value: object) -> str:
    if isinstance(value, str):
        value = SECRETS.sub("(removed)", value)
    try:
        return f"{value!r:.80}"
    except (RecursionError, ValueError):  # a number may have more digits than Python writes
        return f"a {type(value).__name__} too large to show"
