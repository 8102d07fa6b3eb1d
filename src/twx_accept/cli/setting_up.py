"""Commands that set up a project: init, suites, models prepare."""

import os
from pathlib import Path
from typing import Annotated

import typer

from twx_accept import starter, suite
from twx_accept.cli.common import Root
from twx_accept.errors import UsageError
from twx_accept.preparing.prepare import prepare_suite_models


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder for the project; made where it is absent.")],
) -> None:
    """Write a project that runs at once: the embedded suite, its questions, acceptance tests and registered marks."""
    written = starter.write(folder)
    typer.echo(f"{len(written)} files written to {folder}. Next, in that folder:")
    typer.echo("  python scripts/make_engine.py        # vLLM for CPUs in an environment of its own")
    typer.echo("  twx-accept models prepare smollm2    # the embedded models")
    typer.echo("  pytest -m acceptance                 # serve, ask, decide; the report is reports/report.html")
    typer.echo("Then copy fixtures/suites/smollm2.toml for your own builds. Marks are registered at a commit:")
    typer.echo("  git init && git add --all && git commit --message 'My suite' && twx-accept register NAME")


def suites(root: Root = Path()) -> None:
    """List the suites, their builds and their claims."""
    folder = root / "fixtures" / "suites"
    if not (there := suite.find(folder)):
        raise UsageError(
            f"{folder}: no suite file is here; --root names the project's folder, `twx-accept init` writes one"
        )
    for found in there.values():
        typer.echo(f"{found.name}: {found.title}")
        attach = found.engine.attach
        place = found.original.path if attach is None else attach.addresses[found.original.name].url
        typer.echo(f"  original: {found.original.name} ({place})")
        for build in found.builds:
            typer.echo(f"  build: {build.name}{' (control)' if build.control else ''}: {build.title}")
        typer.echo(f"  claims: {', '.join(found.claims)}")


def prepare(
    name: Annotated[str, typer.Argument(metavar="SUITE", help="The suite whose models are made: smollm2.")],
    root: Root = Path(),
    engine: Annotated[
        Path | None,
        typer.Option(help="Python of the engine's environment. Default: $TWX_ACCEPT_ENGINE_PYTHON, or .venv-vllm."),
    ] = None,
    wheel: Annotated[Path | None, typer.Option(help="The source package, if you have fetched it yourself.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Make again what is there with other digests.")] = False,
) -> None:
    """Make the builds of the embedded suite from a published package, and check every digest.

    What is there and right is left alone, so that a second call takes a second.
    """
    usual = os.environ.get(suite.ENGINE_VARIABLE) or str(root / ".venv-vllm" / "bin" / "python")
    prepare_suite_models(
        name,
        fixtures=root / "fixtures",
        models=root / "models",
        engine_python=engine or Path(usual),
        force=force,
        wheel=wheel,
        say=typer.echo,
    )
