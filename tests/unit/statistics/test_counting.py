import pytest

from twx_accept.errors import PairingError
from twx_accept.statistics.paired import PairedCounts, count_pairs

Outcomes = list[tuple[str, bool]]
ORIGINAL: Outcomes = [("q1", True), ("q2", True), ("q3", False), ("q4", False), ("q5", True)]


def test_items_are_matched_by_id_in_any_order() -> None:
    """Each item falls into the cell of its two outcomes, wherever it stands in the lists."""
    build: Outcomes = [("q5", True), ("q4", False), ("q3", True), ("q2", False), ("q1", True)]
    counts = count_pairs(ORIGINAL, build)
    assert counts == PairedCounts(both_right=2, b=1, c=1, both_wrong=1)
    assert counts.n == 5


def test_no_item_makes_no_pair() -> None:
    """Two empty sides agree on their items; it is the decision that refuses n = 0."""
    assert count_pairs([], []).n == 0


@pytest.mark.parametrize(
    ("original", "build", "named"),
    [
        pytest.param([*ORIGINAL, ("q6", True)], ORIGINAL, "missing from the build: q6$", id="missing from the build"),
        pytest.param(ORIGINAL[1:], ORIGINAL, "missing from the original: q1$", id="missing from the original"),
        pytest.param(
            [("a", True)], [("b", True)], "from the build: a; missing from the original: b$", id="ids that differ"
        ),
        pytest.param(
            [*ORIGINAL, ("q2", False), ("q1", True)], ORIGINAL, "more than once in the original: q1, q2$", id="doubled"
        ),
        pytest.param(
            ORIGINAL, [*ORIGINAL, ("q5", True)], "more than once in the build: q5$", id="doubled in the build"
        ),
    ],
)
def test_ids_that_differ_miss_or_double_are_listed(original: Outcomes, build: Outcomes, named: str) -> None:
    """Items that do not pair up are never dropped: the error lists them and says on which side."""
    with pytest.raises(PairingError, match=named):
        count_pairs(original, build)


def test_a_long_list_of_ids_is_cut_and_counted() -> None:
    """An error names twenty ids and says how many more there are."""
    with pytest.raises(PairingError, match=r"q00, q01, .*, q19 and 5 more$"):
        count_pairs([(f"q{i:02}", True) for i in range(25)], [])
