"""`python -m making JOB.json`: make the builds that a job names, one after another, in one process.

Importing torch and transformers takes longer than making one build, so all of them share one process. The job:

    {"gguf": PATH or null, "original": FOLDER, "builds": [{"name": ..., "out": FOLDER, "method": {...}}, ...]}

`gguf` is read only by the method `dequantize`; the others read the checkpoint in `original`. Lines on standard
output: `start NAME`, `done NAME`, and first `versions {...}`.
"""

import json
import os
import sys
import threading
from importlib.metadata import version
from pathlib import Path
from typing import Any


def _end_with_parent() -> None:
    """Leave when the starting process does, however it died: its end of standard input closes then."""
    while os.read(0, 4096):  # not sys.stdin: its lock, held by a daemon thread, would abort the interpreter's end
        pass
    os._exit(1)


def _make(build: dict[str, Any], job: dict[str, Any]) -> None:
    """Make one build; the modules are imported here so that a missing one is told after the versions."""
    out = Path(build["out"])
    if build["method"]["kind"] == "dequantize":
        from .dequantize import dequantize

        dequantize(Path(job["gguf"]), out)
    else:
        from .compress import compress

        compress(Path(job["original"]), out, build["method"])
    out.chmod(0o755)
    for path in out.iterdir():
        path.chmod(0o644)  # safetensors writes 0600, which a server run by another user cannot read


def main(path: str) -> None:
    """Read the job and make it."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # nothing is fetched here, and the saved tokenizer settings record this value
    threading.Thread(target=_end_with_parent, daemon=True).start()
    names = ("torch", "transformers", "compressed-tensors", "gguf", "accelerate", "tokenizers", "safetensors")
    print("versions " + json.dumps({name: version(name) for name in names}), flush=True)
    import torch

    torch.set_num_threads(1)  # no sum here is long enough to gain from more, and one order is one result
    job = json.loads(Path(path).read_text("utf-8"))
    for build in job["builds"]:
        print(f"start {build['name']}", flush=True)
        _make(build, job)
        print(f"done {build['name']}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
