"""An acceptance run under pytest: from the command line to a session, and from its verdicts to the reports.

``options`` reads the command line, ``selecting`` decides which tests take part, ``starting`` makes a ``Run`` of it all,
and ``controller`` brings together what the processes of pytest-xdist found. The plugin's hooks call these, and no more.

The plugin is loaded by every pytest of an environment that has it, so what it imports must be light: ``starting``,
which brings in everything else, is imported only for an acceptance run.
"""
