"""From 14,042 answers a build with the published counts to every report: the published figures come out in words."""

import html as markup
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from twx_accept import claims
from twx_accept.domain.evidence import Boot, BuildEvidence, Inventory
from twx_accept.domain.exchange import Exchange, Request
from twx_accept.domain.run import RunRecord
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.report import data, html, markdown, text
from twx_accept.statistics.paired import mcnemar

QUESTIONS, SUBJECTS, RIGHT = 14_042, 57, 10_000
PUBLISHED = {
    # right only for the original, right only for the build, p, difference, lower bound
    "twx2.5": (301, 218, "0.0003", -0.591, -0.912),
    "twx3": (267, 187, "0.0002", -0.570, -0.870),
}
LOST_BY_BOTH, GAINED_BY_BOTH = 120, 78  # so that the builds differ on 290 and 287 questions
SETTINGS = {
    "title": "MMLU",
    "short": "mmlu",
    "source": "mmlu",
    "scoring": "letter",
    "margin_points": 1.0,
    "lead_share": 0.05,
}
IDENTITY = ("engine", "flags", "machine", "tokenizer", "asking", "weights", "configuration")
EQUAL = re.compile(r"\b(the same|equal|equals|equally|level|equivalent|no difference|identical)\b", re.IGNORECASE)
LONGEST_SECONDS, LARGEST = 5.0, 2_000_000


def known(build: str) -> Callable[[int], bool]:
    """Whether a build is right about the question in that place; the original is right about the first 10,000."""
    if build not in PUBLISHED:
        return lambda place: place < RIGHT
    lost, gained, *_ = PUBLISHED[build]
    first = build == "twx2.5"
    # Both lose the first 120 and gain the first 78; then each has its own, the second build's behind the first's.
    skip = (0, 0) if first else (PUBLISHED["twx2.5"][0] - LOST_BY_BOTH, PUBLISHED["twx2.5"][1] - GAINED_BY_BOTH)

    def has(place: int, start: int, count: int, both: int, skipped: int) -> bool:
        at = place - start
        return 0 <= at < both or both + skipped <= at < count + skipped

    def right(place: int) -> bool:
        if place < RIGHT:
            return not has(place, 0, lost, LOST_BY_BOTH, skip[0])
        return has(place, RIGHT, gained, GAINED_BY_BOTH, skip[1])

    return right


class Mmlu:
    """As many questions as the published set has, of as many subjects, with five examples of each."""

    def rows(self, source: str, split: str) -> Sequence[dict[str, Any]]:  # noqa: ARG002 - one source
        """The rows of the split, the subjects in turn."""
        return [
            {
                "id": f"{split}-{n:05}",
                "subject": f"subject_{n % SUBJECTS:02}",
                "question": f"Which of these four statements about case {n} holds, all else being as it was?",
                "choices": [f"statement {n} {choice}" for choice in "abcd"],
                "answer": 0,
            }
            for n in range(QUESTIONS if split == "test" else 5 * SUBJECTS)
        ]


def build_of(name: str) -> Build:
    """A build of the suite."""
    return Build(name=name, title=name, path=Path("/models", name), flags={}, digests={}, control=False)


def suite() -> Suite:
    """A suite that makes one claim about two builds."""
    return Suite(
        name="published",
        title="The published suite",
        version=1,
        demonstration=False,
        file=Path("suite.toml"),
        folder=Path(),
        original=build_of("original"),
        builds=tuple(map(build_of, PUBLISHED)),
        engine=Engine(
            python=Path("python"), device="cuda", environment={}, ready_seconds=1, stop_seconds=1, memory_seconds=1
        ),
        asking=Asking(concurrency=8, prompts_per_request=16, timeout_seconds=1, attempts=1),
        flags={},
        may_differ=("quantization",),
        claims={"multiple_choice": SETTINGS},
    )


def answered(request: Request, answer: dict[str, Any]) -> Exchange:
    """A request that got its answer."""
    return Exchange(request=request, answer=answer, failure=None, seconds=0.1, attempts=1)


def tokens(prompt: str) -> list[int]:
    """The ids of a text, by character; a space belongs to the letter behind it."""
    return [ord(piece[-1]) + len(piece) for piece in re.findall(r" ?\S|\s", prompt)]


def exchanges(claim: Any, build: str) -> Iterator[Exchange]:
    """Everything that a server of the build answers: the first letter where it is right, else the second."""
    opening = [answered(request, {"tokens": tokens(request.body["prompt"])}) for request in claim.opening()]
    yield from opening
    right = known(build)
    places = {question.id: place for place, question in enumerate(claim.questions.questions)}
    for request in claim.follow_up(opening):
        chosen = 0 if right(places[request.key.item]) else 1
        ids = request.body["logprob_token_ids"]
        top = {f"token_id:{token}": -0.4 if at == chosen else -2.0 - at for at, token in enumerate(ids)}
        choice = {"index": 0, "prompt_token_ids": [1, 2], "logprobs": {"top_logprobs": [top]}}
        yield answered(request, {"choices": [choice]})


def evidence(claim: Any, build: str) -> BuildEvidence:
    """All evidence of one build."""
    boot = Boot(
        number=1,
        ready_seconds=60.0,
        engine_version="0.32.0",
        device="cuda",
        flags={},
        settings={"model_config": {"model": build}, "cache_config": {}},
        cache={},
        capacity_tokens=300_000,
    )
    return BuildEvidence(
        build=build,
        control=False,
        identity={part: {} for part in IDENTITY},
        identity_digest="f" * 64,
        inventory=Inventory(weights={}, digests={}, tensors={}),
        boots=(boot,),
        exchanges={"multiple_choice": tuple(exchanges(claim, build))},
    )


