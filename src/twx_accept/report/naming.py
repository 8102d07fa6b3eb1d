"""What builds are called, which of them are controls, and in which order a reader meets them."""

import re
from dataclasses import replace

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Verdict


def title_of(run: RunRecord, build: str) -> str:
    """What a build is called in sentences; the original that was served again is called like the original."""
    rest = build.removeprefix(f"{run.original},")
    if rest != build:
        return f"{title_of(run, run.original)},{rest}"
    return run.titles.get(build) or build


def titled(run: RunRecord, build: str, text: str) -> str:
    """A sentence about a build in which it is called by its title, as in the rest of the page.

    A name of letters alone may be a word of the sentence: it is read as a name only where a sentence begins.
    """
    title = title_of(run, build)
    if title == build or not build:
        return text
    before = r"(?<![\w./-])" if not build.isalpha() else r"(?:^|(?<=[.;:] ))"
    return re.sub(rf"{before}{re.escape(build)}(?![\w/-]|\.\w)", lambda _: title, text)


def controls(run: RunRecord) -> frozenset[str]:
    """The builds that were damaged on purpose."""
    return frozenset(run.controls) | {verdict.build for verdict in run.verdicts if "control" in verdict.labels}


def arranged(run: RunRecord) -> RunRecord:
    """The run with its controls last, since a reader comes for the others; sentences call builds by their titles."""
    last = controls(run)
    return replace(
        run,
        builds=tuple(sorted(run.builds, key=lambda build: build in last)),
        planned=tuple(sorted(run.planned, key=lambda pair: pair[1] in last)),
        verdicts=tuple(sorted((_called(run, each) for each in run.verdicts), key=lambda each: each.build in last)),
        floor=tuple(_called(run, each) for each in run.floor),
    )


def _called(run: RunRecord, verdict: Verdict) -> Verdict:
    """A verdict whose sentences call its build by its title."""

    def said(text: str) -> str:
        return titled(run, verdict.build, text)

    return replace(
        verdict,
        sentence=said(verdict.sentence),
        reasons=tuple(map(said, verdict.reasons)),
        warnings=tuple(map(said, verdict.warnings)),
    )
