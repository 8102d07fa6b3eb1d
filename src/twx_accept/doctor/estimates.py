"""What a run costs where nothing has been measured yet: estimates, each with what it was taken from.

They are for a model of over a terabyte in 4 bits on eight cards, the largest that this project was made for. A smaller
model takes less. One run with ``--limit-questions`` replaces all of them by measurements.
"""

from dataclasses import dataclass

LARGE = "estimated for a model of over 1 TB on eight cards"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds for so many requests, from the best to the worst case."""

    requests: int
    low: float
    high: float

    def of(self, requests: int) -> tuple[float, float]:
        """Seconds for another number of them."""
        return self.low * requests / self.requests, self.high * requests / self.requests


ASKING = {
    "multiple_choice": Estimate(14_042, 4 * 60, 9 * 60),
    "made_up_facts": Estimate(360, 2 * 60, 20 * 60),
    "tool_calls": Estimate(2_814, 12 * 60, 100 * 60),  # 1,200 calls and what follows them; how long it thinks decides
    "agreement": Estimate(636, 60, 2 * 60),  # 300 passages: their tokens, and each of them read
}
"""By claim. Of others nothing is known before it is measured."""

READING = (10**12 / 2400, 10**12 / 600)
"""Bytes of weights a second while a server starts: 40 and 10 minutes for a terabyte."""

STARTING = (40.0, 240.0)
"""Seconds of a start besides reading weights: imports, compilation, warm-up. With a model of 0.3 GB one H200 took 38 to
70 s without compilation, 122 s with it; two took 107 s. The upper end is for larger ones."""
