"""Builds are called by their titles wherever people read of them."""

from dataclasses import replace

import pytest

import fake_runs
from twx_accept.report import html, junit, markdown, text
from twx_accept.report.naming import arranged, title_of, titled

RUN = replace(
    fake_runs.record("twx2.5", "twx3"),
    builds=("twx2.5", "twx3", "small"),
    titles={"original": "Kimi K3.1 Pro", "twx2.5": "TWX2.5", "small": "TWX small", "again": "Again"},
)


@pytest.mark.parametrize(
    ("build", "sentence", "said"),
    [
        ("twx2.5", "twx2.5 is 0.59 points below.", "TWX2.5 is 0.59 points below."),
        ("twx2.5", "At low effort twx2.5 passes 7.", "At low effort TWX2.5 passes 7."),
        ("twx2.5", "60 answers of twx2.5.", "60 answers of TWX2.5."),
        ("twx2.5", "twx2.5: no weight files found", "TWX2.5: no weight files found"),
        (
            "twx2.5",
            "twx2.50 and atwx2.5 and twx2.5-b and /models/twx2.5",
            "twx2.50 and atwx2.5 and twx2.5-b and /models/twx2.5",
        ),
        ("twx3", "twx3 has no title.", "twx3 has no title."),
        ("small", "small is too small. small loses.", "TWX small is too small. TWX small loses."),
        ("original, again", "original, again is 0.00 points off", "Kimi K3.1 Pro, again is 0.00 points off"),
        ("", "nothing", "nothing"),
    ],
)
def test_a_sentence_calls_its_build_by_its_title(build: str, sentence: str, said: str) -> None:
    """Wherever the name stands whole; where it is a common word, only at the beginning of a sentence."""
    assert titled(RUN, build, sentence) == said


def test_a_title_is_no_pattern() -> None:
    """A title with marks of patterns is put in as it is."""
    run = replace(RUN, titles={"twx2.5": r"\1 \g<0> $1"})
    assert titled(run, "twx2.5", "twx2.5 holds") == r"\1 \g<0> $1 holds"


def test_the_original_served_again_is_called_like_the_original() -> None:
    """Its title follows the original's; a build that only begins like it keeps its own."""
    assert title_of(RUN, "original, again") == "Kimi K3.1 Pro, again"
    assert title_of(RUN, "original-2") == "original-2"
    assert title_of(replace(RUN, titles={}), "original, again") == "original, again"


def test_every_report_says_titles() -> None:
    """Sentences, reasons and warnings of page, summary, terminal and JUnit; the record itself is left alone."""
    run = fake_runs.beside(fake_runs.with_verdict(fake_runs.record("twx2.5", "twx3"), "MMLU", reasons=("twx2.5: why",)))
    for report in (
        html.render(fake_runs.brief(run)),
        markdown.render(run),
        junit.render(run),
        "\n".join(text.summary(run)),
    ):
        assert "TWX2.5 has 0.534 of the original" in report
        assert "twx2.5 has" not in report
        assert "twx2.5 is" not in report
    assert arranged(run).verdicts[2].reasons == ("TWX2.5: why",)
    assert run.verdicts[2].reasons == ("twx2.5: why",)
