"""Documents that nobody has read: fiction made from a seed, with the facts that it states known.

A model that is asked to write out what such a document says can answer nothing from memory, so that what it makes up
shows, and what it leaves out can be counted.
"""

from twx_accept.documents.document import Document, Fact
from twx_accept.documents.kinds import KINDS
from twx_accept.documents.making import MOST_PASSAGES, lines, make

__all__ = ["KINDS", "MOST_PASSAGES", "Document", "Fact", "lines", "make"]
