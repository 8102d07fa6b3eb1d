"""Cache headroom: the gate on boots as a GPU host would record them, and the report on a CPU."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims.cache_headroom.gain import Gain
from twx_accept.domain.verdict import Outcome, Quantity
from twx_accept.errors import InvalidClaim, SuiteError

MARKED = {"mark": 0.95}


@pytest.fixture
def decide(claim, evidence, boot):
    """Decides cache headroom from the changes of two boots; the original has 40 GiB of weights, 30 GiB of cache."""

    def run(build, original=None, settings=MARKED, may_differ=("quantization",)):
        sides = [
            evidence(name, boots=changes if isinstance(changes, list) else [boot(**changes)])
            for name, changes in (("original", original or {}), ("small", build))
        ]
        return claim("cache_headroom", settings, may_differ=may_differ).decide(*sides)

    return run


def smaller(tokens, weights=25.0, gib=45.0, **changes):
    """A boot's changes: by default 15 GiB less weights a card, which predict 150,000 tokens more than 300,000."""
    return {"capacity_tokens": tokens, "weights_gib": (weights,) * 8, "cache_gib": (gib,) * 8, **changes}


def refusal(decide, *arguments, **options):
    """Why the claim is invalid, in one line."""
    with pytest.raises(InvalidClaim) as caught:
        decide(*arguments, **options)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    ("tokens", "outcome"),
    [
        (450_000, Outcome.SHOWN),
        (442_501, Outcome.SHOWN),
        (442_500, Outcome.SHOWN),
        (442_499, Outcome.FAILED),
        (300_000, Outcome.FAILED),
        (250_000, Outcome.FAILED),
        (500_000, Outcome.SHOWN),
    ],
)
def test_gain_is_gated_at_exactly_the_mark(decide, tokens, outcome):
    """At least 95% of 150,000 more tokens passes, exactly 95% included, and one token less fails."""
    verdict = decide(smaller(tokens))
    assert verdict.outcome is outcome
    assert verdict.gates
    assert verdict.mark == "at least 95% of the gain that the saved weight bytes predict"


def test_exactly_the_mark_is_exact_for_sizes_as_they_are_printed(decide):
    """Sizes with two decimals do not lose a share of exactly the mark to binary fractions."""
    original = {"weights_gib": (40.3,) * 8, "cache_gib": (30.1,) * 8, "capacity_tokens": 301_000}
    # 40.3 - 25.2 is 15.1 GiB, which predict 151,000 tokens more; 95% of them are 143,450
    assert decide(smaller(444_450, weights=25.2), original).outcome is Outcome.SHOWN
    assert decide(smaller(444_449, weights=25.2), original).outcome is Outcome.FAILED


def test_sentence_says_tokens_share_and_mark(decide):
    """The verdict in words holds every figure behind it."""
    assert decide(smaller(445_500)).sentence == (
        "small holds 445,500 tokens of cache, 1.485 of the original's 300,000: "
        "97.0% of the gain that its saved weight bytes predict; the mark is 95%. Within the mark."
    )
    assert decide(smaller(350_000)).sentence.endswith("the mark is 95%. Less than the mark.")


@pytest.mark.parametrize("weights", [40.0, 40.01, 60.0])
@pytest.mark.parametrize("tokens", [100_000, 290_000, 300_000, 310_000, 900_000])
def test_weights_that_save_nothing_have_no_gain_to_show(decide, weights, tokens):
    """Equal or larger weights predict no gain: two losses must not divide to a pass."""
    verdict = decide(smaller(tokens, weights=weights))
    assert (verdict.outcome, verdict.gates, verdict.passes) == (Outcome.NOT_SHOWN, True, False)
    assert verdict.sentence.endswith(
        "its weights take no less of a card than the original's, so there is no gain to show."
    )
    assert "share_of_predicted_gain" not in verdict.statistics


@given(
    before=st.integers(1, 10**7),
    after=st.integers(1, 10**7),
    cache=st.decimals("0.01", "300", places=2),
    saved=st.decimals("-300", "300", places=2),
)
def test_nothing_is_shown_without_bytes_saved_and_tokens_won(before, after, cache, saved):
    """Over all sizes, shown means less weight and more tokens, in proportion."""
    gain = Gain(before=before, after=after, cache_gib=Fraction(cache), saved_gib=Fraction(saved))
    if gain.outcome(0.95) is Outcome.SHOWN:
        assert saved > 0
        assert after > before
        assert (after / before - 1) >= 0.9499 * float(saved / cache)


def test_cards_with_the_least_room_decide(decide):
    """On uneven cards the fullest card limits both the cache and what is saved."""
    uneven = (24.0,) * 7 + (25.0,)
    verdict = decide({"capacity_tokens": 442_500, "weights_gib": uneven, "cache_gib": (46.0,) * 7 + (45.0,)})
    assert verdict.statistics["share_of_predicted_gain"] == 0.95


