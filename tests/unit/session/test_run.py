"""What a session decides, refuses and recalls."""

from collections.abc import Callable
from typing import Any

import pytest

from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import InvalidClaim, PairingError, ServerDied
from twx_accept.session.recording import record

SHOWN, FAILED, NOT_SHOWN, REPORTED = Outcome.SHOWN, Outcome.FAILED, Outcome.NOT_SHOWN, Outcome.REPORTED


def test_original_is_collected_first_and_each_build_once(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Several claims share the evidence of a build, and the original's serves them all."""
    session = make_session(*(make_claim(name, {"a": SHOWN}, sensitive=False) for name in ("one", "two")), builds=["a"])
    for claim in session.claims:
        assert session.decide(claim, session.suite.build("a")).outcome is SHOWN
    assert session.collector.asked == ["original", "a"]


def test_failed_boot_is_not_tried_again(make_session: Callable[..., Any], make_claim: Any) -> None:
    """An error of a build's evidence stays one for the whole run, with its notes, for every claim about it."""
    died = ServerDied("it ended")
    died.add_note("cause: no memory")
    session = make_session(
        *(make_claim(name, {"a": SHOWN, "b": SHOWN}, sensitive=False) for name in ("one", "two")), errors={"a": died}
    )
    for claim in session.claims:
        with pytest.raises(InvalidClaim, match="it ended\ncause: no memory"):
            session.decide(claim, session.suite.build("a"))
        assert session.decide(claim, session.suite.build("b")).outcome is SHOWN
    assert session.collector.asked == ["original", "a", "b"]
    assert session.verdicts["two", "a"].reasons == ("it ended", "cause: no memory")


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ((FAILED, NOT_SHOWN), "caught"),
        ((FAILED, SHOWN), "missed"),
        ((FAILED, REPORTED), "not measured"),
        ((SHOWN, PairingError("no pairs")), "missed"),
        ((FAILED, PairingError("no pairs")), "not measured"),
        ((FAILED, InvalidClaim("no")), "not measured"),
    ],
)
def test_control_is_caught_by_every_sensitive_claim_or_not(
    make_session: Callable[..., Any], make_claim: Any, outcomes: tuple[Any, Any], told: str
) -> None:
    """One claim that the control passes is enough to miss it; one that says nothing leaves it unmeasured."""
    claims = [make_claim(name, {"damaged": each}) for name, each in zip("xy", outcomes, strict=True)]
    session = make_session(
        *claims, make_claim("size", {"damaged": SHOWN}, sensitive=False), kept=["original", "damaged"]
    )
    assert session.control() == told
    assert session.collector.asked == []
    if told == "not measured":
        with pytest.raises(InvalidClaim, match="the positive control is not measured: X of damaged is failed; Y of"):
            session.require_control()
    else:
        assert session.require_control() == told


