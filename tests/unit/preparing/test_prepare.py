"""The preparation as a whole, with an engine that copies."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from twx_accept import errors
from twx_accept.errors import TwxAcceptError, UsageError
from twx_accept.preparing import prepare_suite_models
from twx_accept.preparing.prepare import prepare

REPOSITORY = Path(__file__).parents[3]


def test_makes_everything_then_nothing(bench):
    """The first run makes all builds in one engine process; the second finds them and starts nothing."""
    assert bench.run() == [("original", "made"), ("w8", "made")]
    assert bench.run() == [("original", "present"), ("w8", "present")]
    assert bench.starts == 1
    assert bench.visible() == ["original", "w8"]
    assert bench.leftovers() == []


def test_all_present_needs_no_engine_and_no_source(bench):
    """With everything there neither engine nor wheel is looked for."""
    bench.run()
    bench.engine.unlink()
    bench.wheel.unlink()
    shutil.rmtree(bench.models / ".cache")
    assert bench.run() == [("original", "present"), ("w8", "present")]


def test_only_the_missing_build_is_made(bench):
    """A missing build is made from the original that is there, without its source."""
    bench.run()
    shutil.rmtree(bench.target / "w8")
    shutil.rmtree(bench.models / ".cache")
    bench.wheel.unlink()
    assert bench.run() == [("original", "present"), ("w8", "made")]


def test_command_says_what_it_did(bench):
    """The command's function finds the recipe by name, uses models/NAME and says a line for each build."""
    prepare_suite_models(
        "tiny", fixtures=bench.fixtures, models=bench.models, engine_python=bench.engine, force=False,
        wheel=bench.wheel, say=bench.said.append,
    )  # fmt: skip
    assert bench.visible() == ["original", "w8"]
    assert any(line.startswith("making w8") for line in bench.said)
    assert bench.said[-1].startswith("w8: made")


@pytest.mark.parametrize("how", ["changed", "removed", "added"])
def test_wrong_build_is_kept_until_forced(bench, how):
    """A build with other files is named with both digests and left alone; --force remakes it and no other."""
    bench.run()
    path = bench.target / "w8" / ("extra.safetensors" if how == "added" else "model.safetensors")
    path.unlink() if how == "removed" else path.write_bytes(b"mine")
    with pytest.raises(errors.PreparingError, match=rf"{path}: expected .*, found .*[\s\S]*--force"):
        bench.run()
    assert how == "removed" or path.read_bytes() == b"mine"
    assert bench.starts == 1
    assert bench.run(force=True) == [("original", "present"), ("w8", "remade")]
    assert bench.run() == [("original", "present"), ("w8", "present")]


def test_hidden_files_do_not_count(bench):
    """A file browser's hidden file does not make a build wrong."""
    bench.run()
    (bench.target / "w8" / ".DS_Store").write_bytes(b"x")
    assert bench.run()[1] == ("w8", "present")


@pytest.mark.parametrize("mode", ["killed", "half"])
def test_engine_that_ends_early_leaves_nothing(bench, monkeypatch, mode):
    """An engine that dies, or ends before all is done, leaves no build behind, and the next run makes them."""
    monkeypatch.setenv("FAKE_ENGINE", mode)
    with pytest.raises(errors.PreparingError, match="ended"):
        bench.run()
    assert (bench.visible(), bench.leftovers()) == ([], [])
    monkeypatch.delenv("FAKE_ENGINE")
    assert bench.run() == [("original", "made"), ("w8", "made")]


