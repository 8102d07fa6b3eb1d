"""The original against itself, and the builds against each other: what is reported beside the verdicts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import TwxAcceptError
from twx_accept.session.run import Session, invalid, measured
from twx_accept.statistics.multiplicity import holm


def floor(session: Session) -> Iterator[Verdict]:
    """Each claim about the original served again, where that was done: how far it departs from itself."""
    original, again = session.kept(session.suite.original), session.kept_again()
    if original is None or again is None:
        return
    for claim in session.claims:
        try:
            yield replace(claim.decide(original, again), gates=False)
        except TwxAcceptError as error:
            yield replace(invalid(claim, again.build, (str(error),), measured(error)), gates=False)


def contrasts(session: Session) -> tuple[Contrast, ...]:
    """Every pair of builds that are up for release, figure by figure; p-values after Holm over the pairs of a figure.

    A pair that cannot be compared is left out: why is told by the verdict on the build that it is due to.
    """
    builds = [build for build in session.suite.builds if build in session.builds and not build.control]
    sides = [kept for build in builds if (kept := session.kept(build)) is not None]
    order = [claim.name for claim in session.claims]
    found = sorted(_each(session, sides), key=lambda each: (order.index(each.claim), each.figure))
    family = groupby(found, key=lambda each: (each.claim, each.figure))
    return tuple(each for _, alike in family for each in adjusted(list(alike)))


def _each(session: Session, sides: Sequence[BuildEvidence]) -> Iterator[Contrast]:
    original = session.kept(session.suite.original)
    if original is None:
        return
    for one, other in combinations(sides, 2):
        for claim in session.claims:
            try:
                yield from claim.between(original, one, other)
            except TwxAcceptError:
                continue


def adjusted(family: Sequence[Contrast]) -> list[Contrast]:
    """The same figure of several pairs, with Holm's adjustment: whoever picks one of them has looked at all."""
    equal = [each.p for each in family if each.p is not None]
    alike = [each.p_equivalence for each in family if each.p_equivalence is not None]
    equals, alikes = iter(holm(equal)), iter(holm(alike))
    return [
        replace(
            each,
            adjusted=None if each.p is None else next(equals),
            adjusted_equivalence=None if each.p_equivalence is None else next(alikes),
        )
        for each in family
    ]
