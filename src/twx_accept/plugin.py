"""The pytest plugin: options, fixtures and hooks. Each only delegates; what a run does is in ``acceptance``."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from twx_accept.acceptance import controller, ending, junit, options, selecting
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import InvalidClaim, TwxAcceptError, UsageError

if TYPE_CHECKING:
    from twx_accept.acceptance.run import Run

RUN: "pytest.StashKey[Run]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of an acceptance run."""
    options.add_options(parser.getgroup("twx-accept", "acceptance of compressed models (with -m acceptance)"))


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Begin again where pytest has taken an option's path for a place of tests; refuse to run nothing unasked."""
    try:
        if options.is_asked_for(config):
            options.refuse_running_nothing(config)
    except TwxAcceptError as error:
        raise pytest.UsageError(str(error)) from error
    return options.begin_again(config)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the markers and, for an acceptance run, read the suite; before pytest's own report is set up."""
    for marker in selecting.MARKERS:
        config.addinivalue_line("markers", marker)
    try:
        if options.is_asked_for(config):
            from twx_accept.acceptance.starting import start  # seconds of imports that no other run shall pay

            config.stash[RUN] = start(config)
        else:
            options.refuse_strays(config)
    except TwxAcceptError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> list[str]:
    """What will run."""
    return config.stash[RUN].header() if RUN in config.stash else []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each build, named after it."""
    if selecting.is_acceptance(metafunc.definition) and "build_name" in metafunc.fixturenames:
        names = selecting.names_for(metafunc.definition, metafunc.config.stash.get(RUN, None))
        metafunc.parametrize("build_name", names, ids=names)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave acceptance tests out unless they were asked for; refuse what would soften them; order by build."""
    run = config.stash.get(RUN, None)
    try:
        selecting.select(config, items, run)
    except UsageError as error:
        if run is None or not hasattr(config, "workerinput"):
            raise pytest.UsageError(str(error)) from error
        run.refused, items[:] = str(error), []  # raised here it would break pytest-xdist; the other process tells it


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Where the command line turns out to be wrong, write no JUnit file."""
    try:
        return (yield)
    except pytest.UsageError:
        junit.forget(session.config)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Where there was nothing to run, write no JUnit file."""
    result = yield
    if RUN in session.config.stash and not session.testscollected:
        junit.forget(session.config)
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say what was decided, and let no acceptance test skip itself, nor pass where its verdict does not."""
    report = yield
    if RUN in item.config.stash and selecting.is_acceptance(item):
        controller.label(item, report)
        controller.refuse_skipping(report)
        ending.refuse_passing(item, report)
    return report


@pytest.fixture
def build_name() -> str:
    """The build that a test is about."""
    raise pytest.UsageError("only acceptance tests are about a build; mark the test with pytest.mark.acceptance")


@pytest.fixture
def verdict(request: pytest.FixtureRequest, build_name: str, snapshot: Any) -> Verdict:
    """The verdict on the test's claim about its build: registered, served, asked, kept and decided."""
    run = request.config.stash[RUN]
    try:
        return run.verdict(request.node, build_name, snapshot)
    except InvalidClaim as error:
        reason = run.invalid(error)
    return pytest.fail(reason, pytrace=False)  # here, in set-up, pytest counts it as an error, not as a failure


@pytest.fixture
def control(request: pytest.FixtureRequest) -> str:
    """Whether the build that was damaged on purpose is ``caught`` or ``missed``; an error where that is not known."""
    run = request.config.stash[RUN]
    try:
        return run.session.require_control()
    except InvalidClaim as error:
        reason = run.invalid(error)
    return pytest.fail(reason, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Write the reports, also of a run that was interrupted, and of one whose JUnit file cannot be written."""
    run = session.config.stash.get(RUN, None)
    try:
        return (yield)
    except OSError as error:
        if run is None:
            raise
        run.unwritten(error)
    finally:
        if run is not None:
            run.finish(session)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What it came to, for a person."""
    if RUN in config.stash:
        config.stash[RUN].summarize(terminalreporter)
