"""What a server is started with."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from twx_accept.domain.suite import Suite
from twx_accept.errors import SettingsMismatch, SuiteError
from twx_accept.serving import arguments


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, ["--some-flag"]),
        (False, ["--no-some-flag"]),
        (0, ["--some-flag", "0"]),
        (0.9, ["--some-flag", "0.9"]),
        ("a b", ["--some-flag", "a b"]),
        ({"b": 1, "a": {"c": None}}, ["--some-flag", '{"a": {"c": null}, "b": 1}']),
        (MappingProxyType({"a": MappingProxyType({"b": True})}), ["--some-flag", '{"a": {"b": true}}']),
    ],
)
def test_a_flag_is_written_as_the_engine_reads_it(value: Any, words: list[str]) -> None:
    """Switches have two names, tables are JSON, everything else follows its flag."""
    assert arguments.flag("some_flag", value) == words


def test_the_command_names_the_build_and_the_socket(make_suite: Callable[..., Suite]) -> None:
    """The build is served under its own name, on the socket alone."""
    suite = make_suite(flags={"seed": 0})
    words = arguments.command(suite.engine, suite.original, Path("/s"), suite.flags)
    assert words == [
        *(str(suite.engine.python), "-m", "vllm.entrypoints.openai.api_server", "--model", str(suite.original.path)),
        *("--served-model-name", "original", "--uds", "/s", "--seed", "0"),
    ]


@pytest.mark.parametrize(
    ("count", "module"),
    [(4, ["vllm.entrypoints.cli.main", "serve", "--model"]), (1, ["vllm.entrypoints.openai.api_server", "--model"])],
)
def test_several_api_processes_need_the_command_that_starts_them(
    make_suite: Callable[..., Suite], count: int, module: list[str]
) -> None:
    """More than one API process is started by vLLM's own command, since its server module ignores the flag."""
    suite = make_suite(flags={"api_server_count": count})
    words = arguments.command(suite.engine, suite.original, Path("/s"), suite.flags)
    assert words[2 : 2 + len(module)] == module
    assert words[-2:] == ["--api-server-count", str(count)]


def test_flags_that_may_differ_are_the_builds_own(make_suite: Callable[..., Suite]) -> None:
    """A build's flag replaces the suite's where the suite lets builds differ, and equal values are no difference."""
    suite = make_suite(flags={"seed": 0, "quantization": "none"})
    build = replace(suite.original, flags={"quantization": "awq", "seed": 0})
    assert arguments.flags_of(suite, build) == {"seed": 0, "quantization": "awq"}


@pytest.mark.parametrize("flags", [{"max_model_len": 1}, {"max-model-len": 1}, {"dtype": "float32"}])
def test_flags_that_may_not_differ_are_refused(make_suite: Callable[..., Suite], flags: dict[str, Any]) -> None:
    """A build's flag that the suite does not let differ is refused, however it is spelt, also where it is absent."""
    suite = make_suite(flags={"max_model_len": 2048})
    with pytest.raises(SettingsMismatch, match="may_differ"):
        arguments.flags_of(suite, replace(suite.original, flags=flags))


@pytest.mark.parametrize("name", ["kv_cache_memory_bytes", "kv-cache-memory-bytes", "num_gpu_blocks_override"])
def test_a_cache_of_a_given_size_is_refused(make_suite: Callable[..., Suite], name: str) -> None:
    """The size of the cache is what is measured: it may not be given."""
    suite = make_suite(flags={name: 2**30})
    with pytest.raises(SuiteError, match="fixes the size of the cache"):
        arguments.flags_of(suite, suite.original)


@pytest.mark.parametrize("name", ["model", "host", "port", "uds", "api_key", "served_model_name", "config"])
def test_what_the_launcher_sets_is_not_the_suites(make_suite: Callable[..., Suite], name: str) -> None:
    """A suite cannot move the server to another address or name, nor hide flags in a file."""
    suite = make_suite(flags={name: "x"})
    with pytest.raises(SuiteError, match="set by the launcher"):
        arguments.flags_of(suite, suite.original)


@pytest.mark.parametrize("name", ["hf_token", "hf-token", "--hf-token", "hf_tok"])
@pytest.mark.parametrize("build", [True, False])
def test_a_secret_is_no_flag(make_suite: Callable[..., Suite], name: str, build: bool) -> None:
    """A token would be kept and shown: it is refused with its cure, and the message does not hold it."""
    flags = {name: "hidden-words"}
    suite = make_suite(flags={} if build else flags)
    with pytest.raises(SuiteError, match=r"is a secret.*set HF_TOKEN in the environment before") as told:
        arguments.flags_of(suite, replace(suite.original, flags=flags if build else {}))
    assert "hidden" not in str(told.value)


def test_the_environment_is_the_suites_and_not_the_test_runs(make_suite: Callable[..., Suite]) -> None:
    """Nothing of the test run's Python, no key and no engine variable leaks; the suite's and the fixed ones stay."""
    suite = make_suite(environment={"VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "0"})
    around = {
        "HOME": "/home/me",
        "LC_ALL": "C",
        "PATH": f"/venv/bin:/usr/bin:{Path(sys.prefix, 'bin')}",
        "VIRTUAL_ENV": "/venv",
        "PYTHONPATH": "/src",
        "PYTHONHOME": "/src",
        "HF_TOKEN": "secret",
        "HTTP_PROXY": "http://proxy",
        "VLLM_ATTENTION_BACKEND": "x",
        "LD_PRELOAD": "x",
        "CUDA_VISIBLE_DEVICES": "1",
    }
    assert arguments.environment(suite.engine, around) == {
        "HOME": "/home/me",
        "LC_ALL": "C",
        "PATH": f"{suite.engine.python.parent}:/usr/bin",
        "CUDA_VISIBLE_DEVICES": "1",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "HF_HUB_OFFLINE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_SERVER_DEV_MODE": "1",
        "VLLM_COMPUTE_NANS_IN_LOGITS": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONSAFEPATH": "1",
    }
