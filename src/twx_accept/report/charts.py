"""Charts as inline SVG: pure functions from views to markup.

Horizontal places are percentages and vertical ones pixels, so a chart keeps its type size from 360 pixels to paper. The
table under each chart is the record; a chart only shows it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from twx_accept.domain.verdict import Bar, Effect, Quantity, Unit
from twx_accept.report import format as fmt
from twx_accept.report import scale as scales
from twx_accept.report.hostile import plain, shorten
from twx_accept.report.scale import Scale

_LABEL = 44  # characters of a row's label; the table has it whole
_HEADING = 44  # characters of a bar's label, length and note for which a phone has room
_BAR_ROW, _BAR_TOP, _BAR = 50, 20, 20  # pixels: a row, what stands above its bar, the bar
_THIN = 1  # percent of the width: a gap behind a thinner part would hide it
_PHONE, _LETTER, _AIR = 3.2, 7, 4  # pixels a percent of a phone's width, a letter of a figure, and around it
_ROW, _DENSE_ROW, _DENSE = 46, 36, 9  # pixels a row, and above how many rows they move together
# A line over all rows that lies among their labels leaves these out: it begins so many pixels under a row's top, and
# goes on as the style sheet dashes it.
_BAND, _DENSE_BAND = 24, 20
_HEAD, _FOOT = 36, 44  # pixels above and below the rows
_NAMED_LEFT = 0.35  # so far along, a pass mark's name has room on its left, away from the line of the original
_EDGE = 0.04  # a label so near to an end of the axis keeps inside it


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One interval. ``outcome`` gives the point its shape: the word of the verdict that it decides, or empty."""

    label: str
    effect: Effect
    outcome: str = ""


def bars(uid: str, title: str, rows: Sequence[Bar], tones: Mapping[str, int]) -> Markup:
    """Bars of one scale; segments from left to right, each in the tone of its label; a dashed line at the limit."""
    totals = [total(bar) for bar in rows]
    limits = [bar.limit for bar in rows if bar.limit is not None]
    scale = scales.from_zero([*totals, *limits])
    unit = rows[0].unit
    height = len(rows) * _BAR_ROW
    body = [_axis(scale, unit, 0, height - 7)]
    for index, (bar, whole) in enumerate(zip(rows, totals, strict=True)):
        top = index * _BAR_ROW + _BAR_TOP
        figure = amount(whole, unit) + (f" \N{MIDDLE DOT} {bar.note}" if bar.note and noted(bar) else "")
        body.append(_heading(top - 6, bar.label, figure))
        body += _segments(bar, scale, top, tones)
        if bar.limit is not None:
            body.append(_line("mark", scale.at(bar.limit), top - 3, scale.at(bar.limit), top + _BAR + 3))
    described = f"{title}: {fmt.plural(len(rows), 'bar')} to one scale, the longest {_longest(rows, totals)}."
    return _svg(uid, title, described, height + 21, body)


def forest(uid: str, title: str, rows: Sequence[ForestRow]) -> Markup:
    """Differences from the original with their intervals, the line of no difference and the pass mark."""
    effects = [row.effect for row in rows]
    marks = sorted({-effect.margin for effect in effects if effect.margin is not None and math.isfinite(effect.margin)})
    scale = scales.around([0.0, *marks, *(v for e in effects for v in (e.lower, e.upper, e.difference))])
    dense = len(rows) > _DENSE
    each, band = (_DENSE_ROW, _DENSE_BAND) if dense else (_ROW, _BAND)
    bottom = _HEAD + len(rows) * each
    reach = (
        max(len(_cut(row.label)) + (0 if dense else len(_figures(row.effect))) + 2 for row in rows) * _LETTER / _PHONE
    )

    def clear(value: float) -> int:
        """Where the first row's label ends, for a line that labels would reach on a phone; else 0."""
        return _HEAD + band if scale.share(value) * 100 < reach else 0

    body = [_axis(scale, effects[0].unit, _HEAD, bottom, signed=True)]
    for mark in marks:
        name = f"pass mark {fmt.difference(mark, effects[0].unit)}" if len(marks) == 1 else ""
        body.append(_rule("mark", scale, mark, (20, clear(mark), bottom), name, left=scale.share(mark) > _NAMED_LEFT))
    # Above the pass mark's name, so that neither line runs through the other's.
    body.append(_rule("zero", scale, 0.0, (4, clear(0.0), bottom), "the original", left=scale.share(0.0) > 0.5))
    for index, row in enumerate(rows):
        body.append(_interval(row, scale, _HEAD + index * each, each))
    body.append(_text("a", "0", bottom + 36, "\N{LEFTWARDS ARROW} worse than the original"))
    body.append(_text("a e", "100%", bottom + 36, "better \N{RIGHTWARDS ARROW}"))
    marked = f", pass mark at {fmt.listed([fmt.difference(mark, effects[0].unit) for mark in marks])}" if marks else ""
    described = f"{fmt.plural(len(rows), 'difference')} from the original with intervals{marked}, listed in the table."
    return _svg(uid, title, described, bottom + _FOOT, body, kind="forest dense" if dense else "forest")


def amount(value: float, unit: Unit) -> str:
    """A length of a bar in words."""
    return fmt.quantity(Quantity(value=value, unit=unit, digits=0 if unit in {Unit.TOKENS, Unit.COUNT} else 2))


def noted(bar: Bar) -> bool:
    """Whether a bar's note stands beside it, where there is one: what is longer stands in the table alone."""
    return len(bar.label) + len(amount(total(bar), bar.unit)) + len(bar.note) <= _HEADING


def total(bar: Bar) -> float:
    """The length of a bar, in its unit."""
    return math.fsum(segment.value for segment in bar.segments if math.isfinite(segment.value))


