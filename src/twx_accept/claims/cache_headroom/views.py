"""What a reader sees of the cache: figures with their counts, one card of each build, and the caches side by side."""

from twx_accept.claims.cache_headroom.gain import Gain, least
from twx_accept.domain.evidence import Boot, BuildEvidence
from twx_accept.domain.verdict import Bar, Count, Figure, Quantity, Segment, Unit

GIB = 2**30


def cache(key: str, evidence: BuildEvidence, boot: Boot) -> Figure:
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
            Count(label="boots", value=_boots(evidence)),
            *((Count(label="tokens a GiB and card", value=_density(boot, tokens)),) if least(boot.cache_gib) else ()),
        ),
    )


def ratio(gain: Gain, *, told: bool) -> Figure:
    """The capacity against the original's, and against what the saved bytes predict."""
    predicted: Quantity | str = "the engine is told its cache" if told else "unknown"
    if gain.predicted is not None:
        predicted = _tokens_of(float(gain.predicted))
    share = "not defined" if gain.share is None else Quantity(value=float(gain.share), unit=Unit.SHARE, digits=1)
    return Figure(
        key="gain",
        label="Cache, of the original",
        value=Quantity(value=gain.after / gain.before, unit=Unit.RATIO, digits=3),
        headline=True,
        counts=(
            Count(label="tokens of the build", value=_tokens_of(gain.after)),
            Count(label="tokens of the original", value=_tokens_of(gain.before)),
            Count(label="tokens that the saved bytes predict", value=predicted),
            Count(label="share of the predicted gain", value=share),
        ),
    )


def _boots(evidence: BuildEvidence) -> str:
    """Every boot, the cold ones marked."""
    return ", ".join(f"{boot.number}{' (cold compile cache)' if boot.cold else ''}" for boot in evidence.boots)


def _tokens_of(value: float) -> Quantity:
    return Quantity(value=value, unit=Unit.TOKENS, digits=0)


def _density(boot: Boot, tokens: int) -> Quantity:
    return Quantity(value=tokens / min(boot.cache_gib), unit=Unit.TOKENS, digits=0)


def bars(evidence: BuildEvidence, boot: Boot) -> tuple[Bar, ...]:
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
