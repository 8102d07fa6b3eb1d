"""The one kind of failure that is neither the user's words nor a server's."""

from twx_accept.errors import TwxAcceptError


class PreparingError(TwxAcceptError):
    """A model could not be made, or what was made or lies there has other bytes than its recipe says."""
