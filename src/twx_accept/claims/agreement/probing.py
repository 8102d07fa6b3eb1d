"""Does the order of requests change what comes back? A few passages are asked again, last first (vLLM issue 42019)."""

from dataclasses import dataclass

from twx_accept.claims._pairing import by_key
from twx_accept.claims.agreement.asking import Plan
from twx_accept.claims.agreement.keys import PASSAGE, REVERSED, key
from twx_accept.claims.agreement.measures import measure
from twx_accept.claims.agreement.reading import rows_of
from twx_accept.claims.agreement.settings import CLAIM
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.evidence import BuildEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What asking again changed: ``changed`` of ``passages``, other top tokens at ``flipped`` of ``positions``.

    ``largest`` is the largest total variation (at least) between the two answers at one position.
    """

    build: str
    passages: int
    changed: int
    positions: int
    flipped: int
    largest: float

    @property
    def warning(self) -> str:
        """What a reader must know; empty where nothing changed."""
        if not self.changed:
            return ""
        return (
            f"{self.build}: {self.changed} of {self.passages} passages were answered otherwise when they were asked "
            f"again in reverse order: another top token at {self.flipped:,} of {self.positions:,} positions, and up to "
            f"{self.largest:.4f} in total variation; the engine's cache or batching is part of these figures. Serve "
            "with enable_prefix_caching = false, and fewer requests at once, to see how much"
        )


def probe(plan: Plan, evidence: BuildEvidence) -> Probe:
    """The answers of the first time against those of the second, where both can be read."""
    found = by_key(evidence, CLAIM)
    passages = changed = positions = flipped = 0
    largest = 0.0
    for name, ids in plan.ids(found).items():
        if key(name, REVERSED) not in found:
            continue
        sides = [rows_of(found.get(key(name, arm)), ids, plan.settings.top_k) for arm in (PASSAGE, REVERSED)]
        rows = [side for side in sides if isinstance(side, Distributions)]
        if len(rows) < len(sides):
            continue
        first, again = rows
        passages, positions = passages + 1, positions + len(first)
        if first.same_values(again):
            continue
        measures = measure(first, again)
        changed, flipped = changed + 1, flipped + int((~measures.strict).sum())
        largest = max(largest, float(measures.variation_lower.max()))
    return Probe(
        build=evidence.build,
        passages=passages,
        changed=changed,
        positions=positions,
        flipped=flipped,
        largest=largest,
    )
