"""How a run came about: attempts, registration, waivers and what came first, the same in every report."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from twx_accept.domain.run import RunRecord, Waiver
from twx_accept.domain.verdict import Outcome
from twx_accept.report import data, html, markdown, text
from twx_accept.report.headline import headline, standings

Make = Callable[..., RunRecord]
EVIL = "<img src=x onerror=alert(1)> | [x](http://y) @all \x1b[2J\n# big"
WAIVER = Waiver(build="smol-w4", claim="questions", reason="a demo for two weeks", by="Ada", date="2026-11-29")
REGISTERED = "before the run (ledger entry 2; head 0123456789ab)"
LATE = "exploratory: the evidence of smol-w4 was begun before entry 2; run again with --fresh"


def everywhere(run: RunRecord) -> dict[str, str]:
    """The run as each report says it, with Markdown's character references read back."""
    page = markdown.render(run)
    for character in "()[]#_@<>":
        page = page.replace(f"&#{ord(character)};", character)
    return {"html": html.render(run), "markdown": page, "text": "\n".join(text.summary(run)), "json": data.render(run)}


def exploratory(run: RunRecord) -> RunRecord:
    """The run with its last verdict decided on evidence that was begun before its mark was registered."""
    *rest, last = run.verdicts
    late = replace(last, outcome=Outcome.INVALID, labels=(*last.labels, "exploratory"), reasons=(LATE,))
    return replace(run, verdicts=(*rest, late), registered=LATE)


def test_each_build_has_its_attempt(make: Make) -> None:
    """How often the weights have been run whole stands beside each build, in every report."""
    run = make("smol-w8", "smol-w4", attempts={"original": 7, "smol-w8": 3, "smol-w4": 1})
    said = everywhere(run)
    for name in ("html", "markdown", "text"):
        assert said[name].count("attempt 3 with these weights") == 1, name
        assert said[name].count("attempt 1 with these weights") == 1, name
    assert "SmolLM2 135M, attempt 7<" in said["html"]
    assert [build["attempt"] for build in json.loads(said["json"])["builds"]] == [3, 1]


def test_a_single_build_has_its_attempt_too(make: Make) -> None:
    """A page about one build lists no builds, and says the attempt all the same."""
    assert html.render(make("smol-w8", attempts={"smol-w8": 3})).count("attempt 3 with these weights") == 1


def test_a_partial_run_is_no_attempt(make: Make) -> None:
    """Attempt 0 is not said."""
    said = everywhere(make("smol-w8", attempts={"smol-w8": 0}, partial="4 questions a subject"))
    assert not any("with these weights" in each for each in said.values())


def test_registered_before_the_run(make: Make) -> None:
    """The entry of the ledger and its head are in every report."""
    for name, said in everywhere(make("smol-w8", registered=REGISTERED)).items():
        assert f"registered {REGISTERED}" in said, name
        assert "xploratory" not in said, name


def test_marks_that_are_in_no_ledger_are_not_called_registered_before(one: RunRecord) -> None:
    """A run that does not say when its marks were registered says that on its page."""
    assert "not in a ledger" in html.render(one)


def test_marks_of_a_partial_run_are_not_called_unregistered(make: Make) -> None:
    """It compares none, whether they are registered or not."""
    said = html.render(make("smol-w8", partial="4 questions a subject"))
    assert "not compared in a partial run" in said
    assert "not in a ledger" not in said


def test_exploratory_is_said_before_the_figures(make: Make) -> None:
    """Why a run is exploratory, and which verdicts are, stand in its head."""
    run = exploratory(make("smol-w8", "smol-w4"))
    for name, said in everywhere(run).items():
        assert "the evidence of smol-w4 was begun before entry 2" in said.replace("The evidence", "the evidence"), name
        assert "registered before" not in said, name
    page = html.render(run)
    head = page[: page.index("</header>")]
    assert "<strong>Exploratory.</strong>" in head
    assert "Everyday questions (smol-w4)" in head
    assert headline(run) == "smol-w8 may ship; smol-w4 may not"


def test_one_late_mark_is_said_even_if_the_run_is_not(make: Make) -> None:
    """A label on a verdict is enough for the head to say exploratory."""
    said = everywhere(replace(exploratory(make("smol-w8")), registered=REGISTERED))
    assert all(
        "xploratory" in each and f"registered {REGISTERED}" not in each for each in said.values() if each[0] != "{"
    )


def test_what_was_computed_is_shown_as_not_counting(make: Make) -> None:
    """An exploratory verdict keeps the sentence that was computed, and every report says that it does not count."""
    run = exploratory(make("smol-w8"))
    sentence = run.verdicts[-1].sentence
    said = everywhere(run)
    assert f'<p class="void"><strong>Computed, but does not count:</strong> <bdi>{sentence}</bdi></p>' in said["html"]
    assert f"Computed, but does not count: {sentence}" in said["markdown"]
    assert f"Computed, but does not count: {sentence}" in said["text"]
    document = json.loads(said["json"])
    assert document["not_counting"] == [{"build": "smol-w8", "claim": "Everyday questions", "sentence": sentence}]
    assert document["builds"][0]["may_ship"] is False


