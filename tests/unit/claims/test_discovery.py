"""Every claim: found by discovery, and able to tell good evidence from bad and from broken."""

import json
import pkgutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

import fake_calls
import fake_facts
from twx_accept import claims, suite
from twx_accept.domain.exchange import canonical
from twx_accept.domain.scope import Scope
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import DatasetError, SuiteError, TwxAcceptError
from twx_accept.sources import FileOrHub

REPOSITORY = Path(__file__).parents[3]


class Case(NamedTuple):
    """A claim and three pairs of evidence: one that it must show, one that it must not, one that it cannot decide."""

    claim: claims.Claim
    good: tuple
    bad: tuple
    broken: tuple


def tool_calls(claim, evidence) -> Case:
    """The case of tool calls: one trial of 120 lost, every other one lost, and a server that is not there."""
    trials = fake_calls.trials(20)
    made = claim("tool_calls", fake_calls.SETTINGS, trials)

    def calling(build, say=None):
        return replace(evidence(build), exchanges={"tool_calls": tuple(fake_calls.asked(made, trials, say))})

    def failing(*names):
        return lambda row, request: fake_calls.called() if row["id"] in names and "messages" in request.body else None

    original = calling("original")
    return Case(
        made,
        good=(original, calling("small", failing("loop-007"))),
        bad=(original, calling("small", failing(*(trial["id"] for trial in trials[::2])))),
        broken=(original, calling("small", lambda *_: "connection refused")),
    )


@pytest.fixture
def cases(request) -> dict[str, Callable[[], Case]]:
    """The case of each claim by its name. A new claim adds its own here."""
    evidence, claim, boot = (request.getfixturevalue(name) for name in ("evidence", "claim", "boot"))
    letter, rows, answered = (request.getfixturevalue(name) for name in ("letter", "rows", "answered"))

    def weight_size() -> Case:
        original = evidence("original", size=1000)
        return Case(
            claim("weight_size", {"mark": {"small": 0.5}}),
            good=(original, evidence("small", size=400)),
            bad=(original, evidence("small", size=600)),
            broken=(original, evidence("small", size=400, problems=("a shard is absent",))),
        )

    def cache_headroom() -> Case:
        def cached(tokens):
            return evidence("small", boots=[boot(capacity_tokens=tokens, weights_gib=(25.0,), cache_gib=(45.0,))])

        original = evidence("original")
        return Case(
            claim("cache_headroom", {"mark": 0.95}),
            good=(original, cached(450_000)),
            bad=(original, cached(310_000)),
            broken=(original, cached(None)),
        )

    def multiple_choice() -> Case:
        made = letter(rows(1000), margin_points=3.0, lead_share=0.1)

        def answering(build, right):
            return evidence(build, answered(made, lambda question: 0 if int(question.id.split("-")[1]) < right else 1))

        original = answering("original", 800)
        return Case(
            made,
            good=(original, answering("small", 795)),
            bad=(original, answering("small", 700)),
            broken=(original, evidence("small", answered(made, lambda _: "connection refused"))),
        )

    def agreement() -> Case:
        names = ("passages", "agreement", "reads", "having_read")
        passages, make, reads, having_read = (request.getfixturevalue(name) for name in names)
        made = make(passages(20), mark={"small": 0.8}, total_variation_mark={"small": 0.5})

        def reading(build, noise):
            return having_read(build, reads(made, noise))

        original, silent = reading("original", 0.0), reads(made, 0.0, lambda _: "connection refused")
        return Case(
            made,
            good=(original, reading("small", 0.1)),
            bad=(original, reading("small", 3.0)),
            broken=(original, having_read("small", silent)),
        )

    made = {made.__name__: made for made in (weight_size, cache_headroom, multiple_choice, agreement)}
    return made | {
        "tool_calls": lambda: tool_calls(claim, evidence),
        "made_up_facts": lambda: made_up_facts(request.getfixturevalue("suite_of"), evidence),
    }


def made_up_facts(suite_of, evidence) -> Case:
    """Builds that write out what passages about towns say, with the project's own matcher."""
    rows = fake_facts.towns()
    suite = suite_of({"made_up_facts": fake_facts.SETTINGS})
    made = claims.of_suite(suite, fake_facts.Towns(rows), Scope())[0]

    def writing(build, say):
        exchanges = fake_facts.answers(made.opening(), rows, say)
        return replace(evidence(build), exchanges={"made_up_facts": tuple(exchanges)})

    original = writing("original", lambda _, row: fake_facts.truth(row))
    return Case(
        made,
        good=(original, writing("small", lambda place, row: fake_facts.truth(row)[place % 6 == 0 :])),
        bad=(original, writing("small", lambda _, row: [f.replace("has ", "has 9") for f in fake_facts.truth(row)])),
        broken=(original, writing("small", lambda *_: fake_facts.LOST)),
    )


