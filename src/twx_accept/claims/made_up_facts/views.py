"""What a reader sees of made-up facts: figures with the counts behind them, effects, and tables."""

from collections.abc import Mapping, Sequence

from twx_accept.claims._lines import count, points, probability, share
from twx_accept.claims.made_up_facts.calibrating import Calibration
from twx_accept.claims.made_up_facts.checking import Check
from twx_accept.claims.made_up_facts.comparing import Reading, Side
from twx_accept.claims.made_up_facts.deciding import Rate, Recall, Result, total
from twx_accept.claims.made_up_facts.desk import Kind
from twx_accept.claims.made_up_facts.error import MatcherError, Tally
from twx_accept.claims.made_up_facts.reading import State
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.verdict import Count, Effect, Figure, Fold, Quantity, Unit
from twx_accept.statistics.clustered import RatioDifference, ratio

FACTS = (Kind.SUPPORTED, Kind.MADE_UP, Kind.ELSEWHERE, Kind.UNDECIDED)

NONE = "no fact written"
NOT_MEASURED = "not measured"

Row = tuple[Quantity | str, ...]


def figures(
    readings: Sequence[Reading],
    result: Result,
    error: MatcherError | None,
    calibration: Calibration | None,
    alpha: float,
) -> tuple[Figure, ...]:
    """The rows of the table. ``error`` is the matcher's alone."""
    worth = (*_worth(error), *_with_judge(calibration))
    sides = [("original/", [r.original for r in readings]), ("", [r.build for r in readings])]
    return (
        *(_made_up(prefix, readings, result.rate, own, alpha) for prefix, own in sides),
        _difference(result.rate, worth),
        *(_recalled(prefix, result.recall, alpha, readings) for prefix, _ in sides),
        _recall_difference(result.recall),
        *(figure for prefix, own in sides for figure in _amounts(prefix, own)),
    )


def _made_up(prefix: str, readings: Sequence[Reading], rate: Rate | None, own: Sequence[Side], alpha: float) -> Figure:
    label, key = "Made-up facts", f"{prefix}made_up"
    if rate is None:
        return Figure(key=key, label=label, value=NONE, counts=_kinds(own))
    cells = [reading.rate(undecided_is_made_up=True) for reading in readings]
    x = [cell.x_original if prefix else cell.x_build for cell in cells]
    m = [cell.m_original if prefix else cell.m_build for cell in cells]
    return Figure(
        key=key,
        label=label,
        value=share(sum(x) / sum(m)),
        counts=(
            count("made up, undecided ones among them", sum(x)),
            count("of", sum(m)),
            *_interval(x, m, alpha),
            *_kinds(own),
        ),
    )


def _interval(x: Sequence[int], m: Sequence[int], alpha: float) -> tuple[Count, ...]:
    if sum(items > 0 for items in m) < 2:
        return ()
    found = ratio(x, m, alpha)
    if found.warnings:
        return (Count(label="interval", value="none: no passage differs from another"),)
    return (
        Count(label="lower bound (clustered by passage, one-sided)", value=share(found.lower)),
        Count(label="upper bound", value=share(found.upper)),
    )


def _kinds(own: Sequence[Side]) -> tuple[Count, ...]:
    """What the lines and the answers of one side are."""
    return (
        *(count(f"facts: {kind}", sum(side.count(kind) for side in own)) for kind in FACTS),
        count("lines that are no facts", sum(side.count(Kind.NOT_A_FACT) for side in own)),
        count("duplicates left out", sum(side.answer.duplicates for side in own)),
        count("passages refused", states(own)[State.REFUSED]),
        count("passages cut short, counted in the worst way for the build", states(own)[State.TRUNCATED]),
        count("passages without an answer, counted in the worst way for the build", states(own)[State.MISSING]),
        count("facts that a judge ruled on", sum(each.judge for side in own for each in side.judged)),
        *_unheard(own),
    )


def _unheard(own: Sequence[Side]) -> tuple[Count, ...]:
    """What a judge should have read and has not; nothing where it has read all."""
    facts = sum(each.unheard for side in own for each in side.judged)
    planted = sum(side.recalled.unheard for side in own)
    return (
        *([count("facts that a judge has not answered about, undecided", facts)] if facts else []),
        *([count("planted facts that a judge has not answered about", planted)] if planted else []),
    )


def states(own: Sequence[Side]) -> Mapping[State, int]:
    """How many answers are in each state."""
    return {state: sum(side.answer.state is state for side in own) for state in State}


