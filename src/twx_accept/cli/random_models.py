"""The command that makes models with random weights: models make-random."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from twx_accept.preparing.random_model import STORED, TEMPLATES, Wishes, make_random

LINE_SECONDS = 10.0
"""Between the lines of a log; a terminal has a bar."""


def make(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A folder for the model, not there yet.")],
    gigabytes: Annotated[
        float | None, typer.Option(help="Decimal gigabytes in 16 bits: picks the hidden size and the layers.")
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            help=f"Proportions: {', '.join(TEMPLATES)} (a mixture of many small experts). Default: the first."
        ),
    ] = None,
    layers: Annotated[int | None, typer.Option(help="Layers; with --like fewer than its model's.")] = None,
    hidden: Annotated[int | None, typer.Option(help="Hidden size.")] = None,
    heads: Annotated[int | None, typer.Option(help="Attention heads, a multiple of the cards.")] = None,
    kv_heads: Annotated[int | None, typer.Option(help="Heads of the cache, usually 8.")] = None,
    intermediate: Annotated[int | None, typer.Option(help="Inner size of a layer, or of one expert.")] = None,
    vocabulary: Annotated[int | None, typer.Option(help="Tokens; without --tokenizer 32,768.")] = None,
    experts: Annotated[int | None, typer.Option(help="Experts a layer; 0 is a dense model.")] = None,
    experts_per_token: Annotated[int | None, typer.Option(help="Experts that each token meets.")] = None,
    store: Annotated[
        str, typer.Option(help=f"How linear layers are stored: {', '.join(STORED)} (one scale a row).")
    ] = "bf16",
    damage: Annotated[float, typer.Option(help="Share of the linear weights whose sign is turned: a control.")] = 0.0,
    like: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A build of this random model: its weights, stored or damaged.")
    ] = None,
    tokenizer: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Copy this model's tokenizer; default: a byte-level one.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="One seed and one shape are the same bytes everywhere. Default: 0.")
    ] = None,
) -> None:
    """Make a model of any size whose weights are random: to try a node and a suite at full size, nothing fetched.

    Dense models are Llama's, mixtures Qwen3's; shards of at most 5 GB, written at the disk's speed.
    """
    wishes = Wishes(
        template=template,
        gigabytes=gigabytes,
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        intermediate=intermediate,
        vocabulary=vocabulary,
        experts=experts,
        experts_per_token=experts_per_token,
    )
    with _Watched(Console(stderr=True, highlight=False)) as watched:
        made = make_random(
            out, wishes, seed=seed, stored=store, damage=damage, tokenizer=tokenizer, like=like, begin=watched.begin
        )
    shape = made.shape
    mixture = f", {shape.experts} experts of which {shape.experts_per_token} a token" if shape.experts else ""
    typer.echo(
        f"{made.folder}: {made.bytes / 1e9:.2f} GB in {made.shards} shard{'s' * (made.shards > 1)}, "
        f"{made.architecture}, {shape.layers} layers of {shape.hidden}{mixture}, {shape.vocabulary} tokens; "
        f"{made.seconds:.1f} s, {made.bytes / 1e9 / made.seconds:.2f} GB/s"
    )


class _Watched:
    """How far the writing is and how long it will take: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("writing"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._lock = threading.Lock()
        self._done, self._total = 0, 0
        self._began = self._told = time.monotonic()

    def __enter__(self) -> "_Watched":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, total: int) -> Callable[[int], None]:
        """The writing begins; what is returned counts bytes, from any thread."""
        self._total, self._began = total, time.monotonic()
        task = self._bar.add_task("", total=total)

        def count(done: int) -> None:
            self._bar.advance(task, done)
            with self._lock:
                self._done += done
                self._line(time.monotonic())

        return count

    def _line(self, now: float) -> None:
        if self._console.is_terminal or now - self._told < LINE_SECONDS:
            return
        self._told = now
        rate = self._done / (now - self._began)
        left = (self._total - self._done) / rate
        self._console.print(
            f"{self._done / 1e9:.1f} of {self._total / 1e9:.1f} GB, {rate / 1e9:.2f} GB/s, about {left:.0f} s left"
        )
