"""The claims: one module or package each, found by discovery.

A claim plans its requests, scores what came back and decides. It never asks, never reads a file, and sees no clock:
everything it decides from is in the two ``BuildEvidence`` it is given. A new claim is a new module here with a
function ``make``; nothing else changes, because it returns views that the report already knows how to draw.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, ValidationError

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import SuiteError
from twx_accept.suite import explain

A = TypeVar("A")
R = TypeVar("R")

NO_MARK = "no mark is registered: the claim is reported and gates nothing"

SEALED = "sealed"
"""The arm of exchanges that are counted and never shown one by one: whoever has read them must have new ones made."""


class Settings(BaseModel):
    """The base of each claim's settings in a suite file: a word that is not known is an error, nothing is coerced."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @classmethod
    def of(cls, suite: Suite, claim: str) -> Self:
        """The claim's settings in that suite.

        Raises:
            SuiteError: naming the file, the field and the value.
        """
        try:
            return cls.model_validate(dict(suite.claims[claim]))
        except ValidationError as error:
            raise SuiteError(f"{suite.file}: {explain(error, 'claims', claim, of=cls)}") from error


class Claim(Protocol):
    """One claim of one suite, ready to plan and to decide."""

    @property
    def name(self) -> str:
        """The module's name, and the table of its settings in a suite file."""
        ...

    @property
    def title(self) -> str:
        """What a reader calls it."""
        ...

    @property
    def sensitive(self) -> bool:
        """Whether a build damaged on purpose must not pass it (the positive control)."""
        ...

    @property
    def anchored(self) -> bool:
        """Whether two builds are compared with each other through the original, so that its answers are needed."""
        ...

    @property
    def cost(self) -> float:
        """About how much asking one build takes: tokens read, and ten times those written. The cheapest goes first."""
        ...

    def specification(self) -> Mapping[str, Any]:
        """Everything that its decision depends on, as JSON: this is what a mark is registered as."""
        ...

    def mark(self, build: str) -> str:
        """The mark of that build in words, empty where none is registered."""
        ...

    def opening(self) -> Sequence[Request]:
        """The first requests to each build; none where the claim is decided from files or boots alone."""
        ...

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """The requests that follow from the exchanges so far; the same for every build, none when all is asked.

        Raises:
            InvalidClaim: what came back makes the rest meaningless.
        """
        ...

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:
        """Answers that cannot be scored although the server gave them: they are set aside and asked again."""
        ...

    def assume(self, original: BuildEvidence, build: BuildEvidence) -> Assumption | None:
        """What evidence so far lets one assume of the build; None where it says nothing."""
        ...

    def prospect(self, build: str, assumption: Assumption | None) -> Prospect:
        """What the claim can show about a build as planned; without an assumption, with the suite's or its own."""
        ...

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """The verdict about the build.

        Raises:
            InvalidClaim: it cannot be decided, with the reason and the cure.
        """
        ...

    def between(self, original: BuildEvidence, one: BuildEvidence, other: BuildEvidence) -> Sequence[Contrast]:
        """The claim's figures of two builds against each other, the other minus the one.

        Raises:
            InvalidClaim: they cannot be compared, with the reason.
        """
        ...


class Reached(Protocol):
    """Somebody behind an OpenAI-compatible address. ``address`` is without ``/v1``."""

    @property
    def address(self) -> str:
        """The base URL of its server."""
        ...

    @property
    def model(self) -> str:
        """The name that its server knows it by."""
        ...

    @property
    def digest(self) -> str:
        """By whom, with which prompt and sampling: an answer of another never serves this one."""
        ...


@runtime_checkable
class Appealing(Protocol):
    """A claim with a second stage: once a build has answered, its referee is asked about what is still open."""

    @property
    def referee(self) -> Reached | None:
        """Whom to ask; None where none is registered."""
        ...

    def appeals(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """What to ask about one build's answers, empty where there is nothing to ask."""
        ...

    def calibrated(self, exchanges: Sequence[Exchange]) -> "Claim":
        """The claim as a plan needs it: knowing of its referee's error what these exchanges tell."""
        ...


class Spread(Protocol):
    """Does the same work on each part, in one process or in many, and answers in the order of the parts."""

    def __call__(self, work: Callable[[A], R], parts: Sequence[A], /) -> Iterable[R]:
        """The work is a pure function that another process can be sent, and so are the parts and what comes of them."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A claim whose dearest work can be cut into parts: done before it decides, deciding is quick and says the same."""

    def foresee(self, original: BuildEvidence, builds: Sequence[BuildEvidence], spread: Spread) -> None:
        """Do it for all the decisions to come. What is wrong with the evidence is told by deciding, not here."""
        ...


def certain(claim: Claim, build: str, warnings: tuple[str, ...] = ()) -> Prospect:
    """The prospect of a claim in which nothing is left to chance."""
    return Prospect(
        claim=claim.name,
        title=claim.title,
        build=build,
        mark=claim.mark(build),
        planned_n=None,
        power=None,
        needed=None,
        resolvable=None,
        assumption=None,
        requests=0,
        prompt_characters=0,
        warnings=warnings,
    )


def known() -> dict[str, Any]:
    """The modules of all claims by name."""
    modules = (info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in modules}


def of_suite(suite: Suite, sources: Sources, scope: Scope) -> tuple[Claim, ...]:
    """The claims that a suite makes, in its order.

    Raises:
        SuiteError: the suite names a claim that is not known, or its settings are wrong.
        DatasetError: a source of questions is missing or malformed.
    """
    modules = known()
    for name in suite.claims:
        if name not in modules:
            raise SuiteError(f"{suite.file}: claims.{name!r:.80}: no such claim; known: {', '.join(sorted(modules))}")
    return tuple(modules[name].make(suite, sources, scope) for name in suite.claims)