def test_cpu_is_reported(decide):
    """A CPU engine is told its cache, so the claim gates nothing there, mark or not."""
    cpu = {"device": "cpu", "weights_gib": (), "cache_gib": (), "cards": ()}
    verdict = decide({**cpu, "capacity_tokens": 300_000}, cpu)
    assert (verdict.outcome, verdict.gates, verdict.mark) == (Outcome.REPORTED, False, "")
    assert verdict.sentence == (
        "small holds 300,000 tokens of cache, 1.000 of the original's 300,000; "
        "a CPU engine is told its cache, so nothing is gated."
    )


def test_without_a_mark_it_is_reported(decide):
    """No registered mark gates nothing, and says so."""
    verdict = decide(smaller(310_000), settings={})
    assert (verdict.outcome, verdict.gates) == (Outcome.REPORTED, False)
    assert verdict.sentence.endswith("no mark is registered.")
    assert decide({"weights_gib": (), "cache_gib": ()}, settings={}).outcome is Outcome.REPORTED


def test_boots_that_differ_are_invalid_with_both_figures(decide, boot):
    """More than 1 GiB a card between two boots of a build is told with both sizes; exactly 1 GiB is not."""
    first = boot(**smaller(440_000, gib=43.99))
    message = refusal(decide, [first, boot(number=2, **smaller(450_000))])
    assert "boots of small differ in cache by more than 1 GiB a card (43.99 and 45.00 GiB)" in message
    assert decide([replace(first, cache_gib=(44.0,) * 8), boot(**smaller(450_000))]).outcome is Outcome.SHOWN
    assert "boots of original differ" in refusal(decide, smaller(450_000), [boot(cache_gib=(28.0,)), boot()])


def test_cards_of_one_boot_may_differ(decide, boot):
    """Cards are compared with themselves over the boots, in whatever order the workers spoke."""
    cards = (45.0,) * 6 + (47.5, 49.0)
    boots = [boot(**smaller(450_000) | {"cache_gib": sizes}) for sizes in (cards, cards[::-1])]
    assert decide(boots).outcome is Outcome.SHOWN


def test_cold_boots_do_not_count(decide, boot):
    """The first boot of a new shape gets less cache: the last warm one counts, the cold one is marked."""
    cold = boot(cold=True, **smaller(420_000, gib=42.0))
    warm = boot(number=2, **smaller(450_000))
    for boots in ([cold, warm], [warm, cold]):
        verdict = decide(boots)
        assert (verdict.outcome, verdict.statistics["tokens"]) == (Outcome.SHOWN, 450_000)
    shown = [count.value for count in verdict.figures[1].counts if count.label == "boots"]
    assert shown == ["2, 1 (cold compile cache)"]


def test_cold_against_warm_is_invalid(decide):
    """Capacities of a cold and a warm boot do not compare, whichever side is the cold one."""
    cold = {"cold": True}
    assert "original has only boots with a cold compile cache" in refusal(decide, smaller(450_000), cold)
    assert "small has only boots with a cold compile cache" in refusal(decide, smaller(450_000, **cold))
    both = decide(smaller(450_000, **cold), cold)
    assert both.outcome is Outcome.SHOWN
    assert "cold compile cache" in both.warnings[0]


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("cache_dtype", "auto"),
        ("gpu_memory_utilization", "0.92"),
        ("enable_prefix_caching", "False"),
        ("mamba_cache_mode", "all"),
    ],
)
def test_caches_of_another_kind_are_invalid(decide, boot, label, value):
    """What the capacity depends on is equal for every build, whatever the suite lets differ."""
    message = refusal(decide, smaller(450_000, cache={**boot().cache, label: value}), may_differ=(label,))
    assert f"{label} is {boot().cache[label]} for original and {value} for small" in message


def test_another_longest_context_is_invalid(decide, boot):
    """Capacity depends on max_model_len, so a suite cannot let it differ."""
    settings = boot().settings
    other = {**settings, "model_config": {**settings["model_config"], "max_model_len": 4096}}
    for listed in ((), ("max_model_len",)):
        message = refusal(decide, smaller(450_000, settings=other), may_differ=listed)
        assert "the engine's model_config.max_model_len is 2048" in message


@pytest.mark.parametrize("name", ["kv_cache_memory_bytes", "num_gpu_blocks_override"])
def test_fixed_cache_is_invalid(decide, boot, name):
    """A cache that was given its size on a GPU shows nothing; the texts None and 0 are no size."""
    fixed = {**boot().cache, name: "1073741824"}
    assert f"{name} is 1073741824 for original" in refusal(decide, smaller(450_000, cache=fixed), {"cache": fixed})
    for unset in ("None", "", "0"):
        same = {**boot().cache, name: unset}
        assert decide(smaller(450_000, cache=same), {"cache": same}).outcome is Outcome.SHOWN


