"""Gathers the bars and effects of all verdicts into charts, each with the table that is its record."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Bar, Effect, Unit, Verdict
from twx_accept.report import charts
from twx_accept.report import format as fmt
from twx_accept.report.charts import ForestRow
from twx_accept.report.hostile import plain
from twx_accept.report.ids import Ids
from twx_accept.report.naming import controls, title_of

_TONES = 4  # distinct fills in the style sheet
_DIGITS = 3  # of a record: a bound close to its mark is on one side of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing and its record, in which the first column holds words.

    ``legend`` names the parts of a bar with their tones, empty where none is needed; ``limited`` bars have a
    line where the memory ends; ``told`` is whether the drawing itself has every figure in words; ``notes`` are those
    of bars beside which there is no room for them.
    """

    id: str
    title: str
    drawing: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[str, int], ...] = ()
    limited: bool = False
    folded: bool = False
    told: bool = False
    notes: tuple[str, ...] = ()


def bar_charts(run: RunRecord, ids: Ids) -> list[Chart]:
    """One chart for each name in ``Bar.chart``, builds by their titles.

    A bar that every verdict repeats (the original's) is drawn once.
    """
    gathered: dict[str, list[Bar]] = {}
    named = {build: title_of(run, build) for build in (run.original, *run.builds)}
    for verdict in run.verdicts:
        for bar in (replace(bar, label=named.get(bar.label, bar.label)) for bar in verdict.bars):
            bars = gathered.setdefault(bar.chart, [])
            if bar not in bars:
                bars.append(bar)
    parts = dict.fromkeys(segment.label for bars in gathered.values() for bar in bars for segment in bar.segments)
    tones = {part: place % _TONES for place, part in enumerate(parts)}  # a part keeps its tone from chart to chart
    return [_bar_chart(name, bars, tones, ids) for name, bars in gathered.items()]


def forests(run: RunRecord, ids: Ids) -> list[Chart]:
    """One chart for each name in ``Effect.chart``, the builds of one label beside each other; folded charts last.

    A control shares no chart: it is so far off that on its scale the others would be a line's width apart. Beside
    other builds its charts start folded: the head says whether it was caught, and on what.
    """
    apart = controls(run)
    alone = all(verdict.build in apart for verdict in run.verdicts)
    shared = {effect.chart for each in run.verdicts if each.build not in apart for effect in each.effects}
    gathered: dict[str, list[tuple[Verdict, Effect]]] = {}
    for verdict in run.verdicts:
        for effect in verdict.effects:
            drawn = _apart(effect) if verdict.build in apart and effect.chart in shared else effect
            if verdict.build in apart and not alone:
                drawn = replace(drawn, folded=True)
            gathered.setdefault(drawn.chart, []).append((verdict, drawn))
    for verdict in run.floor:  # beside the builds, never in charts of its own or in those that start folded
        for effect in verdict.effects:
            if effect.chart in gathered and not effect.folded:
                gathered[effect.chart].append((verdict, effect))
    made = [_forest(run, name, rows, ids) for name, rows in gathered.items()]
    # Folded ones last, those of one claim beside each other; a sort is stable, so controls stay behind the others.
    claims = list(dict.fromkeys(rows[0][0].title for rows in gathered.values()))
    places = {chart.id: claims.index(rows[0][0].title) for chart, rows in zip(made, gathered.values(), strict=True)}
    return sorted(made, key=lambda chart: (chart.folded, places[chart.id] if chart.folded else 0))


def _apart(effect: Effect) -> Effect:
    """The effect of a control, in a chart of its own."""
    return replace(effect, chart=f"{effect.chart}, control", title=f"{effect.title}: the positive control")


