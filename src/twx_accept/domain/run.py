"""One acceptance run as a report needs it: verdicts and everything that a reader asks about how they came about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import CardUse
from twx_accept.domain.verdict import Outcome, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the settings: ``values`` maps each build (the original first) to its value as text."""

    group: str
    label: str
    values: Mapping[str, str]

    @property
    def same(self) -> bool:
        """Whether every build has the same value."""
        return len(set(self.values.values())) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long a phase of one build took; ``asked`` requests were sent in it, ``kept`` came from earlier runs."""

    build: str
    phase: str
    seconds: float
    asked: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BootUse:
    """What was in use on the cards of one boot (its ``number`` among the build's), and what was served beside it.

    ``cards`` is empty on a CPU and for boots of which nothing was measured. ``beside`` names what other cards of the
    machine served meanwhile, in words; it is empty where builds were served one after another.
    """

    build: str
    number: int
    cards: tuple[CardUse, ...]
    beside: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Somebody's word that a build ships although a claim about it is not shown. ``date`` is ISO 8601."""

    build: str
    claim: str
    reason: str
    by: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A whole run. ``planned`` lists every (claim title, build) that was to be decided, in order.

    ``date`` is ISO 8601 with a zone; ``partial`` says why the run is partial ("4 questions a subject"), else empty;
    ``interrupted`` a run that was stopped; ``control`` is "caught", "missed", "not measured" or "none in this suite";
    ``noise_floor`` "measured" or "not measured". ``floor`` holds each claim decided about the original served again,
    ``contrasts`` the builds against each other. ``attempts`` counts the whole runs that each build's weights have had;
    ``registered`` says when the marks were registered ("before the run", "exploratory: ...", empty where none apply);
    ``disclosures`` are what a reader must know besides, such as partial runs that came first. ``controls`` names the
    builds damaged on purpose, decided or not. ``boots`` are those whose answers are judged, with what their cards held.
    """

    suite: str
    suite_title: str
    demonstration: bool
    date: str
    command: str
    original: str
    builds: tuple[str, ...]
    planned: tuple[tuple[str, str], ...]
    verdicts: tuple[Verdict, ...]
    settings: tuple[Setting, ...]
    timings: tuple[Timing, ...]
    partial: str = ""
    interrupted: bool = False
    control: str = "not measured"
    noise_floor: str = "not measured"
    floor: tuple[Verdict, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    titles: Mapping[str, str]
    attempts: Mapping[str, int] = field(default_factory=dict)
    registered: str = ""
    waivers: tuple[Waiver, ...] = ()
    disclosures: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    boots: tuple[BootUse, ...] = ()

    def of(self, build: str) -> tuple[Verdict, ...]:
        """The verdicts about one build."""
        return tuple(verdict for verdict in self.verdicts if verdict.build == build)

    def missing(self) -> tuple[tuple[str, str], ...]:
        """What was planned and has no verdict."""
        decided = {(verdict.title, verdict.build) for verdict in self.verdicts}
        return tuple(pair for pair in self.planned if pair not in decided)

    def may_ship(self, build: str) -> bool:
        """Whether every gating claim about the build is shown, none is missing and the run is whole."""
        gating = [verdict for verdict in self.of(build) if verdict.gates]
        return (
            bool(gating)
            and all(verdict.outcome is Outcome.SHOWN for verdict in gating)
            and not any(name == build for _, name in self.missing())
            and not self.partial
            and not self.interrupted
            and self.control != "missed"
        )
