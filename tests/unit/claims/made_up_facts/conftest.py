"""The claim about made-up facts on towns, with a matcher that compares sentences, and builds that write about them."""

from dataclasses import replace

import pytest

from fake_facts import SETTINGS, Sentences, Towns, answers, towns
from twx_accept.claims.made_up_facts import assemble
from twx_accept.domain.scope import Scope


@pytest.fixture(scope="session")
def facts(suite_of):
    """Makes the claim; ``rows`` are its passages, ``settings`` replace those that gate."""

    def make(rows=None, *, settings=SETTINGS, scope=None, labels=None, prepare=Sentences, **changes):
        suite = suite_of({"made_up_facts": {**settings, **changes}})
        source = Towns(towns() if rows is None else rows, labels)
        return assemble(suite, source, scope or Scope(), prepare)

    return make


@pytest.fixture(scope="session")
def writing(evidence):
    """Makes the evidence of a build that writes what ``say`` says of each passage."""

    def make(claim, build, say, rows=None, more=()):
        told = answers(claim.opening(), towns() if rows is None else rows, say)
        return replace(evidence(build), exchanges={"made_up_facts": (*told, *more)})

    return make
