"""The original against itself, and the builds against each other."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.verdict import Outcome
from twx_accept.errors import InvalidClaim, PairingError, ServerDied
from twx_accept.session.comparing import adjusted
from twx_accept.session.recording import record

SHOWN, FAILED, NOT_SHOWN, REPORTED = Outcome.SHOWN, Outcome.FAILED, Outcome.NOT_SHOWN, Outcome.REPORTED
AGAIN = "original, again"
STAMP: dict[str, Any] = {"date": "2026-01-01T00:00:00+00:00", "command": "pytest", "interrupted": False}


def test_the_original_is_served_again_last_of_all(make_session: Callable[..., Any], make_claim: Any) -> None:
    """The first claim about answers waits until every build and the repetition are there; a size waits for nothing."""
    quiz = make_claim("quiz", {"a": SHOWN, "b": SHOWN, "damaged": FAILED})
    size = make_claim("size", {"a": SHOWN, "b": SHOWN, "damaged": SHOWN}, sensitive=False)
    session = make_session(size, quiz, builds=["damaged", "a", "b"], floor=True)
    session.decide(size, session.suite.build("damaged"))
    session.decide(quiz, session.suite.build("damaged"))
    assert session.collector.asked == ["original", "damaged"]
    session.decide(size, session.suite.build("a"))
    assert session.collector.asked == ["original", "damaged", "a"]
    session.decide(quiz, session.suite.build("a"))
    assert session.collector.asked == ["original", "damaged", "a", "b", AGAIN]
    session.decide(quiz, session.suite.build("b"))
    assert session.collector.asked.count(AGAIN) == 1


class Strict:
    """A claim whose original does not pass itself: the repetition comes under the name of a build, with its mark."""

    def __init__(self, claim: Any, floor: Any) -> None:
        self._claim, self._floor, self.decided = claim, floor, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._claim, name)

    def decide(self, original: Any, build: Any) -> Any:
        """The given outcome for each second decision about a build: the first is about the build itself."""
        self.decided += 1
        if self.decided % 2 == 0:
            self._claim.outcomes = {**self._claim.outcomes, build.build: self._floor}
        return self._claim.decide(original, build)


@pytest.mark.parametrize(
    ("floor", "told"),
    [
        (NOT_SHOWN, "does not pass this claim itself \\(not shown: Said.\\)"),
        (FAILED, "does not pass this claim itself \\(failed"),
        (InvalidClaim("no pairs"), "does not pass this claim itself \\(invalid: no pairs\\)"),
    ],
)
def test_a_claim_that_the_original_misses_is_invalid(
    make_session: Callable[..., Any], make_claim: Any, floor: Any, told: str
) -> None:
    """Whatever a build comes to, a mark that the original does not reach against itself shows nothing."""
    claim = Strict(make_claim("quiz", {"a": SHOWN}), floor)
    session = make_session(claim, builds=["a"], floor=True)
    with pytest.raises(InvalidClaim, match=f"noise floor: the original served again {told}"):
        session.decide(claim, session.suite.build("a"))
    assert session.verdicts["quiz", "a"].outcome is Outcome.INVALID


@pytest.mark.parametrize("floor", [SHOWN, REPORTED])
def test_a_claim_that_the_original_passes_stands(
    make_session: Callable[..., Any], make_claim: Any, floor: Outcome
) -> None:
    """A repetition that is shown, or that has no mark, leaves the verdict as it is."""
    claim = Strict(make_claim("quiz", {"a": NOT_SHOWN}), floor)
    session = make_session(claim, builds=["a"], floor=True)
    assert session.decide(claim, session.suite.build("a")).outcome is NOT_SHOWN


def test_a_repetition_that_cannot_be_had_is_told(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Where the floor was asked for and its server died, no difference is decided; a size still is."""
    quiz, size = make_claim("quiz", {"a": SHOWN}), make_claim("size", {"a": SHOWN}, sensitive=False)
    session = make_session(quiz, size, builds=["a"], floor=True, errors={AGAIN: ServerDied("it ended")})
    for _ in range(2):
        with pytest.raises(InvalidClaim, match="it ended"):
            session.decide(quiz, session.suite.build("a"))
    assert session.collector.asked.count(AGAIN) == 1
    assert session.decide(size, session.suite.build("a")).outcome is SHOWN
    assert record(session, **STAMP).noise_floor == "not measured"