def test_no_build_is_decided_before_its_chosen_control(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Whichever test a process runs first, a chosen control is served before another build's difference is decided."""
    session = make_session(make_claim("x", {"a": SHOWN, "damaged": SHOWN}))
    with pytest.raises(InvalidClaim, match="'damaged', damaged on purpose, passes this claim"):
        session.decide(session.claims[0], session.suite.build("a"))
    assert "damaged" in session.collector.asked
    alone = make_session(make_claim("x", {"a": SHOWN, "damaged": SHOWN}), builds=["a"])
    assert alone.decide(alone.claims[0], alone.suite.build("a")).outcome is SHOWN
    assert alone.collector.asked == ["original", "a"]
    assert alone.control() == "not measured"


def test_partial_runs_and_controls_gate_nothing(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Their verdicts carry the label and pass their tests whatever comes out."""
    session = make_session(make_claim("x", {"a": FAILED, "damaged": FAILED}), partial="2 questions a subject")
    verdict = session.decide(session.claims[0], session.suite.build("a"))
    assert (verdict.labels, verdict.gates, verdict.passes) == (("partial",), False, True)
    whole = make_session(make_claim("x", {"a": FAILED, "damaged": FAILED}))
    control = whole.decide(whole.claims[0], whole.suite.build("damaged"))
    assert (control.labels, control.passes) == (("control",), True)
    assert not whole.decide(whole.claims[0], whole.suite.build("a")).passes


def test_recalled_verdicts_are_those_of_the_other_process(
    make_session: Callable[..., Any], make_claim: Any, invalid: InvalidClaim
) -> None:
    """A verdict is decided again from kept evidence without asking; an invalid one keeps its words."""
    claim = make_claim("x", {"a": NOT_SHOWN, "b": invalid, "damaged": FAILED})
    session = make_session(claim, builds=["damaged", "a", "b"], kept=["original", "a", "damaged"])
    session.recall("x", "damaged", [])
    session.recall("x", "a", [])
    session.recall("x", "b", ["it broke there"])
    assert {build: verdict.outcome for (_, build), verdict in session.verdicts.items()} == {
        "damaged": FAILED,
        "a": NOT_SHOWN,
        "b": Outcome.INVALID,
    }
    assert session.verdicts["x", "b"].reasons == ("it broke there",)
    assert session.collector.asked == []
    empty = make_session(claim)
    empty.recall("x", "a", [])
    assert "no longer there" in empty.verdicts["x", "a"].reasons[0]


def test_figures_of_a_claim_that_cannot_decide_are_shown(make_session: Callable[..., Any], make_claim: Any) -> None:
    """What was measured before a claim found its original too weak is shown, and counts for nothing."""
    measured = Verdict(
        claim="x", title="X", build="a", outcome=SHOWN, sentence="Said.", statistics={"n": 7}, gates=False
    )
    claim = make_claim("x", {"a": InvalidClaim("too weak", measured), "damaged": FAILED})
    here, there = (make_session(claim, kept=["original", "a", "damaged"]) for _ in range(2))
    with pytest.raises(InvalidClaim, match="too weak"):
        here.decide(claim, here.suite.build("a"))
    there.recall("x", "a", ["too weak"])
    for session in (here, there):
        verdict = session.verdicts["x", "a"]
        assert (verdict.outcome, verdict.reasons, verdict.passes, verdict.gates) == (
            Outcome.INVALID,
            ("too weak",),
            False,
            True,
        )
        assert (verdict.statistics, verdict.sentence) == ({"n": 7}, "Said.")


def test_claims_that_are_left_out_are_not_asked(make_session: Callable[..., Any], make_claim: Any) -> None:
    """The collector gets the other claims; the run still plans, and can refuse, all of them."""
    session = make_session(make_claim("x", {"a": SHOWN}), make_claim("y", {"a": SHOWN}))
    session.leave_out({"x"})
    assert [claim.name for claim in session.collector.claims] == ["y"]
    raised = session.refuse(session.claim("x"), session.suite.build("a"), InvalidClaim("changed"))
    assert str(raised) == "changed"
    assert session.verdicts["x", "a"].outcome is Outcome.INVALID


def test_record_of_a_stopped_run_has_what_there_is(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Verdicts in the session's order, everything that was planned, the settings of what is kept; nothing is asked."""
    claims = [make_claim(name, {"a": SHOWN, "damaged": FAILED}) for name in ("x", "y")]
    session = make_session(*claims, kept=["original"])
    session.decide(claims[1], session.suite.build("damaged"))
    session.decide(claims[0], session.suite.build("damaged"))
    asked = list(session.collector.asked)
    run = record(session, date="2026-01-02T03:04:05+00:00", command="pytest", interrupted=True)
    assert [(verdict.claim, verdict.build) for verdict in run.verdicts] == [("x", "damaged"), ("y", "damaged")]
    assert run.missing() == (("X", "a"), ("Y", "a"))
    assert (run.interrupted, run.control, run.controls) == (True, "caught", ("damaged",))
    assert session.collector.asked == asked
    weights = [setting for setting in run.settings if setting.group == "Mark: X"]
    assert weights[0].values == {"original": "x", "damaged": "x"}


def test_a_stopped_run_looks_at_no_further_build(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Builds that were not looked at are left out of the report: their weights may take an hour to hash."""
    session = make_session(make_claim("x", {"a": SHOWN}), kept=["original", "a", "damaged"])
    session.kept(session.suite.original)
    session.stopped = True
    looked: list[Any] = []
    session.collector.identify = looked.append
    run = record(session, date="2026-01-02T03:04:05+00:00", command="pytest", interrupted=True)
    assert looked == []
    assert run.missing() == (("X", "damaged"), ("X", "a"))
    assert {name for setting in run.settings for name in setting.values} == {"original"}


def test_control_of_a_claim_that_is_left_out_is_not_served(make_session: Callable[..., Any], make_claim: Any) -> None:
    """Where no claim can be decided nobody boots a control to see whether it is caught."""
    session = make_session(make_claim("x", {"a": SHOWN, "damaged": FAILED}))
    session.leave_out({"x"})
    with pytest.raises(InvalidClaim, match="not measured: X of damaged is invalid: its mark is not the registered one"):
        session.require_control()
    assert session.collector.asked == []


def test_while_another_process_serves_what_is_needed_something_else_is_served(make_session: Callable[..., Any]) -> None:
    """With cards to spare nobody waits idle: what no other process serves is collected first, each build once."""
    session = make_session(builds=("damaged", "a", "b"))
    collector = session.collector
    collector.others = {"original", "damaged"}
    session.evidence(session.suite.original)
    assert collector.asked == ["a", "b", "original"]
    collector.others = set()
    session.evidence(session.suite.build("damaged"))
    assert collector.asked == ["a", "b", "original", "damaged"]


def test_an_error_of_what_was_served_meanwhile_is_told_where_it_is_needed(make_session: Callable[..., Any]) -> None:
    """A build that fails while another one is waited for fails its own tests and no others."""
    session = make_session(builds=("a",), errors={"a": ServerDied("it ended")})
    session.collector.others = {"original"}
    assert session.evidence(session.suite.original)
    with pytest.raises(ServerDied, match="it ended"):
        session.evidence(session.suite.build("a"))
    assert session.collector.asked == ["a", "original"]
