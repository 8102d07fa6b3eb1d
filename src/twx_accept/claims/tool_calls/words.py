"""The verdict in words."""

from collections.abc import Mapping, Sequence

from twx_accept.claims import _words
from twx_accept.claims.tool_calls.outcomes import Pair, sides
from twx_accept.statistics.paired import NonInferiority, mcnemar


def sentence(
    build: str, pairs: Mapping[str, Sequence[Pair]], tests: Mapping[str, NonInferiority], *, gates: bool
) -> str:
    """What was found at each effort; beside the mark where there is one that counts.

    Args:
        build: the build's name.
        pairs: the trials of each effort.
        tests: the test of each effort.
        gates: whether the mark counts.
    """
    parts = []
    for effort, test in tests.items():
        before, passed = (sum(outcome.right for outcome in side) for side in sides(pairs[effort]))
        if gates:
            said = _words.noninferiority(build, test, mcnemar(test.b, test.c))
        else:
            said = f"{build} passes {passed} of {test.n} trials, the original {before}."
        parts.append(f"At {effort} effort {said}")
    return " ".join(parts)
