"""The pytest plugin: options, fixtures and hooks. Each only delegates; what a run does is in ``acceptance.py``."""

from collections.abc import Iterator
from typing import Any

import pytest

from twx_accept import acceptance
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import InvalidClaim, TwxAcceptError

RUN = pytest.StashKey[acceptance.Run]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of an acceptance run."""
    acceptance.add_options(parser.getgroup("twx-accept", "acceptance of compressed models (with -m acceptance)"))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the markers and, for an acceptance run, read the suite; before pytest's own report is set up."""
    for marker in acceptance.MARKERS:
        config.addinivalue_line("markers", marker)
    if acceptance.is_asked_for(config):
        try:
            config.stash[RUN] = acceptance.prepare(config)
        except TwxAcceptError as error:
            raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> list[str]:
    """What will run."""
    return config.stash[RUN].header() if RUN in config.stash else []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each build, named after it."""
    if acceptance.is_acceptance(metafunc.definition) and "build_name" in metafunc.fixturenames:
        names = metafunc.config.stash[RUN].names_for(metafunc.definition) if RUN in metafunc.config.stash else ["-"]
        metafunc.parametrize("build_name", names, ids=names)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave acceptance tests out unless they were asked for; refuse what would soften them; order by build."""
    acceptance.select(config, items, config.stash.get(RUN, None))


@pytest.fixture
def build_name() -> str:
    """The build that a test is about."""
    raise pytest.UsageError("acceptance tests run with `-m acceptance`")


@pytest.fixture
def verdict(request: pytest.FixtureRequest, build_name: str, snapshot: Any) -> Verdict:
    """The verdict on the test's claim about its build: registered, served, asked, kept and decided."""
    try:
        return request.config.stash[RUN].verdict(request.node, build_name, snapshot)
    except InvalidClaim as error:
        reason = f"invalid: {error}"
    return pytest.fail(reason, pytrace=False)  # here, in set-up, pytest counts it as an error, not as a failure


@pytest.fixture
def control(request: pytest.FixtureRequest) -> str:
    """Whether the build that was damaged on purpose is caught."""
    return request.config.stash[RUN].session.control()


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Write the reports, also of a run that was interrupted."""
    try:
        return (yield)
    finally:
        if RUN in session.config.stash:
            session.config.stash[RUN].finish(int(session.exitstatus))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What it came to, for a person."""
    if RUN in config.stash:
        config.stash[RUN].summarize(terminalreporter)