def _difference(rate: Rate | None, worth: tuple[Count, ...]) -> Figure:
    label = "Made-up facts: difference from the original"
    if rate is None:
        return Figure(key="difference", label=label, value=NONE, headline=True, counts=worth)
    return Figure(
        key="difference",
        label=label,
        value=Quantity(value=rate.strict.difference * 100, unit=Unit.POINTS, digits=2),
        headline=True,
        counts=(
            *_tested(rate.strict),
            points("upper bound with undecided as supported", rate.lenient.upper),
            Count(label="verdict with undecided as made up", value=str(rate.strict.outcome)),
            Count(label="verdict with undecided as supported", value=str(rate.lenient.outcome)),
            *_design(rate),
            *worth,
            probability("published test, facts as independent: p (Fisher, exact, two-sided)", rate.independent.p),
            points("lower bound, facts as independent (Miettinen-Nurminen)", rate.independent.interval.lower),
            points("upper bound, facts as independent", rate.independent.interval.upper),
        ),
    )


def _design(rate: Rate) -> tuple[Count, ...]:
    if rate.design_effect is None:
        return ()
    label = "design effect (variance between passages over that of independent facts)"
    return (Count(label=label, value=Quantity(value=rate.design_effect, unit=Unit.RATIO, digits=2)),)


def _tested(found: RatioDifference) -> tuple[Count, ...]:
    margin = () if found.margin is None else (points("margin that decides", found.margin.fraction),)
    against = () if found.p is None else (probability("p against a loss of the margin", found.p),)
    return (
        points("lower bound (clustered by passage, one-sided)", found.lower),
        points("upper bound", found.upper),
        *margin,
        *against,
        probability("p of equality (clustered, two-sided)", found.p_equal),
        count("passages with a fact", found.clusters),
        points("standard error", found.standard_error),
        Count(label="method", value=found.method),
    )


def _worth(error: MatcherError | None) -> tuple[Count, ...]:
    if error is None:
        return (Count(label="the matcher's own error", value=NOT_MEASURED),)
    return (
        Count(label="the matcher's sensitivity (false facts judged unsupported)", value=share(error.sensitivity)),
        Count(label="the matcher's specificity (true facts judged supported)", value=share(error.specificity)),
        _ratio("what a registered point is worth", error.factor),
    )


def _ratio(label: str, value: float) -> Count:
    return Count(label=label, value=Quantity(value=value, unit=Unit.RATIO, digits=4))


def _with_judge(calibration: Calibration | None) -> tuple[Count, ...]:
    """The error of matcher and judge together: what decides, where a judge is measured."""
    if calibration is None:
        return ()
    error, read = calibration.error, calibration.read
    about = f"{read:,} labelled facts, {calibration.unheard:,} not answered, {calibration.unclear:,} unclear"
    return (
        Count(label="sensitivity with the judge", value=share(error.sensitivity)),
        Count(label="specificity with the judge", value=share(error.specificity)),
        _ratio("what a point is worth with the judge", error.factor),
        _ratio("its lower bound, which decides (clustered by passage, one-sided)", error.lower),
        Count(label="the judge was measured on", value=about),
    )


def _recalled(prefix: str, recall: Recall | None, alpha: float, readings: Sequence[Reading]) -> Figure:
    label, key = "Planted facts recalled", f"{prefix}recall"
    if recall is None:
        return Figure(key=key, label=label, value=NOT_MEASURED)
    cells = [reading.recall() for reading in readings]
    x = [cell.x_original if prefix else cell.x_build for cell in cells]
    m = [cell.m_build for cell in cells]
    counts = (count("recalled", sum(x)), count("of", sum(m)), *_interval(x, m, alpha))
    return Figure(key=key, label=label, value=share(sum(x) / sum(m)), counts=counts)


def _recall_difference(recall: Recall | None) -> Figure:
    label = "Planted facts recalled: difference from the original"
    if recall is None:
        return Figure(key="recall_difference", label=label, value=NOT_MEASURED)
    value = Quantity(value=recall.result.difference * 100, unit=Unit.POINTS, digits=2)
    return Figure(key="recall_difference", label=label, value=value, counts=_tested(recall.result))


def _amounts(prefix: str, own: Sequence[Side]) -> tuple[Figure, ...]:
    """How much one side writes about a passage: neither a terse build nor a wordy one wins."""
    made_up = sum(side.count(Kind.MADE_UP) for side in own)
    facts = sum(side.facts for side in own)
    rows = (
        ("facts_per_passage", "Facts a passage", facts),
        ("made_up_per_passage", "Made-up facts a passage", made_up),
    )
    return tuple(
        Figure(
            key=f"{prefix}{key}",
            label=label,
            value=Quantity(value=n / len(own), unit=Unit.RATIO, digits=2),
            counts=(count("facts", n), count("passages", len(own))),
        )
        for key, label, n in rows
    )


