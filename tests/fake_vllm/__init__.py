"""A stand-in for vLLM: a small real HTTP server that speaks its endpoints and misbehaves on demand.

Inside a test, in a thread::

    with FakeServer(Script(faults=(Fault(path="/v1/completions", action="status", status=500, times=2),))) as server:
        ...ask server.base_url, or over server.socket...
        assert len(server.seen) == 3          # every request: (path, body)

As the engine's Python of a suite, so that the process launcher starts it as if it were vLLM::

    python = engine_python(tmp_path, Script(models=("somebody-elses",)))

Standard library only: it must start in no time, in any environment.
"""

from fake_vllm.launch import engine_python
from fake_vllm.model import FLOOR, logprob, tokenize
from fake_vllm.script import Fault, Script
from fake_vllm.server import FakeServer

__all__ = ["FLOOR", "FakeServer", "Fault", "Script", "engine_python", "logprob", "tokenize"]
