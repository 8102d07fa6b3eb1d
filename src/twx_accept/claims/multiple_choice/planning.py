"""What the comparison can show as planned, and what evidence so far lets one assume."""

from collections.abc import Sequence

from twx_accept.claims._planning import paired
from twx_accept.claims.multiple_choice.comparing import Pair
from twx_accept.domain.exchange import Score
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.statistics.types import Margin

FEWEST = 30
"""Pairs under which a discordance that was seen says too little to plan with."""

UNKNOWN = Assumption(discordance=0.05, loss=0.005, source="assumed, for want of evidence")
"""Of a build that nothing is known of: one answer in twenty flips, and half a point is lost."""


def assumption(pairs: Sequence[Pair]) -> Assumption | None:
    """What the pairs that have both scores say; None where they are too few."""
    scored = [p for p in pairs if isinstance(p.original, Score) and isinstance(p.build, Score)]
    if len(scored) < FEWEST:
        return None
    lost = sum(p.original_right and not p.build_right for p in scored)
    won = sum(p.build_right and not p.original_right for p in scored)
    return Assumption(
        discordance=(lost + won) / len(scored),
        loss=(lost - won) / len(scored),
        source=f"seen in the evidence of {len(scored):,} questions",
    )


def prospect(base: Prospect, n: int, margin: Margin, alpha: float, assumed: Assumption) -> Prospect:
    """The prospect of ``n`` questions; ``base`` has everything that does not depend on chance."""
    plan = paired(n, margin, alpha, assumed)
    return Prospect(
        claim=base.claim,
        title=base.title,
        build=base.build,
        mark=base.mark,
        planned_n=n,
        power=plan.power,
        needed=plan.needed,
        resolvable=plan.resolvable,
        assumption=assumed,
        requests=base.requests,
        prompt_characters=base.prompt_characters,
        warnings=plan.warnings,
    )
