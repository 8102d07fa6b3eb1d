"""The command trials make."""

from pathlib import Path
from typing import Annotated

import typer

from twx_accept import trials
from twx_accept.errors import UsageError


def make(
    seed: Annotated[
        int, typer.Option(help="Decides wordings, values and orders: the same seed gives the same bytes everywhere.")
    ],
    out: Annotated[
        Path | None, typer.Argument(metavar="OUT.jsonl", help="A new file. Default: standard output.")
    ] = None,
    per_case: Annotated[int, typer.Option(help="Trials of each of the six cases; all prompts differ.")] = 100,
    tools: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Your own catalogue, wordings and values. Default: those of fixtures/tools."
        ),
    ] = None,
) -> None:
    """Make trials of tool calling: prompts, the tools offered beside them, and the calls that are right.

    A smaller set of the same seed is part of a larger one: the first trials of each case.
    """
    if out is not None and out.exists():
        raise UsageError(f"{out}: is there already; name a new file")
    made = trials.make(seed, per_case, trials.load(tools or trials.shipped()))
    if out is None:
        typer.echo(trials.lines(made), nl=False)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(trials.lines(made), encoding="utf-8", newline="\n")
    typer.echo(f"{len(made)} trials written to {out}: six cases, {per_case} each, seed {seed}")
