"""The folders that a run needs, looked at before anything is hashed or booted: hours later is too late to be told."""

import os
from collections.abc import Iterable
from pathlib import Path

from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import SuiteError, UsageError


def require_writable(folder: Path) -> None:
    """Reports and evidence can be written there, as far as can be told without writing.

    Raises:
        UsageError: what stands in the way, and the cure.
    """
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise UsageError(
            f"{there}: is a file, and reports and evidence go into a folder of this name; move it, or name another "
            "folder with --report-dir"
        )
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(
            f"{there}: this user cannot write there, where reports and evidence go; name another folder with "
            "--report-dir, or change its rights"
        )


def require_models(suite: Suite, builds: Iterable[Build]) -> None:
    """The folder of each build that will be served is there and holds something.

    Raises:
        SuiteError: the build, the folder and the cure.
    """
    if suite.engine.attach is not None:
        return  # the weights lie with the servers
    for build in builds:
        path = build.path
        if not path.is_dir():
            wrong = "there is no folder" if not path.exists() else "is no folder:"
        elif not any(path.iterdir()):
            wrong = "is an empty folder:"
        else:
            continue
        raise SuiteError(
            f"{suite.file}: builds.{build.name}.path: {wrong} {path}; mend the path, or fetch the build "
            "(`twx-accept models prepare` makes embedded ones)"
        )