def _bar_chart(name: str, bars: list[Bar], tones: Mapping[str, int], ids: Ids) -> Chart:
    uid, unit = ids.take(f"chart-{name}"), bars[0].unit
    parts = list(dict.fromkeys(segment.label for bar in bars for segment in bar.segments))
    limited, noted = any(bar.limit is not None for bar in bars), any(bar.note for bar in bars)
    columns = ["Build", *parts]
    columns += ["Total"] if len(parts) > 1 else []
    columns += ["Limit"] if limited else []
    columns += ["Note"] if noted else []
    rows = []
    for bar in bars:
        values = {segment.label: segment.value for segment in bar.segments}
        cells = [bar.label, *(_amount(values.get(part), unit) for part in parts)]
        cells += [_amount(charts.total(bar), unit)] if len(parts) > 1 else []
        cells += [_amount(bar.limit, unit)] if limited else []
        cells += [bar.note] if noted else []
        rows.append(tuple(cells))
    told = len(parts) == 1 and not limited and all(not bar.note or charts.noted(bar) for bar in bars)
    alike = told and not noted and len(bars) > 1 and len({cells[1:] for cells in rows}) == 1
    return Chart(
        id=uid,
        title=bars[0].title,
        drawing=_sentence(rows[0][1]) if alike else charts.bars(uid, bars[0].title, bars, tones),
        columns=tuple(columns),
        rows=tuple(rows),
        legend=tuple((part, tones[part]) for part in parts) if len(parts) > 1 or limited else (),
        limited=limited,
        told=told,
        notes=_notes(bars),
    )


def _notes(bars: list[Bar]) -> tuple[str, ...]:
    """What is to be said of bars under their chart: of all of them once, where it is the same."""
    left = [bar for bar in bars if bar.note and not charts.noted(bar)]
    if len(left) == len(bars) and len({bar.note for bar in left}) == 1:
        return (f"Every bar: {left[0].note}.",)
    return tuple(f"{bar.label}: {bar.note}." for bar in left)


def _sentence(amount: str) -> Markup:
    """What stands in place of bars that are all of one length: they would only take room."""
    return Markup('<p class="alike">{} for every build</p>').format(plain(amount))


def _forest(run: RunRecord, name: str, gathered: list[tuple[Verdict, Effect]], ids: Ids) -> Chart:
    uid = ids.take(f"chart-{name}")
    build = gathered[0][0].build
    # A title ends with the name of the build that it is about, or has a remark in brackets behind it.
    title = re.sub(rf", {re.escape(build)}(?= \(|:|$)", lambda _: f", {title_of(run, build)}", gathered[0][1].title)
    order = {label: place for place, label in enumerate(dict.fromkeys(effect.label for _, effect in gathered))}
    gathered = sorted(gathered, key=lambda pair: order[pair[1].label])  # stable: builds stay in the suite's order
    first = gathered[0][1]
    notes = list(dict.fromkeys(note.label for _, effect in gathered for note in effect.notes))
    unit = "points" if first.unit in {Unit.POINTS, Unit.SHARE} else first.unit.value
    several = len({verdict.build for verdict, _ in gathered}) > 1
    rows = []
    for verdict, effect in gathered:
        figures = [
            fmt.difference(value, effect.unit, _DIGITS) for value in (effect.difference, effect.lower, effect.upper)
        ]
        mark = "none" if effect.margin is None else fmt.difference(-effect.margin, effect.unit, _DIGITS)
        said = {note.label: fmt.quantity(note.value) for note in effect.notes}
        label = _label(run, verdict, effect, several=several)
        rows.append((label, *figures, mark, *(said.get(note, "") for note in notes)))
    drawn = [
        ForestRow(
            label=row[0], effect=effect, outcome=verdict.outcome if effect.margin is not None and verdict.gates else ""
        )
        for row, (verdict, effect) in zip(rows, gathered, strict=True)
    ]
    return Chart(
        id=uid,
        title=title,
        drawing=charts.forest(uid, title, drawn),
        columns=("", f"Difference, {unit}", "Lower", "Upper", "Mark", *notes),
        rows=tuple(rows),
        folded=any(effect.folded for _, effect in gathered),
    )


def _label(run: RunRecord, verdict: Verdict, effect: Effect, *, several: bool) -> str:
    """A row's label, with the build's title where it does not say it already and several builds share the chart."""
    title = title_of(run, verdict.build)
    effect = replace(effect, label=_titled(run, verdict.build, effect.label))
    if not several or title in effect.label or verdict.build in effect.label:
        return effect.label
    return f"{effect.label} \N{MIDDLE DOT} {title}"


def _titled(run: RunRecord, build: str, label: str) -> str:
    """A label that begins with a build's name, with the title that the rest of the page calls it by."""
    rest = label.removeprefix(build)
    return title_of(run, build) + rest if label != rest and not rest[:1].isalnum() else label


def _amount(value: float | None, unit: Unit) -> str:
    return "" if value is None else charts.amount(value, unit)