def test_a_repetition_that_is_kept_counts(make_session: Callable[..., Any], make_claim: Any) -> None:
    """One that an earlier run has measured whole is held against the claims without being asked for again."""
    claim = make_claim("quiz", {"a": SHOWN, "damaged": FAILED, AGAIN: SHOWN})
    session = make_session(claim, kept=["original", AGAIN])
    session.decide(claim, session.suite.build("a"))
    assert AGAIN not in session.collector.asked
    run = record(session, **STAMP)
    assert run.noise_floor == "measured"
    assert [(verdict.build, verdict.outcome, verdict.gates) for verdict in run.floor] == [(AGAIN, SHOWN, False)]


def test_without_a_repetition_nothing_is_said_of_it(make_session: Callable[..., Any], make_claim: Any) -> None:
    """A run without a floor says that it was not measured."""
    claim = make_claim("quiz", {"a": SHOWN, "damaged": FAILED})
    session = make_session(claim)
    session.decide(claim, session.suite.build("a"))
    run = record(session, **STAMP)
    assert (run.noise_floor, run.floor) == ("not measured", ())


def test_pairs_of_builds_are_adjusted_together(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Controls take no part; two p-values of one figure are Holm's; a pair that cannot be compared is left out."""
    quiz, talk = (make_claim(name, {"a": SHOWN, "b": SHOWN, "damaged": FAILED}) for name in ("quiz", "talk"))
    quiz.compared = {("a", "b"): 0.01, ("a", "damaged"): 0.5}
    talk.compared = {("a", "b"): PairingError("other prompts")}
    session = make_session(quiz, talk, builds=["damaged", "a", "b"], kept=["original", "a", "b", "damaged"])
    (found,) = record(session, **STAMP).contrasts
    assert (found.one, found.other, found.p, found.adjusted, found.same) == ("a", "b", 0.01, 0.01, True)


def test_holm_is_over_the_pairs_of_one_figure() -> None:
    """Three pairs of which one has no test of equivalence: each family is adjusted by its own size."""
    frame = Contrast(claim="c", title="C", one="a", other="b", difference=0.0)
    ps: list[tuple[float | None, float | None]] = [(0.01, 0.004), (0.04, None), (0.03, 0.02)]
    family = [replace(frame, p=p, p_equivalence=alike) for p, alike in ps]
    found = adjusted(family)
    assert [each.adjusted for each in found] == pytest.approx([0.03, 0.06, 0.06])
    assert [each.adjusted_equivalence for each in found] == [pytest.approx(0.008), None, pytest.approx(0.02)]
    assert [each.same for each in found] == [True, False, True]
    assert adjusted([]) == []


def test_the_floor_is_measured_where_nothing_is_gated(make_session: Callable[..., Any], make_claim: Any) -> None:
    """A partial run, and a claim without a mark, show how far the original departs from itself and refuse nothing."""
    claim = make_claim("quiz", {"a": NOT_SHOWN, AGAIN: FAILED})
    session = make_session(claim, builds=["a"], floor=True, partial="2 questions a subject")
    assert session.decide(claim, session.suite.build("a")).outcome is NOT_SHOWN
    assert session.collector.asked == ["original", "a", AGAIN]
    assert [verdict.outcome for verdict in record(session, **STAMP).floor] == [FAILED]
    reported = make_claim("words", {"a": REPORTED}, sensitive=False)
    reported.cost = 1.0
    session = make_session(reported, builds=["a"], floor=True, errors={AGAIN: ServerDied("it ended")})
    assert session.decide(reported, session.suite.build("a")).outcome is REPORTED
