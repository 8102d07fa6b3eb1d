"""The verdict in words."""

from twx_accept.claims._words import percent
from twx_accept.claims.agreement.full import FullCheck
from twx_accept.claims.agreement.summary import Summary
from twx_accept.domain.verdict import Outcome


def sentence(build: str, summary: Summary, mark: float | None, variation: float | None, outcome: Outcome) -> str:
    """What was found, beside the marks that there are, and what it comes to.

    Args:
        build: the build's name.
        summary: its figures.
        mark: the registered least agreement, or None.
        variation: the registered largest total variation, or None.
        outcome: what they come to together.
    """
    found = summary.agreement
    head = f"{build} picks the original's next token at {percent(found.value)} of {summary.n:,} positions"
    drift = f"Its word choices drift by {summary.drift.value:.4f} nats at least."
    if mark is None and variation is None:
        return f"{head}. {drift} No mark is registered."
    parts = []
    if mark is not None:
        bound = f"at best {percent(found.upper)}" if found.upper < mark else f"at worst {percent(found.lower)}"
        parts.append(f"{bound}; the mark is {percent(mark)}")
    if variation is not None:
        parts.append(
            f"the total variation distance is at most {summary.variation_upper.value:.4f}, "
            f"at worst {summary.variation_upper.upper:.4f}; the mark is {variation:.4f}"
        )
    ends = {
        Outcome.SHOWN: "Within the mark.",
        Outcome.FAILED: "Worse than the mark.",
        Outcome.NOT_SHOWN: "These passages cannot show the mark.",
    }
    return f"{head}; {'; '.join(parts)}. {ends[outcome]} {drift}"


def full(check: FullCheck) -> str:
    """What came of the check over the whole vocabulary, where it has no ratio."""
    if not check.prefixes:
        return f"not measured: {check.why}"
    return f"undefined: no divergence over {check.prefixes} beginnings"
