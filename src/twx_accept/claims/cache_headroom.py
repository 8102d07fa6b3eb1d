"""Cache headroom: what the weights leave free becomes cache, and the build has the gain that its saved bytes predict.

The capacity is what the engine itself reports in tokens; blocks times block size is wrong for hybrid models. A CPU
engine is told its cache, so there the figures are reported and nothing is gated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from twx_accept.claims import Settings
from twx_accept.claims._same import require_served_the_same
from twx_accept.domain.evidence import Boot, BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Bar, Count, Figure, Outcome, Quantity, Segment, Unit, Verdict
from twx_accept.errors import InvalidClaim

CLAIM = "cache_headroom"
TITLE = "Cache headroom"
GIB = 2**30
SPREAD_GIB = 1.0
"""Boots of one build whose cache differs by more a card do not agree."""

PINNED = ("cache_dtype", "gpu_memory_utilization", "enable_prefix_caching", "mamba_cache_mode")
"""Labels of the engine's cache that must be equal for every build."""


class CacheHeadroomSettings(Settings):
    """``mark``: the smallest share of the predicted gain that the build must show; none is reported only."""

    mark: float | None = Field(default=None, gt=0, le=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHeadroom:
    """The claim for one suite."""

    settings: CacheHeadroomSettings
    may_differ: tuple[str, ...]
    name: str = CLAIM
    title: str = TITLE
    sensitive: bool = False

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction and mark."""
        mark = self.settings.mark
        return {
            "statistic": "gain in cache tokens over the original / the gain that the saved weight bytes predict",
            "decision": "at least the mark; reported where the engine is told its cache",
            "mark": None if mark is None else {"value": f"{mark:.4f}", "unit": "share of the predicted gain"},
            "boots_agree_within": {"value": f"{SPREAD_GIB:.1f}", "unit": "GiB a card"},
        }

    def mark(self, build: str) -> str:  # noqa: ARG002 - one mark for all builds
        """The share of the gain in words."""
        mark = self.settings.mark
        return "" if mark is None else f"at least {mark:.0%} of the gain that the saved weight bytes predict"

    def opening(self) -> Sequence[Request]:
        """Nothing is asked: each boot proves its cache."""
        return ()

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:  # noqa: ARG002 - part of the protocol
        """Nothing is asked."""
        return ()

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:  # noqa: ARG002 - part of the protocol
        """Nothing is asked."""
        return ()

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """The gain in tokens against the gain that the saved bytes predict."""
        require_served_the_same(original, build, self.may_differ)
        left, right = _boot(original), _boot(build)
        _require_pinned(original, left, build, right)
        before, after = _tokens(original, left), _tokens(build, right)
        predicted = _predicted(left, right)
        share = None if predicted is None or predicted == before else (after - before) / (predicted - before)
        mark = self.settings.mark if share is not None else None
        outcome = Outcome.REPORTED
        if mark is not None and share is not None:
            outcome = Outcome.SHOWN if share >= mark else Outcome.FAILED
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build.build,
            outcome=outcome,
            sentence=_sentence(build.build, right, before, after, share, mark),
            mark=self.mark(build.build) if mark is not None else "",
            gates=mark is not None,
            figures=(_cache("original/tokens", left), _cache("tokens", right), _gain(before, after, predicted, share)),
            bars=(*_bars(original, left), *_bars(build, right)),
            statistics={"tokens": after, "tokens_original": before}
            | ({} if share is None else {"share_of_predicted_gain": share}),
        )


def _boot(evidence: BuildEvidence) -> Boot:
    """The boot that counts: the last one with a warm compile cache, after checking that all of them agree."""
    if not evidence.boots:
        raise InvalidClaim(f"{evidence.build} was never booted, so its cache is unknown; run again with --fresh")
    warm = [boot for boot in evidence.boots if not boot.cold] or list(evidence.boots)
    sizes = [size for boot in warm for size in boot.cache_gib]
    if sizes and max(sizes) - min(sizes) > SPREAD_GIB:
        raise InvalidClaim(
            f"boots of {evidence.build} differ in cache by more than {SPREAD_GIB:.0f} GiB a card "
            f"({min(sizes):.2f} and {max(sizes):.2f} GiB); find what else uses the cards, then run with --fresh"
        )
    return warm[-1]


def _require_pinned(original: BuildEvidence, left: Boot, build: BuildEvidence, right: Boot) -> None:
    for name in PINNED:
        one, other = left.cache.get(name), right.cache.get(name)
        if one != other:
            raise InvalidClaim(f"{name} is {one} for {original.build} and {other} for {build.build}; serve both alike")


def _tokens(evidence: BuildEvidence, boot: Boot) -> int:
    if not boot.capacity_tokens or boot.capacity_tokens < 1:
        raise InvalidClaim(f"the engine of {evidence.build} does not say its cache's size in tokens")
    return boot.capacity_tokens


def _predicted(left: Boot, right: Boot) -> float | None:
    """Tokens if every byte that the weights save on a card became cache; None where the engine is told its cache."""
    if right.device == "cpu" or not (left.cache_gib and left.weights_gib and right.weights_gib):
        return None
    before = left.capacity_tokens or 0
    a_token = min(left.cache_gib) / before
    saved = max(left.weights_gib) - max(right.weights_gib)
    return before + saved / a_token


def _sentence(build: str, boot: Boot, before: int, after: int, share: float | None, mark: float | None) -> str:
    room = f"{build} holds {after:,} tokens of cache, {after / before:.3f} of the original's {before:,}"
    if boot.device == "cpu":
        return f"{room}; a CPU engine is told its cache, so nothing is gated."
    if share is None or mark is None:
        return f"{room}; no mark is registered."
    verdict = "Within the mark." if share >= mark else "Less than the mark."
    return f"{room}: {share:.1%} of the gain that its saved weight bytes predict; the mark is {mark:.0%}. {verdict}"


def _cache(key: str, boot: Boot) -> Figure:
    """The capacity that the engine reports, and what it holds."""
    tokens = boot.capacity_tokens or 0
    return Figure(
        key=key,
        label="Cache",
        value=_tokens_of(tokens),
        counts=(
            Count(
                label="conversations at the longest context",
                value=boot.cache.get("kv_cache_max_concurrency", "unknown"),
            ),
            Count(label="cache type", value=boot.cache.get("cache_dtype", "unknown")),
            Count(label="prefix caching", value=boot.cache.get("enable_prefix_caching", "unknown").lower()),
            *((Count(label="tokens a GiB and card", value=_density(boot, tokens)),) if boot.cache_gib else ()),
        ),
    )


def _gain(before: int, after: int, predicted: float | None, share: float | None) -> Figure:
    """The capacity against the original's, and against what the saved bytes predict."""
    told = "the engine is told its cache" if predicted is None else _tokens_of(predicted)
    of_gain = "not defined" if share is None else Quantity(value=share, unit=Unit.SHARE, digits=1)
    return Figure(
        key="gain",
        label="Cache, of the original",
        value=Quantity(value=after / before, unit=Unit.RATIO, digits=3),
        headline=True,
        counts=(
            Count(label="tokens of the build", value=_tokens_of(after)),
            Count(label="tokens of the original", value=_tokens_of(before)),
            Count(label="tokens that the saved bytes predict", value=told),
            Count(label="share of the predicted gain", value=of_gain),
        ),
    )


def _tokens_of(value: float) -> Quantity:
    return Quantity(value=value, unit=Unit.TOKENS, digits=0)


def _density(boot: Boot, tokens: int) -> Quantity:
    return Quantity(value=tokens / min(boot.cache_gib), unit=Unit.TOKENS, digits=0)


def _bars(evidence: BuildEvidence, boot: Boot) -> tuple[Bar, ...]:
    """One card of the build, and its cache. On a CPU one bar of what the engine was given."""
    weights = max(boot.weights_gib) * GIB if boot.weights_gib else float(evidence.inventory.total_bytes)
    told = boot.cache.get("kv_cache_memory_bytes", "")
    cache = min(boot.cache_gib) * GIB if boot.cache_gib else float(told if told.isdecimal() else 0)
    segments = [Segment(label="weights", value=weights), Segment(label="cache", value=cache)]
    limit = float(min(boot.cards)) if boot.cards else None
    if limit is not None:
        segments.append(Segment(label="the rest", value=max(limit - weights - cache, 0.0)))
    note = ""
    if boot.cards and max(boot.cards) > 1.01 * min(boot.cards):
        note = f"the smallest card of {len(boot.cards)}; the largest has {max(boot.cards) / 1e9:.1f} GB"
    card = Bar(
        chart="card",
        title="One card of each build" if limit else "Memory of each build",
        label=evidence.build,
        unit=Unit.BYTES,
        segments=tuple(segments),
        limit=limit,
        note=note,
    )
    tokens = Bar(
        chart="cache",
        title="Cache of each build",
        label=evidence.build,
        unit=Unit.TOKENS,
        segments=(Segment(label="cache", value=float(boot.capacity_tokens or 0)),),
    )
    return card, tokens


def make(suite: Suite, sources: Sources, scope: Scope) -> CacheHeadroom:  # noqa: ARG001 - part of the protocol
    """The claim as that suite registers it."""
    return CacheHeadroom(settings=CacheHeadroomSettings.of(suite, CLAIM), may_differ=suite.may_differ)
