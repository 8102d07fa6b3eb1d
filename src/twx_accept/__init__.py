"""Acceptance tests for compressed language models, decided by rules registered before the run."""

__version__ = "0.1.0"
