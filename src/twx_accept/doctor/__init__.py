"""Looks at a node before anything is loaded: what would stop a run after an hour is told in seconds.

Each check is one file in :mod:`.checks`. What cannot be looked at is *not checked*, never *ok*.
"""

from twx_accept.doctor.examining import examine
from twx_accept.doctor.finding import Finding, Level
from twx_accept.doctor.node import Node

__all__ = ["Finding", "Level", "Node", "examine"]
