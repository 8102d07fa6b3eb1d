"""The original against itself, and the builds against each other: what is reported beside the verdicts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import TwxAcceptError
from twx_accept.session.refusing import invalid, measured
from twx_accept.session.run import Session
from twx_accept.statistics.multiplicity import holm


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The original's verdicts on itself, and the builds' differences, whose p-values stand as if each were alone."""

    floor: tuple[Verdict, ...]
    pairs: tuple[Contrast, ...]


def beside(session: Session) -> Beside:
    """All of it, from what is kept."""
    return Beside(floor=tuple(floor(session)), pairs=tuple(pairs(session)))


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


def pairs(session: Session) -> Iterator[Contrast]:
    """Every pair of builds that are up for release, claim by claim.

    A pair that cannot be compared is left out: why is told by the verdict on the build that it is due to.
    """
    builds = [build for build in session.suite.builds if build in session.builds and not build.control]
    sides = [kept for build in builds if (kept := session.kept(build)) is not None]
    original = session.kept(session.suite.original)
    if original is None:
        return
    for one, other in combinations(sides, 2):
        for claim in session.claims:
            try:
                yield from claim.between(original, one, other)
            except TwxAcceptError:
                continue


def families(found: Iterable[Contrast], claims: Sequence[str]) -> tuple[Contrast, ...]:
    """The pairs figure by figure, in the order of the claims; p-values after Holm over the pairs of a figure."""
    ordered = sorted(found, key=lambda each: (claims.index(each.claim), each.figure))
    family = groupby(ordered, key=lambda each: (each.claim, each.figure))
    return tuple(each for _, alike in family for each in adjusted(list(alike)))


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
