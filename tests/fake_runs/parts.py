"""Verdicts of the six claims about one build, as the claims make them: the same labels, units, items and tables.

Every number is made up, and so is every text. A verdict has as many items as the claim itself hands over.
"""

import json
from collections.abc import Iterator, Sequence
from random import Random

from twx_accept.claims.cache_headroom.views import bars
from twx_accept.domain.evidence import Boot, BuildEvidence, Inventory
from twx_accept.domain.verdict import (
    Bar,
    Count,
    Effect,
    Figure,
    Fold,
    Item,
    Outcome,
    Quantity,
    Segment,
    Unit,
    Verdict,
)

QUESTIONS, SUBJECTS, CALLS, FACTS, POSITIONS = 14_042, 57, 600, 5_000, 82_712
EFFORTS = ("low", "high")
CASES = (
    *("one call", "two calls in one turn", "nested arguments", "a tool that must not be called"),
    *("the right tool out of twenty", "a two-turn loop"),
)
KINDS = ("prose", "generated documents", "code", "dialogue", "tables")
CARD, SHARDS = 288e9, 200
TEXT = (
    "the council of a small harbour town keeps its records in a stone house by the quay where every ship that came "
    "in after 1871 is named with its cargo its master and what he paid and which of them never came back"
)
WORDS = TEXT.split(" ")


def whole(label: str, value: float) -> Count:
    """A line with a whole number."""
    return Count(label=label, value=Quantity(value=value, unit=Unit.COUNT, digits=0))


def share(value: float) -> Quantity:
    """A share, 0 to 1."""
    return Quantity(value=value, unit=Unit.SHARE, digits=2)


def points(label: str, value: float) -> Count:
    """A line with percentage points."""
    return Count(label=label, value=Quantity(value=value, unit=Unit.POINTS, digits=2))


def p(label: str, value: float) -> Count:
    """A line with a probability."""
    return Count(label=label, value=Quantity(value=value, unit=Unit.PROBABILITY))


def prose(random: Random, words: int) -> str:
    """So many words that mean nothing."""
    text = " ".join(random.choice(WORDS) for _ in range(words))
    return text[:1].upper() + text[1:] + "."


def bounds(prefix: str, low: float, high: float) -> tuple[Count, Count]:
    """Two lines of an interval of a share."""
    return Count(label=prefix, value=share(low)), Count(label="upper bound", value=share(high))


def weight_size(build: str, ratio: float, *, gates: bool = True) -> Verdict:
    """Bytes on disk, with a row for each weight file and each module that is new."""
    original, size = 1.55e12, 1.55e12 * ratio

    def bar(label: str, value: float, note: str) -> Bar:
        segments = (Segment(label="weights", value=value),)
        return Bar(chart="weights", title="Weights", label=label, unit=Unit.BYTES, segments=segments, note=note)

    def figure(key: str, value: float) -> Figure:
        counts = (whole("bytes", value), whole("weight files", SHARDS), whole("tensors", 92_881))
        engine = Count(label="the engine says it loaded", value=Quantity(value=value, unit=Unit.BYTES, digits=3))
        amount = Quantity(value=value, unit=Unit.BYTES, digits=3)
        return Figure(key=key, label="Weights", value=amount, counts=(*counts, engine))

    files = [(f"model-{n:05}-of-{SHARDS:05}.safetensors", size / SHARDS, f"{n:064x}") for n in range(1, SHARDS + 1)]
    changes = tuple((f"model.layers.{n % 61}.mlp.experts.{n}.scale", "added") for n in range(320))
    return Verdict(
        claim="weight_size",
        title="Weight size",
        build=build,
        outcome=(Outcome.SHOWN if ratio <= 0.65 else Outcome.FAILED) if gates else Outcome.REPORTED,
        sentence=f"{build} has {ratio:.3f} of the original's bytes"
        + ("; the mark is 0.650." if gates else ". No mark is registered."),
        mark="at most 0.650 of the original's bytes" if gates else "",
        gates=gates,
        figures=(
            figure("original/bytes", original),
            figure("bytes", size),
            Figure(
                key="ratio",
                label="Weights, of the original",
                value=Quantity(value=ratio, unit=Unit.RATIO, digits=3),
                headline=True,
                counts=(whole(build, size), whole("the original", original)),
            ),
        ),
        bars=(bar("original", original, ""), bar(build, size, f"{ratio:.3f} of the original")),
        folds=(
            Fold(
                title=f"Weight files of the build ({SHARDS})",
                columns=("file", "bytes", "SHA-256"),
                rows=tuple(
                    (name, Quantity(value=bytes_, unit=Unit.COUNT, digits=0), sha) for name, bytes_, sha in files
                ),
            ),
            Fold(
                title="Modules dropped or added against the original (320)", columns=("module", "change"), rows=changes
            ),
        ),
    )