def effects(title: str, evidence: BuildEvidence, result: Result) -> tuple[Effect, ...]:
    """Both differences, drawn so that left of zero is worse. A control is drawn apart, being far off the others."""
    rows = []
    if result.rate is not None:
        found, x = result.rate.strict, result.rate.counts
        notes = (count("made up by the original", x.x_original), count("made up by the build", x.x_build))
        turned = (-found.difference, -found.upper, -found.lower)
        about = f"{title}: fewer than the original, in points of all facts"
        rows.append(_effect("made_up_facts", about, evidence, found, turned, notes))
    if result.recall is not None:
        found, x = result.recall.result, result.recall.counts
        notes = (count("recalled by the original", x.x_original), count("recalled by the build", x.x_build))
        straight = (found.difference, found.lower, found.upper)
        about = f"{title}: planted facts recalled, against the original"
        rows.append(_effect("made_up_facts, recall", about, evidence, found, straight, notes))
    return tuple(rows)


def _effect(
    chart: str,
    title: str,
    evidence: BuildEvidence,
    found: RatioDifference,
    row: tuple[float, float, float],
    notes: tuple[Count, ...],
) -> Effect:
    difference, lower, upper = row
    return Effect(
        chart=f"{chart}, control" if evidence.control else chart,
        title=f"{title}: the positive control" if evidence.control else title,
        label=evidence.build,
        difference=difference * 100,
        lower=lower * 100,
        upper=upper * 100,
        margin=None if found.margin is None else found.margin.fraction * 100,
        notes=(*notes, probability("p of equality", found.p_equal)),
    )


def folds(
    readings: Sequence[Reading], found: Sequence[Check], error: MatcherError | None, calibration: Calibration | None
) -> tuple[Fold, ...]:
    """By kind of text, the checks of the matcher, and the error by kind of wording, without and with a judge."""
    by_kind: dict[str, list[Reading]] = {}
    for reading in readings:
        by_kind.setdefault(reading.passage.kind, []).append(reading)
    columns = ("kind", "passages", *(f"{what}, {who}" for what in ("facts", "made up", "recall") for who in WHO))
    kinds = Fold(
        title="Made-up facts by kind of text (undecided ones among them)",
        columns=columns,
        rows=tuple(_kind(kind, inside) for kind, inside in by_kind.items()),
    )
    tried = Fold(
        title="Facts that are surely false, tried on the matcher",
        columns=("made false by", "tried", "supported", "share"),
        rows=tuple(_check(each) for each in found),
    )
    if error is None:
        return kinds, tried
    alone = _of_labels("The matcher's own error, by kind of labelled fact", error)
    if calibration is None:
        return kinds, tried, alone
    return kinds, tried, alone, _of_labels("Matcher and judge together, by kind of labelled fact", calibration.error)


def _of_labels(title: str, error: MatcherError) -> Fold:
    columns = ("labelled", "kind", "facts", "judged so", "undecided", "share judged so")
    tallies = [error.false, error.true, *error.kinds]
    return Fold(title=title, columns=columns, rows=tuple(map(_tally, tallies)))


WHO = ("the original", "the build")


def _kind(kind: str, inside: Sequence[Reading]) -> Row:
    rate = total([reading.rate(undecided_is_made_up=True) for reading in inside])
    recall = total([reading.recall() for reading in inside])
    return (
        kind,
        _whole(len(inside)),
        _whole(rate.m_original),
        _whole(rate.m_build),
        _of(rate.x_original, rate.m_original),
        _of(rate.x_build, rate.m_build),
        _of(recall.x_original, recall.m_original),
        _of(recall.x_build, recall.m_build),
    )


def _check(check: Check) -> Row:
    return (check.name, _whole(check.tried), _whole(check.supported), _of(check.supported, check.tried))


def _tally(tally: Tally) -> Row:
    label, kind = tally.label.replace("_", " "), tally.kind.replace("_", " ") or "all"
    counts = map(_whole, (tally.n, tally.right, tally.undecided))
    return (label, kind, *counts, _of(tally.right, tally.n))


def _whole(n: int) -> Quantity:
    return Quantity(value=n, unit=Unit.COUNT, digits=0)


def _of(x: int, m: int) -> Quantity | str:
    return share(x / m) if m else "none"
