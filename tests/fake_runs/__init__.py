"""Whole runs of the six claims, at the size of the published ones, in each state that a run can be left in.

No server and no evidence is behind them: they are what a report is made from, for tests and benchmarks of reports.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from typing import Any

from fake_runs import parts
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.run import RunRecord, Setting, Timing, Waiver
from twx_accept.domain.verdict import Bar, Outcome, Unit, Verdict

TITLES = {"original": "Kimi K3.1 Pro", "twx2.5": "TWX2.5", "twx3": "TWX3", "twx-small": "TWX small"}
CONTROL = "twx-damaged"
RATIOS = {"twx2.5": 0.534, "twx3": 0.643, "twx-small": 0.412, CONTROL: 1.0}
CLAIMS = ("Weight size", "Cache headroom", "MMLU", "Made-up facts", "Tool calls", "Agreement and drift")


def about(build: str) -> tuple[Verdict, ...]:
    """The six verdicts on one build, all shown."""
    shown = Outcome.SHOWN
    return (
        parts.weight_size(build, RATIOS[build]),
        parts.cache_headroom(build, RATIOS[build]),
        parts.multiple_choice(build, *{"twx2.5": (301, 218), "twx3": (267, 187)}.get(build, (350, 260)), shown),
        parts.made_up_facts(build, shown),
        parts.tool_calls(build, shown),
        parts.agreement(build, {"twx2.5": 0.931, "twx3": 0.958}.get(build, 0.917), shown),
    )


def control() -> tuple[Verdict, ...]:
    """The build that was damaged on purpose, caught by the claims that can catch it."""
    labels = ("control",)
    return (
        replace(parts.weight_size(CONTROL, 1.0, gates=False), labels=labels),
        replace(parts.cache_headroom(CONTROL, 1.0, gates=False), labels=labels),
        parts.multiple_choice(CONTROL, 3_140, 190, Outcome.FAILED, labels=labels),
        parts.made_up_facts(CONTROL, Outcome.NOT_SHOWN, labels=labels),
        parts.tool_calls(CONTROL, Outcome.FAILED, labels=labels),
        parts.agreement(CONTROL, 0.611, Outcome.FAILED, labels=labels),
    )


def record(*builds: str, **changes: object) -> RunRecord:
    """A whole run of these builds, with changes to the record."""
    everyone = ("original", *builds)
    verdicts = tuple(each for build in builds for each in (control() if build == CONTROL else about(build)))
    run = RunRecord(
        suite="kimi-k3.1",
        suite_title="Kimi K3.1 Pro on eight cards",
        demonstration=False,
        date="2026-11-30T03:02:23+00:00",
        command="pytest -m acceptance --suite kimi-k3.1",
        original="original",
        builds=builds,
        planned=tuple((title, build) for build in builds for title in CLAIMS),
        verdicts=verdicts,
        settings=tuple(_settings(everyone)),
        timings=tuple(
            Timing(build=build, phase=phase, seconds=207.8, asked=14_042)
            for build in everyone
            for phase in ("boot", *CLAIMS[2:], "stop")
        ),
        control="caught" if CONTROL in builds else "none in this suite",
        titles={build: TITLES[build] for build in everyone if build in TITLES},
        controls=(CONTROL,) if CONTROL in builds else (),
        attempts=dict.fromkeys(everyone, 1),
        registered="before the run (ledger entry 1; head 0123456789ab)",
    )
    return replace(run, **changes)  # type: ignore[arg-type]


def _settings(everyone: tuple[str, ...]) -> list[Setting]:
    def same(group: str, label: str, value: str) -> Setting:
        return Setting(group=group, label=label, values=dict.fromkeys(everyone, value))

    def each(group: str, label: str, beginning: str) -> Setting:
        return Setting(group=group, label=label, values={build: f"{beginning}{build}" for build in everyone})

    return [
        same("Machine", "accelerators", "8 x NVIDIA B300 SXM6 AC, 288 GB"),
        *(same("Engine", name, "0.32.0") for name in ("vllm", "torch", "transformers", "compressed-tensors")),
        *(same("Flags", name, "8") for name in ("tensor_parallel_size", "max_model_len", "seed", "max_num_seqs")),
        each("Model", "config.json", "0123456789abcdef0123456789abcdef0123456789abcdef01234567"),
        each("Evidence", "identity", "f" * 56),
        *(same(f"Mark: {title}", "decision", "at most the mark") for title in CLAIMS),
        same("Mark: MMLU", "prompts_sha256", "ab" * 32),
    ]


def with_verdict(run: RunRecord, title: str, **changes: object) -> RunRecord:
    """The run in which the first build's verdict on one claim is changed."""
    changed = [
        replace(each, **changes) if (each.title, each.build) == (title, run.builds[0]) else each  # type: ignore[arg-type]
        for each in run.verdicts
    ]
    return replace(run, verdicts=tuple(changed))