def cache_headroom(build: str, ratio: float, *, gates: bool = True) -> Verdict:
    """One card of each build to one scale, and its cache."""
    tokens, before = 900_000 * (1 + (1 - ratio) * 4), 900_000.0

    def card(label: str, weights: float) -> Bar:
        parts = (("weights", weights), ("cache", CARD * 0.88 - weights), ("the rest", CARD * 0.12))
        segments = tuple(Segment(label=name, value=value) for name, value in parts)
        title = "One card of each build"
        return Bar(chart="card", title=title, label=label, unit=Unit.BYTES, segments=segments, limit=CARD)

    def room(label: str, value: float) -> Bar:
        segments = (Segment(label="cache", value=value),)
        return Bar(chart="cache", title="Cache of each build", label=label, unit=Unit.TOKENS, segments=segments)

    def figure(key: str, value: float) -> Figure:
        said = (("conversations at the longest context", "3.62"), ("cache type", "fp8"), ("prefix caching", "true"))
        counts = tuple(Count(label=label, value=text) for label, text in said)
        amount = Quantity(value=value, unit=Unit.TOKENS, digits=0)
        return Figure(key=key, label="Cache", value=amount, counts=(*counts, Count(label="boots", value="1, 2")))

    return Verdict(
        claim="cache_headroom",
        title="Cache headroom",
        build=build,
        outcome=Outcome.SHOWN if gates else Outcome.REPORTED,
        sentence=f"{build} holds {tokens:,.0f} tokens, the original {before:,.0f}: {tokens / before:.3f} of it"
        + ("; the mark is 1.500." if gates else ". No mark is registered."),
        mark="at least 1.500 of the original's tokens" if gates else "",
        gates=gates,
        figures=(
            figure("original/tokens", before),
            figure("tokens", tokens),
            Figure(
                key="gain",
                label="Cache, of the original",
                value=Quantity(value=tokens / before, unit=Unit.RATIO, digits=3),
                headline=True,
                counts=(whole("tokens of the build", tokens), whole("tokens of the original", before)),
            ),
        ),
        bars=(card("original", 194e9), card(build, 194e9 * ratio), room("original", before), room(build, tokens)),
    )


def cards(build: str, ratio: float, totals: Sequence[int]) -> tuple[Bar, ...]:
    """What the claim draws of a build whose weights fill two thirds of all cards together, times ``ratio``."""
    slices = [0.67 * ratio * min(totals) / 2**30 * (1 + 0.002 * n) for n in range(len(totals))]
    boot = Boot(
        number=1,
        ready_seconds=200.0,
        engine_version="0.32.0",
        device="cuda",
        flags={},
        settings={},
        cache={},
        capacity_tokens=round(900_000 * (1 + (1 - ratio) * 4)),
        weights_gib=tuple(slices),
        cache_gib=tuple(0.88 * total / 2**30 - each for total, each in zip(totals, slices, strict=True)),
        cards=tuple(totals),
    )
    evidence = BuildEvidence(
        build=build,
        control=False,
        identity={},
        identity_digest="f" * 64,
        inventory=Inventory(weights={}, digests={}, tensors={}),
        boots=(boot,),
        exchanges={},
    )
    return bars(evidence, boot)


