"""An acceptance run under pytest: from the command line to a session, and from its verdicts to the reports.

``options`` reads the command line, ``starting`` makes a ``Run`` of it, ``selecting`` decides which tests take part, and
``controller`` brings together what the processes of pytest-xdist found. The plugin's hooks call these, and no more.
"""

from twx_accept.acceptance.options import add_options, is_asked_for, refuse_strays
from twx_accept.acceptance.run import Run
from twx_accept.acceptance.selecting import is_acceptance, names_for, select
from twx_accept.acceptance.starting import start
from twx_accept.acceptance.writing import forget_junit

MARKERS = (
    "acceptance: decides a claim about a build from a real server; runs only with -m acceptance",
    "claim(name): the claim that an acceptance test is about",
    "control: an acceptance test about the build that was damaged on purpose",
)

__all__ = [
    "MARKERS",
    "Run",
    "add_options",
    "forget_junit",
    "is_acceptance",
    "is_asked_for",
    "names_for",
    "refuse_strays",
    "select",
    "start",
]
