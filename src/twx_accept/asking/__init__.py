"""Asks a running server: requests in, exchanges out. It never looks at what an answer means."""

from twx_accept.asking.asker import ask

__all__ = ["ask"]
