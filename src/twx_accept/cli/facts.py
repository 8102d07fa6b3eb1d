"""The command facts measure: how well facts are judged, and what a point of a registered margin is worth."""

import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from twx_accept.claims.made_up_facts import calibrating, error, tabulating
from twx_accept.claims.made_up_facts.calibrating import Calibration
from twx_accept.claims.made_up_facts.error import LabelledSet, MatcherError, Tally, Yardstick
from twx_accept.claims.made_up_facts.second_stage import READS, Judge
from twx_accept.claims.made_up_facts.settings import CLAIM, JudgeSettings, MadeUpFactsSettings
from twx_accept.claims.made_up_facts.supporting import Matcher
from twx_accept.cli.common import Root, suite_of
from twx_accept.domain.suite import Asking
from twx_accept.errors import SuiteError, UsageError
from twx_accept.session.calibrating import Asked, file_of
from twx_accept.session.calibrating import measure as ask
from twx_accept.session.progress import reporter
from twx_accept.sources import FileOrHub
from twx_accept.suite import explain

LABELLED = "fixtures/facts/labelled"
ASKING = Asking(concurrency=16, prompts_per_request=1, timeout_seconds=300, attempts=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was measured: the matcher alone, in so many seconds, and with a judge by what the judge reads.

    ``labelled`` are the facts that were taken, ``of`` how many there are of that ``split``.
    """

    labelled: LabelledSet
    of: int = 0
    split: str = ""
    alone: MatcherError
    seconds: float
    judge: Judge | None
    asked: Asked | None
    together: dict[str, Calibration]

    @property
    def calibration(self) -> Calibration | None:
        """With the judge reading what it is set to read."""
        return None if self.judge is None else self.together[self.judge.settings.reads or "refused"]


def measure(
    name: Annotated[
        str | None,
        typer.Argument(metavar="SUITE", help="A suite, or FILE.toml: its labelled facts, judge and way of asking."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="URL", help="A judge's address without /v1, in the place of the suite's.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The name that the judge's server knows it by.")] = None,
    reads: Annotated[
        str | None,
        typer.Option(
            help="On which facts the judge has the last word: undecided, refused (what the matcher does not support) "
            "or all. Default: the suite's, else refused."
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Tokens that the judge may write. Default: the suite's, else 16.")
    ] = None,
    labelled: Annotated[
        str | None,
        typer.Option(metavar="SOURCE", help=f"Other labelled facts. Default: the suite's, else {LABELLED}."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Which of them: open, or sealed. Default: the suite's, else sealed.")
    ] = None,
    lines: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Only so many, taken evenly from every kind: a first look.")
    ] = None,
    root: Root = Path(),
    evidence: Annotated[
        Path | None, typer.Option(help="The folder of evidence, for what the judge says. Default: reports/evidence.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure how well facts are judged that a model wrote, on labelled ones.

    A rate of made-up facts that is measured with sensitivity s and specificity t
    moves by s + t - 1 for each point that the true rate moves: so much is left of
    a registered margin. The matcher alone takes seconds.

    A judge is any chat model behind an OpenAI-compatible address; its key is read
    from TWX_ACCEPT_JUDGE_KEY. What it says is kept as it comes (evidence/judges,
    one file a judge, prompt and sampling), so that what is stopped goes on from
    there, and `twx-accept plan` reckons with it. A run measures its judge again,
    beside every build.

    Of labelled facts that are sealed nothing is printed but totals: whoever
    develops with them must have others made. To choose between judges take
    --split open: the best of many on sealed facts looks better than it is.

    Before a judge is registered:
    `twx-accept facts measure kimi-k3.1 --judge http://judge:8000 --model NAME`

    Of a suite that has one: `twx-accept facts measure my-suite`
    """
    settings, asking, sources = _of_suite(root, name)
    made = _judge(settings.judge, {"address": judge, "model": model, "reads": reads, "max_tokens": max_tokens})
    where, which = labelled or settings.labelled or LABELLED, split or settings.labelled_split
    if labelled or settings.labelled is None:
        sources = FileOrHub(folder=Path() if labelled else root)
    every = error.load(sources, where, which)
    found = _measure(tabulating.sample(every, lines), settings, made, asking, evidence or root / "reports" / "evidence")
    found = replace(found, of=len(every.facts), split=which)
    if as_json:
        typer.echo(json.dumps(_plain(found), indent=2, sort_keys=True, ensure_ascii=True))
    else:
        _show(found)
    reason = _unmeasured(found, settings.unscored_share)
    if reason:
        raise UsageError(reason)


def _of_suite(root: Path, name: str | None) -> tuple[MadeUpFactsSettings, Asking, FileOrHub]:
    """The suite's settings of the claim, its way of asking, and where it finds labelled facts."""
    if name is None:
        return MadeUpFactsSettings(source="none"), ASKING, FileOrHub(folder=root)
    suite = suite_of(root, name)
    if CLAIM not in suite.claims:
        raise UsageError(f"suite {suite.name}: does not make the claim {CLAIM}; leave SUITE out to measure without one")
    return MadeUpFactsSettings.of(suite, CLAIM), suite.asking, FileOrHub(folder=suite.folder)


def _judge(registered: JudgeSettings | None, given: dict[str, Any]) -> Judge | None:
    """The judge that the command line names, or the suite's, changed by what the command line says."""
    changes = {field: value for field, value in given.items() if value is not None}
    if registered is None and not changes:
        return None
    if registered is None and not {"address", "model"} <= set(changes):
        raise UsageError("a judge needs both: --judge URL, its address without /v1, and --model NAME, as served there")
    known = {} if registered is None else registered.model_dump()
    try:
        return Judge(
            settings=JudgeSettings.model_validate({**known, "reads": known.get("reads") or "refused"} | changes)
        )
    except ValidationError as wrong:
        raise SuiteError(f"the judge: {explain(wrong)}") from wrong


def _measure(
    labelled: LabelledSet, settings: MadeUpFactsSettings, judge: Judge | None, asking: Asking, evidence: Path
) -> Found:
    """Match, ask what is missing, and reckon with everything that is answered."""
    shown = reporter(sys.stderr, quiet=False)
    yardstick, started = Yardstick(labelled, Matcher, settings.alpha), time.monotonic()
    shown.status(f"matching {len(labelled.facts):,} labelled facts")
    alone = yardstick.error
    shown.rest()
    seconds = time.monotonic() - started
    if alone is None:
        raise UsageError("no labelled facts: name them with --labelled")
    found = Found(labelled=labelled, alone=alone, seconds=seconds, judge=judge, asked=None, together={})
    if judge is None:
        return found
    wanted = {request.key: request for request in map(judge.request, calibrating.doubts(yardstick, judge))}
    asked = ask(evidence, judge, list(wanted.values()), asking, shown)
    shown.say(f"what {judge.model} says is kept in {file_of(evidence, judge)}")
    answered = {each.request.key: each for each in asked.kept}
    together = {}
    for reads in READS:
        other = Judge(settings=judge.settings.model_copy(update={"reads": reads}))
        calibration = calibrating.calibrate(yardstick, other, answered)
        if calibration is not None and (reads == judge.settings.reads or not calibration.unheard):
            together[reads] = calibration
    return replace(found, asked=asked, together=together)


def _unmeasured(found: Found, unscored_share: float) -> str:
    """Why the judge's error is not known; empty where it is, or there is no judge."""
    if found.judge is None or found.calibration is None:
        return ""
    return calibrating.unmeasured(found.calibration, found.judge, unscored_share)


def _show(found: Found) -> None:
    console = Console(highlight=False)
    with_judge = found.calibration
    n, of = len(found.labelled.facts), found.of
    some = f"{n:,} of {of:,} labelled facts ({found.split}), as many of each kind: no measure of all"
    title = some if n < of else f"{n:,} labelled facts ({found.split}), judged as labelled"
    console.print(title, markup=False, soft_wrap=True)
    table = Table(show_edge=False, pad_edge=False)
    heads = ["labelled", "kind", "facts", "matcher", "undecided"]
    heads += [] if with_judge is None else ["with judge", "undecided"]
    for head in heads:
        table.add_column(head, justify="left" if head in ("labelled", "kind") else "right")
    for line in tabulating.lines(found.alone, with_judge.error if with_judge else None):
        own = line.alone
        cells = [own.label.replace("_", " "), own.kind.replace("_", " "), f"{own.n:,}", *_cells(own)]
        table.add_row(*map(Text, cells + ([] if line.together is None else _cells(line.together))))
    console.print(table)
    for said in _said(found):
        console.print(said, markup=False, soft_wrap=True)


def _cells(tally: Tally) -> list[str]:
    return [f"{tally.right:,} ({tally.share:.0%})", f"{tally.undecided:,}"]


def _said(found: Found) -> list[str]:
    """The figures in words: matcher, judge, and both by what the judge reads."""
    facts, alone = len(found.labelled.facts), found.alone
    said = [f"matcher: {_worth(alone)}; {facts / found.seconds:,.0f} facts/s"]
    for reads, calibration in found.together.items():
        said.append(f"matcher and judge, reads {reads} ({calibration.read:,} facts): {_worth(calibration.error)}")
    if found.judge is not None and found.asked is not None and found.calibration is not None:
        asked, calibration = found.asked, found.calibration
        rate = f", {asked.requests / asked.seconds:,.1f} facts/s" if asked.requests else ""
        said.append(
            f"judge {found.judge.model}: asked {asked.requests:,} now in {asked.seconds:,.0f} s{rate}; "
            f"{calibration.unheard:,} not answered, {calibration.unclear:,} answered with none of its words"
        )
    return said


def _worth(measured: MatcherError) -> str:
    return (
        f"sensitivity {measured.sensitivity:.3f}, specificity {measured.specificity:.3f}, a point is worth "
        f"{measured.factor:.3f} (lower bound {measured.lower:.3f})"
    )


def _plain(found: Found) -> dict[str, Any]:
    judge = None if found.judge is None else {"model": found.judge.model, "digest": found.judge.digest}
    return {
        "facts": len(found.labelled.facts),
        "split": found.split,
        "matcher": _figures(found.alone),
        "judge": judge,
        "with_judge": {
            reads: {
                **_figures(each.error),
                "read": each.read,
                "not_answered": each.unheard,
                "unclear": each.unclear,
            }
            for reads, each in found.together.items()
        },
    }


def _figures(measured: MatcherError) -> dict[str, Any]:
    rows = [line.alone for line in tabulating.lines(measured, None)]
    return {
        "sensitivity": measured.sensitivity,
        "specificity": measured.specificity,
        "factor": measured.factor,
        "lower": measured.lower,
        "kinds": [
            {"label": row.label, "kind": row.kind, "facts": row.n, "judged_so": row.right, "undecided": row.undecided}
            for row in rows
        ],
    }
