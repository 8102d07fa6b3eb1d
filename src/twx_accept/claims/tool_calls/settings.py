"""The claim's table in a suite file."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field

from twx_accept.claims import Settings
from twx_accept.claims.tool_calls.asking import CLAIM, OWN
from twx_accept.claims.tool_calls.reading import Format
from twx_accept.domain.exchange import digest
from twx_accept.domain.suite import Suite
from twx_accept.errors import SuiteError


class ToolCallsSettings(Settings):
    """Where the trials are, how they are asked and read, and the mark."""

    source: str
    trials_per_case: int | None = Field(default=None, ge=1)
    format: Format
    begins_in_thinking: bool | None = None
    max_tokens: int = Field(ge=1)
    seed: int = Field(default=0, ge=0)
    sampling: dict[str, float | int]
    efforts: dict[str, dict[str, Any]] = Field(min_length=1)
    margin_points: float | None = Field(default=None, gt=0, lt=100)
    alpha: float = Field(default=0.025, gt=0, lt=0.5)
    original_at_least: float = Field(default=0.5, gt=0, le=1)
    unscored_share: float = Field(default=0.0, ge=0, lt=1)
    equivalence_points: float | None = Field(default=None, gt=0, lt=100)

    @classmethod
    def checked(cls, suite: Suite) -> Self:
        """The settings in that suite, with what they add to each request looked at.

        Raises:
            SuiteError: naming the file, the field and the value.
        """
        settings = cls.of(suite, CLAIM)
        at = f"{suite.file}: claims.{CLAIM}"
        for effort, told in settings.efforts.items():
            if not effort.isidentifier():
                raise SuiteError(f"{at}.efforts: {effort!r:.80} is no word; call it low, say")
            _require_sendable(f"{at}.efforts.{effort}", told)
        _require_sendable(f"{at}.sampling", settings.sampling)
        return settings


def _require_sendable(at: str, told: Mapping[str, Any]) -> None:
    """What a suite adds to each request is JSON, and takes nothing of the claim's own away.

    Raises:
        SuiteError: naming the field.
    """
    for name in told:
        if name in OWN:
            raise SuiteError(f"{at}.{name}: is set by the claim itself; remove it")
    try:
        digest(told)
    except (TypeError, ValueError, RecursionError) as error:
        raise SuiteError(f"{at}: cannot be sent as JSON ({error}); mend it") from error