@pytest.mark.parametrize("tokens", [None, 0, -1])
def test_capacity_that_is_missing_is_invalid(decide, tokens):
    """Without the engine's own number of tokens there is no capacity, and blocks times block size is none."""
    assert "the engine of small does not say its cache's size in tokens" in refusal(decide, smaller(tokens))
    assert "the engine of original" in refusal(decide, smaller(450_000), {"capacity_tokens": tokens})


@pytest.mark.parametrize("lost", [{"weights_gib": ()}, {"cache_gib": ()}, {"cache_gib": (0.0,) * 8}])
def test_gate_without_its_figures_is_invalid(decide, lost):
    """A log that does not say what a gate rests on is no reason to gate nothing."""
    assert "the log of small does not say" in refusal(decide, smaller(450_000) | lost)
    assert "the log of original does not say" in refusal(decide, smaller(450_000), lost)


def test_build_that_was_never_booted_is_invalid(decide):
    """No boot, no cache."""
    assert "no boot of small is recorded" in refusal(decide, [])


@pytest.mark.parametrize("value", ["None", "abc", "", "-5", "1e9", "٣", "nan"])
def test_hostile_labels_are_shown_and_not_read(decide, value):
    """Labels are texts from a server: what is no number is no size, and nothing crashes."""
    labels = dict.fromkeys(
        ("kv_cache_memory_bytes", "kv_cache_max_concurrency", "cache_dtype", "enable_prefix_caching"), value
    )
    cpu = {"device": "cpu", "weights_gib": (), "cache_gib": (), "cards": (), "cache": labels}
    verdict = decide(cpu, cpu)
    assert verdict.outcome is Outcome.REPORTED
    assert all(segment.value >= 0 for bar in verdict.bars for segment in bar.segments)
    assert decide({**cpu, "cache": {}}, {**cpu, "cache": {}}).outcome is Outcome.REPORTED


def test_bars_show_one_card_to_its_limit(decide):
    """Weights, cache and the rest of a card add up to its memory; uneven cards are noted."""
    verdict = decide(smaller(450_000))
    card = next(bar for bar in verdict.bars if bar.chart == "card" and bar.label == "small")
    assert [segment.value / 2**30 for segment in card.segments] == [25, 45, 10]
    assert card.limit == 80 * 2**30
    uneven = {"cards": (80 * 2**30, 90 * 2**30)}
    noted = decide(smaller(450_000, **uneven), uneven)
    assert "the smallest card of 2" in noted.bars[0].note


def test_density_is_tokens_by_the_least_cache(decide):
    """Tokens a GiB and card are counted on the card with the least cache."""
    counts = {count.label: count.value for count in decide(smaller(450_000)).figures[1].counts}
    assert isinstance(counts["tokens a GiB and card"], Quantity)
    assert counts["tokens a GiB and card"].value == 10_000


@pytest.mark.parametrize(
    ("tokens", "said"),
    [(450_000, ()), (458_000, ()), (900_000, ("takes 50% less",)), (300_000, ("takes 50% more",))],
)
def test_tokens_of_another_size_are_told(decide, tokens, said):
    """A build with fewer layers has more tokens in the same room: that is no gain of its weight bytes."""
    warnings = decide(smaller(tokens)).warnings
    assert len(warnings) == len(said)
    assert all(part in warning for part, warning in zip(said, warnings, strict=True))


@pytest.mark.parametrize("mark", [0, 1.01, "0.95", float("nan"), True])
def test_impossible_mark_is_refused(claim, mark):
    """A mark is a share of the gain, above 0 and at most 1."""
    with pytest.raises(SuiteError, match=r"claims\.cache_headroom\.mark"):
        claim("cache_headroom", {"mark": mark})


def test_mark_reads_as_it_is_registered(claim):
    """A mark of 95.5% is not rounded in words."""
    made = claim("cache_headroom", {"mark": 0.955})
    assert made.mark("small").startswith("at least 95.5% of the gain")
    assert made.specification()["mark"]["value"] == "0.9550"
    assert claim("cache_headroom", {}).mark("small") == ""


def test_attached_servers_show_too_little_to_gate(decide):
    """No address shows what weights and cache take on each card, and one may hide its cache as a whole."""
    attached = {"launcher": "attach", "weights_gib": (), "cache_gib": ()}
    there = {"capacity_tokens": 300_000, **attached}
    told = refusal(decide, {"capacity_tokens": 450_000, **attached}, there)
    assert "original was attached, and no address shows what weights and cache take" in told
    told = refusal(decide, {"capacity_tokens": None, "cache": {}, **attached}, there)
    assert "small was attached, and its server does not show its cache" in told
    cpu = {"device": "cpu", "capacity_tokens": 300_000, **attached}
    assert decide(cpu, cpu).outcome is Outcome.REPORTED
