"""The options of an acceptance run: what they are, whether they were meant, and what they say."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.expression import Expression  # the only reader of marker expressions that agrees with pytest

from twx_accept.domain.scope import Scope
from twx_accept.errors import UsageError

SOFTENERS = ("reruns", "force_flaky", "retries")
"""Options, and names in an ini file, of plugins that repeat a failed test until it passes."""

NEEDING_A_RUN = ("build", "questions", "limit_questions", "fresh", "noise_floor")
"""Options that say nothing without ``-m acceptance``. The others may stand in an ini file's ``addopts``."""

RUNNING_NOTHING = {
    "collectonly": ("--collect-only", "--collectonly", "--co"),
    "showfixtures": ("--fixtures", "--funcargs"),
    "show_fixtures_per_test": ("--fixtures-per-test",),
    "markers": ("--markers",),
    "help": ("--help", "-h"),
    "version": ("--version", "-V"),
}
"""Options with which pytest ends well and runs no test, by their name in its configuration."""

TAKING_A_PATH = ("--suite", "--questions", "--report-dir")

MOST_NAMES = 10


def add_options(group: pytest.OptionGroup) -> None:
    """Add the options."""
    group.addoption(
        "--suite",
        metavar="NAME",
        help="suite to run: a name in fixtures/suites/ or a .toml file's path (not needed where the builds tell it)",
    )
    group.addoption(
        "--build",
        action="append",
        default=[],
        metavar="NAME",
        help="build to decide about; may be repeated. Default: every build of the suite but the original.",
    )
    group.addoption(
        "--fresh", action="store_true", help="set kept evidence aside and ask everything again (nothing is deleted)"
    )
    group.addoption(
        "--noise-floor",
        action="store_true",
        help="serve the original once more, last of all, and ask it everything again: a claim that it does not pass "
        "itself decides nothing. On by itself where the suite requires it.",
    )
    group.addoption(
        "--questions",
        metavar="SOURCE",
        help="other questions than the suite's: a folder with test.jsonl or test.parquet (and dev.*), one such file, "
        "or a hub name such as cais/mmlu:all. The run is then partial and gates nothing.",
    )
    group.addoption(
        "--limit-questions",
        metavar="N",
        help="only the first N questions of each subject, passages of each kind, trials of each case. The run is then "
        "partial and gates nothing.",
    )
    group.addoption(
        "--report-dir", metavar="DIR", help="where reports and evidence are written (default: reports/ at the root)"
    )


def begin_again(config: pytest.Config) -> int | None:
    """Run pytest with each path joined to its option by ``=`` if one was given after a blank; None if none was.

    Pytest looks for the project's folder before it knows the options of plugins, and takes such a path for a place of
    tests: ``--questions /data/mmlu`` would make ``/data/mmlu`` the project.
    """
    words = [str(word) for word in config.invocation_params.args]
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in TAKING_A_PATH and Path(word).exists():
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    if joined == words:
        return None
    return int(pytest.main(joined, plugins=list(config.invocation_params.plugins or ())))


def refuse_running_nothing(config: pytest.Config) -> None:
    """Refuse an acceptance run that a variable or an ini file turns into none, which ends as a success.

    Raises:
        UsageError: naming the option.
    """
    words = [str(word) for word in config.invocation_params.args]
    for name, spelt in RUNNING_NOTHING.items():
        if getattr(config.option, name, None) and not {*spelt} & {*words}:
            raise UsageError(
                f"{spelt[0]} is set by PYTEST_ADDOPTS or an ini file, and runs no acceptance test; take it out there"
            )


def is_asked_for(config: pytest.Config) -> bool:
    """Whether the marker expression asks for acceptance tests: it takes some that it would leave out otherwise."""
    text = str(config.getoption("markexpr") or "")
    names = set(re.findall(r"[\w:+\-.\[\]\\/]+", text)) - {"acceptance", "and", "or", "not"}
    try:
        expression = Expression.compile(text)
    except SyntaxError:
        return False  # pytest says what is wrong with it
    for others in itertools.product((False, True), repeat=min(len(names), MOST_NAMES)):
        marks = {name for name, there in zip(sorted(names), others, strict=False) if there}
        if _takes(expression, marks | {"acceptance"}) and not _takes(expression, marks):
            return True
    return False


def _takes(expression: Expression, marks: set[str]) -> bool:
    return expression.evaluate(lambda name, /, **_: name in marks)


def refuse_strays(config: pytest.Config) -> None:
    """Refuse options of an acceptance run where none was asked for, rather than leave its tests out in silence.

    Raises:
        UsageError: naming the options.
    """
    given = [f"--{name.replace('_', '-')}" for name in NEEDING_A_RUN if config.getoption(name)]
    if given:
        raise UsageError(f"{', '.join(given)}: only an acceptance run takes this; add `-m acceptance`")


def refuse_softening(config: pytest.Config) -> None:
    """Refuse what would move a mark, or repeat a test until it passes.

    Raises:
        UsageError: naming the option.
    """
    if getattr(config.option, "update_snapshots", False):
        raise UsageError("--snapshot-update is refused in an acceptance run: it would move the marks that are tested")
    for name in SOFTENERS:
        if getattr(config.option, name, None) or _in_ini(config, name):
            raise UsageError(
                f"{name.replace('_', '-')} is refused in an acceptance run: it hides failures; take it out"
            )


def _in_ini(config: pytest.Config, name: str) -> bool:
    try:
        value: Any = config.getini(name)
    except (KeyError, ValueError):
        return False  # no plugin knows this name
    return str(value or "0") not in ("0", "False")


def scope_of(config: pytest.Config) -> Scope:
    """How the run departs from the registered plan.

    Raises:
        UsageError: naming the value and the cure.
    """
    limit, questions = config.getoption("limit_questions"), config.getoption("questions")
    if limit is not None and not re.fullmatch(r"0*[1-9][0-9]{0,8}", limit):
        raise UsageError(f"--limit-questions {limit}: give a whole number of questions a subject, 1 or more")
    if questions is not None and not questions.strip():
        raise UsageError("--questions is empty: give a folder, a .jsonl or .parquet file, or a hub name")
    return Scope(questions_per_group=None if limit is None else int(limit), questions=questions)
