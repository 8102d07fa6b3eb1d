"""Every row of the reference values, each read by exactly one check.

A check turns the inputs of a row into all the figures that the row expects. Most call this package. Rows of methods
that it does not have (GEE, CR0, CR1S, CR3, the two-sided binomial test, divergence) test the library that gives
them, or matrix algebra written out here, which stands beside the package's closed forms as a second opinion.
"""

import csv
import json
import math
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import rel_entr
from scipy.stats import binomtest

from twx_accept.statistics import clustered, independent, multiplicity, paired, power, proportion
from twx_accept.statistics.types import Better, Interval, Margin

Figures = dict[str, Any]
Check = Callable[..., Figures]
CHECKS: dict[str, Check] = {}
ROWS = list(csv.DictReader((Path(__file__).parent / "oracles.csv").read_text(encoding="utf-8").splitlines()))


def reads(*methods: str) -> Callable[[Check], Check]:
    """Make a function the one check of the rows of these methods."""

    def register(check: Check) -> Check:
        for method in methods:
            assert method not in CHECKS, f"two checks read {method}"
            CHECKS[method] = check
        return check

    return register


def _bounds(interval: Interval) -> Figures:
    return {"lower": interval.lower, "upper": interval.upper}


def _fraction(delta: float) -> Margin:
    return Margin.points(abs(delta) * 100)


# Paired


@reads("mcnemar_exact_two_sided")
def _mcnemar_exact(b: int, c: int) -> Figures:
    return {"p": paired.mcnemar(b, c).exact}


@reads("mcnemar_midp_two_sided")
def _mcnemar_midp(b: int, c: int) -> Figures:
    return {"p": paired.mcnemar(b, c).midp}


@reads("mcnemar_asymptotic")
def _mcnemar_asymptotic(b: int, c: int, *, correction: bool) -> Figures:
    test = paired.mcnemar(b, c)
    if correction:
        return {"p": test.corrected, "chi2": test.chi2_corrected}
    return {"p": test.asymptotic, "chi2": test.chi2}


@reads("mcnemar_all")
def _mcnemar_all(b: int, c: int) -> Figures:
    test = paired.mcnemar(b, c)
    return {"asym": test.asymptotic, "cc": test.corrected, "exact": test.exact, "midp": test.midp}


@reads("mcnemar_exact_unconditional")
def _mcnemar_exact_unconditional(b: int, c: int, n: int, berger_boos_gamma: float) -> Figures:
    return {"p": paired.exact_unconditional_equality(b, c, n, berger_boos_gamma).p}


def _paired_interval(method: Callable[[int, int, int, float], Interval]) -> Check:
    def check(b: int, c: int, conf: float, n: int = 0, a: int = 0, d: int = 0) -> Figures:
        n = n or a + b + c + d
        return _bounds(method(b, c, n, conf)) | {"estimate": (c - b) / n}

    return check


reads("paired_diff_tango")(_paired_interval(paired.tango_interval))
reads("paired_diff_wald")(_paired_interval(paired.wald_interval))
reads("paired_diff_agresti_min")(_paired_interval(paired.agresti_min_interval))
reads("paired_diff_bonett_price")(_paired_interval(paired.bonett_price_interval))


@reads("paired_diff_newcombe10")
def _newcombe(a: int, b: int, c: int, d: int, conf: float) -> Figures:
    n = a + b + c + d
    return _bounds(paired.newcombe_interval(b, c, n, conf, both_right=a)) | {"estimate": (c - b) / n}


@reads("paired_noninf_tango_z")
def _tango_test(b: int, c: int, n: int, delta0: float) -> Figures:
    result = paired.noninferiority(b, c, n, _fraction(delta0), 0.025)
    return {"z": result.z, "p_one_sided": result.p, "passes_at_0_025": result.outcome == "shown"}


@reads("paired_noninf_exact_unconditional")
def _exact_unconditional(b: int, c: int, n: int, delta0: float, ordering: str, berger_boos_gamma: float) -> Figures:
    assert ordering == "tango_z"
    return {"p": paired.exact_unconditional(b, c, n, _fraction(delta0), berger_boos_gamma).p}


@reads("paired_lower_exact_unconditional")
def _exact_lower(b: int, c: int, n: int, ordering: str, berger_boos_gamma: float) -> Figures:
    assert ordering == "tango_z"
    return {
        "lower_one_sided_975": paired.exact_unconditional_lower(b, c, n, 0.025, berger_boos_gamma),
        "lower_one_sided_95": paired.exact_unconditional_lower(b, c, n, 0.05, berger_boos_gamma),
    }


