"""Progress: live on a terminal, finished steps elsewhere."""

import io

import pytest
from rich.console import Console

from twx_accept.session.progress import Lines, Live, Reporter, Silent, reporter


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It does."""
        return True


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable that says what kind of terminal this is."""
    for name in ("CI", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_kind_of_reporter_follows_from_where_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Live on a terminal; lines in a file, where it shall be quiet, and under CI even on a terminal."""
    assert isinstance(reporter(Terminal(), quiet=False), Live)
    assert isinstance(reporter(Terminal(), quiet=True), Lines)
    assert isinstance(reporter(io.StringIO(), quiet=False), Lines)
    monkeypatch.setenv("CI", "true")
    assert isinstance(reporter(Terminal(), quiet=False), Lines)


def test_lines_hold_finished_steps_only() -> None:
    """A log has one line a step, as it was said: never wrapped, never read as markup."""
    stream, ended = io.StringIO(), []
    lines = reporter(stream, quiet=True, before=lambda: ended.append(len(stream.getvalue())))
    lines.status("passing")
    with lines.asking("Quiz", 3) as count:
        count(3)
    text = "build [bold]x[/bold] :smile: " + "long " * 40 + "end"
    lines.say(text)
    lines.rest()
    assert stream.getvalue() == f"twx-accept: {text}\n"
    assert ended == [0]


class Clock:
    """Time that passes when it is told to."""

    now = 1_000.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands."""
    return Clock()


def test_long_steps_have_a_line_a_minute_in_a_log(clock: Clock) -> None:
    """Who waits for hours sees that it goes on, how fast, and how long it will take; a fast step says nothing."""
    stream = io.StringIO()
    lines = Lines(Console(file=stream), lambda: None, clock)
    lines.status("booting (0 s)")
    for _ in range(13):
        clock.now += 10
        lines.status(f"booting ({clock.now - 1_000:.0f} s)")
    with lines.asking("original: MMLU", 9_000) as count:
        for _ in range(6):
            clock.now += 15
            count(1_000)
    with lines.asking("original: Quiz", 10) as count:
        count(10)
    assert stream.getvalue().splitlines() == [
        "twx-accept: booting (60 s)",
        "twx-accept: booting (120 s)",
        "twx-accept: original: MMLU: 4,000 of 9,000 (66.7/s), about 1 min 15 s left",
    ]


@pytest.mark.parametrize(
    ("total", "done", "told"),
    [
        (60, 0, "0 of 60"),
        (60, 14, "14 of 60"),
        (60, 15, "15 of 60 (0.2/s), about 3 min 00 s left"),
        (14_042, 2_047, "2,047 of 14,042"),
        (14_042, 2_048, "2,048 of 14,042 (34.1/s), about 5 min 51 s left"),
        (0, 0, "0 of 0"),
    ],
)
def test_first_answers_tell_no_time_left(clock: Clock, total: int, done: int, told: str) -> None:
    """Many requests are out at once: how long the first of their answers took says nothing of how long all will."""
    stream = io.StringIO()
    lines = Lines(Console(file=stream), lambda: None, clock)
    with lines.asking("x", total) as count:
        clock.now += 60
        count(done)
    assert stream.getvalue() == f"twx-accept: x: {told}\n"


def stop_at_four(live: Reporter) -> None:
    """Is interrupted after four of ten."""
    with live.asking("Quiz", 10) as count:
        count(4)
        raise KeyboardInterrupt


def test_live_line_is_taken_down_and_the_cursor_comes_back() -> None:
    """Whatever ends a step, an error too, the spinner and the bar go and the cursor is shown again."""
    stream = Terminal()
    live = reporter(stream, quiet=False)
    live.status("loading (1 s)")
    live.status("loading (2 s)")
    live.rest()
    with pytest.raises(KeyboardInterrupt):
        stop_at_four(live)
    live.status("stopping")
    live.say("ready")
    live.rest()
    shown = stream.getvalue()
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") > 0
    assert "loading" in shown
    assert "4/10" in shown
    assert "twx-accept: ready" in shown


def test_silence_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The silent reporter takes everything and writes nothing."""
    silent = Silent()
    silent.say("x")
    silent.status("x")
    with silent.asking("x", 1) as count:
        count(1)
    silent.rest()
    assert capsys.readouterr() == ("", "")