def test_an_invalid_verdict_that_is_not_exploratory_has_no_such_sentence(one: RunRecord) -> None:
    """What could not be decided at all is not said to have been computed."""
    broken = replace(one.verdicts[-1], outcome=Outcome.INVALID, reasons=("served differently",))
    run = replace(one, verdicts=(*one.verdicts[:-1], broken))
    assert not any("does not count" in said for said in everywhere(run).values())


@pytest.mark.parametrize("outcome", [Outcome.NOT_SHOWN, Outcome.FAILED, Outcome.INVALID])
def test_a_waived_build_may_still_not_ship(make: Make, outcome: Outcome) -> None:
    """Its line says who waived and why, and no report says that it may ship."""
    run = make("smol-w4", waivers=(WAIVER,))
    run = replace(run, verdicts=(*run.verdicts[:-1], replace(run.verdicts[-1], outcome=outcome)))
    (standing,) = standings(run)
    assert standing.said == "smol-w4 may not ship; waived by Ada: a demo for two weeks"
    assert standing.sentence.endswith(f"(Everyday questions {outcome}; 1 of 2 registered claims shown)")
    for name, said in everywhere(run).items():
        assert "may not ship; waived by Ada: a demo for two weeks" in said, name
        assert "may ship" not in said, name
        assert "2026-11-29" in said, name


def test_a_waiver_of_one_claim_waives_no_other(make: Make) -> None:
    """Where more holds a build than was waived, the line names the claim that was."""
    run = make("smol-w4", waivers=(WAIVER,))
    run = replace(run, verdicts=(replace(run.verdicts[0], outcome=Outcome.FAILED), *run.verdicts[1:]))
    assert standings(run)[0].said == "smol-w4 may not ship; Everyday questions waived by Ada: a demo for two weeks"


def test_the_last_waiver_of_a_claim_is_the_one_in_the_line(make: Make) -> None:
    """Somebody who waives again replaces the reason; the list keeps both."""
    again = replace(WAIVER, by="Bob", reason="another week")
    run = make("smol-w4", waivers=(WAIVER, again))
    assert standings(run)[0].said == "smol-w4 may not ship; waived by Bob: another week"
    assert "a demo for two weeks" in html.render(run)


def test_a_waiver_that_is_not_needed_says_so(make: Make) -> None:
    """A build whose claims are all shown ships by them, and the old waiver is listed as not needed."""
    run = make("smol-w8", waivers=(replace(WAIVER, build="smol-w8"),))
    assert standings(run)[0].said == "smol-w8 may ship"
    for name in ("html", "markdown", "text"):
        assert "not needed in this run" in everywhere(run)[name], name


def test_several_builds_name_the_waived_one(make: Make) -> None:
    """The one sentence above them all says that the build that may not ship was waived."""
    assert headline(make("smol-w8", "smol-w4", waivers=(WAIVER,))) == "smol-w8 may ship; smol-w4 (waived) may not"


def test_a_control_cannot_be_waived(make: Make) -> None:
    """A waiver changes nothing about a build that was damaged on purpose."""
    run = make("smol-w8", "smol-damaged", waivers=(replace(WAIVER, build="smol-damaged"),))
    assert standings(run)[-1].said == "smol-damaged: the positive control was caught"


def test_what_came_first_is_disclosed(make: Make) -> None:
    """Partial runs that came before stand in every report."""
    told = "smol-w8: 2 partial runs with these weights, kept apart"
    for name, said in everywhere(make("smol-w8", disclosures=(told,))).items():
        assert told in said, name


def test_hostile_waivers_and_disclosures_are_text(make: Make) -> None:
    """Neither a reason, a name, a date nor a disclosure brings markup, a link, a mention or a line into a report."""
    evil = Waiver(build="smol-w4", claim=WAIVER.claim, reason=EVIL, by=EVIL, date=EVIL)
    run = make("smol-w4", waivers=(evil, replace(evil, claim=EVIL)), disclosures=(EVIL,), registered=EVIL)
    page = html.render(run)
    assert "<img" not in page
    assert "\x1b" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    raw = markdown.render(run)
    assert not any(word in raw for word in ("<img", "](", "@all", "://", "\x1b", "\n# big"))
    assert all(line.isprintable() for line in text.summary(run))
    data.render(run).encode("ascii")


def test_a_long_reason_is_cut_in_the_sentence_alone(make: Make) -> None:
    """The line of a build stays a line; the list of waivers has the whole reason."""
    reason = "because " * 100 + "that is why"
    run = make("smol-w4", waivers=(replace(WAIVER, reason=reason),))
    assert len(standings(run)[0].said) < 300
    assert reason in html.render(run)