@reads("paired_tost_tango")
def _equivalence(b: int, c: int, n: int, margin: float) -> Figures:
    result = paired.equivalence(b, c, n, _fraction(margin), 0.025)
    return {"p_lower": result.p_lower, "p_upper": result.p_upper, "p": result.p}


@reads("break_even_design_effect")
def _break_even(b: int, c: int, n: int, margin: float, alpha_one_sided: float) -> Figures:
    return {"deff": paired.break_even_design_effect(b, c, n, _fraction(margin), alpha_one_sided)}


# Independent


def _independent_interval(method: Callable[[int, int, int, int, float], Interval]) -> Check:
    return lambda x1, n1, x2, n2, conf: _bounds(method(x1, n1, x2, n2, conf))


reads("indep_diff_farrington_manning_mee")(_independent_interval(independent.farrington_manning_interval))
reads("indep_diff_miettinen_nurminen")(_independent_interval(independent.miettinen_nurminen_interval))
reads("indep_diff_newcombe_hybrid")(_independent_interval(independent.newcombe_hybrid_interval))
reads("indep_diff_agresti_caffo")(_independent_interval(independent.agresti_caffo_interval))


def _score_test(*, small_sample: bool) -> Check:
    def check(x1: int, n1: int, x2: int, n2: int, delta0: float, alternative: str) -> Figures:
        better = {"larger": Better.HIGHER, "smaller": Better.LOWER}[alternative]
        test = independent.score_test(x1, n1, x2, n2, delta0, better, small_sample=small_sample)
        is_a_margin = (delta0 < 0) == (better is Better.HIGHER)
        if is_a_margin and not small_sample:
            assert independent.farrington_manning(x1, n1, x2, n2, _fraction(delta0), better) == test
        return {"z": test.z, "p_one_sided": test.p}

    return check


reads("indep_farrington_manning_test")(_score_test(small_sample=False))
reads("indep_miettinen_nurminen_test")(_score_test(small_sample=True))


@reads("fisher_exact")
def _fisher(table: list[list[int]], alternative: str) -> Figures:
    (x1, y1), (x2, y2) = table
    return {"p": independent.fisher(x1, x1 + y1, x2, x2 + y2, alternative)}  # type: ignore[arg-type]


@reads("boschloo_exact")
def _boschloo(table: list[list[int]], alternative: str) -> Figures:
    # The groups of this row are its columns, as in the library that it comes from.
    (x1, x2), (y1, y2) = table
    test = independent.boschloo(x1, x1 + y1, x2, x2 + y2, alternative)  # type: ignore[arg-type]
    return {"statistic": test.statistic, "p": test.p}


# One rate, several comparisons


@reads("clopper_pearson")
def _clopper_pearson(x: int, n: int, conf: float) -> Figures:
    return _bounds(proportion.clopper_pearson(x, n, conf))


@reads("wilson")
def _wilson(x: int, n: int, conf: float) -> Figures:
    return _bounds(proportion.wilson(x, n, conf))


@reads("clopper_pearson_one_sided_lower")
def _one_sided(x: int, n: int, alpha: float) -> Figures:
    return {"lower": proportion.clopper_pearson_lower(x, n, alpha)}


@reads("binom_test_two_sided")
def _binomial_test_of_the_library(x: int, n: int, p0: float) -> Figures:
    return {"p": binomtest(x, n, p0).pvalue} | _bounds(proportion.clopper_pearson(x, n, 0.95))


@reads("holm")
def _holm(p: list[float]) -> Figures:
    return {"adjusted": list(multiplicity.holm(p))}


# Power


@reads("paired_n")
def _equality_sample_size(**row: float) -> Figures:
    assert row["margin"] == 0
    size = power.paired_equality_sample_size(row["psi"], row["D"], row["alpha_one_sided"], row["power"])
    return {"n_raw": size.unrounded, "n": size.n}


@reads("paired_noninf_n_score")
def _margin_sample_size(**row: float) -> Figures:
    size = power.paired_noninferiority_sample_size(
        row["psi"], row["D"], _fraction(row["margin"]), row["alpha_one_sided"], row["power"]
    )
    return {"n_raw": size.unrounded}


