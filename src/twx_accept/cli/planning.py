"""The command plan."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from twx_accept.cli.common import Questions, Root, SuiteName, claims_of, suite_of
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.errors import UsageError
from twx_accept.session.planning import CHARACTERS_A_TOKEN, Plan
from twx_accept.session.planning import plan as make


def plan(
    name: SuiteName,
    root: Root = Path(),
    questions: Questions = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Evidence so far, for discordance and rates. Default: reports/evidence.")
    ] = None,
    discordance: Annotated[
        float | None, typer.Option(help="Assume this share of answers that flip, e.g. 0.037; goes with --loss.")
    ] = None,
    loss: Annotated[float | None, typer.Option(help="Assume this loss, in points, e.g. 0.59.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the plan as JSON.")] = False,
) -> None:
    """Say what each claim can show as planned, before a server boots: power, what n it needs, and what it costs.

    Power is the chance that a build which loses as much as expected is shown to be within the mark. It is computed for
    the expected loss, not for none, from the discordance that evidence so far shows, the one given, or the suite's.
    """
    found = suite_of(root, name)
    given = _given(discordance, loss)
    made = make(found, claims_of(found, questions), evidence or root / "reports" / "evidence", given)
    if as_json:
        typer.echo(json.dumps(asdict(made), indent=2, sort_keys=True, ensure_ascii=True))
        return
    _show(found.title, made)


def _given(discordance: float | None, loss: float | None) -> Assumption | None:
    if discordance is None and loss is None:
        return None
    if discordance is None or loss is None:
        raise UsageError("--discordance and --loss go together: a loss of L points needs at least L/100 discordant")
    if not 0 <= discordance <= 1 or not abs(loss) / 100 <= discordance:
        raise UsageError(f"--discordance {discordance} --loss {loss}: give a share from 0 to 1, and a loss within it")
    return Assumption(discordance=discordance, loss=loss / 100, source="given")


def _show(title: str, made: Plan) -> None:
    console = Console(highlight=False)
    console.print(f"{title}: the plan", markup=False)
    for build, prospects in made.prospects.items():
        table = Table(title=Text(build), title_justify="left", show_edge=False, pad_edge=False)
        for column in ("claim", "mark", "n", "power", "n for 90%", "resolves"):
            table.add_column(column, justify="left" if column in ("claim", "mark") else "right", overflow="fold")
        for prospect in prospects:
            table.add_row(*map(Text, _row(prospect)))
        console.print(table)
        for prospect in prospects:
            for line in _notes(prospect):
                console.print(f"  {line}", markup=False, soft_wrap=True)
        console.print(f"  {_together(made.joint[build], prospects)}\n", markup=False, soft_wrap=True)
    console.print(_cost(made), markup=False, soft_wrap=True)


def _row(prospect: Prospect) -> tuple[str, ...]:
    return (
        prospect.title,
        prospect.mark or "none",
        "" if prospect.planned_n is None else f"{prospect.planned_n:,}",
        _power(prospect),
        "" if prospect.power is None else "never" if prospect.needed is None else f"{prospect.needed:,}",
        "" if prospect.resolvable is None else f"{prospect.resolvable:.2f} points",
    )


def _power(prospect: Prospect) -> str:
    """The power in words where it is no number: nothing to pass, nothing left to chance, or not known."""
    if prospect.power is not None:
        return f"{prospect.power:.0%}"
    if not prospect.mark:
        return "no mark"
    return "certain" if prospect.planned_n is None else "not known"


def _together(joint: float, prospects: Sequence[Prospect]) -> str:
    """The joint power, and which claims are not in it."""
    open_ = [each.title for each in prospects if _power(each) == "not known"]
    return f"all claims together: {joint:.0%}" + (f", times the power of {' and '.join(open_)}" if open_ else "")


def _notes(prospect: Prospect) -> list[str]:
    notes = [f"{prospect.title}: {warning}" for warning in prospect.warnings]
    if prospect.assumption is not None:
        assumed = prospect.assumption
        notes.append(
            f"{prospect.title}: a loss of {assumed.loss * 100:.2f} points with {assumed.discordance:.2%} of answers "
            f"flipping, {assumed.source}"
        )
    return notes


def _cost(made: Plan) -> str:
    builds = len(made.prospects)
    asked = f"One build is asked {made.requests:,} requests, about {made.prompt_tokens:,} prompt tokens"
    estimate = f" (estimated at {CHARACTERS_A_TOKEN:.0f} characters a token)"
    if made.seconds is None:
        time = "No rate has been measured: a run with --limit-questions measures one"
    else:
        whole = made.seconds * (builds + 1)
        time = (
            f"About {made.seconds / 60:.0f} min a build, {whole / 60:.0f} min in all without boots ({made.rate_from})"
        )
    return f"{asked}{estimate}. {time}."
