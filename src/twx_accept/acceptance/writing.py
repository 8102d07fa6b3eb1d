"""The files that a run leaves."""

import os
from collections.abc import Callable
from pathlib import Path

from twx_accept.domain.run import RunRecord
from twx_accept.report import data, html, markdown


def write(run: RunRecord, folder: Path, *, say: Callable[[str], None]) -> None:
    """Write the reports, each whole or not at all, and the summary of a CI job's page where there is one."""
    folder.mkdir(parents=True, exist_ok=True)
    page = markdown.render(run)
    for name, text in (("report.html", html.render(run)), ("report.json", data.render(run)), ("summary.md", page)):
        fresh = folder / f".{name}.new"
        fresh.write_text(text, encoding="utf-8", errors="replace")
        fresh.replace(folder / name)
    if step := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(step).open("a", encoding="utf-8", errors="replace") as stream:
                stream.write(page)
        except OSError as error:
            say(f"the job's page cannot be written ({error}); the same text is in {folder / 'summary.md'}")
