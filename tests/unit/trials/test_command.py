"""The command ``twx-accept trials make``."""

import json
import sys

import pytest

from twx_accept import cli, trials


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs the command in this process: status, standard output and standard error."""
    monkeypatch.setenv("COLUMNS", "120")

    def go(*words):
        monkeypatch.setattr(sys, "argv", ["twx-accept", "trials", "make", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0), *capsys.readouterr()

    return go


def test_a_file_is_written(run, tmp_path) -> None:
    """A new file holds what the function makes, and the command says what it wrote."""
    out = tmp_path / "new" / "trials.jsonl"
    status, said, _ = run("--seed", 3, "--per-case", 2, out)
    assert (status, said) == (0, f"12 trials written to {out}: six cases, 2 each, seed 3\n")
    assert out.read_bytes() == trials.lines(trials.make(3, 2)).encode()


def test_rows_go_to_standard_output(run) -> None:
    """Without a file the rows are printed, and nothing else."""
    status, said, _ = run("--seed", 3, "--per-case", 1)
    assert status == 0
    assert [json.loads(line)["id"][-3:] for line in said.splitlines()] == ["001"] * 6
    assert said == trials.lines(trials.make(3, 1))


def test_a_file_that_is_there_stays(run, tmp_path) -> None:
    """A file that exists is refused and left as it is."""
    out = tmp_path / "trials.jsonl"
    out.write_text("mine", encoding="utf-8")
    status, _, told = run("--seed", 1, out)
    assert (status, told) == (2, f"twx-accept: {out}: is there already; name a new file\n")
    assert out.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Missing option '--seed'"),
        (("--seed", "one"), "Invalid value for '--seed'"),
        (("--seed", 1, "--per-case", 0), "twx-accept: 0 trials a case: give a number from 1 to 999\n"),
        (("--seed", 1, "--tools", "nowhere"), "twx-accept: nowhere/asks: no such folder"),
    ],
)
def test_wrong_input(run, words, told) -> None:
    """Each wrong command line ends with status 2 and says what is wrong."""
    status, said, error = run(*words)
    assert (status, said) == (2, "")
    assert told in error
