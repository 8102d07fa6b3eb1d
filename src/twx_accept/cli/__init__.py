"""The command line ``twx-accept``: what surrounds an acceptance run, which itself is ``pytest -m acceptance``."""

from twx_accept.cli.app import app, main

__all__ = ["app", "main"]
