"""McNemar's test: do the two sides differ at all?"""

from dataclasses import dataclass
from typing import SupportsIndex

from scipy.special import chdtrc
from scipy.stats import binom, binomtest

from twx_accept.statistics import _checks
from twx_accept.statistics.types import IDENTICAL_OUTCOMES


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Two-sided p-values of McNemar's test in its four forms.

    Attributes:
        b: Items right only for the original.
        c: Items right only for the build.
        exact: p of the exact conditional test, the default: never above its level, hence conservative.
        midp: p of the exact test with half the weight on what was observed; may exceed its level a little.
        asymptotic: p of the chi-squared test without continuity correction.
        corrected: p of the chi-squared test with Edwards's continuity correction, close to ``exact``.
        chi2: The statistic behind ``asymptotic``, one degree of freedom.
        chi2_corrected: The statistic behind ``corrected``.
        warnings: What a reader must know before trusting the figures.
    """

    b: int
    c: int
    exact: float
    midp: float
    asymptotic: float
    corrected: float
    chi2: float
    chi2_corrected: float
    warnings: tuple[str, ...] = ()


def mcnemar(b: SupportsIndex, c: SupportsIndex) -> McNemar:
    """Test whether the build is as often right as the original on the same items.

    Only the discordant pairs carry information: under equality, b of b + c is a toss of a fair coin. Without any
    discordant pair every p is 1. A large p is no evidence that the two sides are the same; that is a question for
    :func:`~twx_accept.statistics.paired.equivalence`.

    Source: McNemar 1947, Psychometrika 12:153-157; the four forms as compared by Fagerland, Lydersen and Laake
    2013, BMC Medical Research Methodology 13:91.

    Raises:
        StatisticsError: A count is negative or not whole.
    """
    b, c = _checks.discordant(b, c)
    changed = b + c
    if changed == 0:
        return McNemar(
            b=b,
            c=c,
            exact=1.0,
            midp=1.0,
            asymptotic=1.0,
            corrected=1.0,
            chi2=0.0,
            chi2_corrected=0.0,
            warnings=(IDENTICAL_OUTCOMES,),
        )
    exact = min(1.0, float(binomtest(b, changed).pvalue))
    # As extreme as the observed split is its mirror image too, unless the split is even: there is only one of it.
    equally_extreme = float(binom.pmf(b, changed, 0.5)) * (1 if b == c else 2)
    chi2 = (b - c) ** 2 / changed
    chi2_corrected = max(0, abs(b - c) - 1) ** 2 / changed
    return McNemar(
        b=b,
        c=c,
        exact=exact,
        midp=exact - equally_extreme / 2.0,
        asymptotic=_chi_squared_tail(chi2),
        corrected=_chi_squared_tail(chi2_corrected),
        chi2=chi2,
        chi2_corrected=chi2_corrected,
    )


def _chi_squared_tail(statistic: float) -> float:
    """P(chi-squared with one degree of freedom >= ``statistic``)."""
    return float(chdtrc(1.0, statistic))