@dataclass(frozen=True, kw_only=True)
class Published:
    """What was decided, and each report of it."""

    run: RunRecord
    between: RunRecord
    right: dict[str, list[bool]]
    reports: dict[str, str]
    seconds: float


def record(original: str, verdicts: Sequence[Any]) -> RunRecord:
    """The run of these verdicts."""
    builds = tuple(verdict.build for verdict in verdicts)
    return RunRecord(
        suite="published",
        suite_title="The published suite",
        demonstration=False,
        date="2026-11-30T03:02:23+00:00",
        command="pytest -m acceptance --suite published",
        original=original,
        builds=builds,
        planned=tuple(("MMLU", build) for build in builds),
        verdicts=tuple(verdicts),
        settings=(),
        timings=(),
        titles={},
        registered="before the run (ledger entry 1; head 0123456789ab)",
    )


@pytest.fixture(scope="module")
def published() -> Published:
    """Both builds decided against the original, and the one against the other, from what each answered."""
    (claim,) = claims.of_suite(suite(), Mmlu(), Scope())
    sides = {name: evidence(claim, name) for name in ("original", *PUBLISHED)}
    run = record("original", [claim.decide(sides["original"], sides[build]) for build in PUBLISHED])
    between = record("twx3", [claim.decide(sides["twx3"], sides["twx2.5"])])
    started = time.perf_counter()
    reports = {"html": html.render(run), "markdown": markdown.render(run), "json": data.render(run)}
    reports["text"] = "\n".join(text.summary(run))
    seconds = time.perf_counter() - started
    right = {name: [known(name)(place) for place in range(QUESTIONS)] for name in sides}
    return Published(run=run, between=between, right=right, reports=reports, seconds=seconds)


def words(report: str) -> str:
    """A report as people read it: without style, script and tags, references read back."""
    bare = re.sub(r"<(style|script)>.*?</\1>", " ", report, flags=re.DOTALL)
    return " ".join(markup.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def number(value: float, digits: int) -> str:
    """A negative figure as a report writes it."""
    return f"\N{MINUS SIGN}{abs(value):.{digits}f}"


@pytest.mark.parametrize("build", PUBLISHED)
@pytest.mark.parametrize("kind", ["html", "markdown", "text"])
def test_every_report_says_the_published_verdict(published: Published, kind: str, build: str) -> None:
    """Points, lower bound, mark and verdict stand in one sentence."""
    *_, difference, lower = PUBLISHED[build]
    assert (
        f"{build} is {-difference:.2f} points below the original; at worst {-lower:.2f}; the mark is 1.00. "
        "Measurably worse, within the mark."
    ) in words(published.reports[kind])


@pytest.mark.parametrize("build", PUBLISHED)
def test_page_and_markdown_have_the_published_figures(published: Published, build: str) -> None:
    """Counts, p, points and lower bound, to three decimals, stand in one row of the plot's record."""
    only_original, only_build, p, difference, lower = PUBLISHED[build]
    upper, mark = "\N{MINUS SIGN}0[.][0-9]{3}", number(1, 3)
    cells = (re.escape(build), number(difference, 3), number(lower, 3), upper, mark, only_original, only_build, p)
    row = r"( \|)? ".join(map(str, cells)) + r"(?!\d)"
    for kind in ("html", "markdown"):
        assert re.search(row, words(published.reports[kind])), kind


@pytest.mark.parametrize("build", PUBLISHED)
def test_json_has_the_published_figures_unrounded(published: Published, build: str) -> None:
    """What the decision was taken on can be read by a program."""
    only_original, only_build, p, difference, lower = PUBLISHED[build]
    document = json.loads(published.reports["json"])
    (verdict,) = (each for each in document["run"]["verdicts"] if each["build"] == build)
    found = verdict["statistics"]
    assert verdict["outcome"] == "shown"
    assert (found["n"], found["b"], found["c"]) == (QUESTIONS, only_original, only_build)
    assert f"{found['p_equality']:.4f}" == p
    assert round(found["difference"] * 100, 3) == difference
    assert round(found["lower"] * 100, 3) == lower
    assert [each["may_ship"] for each in document["builds"]] == [True, True]


def test_between_the_builds_nothing_is_called_equal(published: Published) -> None:
    """290 against 287 has p = 0.93, and no report turns that into sameness; nor does one of the main comparison."""
    pairs = list(zip(published.right["twx3"], published.right["twx2.5"], strict=True))
    counted = (pairs.count((True, False)), pairs.count((False, True)))
    assert counted == (290, 287)
    assert f"{mcnemar(*counted).exact:.2f}" == "0.93"
    found = published.between.verdicts[0].statistics
    assert (found["b"], found["c"]) == counted
    reports = [html.render(published.between), markdown.render(published.between)]
    reports += [*text.summary(published.between), *published.reports.values()]
    assert "0.93" in words(reports[0])
    for report in reports:
        assert EQUAL.search(words(report)) is None


def test_the_page_is_made_quickly_and_stays_small(published: Published) -> None:
    """All four reports of two builds, and of three, are there within seconds, and a page can be mailed."""
    twice = [*published.run.verdicts, *published.between.verdicts]
    for verdicts in (twice[:2], twice):
        started = time.perf_counter()
        size = len(html.render(record("original", verdicts)).encode())
        seconds = time.perf_counter() - started
        print(f"{len(verdicts)} verdicts of {QUESTIONS:,} questions: page in {seconds:.2f} s, {size / 1e6:.2f} MB")
        assert size < LARGEST
        assert seconds < LONGEST_SECONDS
    assert len(published.reports["markdown"].encode()) < 60_000
    print(f"all four reports of two builds: {published.seconds:.2f} s")
    assert published.seconds < LONGEST_SECONDS
