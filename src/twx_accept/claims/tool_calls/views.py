"""What a reader sees of the trials: figures with their counts, cases, reasons, and every trial that is not right."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from twx_accept.claims._lines import count, points, probability, share
from twx_accept.claims.tool_calls.answer import Answer, NotAMessage
from twx_accept.claims.tool_calls.asking import FINAL, PROMPT, STREAM, key, message_of, text_of
from twx_accept.claims.tool_calls.outcomes import Found, Outcome, Pair, counts, sides
from twx_accept.claims.tool_calls.scoring import by_value
from twx_accept.claims.tool_calls.tasks import WORDS, Task
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Unscored
from twx_accept.domain.verdict import Count, Effect, Figure, Fold, Item, Quantity, Unit
from twx_accept.statistics.paired import NonInferiority, mcnemar
from twx_accept.statistics.proportion import clopper_pearson

CONFIDENCE = 0.95

By = Mapping[str, Sequence[Pair]]
Tests = Mapping[str, NonInferiority]


def figures(pairs: By, tests: Tests) -> tuple[Figure, ...]:
    """Per effort: how many trials pass, how far that is from the original, and what a call takes.

    The effort with the lowest bound is the one that the claim hangs on.
    """
    hangs = min(tests, key=lambda effort: tests[effort].lower)
    found: list[Figure] = []
    for effort, each in pairs.items():
        original, build = [pair.original for pair in each], [pair.build for pair in each]
        found += [
            _passed(f"original/passed {effort}", effort, original),
            _passed(f"passed {effort}", effort, build),
            _difference(effort, each, tests[effort], headline=effort == hangs),
            _tokens(f"original/tokens {effort}", effort, original),
            _tokens(f"tokens {effort}", effort, build),
        ]
    return tuple(found)


def _passed(name: str, effort: str, side: Sequence[Outcome]) -> Figure:
    passed, n = sum(each.right for each in side), len(side)
    interval = clopper_pearson(passed, n, CONFIDENCE)
    scores = [score for each in side for score in each.scores]
    lost = [each for each in side if any(score.parser_loss for score in each.scores)]
    values = [score.values_right for each in side for score in each.scores if score.values_right is not None]
    return Figure(
        key=name,
        label=f"Trials passed, {effort} effort",
        value=share(passed / n),
        counts=(
            count("passed", passed),
            count("of", n),
            Count(label="95% interval (Clopper-Pearson), from", value=share(interval.lower)),
            Count(label="to", value=share(interval.upper)),
            count("lost or changed by the server's parser", len(lost)),
            count("of these right as the model wrote them", sum(score.rescued for score in scores)),
            count("mended by the server's parser", sum(score.mended for score in scores)),
            count("truncated", sum(score.reason == "truncated" for score in scores)),
            count("turns with the values asked for (not gated)", sum(values)),
            count("of turns whose values are known", len(values)),
            count("without a score", sum(each.unscored is not None for each in side)),
        ),
    )


def _difference(effort: str, pairs: Sequence[Pair], test: NonInferiority, *, headline: bool) -> Figure:
    seen = counts(pairs)
    return Figure(
        key=f"difference {effort}",
        label=f"Difference from the original, {effort} effort",
        value=Quantity(value=test.difference * 100, unit=Unit.POINTS, digits=2),
        headline=headline,
        counts=(
            count("passed by both", seen.both),
            count("passed only by the original", seen.only_original),
            count("passed only by the build", seen.only_build),
            count("passed by neither", seen.neither),
            points("lower bound (Tango, one-sided)", test.lower),
            points("upper bound", test.upper),
            probability("p of equality (McNemar, exact, two-sided)", mcnemar(test.b, test.c).exact),
        ),
    )


def _tokens(name: str, effort: str, side: Sequence[Outcome]) -> Figure:
    turns = [turn for each in side for turn in each.turns if not isinstance(turn.score, Unscored)]
    written, thought = sum(turn.tokens for turn in turns), sum(turn.thought for turn in turns)
    return Figure(
        key=name,
        label=f"Tokens written a turn, {effort} effort",
        value=Quantity(value=written / len(turns), unit=Unit.TOKENS, digits=1) if turns else "none",
        counts=(
            count("turns", len(turns)),
            count("tokens written", written),
            count("characters of thinking", thought),
        ),
    )


def effects(evidence: BuildEvidence, pairs: By, tests: Tests, *, margin: float | None) -> tuple[Effect, ...]:
    """The difference at each effort with its pass mark."""
    control = evidence.control
    return tuple(
        Effect(
            chart="tool_calls, control" if control else "tool_calls",
            title="Tool calls: the positive control" if control else "Tool calls: difference from the original",
            label=f"{evidence.build}, {effort}",
            difference=test.difference * 100,
            lower=test.lower * 100,
            upper=test.upper * 100,
            margin=margin,
            notes=(
                count("passed only by the original", test.b),
                count("passed only by the build", test.c),
                count("of", len(pairs[effort])),
            ),
        )
        for effort, test in tests.items()
    )


def by_case(pairs: By) -> Fold:
    """Each case at each effort with Clopper-Pearson bounds, reported and never gated."""
    rows: list[tuple[Quantity | str, ...]] = []
    for effort, each in pairs.items():
        for case in dict.fromkeys(pair.task.case for pair in each):
            mine = [pair for pair in each if pair.task.case == case]
            passed = sum(pair.build.right for pair in mine)
            interval = clopper_pearson(passed, len(mine), CONFIDENCE)
            before = sum(pair.original.right for pair in mine)
            whole = [Quantity(value=value, unit=Unit.COUNT, digits=0) for value in (before, passed, len(mine))]
            rows.append((effort, WORDS[case], *whole, share(interval.lower), share(interval.upper)))
    columns = ("effort", "case", "original", "build", "of", "95% from", "to")
    return Fold(title="Trials passed by case (reported, not gated)", columns=columns, rows=tuple(rows))


def by_reason(pairs: By) -> Fold:
    """Why trials fail, on both sides."""
    rows: list[tuple[Quantity | str, ...]] = []
    for effort, each in pairs.items():
        failed = [Counter(_reason(outcome) for outcome in side if not outcome.right) for side in sides(each)]
        for reason in sorted(set(failed[0]) | set(failed[1]), key=lambda reason: -failed[1][reason]):
            numbers = [Quantity(value=side[reason], unit=Unit.COUNT, digits=0) for side in failed]
            rows.append((effort, reason, *numbers))
    rows = rows or [("every effort", "no trial fails", "", "")]
    return Fold(title="Why trials fail", columns=("effort", "reason", "original", "build"), rows=tuple(rows))


def _reason(outcome: Outcome) -> str:
    score = outcome.deciding.score
    if isinstance(score, Unscored):
        return "without a score"
    return str(score.reason or "right")


def streams(tasks: Sequence[Task], samples: set[str], efforts: Sequence[str], found: Found) -> Fold:
    """One trial of each case asked again as a stream: the engine reads streams with other code."""
    rows: list[tuple[Quantity | str, ...]] = []
    for task in tasks:
        for effort in efforts if task.id in samples else ():
            whole = message_of(found.get(key(task.id, effort)))
            streamed = message_of(found.get(key(task.id, effort + STREAM)))
            rows.append((effort, WORDS[task.case], _alike(whole, streamed)))
    return Fold(
        title="As a stream and at once (one trial of each case)", columns=("effort", "case", "what"), rows=tuple(rows)
    )


def _alike(whole: Mapping[str, object] | None, streamed: Mapping[str, object] | None) -> str:
    if whole is None or streamed is None:
        return "one of them has no answer"
    differ = [
        field for field in ("content", "reasoning", "tool_calls") if _said(whole, field) != _said(streamed, field)
    ]
    return f"differ in {', '.join(differ)}" if differ else "the stream says what the whole answer says"


def _said(message: Mapping[str, object], field: str) -> object:
    """A field without what is drawn or spelt anew each time: the calls' ids, and blanks in their arguments."""
    value = message.get(field)
    if field != "tool_calls":
        return value or ""
    try:
        return [(call.name, by_value(call.arguments)) for call in Answer.of({field: value}).calls]
    except NotAMessage:
        return value


