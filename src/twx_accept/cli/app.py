"""The commands, brought together."""

import inspect
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated

import typer

from twx_accept import __version__
from twx_accept.cli import (
    doctor,
    documents,
    facts,
    judging,
    looking,
    planning,
    random_models,
    registering,
    reporting,
    setting_up,
    trials,
)
from twx_accept.errors import TwxAcceptError


def _add(to: typer.Typer, command: Callable[..., None], name: str | None = None) -> None:
    """Add a command, each paragraph of its docstring as one line: a terminal is seldom as wide as the source."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    to.command(name, help="\n\n".join(" ".join(each.split()) for each in paragraphs))(command)


app = typer.Typer(
    help="Acceptance tests for compressed language models. The run itself is `pytest -m acceptance --build NAME`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
models = typer.Typer(help="Make the models of the embedded suite, or models with random weights.", no_args_is_help=True)
_add(models, setting_up.prepare)
_add(models, random_models.make, "make-random")
app.add_typer(models, name="models")
tool_trials = typer.Typer(help="Make the trials of tool calling.", no_args_is_help=True)
_add(tool_trials, trials.make)
app.add_typer(tool_trials, name="trials")
passages = typer.Typer(help="Make documents whose facts are known.", no_args_is_help=True)
_add(passages, documents.make)
app.add_typer(passages, name="documents")
made_up = typer.Typer(help="Measure how well facts that a model wrote are judged.", no_args_is_help=True)
_add(made_up, facts.measure)
app.add_typer(made_up, name="facts")
for command in (
    setting_up.init,
    setting_up.suites,
    planning.plan,
    doctor.doctor,
    registering.register,
    registering.waive,
    registering.ledger,
    judging.judge,
    reporting.report,
    looking.show,
    looking.export,
):
    _add(app, command)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
) -> None:
    """Acceptance tests for compressed language models."""
    if show:
        typer.echo(f"twx-accept {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; an error of ours, or of a disk or its rights, is one line and exit status 2."""
    if isinstance(sys.stdout, TextIOWrapper):  # a title may hold what a terminal's encoding does not
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except (TwxAcceptError, OSError) as error:
        typer.echo(f"twx-accept: {error}", err=True)
        sys.exit(2)
