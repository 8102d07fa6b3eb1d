"""The process launcher with a real vLLM and the embedded model."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.serving import ProcessLauncher, check
from twx_accept.serving.child import lives

ROOT = Path(__file__).resolve().parents[3]
MODEL = ROOT / "models" / "smollm2" / "original"
ENGINE = Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON") or ROOT / ".venv-vllm" / "bin" / "python")

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not ENGINE.exists(), reason=f"no engine at {ENGINE}: set TWX_ACCEPT_ENGINE_PYTHON"),
    pytest.mark.skipif(not MODEL.exists(), reason=f"no model at {MODEL}: `twx-accept models prepare smollm2`"),
]

FLAGS = {
    "seed": 0,
    "max_model_len": 2048,
    "max_logprobs": 50,
    "enforce_eager": True,
    "generation_config": "vllm",
    "gpu_memory_utilization": 0.9,
    "shutdown_timeout": 30,
    "enable_prefix_caching": True,
    "hf_overrides": {"head_dtype": "float32"},
    "enable_auto_tool_choice": True,
    "tool_call_parser": "hermes",
}
ENVIRONMENT = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "auto",
    "VLLM_CPU_NUM_OF_RESERVED_CPU": "0",
    "VLLM_CPU_INT4_W4A8": "0",
}


def make_suite(folder: Path) -> Suite:
    """A suite of the embedded original on the CPU."""
    original = Build(name="original", title="The original", path=MODEL, flags={}, digests={})
    return Suite(
        name="real",
        title="A real engine",
        version=1,
        demonstration=True,
        file=folder / "suite.toml",
        folder=folder,
        original=original,
        builds=(),
        engine=Engine(
            python=ENGINE,
            device="cpu",
            environment=ENVIRONMENT,
            ready_seconds=300,
            stop_seconds=45,
            memory_seconds=60,
        ),
        asking=Asking(concurrency=1, prompts_per_request=1, timeout_seconds=60, attempts=2),
        flags=FLAGS,
        may_differ=(),
        claims={},
    )


def test_a_real_boot_is_proven_answers_and_leaves_nothing(tmp_path: Path) -> None:
    """Every flag and variable is checked, the canary lives before and after, and no process is left."""
    suite, phases = make_suite(tmp_path), []
    with ProcessLauncher().boot(
        suite, suite.original, folder=tmp_path, progress=lambda phase, _: phases.append(phase)
    ) as server:
        processes = psutil.Process().children(recursive=True)
        first = check(server)
        second = check(server, before=first)
        boot = server.boot
    assert not [process for process in processes if lives(process)]
    assert len(processes) >= 4  # guard, API server, engine, worker
    assert second.notes == ()
    assert boot.notes == ()
    assert boot.capacity_tokens is not None
    assert boot.capacity_tokens > 2048
    assert boot.settings["model_config"]["hf_overrides"] == {"head_dtype": "float32"}
    assert phases[0] == "starting"
    assert "loading weights" in phases


@pytest.fixture
def long_answer() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Test runs that were started, killed in the end."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for run in started:
        run.kill()
        run.wait()


def test_a_test_run_that_is_killed_while_asking_leaves_no_engine(
    tmp_path: Path, long_answer: list[subprocess.Popen[bytes]]
) -> None:
    """SIGKILL of the test run with a long answer in flight ends API server, engine and workers."""
    program = f"""
import sys, threading
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
import psutil
import test_real_vllm as real
suite = real.make_suite(Path({str(tmp_path)!r}))
with real.ProcessLauncher().boot(suite, suite.original, folder=Path({str(tmp_path)!r}), progress=print) as server:
    body = {{"model": "original", "prompt": "1 2 3", "max_tokens": 2000, "ignore_eos": True}}
    ask = lambda: real.Client.of(server, timeout=600).json("/v1/completions", body)
    threading.Thread(target=ask, daemon=True).start()
    threading.Event().wait(3)
    print("pids", *[process.pid for process in psutil.Process().children(recursive=True)], flush=True)
    threading.Event().wait(600)
"""
    run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    long_answer.append(run)
    assert run.stdout is not None
    words = next(line for line in run.stdout if line.startswith(b"pids")).split()
    processes = [psutil.Process(int(pid)) for pid in words[1:]]
    assert len(processes) >= 4
    run.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(processes, timeout=30)
    assert not [process for process in alive if lives(process)]
