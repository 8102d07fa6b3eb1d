"""Commands about documents: documents make."""

from pathlib import Path
from typing import Annotated

import typer

from twx_accept import documents
from twx_accept.errors import UsageError


def make(
    seed: Annotated[
        int, typer.Option(help="Any whole number: the same one gives the same bytes, another a fresh set.")
    ],
    passages: Annotated[int, typer.Option(help=f"How many passages, 1 to {documents.MOST_PASSAGES}.")] = 360,
    out: Annotated[
        Path | None,
        typer.Argument(metavar="OUT.jsonl", help="A file in a folder that is there. Default: standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT.jsonl if it holds something else.")] = False,
) -> None:
    """Make passages that nobody has read, and the facts that each of them states.

    Every name, place and number is invented, so that a model can answer nothing from memory. One passage a line: id,
    kind, text, and facts, each with an id and a sentence that the passage states, mostly in other words. Name the file
    as a source of passages in a suite. A seed that is drawn after a model was trained gives passages that it cannot
    have seen: `twx-accept documents make --seed 20260701 passages.jsonl`.
    """
    made = documents.make(seed, passages)
    if out is None:
        typer.echo(documents.lines(made), nl=False)
        return
    _write(out, documents.lines(made).encode(), force=force)
    typer.echo(
        f"{out}: {len(made)} passages of {len({document.kind for document in made})} kinds, "
        f"{sum(len(document.facts) for document in made):,} planted facts, seed {seed}"
    )


def _write(out: Path, written: bytes, *, force: bool) -> None:
    if out.suffix != ".jsonl":
        raise UsageError(f"{out}: is not named after what it will hold; end it in .jsonl")
    if out.is_dir():
        raise UsageError(f"{out}: is a folder; name a file in it")
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent}: no such folder; make it first, or name another")
    if out.exists() and not force and out.read_bytes() != written:
        raise UsageError(f"{out}: is there and holds something else; --force replaces it")
    out.write_bytes(written)
