"""One acceptance run: plan → serve → ask → keep → decide → record."""

from twx_accept.session.run import Session

__all__ = ["Session"]
