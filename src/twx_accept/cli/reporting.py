"""The command report."""

import os
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from twx_accept.domain.run import RunRecord
from twx_accept.errors import UsageError
from twx_accept.report import data, html, junit, loading, markdown
from twx_accept.report.headline import headline
from twx_accept.report.hostile import plain

FORMATS: Final[Mapping[str, tuple[str, Callable[[RunRecord], str]]]] = {
    "html": ("report.html", html.render),
    "junit": ("junit.xml", junit.render),
    "md": ("summary.md", markdown.render),
    "json": ("report.json", data.render),
}
"""Each format's file, named as a run names it, and how it is rendered."""


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A report.json, or the folder that holds one: reports.")],
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    formats: Annotated[
        str, typer.Option("--format", metavar="LIST", help=f"Some of {','.join(FORMATS)}, with commas between.")
    ] = ",".join(FORMATS),
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the files are written. Default: rendered/ beside the report.json."),
    ] = None,
) -> None:
    """Render a run's reports again from its report.json, on any machine.

    No engine, no evidence and no network is needed, and nothing is decided: the
    verdicts are those that the run wrote. Page, Markdown and JSON come out byte
    for byte as the same version of twx-accept left them. The JUnit file has one
    testcase a claim and build; the run's own, by pytest, has tracebacks too.
    What DIR holds under these names is replaced. To decide again from the answers
    themselves, use `twx-accept judge`.

    Somebody sent you a report.json: `twx-accept report report.json --open`

    A CI job wants the summary: `twx-accept report reports --format md --out DIR`
    """
    wanted = _wanted(formats, show=show)
    record = loading.load(run)
    folder = out or (run if run.is_dir() else run.parent) / "rendered"
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file; --out names a folder")
    folder.mkdir(parents=True, exist_ok=True)
    typer.echo(plain(headline(record)).replace("\n", " "))
    for name in wanted:
        file, render = folder / FORMATS[name][0], FORMATS[name][1]
        size = _write(file, render(record))
        typer.echo(f"{file}: {size / 1000:,.0f} kB")
    if show:
        _open(folder / FORMATS["html"][0])


def _wanted(formats: str, *, show: bool) -> list[str]:
    """The formats that are asked for, each once.

    Raises:
        UsageError: one is unknown, none is named, or a page is to be opened that is not to be written.
    """
    named = list(dict.fromkeys(each.strip() for each in formats.split(",") if each.strip()))
    if not named or any(each not in FORMATS for each in named):
        raise UsageError(f"--format {formats!r:.80}: name some of {','.join(FORMATS)}, with commas between")
    if show and "html" not in named:
        raise UsageError(f"--open opens the page: add html to --format {formats}")
    return named


def _write(file: Path, text: str) -> int:
    """Write the file whole or not at all; how many bytes it has."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        fresh.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
    return file.stat().st_size


def _open(page: Path) -> None:
    """Open the page; a machine without a browser is told where it is."""
    if not webbrowser.open(page.resolve().as_uri()):
        typer.echo(f"no browser could be opened; the page is {page}")
