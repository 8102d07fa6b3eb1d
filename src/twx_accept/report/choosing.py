"""Which build when: sentences that follow from the figures by rules, for whoever picks one of several builds.

Nothing is written for a suite. Only builds that may ship are compared, and only where the figures tell them apart:
sizes that differ noticeably, intervals of agreement that do not touch, differences that stand after Holm. That two
builds score the same is said only where both one-sided tests show it.
"""

from dataclasses import replace
from itertools import combinations
from typing import Final

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome, Quantity, Unit
from twx_accept.report import format as fmt
from twx_accept.report.beside import SIGNIFICANT
from twx_accept.report.headline import standings
from twx_accept.report.naming import title_of

SIZE: Final = "weight_size"
ROOM: Final = "cache_headroom"
AGREEMENT: Final = "agreement"
KNOWLEDGE: Final = "multiple_choice"
CLAIMS: Final = (SIZE, ROOM, AGREEMENT, KNOWLEDGE)
"""The claims that the rules know, by name."""

NOTICEABLE: Final = 0.01
"""Sizes that differ by a smaller share are not told apart: boots of one build differ by as much."""

_PAIRS_OF: Final = 3  # with more builds than this the table of pairs says it better
_WHOLE_GB, _TENTH_GB = 100e9, 10e9


def sentences(run: RunRecord) -> list[str]:
    """What a reader who must choose wants to know, one sentence or two each; empty where nothing can be said."""
    candidates = [each for each in standings(run) if not each.control]
    builds = [each.build for each in candidates if each.ships]
    if not builds:
        return []
    if len(builds) == 1:
        only = f"Only {title_of(run, builds[0])} may ship, so there is nothing to choose between."
        return [*([only] if len(candidates) > 1 else []), *_alone(run, builds[0])]
    said = [_closest(run, builds), _roomiest(run, builds), _smallest(run, builds)]
    if len(builds) <= _PAIRS_OF:
        said += [_pair(run, one, other) for one, other in combinations(builds, 2)]
    said = [each for each in said if each]
    if said and len(builds) < len(candidates):
        names = fmt.listed([title_of(run, build) for build in builds])
        said.insert(0, f"Only builds that may ship are compared here: {names}.")
    return said


def _alone(run: RunRecord, build: str) -> list[str]:
    """A single build against the original: what it saves."""
    weights = _share(_statistic(run, build, SIZE, "bytes"), _statistic(run, build, SIZE, "bytes_original"))
    room = _share(_statistic(run, build, ROOM, "tokens"), _statistic(run, build, ROOM, "tokens_original"))
    saved = None if weights is None else weights[0]
    of = f" ({_percent(weights[1])})" if weights else ""
    parts = [*([_weight(saved) + of] if saved else []), *([_room(room[1])] if room else [])]
    return [f"Against the original, {title_of(run, build)} {' and '.join(parts)}."] if parts else []


def _closest(run: RunRecord, builds: list[str]) -> str:
    """By agreement where it is measured of all, else by knowledge."""
    found = {build: _agreement(run, build) for build in builds}
    measured = {build: each for build, each in found.items() if each is not None}
    if len(measured) < len(builds):
        return _best_known(run, builds)
    best = max(measured, key=lambda build: measured[build][0])
    value, lower, upper = measured[best][:3]
    alike = len({each[3] for each in measured.values()}) == 1
    if not alike or any(each[2] >= lower for build, each in measured.items() if build != best):
        return ""
    others = [f"{title_of(run, name)} {_between(*each[:3])}" for name, each in measured.items() if name != best]
    return (
        f"Closest to the original: {title_of(run, best)}. It picks the original's next token at "
        f"{_between(value, lower, upper)} of the positions, {fmt.listed(others)}."
    )


def _agreement(run: RunRecord, build: str) -> tuple[float, float, float, float] | None:
    """Agreement, its bounds and the number of positions; None where it was not measured."""
    names = ("agreement", "lower", "upper", "n")
    found = [each for name in names if (each := _statistic(run, build, AGREEMENT, name)) is not None]
    return (found[0], found[1], found[2], found[3]) if len(found) == len(names) else None


def _best_known(run: RunRecord, builds: list[str]) -> str:
    """The build that scores measurably above every other."""
    for build in builds:
        others = [_contrast(run, KNOWLEDGE, other, build) for other in builds if other != build]
        above = [each for each in others if each and _apart(each) and each.difference > 0]
        if len(above) < len(builds) - 1:
            continue
        title, name = above[0].title, title_of(run, build)
        losses = [_statistic(run, each, KNOWLEDGE, "difference") for each in builds]
        own = _statistic(run, build, KNOWLEDGE, "difference")
        if own is None or any(each is None or each > 0 for each in losses):
            return f"Highest on {title}: {name}."
        return f"Closest to the original on {title}: {name}, {_apart_by(own * 100)} it."
    return ""


def _roomiest(run: RunRecord, builds: list[str]) -> str:
    best = _extreme(run, ROOM, builds, sign=1)
    if not best:
        return ""
    tokens = _statistic(run, best, ROOM, "tokens")
    amount = "" if tokens is None else f", with {fmt.number(tokens, 0)} tokens of cache"
    return f"Most room: {title_of(run, best)}{amount}."


def _smallest(run: RunRecord, builds: list[str]) -> str:
    best = _extreme(run, SIZE, builds, sign=-1)
    if not best:
        return ""
    bytes_ = _statistic(run, best, SIZE, "bytes")
    amount = "" if bytes_ is None else f", with {_gigabytes(bytes_)} of weights"
    return f"Smallest: {title_of(run, best)}{amount}."


