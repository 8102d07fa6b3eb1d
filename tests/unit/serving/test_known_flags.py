"""Flags held against the engine's own help."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from twx_accept.errors import SuiteError
from twx_accept.serving import known_flags as module
from twx_accept.serving.known_flags import expect_known, read_help

VERSIONS = {"vllm": "0.32.0", "torch": "2.13"}
HELP = """usage: api_server.py [-h] [--max-model-len MAX_MODEL_LEN]

options:
  --aggregate-engine-logging
                        Log aggregate rather than per-engine statistics when
                        using --data-parallel-size. (default: False)
  --config CONFIG       Read CLI options from a config file, such as
  -h, --help            show this help message and exit

ModelConfig:
  Configuration for the model.

  --model MODEL         Name or path, see --nonsense-in-words.
  --served-model-name SERVED_MODEL_NAME [SERVED_MODEL_NAME ...]
  --max-model-len MAX_MODEL_LEN
  --kv-cache-dtype {auto,fp8, --no-flag-at-all}
  --distributed-executor-backend ['mp', 'ray', --neither-this]
  --enable-prefix-caching, --no-enable-prefix-caching
  --gpu-memory-utilization GPU_MEMORY_UTILIZATION, --device-memory-utilization GPU_MEMORY_UTILIZATION
  --tensor-parallel-size TENSOR_PARALLEL_SIZE, -tp TENSOR_PARALLEL_SIZE
  --disable-log-stats   Disable logging statistics. (default: False)

When passing JSON CLI arguments, the following sets of arguments are equivalent:
   --json-arg '{"key1": "value1"}'
"""


@pytest.fixture
def engine(tmp_path: Path) -> Callable[..., list[str]]:
    """Makes a command that stands as the engine's python: it prints a help, and counts how often."""

    def make(text: str = HELP, *, status: int = 0, seconds: float = 0) -> list[str]:
        (tmp_path / "help").write_text(text)
        script = f"cat {shlex.quote(str(tmp_path / 'help'))}; echo x >> {shlex.quote(str(tmp_path / 'count'))}"
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\n[ {seconds} = 0 ] || exec sleep {seconds}\n{script}\nexit {status}\n")
        program.chmod(0o755)
        return [str(program)]

    return make


def count(folder: Path) -> int:
    """How often a help was printed."""
    return len((folder / "count").read_text().split()) if (folder / "count").exists() else 0


def test_a_help_is_read_by_its_lines() -> None:
    """Only what begins a line of options is a flag, whatever the words, the choices and the examples hold."""
    assert read_help(HELP) == {
        *("--aggregate-engine-logging", "--config", "-h", "--help", "--model", "--served-model-name"),
        *("--max-model-len", "--kv-cache-dtype", "--distributed-executor-backend", "--enable-prefix-caching"),
        *("--no-enable-prefix-caching", "--gpu-memory-utilization", "--device-memory-utilization"),
        *("--tensor-parallel-size", "-tp", "--disable-log-stats"),
    }


def test_flags_that_the_engine_knows_are_let_through(engine: Any, tmp_path: Path) -> None:
    """Values, switches and their negation, and tables go by the word that is printed."""
    flags = {"max_model_len": 2048, "enable_prefix_caching": False, "tensor_parallel_size": 8, "config": {"a": 1}}
    assert expect_known(flags, engine(), VERSIONS, cache=tmp_path / "cache") == ""


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"max_model_length": 1}, r"--max-model-length \(did you mean max_model_len"),
        ({"enable_prefix_cache": False}, r"--no-enable-prefix-cache \(did you mean enable_prefix_caching"),
        ({"zzz": True}, r"--zzz \(nothing there is like it; remove it\)"),
        ({"disable_log_stats": False}, r"it has only --disable-log-stats: remove disable_log_stats, or set it to true"),
        ({"zzz": 1, "kv_cache_type": "fp8"}, r"--zzz .*; nor --kv-cache-type \(did you mean kv_cache_dtype"),
    ],
)
def test_a_flag_that_it_does_not_know_is_refused(engine: Any, tmp_path: Path, flags: Any, told: str) -> None:
    """The error names the engine's version, every such flag, what may be meant, and how to look."""
    with pytest.raises(SuiteError, match=f"vLLM 0.32.0 does not know .*{told}.*--help=all"):
        expect_known(flags, engine(), VERSIONS, cache=tmp_path / "cache")


