"""Reads a server's log: how far it has come, why it died, and what it says about memory and kernels.

vLLM prefixes lines with their process and place, as in ``(Worker pid=7) INFO 11-30 02:55:03 [loader.py:82] text``, and
several processes write into one file.
"""

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROCESS = re.compile(r"^\((?P<process>[^()]*pid=\d+)\)\s?")
PLACE = re.compile(r"^(?:[A-Z]+ )?\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \[[^\]]*\] ?")

PHASES = (
    ("loading weights", re.compile(r"Starting to load model|Loading safetensors|Loading weights")),
    ("compiling", re.compile(r"Dynamo bytecode transform|Compiling a graph|Directly load")),
    ("creating the cache", re.compile(r"Available KV cache memory|KV cache size|for KV cache on node")),
    ("warming up", re.compile(r"Capturing CUDA graph|Graph capturing finished|init engine \(")),
)
"""What a server prints when it enters each phase of a start, in their order."""

SECOND_HAND = re.compile(
    r"root cause|Engine core initialization failed|EngineDeadError|WorkerProc initialization failed"
)
"""Errors that only pass on that another process of the server failed."""

EXCEPTION = re.compile(r"^[A-Za-z_][\w.]*(?:: |$)")
NOTEWORTHY = re.compile(
    r"\bUsing .*(?:kernel|backend|GEMM|Linear)|LinearKernel|attention backend|quantization", re.IGNORECASE
)
SETTINGS_LINE = re.compile(r"non-default args: (\{.*\})")
MOST_NOTES = 40
UNKNOWN = "the log shows no error"
LAST_LINES = "last lines of the log:"


def read(path: Path) -> str:
    """The whole log, whatever bytes are in it; empty if there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def text_of(line: str) -> str:
    """A line without its process and place."""
    return PLACE.sub("", PROCESS.sub("", line))


class Progress:
    """Follows a log as it grows and names the phase it has reached. Phases never go back."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._reached = -1

    def phase(self) -> str:
        """The phase now, for a person to read."""
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._offset)
                new = file.read()
            new = new[: new.rfind(b"\n") + 1]  # a line that is still being written is for the next time
            self._offset += len(new)
            seen = [i for i, (_, pattern) in enumerate(PHASES) if pattern.search(new.decode(errors="replace"))]
            self._reached = max([self._reached, *seen])
        return PHASES[self._reached][0] if self._reached >= 0 else "starting"


def root_cause(log: str) -> str:
    """Why the server failed, as far as the log says: the last exception that is not about another process's failure.

    A failing worker makes the engine fail, which makes the API server fail: the last traceback is not the cause.
    """
    causes = exceptions(log)
    first_hand = [cause for cause in causes if not SECOND_HAND.search(cause)]
    if first_hand or causes:
        return (first_hand or causes)[-1]
    lines = [text_of(line) for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror:|cannot be started:", line)]
    if errors:
        return errors[-1].strip()[:500]
    return UNKNOWN if lines else "the log is empty"


def exceptions(log: str) -> list[str]:
    """The closing line of every traceback, in order, with up to three lines that explain it."""
    found: list[str] = []
    inside: set[str] = set()
    explaining: dict[str, int] = {}
    for line in log.splitlines():
        match = PROCESS.match(line)
        process, text = (match["process"] if match else ""), text_of(line)
        if text.startswith("Traceback (most recent call last)"):
            inside.add(process)
            explaining.pop(process, None)
        elif process in inside and EXCEPTION.match(text):
            found.append(text.strip()[:500])
            inside.remove(process)
            explaining[process] = 3
        elif explaining.get(process) and text.startswith("  ") and found:
            found[-1] += f" {text.strip()[:200]}"
            explaining[process] -= 1
    return found


def tail(log: str, lines: int = 12) -> str:
    """The last lines of the log, each cut to a readable length."""
    return "\n".join(line[:300] for line in log.splitlines()[-lines:])


def ending(log: str) -> str:
    """The last lines under their title, as an error tells them."""
    return f"{LAST_LINES}\n{tail(log)}"


def without_ending(reason: str) -> str:
    """An error's text without the last lines of a log, where it names the cause: they stand in the log."""
    if f"cause: {UNKNOWN}" in reason:
        return reason
    return re.sub(rf"^{LAST_LINES}\n.*?\n(?=log: )", "", reason, flags=re.DOTALL | re.MULTILINE)


def gib(log: str, what: str) -> tuple[float, ...]:
    """The GiB of every line ``what X GiB``, one a worker (``Model loading took``, ``Available KV cache memory:``)."""
    return tuple(float(number) for number in re.findall(re.escape(what) + r"\s+([0-9]+(?:\.[0-9]+)?) GiB", log))


def engine_version(log: str) -> str:
    """The version in the line that the engine prints at its start, empty if there is none."""
    found = re.search(r"Initializing a V\d+ LLM engine \(v([^)\s]+)\)", log)
    return found[1] if found else ""


def cold(log: str) -> bool:
    """Whether the compile cache was empty: graphs were compiled, none was loaded."""
    return "Compiling a graph" in log and "Directly load" not in log


def kernel_lines(log: str) -> tuple[str, ...]:
    """Which kernels, attention backend and quantization the engine chose, each line once."""
    texts = (text_of(line).strip()[:300] for line in log.splitlines() if NOTEWORTHY.search(line))
    chosen = [text for text in texts if not text.startswith(("non-default args:", "Initializing a V"))]
    return tuple(dict.fromkeys(chosen))[:MOST_NOTES]


def accepted_arguments(log: str) -> Mapping[str, Any]:
    """What the API server says it was given beyond its defaults; empty where the line is absent or unreadable."""
    found = SETTINGS_LINE.search(log)
    try:
        arguments = ast.literal_eval(found[1]) if found else {}
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}
