"""The command doctor."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from twx_accept.cli.common import TESTS, Questions, Root, SuiteName, Tests, sources_of, suite_of
from twx_accept.doctor import Finding, Level, Node, dummy, examine
from twx_accept.doctor.forecast import Forecast, Part, forecast
from twx_accept.domain.suite import Build
from twx_accept.errors import UsageError
from twx_accept.report.hostile import plain
from twx_accept.serving import launcher_of
from twx_accept.session.locks import usual_lock
from twx_accept.session.slots import Machine

STYLES = {Level.OK: "green", Level.WARNING: "yellow", Level.FAULT: "bold red", Level.UNCHECKED: "dim"}
LOGS = "doctor"
"""The folder beside the evidence where the logs of such boots stay: a fault names one."""

MILLIONS_FROM = 100_000
"""Tokens that are told in millions; of fewer than these nothing would be left."""

WAIT_SECONDS = 600.0
"""For cards, before a boot with random weights: somebody sits in front of it."""


def doctor(
    name: SuiteName,
    root: Root = Path(),
    tests: Tests = TESTS,
    questions: Questions = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Where evidence is kept, for room and rates. Default: reports/evidence.")
    ] = None,
    dummy_boot: Annotated[
        bool,
        typer.Option(
            "--dummy-boot",
            help="Also boot with random weights and ask a few requests of each claim: minutes, not hours.",
        ),
    ] = False,
    builds: Annotated[
        list[str] | None,
        typer.Option("--build", metavar="NAME", help="Which builds to boot so; repeatable. Default: the original."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Check this node before anything is loaded: cards, memory, disk, engine, weights, tokenizers, sources, marks.

    Each line is ok, a warning, a fault or "not checked", with the value and the cure. The exit status is 0 only where
    there is no fault. At the end stands what the run will do, what it asks, and what it costs in hours, with the basis
    of each figure.
    """
    console = Console(highlight=False, stderr=as_json)
    found = suite_of(root, name)
    chosen = _chosen(found.original, found.builds, builds, dummy_boot=dummy_boot)
    node = Node(
        suite=found,
        tests=root / tests,
        evidence=evidence or root / "reports" / "evidence",
        machine=Machine(lock=usual_lock(), wait_seconds=WAIT_SECONDS),
        sources=sources_of(found, questions),
        say=lambda text: console.print(plain(text), style="dim", markup=False),
    )
    findings = []
    for finding in _all(node, chosen, console):
        findings.append(finding)
        if not as_json:
            _show(console, finding)
    cost = forecast(node)
    faults = sum(finding.level is Level.FAULT for finding in findings)
    if as_json:
        whole = {"suite": found.name, "faults": faults, "findings": list(map(asdict, findings)), "run": asdict(cost)}
        typer.echo(json.dumps(whole, indent=2, ensure_ascii=True))
    else:
        for line in lines(cost):
            console.print(line, markup=False, soft_wrap=True)
        console.print(_sum(findings), markup=False, soft_wrap=True)
    raise typer.Exit(1 if faults else 0)


def _chosen(original: Build, others: tuple[Build, ...], names: list[str] | None, *, dummy_boot: bool) -> list[Build]:
    """The builds to boot with random weights."""
    if names and not dummy_boot:
        raise UsageError("--build names what --dummy-boot boots; add --dummy-boot, or leave --build out")
    known = {build.name: build for build in (original, *others)}
    if unknown := [name for name in names or [] if name not in known]:
        raise UsageError(f"--build {unknown[0]}: no such build; the suite has: {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names or [original.name])] if dummy_boot else []


def _all(node: Node, chosen: list[Build], console: Console) -> Iterator[Finding]:
    """The checks, and where nothing is wrong so far the boots that were asked for."""
    faults = 0
    for finding in examine(node):
        faults += finding.level is Level.FAULT
        yield finding
    for build in chosen:
        if faults:
            why = f"{build.name}: {faults} fault{'s' if faults > 1 else ''} above"
            yield Finding(check="dummy boot", level=Level.UNCHECKED, what=why, cure="mend them first")
            continue
        with _waiting(console, build) as progress:
            yield from dummy.boot(node, build, launcher_of(node.suite.engine), node.evidence / LOGS, progress)


@contextmanager
def _waiting(console: Console, build: Build) -> Iterator["_Progress"]:
    with console.status(f"{build.name}: booting with random weights") as status:
        yield _Progress(lambda text: status.update(Text(text)), build)


class _Progress:
    """Shows the phase of a boot."""

    def __init__(self, show: Callable[[str], None], build: Build) -> None:
        self._show, self._build = show, build

    def __call__(self, phase: str, seconds: float) -> None:
        """A phase, and the seconds so far."""
        self._show(f"{self._build.name}: {phase} ({seconds:.0f} s)")


def _show(console: Console, finding: Finding) -> None:
    """``ok           cards        8 x NVIDIA B300 ...``, the cure on a line of its own."""
    head = Text(f"{finding.level:<12} ", style=STYLES[finding.level])
    head.append(f"{finding.check:<12} ", style="bold")
    console.print(head.append(plain(finding.what), style=""), soft_wrap=True)
    if finding.cure:
        console.print(Text(f"{'':<26}{plain(finding.cure)}", style="dim"), soft_wrap=True)


def lines(cost: Forecast) -> Iterator[str]:
    """The forecast in words."""
    total = sum(cost.weight_bytes.values())
    yield ""
    yield f"The run, from nothing: {len(cost.boots)} boots ({', '.join(cost.boots)}); {total / 1e9:,.1f} GB of weights."
    tokens = cost.prompt_tokens
    many = f"{tokens / 1e6:.1f} million" if tokens >= MILLIONS_FROM else f"{tokens:,}"
    yield f"Each build is asked {cost.requests:,} requests, about {many} prompt tokens."
    for part in cost.parts:
        yield f"  {_hours(part):>16}  {part.what}: {part.basis}"
    without = f", without {', '.join(cost.unknown)}" if cost.unknown else ""
    yield f"  {span(cost.low, cost.high):>16}  in all{without}"
    if cost.side_by_side > 1:
        yield f"With `pytest -n {cost.side_by_side}` up to {cost.side_by_side} builds are served at a time."


def _hours(part: Part) -> str:
    return "not known" if part.low is None or part.high is None else span(part.low, part.high)


def span(low: float, high: float) -> str:
    """``12 to 40 min``, ``1.5 to 3.2 h``; one figure where both are the same."""
    unit, size = ("s", 1.0) if high < 100 else ("min", 60.0) if high < 6000 else ("h", 3600.0)
    one, other = (f"{value / size:.1f}" if unit == "h" else f"{value / size:.0f}" for value in (low, high))
    return f"{one} {unit}" if one == other else f"{one} to {other} {unit}"


def _sum(findings: list[Finding]) -> str:
    counts = {level: sum(finding.level is level for finding in findings) for level in Level}
    told = ", ".join(f"{number} {level}" for level, number in counts.items() if number)
    return (
        f"{told}. {'Nothing stands in the way.' if not counts[Level.FAULT] else 'A run would stop; mend the faults.'}"
    )