def prompts(task: Task, efforts: Sequence[str], found: Found) -> Fold:
    """The first trial as the template rendered it at each effort: proof that the effort reached it."""
    rows = tuple((effort, text_of(found.get(key(task.id, effort + PROMPT))) or "not decoded") for effort in efforts)
    return Fold(title=f"The prompt as the model read it ({task.id})", columns=("effort", "prompt"), rows=rows)


def items(pairs: By) -> tuple[Item, ...]:
    """Every trial that one side or both do not pass, what only one passes first."""
    found = [
        _item(effort, pair)
        for effort, each in pairs.items()
        for pair in each
        if not (pair.original.right and pair.build.right)
    ]
    return tuple(sorted(found, key=lambda item: item.direction == NEITHER))


NEITHER = "passed by neither"


def _item(effort: str, pair: Pair) -> Item:
    direction = NEITHER
    if pair.original_right != pair.build_right:
        direction = "passed only by the original" if pair.original_right else "passed only by the build"
    if pair.original.unscored or pair.build.unscored:
        direction = "without a score"
    wanted = [{"name": call.name, "arguments": call.arguments} for call in pair.task.expected]
    return Item(
        id=f"tools-{pair.task.id}-{effort}",
        group=f"{WORDS[pair.task.case]}, {effort} effort",
        direction=direction,
        title=str(pair.task.messages[-1].get("content", ""))[:200],
        body=(
            Count(label="prompt", value=pair.task.text),
            Count(label="expected", value=_json(wanted) if wanted else "a positive answer in words, and no call"),
            *_told("the original", pair.original),
            *_told("the build", pair.build),
        ),
    )


