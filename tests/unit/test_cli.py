"""The command line ``twx-accept``."""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from twx_accept import __version__, cli

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from fake_project import Project  # noqa: E402 - found through the line above


@pytest.fixture
def project() -> Iterator[Project]:
    """A project without registered marks."""
    with tempfile.TemporaryDirectory(prefix="twxc") as folder:
        yield Project(Path(folder) / "project", Path(folder) / "tmp")


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """Runs the command line in this process: status, standard output and standard error."""
    monkeypatch.setattr(sys, "argv", ["twx-accept", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_help_names_the_commands() -> None:
    """``--help`` says what the command is for, that the run itself is pytest's, and what it can do."""
    ran = CliRunner().invoke(cli.app, ["--help"], env={"COLUMNS": "120"})
    assert ran.exit_code == 0
    for word in ("pytest -m acceptance", "suites", "register", "models", "--version"):
        assert word in ran.output
    assert CliRunner().invoke(cli.app, ["--version"]).output == f"twx-accept {__version__}\n"
    assert "prepare" in CliRunner().invoke(cli.app, ["models", "--help"]).output


def test_help_fills_the_terminal() -> None:
    """A paragraph is broken where the terminal ends, not where its source does, and stays a paragraph."""
    wide = CliRunner().invoke(cli.app, ["plan", "--help"], env={"COLUMNS": "240"}).output
    assert "It is computed for the expected loss, not for none" in wide
    measure = CliRunner().invoke(cli.app, ["facts", "measure", "--help"], env={"COLUMNS": "240"}).output
    assert "\n Of a suite that has one: " in measure


def test_a_terminal_that_lacks_a_letter_gets_the_rest(project: Project) -> None:
    """A title in other letters than the locale's is shown with its numbers, and ends nothing in a traceback."""
    project.change("fixtures/suites/tiny.toml", "A tiny suite", "A größe ✓ suite")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = project.command("twx_accept.cli", "plan", "tiny", **plain)
    assert ran.status == 0, ran.text
    assert "A gr\\xf6\\xdfe \\u2713 suite: the plan" in ran.text


def test_suites_lists_builds_and_claims(project: Project) -> None:
    """``suites`` names the original, every build, which one is the control, and the claims."""
    ran = CliRunner().invoke(cli.app, ["suites", "--root", str(project.root)])
    assert ran.exit_code == 0
    assert "tiny: A tiny suite\n  original: original (" in ran.output
    assert "  build: damaged (control): damaged\n" in ran.output
    assert "  claims: weight_size, cache_headroom, multiple_choice\n" in ran.output


def test_suites_shows_where_an_attached_original_is_served(tmp_path: Path) -> None:
    """A suite of servers that are there already has no folder of weights to show."""
    folder = tmp_path / "fixtures" / "suites"
    folder.mkdir(parents=True)
    addresses = "".join(f'{name} = {{ url = "https://h/{name}" }}\n' for name in ("a", "b"))
    builds = "".join(f'[[builds]]\nname = "{name}"\n' for name in ("a", "b"))
    head = '[suite]\nname = "s"\ntitle = "S"\nversion = 1\noriginal = "a"\n[engine]\nlauncher = "attach"\n'
    (folder / "s.toml").write_text(f"{head}[engine.attach.builds]\n{addresses}{builds}[claims.weight_size]\n")
    ran = CliRunner().invoke(cli.app, ["suites", "--root", str(tmp_path)])
    assert "original: a (https://h/a)" in ran.output


@pytest.mark.parametrize("suite", ["tiny", "fixtures/suites/tiny.toml"])
def test_registered_marks_are_those_that_a_run_compares(
    project: Project, suite: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``register`` writes a mark a claim, by the suite's name or its file; an acceptance run finds them unchanged."""
    monkeypatch.chdir(project.root)
    commit = project.commit()
    status, out, err = run(capsys, monkeypatch, "register", suite, "--by", "A. Tester")
    assert status == 0, err
    names = [f"tiny.{claim}" for claim in ("cache_headroom", "multiple_choice", "weight_size")]
    marks = project.root / "tests" / "acceptance" / "__marks__"
    assert sorted(path.name for path in marks.iterdir()) == sorted(
        [*(f"{name}.json" for name in names), "tiny.ledger.jsonl"]
    )
    assert all(f"registered {name}\n" in out for name in names)
    (entry,) = [json.loads(line) for line in (marks / "tiny.ledger.jsonl").read_text().splitlines()]
    assert (entry["body"]["by"], entry["body"]["commit"]) == ("A. Tester", commit)
    assert f"ledger entry 1, head {entry['sha256']} (" in out
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 0, ran.text


def test_mistakes_are_one_line_and_status_2(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown suite, a folder without tests, and models that nobody can make end in one sentence, not a trace."""
    monkeypatch.chdir(project.root)
    wrong = {
        ("register", "huge"): "no suite 'huge'; known suites and builds: tiny: good, weak, damaged",
        ("register", "none.toml"): "none.toml: cannot be read",
        ("register", "tiny", "--tests", "elsewhere"): "elsewhere: no such folder",
        ("suites", "--root", "fixtures"): "fixtures/fixtures/suites: no suite file is here",
        ("models", "prepare", "huge"): "huge",
    }
    for words, said in wrong.items():
        status, out, err = run(capsys, monkeypatch, *words)
        assert (status, out) == (2, ""), words
        assert len(err.splitlines()) == 1, err
        assert err.startswith("twx-accept: ")
        assert said in err
