"""What builds are called, which of them are controls, and in which order a reader meets them."""

from dataclasses import replace

from twx_accept.domain.run import RunRecord


def title_of(run: RunRecord, build: str) -> str:
    """What a build is called in sentences."""
    return run.titles.get(build) or build


def controls(run: RunRecord) -> frozenset[str]:
    """The builds that were damaged on purpose."""
    return frozenset(run.controls) | {verdict.build for verdict in run.verdicts if "control" in verdict.labels}


def arranged(run: RunRecord) -> RunRecord:
    """The run with its controls last: they run first, but a reader comes for the others."""
    last = controls(run)
    return replace(
        run,
        builds=tuple(sorted(run.builds, key=lambda build: build in last)),
        planned=tuple(sorted(run.planned, key=lambda pair: pair[1] in last)),
        verdicts=tuple(sorted(run.verdicts, key=lambda verdict: verdict.build in last)),
    )
