"""Cache headroom: what the weights leave free becomes cache, and the build has the gain that its saved bytes predict.

The capacity is what the engine itself reports in tokens; blocks times block size is wrong for hybrid models. A CPU
engine is told its cache, so there the figures are reported and nothing is gated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from twx_accept.claims import NO_MARK, Settings, certain
from twx_accept.claims._exact import decimal, fixed
from twx_accept.claims._same import require_served_the_same
from twx_accept.claims.cache_headroom import views
from twx_accept.claims.cache_headroom.gain import Gain, least
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import Boot, BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Count, Outcome, Quantity, Unit, Verdict
from twx_accept.errors import InvalidClaim

CLAIM = "cache_headroom"
TITLE = "Cache headroom"
SPREAD_GIB = 1
"""Boots of one build whose cache differs by more a card do not agree."""

PINNED = ("cache_dtype", "gpu_memory_utilization", "enable_prefix_caching", "mamba_cache_mode")
"""Labels of the engine's cache that must be equal for every build."""

FIXES_SIZE = ("kv_cache_memory_bytes", "num_gpu_blocks_override")
UNSET = ("None", "", "0")
"""Labels are texts, and Python's None is one of them."""

COLD = "both sides booted with a cold compile cache, whose cache can be about 5% smaller than that of later boots"


APART = 0.02
"""Engines count in blocks, so tokens of one size come out as unlike as this at most."""

TOLD = "a CPU engine is told its cache: the claim is reported and gates nothing"