def brief(run: RunRecord) -> RunRecord:
    """The run with little of everything that there is much of: a few items, rows and subjects of each verdict."""

    def cut(each: Verdict) -> Verdict:
        folds = tuple(replace(fold, rows=fold.rows[:2]) for fold in each.folds)
        return replace(each, items=each.items[:: max(1, len(each.items) // 2)], effects=each.effects[:3], folds=folds)

    return replace(run, verdicts=tuple(map(cut, run.verdicts)), floor=tuple(map(cut, run.floor)))


_STRUCTURE = {
    "claim",
    "build",
    "builds",
    "original",
    "one",
    "other",
    "key",
    "chart",
    "id",
    "outcome",
    "unit",
    "controls",
}
_STRUCTURE |= {"date", "control", "noise_floor", "statistics", "attempts", "suite"}


def with_text(value: Any, text: str) -> Any:
    """The run, or a part of it, in which ``text`` follows the beginning of every text that is not a name or a key."""
    if isinstance(value, StrEnum):
        return value
    if isinstance(value, str):
        return f"{value[:20]} {text}" if value else value
    if isinstance(value, tuple):
        return tuple(with_text(each, text) for each in value)
    if isinstance(value, dict):
        return {name: with_text(each, text) for name, each in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {each.name: getattr(value, each.name) for each in fields(value) if each.name not in _STRUCTURE}
    if "planned" in changes:
        changes["planned"] = tuple((with_text(title, text), build) for title, build in changes["planned"])
    rest = {name: each if name == "planned" else with_text(each, text) for name, each in changes.items()}
    return replace(value, **rest)


def texts_of(value: Any) -> Iterator[str]:
    """Every text of a run, or of a part of it, that :func:`with_text` follows."""
    if isinstance(value, str) and not isinstance(value, StrEnum):
        yield value
    elif isinstance(value, tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_of(each)
    elif is_dataclass(value):
        for each in fields(value):
            if each.name not in _STRUCTURE:
                yield from texts_of(getattr(value, each.name))


def beside(run: RunRecord) -> RunRecord:
    """The run with a noise floor, and its first two builds against each other."""
    one, other = run.builds[:2]

    def contrast(title: str, difference: float, unit: Unit, p: float | None, figure: str = "") -> Contrast:
        bounds = {} if p is None else {"lower": difference - 0.4, "upper": difference + 0.4, "p": p, "adjusted": p}
        bounds |= {"margin": 0.5, "adjusted_equivalence": 0.001} if p and p > 0.5 else {}
        return Contrast(
            claim=title, title=title, one=one, other=other, figure=figure, difference=difference, unit=unit, **bounds
        )

    same = parts.multiple_choice("original, again", 12, 10, Outcome.SHOWN)
    floor = (
        replace(same, sentence="The original is 0.01 points below itself; at worst 0.08; the mark is 1.00.", items=()),
        replace(parts.agreement("original, again", 0.994, Outcome.SHOWN), items=()),
    )
    contrasts = (
        contrast("Weight size", 1.7e11, Unit.BYTES, None),
        contrast("Cache headroom", -392_400, Unit.TOKENS, None),
        contrast("MMLU", 0.02, Unit.POINTS, 0.93),
        *(contrast("Tool calls", -0.3, Unit.POINTS, 0.4, f"{effort} effort") for effort in parts.EFFORTS),
        contrast("Agreement and drift", 2.7, Unit.POINTS, 0.00001),
    )
    return replace(run, noise_floor="measured", floor=floor, contrasts=contrasts)


def on_cards(run: RunRecord, *cards: int) -> RunRecord:
    """The run on cards of so many bytes each, one slice of the model on each, as the claim itself draws them."""

    def bars(build: str) -> tuple[Bar, ...]:
        return parts.cards(build, RATIOS.get(build, 1.0), cards)

    def drawn(each: Verdict) -> Verdict:
        return replace(each, bars=bars("original") + bars(each.build)) if each.title == "Cache headroom" else each

    return replace(run, verdicts=tuple(map(drawn, run.verdicts)))


def _one() -> RunRecord:
    return record("twx2.5")


def _two() -> RunRecord:
    return record("twx2.5", "twx3", CONTROL)


def _incomplete() -> RunRecord:
    run = _two()
    return replace(run, verdicts=run.verdicts[:9], interrupted=True)


def _exploratory() -> RunRecord:
    said = "exploratory: registered 2 days after its evidence was begun"
    run = with_verdict(_one(), "MMLU", outcome=Outcome.INVALID, labels=("exploratory",), reasons=(said,))
    return replace(
        run, registered=said, disclosures=("A partial run of 570 questions came first, on 28 November 2026.",)
    )


def _failed() -> RunRecord:
    sentence = "twx2.5 is 2.31 points below the original; at best 1.96; the mark is 1.00. Worse than the mark."
    run = with_verdict(_two(), "MMLU", outcome=Outcome.FAILED, sentence=sentence)
    waiver = Waiver(build="twx2.5", claim="mmlu", reason="for a trial", by="A. Reader", date="2026-11-29T10:00:00Z")
    return replace(run, waivers=(waiver,))


def _not_shown() -> RunRecord:
    sentence = "twx2.5 is 0.59 points below the original; at worst 1.21; the mark is 1.00. This set cannot resolve it."
    warnings = ("the interval is wide for so many questions",)
    return with_verdict(_two(), "MMLU", outcome=Outcome.NOT_SHOWN, sentence=sentence, warnings=warnings)


def _invalid() -> RunRecord:
    reasons = ("the builds were served with other flags: max_model_len is 8192 and 4096; serve them alike", "no tokens")
    bare = {"figures": (), "effects": (), "items": (), "items_total": 0, "folds": ()}
    run = with_verdict(_two(), "Tool calls", outcome=Outcome.INVALID, mark="", reasons=reasons, **bare)
    return with_verdict(run, "MMLU", labels=("uninformative",), outcome=Outcome.REPORTED, gates=False)


def _partial() -> RunRecord:
    return record("twx2.5", "twx3", partial="4 questions a subject")


def _everything() -> RunRecord:
    return beside(record("twx2.5", "twx3", "twx-small", CONTROL))


def _hostile() -> RunRecord:
    return with_text(brief(_failed()), HOSTILE)  # type: ignore[no-any-return]


HOSTILE = (
    '</bdi></td></script><script>window.ran=1</script><img src=x onerror=window.ran=2>\' onclick="window.ran=3" {{7*7}}'
    "\x00\x07\x1b[31mred\x1b]8;;http://x\x07 \u202ereversed \u200f\u2028\ufeff\ud800 --><!-- <svg/onload=window.ran=4>"
    " <a href=javascript:window.ran=5>tap</a> ]]> &lt; &#0; \r\n end"
)
"""Markup that would act, ends of what it may stand in, control characters, marks of direction and a lone surrogate."""

STATES: Mapping[str, Callable[[], RunRecord]] = {
    "one": _one,
    "two": _two,
    "everything": _everything,
    "incomplete": _incomplete,
    "exploratory": _exploratory,
    "failed": _failed,
    "not shown": _not_shown,
    "invalid": _invalid,
    "partial": _partial,
}
"""A run in each state, by name; ``everything`` has three builds, a control, a noise floor and contrasts."""

PAGES: Mapping[str, Callable[[], RunRecord]] = {**STATES, "hostile": _hostile}
"""The same, and one in which every text is hostile."""
