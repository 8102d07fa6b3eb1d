"""Suites whose engine is the stand-in of :mod:`fake_vllm`."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from twx_accept.domain.suite import Asking, Build, Engine, Suite

TESTS = Path(__file__).resolve().parents[2]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from fake_vllm import Script, engine_python  # noqa: E402 - found through the line above

FLAGS = {"seed": 0, "max_model_len": 2048, "enforce_eager": True, "generation_config": "vllm"}


class StillMemory:
    """Memory in which nothing ever moves, so that the machine's other work cannot fail a test."""

    def used(self) -> tuple[int, ...]:
        """One place, nothing in use."""
        return (0,)

    def totals(self) -> tuple[int, ...]:
        """No cards."""
        return ()

    def slack(self) -> int:
        """None."""
        return 0

    def holders(self) -> list[Any]:
        """Nobody."""
        return []

    def names(self) -> tuple[str, ...]:
        """One place."""
        return ("host",)


@pytest.fixture
def still() -> StillMemory:
    """Memory in which nothing ever moves."""
    return StillMemory()


@pytest.fixture
def make_suite(tmp_path: Path) -> Callable[..., Suite]:
    """Makes a suite whose engine is the stand-in with the given script; keywords replace parts of its engine."""

    def make(script: Script | None = None, *, flags: dict[str, Any] | None = None, **engine: Any) -> Suite:
        folder = tmp_path / "a build"
        folder.mkdir(exist_ok=True)
        original = Build(name="original", title="The original", path=folder, flags={}, digests={})
        settings = {"environment": {}, "ready_seconds": 20.0, "stop_seconds": 3.0, "memory_seconds": 0.5, **engine}
        return Suite(
            name="small",
            title="A small suite",
            version=1,
            demonstration=True,
            file=tmp_path / "suite.toml",
            folder=tmp_path,
            original=original,
            builds=(replace(original, name="w8", title="Eight bits"),),
            engine=Engine(python=engine_python(tmp_path / "engine", script), device="cpu", **settings),
            asking=Asking(concurrency=1, prompts_per_request=1, timeout_seconds=5.0, attempts=2),
            flags=FLAGS if flags is None else flags,
            may_differ=("quantization",),
            claims={},
        )

    return make