def _told(who: str, outcome: Outcome) -> tuple[Count, ...]:
    turn = outcome.deciding
    score = turn.score
    turned = " (after the tool's answer)" if turn is outcome.turns[-1] and len(outcome.turns) > 1 else ""
    if isinstance(score, Unscored):
        why = f"no score: {score.reason}"
    else:
        marks = [
            *(["lost by the parser"] if score.parser_loss else []),
            *(["right as written"] if score.rescued else []),
        ]
        why = "passes" if score.right else f"{score.reason}: {score.detail}" if score.detail else str(score.reason)
        why += f" ({', '.join(marks)})" if marks else ""
    return (
        Count(label=f"{who}{turned}", value=why),
        Count(label=f"{who}, raw output", value=turn.raw or "none"),
        Count(label=f"{who}, message", value=_json(_shown(turn.message)) if turn.message else "none"),
    )


def _shown(message: Mapping[str, object]) -> Mapping[str, object]:
    """The fields of a message that say something."""
    return {name: value for name, value in message.items() if value not in (None, [], "")}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def numbers(pairs: By, tests: Tests) -> Mapping[str, float | int | str]:
    """The unrounded numbers behind the decision, by effort."""
    found: dict[str, float | int | str] = {}
    for effort, test in tests.items():
        original, build = sides(pairs[effort])
        found |= {
            f"{effort}_n": test.n,
            f"{effort}_b": test.b,
            f"{effort}_c": test.c,
            f"{effort}_difference": test.difference,
            f"{effort}_lower": test.lower,
            f"{effort}_upper": test.upper,
            f"{effort}_passed_original": sum(each.right for each in original),
            f"{effort}_passed_build": sum(each.right for each in build),
            f"{effort}_parser_losses": sum(score.parser_loss for each in build for score in each.scores),
            f"{effort}_rescued": sum(score.rescued for each in build for score in each.scores),
        }
    return found


__all__ = ["FINAL", "by_case", "by_reason", "effects", "figures", "items", "numbers", "prompts", "streams"]
