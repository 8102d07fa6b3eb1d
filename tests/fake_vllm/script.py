"""What the stand-in does, and how it misbehaves."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

ACTIONS = ("status", "drop", "truncate", "garbage", "slow", "missing", "impossible", "nan", "empty")


@dataclass(frozen=True)
class Fault:
    """What goes wrong with some requests.

    ``path`` must equal the request's; ``match`` must stand in its JSON body; of the requests that fit, the first
    ``after`` are answered well and the next ``times`` (0: all) are spoilt:

    - ``status``: answered with ``status`` and an error as vLLM words it (``retry_after`` seconds in a header, if any);
    - ``drop``: the connection is closed without an answer;
    - ``truncate``: the answer breaks off in its middle;
    - ``garbage``: the answer is no JSON;
    - ``slow``: answered well after ``seconds``;
    - ``missing``: one of the asked ``logprob_token_ids`` is left out;
    - ``impossible``: its value is -9999, vLLM's minus infinity;
    - ``nan``: its value is NaN;
    - ``empty``: no choices.
    """

    path: str
    action: str
    match: str = ""
    after: int = 0
    times: int = 0
    status: int = 500
    seconds: float = 1.0
    retry_after: float | None = None

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise ValueError(f"action {self.action!r} is none of {ACTIONS}")


@dataclass(frozen=True)
class Script:
    """The stand-in's whole behaviour; the defaults behave well.

    As a server: ``models`` replaces the names it serves; ``health`` the status of ``/health``; ``server_info`` (False)
    takes that endpoint away; ``settings`` overrides entries of its configuration (``{"model_config": {"seed": 1}}``);
    ``environment`` entries of its ``vllm_env``; ``corrupted`` the count of corrupted requests; ``capacity`` the tokens
    of its cache; ``scores`` gives log-probabilities for tokens by their text (`` A`` with its blank); ``chat`` is the
    message of chat answers where nobody tells it to call a tool; ``tools`` (False) refuses every chat that offers
    some, as a server without its flags does; orders that hold ``forgets`` are not followed; ``root`` is what it says it
    has loaded, ``api_key`` what it wants for its ``/v1``, ``more_metrics`` further lines of its ``/metrics``.

    As a process: ``prints`` are lines for the log; ``start_seconds`` pass before it listens, and a file
    ``start_when`` must be there (a minute is waited for it); ``exit_at_start`` ends it with that status instead of
    listening; ``never_ready`` keeps it alive and deaf; after ``die_after`` completions it exits 0 at the next;
    ``ignore_sigterm``; ``orphan`` starts a child that ignores SIGTERM and outlives it, in a
    session of its own; ``stop_seconds`` pass between SIGTERM and its end; ``journal`` is a file that gets a line of
    JSON for each boot, readiness, POST and SIGTERM; ``cards`` a folder of :class:`fake_nvml.SharedNvml`, where it holds
    60 GiB of each card that it may see, as the journal says; ``help`` is what it prints of its flags. ``builds`` gives
    fields another value for the model of that name.
    """

    faults: tuple[Fault, ...] = ()
    models: tuple[str, ...] | None = None
    health: int = 200
    server_info: bool = True
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    corrupted: int = 0
    capacity: int = 46592
    scores: Mapping[str, float] = field(default_factory=dict)
    chat: Mapping[str, Any] = field(default_factory=lambda: {"role": "assistant", "content": "Paris."})
    tools: bool = True
    forgets: str = ""
    root: str = ""
    api_key: str = ""
    more_metrics: str = ""
    help: str = ""
    prints: tuple[str, ...] = ()
    start_seconds: float = 0.0
    start_when: str = ""
    exit_at_start: int | None = None
    never_ready: bool = False
    die_after: int | None = None
    ignore_sigterm: bool = False
    orphan: bool = False
    stop_seconds: float = 0.0
    journal: str = ""
    cards: str = ""
    builds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, build: str) -> "Script":
        """The script for the model of that name."""
        return Script.from_json(json.dumps(json.loads(self.to_json()) | dict(self.builds.get(build, {}))))

    def to_json(self) -> str:
        """The script as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Script":
        """The script of that text."""
        values = json.loads(text)
        values["faults"] = tuple(Fault(**fault) for fault in values.get("faults", ()))
        for name in ("models", "prints"):
            if values.get(name) is not None:
                values[name] = tuple(values[name])
        return cls(**values)