def test_killed_run_leaves_nothing_that_looks_done(bench):
    """SIGKILL in the middle leaves no visible build; the next run clears the hidden rest and makes all."""
    code = (
        "import sys; from pathlib import Path; from twx_accept.preparing.prepare import prepare\n"
        "prepare(*map(Path, sys.argv[1:4]), print, wheel=Path(sys.argv[4]))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(bench.recipe), str(bench.target), str(bench.engine), str(bench.wheel)],
        env=os.environ | {"FAKE_ENGINE": "slow", "PYTHONPATH": str(REPOSITORY / "src")},
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 30
        while not list(bench.target.glob(".making-*/original/model.safetensors")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    assert bench.visible() == []
    assert bench.leftovers() != []
    assert bench.run() == [("original", "made"), ("w8", "made")]
    assert bench.leftovers() == []


def test_other_bytes_with_other_versions(bench, monkeypatch):
    """A difference that other library versions explain is told with both versions, and the build is not kept."""
    monkeypatch.setenv("FAKE_ENGINE", "newer")
    with pytest.raises(errors.PreparingError) as caught:
        bench.run()
    said = str(caught.value)
    assert "config.json: expected" in said
    assert "transformers 6.0.0 where the recipe was made with 5.19.0" in said
    assert "requirements/engine-cpu.txt" in said
    assert (bench.visible(), bench.leftovers()) == ([], [])


def test_other_bytes_with_the_same_versions(bench):
    """A difference that versions do not explain is not blamed on them."""
    bench.edit_recipe('kind = "w8a8"', 'kind = "w4a16", group_size = 8, symmetric = true')
    with pytest.raises(errors.PreparingError, match="should not happen"):
        bench.run()
    assert bench.visible() == ["original"]


def test_missing_engine(bench):
    """Without an engine the cure is named, before anything is fetched."""
    bench.engine.unlink()
    with pytest.raises(UsageError, match="scripts/make_engine"):
        bench.run()
    assert not (bench.models / ".cache").exists()


def test_engine_without_its_libraries(bench, monkeypatch):
    """A Python without torch is told as a wrong engine, not as a failed making."""
    monkeypatch.setenv("FAKE_ENGINE", "module")
    with pytest.raises(UsageError, match=r"No module named 'torch'.*scripts/make_engine"):
        bench.run()


def test_low_disk(bench, monkeypatch):
    """Too little disk is told with both figures before anything is fetched or started."""
    bench.edit_recipe("disk_bytes = 1000", "disk_bytes = 2_000_000_000")
    low = shutil.disk_usage(bench.root)._replace(free=300_000_000)
    monkeypatch.setattr("twx_accept.preparing.prepare.shutil.disk_usage", lambda _: low)
    with pytest.raises(UsageError, match=r"0\.3 GB free, 2\.0 GB needed"):
        bench.run()
    assert bench.starts == 0
    assert not (bench.models / ".cache").exists()


def test_unwritable_place_is_told(bench):
    """A folder that cannot be made is told as such, with what to do."""
    bench.models.write_text("a file where the folder should be", "utf-8")
    with pytest.raises(errors.PreparingError, match="can be written"):
        prepare_suite_models(
            "tiny", fixtures=bench.fixtures, models=bench.models, engine_python=bench.engine, force=False,
            wheel=bench.wheel, say=bench.said.append,
        )  # fmt: skip


def test_two_runs_wait_for_each_other(bench):
    """A second run at the same time says that it waits, and then finds the first one's builds."""
    bench.target.mkdir(parents=True)
    second: list[list[tuple[str, str]]] = []
    with FileLock(bench.target / ".lock"):
        waiting = threading.Thread(target=lambda: second.append(bench.run()))
        waiting.start()
        deadline = time.monotonic() + 20
        while not any("waiting" in line for line in bench.said):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert bench.starts == 0
    waiting.join(20)
    assert second == [[("original", "made"), ("w8", "made")]]


def test_relative_paths(bench, monkeypatch):
    """Relative paths mean the caller's folder, although the engine runs in another."""
    monkeypatch.chdir(bench.root)
    results = prepare(bench.recipe, Path("models/tiny"), Path("engine-python"), bench.said.append, wheel=bench.wheel)
    assert [result.did for result in results] == ["made", "made"]


def test_errors_belong_to_the_tree():
    """Whoever catches the project's root error catches these too."""
    assert issubclass(errors.PreparingError, TwxAcceptError)


@pytest.mark.vllm
def test_real_build_has_the_recipes_bytes(tmp_path):
    """The real engine makes the 8-bit build from the real original with the digests of the recipe."""
    engine = next(
        (
            p
            for p in (Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON", "")), REPOSITORY / ".venv-vllm/bin/python")
            if p.is_file()
        ),
        None,
    )
    original = REPOSITORY / "models" / "smollm2" / "original"
    if engine is None or not original.is_dir():
        pytest.skip("needs the engine (`make engine` or TWX_ACCEPT_ENGINE_PYTHON) and models/smollm2/original")
    text = (REPOSITORY / "fixtures" / "models" / "smollm2.toml").read_text("utf-8")
    kept = [part for part in text.split("[[builds]]") if '"smol-w' not in part or '"smol-w8"' in part]
    recipe = tmp_path / "smollm2.toml"
    recipe.write_text("[[builds]]".join(part for part in kept if '"smol-damaged"' not in part), "utf-8")
    target = tmp_path / "models"
    target.mkdir()
    (target / "original").symlink_to(original)
    results = prepare(recipe, target, engine, print)
    assert [(result.name, result.did) for result in results] == [("original", "present"), ("smol-w8", "made")]
