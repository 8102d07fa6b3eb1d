"""The folder of the server's Unix socket: short enough, this user's alone, on a file system that has sockets."""

import os
import socket
import stat
from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.serving.running import LONGEST_SOCKET_PATH, socket_folder


def check(node: Node, says: Says) -> Iterator[Finding]:
    """By listening on one, where a server would."""
    if node.suite.engine.launcher == "attach":
        yield says.ok("none is needed: the servers have addresses")
        return
    cure = "set TMPDIR to a folder on a local disk, with a short path, that this user may write"
    try:
        with socket_folder() as folder:
            path, found = folder / "s", folder.stat()
            length = len(os.fsencode(path))
            if length > LONGEST_SOCKET_PATH:
                yield says.fault(f"{path} has {length} bytes, more than {LONGEST_SOCKET_PATH}", cure)
                return
            if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) != 0o700:
                mode = f"{stat.S_IMODE(found.st_mode):04o}"
                yield says.fault(f"{folder} is of user {found.st_uid} and mode {mode}: others could enter", cure)
                return
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(os.fspath(path))
                listening.listen()
            yield says.ok(f"{folder.parent} (a path of {length} bytes; fresh folders there are this user's alone)")
    except OSError as error:
        yield says.fault(f"no socket can be made: {error}", cure)
