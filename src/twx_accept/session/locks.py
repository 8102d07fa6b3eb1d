"""Where the locks of this machine lie: one place for every run of a user, whatever folder each has for temporary files.

A job of a scheduler, or a service of systemd, may have a TMPDIR of its own: locks in it would be seen by nobody else.
"""

import os
import stat
from pathlib import Path

from twx_accept.errors import UsageError

VARIABLE = "TWX_ACCEPT_LOCKS"
"""Names another folder."""

OF_USERS, OF_ALL = Path("/run/user"), Path("/tmp")  # noqa: S108 - a folder in it, whose owner is looked at


def usual_lock() -> Path:
    """The lock of this machine, in a folder that is made if need be and that only this user can enter.

    Raises:
        UsageError: the folder cannot be made, or is somebody else's.
    """
    named = os.environ.get(VARIABLE, "")
    folder = Path(named).expanduser().absolute() if named else _usual()
    cure = f"name a folder of your own on a local disk with {VARIABLE}, the same for every run on this machine"
    try:
        folder.mkdir(mode=0o700, parents=bool(named), exist_ok=True)
        found = folder.lstat()
        if found.st_uid != os.getuid() or not (stat.S_ISDIR(found.st_mode) or named):
            raise UsageError(f"{folder}: the locks of this machine lie there, and it is no folder of yours; {cure}")
        if not named and stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except (OSError, RuntimeError, ValueError) as error:  # no rights, a file, a home that is not known, a NUL
        raise UsageError(f"{folder}: the locks of this machine cannot lie there ({error}); {cure}") from error
    return folder / "machine.lock"


def _usual() -> Path:
    """The user's own runtime folder where there is one; a session that logs in makes it, a job may have none."""
    runtime = OF_USERS / str(os.getuid())
    try:
        mine = runtime.stat().st_uid == os.getuid() and os.access(runtime, os.W_OK | os.X_OK)
    except OSError:
        mine = False
    return runtime / "twx-accept" if mine else OF_ALL / f"twx-accept-{os.getuid()}"