@reads("paired_noninf_power")
def _margin_power(**row: Any) -> Figures:
    result = power.paired_noninferiority(
        row["n"], row["psi"], row["D"], _fraction(row["margin"]), row["alpha_one_sided"]
    )
    return {"power_formula": result.approximate, "power_exact": result.exact}


# Clusters


@reads("cluster_ratio_diff_se")
def _cluster_ratio_difference(x_ref: list[int], m_ref: list[int], x_build: list[int], m_build: list[int]) -> Figures:
    sides = (x_ref, m_ref, x_build, m_build)
    cr1 = clustered.ratio_difference(*sides, 0.025)
    cr2 = clustered.ratio_difference(*sides, 0.025, correction=clustered.Correction.CR2)
    second_opinion = regression([(x_ref, m_ref), (x_build, m_build)])
    agree(cr1.sandwich_error, second_opinion["cr1"])
    agree(cr2.sandwich_error, second_opinion["cr2"])
    agree(cr2.degrees_of_freedom, second_opinion["cr2_satterthwaite_df"])
    return second_opinion | {
        "estimate": cr1.difference,
        "cr1": cr1.standard_error,
        "cr2": cr2.standard_error,
        "cr2_satterthwaite_df": cr2.degrees_of_freedom,
        "cr2_p": cr2.p_equal,
        "naive_ols": second_opinion["naive"],
    }


@reads("cluster_ratio_se")
def _cluster_ratio(agree: list[int], tokens: list[int]) -> Figures:
    cr1 = clustered.ratio(agree, tokens, 0.025)
    cr2 = clustered.ratio(agree, tokens, 0.025, correction=clustered.Correction.CR2)
    second_opinion = regression([(agree, tokens)])
    return second_opinion | {
        "estimate": cr1.ratio,
        "cr1": cr1.standard_error,
        "cr2": cr2.standard_error,
        "cr2_satterthwaite_df": cr2.degrees_of_freedom,
    }


@reads("cluster_bootstrap_ideal")
def _ideal_bootstrap(agree: list[int], tokens: list[int]) -> Figures:
    result = clustered.ideal_bootstrap(agree, tokens)
    return {"mean": result.mean, "sd": result.sd, "resamples": result.resamples}


@reads("design_effect")
def _design_effect(cluster_size: float, icc: float) -> Figures:
    return {"deff": clustered.design_effect(cluster_size, icc)}


@reads("gee_independence_binomial_logit")
def gee_in_matrix_algebra(x_ref: list[int], m_ref: list[int], x_build: list[int], m_build: list[int]) -> Figures:
    """Estimating equations of a logit with two arms, independent within clusters; no library of ours has them."""
    y, x, cluster = items([(x_ref, m_ref), (x_build, m_build)])
    rates = np.array([sum(x_ref) / sum(m_ref), sum(x_build) / sum(m_build)])
    logits = np.log(rates / (1 - rates))
    fitted = x @ rates
    weights = fitted * (1 - fitted)
    bread = np.linalg.inv(x.T @ (weights[:, None] * x))
    contrast = np.array([-1.0, 1.0])
    robust, mancl_derouen = 0.0, 0.0
    for g in np.unique(cluster):
        mine = cluster == g
        hat = x[mine] @ bread @ (weights[mine, None] * x[mine]).T
        for corrected in (False, True):
            residual = (y - fitted)[mine]
            if corrected:
                residual = np.linalg.solve(np.eye(mine.sum()) - hat.T, residual)
            square = float(contrast @ bread @ x[mine].T @ residual) ** 2
            robust, mancl_derouen = (robust, mancl_derouen + square) if corrected else (robust + square, mancl_derouen)
    return {
        "coef": float(contrast @ logits),
        "se_robust": math.sqrt(robust),
        "se_mancl_derouen": math.sqrt(mancl_derouen),
    }


@reads("kl_divergence_nats")
def _divergence_of_the_library(p: list[float], q: list[float]) -> Figures:
    return {"kl": float(rel_entr(p, q).sum())}


