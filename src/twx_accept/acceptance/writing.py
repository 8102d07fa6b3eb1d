"""The files that a run leaves."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from twx_accept.domain.run import RunRecord
from twx_accept.report import data, html, markdown


def write(run: RunRecord, folder: Path, *, say: Callable[[str], None]) -> None:
    """Write the reports, all of them or none, and the summary of a CI job's page where there is one.

    Raises:
        OSError: they cannot be written. What an earlier run left there is as it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    page = markdown.render(run)
    texts = {"report.html": html.render(run), "report.json": data.render(run), "summary.md": page}
    fresh = {name: folder / f".{name}.new" for name in texts}
    try:
        for name, text in texts.items():
            fresh[name].write_text(text, encoding="utf-8", errors="replace")
    except OSError:
        for file in fresh.values():
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
        raise
    for name, file in fresh.items():
        file.replace(folder / name)
    if step := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(step).open("a", encoding="utf-8", errors="replace") as stream:
                stream.write(page)
        except OSError as error:
            say(f"the job's page cannot be written ({error}); the same text is in {folder / 'summary.md'}")
