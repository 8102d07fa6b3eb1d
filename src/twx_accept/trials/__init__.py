"""Trials of tool calling: prompts, the tools offered beside them, and the calls that are right.

Prompts are made from wordings and values, so that hundreds of them differ and each states its values plainly. What
they are made of is a folder that a user edits (``fixtures/tools``); what a suite asks is one file made from it.
"""

from twx_accept.trials.making import make
from twx_accept.trials.material import Material
from twx_accept.trials.reading import load, shipped
from twx_accept.trials.trial import Call, Result, Trial, lines

__all__ = ["Call", "Material", "Result", "Trial", "lines", "load", "make", "shipped"]
