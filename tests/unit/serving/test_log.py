"""Reading a server's log. The lines are those of vLLM 0.32 and 0.26."""

from pathlib import Path

import pytest

from twx_accept.serving import log

WORKER_FAILED = """\
(Worker pid=9) ERROR 11-30 02:55:03 [multiproc_executor.py:1] Traceback (most recent call last):
(Worker pid=9) ERROR 11-30 02:55:03 [multiproc_executor.py:1]   File "w.py", line 1, in load
(Worker pid=9) ERROR 11-30 02:55:03 [multiproc_executor.py:1]     read()
(EngineCore pid=8) ERROR 11-30 02:55:03 [core.py:1] Traceback (most recent call last):
(Worker pid=9) ERROR 11-30 02:55:03 [multiproc_executor.py:1] safetensors_rust.SafetensorError: incomplete metadata
(EngineCore pid=8) ERROR 11-30 02:55:03 [core.py:1]   File "c.py", line 1, in __init__
(EngineCore pid=8) ERROR 11-30 02:55:03 [core.py:1] Exception: WorkerProc initialization failed due to an exception \
in a background process. See stack trace for root cause.
(APIServer pid=7) Traceback (most recent call last):
(APIServer pid=7)   File "a.py", line 1, in run
(APIServer pid=7) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}
"""


INVALID = """\
Traceback (most recent call last):
  File "a.py", line 1, in run
pydantic.ValidationError: 1 validation error
  Value error, max_model_len is too large
bye
"""


def test_the_cause_stands_above_the_last_traceback() -> None:
    """A worker's error is found through the engine's and the API server's, also where their lines are interleaved."""
    assert log.root_cause(WORKER_FAILED) == "safetensors_rust.SafetensorError: incomplete metadata"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "the log is empty"),
        ("one\n\nlast\n\n", "the log shows no error"),
        ("usage: x\napi_server.py: error: unrecognized arguments: --foo\n", "unrecognized arguments: --foo"),
        ("/nowhere/python cannot be started: No such file\nbye\n", "/nowhere/python cannot be started"),
        ("Traceback (most recent call last):\n  File 'x'\nKeyboardInterrupt\n", "KeyboardInterrupt"),
        (INVALID, "1 validation error Value error, max_model_len is too large"),
        ("Traceback (most recent call last):\n  File 'x'\n", "the log shows no error"),
        (WORKER_FAILED[WORKER_FAILED.index("(APIServer") :], "Engine core initialization failed"),
    ],
)
def test_a_cause_is_found_in_whatever_is_there(text: str, cause: str) -> None:
    """Usage errors, programs that cannot start, errors of several lines and broken logs all have a cause to show."""
    assert cause in log.root_cause(text)


def test_phases_follow_the_log_and_never_go_back(tmp_path: Path) -> None:
    """The phase is that of the latest milestone, also when a line is written in two parts or bytes are broken."""
    path = tmp_path / "log"
    progress = log.Progress(path)
    assert progress.phase() == "starting"
    for text, phase in [
        (b"\xff\xfe hello\n", "starting"),
        (b"(Worker pid=1) INFO 11-30 02:55:03 [r.py:68] Starting to lo", "starting"),
        (b"ad model /m...\n", "loading weights"),
        (b"INFO 11-30 02:55:06 [u.py:1] CPU KV cache size: 46,592 tokens, Maximum\n", "creating the cache"),
        (b"Loading weights took 1 seconds\n", "creating the cache"),
        (b"INFO init engine (profile, create kv cache, warmup model) took 2.79 s\n", "warming up"),
    ]:
        with path.open("ab") as file:
            file.write(text)
        assert progress.phase() == phase


def test_memory_is_read_for_every_worker() -> None:
    """Each worker prints its weights and its cache; both spellings of a number count."""
    text = (
        "(Worker_TP0 pid=1) INFO [g.py:1] Model loading took 0.25 GiB memory and 1.2 seconds\n"
        "(Worker_TP1 pid=2) INFO [g.py:1] Model loading took 1 GiB memory and 1.3 seconds\n"
        "(Worker_TP0 pid=1) INFO [g.py:1] Available KV cache memory: 121.5 GiB\n"
    )
    assert log.gib(text, "Model loading took") == (0.25, 1.0)
    assert log.gib(text, "Available KV cache memory:") == (121.5,)
    assert log.gib("Available KV cache memory: -1.0 GiB", "Available KV cache memory:") == ()


def test_kernel_choices_are_kept_once_each() -> None:
    """Lines about kernels, attention backend and quantization are kept without their prefix; settings are not."""
    prefix = "(Worker pid=1) INFO 11-30 02:55:03 [kernels.py:1] "
    lines = [
        "Using MarlinLinearKernel for CompressedTensorsWNA16",
        "Using MarlinLinearKernel for CompressedTensorsWNA16",
        "Using FLASH_ATTN attention backend out of potential backends: ['FLASH_ATTN']",
        "Using max model len 2048",
        "non-default args: {'quantization': 'awq'}",
        "Initializing a V1 LLM engine (v0.32.0) with config: quantization=None",
    ]
    assert log.kernel_lines("\n".join(prefix + line for line in lines)) == (lines[0], lines[2])


def test_the_engine_names_its_version() -> None:
    """The version stands in the engine's first line; without that line it is unknown."""
    assert log.engine_version("x [core.py:133] Initializing a V1 LLM engine (v0.32.0) with config: m") == "0.32.0"
    assert log.engine_version("nothing") == ""


def test_a_cold_compile_cache_is_noticed() -> None:
    """Graphs that were compiled and not loaded mean that the cache was empty; no graphs at all do not."""
    assert log.cold("Compiling a graph for compile range (1, 2048) takes 12 s")
    assert not log.cold("Directly load the compiled graph(s) for compile range")
    assert not log.cold("Enforce eager set")


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("INFO non-default args: {'seed': 1, 'hf_overrides': {'a': 'b'}}", {"seed": 1, "hf_overrides": {"a": "b"}}),
        ("INFO non-default args: {'config': <object at 0x1>}", {}),
        ("INFO non-default args: {__import__('os')}", {}),
        ("INFO non-default args: {1, 2}", {}),
        ("nothing", {}),
    ],
)
def test_printed_arguments_are_read_and_never_run(line: str, arguments: dict[str, object]) -> None:
    """The arguments that the API server printed are literals or nothing."""
    assert log.accepted_arguments(line) == arguments


def test_a_log_that_is_no_text_or_absent_is_read_all_the_same(tmp_path: Path) -> None:
    """Broken bytes are replaced; no log is an empty one."""
    path = tmp_path / "log"
    assert log.read(path) == ""
    path.write_bytes(b"\xffa\n" * 100)
    assert log.tail(log.read(path), 2) == "\ufffda\n\ufffda"


@pytest.mark.parametrize(
    "said", ["one\ntwo\n", "", "log: /not/this/one\nlast lines of the log:\nthree\n", "\x00\n" * 30]
)
def test_a_reason_can_be_told_without_the_last_lines(said):
    """What is left names the cause and the log; a reason without last lines stays as it is."""
    reason = f"the server ended\ncause: no memory\n{log.ending(said)}\nlog: /evidence/a.log"
    short = log.without_ending(reason)
    assert short.startswith("the server ended\ncause: no memory\n")
    assert short.endswith("log: /evidence/a.log")
    assert len(short) <= len(reason)
    unknown = reason.replace("no memory", log.UNKNOWN)
    assert log.without_ending(unknown) == unknown
    assert log.without_ending("invalid: at chance\nanother line") == "invalid: at chance\nanother line"