def _segments(bar: Bar, scale: Scale, top: int, tones: Mapping[str, int]) -> list[Markup]:
    """The parts of one bar, each beginning where the one before it ended."""
    drawn, start = [], 0.0
    for segment in bar.segments:
        if not math.isfinite(segment.value) or segment.value <= 0:
            continue
        width = float(scale.at(start + segment.value)[:-1]) - float(scale.at(start)[:-1])
        drawn.append(
            Markup('<rect class="t{}" x="{}" y="{}" width="{:.2f}%" height="{}"/>').format(
                tones[segment.label], scale.at(start), top, width, _BAR
            )
        )
        figure = amount(segment.value, bar.unit)
        if len(bar.segments) > 1 and width * _PHONE >= len(figure) * _LETTER + _AIR:
            at = f"{float(scale.at(start)[:-1]) + width / 2:.2f}%"
            drawn.append(_text(f"v v{tones[segment.label]} m", at, top + 14, figure))
        start += segment.value
        if start < total(bar) and width >= _THIN:
            drawn.append(_line("gap", scale.at(start), top, scale.at(start), top + _BAR))
    return drawn


def _interval(row: ForestRow, scale: Scale, top: int, each: int) -> Markup:
    """Label and figures above, interval and point below; the point's shape repeats the verdict."""
    effect, y = row.effect, top + each - 12
    dense = each == _DENSE_ROW
    figures = _figures(effect)
    if figures == fmt.UNDEFINED:
        return _heading(top + 14, row.label, figures)
    parts = [
        # Many rows are looked over, not read: their figures stand in the table.
        _text("d", "0", top + 14, row.label) if dense else _heading(top + 14, row.label, figures),
        _line("ci", scale.at(effect.lower), y, scale.at(effect.upper), y),
    ]
    if not dense:
        parts += [_line("ci", scale.at(end), y - 5, scale.at(end), y + 5) for end in (effect.lower, effect.upper)]
    parts.append(
        Markup('<use href="#point~{}" x="{}" y="{}"/>').format(_point(row.outcome), scale.at(effect.difference), y)
    )
    return Markup("").join(parts)


def _figures(effect: Effect) -> str:
    """A difference with its interval in words."""
    if not all(map(math.isfinite, (effect.difference, effect.lower, effect.upper))):
        return fmt.UNDEFINED
    difference, lower, upper = (
        fmt.difference(value, effect.unit) for value in (effect.difference, effect.lower, effect.upper)
    )
    return f"{difference} ({lower} to {upper})"


def _point(outcome: str) -> str:
    """The shape of a point, which the page has once."""
    return {"shown": "good", "failed": "bad", "not shown": "open"}.get(outcome, "plain")


def _axis(scale: Scale, unit: Unit, top: int, bottom: int, *, signed: bool = False) -> Markup:
    parts = []
    placed = scales.ticks(scale, unit, signed=signed)
    for index, (value, label) in enumerate(placed):
        place, share = scale.at(value), scale.share(value)
        name = f"{label} {scales.axis_unit(scale, unit)}".rstrip() if index == len(placed) - 1 else label
        anchor = "a" if share < _EDGE else "a e" if share > 1 - _EDGE else "a m"
        parts.append(_line("grid", place, top, place, bottom))
        parts.append(_text(anchor, place, bottom + 18, name))
    return Markup("").join(parts)


def _rule(kind: str, scale: Scale, value: float, ends: tuple[int, int, int], name: str, *, left: bool) -> Markup:
    """A line over all rows with its name beside its upper end, on the left or the right.

    ``ends`` are its upper end, where the first row's label ends (0 where no label is in its way), and its lower end.
    """
    place, (top, label, bottom) = scale.at(value), ends
    if label <= top:
        line = _line(kind, place, top, place, bottom)
    else:
        line = _line(kind, place, top, place, _HEAD) + _line(f"{kind} band", place, label, place, bottom)
    if not name:
        return line
    return line + Markup('<text class="a{}" x="{}" dx="{}" y="{}">{}</text>').format(
        " e" if left else "", place, -6 if left else 6, top + 9, name
    )


def _line(kind: str, x1: str, y1: int, x2: str, y2: int) -> Markup:
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(kind, x1, y1, x2, y2)


def _heading(y: int, label: str, figure: str) -> Markup:
    """What a row is called, with its figure after it."""
    return Markup('<text class="l" x="0" y="{}">{}<tspan class="n" dx="10">{}</tspan></text>').format(
        y, _cut(label), plain(figure)
    )


def _text(kind: str, x: str, y: int, text: str) -> Markup:
    return Markup('<text class="{}" x="{}" y="{}">{}</text>').format(kind, x, y, _cut(text))


def _cut(text: str) -> str:
    return plain(text if len(text) <= _LABEL else text[: _LABEL - 1] + "\N{HORIZONTAL ELLIPSIS}")


def _longest(rows: Sequence[Bar], totals: Sequence[float]) -> str:
    whole, bar = max(zip(totals, rows, strict=True), key=lambda pair: pair[0])
    return f"{bar.label} with {amount(whole, bar.unit)}"


def _svg(uid: str, title: str, described: str, height: int, body: Sequence[Markup], kind: str = "bars") -> Markup:
    return Markup(
        '<svg class="chart {kind}" role="img" width="100%" height="{}" aria-labelledby="{uid}~t" '
        'aria-describedby="{uid}~d">'
        '<title id="{uid}~t">{}</title><desc id="{uid}~d">{}</desc>{}</svg>'
    ).format(
        height, plain(shorten(title, 200)), plain(shorten(described, 400)), Markup("").join(body), uid=uid, kind=kind
    )