class CacheHeadroomSettings(Settings):
    """``mark``: the smallest share of the predicted gain that the build must show; none is reported only."""

    mark: float | None = Field(default=None, gt=0, le=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHeadroom:
    """The claim for one suite. ``told`` where the engine is told its cache, so that nothing can be gained."""

    settings: CacheHeadroomSettings
    may_differ: tuple[str, ...]
    told: bool = False
    name: str = CLAIM
    title: str = TITLE
    sensitive: bool = False
    anchored: bool = False
    cost: float = 0.0

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction and mark."""
        mark = self.settings.mark
        return {
            "statistic": "gain in cache tokens over the original / the gain that the saved weight bytes predict",
            "decision": "at least the mark; reported where the engine is told its cache",
            "mark": None if mark is None else {"value": fixed(mark, 4), "unit": "share of the predicted gain"},
            "boots_agree_within": {"value": f"{SPREAD_GIB:.1f}", "unit": "GiB a card"},
        }

    def mark(self, build: str) -> str:  # noqa: ARG002 - one mark for all builds
        """The share of the gain in words."""
        mark = self.settings.mark
        return "" if mark is None else f"at least {_percent(mark)} of the gain that the saved weight bytes predict"

    def opening(self) -> Sequence[Request]:
        """Nothing is asked: each boot proves its cache."""
        return ()

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:  # noqa: ARG002 - part of the protocol
        """Nothing is asked."""
        return ()

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:  # noqa: ARG002 - part of the protocol
        """Nothing is asked."""
        return ()

    def assume(self, original: BuildEvidence, build: BuildEvidence) -> Assumption | None:  # noqa: ARG002 - protocol
        """Nothing is left to chance."""
        return None

    def prospect(self, build: str, assumption: Assumption | None) -> Prospect:  # noqa: ARG002 - part of the protocol
        """Nothing is left to chance."""
        return certain(self, build, (TOLD,) if self.told else () if self.settings.mark else (NO_MARK,))

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """The gain in tokens against the gain that the saved bytes predict."""
        require_served_the_same(original, build, [name for name in self.may_differ if name != "max_model_len"])
        left, right = _boot(original), _boot(build)
        _require_pinned(original, left, build, right)
        told = right.device == "cpu"
        mark = None if told else self.settings.mark
        gain = Gain.between(_tokens(original, left), left, _tokens(build, right), right)
        if mark is not None:
            _require_measured(original, left, build, right)
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build.build,
            outcome=Outcome.REPORTED if mark is None else gain.outcome(mark),
            sentence=_sentence(build.build, gain, told=told, mark=mark),
            mark="" if mark is None else self.mark(build.build),
            warnings=_warnings(left, right, gain, told=told),
            gates=mark is not None,
            figures=(
                views.cache("original/tokens", original, left),
                views.cache("tokens", build, right),
                views.ratio(gain, told=told),
            ),
            bars=(*views.bars(original, left), *views.bars(build, right)),
            statistics={"tokens": gain.after, "tokens_original": gain.before}
            | ({} if gain.share is None else {"share_of_predicted_gain": float(gain.share)}),
        )

    def between(
        self,
        original: BuildEvidence,  # noqa: ARG002 - the two are compared without it
        one: BuildEvidence,
        other: BuildEvidence,
    ) -> Sequence[Contrast]:
        """How many tokens of cache lie between the two, where the engine was not told its cache."""
        left, right = _boot(one), _boot(other)
        if "cpu" in (left.device, right.device):
            return ()
        _require_pinned(one, left, other, right)
        before, after = _tokens(one, left), _tokens(other, right)
        return (
            Contrast(
                claim=self.name,
                title=self.title,
                one=one.build,
                other=other.build,
                difference=after - before,
                unit=Unit.TOKENS,
                counts=tuple(
                    Count(label=side.build, value=Quantity(value=tokens, unit=Unit.TOKENS, digits=0))
                    for side, tokens in ((one, before), (other, after))
                ),
            ),
        )


def _boot(evidence: BuildEvidence) -> Boot:
    """The boot that counts: the last one with a warm compile cache, after checking that all of them agree."""
    if not evidence.boots:
        raise InvalidClaim(f"{evidence.build} was never booted, so its cache is unknown; run again with --fresh")
    counted = [boot for boot in evidence.boots if not boot.cold] or list(evidence.boots)
    for card in zip(*(sorted(boot.cache_gib) for boot in counted if boot.cache_gib), strict=False):
        if decimal(max(card)) - decimal(min(card)) > SPREAD_GIB:
            raise InvalidClaim(
                f"boots of {evidence.build} differ in cache by more than {SPREAD_GIB} GiB a card "
                f"({min(card):.2f} and {max(card):.2f} GiB); find what else uses the cards, then run with --fresh"
            )
    return counted[-1]


def _require_pinned(original: BuildEvidence, left: Boot, build: BuildEvidence, right: Boot) -> None:
    """The cache is of one kind on both sides, and nobody fixed its size but a CPU's owner, who must."""
    for side, boot in ((original, left), (build, right)):
        if boot.launcher == "attach" and not boot.cache:
            raise InvalidClaim(
                f"{side.build} was attached, and its server does not show its cache: let this machine reach its "
                '/metrics, or serve it with launcher = "process" or "container"'
            )
    for name in PINNED:
        one, other = left.cache.get(name), right.cache.get(name)
        if one != other:
            raise InvalidClaim(f"{name} is {one} for {original.build} and {other} for {build.build}; serve both alike")
    for side, boot in ((original, left), (build, right)):
        for name in FIXES_SIZE:
            value = boot.cache.get(name, "None")
            if value not in UNSET and boot.device != "cpu":
                raise InvalidClaim(f"{name} is {value} for {side.build}: a fixed cache shows no gain; remove the flag")


def _require_measured(original: BuildEvidence, left: Boot, build: BuildEvidence, right: Boot) -> None:
    """What a gate rests on is known, and of boots that can be compared."""
    for side, boot in ((original, left), (build, right)):
        if boot.launcher == "attach":
            raise InvalidClaim(
                f"{side.build} was attached, and no address shows what weights and cache take on each card: "
                'serve it with launcher = "process" or "container" to decide this claim'
            )
        if not least(boot.cache_gib) or not boot.weights_gib:
            raise InvalidClaim(
                f"the log of {side.build} does not say what its weights and its cache take on each card; "
                f"look into {boot.log or 'it'}, and use an engine that says so"
            )
    if left.cold != right.cold:
        cold, warm = (original, build) if left.cold else (build, original)
        raise InvalidClaim(
            f"{cold.build} has only boots with a cold compile cache, which hold less, and {warm.build} has a warm one; "
            "run again with --fresh"
        )


def _tokens(evidence: BuildEvidence, boot: Boot) -> int:
    if not boot.capacity_tokens or boot.capacity_tokens < 1:
        raise InvalidClaim(
            f"the engine of {evidence.build} does not say its cache's size in tokens; use one with kv_cache_size_tokens"
        )
    return boot.capacity_tokens


def _sentence(build: str, gain: Gain, *, told: bool, mark: float | None) -> str:
    ratio = gain.after / gain.before
    room = f"{build} holds {gain.after:,} tokens of cache, {ratio:.3f} of the original's {gain.before:,}"
    if told:
        return f"{room}; a CPU engine is told its cache, so nothing is gated."
    if mark is None:
        return f"{room}; no mark is registered."
    if gain.share is None:
        return f"{room}; its weights take no less of a card than the original's, so there is no gain to show."
    verdict = "Within the mark." if gain.outcome(mark) is Outcome.SHOWN else "Less than the mark."
    share = float(gain.share)
    return (
        f"{room}: {share:.1%} of the gain that its saved weight bytes predict; the mark is {_percent(mark)}. {verdict}"
    )


def _warnings(left: Boot, right: Boot, gain: Gain, *, told: bool) -> tuple[str, ...]:
    """What a reader has to know of the gain."""
    if told:
        return ()
    found = [COLD] if left.cold and right.cold else []
    smaller = gain.smaller_tokens
    if smaller is not None and abs(smaller) > APART:
        found.append(
            f"a token takes {abs(smaller):.0%} {'less' if smaller > 0 else 'more'} of the build's cache than of the "
            "original's (another number of layers or heads, or another kind of cache): the gain is not of the saved "
            "weight bytes alone"
        )
    return tuple(found)


def _percent(share: float) -> str:
    return f"{share * 100:.10g}%"


def make(suite: Suite, sources: Sources, scope: Scope) -> CacheHeadroom:  # noqa: ARG001 - part of the protocol
    """The claim as that suite registers it."""
    return CacheHeadroom(
        settings=CacheHeadroomSettings.of(suite, CLAIM), may_differ=suite.may_differ, told=suite.engine.device == "cpu"
    )