def _extreme(run: RunRecord, claim: str, builds: list[str], *, sign: int) -> str:
    """The build that lies noticeably on that side of every other; empty where none does."""
    for build in builds:
        found = [_size(run, claim, other, build) for other in builds if other != build]
        if all(each is not None and each.difference * sign > 0 for each in found):
            return build
    return ""


def _pair(run: RunRecord, one: str, other: str) -> str:
    """Two builds against each other: what the one saves, then where they score differently."""
    weights, room = _size(run, SIZE, one, other), _size(run, ROOM, one, other)
    first = weights or room
    leads = first is not None and first.difference * (-1 if first is weights else 1) > 0
    left, right = (other, one) if leads else (one, other)
    parts = []
    if weights := _size(run, SIZE, right, left):
        parts.append(f"{_weight(weights.difference)} than {title_of(run, right)}")
    if room := _size(run, ROOM, right, left):
        share = _relative(room)
        parts.append(_room(share) + ("" if parts else f" than {title_of(run, right)}") if share else "")
    parts = [part for part in parts if part]
    said = [f"{title_of(run, left)} {' and '.join(parts)}."] if parts else []
    contrasts = [each for each in run.contrasts if {each.one, each.other} == {one, other} and each.lower is not None]
    told = [each for each in contrasts if each.claim == KNOWLEDGE or _apart(each)]
    return " ".join([*said, *(_scores(run, _turned(each, right)) for each in told)])


def _scores(run: RunRecord, contrast: Contrast) -> str:
    """How two builds score against each other, with the interval."""
    where = f"On {contrast.title}" + (f", {contrast.figure}," if contrast.figure else "")
    lower, upper = (fmt.difference(each or 0.0, contrast.unit) for each in (contrast.lower, contrast.upper))
    interval = f"{_percent(1 - 2 * contrast.alpha)} interval {lower} to {upper}"
    names = f"{title_of(run, contrast.other)} is {_apart_by(contrast.difference)} {title_of(run, contrast.one)}"
    apart = "measurably apart" if _apart(contrast) else ""
    if contrast.same:
        within = f"within {fmt.number(contrast.margin or 0.0, 2)} points"
        return f"{where} the two score the same {within} ({interval}){f', and are {apart}: {names}' if apart else ''}."
    return f"{where} {names} ({interval}){f', {apart}' if apart else ', which does not tell them apart'}."


def _contrast(run: RunRecord, claim: str, one: str, other: str) -> Contrast | None:
    """The contrast of two builds in that claim, the other minus the one; None where there is none."""
    found = next((c for c in run.contrasts if c.claim == claim and {c.one, c.other} == {one, other}), None)
    return None if found is None else _turned(found, one)


def _turned(contrast: Contrast, one: str) -> Contrast:
    """The contrast with that build as the one that the other is held against."""
    if contrast.one == one:
        return contrast
    lower, upper = contrast.lower, contrast.upper
    return replace(
        contrast,
        one=contrast.other,
        other=contrast.one,
        difference=-contrast.difference,
        lower=None if upper is None else -upper,
        upper=None if lower is None else -lower,
    )


def _size(run: RunRecord, claim: str, one: str, other: str) -> Contrast | None:
    """The contrast of two sizes; None where it was not measured or is too small to notice."""
    found = _contrast(run, claim, one, other)
    if found is None or not found.difference:
        return None
    share = _relative(found)
    return None if share is not None and abs(share) < NOTICEABLE else found


def _relative(contrast: Contrast) -> float | None:
    """A difference as a share of the one's size; None where that is not known."""
    whole = next((count.value for count in contrast.counts if count.label == contrast.one), None)
    return contrast.difference / whole.value if isinstance(whole, Quantity) and whole.value > 0 else None


def _share(size: float | None, whole: float | None) -> tuple[float, float] | None:
    """A difference and its share of the whole; None where either is not known or nobody would notice it."""
    if size is None or not whole or abs(size - whole) / whole < NOTICEABLE:
        return None
    return size - whole, (size - whole) / whole


def _statistic(run: RunRecord, build: str, claim: str, name: str) -> float | None:
    """A number behind a verdict; None where there is none or the claim is invalid."""
    verdict = next((each for each in run.of(build) if each.claim == claim), None)
    value = None if verdict is None or verdict.outcome is Outcome.INVALID else verdict.statistics.get(name)
    return None if value is None or isinstance(value, str) else float(value)


def _apart(contrast: Contrast) -> bool:
    return contrast.adjusted is not None and contrast.adjusted < SIGNIFICANT


def _apart_by(points: float) -> str:
    """A difference in points in words, up to what it is a difference from."""
    if not fmt.number(points, 2).strip("0.,"):
        return "0.00 points from"
    return f"{fmt.number(abs(points), 2)} points {'below' if points < 0 else 'above'}"


def _between(value: float, lower: float, upper: float) -> str:
    value, lower, upper = value * 100, lower * 100, upper * 100
    return f"{fmt.number(value, 2)}% ({fmt.number(lower, 2)} to {fmt.number(upper, 2)})"


def _weight(difference: float) -> str:
    return f"carries {_gigabytes(abs(difference))} {'less' if difference < 0 else 'more'} weight"


def _room(share: float) -> str:
    return f"has {_percent(share)} {'more' if share > 0 else 'less'} room in the cache"


def _percent(share: float) -> str:
    return f"{fmt.number(abs(share) * 100, 0)}%"


def _gigabytes(value: float) -> str:
    """A size with the digits that a person compares."""
    digits = 0 if value >= _WHOLE_GB else 1 if value >= _TENTH_GB else 2
    return fmt.quantity(Quantity(value=value, unit=Unit.BYTES, digits=digits))
