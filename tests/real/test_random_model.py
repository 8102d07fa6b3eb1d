"""Models with random weights on a real vLLM server: both architectures, one of them rounded and asked everything."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON") or ROOT / ".venv-vllm" / "bin" / "python")
SMALL = ("--vocabulary", "2048", "--layers", "4", "--hidden", "512", "--heads", "16", "--kv-heads", "8")
ON_A_CPU = {
    "tensor_parallel_size = 2": "tensor_parallel_size = 1",
    'device = "cuda"': 'device = "cpu"',
    'kv_cache_dtype = "fp8"\n': "",
    "enable_flashinfer_autotune = false\n": "",
    'VLLM_BATCH_INVARIANT = "0"': 'VLLM_CPU_KVCACHE_SPACE = "1"\nVLLM_CPU_NUM_OF_RESERVED_CPU = "0"',
    "max_num_seqs = 256": "max_num_seqs = 64",
}

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not ENGINE.exists(), reason="no engine: `make engine` makes it"),
]


def made(folder: Path, *options: str) -> None:
    """A model, by the command that makes it."""
    words = [sys.executable, "-c", "from twx_accept.cli import main; main()", "models", "make-random", str(folder)]
    subprocess.run([*words, *options], check=True, timeout=120)


def suite_file(folder: Path) -> Path:
    """The suite random-pair on one CPU, with its builds in this folder."""
    text = (ROOT / "fixtures" / "suites" / "random-pair.toml").read_text(encoding="utf-8")
    for there, here in ON_A_CPU.items():
        assert there in text, there
        text = text.replace(there, here)
    text = text.replace('"../../models/random-pair/', f'"{folder}/')
    text = text.replace('"../../', f'"{ROOT}/').replace('"../', f'"{ROOT}/fixtures/')
    file = folder / "random-pair.toml"
    file.write_text(text, encoding="utf-8")
    return file


def run(folder: Path, build: str, claims: tuple[str, ...] = ()) -> tuple[dict[str, Any], str]:
    """The record and the output of a small run, of every claim where none is named."""
    tests = [f"tests/acceptance/test_{claim}.py" for claim in claims] or ["tests/acceptance"]
    words = ("-m", "acceptance", *tests, "-p", "no:cacheprovider", "--suite", str(suite_file(folder)))
    options = ("--build", build, "--limit-questions", "1")
    reports = folder / "reports"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "--report-dir", str(reports), *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    print(done.stdout, done.stderr)
    return json.loads((reports / "report.json").read_text(encoding="utf-8"))["run"], done.stdout


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """A dense model and a build of it in 8 bits; integers, since kernels for 8-bit floats are not in every CPU."""
    folder = tmp_path_factory.mktemp("dense")
    made(folder / "original", *SMALL)
    made(folder / "w8", "--like", str(folder / "original"), "--store", "int8")
    return run(folder, "pair-w8")


def of(record: dict[str, Any], claim: str) -> dict[str, Any]:
    """The verdict of a claim."""
    (found,) = [each for each in record["verdicts"] if each["claim"] == claim]
    return dict(found)


def test_a_rounded_build_is_smaller_and_nearly_the_same_model(dense: tuple[dict[str, Any], str]) -> None:
    """The engine loads codes and scales as they are meant: most next tokens are the original's, not all of them."""
    record, output = dense
    assert [timing["build"] for timing in record["timings"] if timing["phase"] == "boot"] == ["original", "pair-w8"], (
        output
    )
    size, agreement = of(record, "weight_size")["statistics"], of(record, "agreement")["statistics"]
    assert size["bytes"] < 0.6 * size["bytes_original"]
    assert 0.8 < agreement["agreement"] < 1


def test_every_claim_about_answers_says_that_they_mean_nothing(dense: tuple[dict[str, Any], str]) -> None:
    """All six claims are there; the three that need a model which can do something are uninformative, and say why."""
    record, output = dense
    assert len(record["verdicts"]) == 6, output
    for claim in ("multiple_choice", "made_up_facts", "tool_calls"):
        verdict = of(record, claim)
        assert (verdict["outcome"], "uninformative" in verdict["labels"]) == ("reported", True), verdict
        assert any("original" in reason for reason in verdict["reasons"]), verdict


def test_a_mixture_of_experts_is_served_and_its_control_is_another_model(tmp_path: Path) -> None:
    """The engine loads router and experts; with the signs of 30% turned hardly a next token is the original's."""
    made(tmp_path / "original", *SMALL, "--experts", "16", "--experts-per-token", "4", "--intermediate", "256")
    made(tmp_path / "control", "--like", str(tmp_path / "original"), "--damage", "0.3")
    read = ("weight_size", "cache_headroom", "multiple_choice", "agreement")  # not those for which it writes
    record, output = run(tmp_path, "pair-control", read)
    assert tuple(verdict["claim"] for verdict in record["verdicts"]) == read, output
    assert of(record, "agreement")["statistics"]["agreement"] < 0.2
    assert of(record, "weight_size")["statistics"]["ratio"] == 1
