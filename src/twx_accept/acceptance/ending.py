"""How a run ends: as a success only where its verdicts say so, whatever the tests made of them.

A test is a file that anybody edits, and pytest has options that run no test's body. CI gates on the exit status, so it
is that of the record. What a command line itself leaves out is not held against it; the report has the command.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from twx_accept.acceptance.selecting import DECIDED, claim_of
from twx_accept.domain.run import RunRecord

CHOOSING = ("-k", "--deselect", "--ignore", "--lf", "--last-failed", "--sw", "--stepwise", "--keyword")
"""Beginnings of words on pytest's command line that leave tests out."""


LIMITING = ("--limit-questions", "--questions")
"""Options that make a run partial, which gates nothing and ends well: on a command line that is meant."""


def refuse_passing(item: Any, report: Any) -> None:
    """A test that passes though its verdict does not, or though it was given none, is a failed one."""
    if report.when != "call" or not report.passed or not claim_of(item):
        return
    verdict = item.stash.get(DECIDED, None)
    if verdict is None:
        why = "it was given no verdict of this run (is there another fixture `verdict`?)"
    elif verdict.passes:
        return
    else:
        why = f"its verdict is {verdict.outcome}: {verdict.sentence}"
    report.outcome = "failed"
    report.longrepr = f"the test passed, and {why}"


def contradiction(run: RunRecord, words: Sequence[str]) -> str:
    """Why a run whose tests all passed is no success; empty where it is one, or partial as its command line asks.

    Args:
        run: its record.
        words: pytest's command line, without what a variable or an ini file adds to it.
    """
    if run.partial:
        return "" if any(word.startswith(LIMITING) for word in words) else f"it is partial ({run.partial}) unasked"
    return "; ".join(_contradictions(run, words))


def _contradictions(run: RunRecord, words: Sequence[str]) -> Iterator[str]:
    for verdict in run.verdicts:
        if not verdict.passes:
            yield f"{verdict.title} of {verdict.build} is {verdict.outcome}"
    if run.control == "missed":
        yield "the positive control was missed"
    if not chosen(words):
        for title, build in run.missing():
            yield f"{title} of {build} has no verdict"


def chosen(words: Sequence[str]) -> bool:
    """Whether a command line itself asks for some of the tests alone."""
    for at, word in enumerate(words):
        if word.startswith(CHOOSING) or "::" in word or word.endswith(".py"):
            return True
        expression = words[at + 1] if word == "-m" and at + 1 < len(words) else word.removeprefix("-m")
        if word.startswith("-m") and expression.strip("= ") != "acceptance":
            return True
    return False
