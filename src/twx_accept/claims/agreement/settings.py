"""The claim's table in a suite file."""

from typing import Annotated

from pydantic import Field

from twx_accept.claims import Settings

CLAIM = "agreement"

Share = Annotated[float, Field(gt=0, lt=1)]


class AgreementSettings(Settings):
    """What is read, how much of each position's distribution comes back, and what is gated.

    ``mark``: for each build, the least share of positions at which its top next token is the original's.
    ``total_variation_mark``: for each build, the largest mean total variation distance. Neither is needed.
    """

    title: str = "Agreement and drift"
    source: str
    split: str = "test"
    passages: int | None = Field(default=None, ge=2)
    max_tokens_per_passage: int = Field(default=1024, ge=2, le=8192)
    top_k: int = Field(default=50, ge=1, le=1000)
    first_positions: int = Field(default=16, ge=1)
    full_vocabulary_prefixes: int = Field(default=8, ge=0, le=100)
    prefix_tokens: int = Field(default=24, ge=1, le=1024)
    reversed_probe: int = Field(default=5, ge=0)
    mark: dict[str, Share] = Field(default_factory=dict)
    total_variation_mark: dict[str, Share] = Field(default_factory=dict)
    alpha: float = Field(default=0.025, gt=0, lt=0.5)
    unscored_share: float = Field(default=0.0002, ge=0, lt=1)
