"""Starts a server for a build, proves that it is the right one with the right settings, and leaves nothing behind.

One way of serving is one launcher (:class:`.launcher.Launcher`); today there is :class:`.process.ProcessLauncher`.
"""

from twx_accept.serving.canary import Canary, check
from twx_accept.serving.launcher import Launcher, ProgressCallback
from twx_accept.serving.memory import cards_of
from twx_accept.serving.process import ProcessLauncher

__all__ = ["Canary", "Launcher", "ProcessLauncher", "ProgressCallback", "cards_of", "check"]
