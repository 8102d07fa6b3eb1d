"""The command ``twx-accept report``: a run's reports, rendered again from its JSON."""

import json
import sys
import tempfile
import webbrowser
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

import junit_schema
from any_run import six
from fake_project import Project
from twx_accept import cli
from twx_accept.acceptance.writing import write
from twx_accept.report import junit, schema

WRITTEN = ("report.html", "report.json", "summary.md")
FILES = (*WRITTEN, "junit.xml")
HEADLINE = "TWX3 and TWX2.5 may ship"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run left."""
    folder = tmp_path_factory.mktemp("run") / "reports"
    write(six(items=2), folder, say=print)
    return folder


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were opened in a browser, instead of opening them."""
    found: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(found.append(address)) or True)
    return found


def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str | Path
) -> tuple[int, str, str]:
    """Runs the command line in this process: status, standard output and standard error."""
    monkeypatch.setattr(sys, "argv", ["twx-accept", "report", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.mark.parametrize("name", ["", "report.json"])
def test_reports_are_those_that_the_run_left(
    left: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the folder or its file, all four files are written; page, JSON and Markdown are the run's, to the byte."""
    for _ in range(2):
        status, out, err = run(capsys, monkeypatch, left / name, "--out", tmp_path)
        assert (status, err) == (0, "")
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
        assert out.splitlines()[0] == HEADLINE
        assert [line.partition(": ")[0] for line in out.splitlines()[1:]] == [
            str(tmp_path / each) for each in ("report.html", "junit.xml", "summary.md", "report.json")
        ]
        for each in WRITTEN:
            assert (tmp_path / each).read_bytes() == (left / each).read_bytes(), each
        assert (tmp_path / "junit.xml").read_text(encoding="utf-8") == junit.render(six(items=2))


def test_a_whole_run_is_rendered_as_it_was_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a run under pytest left comes out of its JSON to the byte; report and JUnit files fit their schemas."""
    with tempfile.TemporaryDirectory(prefix="twxr") as folder:
        project = Project(Path(folder) / "project", Path(folder) / "tmp").register()
        project.accept()
        reports = project.root / "reports"
        status, _, err = run(capsys, monkeypatch, reports)
        assert (status, err) == (0, "")
        for each in WRITTEN:
            assert (reports / "rendered" / each).read_bytes() == (reports / each).read_bytes(), each
        jsonschema.Draft202012Validator(json.loads(schema.text())).validate(project.report())
        xunit2 = junit_schema.xunit2()
        for file in (reports / "junit.xml", reports / "rendered" / "junit.xml"):
            xunit2.validate(file.read_text(encoding="utf-8"))


def test_nothing_that_a_run_left_is_replaced(
    left: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --out the files lie in a folder of their own beside the report, where pytest's JUnit file is not."""
    before = {path: path.read_bytes() for path in left.iterdir() if path.is_file()}
    assert run(capsys, monkeypatch, left, "--format", "junit")[0] == 0
    assert {path: path.read_bytes() for path in left.iterdir() if path.is_file()} == before
    assert [path.name for path in (left / "rendered").iterdir()] == ["junit.xml"]


@pytest.mark.parametrize(
    ("wanted", "files"), [("md", {"summary.md"}), (" json , html,json", {"report.json", "report.html"})]
)
def test_only_the_formats_that_are_asked_for(
    left: Path,
    tmp_path: Path,
    wanted: str,
    files: set[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each that is named once or twice is written once, into a folder that is made, and nothing else."""
    status, out, _ = run(capsys, monkeypatch, left, "--format", wanted, "--out", tmp_path / "new" / "folder")
    assert status == 0
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == files
    assert len(out.splitlines()) == 1 + len(files)


def test_open_shows_the_page(
    left: Path,
    tmp_path: Path,
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``--open`` opens the written page; a machine without a browser is told where it is; else nothing is opened."""
    run(capsys, monkeypatch, left, "--out", tmp_path)
    assert opened == []
    run(capsys, monkeypatch, left, "--out", tmp_path, "--open")
    assert opened == [(tmp_path / "report.html").as_uri()]
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    status, out, _ = run(capsys, monkeypatch, left, "--out", tmp_path, "--open")
    assert status == 0
    assert out.splitlines()[-1] == f"no browser could be opened; the page is {tmp_path / 'report.html'}"


def test_mistakes_are_one_line_and_write_nothing(
    left: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is no report, a format that is none, a page that is not written: each has a sentence and status 2."""
    other = json.loads((left / "report.json").read_text())
    other["version"] = 2
    (tmp_path / "other.json").write_text(json.dumps(other))
    out = tmp_path / "out"
    wrong: dict[tuple[str | Path, ...], str] = {
        (tmp_path,): "report.json: no such file; name a report.json or the folder",
        (left / "report.html",): "report.html: not JSON",
        (tmp_path / "other.json",): "other.json: its version is 2, and this twx-accept reads version 1",
        (left, "--format", "pdf"): "--format 'pdf': name some of html,junit,md,json",
        (left, "--format", ","): "--format ',': name some of",
        (left, "--format", "md,xml"): "--format 'md,xml': name some of",
        (left, "--format", "md", "--open"): "--open opens the page: add html to --format md",
    }
    for words, said in wrong.items():
        status, printed, err = run(capsys, monkeypatch, *words, "--out", out)
        assert (status, printed) == (2, ""), words
        assert len(err.splitlines()) == 1, err
        assert err.startswith("twx-accept: ")
        assert said in err
        assert not out.exists()
    status, _, err = run(capsys, monkeypatch, left, "--out", tmp_path / "other.json")
    assert status == 2
    assert "is a file; --out names a folder" in err


def test_help_teaches() -> None:
    """What it needs, what it leaves, how it differs from ``judge``, and two examples."""
    ran = CliRunner().invoke(cli.app, ["report", "--help"], env={"COLUMNS": "100"})
    assert ran.exit_code == 0
    said = " ".join(ran.output.replace("\u2502", " ").split())
    for words in (
        "nothing is decided",
        "twx-accept judge",
        "twx-accept report report.json --open",
        "--format md --out DIR",
        "html,junit,md,json",
        "Default: rendered/ beside the report.json",
    ):
        assert words in said
