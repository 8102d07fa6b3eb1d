"""The material that the suites read is what the project's own commands make."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from twx_accept import documents

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"


@pytest.mark.parametrize(("name", "seed", "passages"), [("smollm2", 1, 60), ("kimi-k3.1", 31, 360)])
def test_documents_are_those_of_their_seed(name: str, seed: int, passages: int) -> None:
    """Whoever runs the command beside the file gets the file, to the byte."""
    made = documents.lines(documents.make(seed, passages))
    assert (FIXTURES / "documents" / f"{name}.jsonl").read_text(encoding="utf-8") == made


def script(name: str, folder: str = "scripts") -> ModuleType:
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_passages_are_those_of_the_script() -> None:
    """Both files of passages are what `scripts/make_passages.py` writes, every kind spread over all of each."""
    made = script("make_passages")
    for name, size in made.SIZES.items():
        rows = made.passages(size)
        file = FIXTURES / "passages" / f"{name}.jsonl"
        assert [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] == rows
        assert len({row["id"] for row in rows}) == len({row["text"] for row in rows}) == size
        assert len({row["kind"] for row in rows[: size // 3]}) == 5


def test_labelled_facts_are_whole() -> None:
    """Every labelled fact has a passage and a label that is known, and stands in one of the two files only."""
    folder = FIXTURES / "facts" / "labelled"
    passages, opened, sealed = (
        [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        for name in ("passages", "open", "sealed")
    )
    known = {row["id"] for row in passages}
    every = [*opened, *sealed]
    assert len(known) == len(passages)
    assert {row["passage"] for row in every} <= known
    assert {row["label"] for row in every} == {"supported", "unsupported", "not_a_fact"}
    assert len({row["id"] for row in every}) == len(every) >= 600
    pairs = {(row["passage"], row["fact"]) for row in opened} & {(row["passage"], row["fact"]) for row in sealed}
    assert not pairs


def test_the_benchmark_of_facts_finds_its_facts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs over both places where labelled facts lie open, and prints a rate for each."""
    benchmark = script("facts_per_second", "benchmarks")
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    benchmark.main()
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["labelled", "more"]
