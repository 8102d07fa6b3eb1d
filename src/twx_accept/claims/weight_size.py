"""Weight size: the build's weight files are at most a registered ratio of the original's.

Decimal bytes of the weight files, links followed, each file once. Nothing is asked of a server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from twx_accept.claims import NO_MARK, Settings, certain
from twx_accept.claims._exact import decimal, fixed
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence, Inventory
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Bar, Count, Figure, Fold, Outcome, Quantity, Segment, Unit, Verdict
from twx_accept.errors import InvalidClaim, SuiteError

CLAIM = "weight_size"
TITLE = "Weight size"
GB = 1e9
GIB = 2**30

Ratio = Annotated[float, Field(gt=0, le=1)]
"""Above one it would say nothing of a compressed build, and 65 is a slip for 0.65 that every build would pass."""


class WeightSizeSettings(Settings):
    """``mark``: for each build, the largest ratio of its weight bytes to the original's; none is reported only."""

    mark: dict[str, Ratio] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightSize:
    """The claim for one suite. ``digests`` maps each build to the SHA-256 of those of its files that it pins."""

    settings: WeightSizeSettings
    digests: Mapping[str, Mapping[str, str]]
    name: str = CLAIM
    title: str = TITLE
    sensitive: bool = False
    anchored: bool = False
    cost: float = 0.0

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction and the mark of each build."""
        return {
            "statistic": "bytes of the build's weight files / bytes of the original's",
            "decision": "at most the mark",
            "marks": {name: fixed(mark, 6) for name, mark in sorted(self.settings.mark.items())},
            "unit": "ratio of bytes (decimal gigabytes shown)",
        }

    def mark(self, build: str) -> str:
        """The largest ratio in words."""
        mark = self.settings.mark.get(build)
        return "" if mark is None else f"at most {mark:.3f} of the original's bytes"

    def opening(self) -> Sequence[Request]:
        """Nothing is asked."""
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
        return certain(self, build, () if build in self.settings.mark else (NO_MARK,))

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """At most the registered ratio, unrounded."""
        for side in (original, build):
            _require_whole(side, self.digests.get(side.build, {}))
        whole, bytes_ = original.inventory.total_bytes, build.inventory.total_bytes
        ratio = bytes_ / whole
        mark = self.settings.mark.get(build.build)
        outcome = Outcome.REPORTED
        words = f"{build.build} has {bytes_ / GB:.2f} GB of weights, {ratio:.3f} of the original's {whole / GB:.2f} GB"
        sentence = f"{words}; no mark is registered."
        if mark is not None:
            # In whole numbers: at a petabyte one byte more is lost in the rounding of a float.
            outcome = Outcome.SHOWN if Fraction(bytes_, whole) <= decimal(mark) else Outcome.FAILED
            verdict = "Within the mark." if outcome is Outcome.SHOWN else "Larger than the mark."
            sentence = f"{words}; the mark is {mark:.3f}. {verdict}"
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build.build,
            outcome=outcome,
            sentence=sentence,
            mark=self.mark(build.build),
            gates=mark is not None,
            figures=_figures(original, build, ratio),
            bars=(_bar(original, ""), _bar(build, f"{ratio:.3f} of the original")),
            folds=_folds(original.inventory, build.inventory),
            statistics={"bytes": bytes_, "bytes_original": whole, "ratio": ratio}
            | ({} if mark is None else {"mark": mark}),
        )

    def between(
        self,
        original: BuildEvidence,  # noqa: ARG002 - the two are compared without it
        one: BuildEvidence,
        other: BuildEvidence,
    ) -> Sequence[Contrast]:
        """How many bytes lie between the two."""
        bytes_ = other.inventory.total_bytes - one.inventory.total_bytes
        return (
            Contrast(
                claim=self.name,
                title=self.title,
                one=one.build,
                other=other.build,
                difference=bytes_,
                unit=Unit.BYTES,
                counts=(_bytes(one.build, one.inventory), _bytes(other.build, other.inventory)),
            ),
        )


def _require_whole(side: BuildEvidence, pinned: Mapping[str, str]) -> None:
    """Every shard is there, and every file that the suite pins is the one it pins."""
    if side.inventory.problems:
        raise InvalidClaim(f"{side.build}: {'; '.join(side.inventory.problems)}")
    if not side.inventory.total_bytes:
        raise InvalidClaim(f"{side.build}: no weight files found; the folder must hold .safetensors, .bin or .gguf")
    for name, digest in pinned.items():
        if (found := side.inventory.digests.get(name, "not there")) != digest:
            raise InvalidClaim(f"{side.build}: {name} is {found}, the suite pins {digest}; fetch the build again")


def _figures(original: BuildEvidence, build: BuildEvidence, ratio: float) -> tuple[Figure, ...]:
    relative = Figure(
        key="ratio",
        label="Weights, of the original",
        value=Quantity(value=ratio, unit=Unit.RATIO, digits=3),
        headline=True,
        counts=(_bytes(build.build, build.inventory), _bytes("the original", original.inventory)),
    )
    return _size("original/bytes", original), _size("bytes", build), relative


def _size(key: str, side: BuildEvidence) -> Figure:
    """The size on disk beside what the engine says it loaded."""
    loaded = [boot.weights_gib for boot in side.boots if boot.weights_gib]
    engine = Quantity(value=sum(loaded[-1]) * GIB, unit=Unit.BYTES, digits=3) if loaded else "the engine does not say"
    return Figure(
        key=key,
        label="Weights",
        value=Quantity(value=side.inventory.total_bytes, unit=Unit.BYTES, digits=3),
        counts=(
            _bytes("bytes", side.inventory),
            Count(label="weight files", value=Quantity(value=len(side.inventory.weights), unit=Unit.COUNT, digits=0)),
            Count(label="tensors", value=Quantity(value=len(side.inventory.tensors), unit=Unit.COUNT, digits=0)),
            Count(label="the engine says it loaded", value=engine),
        ),
    )


def _bytes(label: str, inventory: Inventory) -> Count:
    return Count(label=label, value=Quantity(value=inventory.total_bytes, unit=Unit.COUNT, digits=0))


def _bar(side: BuildEvidence, note: str) -> Bar:
    weights = Segment(label="weights", value=float(side.inventory.total_bytes))
    return Bar(
        chart="weights",
        title="Weight files of each build",
        label=side.build,
        unit=Unit.BYTES,
        segments=(weights,),
        note=note,
    )


def _folds(original: Inventory, build: Inventory) -> tuple[Fold, ...]:
    """Modules that are gone or new (a dropped vision tower is not compression), and each weight file."""
    files = Fold(
        title=f"Weight files of the build ({len(build.weights)})",
        columns=("file", "bytes", "SHA-256"),
        rows=tuple(
            (name, Quantity(value=size, unit=Unit.COUNT, digits=0), build.digests.get(name, "not taken"))
            for name, size in sorted(build.weights.items())
        ),
    )
    title = "Modules dropped or added against the original"
    if not original.tensors or not build.tensors:
        unknown = (("unknown", "only .safetensors files name their tensors, and one side has none"),)
        return files, Fold(title=f"{title} (unknown)", columns=("module", "change"), rows=unknown)
    left, right = _modules(original), _modules(build)
    changes = [(name, "dropped") for name in sorted(left - right)] + [(name, "added") for name in sorted(right - left)]
    rows = tuple(changes) or (("none", "every module of the original has weights in the build"),)
    return files, Fold(title=f"{title} ({len(changes)})", columns=("module", "change"), rows=rows)


def _modules(inventory: Inventory) -> set[str]:
    """The modules that have tensors. A packed weight has other tensors than a plain one, in the same module."""
    return {
        name.partition(".weight")[0] if ".weight" in name else name.rpartition(".")[0] for name in inventory.tensors
    }


def make(suite: Suite, sources: Sources, scope: Scope) -> WeightSize:  # noqa: ARG001 - part of the protocol
    """The claim as that suite registers it.

    Raises:
        SuiteError: its settings are wrong, or a mark is for a build that the suite does not have.
    """
    settings = WeightSizeSettings.of(suite, CLAIM)
    builds = [build.name for build in suite.builds]
    for name in settings.mark:
        if name not in builds:
            raise SuiteError(f"{suite.file}: claims.{CLAIM}.mark: no build {name!r:.80}; it has: {', '.join(builds)}")
    return WeightSize(
        settings=settings, digests={build.name: build.digests for build in (suite.original, *suite.builds)}
    )
