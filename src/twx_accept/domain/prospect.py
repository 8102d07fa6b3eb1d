"""What a plan can hope for, before anything boots."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """What is assumed of a build to plan with: rates are fractions of all items.

    ``discordance`` is the share of items right on one side only, ``loss`` the expected loss (positive is a loss);
    ``source`` says where they come from ("seen in evidence of 1,140 questions", "given", "the suite's").
    """

    discordance: float
    loss: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What one claim about one build can show as planned.

    ``power`` is the probability that the claim is shown if the assumption is true (None where there is nothing random);
    ``needed`` the number of items for a power of 90%; ``resolvable`` the smallest loss in points that the planned items
    can rule out with 90% for a build that loses nothing. ``requests`` and ``prompt_characters`` are for one build.
    """

    claim: str
    title: str
    build: str
    mark: str
    planned_n: int | None
    power: float | None
    needed: int | None
    resolvable: float | None
    assumption: Assumption | None
    requests: int
    prompt_characters: int
    warnings: tuple[str, ...] = ()
