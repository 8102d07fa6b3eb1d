"""The marks as registered: JSON snapshots that acceptance runs compare, and the ledger that says when each was made."""

from twx_accept.registration.marks import Marks, name, other_text, require_registered, write

__all__ = ["Marks", "name", "other_text", "require_registered", "write"]
