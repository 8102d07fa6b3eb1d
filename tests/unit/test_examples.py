"""The worked examples in docs/examples: made by one command, the same to the byte, and saying what was published."""

import json
import lzma
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from any_run import six
from twx_accept.report import data, html, loading, markdown

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = ROOT / "docs" / "examples"
FILES = ("report.html", "report.json", "summary.md")
MINUS = "\N{MINUS SIGN}"


def make(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    command = [sys.executable, str(ROOT / "scripts" / "make_examples.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What it makes where nobody has run the embedded suite."""
    folder = tmp_path_factory.mktemp("examples")
    ran = make("--out", folder)
    assert ran.returncode == 0, ran.stderr
    assert "embedded: not made yet; run the embedded suite (make demo)" in ran.stdout
    return folder


@pytest.fixture(scope="module")
def document(made: Path) -> dict[str, Any]:
    """The data of the published counts."""
    found: dict[str, Any] = json.loads((made / "published-card" / "report.json").read_text())
    return found


def words(page: str) -> str:
    """What a page says, without how it looks."""
    bare = re.sub(r"<(style|script)>.*?</\1>|<meta[^>]*>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", bare).split())


@pytest.mark.parametrize("name", FILES)
def test_it_is_made_the_same_to_the_byte(made: Path, tmp_path: Path, name: str) -> None:
    """Another process, in another folder, makes the same bytes."""
    assert make("--out", tmp_path).returncode == 0
    assert (made / "published-card" / name).read_bytes() == (tmp_path / "published-card" / name).read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_what_is_committed_is_what_is_made(made: Path, name: str) -> None:
    """Data and summary to the byte, the page word by word: its looks may change before it is made again."""
    fresh, there = ((each / "published-card" / name).read_text(encoding="utf-8") for each in (made, COMMITTED))
    if name.endswith(".html"):
        fresh, there = words(fresh), words(there)
    assert fresh == there, "run python scripts/make_examples.py and commit what it writes"


def test_the_example_is_read_back_like_any_report(made: Path) -> None:
    """Its page, data and summary come out of its JSON again."""
    folder = made / "published-card"
    run = loading.load(folder)
    for render, name in zip((html.render, data.render, markdown.render), FILES, strict=True):
        assert render(run).encode() == (folder / name).read_bytes()


@pytest.mark.parametrize(
    ("build", "b", "c", "p", "points", "lower", "margin_p"),
    [
        ("twx2.5", 301, 218, 0.000311, -0.591, -0.912, 0.00640),
        ("twx3", 267, 187, 0.000202, -0.570, -0.870, 0.00266),
    ],
)
def test_the_published_figures_are_there(
    document: dict[str, Any], build: str, b: int, c: int, p: float, points: float, lower: float, margin_p: float
) -> None:
    """Counts as published, and what follows from them."""
    (found,) = (each for each in document["run"]["verdicts"] if each["build"] == build)
    told = found["statistics"]
    assert (told["n"], told["b"], told["c"]) == (14_042, b, c)
    assert round(told["p_equality"], 6) == p
    assert round(told["difference"] * 100, 3) == points
    assert round(told["lower"] * 100, 3) == lower
    assert round(told["p_margin"], 5) == margin_p
    assert found["outcome"] == "shown"
    assert found["labels"] == ["from published counts"]


def test_the_choice_says_what_was_published(document: dict[str, Any]) -> None:
    """Less weight for the one; level on MMLU by two one-sided tests; nothing about what has no counts."""
    (mmlu,) = (each for each in document["run"]["contrasts"] if each["claim"] == "multiple_choice")
    assert [each["value"]["value"] for each in mmlu["counts"]] == [290, 287, 14_042]
    assert f"{mmlu['p']:.4f}" == "0.9337"
    assert document["which_build_when"] == [
        "Smallest: TWX2.5.",
        (
            "TWX2.5 carries 170 GB less weight than TWX3. On MMLU the two score the same within 1.00 points "
            f"(95% interval {MINUS}0.36 to +0.31)."
        ),
    ]


@pytest.mark.parametrize("name", ["report.html", "summary.md"])
def test_no_reader_takes_it_for_a_run(made: Path, name: str) -> None:
    """What it is stands in its head, before any verdict on a claim."""
    page = (made / "published-card" / name).read_text(encoding="utf-8")
    said = "Computed from published counts, not from a run: no server was started"
    assert "Published counts, not a run" in page
    assert page.index(said) < page.index("0.59 points below the original")


def test_a_run_is_taken_over_and_made_again(tmp_path: Path) -> None:
    """With ``--from`` the embedded suite's report is rendered from what a run left, and from then on by itself."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "report.json").write_text(data.render(six(items=1)))
    out = tmp_path / "out"
    for words in (("--from", tmp_path / "run" / "report.json"), ()):
        ran = make("--out", out, *words)
        assert ran.returncode == 0, ran.stderr
        assert (out / "embedded" / "report.json").read_text() == data.render(six(items=1))
        assert (out / "embedded" / "report.html").read_text(encoding="utf-8") == html.render(six(items=1))
    ran = make("--out", out, "--from", ROOT / "README.md")
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) == 1
    assert "README.md: not JSON" in ran.stderr


def test_packed_data_are_rendered_again(tmp_path: Path) -> None:
    """A run whose data are kept packed has its page and its summary made from them, and the data stay packed."""
    folder = tmp_path / "one-gpu"
    folder.mkdir()
    (folder / "report.json.xz").write_bytes(lzma.compress(data.render(six(items=1)).encode()))
    ran = make("--out", tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert {path.name for path in folder.iterdir()} == {"report.html", "report.json.xz", "summary.md"}
    assert (folder / "report.html").read_text(encoding="utf-8") == html.render(six(items=1))


def test_committed_examples_are_whole() -> None:
    """Every folder of an example has its three files, large data packed, and the page stays small."""
    for folder in (each for each in COMMITTED.iterdir() if each.is_dir()):
        assert {path.name.removesuffix(".xz") for path in folder.iterdir()} - {"report.png"} == set(FILES)
        assert (folder / "report.html").stat().st_size < 2_000_000
