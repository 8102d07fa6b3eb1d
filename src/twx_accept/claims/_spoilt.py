"""Items that must not decide, since a partial run had asked them too early or they repeat others: they are told."""

from collections.abc import Callable
from dataclasses import replace

from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.verdict import Outcome, Verdict


def items(claim: str, *sides: BuildEvidence) -> frozenset[str]:
    """The items of a claim that any side was asked too early."""
    return frozenset().union(*(side.spoilt.get(claim, frozenset()) for side in sides))


def held(verdict: Verdict, touched: int, planned: int, noun: str, without: Callable[[], Outcome]) -> Verdict:
    """The verdict, if it holds without those items; not shown, if only they show it.

    Args:
        verdict: what all items come to.
        touched: how many of them were asked too early.
        planned: how many there are.
        noun: what they are, in the plural.
        without: what the others come to.
    """
    if not touched:
        return verdict
    told = f"{touched:,} of {planned:,} {noun} were asked in a partial run before the registration"
    return holding(verdict, told, without)


def holding(verdict: Verdict, told: str, without: Callable[[], Outcome]) -> Verdict:
    """The verdict, if it holds without some items, too; not shown, if only they show it.

    Args:
        verdict: what all items come to.
        told: which items, and why they must not decide.
        without: what the others come to.
    """
    if not verdict.gates:
        return replace(verdict, warnings=(*verdict.warnings, told))
    outcome = without()
    why = f"{told}; without them it is {outcome}"
    if verdict.outcome is not Outcome.SHOWN or outcome is Outcome.SHOWN:
        return replace(verdict, warnings=(*verdict.warnings, why))
    return replace(verdict, outcome=Outcome.NOT_SHOWN, sentence=f"{verdict.sentence} But {why}.", reasons=(why,))