def test_a_help_is_read_once_for_each_version(engine: Any, tmp_path: Path) -> None:
    """The second time nothing is started; another version, or another place of it, is another engine."""
    cache = tmp_path / "cache"
    for _ in range(2):
        assert expect_known({"config": "x"}, engine(), VERSIONS, cache=cache) == ""
    assert count(tmp_path) == 1
    assert expect_known({"config": "x"}, engine(), VERSIONS | {"vllm": "0.33.0"}, cache=cache) == ""
    assert expect_known({"config": "x"}, ["/usr/bin/env", *engine()], VERSIONS, cache=cache) == ""
    assert count(tmp_path) == 3


@pytest.mark.parametrize("kept", ["", "[]", "{}", "[1]", '["--model"]', "[" * 100_000, "\0"])
def test_a_kept_help_that_is_spoilt_is_read_again(engine: Any, tmp_path: Path, kept: str) -> None:
    """A file that was cut or edited is not believed."""
    cache, python = tmp_path / "cache", engine()
    expect_known({}, python, VERSIONS, cache=cache)
    (file,) = cache.iterdir()
    file.write_text(kept)
    assert expect_known({"config": "x"}, python, VERSIONS, cache=cache) == ""
    assert count(tmp_path) == 2
    assert "--model" in json.loads(file.read_text())


@pytest.mark.parametrize(
    ("text", "status"),
    [("", 0), ("Traceback (most recent call last):\nRuntimeError: Failed to infer device type\n", 1), ("\0" * 9, 0)],
)
def test_a_help_that_cannot_be_read_refuses_nothing(engine: Any, tmp_path: Path, text: str, status: int) -> None:
    """What cannot be read is said to be unchecked, and is not kept."""
    why = expect_known({"zzz": 1}, engine(text, status=status), VERSIONS, cache=tmp_path / "cache")
    assert "could not be read" in why
    assert not (tmp_path / "cache").exists()


def test_a_help_that_never_comes_is_not_waited_for(engine: Any, tmp_path: Path, monkeypatch: Any) -> None:
    """There is a deadline, and an engine that is not there is no error here."""
    monkeypatch.setattr(module, "HELP_SECONDS", 0.3)
    assert "timed out" in expect_known({"zzz": 1}, engine(seconds=30), VERSIONS, cache=tmp_path / "cache")
    assert "No such file" in expect_known({"zzz": 1}, [str(tmp_path / "absent")], VERSIONS, cache=tmp_path / "cache")


def test_a_cache_that_cannot_be_written_costs_time_alone(engine: Any, tmp_path: Path) -> None:
    """A file in the place of the folder is no error."""
    (tmp_path / "cache").write_text("")
    assert expect_known({"config": "x"}, engine(), VERSIONS, cache=tmp_path / "cache") == ""


def test_the_python_of_this_run_does_not_reach_the_engine(tmp_path: Path, monkeypatch: Any) -> None:
    """PYTHONPATH and its like are for this process."""
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\nenv | grep -c PYTHONHOME > {tmp_path}/seen\ncat {tmp_path}/help\n")
    program.chmod(0o755)
    (tmp_path / "help").write_text(HELP)
    assert expect_known({"config": "x"}, [str(program)], VERSIONS, cache=tmp_path / "cache") == ""
    assert (tmp_path / "seen").read_text() == "0\n"


def test_a_folder_of_this_run_does_not_stand_for_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package beside the suite that is called as the engine's is not asked for the engine's flags."""
    package = tmp_path / "vllm" / "entrypoints" / "openai"
    package.mkdir(parents=True)
    (package / "api_server.py").write_text(f"print({HELP!r})\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    why = expect_known({"zzz": 1}, [sys.executable], VERSIONS, cache=tmp_path / "cache")
    assert "could not be read" in why
    old = tmp_path / "python"  # one that knows no PYTHONSAFEPATH
    old.write_text(f'#!/bin/sh\nexec env -u PYTHONSAFEPATH {sys.executable} "$@"\n')
    old.chmod(0o755)
    assert "could not be read" in expect_known({"zzz": 1}, [str(old)], VERSIONS, cache=tmp_path / "cache")