def test_every_claim_has_its_case(cases):
    """A claim that is discovered and has no known-good, known-bad and broken evidence here fails this test."""
    assert set(cases) == set(claims.known())


@pytest.mark.parametrize("name", sorted(claims.known()))
def test_every_claim_classifies_its_evidence(cases, name):
    """Good evidence is shown, bad is failed or not shown, and broken is never a verdict."""
    case = cases[name]()
    good, bad = case.claim.decide(*case.good), case.claim.decide(*case.bad)
    assert (good.outcome, good.passes, good.gates) == (Outcome.SHOWN, True, True)
    assert bad.outcome in (Outcome.FAILED, Outcome.NOT_SHOWN)
    assert not bad.passes
    with pytest.raises(TwxAcceptError) as caught:
        case.claim.decide(*case.broken)
    assert str(caught.value).splitlines() == [str(caught.value)]


@pytest.mark.parametrize("name", sorted(claims.known()))
def test_every_claim_keeps_the_protocol(cases, name):
    """Its name is its module's, its specification is JSON, its verdict is about its build, and asks nothing twice."""
    case = cases[name]()
    made = case.claim
    assert made.name == name
    assert made.title
    assert made.sensitive in (True, False)
    assert canonical(made.specification()) == canonical(json.loads(canonical(made.specification())))
    verdict = made.decide(*case.good)
    assert (verdict.claim, verdict.title, verdict.build) == (name, made.title, "small")
    assert verdict.mark == made.mark("small")
    assert sum(figure.headline for figure in verdict.figures) == 1
    keys = [request.key for request in made.opening()]
    assert len(set(keys)) == len(keys)
    assert list(made.unusable(())) == []
    json.dumps(dict(verdict.statistics), allow_nan=False)


WORDS = ("no difference", "level", "the same", "equivalent")


def texts(value):
    """Every text in a verdict that the project itself wrote."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from texts(each)
    elif isinstance(value, Verdict):
        for name in ("title", "sentence", "mark", "reasons", "labels", "figures", "effects", "bars", "folds"):
            yield from texts(getattr(value, name))
    elif hasattr(value, "__slots__"):
        for name in value.__slots__:
            yield from texts(getattr(value, name))


@pytest.mark.parametrize("name", sorted(claims.known()))
def test_no_verdict_speaks_of_equality(cases, name):
    """Nothing that a verdict says promises that there is no difference."""
    case = cases[name]()
    for sides in (case.good, case.bad):
        said = " ".join(texts(case.claim.decide(*sides))).casefold()
        assert len(said) > 100
        assert not [word for word in WORDS if word in said]


def test_modules_with_an_underscore_are_no_claims(monkeypatch, tmp_path):
    """Helpers beside the claims are passed over; a new module is a claim without being registered anywhere."""
    (tmp_path / "_helper.py").write_text("raise RuntimeError")
    (tmp_path / "another.py").write_text("TITLE = 'Another'")
    monkeypatch.setattr(claims, "__path__", [*claims.__path__, str(tmp_path)])
    found = claims.known()
    assert found["another"].TITLE == "Another"
    assert not [name for name in found if name.startswith("_")]
    assert "_same" in {info.name for info in pkgutil.iter_modules(claims.__path__)}


def test_unknown_claims_list_the_known(suite_of, source):
    """A claim that does not exist is told with those that do, in one line whatever its name."""
    for name in ("wieght_size", "a\nb", "_same", ""):
        with pytest.raises(SuiteError) as caught:
            claims.of_suite(suite_of({name: {}}), source(()), Scope())
        known = ", ".join(sorted(claims.known()))
        assert str(caught.value) == f"suite.toml: claims.{name!r}: no such claim; known: {known}"


def test_claims_come_in_the_suites_order(suite_of, source):
    """The suite says which claim is decided first."""
    settings = {"cache_headroom": {}, "weight_size": {}}
    made = [claim.name for claim in claims.of_suite(suite_of(settings), source(()), Scope())]
    assert made == ["cache_headroom", "weight_size"]


def test_missing_questions_are_told_before_anything_boots(letter):
    """A claim whose questions are not there is not made."""
    with pytest.raises(DatasetError, match="questions: no test"):
        letter([])


def test_shipped_marks_are_those_that_are_registered():
    """What the embedded suite decides on is what its registered marks say."""
    found = suite.load(REPOSITORY / "fixtures" / "suites" / "smollm2.toml")
    for claim in claims.of_suite(found, FileOrHub(folder=found.folder), Scope()):
        mark = REPOSITORY / "tests" / "acceptance" / "__marks__" / f"smollm2.{claim.name}.json"
        assert json.loads(mark.read_text(encoding="utf-8")) == claim.specification()