def items(arms: list[tuple[list[int], list[int]]]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Write clustered counts out item by item: outcomes (N,), arm indicators (N, arms), cluster numbers (N,)."""
    y, x, cluster = [], [], []
    for arm, (successes, sizes) in enumerate(arms):
        for g, (right, size) in enumerate(zip(successes, sizes, strict=True)):
            y += [1.0] * right + [0.0] * (size - right)
            x += [np.eye(len(arms))[arm]] * size
            cluster += [g] * size
    return np.array(y), np.array(x), np.array(cluster)


def regression(arms: list[tuple[list[int], list[int]]]) -> Figures:
    """Cluster-robust errors of the last arm's mean minus the first's, from N x N matrices."""
    y, x, cluster = items(arms)
    n, k = x.shape
    contrast = np.array([-1.0, 1.0]) if k == 2 else np.ones(1)
    bread = np.linalg.inv(x.T @ x)
    left_over = np.eye(n) - x @ bread @ x.T
    residual = left_over @ y
    squares = {"cr0": 0.0, "cr2": 0.0, "cr3": 0.0}
    projected = []
    groups = np.unique(cluster)
    for g in groups:
        mine = cluster == g
        values, vectors = np.linalg.eigh(left_over[np.ix_(mine, mine)])
        score = contrast @ bread @ x[mine].T
        for name, exponent in (("cr0", 0.0), ("cr2", -0.5), ("cr3", -1.0)):
            adjusted = score @ (vectors * values**exponent) @ vectors.T
            squares[name] += float(adjusted @ residual[mine]) ** 2
            if name == "cr2":
                projected.append(left_over[:, mine] @ adjusted)
    form = np.array(projected) @ np.array(projected).T
    small = len(groups) / (len(groups) - 1)
    return {
        "cr0": math.sqrt(squares["cr0"]),
        "cr1": math.sqrt(squares["cr0"] * small),
        "cr1s": math.sqrt(squares["cr0"] * small * (n - 1) / (n - k)),
        "cr2": math.sqrt(squares["cr2"]),
        "cr2_satterthwaite_df": float(np.trace(form) ** 2 / np.trace(form @ form)),
        "cr3": math.sqrt(squares["cr3"]),
        "naive": math.sqrt(float(contrast @ bread @ contrast) * float(residual @ residual) / (n - k)),
    }


# The rows

SOLVED_TO = dict.fromkeys(
    [
        "paired_diff_tango",
        "indep_diff_miettinen_nurminen",
        "indep_diff_farrington_manning_mee",
        "indep_farrington_manning_test",
    ],
    3e-8,
)
"""Figures that their source finds by iteration, which it ends at about this distance from the solution."""

MAXIMUM_MISSED_BY = {"mcnemar_exact_unconditional": 2e-8, "paired_noninf_exact_unconditional": 3e-5}
"""Figures that their source finds as the largest on a grid: a finer grid finds more, by as much as this."""


def agree(computed: Any, expected: Any, below: float = 0.0, above: float = 0.0) -> None:
    """Compare to the last digit that the reference prints, give or take one, and to 5 in a thousand million."""
    if isinstance(expected, list):
        for one, other in zip(computed, expected, strict=True):
            agree(one, other)
    elif isinstance(expected, bool):
        assert computed is expected
    else:
        last_digit = 10.0 ** int(expected.as_tuple().exponent) if isinstance(expected, Decimal) else 0.0
        tolerance = max(last_digit, 5e-9 * abs(float(expected)))
        assert float(expected) - tolerance - below <= computed <= float(expected) + tolerance + above


def _row_id(row: dict[str, str]) -> str:
    inputs = json.loads(row["inputs_json"])
    return row["method"] + "-" + ",".join(f"{name}={value}".replace(" ", "") for name, value in inputs.items())


@pytest.mark.parametrize("row", ROWS, ids=_row_id)
def test_reference_value(row: dict[str, str]) -> None:
    """Each figure of a row comes out to the digits that its source prints."""
    method = row["method"]
    computed = CHECKS[method](**json.loads(row["inputs_json"]))
    expected = json.loads(row["expected_json"], parse_float=Decimal)
    assert expected.keys() <= computed.keys()
    for name, figure in expected.items():
        below = SOLVED_TO.get(method, 0.0)
        agree(computed[name], figure, below, max(below, MAXIMUM_MISSED_BY.get(method, 0.0)))


def test_every_row_is_read_once() -> None:
    """All 108 rows are different, each has its one check, and no check is left without a row."""
    assert len(ROWS) == 108
    assert max(Counter((row["method"], row["inputs_json"]) for row in ROWS).values()) == 1
    assert {row["method"] for row in ROWS} == CHECKS.keys()
