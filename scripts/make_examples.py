"""Make the worked examples in docs/examples.

    python scripts/make_examples.py
    python scripts/make_examples.py --from reports/report.json

published-card/ is the report of counts that were published about two builds of Kimi K3.1 Pro: decided by this project's
statistics, from the counts alone. embedded/ is the report of a run of the embedded suite, rendered again from what the
run left; --from takes a new one over. Every folder with a report.json.xz is a run on another machine (GPUs), rendered
again from its packed data. Everything is the same to the byte whenever it is made. With --pictures, and a Chromium on
the PATH, a picture of each page is taken too.
"""

import argparse
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from twx_accept.claims import _words
from twx_accept.claims._between import paired
from twx_accept.claims._lines import count, points, probability
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.run import RunRecord, Setting
from twx_accept.domain.verdict import Count, Effect, Figure, Quantity, Unit, Verdict
from twx_accept.errors import UsageError
from twx_accept.report import data, html, loading, markdown
from twx_accept.session.comparing import adjusted
from twx_accept.statistics.paired import McNemar, NonInferiority, mcnemar, noninferiority
from twx_accept.statistics.types import Margin

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "examples"
PUBLISHED, EMBEDDED = "published-card", "embedded"
PACKED = f"{loading.NAME}.xz"

QUESTIONS = 14_042
DISCORDANT = {"twx2.5": (301, 218), "twx3": (267, 187)}  # right only for the original, only for the build
BETWEEN = (290, 287)  # right only for TWX3, only for TWX2.5
WEIGHT_BETWEEN = -170e9  # bytes, TWX2.5 less TWX3
MARGIN, ALPHA = 1.0, 0.025  # points, one-sided
TITLES = {"original": "Kimi K3.1 Pro", "twx2.5": "TWX2.5", "twx3": "TWX3"}
LABEL = "from published counts"
COMPUTED = (
    "Computed from published counts, not from a run: no server was started, no answer is kept here, and there is no "
    "evidence to open behind a figure."
)
MARKS = (
    "The pass mark of one point is the published one. That two builds score the same within one point is decided by "
    "the margin that fixtures/suites/kimi-k3.1.toml registers; none was published."
)
LACKING = (
    "No counts were published for made-up facts, tool calls, agreement, weight size and cache headroom, so no claim "
    "about these is decided here. Between the builds, 170 GB of weight was published, and 24% of cache, without the "
    "sizes themselves."
)
SETTINGS = (
    ("Machine", "cards", "eight B300, one slice of the model on each"),
    ("Engine", "image", "vLLM's own for Kimi K3.1"),
    ("Flags", "cache", "the engine's 8-bit cache"),
    ("Flags", "share of each card", "90%"),
    ("Asking", "questions", f"{QUESTIONS:,} of MMLU, 57 subjects, the same for all"),
    ("Asking", "prompt", "five-shot, no sampling"),
    ("Asking", "scored by", "the answer letter that the model rates most likely"),
    ("Mark: MMLU", "margin", "no more than one point below the original, compared question by question"),
)


def published() -> RunRecord:
    """The published counts as a record, decided by the statistics that a run is decided by."""
    return RunRecord(
        suite=PUBLISHED,
        suite_title="Published counts, not a run: two compressed builds of Kimi K3.1 Pro",
        demonstration=False,
        date="no date of a run",
        command="python scripts/make_examples.py",
        original="original",
        builds=tuple(DISCORDANT),
        planned=tuple(("MMLU", build) for build in DISCORDANT),
        verdicts=tuple(verdict(build, *counts) for build, counts in DISCORDANT.items()),
        settings=tuple(
            Setting(group=group, label=label, values=dict.fromkeys(TITLES, value)) for group, label, value in SETTINGS
        ),
        timings=(),
        control="none in this suite",
        contrasts=tuple(contrasts()),
        titles=TITLES,
        registered="before the run, as published; no ledger of it is here",
        disclosures=(COMPUTED, MARKS, LACKING),
    )


