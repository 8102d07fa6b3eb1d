"""Verdicts in words: what is said reads well and promises nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims import _words
from twx_accept.domain.verdict import Outcome
from twx_accept.statistics.paired import mcnemar, noninferiority
from twx_accept.statistics.types import Margin

FORBIDDEN = ("no difference", "level", "the same", "equivalent", "identical", "equal", "nan", "--", "-0", " -")


def said(b, c, n, points=1.0):
    """The sentence for those counts."""
    return _words.noninferiority("TWX", noninferiority(b, c, n, Margin.points(points), 0.025), mcnemar(b, c))


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (
            (301, 218, 14_042),
            "0.59 points below the original; at worst 0.91; {mark} Measurably worse, within the mark.",
        ),
        ((100, 95, 14_042), "0.04 points below the original; at worst 0.23; {mark} Within the mark."),
        ((95, 100, 14_042), "0.04 points above the original; at worst 0.16 below; {mark} Within the mark."),
        (
            (100, 200, 14_042),
            "0.71 points above the original; at least 0.47 above; {mark} Measurably better, within the mark.",
        ),
        ((100, 100, 14_042), "0.00 points from the original; at worst 0.20 below; {mark} Within the mark."),
        ((0, 0, 14_042), "0.00 points from the original; at worst 0.03 below; {mark} Within the mark."),
        ((30, 10, 1000), "2.00 points below the original. The loss could be as large as 3.36 points; {unresolved}"),
        ((10, 12, 100), "2.00 points above the original. The loss could be as large as 7.55 points; {unresolved}"),
        ((90, 10, 1000), "8.00 points below the original; at best 6.20 below; {mark} Worse than the mark."),
    ],
)
def test_sentences_are_known_word_for_word(counts, sentence):
    """Each outcome has its sentence, with the side of the original that each figure is on."""
    unresolved = "this set cannot resolve the mark of 1.00."
    assert said(*counts) == f"TWX is {sentence.format(mark='the mark is 1.00.', unresolved=unresolved)}"


@given(
    counts=st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 20_000)),
    points=st.floats(0.01, 20, allow_nan=False),
)
def test_no_sentence_promises_too_much(counts, points):
    """Whatever the counts, no sentence speaks of equality or shows a sign, and every one ends with a stop."""
    b, c, rest = counts
    sentence = said(b, c, b + c + rest + 1, points)
    assert not [word for word in FORBIDDEN if word in sentence.casefold()]
    assert sentence.endswith(".")
    assert sentence.splitlines() == [sentence]


@pytest.mark.parametrize("tied", [1, 12])
def test_ties_that_decide_are_told(tied):
    """A comparison that only ties would carry names them, and does not claim to be within the mark."""
    result = noninferiority(301, 218, 14_042, Margin.points(1), 0.025)
    against = noninferiority(330, 218, 14_042, Margin.points(1), 0.025)
    assert against.outcome is Outcome.NOT_SHOWN
    sentence = _words.ties_decide("TWX", result, against, tied)
    many = "one question is tied" if tied == 1 else "12 questions are tied"
    assert sentence == (
        f"TWX is 0.59 points below the original, but {many}. With every tie given against the build the loss could "
        "be as large as 1.13 points; the mark is 1.00."
    )
    assert "within" not in sentence.casefold()


def test_uninformative_comparison_says_so():
    """An original at chance makes every figure meaningless, and the sentence says nothing else."""
    result = noninferiority(3, 2, 100, Margin.points(1), 0.025)
    assert _words.uninformative("TWX", result) == (
        "TWX is 1.00 points below the original, which is too close to chance for that to mean anything."
    )
