"""Evidence: what a build is (its identity and files) and what it answered, kept so that a kill loses almost nothing."""

from twx_accept.evidence.store import Store

__all__ = ["Store"]