def verdict(build: str, b: int, c: int) -> Verdict:
    """One build against the original: less than the margin below it, question by question."""
    result, equality = noninferiority(b, c, QUESTIONS, Margin.points(MARGIN), ALPHA), mcnemar(b, c)
    return Verdict(
        claim="multiple_choice",
        title="MMLU",
        build=build,
        outcome=result.outcome,
        sentence=_words.noninferiority(TITLES[build], result, equality),
        mark=f"at most {MARGIN:.2f} points below the original",
        labels=(LABEL,),
        figures=(figure(result, equality),),
        effects=(effect(build, result, equality),),
        statistics={
            "n": result.n,
            "b": result.b,
            "c": result.c,
            "difference": result.difference,
            "lower": result.lower,
            "upper": result.upper,
            "margin": result.margin.fraction,
            "p_margin": result.p,
            "p_equality": equality.exact,
        },
    )


def figure(result: NonInferiority, equality: McNemar) -> Figure:
    """The difference with the counts behind it."""
    effect_ = result.overturning_design_effect or 0.0
    return Figure(
        key="difference",
        label="Difference from the original",
        value=Quantity(value=result.difference * 100, unit=Unit.POINTS),
        headline=True,
        counts=(
            count("right only for the original", result.b),
            count("right only for the build", result.c),
            count("of", result.n),
            points("lower bound (Tango, one-sided)", result.lower),
            points("upper bound", result.upper),
            probability("p against a loss of the margin", result.p),
            probability("p of equality (McNemar, exact, two-sided)", equality.exact),
            Count(
                label="design effect that would overturn the verdict",
                value=Quantity(value=effect_, unit=Unit.RATIO),
            ),
        ),
    )


def effect(build: str, result: NonInferiority, equality: McNemar) -> Effect:
    """One line of the forest plot."""
    return Effect(
        chart="multiple_choice",
        title="MMLU: difference from the original",
        label=TITLES[build],
        difference=result.difference * 100,
        lower=result.lower * 100,
        upper=result.upper * 100,
        margin=MARGIN,
        notes=(
            count("right only for the original", result.b),
            count("right only for the build", result.c),
            probability("p (McNemar)", equality.exact),
        ),
    )


class Between:
    """The published counts of one build against the other, as a paired comparison takes them."""

    only_original, only_build = BETWEEN
    n = QUESTIONS


def contrasts() -> Iterator[Contrast]:
    """One build against the other: the published difference in weight, and MMLU."""
    sides = {"one": "twx3", "other": "twx2.5"}
    yield Contrast(claim="weight_size", title="Weight size", difference=WEIGHT_BETWEEN, unit=Unit.BYTES, **sides)
    frame = Contrast(claim="multiple_choice", title="MMLU", difference=0.0, **sides)
    yield from adjusted([paired(frame, Between(), MARGIN, ALPHA)])


def unpacked(file: Path) -> RunRecord:
    """The run of a report's data that is kept packed, being large."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, loading.NAME).write_bytes(lzma.decompress(file.read_bytes()))
        return loading.load(Path(folder))


def write(run: RunRecord, folder: Path) -> None:
    """The page, its summary, and its data where they are not kept packed."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"report.html": html.render(run), loading.NAME: data.render(run), "summary.md": markdown.render(run)}
    if (folder / PACKED).is_file():
        del texts[loading.NAME]
    for name, text in texts.items():
        file = folder / name
        file.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


def picture(folder: Path) -> None:
    """A picture of the page, where there is a browser."""
    script = Path(__file__).with_name("picture_report.py")
    command = [sys.executable, str(script), str(folder / "report.html"), str(folder / "report.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print((done.stdout or done.stderr).strip())


def main() -> None:
    """Make every example that can be made."""
    parser = argparse.ArgumentParser(description="Make the worked examples in docs/examples.")
    parser.add_argument("--from", dest="source", type=Path, help="a report.json of the embedded suite to take over")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where they are written (default docs/examples)")
    parser.add_argument("--pictures", action="store_true", help="take a picture of each page with Chromium")
    asked = parser.parse_args()
    folders = [asked.out / PUBLISHED]
    write(published(), folders[0])
    kept = asked.source or asked.out / EMBEDDED
    if asked.source or (kept / loading.NAME).is_file():
        folders.append(asked.out / EMBEDDED)
        try:
            write(loading.load(kept), folders[1])
        except UsageError as error:
            sys.exit(str(error))
    else:
        print(f"{kept}: not made yet; run the embedded suite (make demo), then --from reports/report.json")
    for packed in sorted(asked.out.glob(f"*/{PACKED}")):
        write(unpacked(packed), packed.parent)
    for folder in folders if asked.pictures else ():
        picture(folder)


if __name__ == "__main__":
    main()
