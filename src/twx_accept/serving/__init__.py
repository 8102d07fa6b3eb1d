"""Starts a server for a build, proves that it is the right one with the right settings, and leaves nothing behind.

One way of serving is one launcher (:class:`.launcher.Launcher`): :class:`.process.ProcessLauncher` from an environment
on this machine, :class:`.container.ContainerLauncher` from an image, :class:`.attach.AttachLauncher` for servers that
somebody else has started.
"""

from collections.abc import Callable, Mapping

from twx_accept.domain.suite import Engine
from twx_accept.serving.arguments import flags_of
from twx_accept.serving.attach import AttachLauncher
from twx_accept.serving.canary import Canary, check
from twx_accept.serving.container import ContainerLauncher
from twx_accept.serving.known_flags import expect_known
from twx_accept.serving.launcher import Launcher, ProgressCallback
from twx_accept.serving.memory import cards_of
from twx_accept.serving.process import ProcessLauncher

__all__ = [
    "LAUNCHERS",
    "AttachLauncher",
    "Canary",
    "ContainerLauncher",
    "Launcher",
    "ProcessLauncher",
    "ProgressCallback",
    "cards_of",
    "check",
    "expect_known",
    "flags_of",
    "launcher_of",
]

LAUNCHERS: Mapping[str, Callable[[], Launcher]] = {
    "process": ProcessLauncher,
    "container": ContainerLauncher,
    "attach": AttachLauncher,
}
"""Every launcher by the name that a suite gives it."""


def launcher_of(engine: Engine) -> Launcher:
    """The launcher that a suite's engine names."""
    return LAUNCHERS[engine.launcher]()
