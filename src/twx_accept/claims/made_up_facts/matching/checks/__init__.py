"""Checks that may refuse a fact, one a file; each gives the reason or None."""
