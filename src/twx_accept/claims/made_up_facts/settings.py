"""The claim's table in a suite file."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from twx_accept.claims import Settings
from twx_accept.claims.made_up_facts.prompts import CHAT, COMPLETION, PLACE
from twx_accept.suite_engine import JUDGE_KEY_VARIABLE, root_url

CLAIM = "made_up_facts"

OWN = frozenset(
    {"model", "messages", "prompt", "max_tokens", "max_completion_tokens", "temperature", "top_p", "seed", "stop"}
    | {"stream", "n", "logprobs", "echo"}
)
"""Fields of a request that the claim sets itself, or whose answers it could not read."""

Reads = Literal["undecided", "refused", "all"]
Points = Annotated[float, Field(gt=0, lt=100)]
Share = Annotated[float, Field(ge=0, lt=1)]


class JudgeSettings(Settings):
    """A judge behind an OpenAI-compatible address: the second stage.

    ``reads`` says of which facts it has the last word: those that the matcher leaves ``undecided``, all that it does
    not support (``refused``), or ``all``. With it matcher and judge are one instrument, whose error is measured.
    Without it the judge rules on what is undecided and its error is not measured: the margins are those of the matcher
    alone, which counts what is undecided as wrong, so that no judge can be worse.
    """

    model: str = Field(min_length=1)
    address: str
    reads: Reads | None = None
    max_tokens: int = Field(default=16, ge=1, le=4096)
    seed: int = Field(default=0, ge=0)
    effort: dict[str, Any] = Field(default_factory=dict)

    @field_validator("address")
    @classmethod
    def _root(cls, value: str) -> str:
        return root_url(value, JUDGE_KEY_VARIABLE)

    @field_validator("effort")
    @classmethod
    def _plain(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        return extra_body(value)


class MadeUpFactsSettings(Settings):
    """What is read and how it is asked; the marks, which need each other; what makes a figure mean nothing.

    ``labelled``: facts that people labelled, from which the matcher's own error is measured. ``effort`` goes into the
    request as it is. ``made_up_ceiling``: an original that makes up a larger share of its own facts cannot show
    anything. ``undecided_share`` and ``unscored_share`` are the most of a side's facts and of the passages.
    """

    title: str = "Made-up facts"
    short: str = Field(default="facts", pattern=r"^[a-z][a-z0-9-]{0,30}$")
    source: str
    split: str = "test"
    passages: int | None = Field(default=None, ge=2)
    labelled: str | None = None
    labelled_split: str = "sealed"
    mode: Literal["chat", "completion"] = "chat"
    prompt: str | None = None
    temperature: float = Field(default=0.0, ge=0, le=2)
    top_p: float = Field(default=1.0, gt=0, le=1)
    seed: int = Field(default=0, ge=0)
    max_tokens: int = Field(default=1024, ge=16, le=131072)
    effort: dict[str, Any] = Field(default_factory=dict)
    most_facts: int = Field(default=200, ge=1, le=2000)
    margin_points: Points | None = None
    recall_margin_points: Points | None = None
    recall_floor: float | None = Field(default=None, gt=0, le=1)
    made_up_ceiling: float = Field(default=0.5, gt=0, le=1)
    equivalence_points: Points | None = None
    recall_equivalence_points: Points | None = None
    alpha: float = Field(default=0.025, gt=0, lt=0.5)
    undecided_share: Share = 0.03
    unscored_share: Share = 0.01
    judge: JudgeSettings | None = None

    @field_validator("effort")
    @classmethod
    def _plain(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        return extra_body(value)

    @field_validator("prompt")
    @classmethod
    def _holds_the_passage(cls, value: str | None) -> str | None:
        if value is not None and value.count(PLACE) != 1:
            raise ValueError(f"should hold {PLACE} once, where the passage goes")
        return value

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """A build that writes nothing makes nothing up: the rate gates only together with recall."""
        marks = {name: getattr(self, name) for name in ("margin_points", "recall_margin_points")}
        if any(marks.values()):
            needed = {**marks, "recall_floor": self.recall_floor, "labelled": self.labelled}
            absent = [name for name, value in needed.items() if value is None]
            if absent:
                raise ValueError(f"a mark gates only with all of {', '.join(needed)}; add {' and '.join(absent)}")
        if self.labelled is None and (self.equivalence_points or self.recall_equivalence_points):
            raise ValueError("a margin of equivalence needs labelled facts, which say how well facts are matched")
        return self

    @property
    def gated(self) -> bool:
        """Whether there are marks."""
        return self.margin_points is not None

    @property
    def template(self) -> str:
        """The prompt word for word, with the place of the passage."""
        return self.prompt or (CHAT if self.mode == "chat" else COMPLETION)


def extra_body(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is passed through to the engine: JSON, and nothing that the claim says itself."""
    taken = sorted(OWN & set(value))
    if taken:
        raise ValueError(f"should not hold {', '.join(taken)}, which have a place of their own")
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("should be a table that JSON can hold") from error
    return value
