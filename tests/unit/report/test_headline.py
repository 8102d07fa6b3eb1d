"""The verdict in words, the same in every report."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome
from twx_accept.report import html, markdown, text
from twx_accept.report.headline import headline, standings

Make = Callable[..., RunRecord]


def with_outcome(run: RunRecord, outcome: Outcome, *labels: str, gates: bool = True) -> RunRecord:
    """The run with its last verdict changed."""
    *rest, last = run.verdicts
    changed = replace(last, outcome=outcome, labels=labels, gates=gates, reasons=("the settings differ",))
    return replace(run, verdicts=(*rest, changed))


def test_a_build_that_may_ship(one: RunRecord) -> None:
    """Every registered claim shown: it may ship, and the count says so."""
    assert headline(one) == "smol-w8 may ship: 2 of 2 registered claims shown"


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.NOT_SHOWN, Outcome.INVALID])
def test_a_claim_that_is_not_shown(one: RunRecord, outcome: Outcome) -> None:
    """Anything but shown holds a build, and is named with its word."""
    expected = f"smol-w8 may not ship: Everyday questions {outcome}; 1 of 2 registered claims shown"
    assert headline(with_outcome(one, outcome)) == expected


def test_an_uninformative_claim_gates_nothing(one: RunRecord) -> None:
    """A reported claim neither holds a build nor counts as registered."""
    run = with_outcome(one, Outcome.REPORTED, "uninformative", gates=False)
    assert headline(run) == "smol-w8 may ship: 1 of 1 registered claim shown"
    assert "uninformative" in html.render(run)


def test_several_builds(three: RunRecord) -> None:
    """Names while they make one sentence, and a control among none of them."""
    assert headline(three) == "smol-w8 may ship; smol-w4 may not"
    assert [each.sentence for each in standings(three)] == [
        "smol-w8 may ship: 2 of 2 registered claims shown",
        "smol-w4 may not ship: Everyday questions not shown; 1 of 2 registered claims shown",
        "smol-damaged: the positive control was caught (Everyday questions failed)",
    ]


@pytest.mark.parametrize("control", ["caught", "missed", "not measured"])
def test_a_control_is_never_up_for_release(make: Make, control: str) -> None:
    """Even a control that passes every claim is not said to ship."""
    run = make("smol-w8", "smol-damaged", control=control)
    shown = tuple(replace(verdict, outcome=Outcome.SHOWN, gates=True) for verdict in run.verdicts)
    run = replace(run, verdicts=shown)
    for said in (html.render(run), markdown.render(run), "\n".join(text.summary(run))):
        assert "smol-damaged may" not in said


def test_a_missed_control_holds_everything(make: Make) -> None:
    """A suite that cannot see damage lets nothing ship."""
    run = make("smol-w8", "smol-w4", "smol-damaged", control="missed")
    assert headline(run) == "No build may ship: the positive control was MISSED"
    assert "the positive control was MISSED" in standings(run)[2].sentence


def test_an_interrupted_run_names_what_was_not_run(make: Make) -> None:
    """Case ctrl-c-looks-complete: INCOMPLETE, with everything that has no verdict by name."""
    claims = tuple(f"Claim {number}" for number in range(6))
    first = replace(make("smol-w8").verdicts[0], title=claims[0])
    run = make("smol-w8", planned=tuple((c, "smol-w8") for c in claims), verdicts=(first,), interrupted=True)
    for said in (html.render(run), markdown.render(run), "\n".join(text.summary(run))):
        assert "INCOMPLETE" in said
        assert "may not ship" in said
        assert all(claim in said for claim in claims[1:])
    assert sum(line.startswith("not run") for line in text.summary(run)) == 5


def test_a_partial_run_decides_nothing(make: Make) -> None:
    """The reason for a partial run stands in the sentence."""
    sentence = headline(make("smol-w8", partial="4 questions a subject"))
    assert sentence.startswith("smol-w8 may not ship: a partial run decides nothing (4 questions a subject)")
    assert headline(make("smol-w8", "smol-w4", partial="x")) == "No build may ship on a partial run"


def test_an_interrupted_control_is_no_candidate(make: Make) -> None:
    """A control without any verdict is still the control."""
    run = make("smol-w8", "smol-damaged", verdicts=(), interrupted=True, control="not measured")
    assert standings(run)[1].sentence.startswith("smol-damaged: the positive control was not measured")


def test_many_builds_are_counted(one: RunRecord) -> None:
    """No names where they would not fit, and a word for no candidate at all."""
    names = tuple(f"build-{number}" for number in range(5))
    verdicts = tuple(replace(one.verdicts[0], build=name) for name in names)
    failed = replace(verdicts[0], outcome=Outcome.FAILED)
    run = replace(one, builds=names, planned=(), verdicts=(failed, *verdicts[1:]))
    assert headline(run) == "4 of 5 builds may ship"
    assert headline(replace(run, builds=())) == "No build was up for release"