def multiple_choice(build: str, b: int, c: int, outcome: Outcome, **more: object) -> Verdict:
    """14,042 questions of 57 subjects, those that only one side has right as items."""
    random = Random(build)  # noqa: S311 - filler
    difference, half = (c - b) / QUESTIONS * 100, 1.96 * (b + c) ** 0.5 / QUESTIONS * 100

    def right(key: str, value: int) -> Figure:
        counts = (
            *(whole("right", value), whole("of", QUESTIONS)),
            Count(label="95% interval (Wilson), from", value=share(value / QUESTIONS - 0.005)),
            Count(label="to", value=share(value / QUESTIONS + 0.005)),
            whole("without a score", 0),
        )
        return Figure(key=key, label="Right answers", value=share(value / QUESTIONS), counts=counts)

    def effect(chart: str, title: str, label: str, at: float, air: float, *, folded: bool) -> Effect:
        notes = (whole("right only for the original", b), whole("right only for the build", c))
        margin = None if folded else 1.0
        last = whole("of", 246) if folded else p("p (McNemar)", 0.0003)
        return Effect(
            chart=chart,
            title=title,
            label=label,
            difference=at,
            lower=at - air,
            upper=at + air,
            margin=margin,
            notes=(*notes, last),
            folded=folded,
        )

    subjects = f"MMLU by subject, {build} (reported, not gated)"
    return Verdict(
        claim="mmlu",
        title="MMLU",
        build=build,
        outcome=outcome,
        sentence=f"{build} is {abs(difference):.2f} points below the original; at worst {half - difference:.2f}; "
        "the mark is 1.00. Measurably worse, within the mark.",
        mark="at most 1.00 points below the original",
        figures=(
            right("original/right", 12_900),
            right("right", 12_900 - b + c),
            Figure(
                key="difference",
                label="Difference from the original",
                value=Quantity(value=difference, unit=Unit.POINTS, digits=2),
                headline=True,
                counts=(
                    *(whole("right for both", 12_900 - b), whole("right only for the original", b)),
                    *(whole("right only for the build", c), whole("right for neither", QUESTIONS - 12_900 - c)),
                    *(points("lower bound (Tango, one-sided)", difference - half), points("upper bound", difference)),
                    *(p("p against a loss of the margin", 0.00001), p("p of equality (McNemar, exact)", 0.0003)),
                ),
            ),
        ),
        effects=(
            effect("multiple_choice", "MMLU: difference from the original", build, difference, half, folded=False),
            *(
                effect(f"by subject, {build}", subjects, f"subject {n:02}", random.gauss(-0.5, 1.2), 3.0, folded=True)
                for n in range(SUBJECTS)
            ),
        ),
        items=tuple(_question(random, n * QUESTIONS // (b + c), b / (b + c)) for n in range(b + c)),
        items_total=b + c,
        **more,  # type: ignore[arg-type]
    )


def _question(random: Random, place: int, lost: float) -> Item:
    text, choices = prose(random, 24), [prose(random, 7) for _ in range(4)]
    examples = "\n\n".join(f"{prose(random, 20)}\nA. a\nB. b\nC. c\nD. d\nAnswer: A" for _ in range(5))
    listed = "\n".join(f"{letter}. {choice}" for letter, choice in zip("ABCD", choices, strict=True))
    only_original = random.random() < lost
    answers = (f"A. {choices[0]}", f"C. {choices[2]}")
    return Item(
        id=f"mmlu-test-{place:05}",
        group=f"subject {place % SUBJECTS:02}",
        direction="right only for the original" if only_original else "right only for the build",
        title=text,
        body=(
            Count(label="prompt", value=f"{examples}\n\n{text}\n{listed}\nAnswer:"),
            Count(label="right answer", value=answers[0]),
            Count(label="the original's answer", value=answers[0] if only_original else answers[1]),
            Count(label="the build's answer", value=answers[1] if only_original else answers[0]),
            *(
                Count(
                    label=f"{letter}. {choice}",
                    value=f"original {-random.random() * 4:.4f}, build {-random.random() * 4:.4f} nats",
                )
                for letter, choice in zip("ABCD", choices, strict=True)
            ),
        ),
    )


def made_up_facts(build: str, outcome: Outcome, **more: object) -> Verdict:
    """5,000 facts of 360 passages; made-up, undecided and refused ones as items, the passage in each."""
    random = Random(build)  # noqa: S311 - filler

    def rate(key: str, label: str, x: int) -> Figure:
        counts = (
            *(whole("made up, undecided ones among them", x), whole("of", FACTS)),
            *bounds("lower bound (clustered by passage, one-sided)", x / FACTS - 0.008, x / FACTS + 0.008),
            *(whole("facts: supported", FACTS - x), whole("facts: made up", x - 20), whole("facts: undecided", 20)),
            *(whole("lines that are no facts", 31), whole("duplicates left out", 12), whole("passages refused", 2)),
            whole("passages cut short, counted in the worst way for the build", 1),
        )
        return Figure(key=key, label=label, value=share(x / FACTS), counts=counts)

    def difference(key: str, label: str, value: float, *, headline: bool = False) -> Figure:
        counts = (
            *(points("lower bound (clustered by passage, one-sided)", value - 0.7), points("upper bound", value + 0.7)),
            *(points("margin that decides", 0.91), p("p of equality (clustered, two-sided)", 0.31)),
            Count(label="verdict with undecided as made up", value=str(outcome)),
            Count(label="the matcher's own error", value="not measured"),
        )
        amount = Quantity(value=value, unit=Unit.POINTS, digits=2)
        return Figure(key=key, label=label, value=amount, counts=counts, headline=headline)

    def effect(chart: str, title: str, at: float) -> Effect:
        notes = (whole("made up by the original", 210), whole("made up by the build", 228), p("p of equality", 0.31))
        bounded = {"difference": at, "lower": at - 0.7, "upper": at + 0.7, "margin": 1.5}
        return Effect(chart=chart, title=title, label=build, notes=notes, **bounded)  # type: ignore[arg-type]

    columns = ("kind", "passages", "facts, the original", "facts, the build", "made up, the original")
    columns += ("made up, the build", "recall, the original", "recall, the build")
    numbers = [Quantity(value=value, unit=Unit.COUNT, digits=0) for value in (72, 1_004, 998)]
    shares = [share(value) for value in (0.041, 0.046, 0.93, 0.92)]
    return Verdict(
        claim="made_up_facts",
        title="Made-up facts",
        build=build,
        outcome=outcome,
        sentence=f"{build} makes up 4.56% of its facts, the original 4.20%: 0.36 points more, at worst 1.06 more; the "
        "mark is 1.50. It recalls 92.10% of the planted facts, the original 93.00%: 0.90 points fewer, at worst 1.60 "
        "fewer; the mark is 2.00. Within the marks.",
        mark="at most 1.50 points more made-up facts, and at most 2.00 points fewer planted facts recalled",
        figures=(
            rate("original/made_up", "Made-up facts", 210),
            rate("made_up", "Made-up facts", 228),
            difference("difference", "Made-up facts: difference from the original", 0.36, headline=True),
            rate("original/recall", "Planted facts recalled", 4_650),
            rate("recall", "Planted facts recalled", 4_605),
            difference("recall_difference", "Planted facts recalled: difference from the original", -0.9),
        ),
        effects=(
            effect("made_up_facts", "Made-up facts: fewer than the original, in points of all facts", -0.36),
            effect("made_up_facts, recall", "Made-up facts: planted facts recalled, against the original", -0.9),
        ),
        folds=(
            Fold(
                title="Made-up facts by kind of text (undecided ones among them)",
                columns=columns,
                rows=tuple((kind, *numbers, *shares) for kind in KINDS),
            ),
            Fold(
                title="Facts that are surely false, tried on the matcher",
                columns=("made false by", "tried", "supported", "share"),
                rows=tuple((how, *numbers[:2], share(0.002)) for how in ("another number", "another name", "negation")),
            ),
        ),
        items=tuple(_fact(random, n) for n in range(300)),
        items_total=471,
        **more,  # type: ignore[arg-type]
    )


def _fact(random: Random, n: int) -> Item:
    directions = ("made up by the build", "made up by the original", "undecided", "supported by another passage")
    side = "original" if n % 4 == 1 else "build"
    passage, fact, name = prose(random, 130), prose(random, 12), f"harbour-{n % 360:03}"
    return Item(
        id=f"facts-{name}-{side[0]}{n}",
        group=KINDS[n % len(KINDS)],
        direction=directions[n % len(directions)],
        title=fact,
        body=(
            Count(label="fact", value=fact),
            Count(label="written by", value=f"the {side}"),
            Count(label="why", value="1871 is not among the numbers of the nearest sentence (1,204 and 1869)"),
            Count(label="nearest sentence", value=prose(random, 20)),
            Count(label=f"passage {name}", value=passage),
        ),
    )


def tool_calls(build: str, outcome: Outcome, **more: object) -> Verdict:
    """600 trials at each of two efforts; those that one side or both fail as items, with the raw output of each."""
    random = Random(build)  # noqa: S311 - filler
    figures: list[Figure] = []
    for effort, gap in zip(EFFORTS, (-0.67, -1.17), strict=True):
        for key, passed in ((f"original/passed {effort}", 571), (f"passed {effort}", 565)):
            counts = (
                *(whole("passed", passed), whole("of", CALLS)),
                Count(label="95% interval (Clopper-Pearson), from", value=share(passed / CALLS - 0.02)),
                Count(label="to", value=share(passed / CALLS + 0.015)),
                *(whole("lost or changed by the server's parser", 3), whole("truncated", 2)),
            )
            label = f"Trials passed, {effort} effort"
            figures.append(Figure(key=key, label=label, value=share(passed / CALLS), counts=counts))
        figures.append(
            Figure(
                key=f"difference {effort}",
                label=f"Difference from the original, {effort} effort",
                value=Quantity(value=gap, unit=Unit.POINTS, digits=2),
                headline=effort == "high",
                counts=(
                    *(whole("passed by both", 560), whole("passed only by the original", 11)),
                    *(whole("passed only by the build", 5), whole("passed by neither", 24)),
                    *(points("lower bound (Tango, one-sided)", gap - 1.4), points("upper bound", gap + 1.2)),
                ),
            )
        )
        for key in (f"original/tokens {effort}", f"tokens {effort}"):
            amount = Quantity(value=412.4, unit=Unit.TOKENS, digits=1)
            counts = (whole("turns", 700), whole("tokens written", 288_680))
            figures.append(
                Figure(key=key, label=f"Tokens written a turn, {effort} effort", value=amount, counts=counts)
            )
    effects = tuple(
        Effect(
            chart="tool_calls",
            title="Tool calls: difference from the original",
            label=f"{build}, {effort}",
            difference=gap,
            lower=gap - 1.4,
            upper=gap + 1.2,
            margin=5.0,
            notes=(whole("passed only by the original", 11), whole("passed only by the build", 5), whole("of", CALLS)),
        )
        for effort, gap in zip(EFFORTS, (-0.67, -1.17), strict=True)
    )
    rows = tuple(
        (effort, case, *_numbers(97, 95, 100), share(0.89), share(0.98)) for effort in EFFORTS for case in CASES
    )
    system = prose(random, 900)
    items = tuple(_trial(random, n) for n in range(80))
    return Verdict(
        claim="tool_calls",
        title="Tool calls",
        build=build,
        outcome=outcome,
        sentence=f"At low effort {build} is 0.67 points below the original; at worst 2.07; the mark is 5.00. Within "
        f"the mark. At high effort {build} is 1.17 points below the original; at worst 2.57; the mark is 5.00. Within "
        "the mark.",
        mark="at most 5.00 points below the original at every effort",
        figures=tuple(figures),
        effects=effects,
        folds=(
            Fold(
                title="Trials passed by case (reported, not gated)",
                columns=("effort", "case", "original", "build", "of", "95% from", "to"),
                rows=rows,
            ),
            Fold(
                title="Why trials fail",
                columns=("effort", "reason", "original", "build"),
                rows=tuple((effort, "arguments are no JSON", *_numbers(9, 12)) for effort in EFFORTS),
            ),
            Fold(
                title="The prompt as the model read it (one_call-07)",
                columns=("effort", "prompt"),
                rows=tuple((effort, f"<|im_system|>{system}\n<|im_user|>{effort}") for effort in EFFORTS),
            ),
        ),
        items=items,
        items_total=len(items),
        **more,  # type: ignore[arg-type]
    )


def _numbers(*values: float) -> Sequence[Quantity]:
    return [Quantity(value=value, unit=Unit.COUNT, digits=0) for value in values]


def _trial(random: Random, n: int) -> Item:
    effort, case = EFFORTS[n % 2], CASES[n % len(CASES)]
    wanted = [{"name": "book_berth", "arguments": {"ship": "Aurora", "nights": 3}}]
    directions = ("passed only by the original", "passed only by the build", "passed by neither", "without a score")
    return Item(
        id=f"tools-{case.replace(' ', '_')}-{n:03}-{effort}",
        group=f"{case}, {effort} effort",
        direction=directions[min(n // 16, 3) if n < 20 else 2],
        title=prose(random, 22),
        body=(
            Count(label="prompt", value=prose(random, 60)),
            Count(label="expected", value=json.dumps(wanted, indent=1)),
            *(each for who in ("the original", "the build") for each in _told(random, who, wanted)),
        ),
    )


def _told(random: Random, who: str, wanted: object) -> Iterator[Count]:
    raw = f"<think>{prose(random, 220)}</think><|tool_call_begin|>functions.book_berth:0 {json.dumps(wanted)[:-9]}"
    message = {
        "role": "assistant",
        "reasoning": prose(random, 220),
        "tool_calls": [{"id": "call_1", "type": "function"}],
    }
    yield Count(label=who, value="arguments are no JSON: Expecting ',' delimiter at character 41")
    yield Count(label=f"{who}, raw output", value=raw)
    yield Count(label=f"{who}, message", value=json.dumps(message, indent=1))


def agreement(build: str, value: float, outcome: Outcome, **more: object) -> Verdict:
    """82,712 positions of 300 passages; the positions at which the build departs most surely as items."""
    random = Random(build)  # noqa: S311 - filler
    agreed = round(value * POSITIONS)

    def part(label: str, n: int) -> tuple[Quantity | str, ...]:
        nats, distance = (
            Quantity(value=0.021, unit=Unit.LOGPROB, digits=4),
            Quantity(value=0.06, unit=Unit.RATIO, digits=4),
        )
        return (label, *_numbers(n), share(value), share(value + 0.001), nats, distance)

    def perplexity(key: str, amount: float) -> Figure:
        value = Quantity(value=amount, unit=Unit.RATIO, digits=3)
        return Figure(key=key, label="Perplexity of the passages", value=value, counts=(whole("positions", POSITIONS),))

    def effect(chart: str, title: str, label: str, margin: float | None, *, folded: bool) -> Effect:
        at = (value - 1) * 100
        notes = (whole("agrees", agreed), whole("of", POSITIONS))
        bounded = {"difference": at, "lower": at - 0.4, "upper": at + 0.4, "margin": margin}
        return Effect(chart=chart, title=title, label=label, notes=notes, folded=folded, **bounded)  # type: ignore[arg-type]

    columns = ("positions", "agrees", "agrees, ties allowed", "drift at least", "total variation at most")
    departed = POSITIONS - agreed
    return Verdict(
        claim="agreement",
        title="Agreement and drift",
        build=build,
        outcome=outcome,
        sentence=f"{build} picks the original's next token at {value:.2%} of {POSITIONS:,} positions; at worst "
        f"{value - 0.004:.2%}; the mark is 90.00%. Within the mark. Its word choices drift by 0.0213 nats at least.",
        mark="at least 90.00% of positions agree",
        figures=(
            perplexity("original/perplexity", 7.412),
            perplexity("perplexity", 7.498),
            Figure(
                key="agreement",
                label="Next token agrees with the original's",
                value=share(value),
                headline=True,
                counts=(
                    *(whole("agrees", agreed), whole("of", POSITIONS), whole("passages", 300)),
                    *bounds("lower bound (clustered by passage, one-sided)", value - 0.004, value + 0.004),
                    whole("positions with a tie at the top, on either side", 311),
                    Count(
                        label="what a build would agree on that always says the original's commonest token",
                        value=share(0.041),
                    ),
                ),
            ),
            Figure(
                key="drift",
                label="Drift from the original, at least",
                value=Quantity(value=0.0213, unit=Unit.LOGPROB, digits=4),
                counts=(
                    Count(
                        label="what it is", value="mean Kullback-Leibler divergence from the original, a lower bound"
                    ),
                    Count(label="unresolved probability", value=share(0.0121)),
                ),
            ),
            Figure(
                key="full_ratio",
                label="Drift bound, of the whole divergence",
                value="not measured: the engine has no whole distribution for beginnings of this length",
            ),
        ),
        effects=(
            effect("agreement", "Agreement and drift: below full agreement", build, 10.0, folded=False),
            *(
                effect(f"agreement by kind, {build}", f"Agreement by kind of passage, {build}", kind, None, folded=True)
                for kind in KINDS
            ),
        ),
        folds=(
            Fold(
                title="By position",
                columns=("positions", *columns),
                rows=tuple(part(label, 9_600) for label in ("1 to 32", "33 to 128", "129 to 512")),
            ),
            Fold(
                title="By how sure the original is: its top token's log-probability above its second's (nats)",
                columns=("gap", *columns),
                rows=tuple(part(label, 9_000) for label in ("0 (a tie)", "above 0, to 0.1", "above 0.1, to 0.25")),
            ),
        ),
        items=tuple(_departure(random, n) for n in range(min(300, departed))),
        items_total=departed,
        **more,  # type: ignore[arg-type]
    )


def _departure(random: Random, n: int) -> Item:
    here, there = f" {random.choice(WORDS)}", f" {random.choice(WORDS)}"
    passage = f"prose-{n % 300:02}"
    return Item(
        id=f"passages-{passage}-{n + 1}",
        group=KINDS[n % len(KINDS)],
        direction="another next token",
        title=f"{passage}, position {n + 1}: {here!r} became {there!r}",
        body=(
            Count(label="the text before", value=prose(random, 40)[-240:]),
            Count(label="the next token of the text", value=f"{here!r}: original 0.8123, build 0.1021"),
            Count(label="the original's next token", value=f"{here!r}: original 0.8123, build 0.1021"),
            Count(label="the build's next token", value=f"{there!r}: original not among its likeliest, build 0.7712"),
            Count(label="drift here, at least", value="1.2034 nats"),
        ),
    )
