"""The verdict in words."""

from twx_accept.claims._words import SIGNIFICANT, percent, points
from twx_accept.claims.made_up_facts.deciding import Rate, Recall, Result
from twx_accept.domain.verdict import Outcome
from twx_accept.statistics.clustered import RatioDifference


def sentence(build: str, result: Result, outcome: Outcome) -> str:
    """What was found, beside the marks that there are, and what it comes to."""
    parts = [_rate(build, result.rate), _recall(result.recall), _end(result, outcome)]
    return " ".join(part for part in parts if part)


def uninformative(build: str, result: Result) -> str:
    """That the comparison says nothing, because the original cannot do what is asked."""
    parts = [_rate(build, result.rate), _recall(result.recall)]
    return " ".join([*filter(None, parts), "The original is too weak at this for that to mean anything."])


def undecidable(build: str, result: Result) -> str:
    """That the comparison decides nothing, because nobody knows how well facts are judged."""
    parts = [_rate(build, result.rate), _recall(result.recall)]
    return " ".join([*filter(None, parts), "What a point of that is worth is not known."])


def uncounted(build: str, of_build: int, of_original: int, passages: int) -> str:
    """That answers were cut short or missing, and how they count: without it the rates would be misread."""
    sides = [(build, of_build, "all made up"), ("the original", of_original, "none made up")]
    told = [f"{n} of {passages} answers of {who} ({how})" for who, n, how in sides if n]
    return f"Cut short or missing, and counted in the worst way: {' and '.join(told)}." if told else ""


def _rate(build: str, rate: Rate | None) -> str:
    if rate is None:
        return f"{build} or the original wrote no fact, so that nothing can be said of made-up ones."
    found = rate.strict
    head = f"{build} makes up {percent(found.build)} of its facts, the original {percent(found.original)}"
    gap = _gap(found.difference, "more", "fewer")
    if found.margin is None:
        return f"{head}: {gap}."
    bounds = max(rate.strict.upper, rate.lenient.upper), min(rate.strict.lower, rate.lenient.lower)
    bound = _bound(rate.outcome, worst=bounds[0], best=bounds[1], more="more", fewer="fewer")
    return f"{head}: {gap}, {bound}; the mark is {points(found.margin.fraction)}."


def _recall(recall: Recall | None) -> str:
    if recall is None:
        return ""
    found = recall.result
    head = (
        f"It recalls {percent(found.build)} of the planted facts, the original {percent(found.original)}: "
        f"{_gap(-found.difference, 'fewer', 'more')}"
    )
    if found.margin is None:
        return f"{head}."
    bound = _bound(found.outcome, worst=-found.lower, best=-found.upper, more="fewer", fewer="more")
    return f"{head}, {bound}; the mark is {points(found.margin.fraction)}."


def _gap(worse: float, more: str, fewer: str) -> str:
    """A difference of which more is worse, in words."""
    return f"{points(worse)} points {more if worse >= 0 else fewer}"


def _bound(outcome: Outcome, *, worst: float, best: float, more: str, fewer: str) -> str:
    """The bound that matters, in the words of its own side."""
    if outcome is Outcome.FAILED:
        return f"at best {points(best)} {more if best >= 0 else fewer}"
    return f"at worst {points(worst)} {more if worst >= 0 else fewer}"


def _end(result: Result, outcome: Outcome) -> str:
    if outcome is Outcome.REPORTED:
        return "No mark is registered."
    if outcome is Outcome.SHOWN:
        return f"{_measurably(result)}ithin the marks."
    failed = _which(result, Outcome.FAILED)
    if failed:
        return f"Worse than the mark{'s' if len(failed) > 1 else ''} {' and '.join(failed)}."
    if result.rate is not None and result.rate.strict.outcome is not result.rate.lenient.outcome:
        return (
            "What the matcher leaves undecided decides: with undecided facts taken as made up it is "
            f"{result.rate.strict.outcome}, with them taken as supported {result.rate.lenient.outcome}."
        )
    unresolved = _which(result, Outcome.NOT_SHOWN)
    return f"This set cannot resolve the mark{'s' if len(unresolved) > 1 else ''} {' and '.join(unresolved)}."


def _which(result: Result, outcome: Outcome) -> list[str]:
    """The gates that come to that outcome."""
    rate = Outcome.NOT_SHOWN if result.rate is None else result.rate.outcome
    recall = Outcome.NOT_SHOWN if result.recall is None else result.recall.result.outcome
    return [name for name, found in (("of made-up facts", rate), ("of recall", recall)) if found is outcome]


def _measurably(result: Result) -> str:
    """Which way a build within the marks still differs; the beginning of the sentence "within the marks"."""
    told = []
    if result.rate is not None and (way := _way(result.rate.strict, lower_is_better=True)):
        told.append(f"measurably {way} in made-up facts")
    if result.recall is not None and (way := _way(result.recall.result, lower_is_better=False)):
        told.append(f"measurably {way} in recall")
    return f"{', '.join(told)}, w".capitalize() if told else "W"


def _way(found: RatioDifference, *, lower_is_better: bool) -> str:
    if found.p_equal >= SIGNIFICANT or found.difference == 0:
        return ""
    return "better" if (found.difference < 0) is lower_is_better else "worse"
