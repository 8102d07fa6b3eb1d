"""What a run will do and cost, measured where there is something measured."""

from dataclasses import replace
from typing import Any

import pytest

from fake_nvml import FakeNvml
from twx_accept.cli.doctor import lines, span
from twx_accept.doctor.forecast import forecast


def test_without_measurements_every_figure_says_that_it_is_an_estimate(node_of: Any, nvml: FakeNvml) -> None:
    """Boots from the bytes of weights, asking from what is known of large models on cards."""
    found = forecast(node_of(device="cuda"))
    assert found.boots == ("original", "good", "weak", "damaged")
    assert found.weight_bytes["original"] == 4000 + 8 + len(
        '{"layers.0.weight": {"dtype": "U8", "shape": [4000], "data_offsets": [0, 4000]}}'
    )
    hashing, booting, asking = found.parts
    assert (booting.what, round(booting.low), round(booting.high)) == ("4 boots", 160, 960)
    assert booting.basis.startswith("estimated: weights at 1.7 to 0.4 GB/s")
    assert (asking.what, asking.low / 60 < asking.high / 60) == ("Quiz", True)
    assert "estimated for a model of over 1 TB on eight cards" in asking.basis
    assert "measured here" in hashing.basis
    assert (found.low, found.high) == (
        pytest.approx(hashing.low + booting.low + asking.low),
        pytest.approx(hashing.high + booting.high + asking.high),
    )
    assert (found.unknown, found.side_by_side) == ((), 4)
    assert nvml.cards


def test_on_a_cpu_nothing_is_guessed_of_asking(node_of: Any) -> None:
    """The estimates are of cards: what is not known is said, and left out of the sum."""
    found = forecast(node_of())
    assert found.unknown == ("Quiz",)
    assert [each.low for each in found.parts][-1] is None
    text = "\n".join(lines(found))
    assert "not known  Quiz: a run with --limit-questions measures it" in text
    assert "in all, without Quiz" in text
    assert f"about {found.prompt_tokens:,} prompt tokens" in text, "and not 0.0 million"


def test_earlier_evidence_replaces_estimates(project: Any, node_of: Any) -> None:
    """Rates and boots of a run so far, builds without one still estimated; the repetition counts as one more build."""
    assert project.each(("-m", "acceptance", "--build", "good"))[0].status == 0
    node = node_of()
    node.suite = replace(node.suite, noise_floor=True)
    found = forecast(node)
    assert found.boots[-1] == "original again"
    _, booting, asking = found.parts
    assert booting.what == "5 boots"
    assert booting.basis.startswith("measured in earlier boots; of weak, damaged estimated")
    assert asking.low == asking.high
    assert "requests/s before" in asking.basis


def test_a_claim_that_cannot_be_made_is_left_out(project: Any, node_of: Any) -> None:
    """Its source is told elsewhere; the rest is still forecast."""
    (project.root / "fixtures" / "questions" / "test.jsonl").unlink()
    found = forecast(node_of())
    assert (found.requests, [each.what for each in found.parts]) == (0, ["hashing", "4 boots"])


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0, 0, "0 s"),
        (1, 99, "1 to 99 s"),
        (60, 600, "1 to 10 min"),
        (600, 600, "10 min"),
        (1800, 7200, "0.5 to 2.0 h"),
        (0, 360_000, "0.0 to 100.0 h"),
    ],
)
def test_spans_are_in_the_unit_of_their_end(low: float, high: float, text: str) -> None:
    """Hours where it is hours."""
    assert span(low, high) == text
