"""scripts/check_machine.py: each thing that a machine can lack, in one line with its cure."""

import importlib.util
import platform
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "check_machine.py"


@pytest.fixture
def machine(monkeypatch):
    """The script as a module, on a machine that has everything."""
    spec = importlib.util.spec_from_file_location("check_machine", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "cpu_flags", lambda: {"avx2", "avx512f"})
    monkeypatch.setattr(module, "available_memory", lambda: 16 * module.GIB)
    monkeypatch.setattr(module, "free_disk", lambda: 50e9)
    monkeypatch.setattr(module, "compiler", lambda: "/usr/bin/g++")
    monkeypatch.setattr(module.platform, "system", lambda: "Linux")
    monkeypatch.setattr(module.platform, "machine", lambda: "x86_64")
    return module


@pytest.mark.parametrize("purpose", ["demo", "test"])
def test_a_good_machine(machine, capsys, purpose):
    """A machine that lacks nothing gets no line at all."""
    assert machine.main(["--for", purpose]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("probe", "found", "told", "cure"),
    [
        ("cpu_flags", {"sse4_2"}, "no AVX2", "newer machine"),
        ("available_memory", 2 * 2**30, "2.0 GiB of memory available, 6 needed", "close programs"),
        ("free_disk", 3e9, "3.0 GB free", "free some space"),
        ("compiler", None, "no C++ compiler", "install g++"),
    ],
)
def test_what_a_machine_lacks(machine, monkeypatch, capsys, probe, found, told, cure):
    """One thing that is missing is one line, `cannot start: ... : cure`, and exit status 1."""
    monkeypatch.setattr(machine, probe, lambda: found)
    assert machine.main(["--for", "demo"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("cannot start: ")
    assert told in line
    assert cure in line.rpartition(": ")[2]


@pytest.mark.parametrize("version", [(3, 10, 14), (3, 14, 0)])
def test_wrong_python(machine, monkeypatch, capsys, version):
    """A Python that is too old or too new is named for both purposes."""
    monkeypatch.setattr(machine.sys, "version_info", version)
    monkeypatch.setattr(machine.platform, "python_version", lambda: ".".join(map(str, version)))
    assert machine.main(["--for", "test"]) == 1
    assert f"Python 3.{version[1]}" in capsys.readouterr().err


def test_other_system(machine, monkeypatch, capsys):
    """Another system than Linux cannot run the demo, but the unit tests."""
    monkeypatch.setattr(machine.platform, "system", lambda: "Darwin")
    assert machine.main(["--for", "demo"]) == 1
    assert "Darwin, not Linux" in capsys.readouterr().err
    assert machine.main(["--for", "test"]) == 0


def test_every_problem_at_once(machine, monkeypatch, capsys):
    """All that is missing is told at once, so that nobody mends one thing to find the next."""
    monkeypatch.setattr(machine, "compiler", lambda: None)
    monkeypatch.setattr(machine, "free_disk", lambda: 1e9)
    assert machine.main([]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_unknown_is_not_a_problem(machine, monkeypatch):
    """A system that does not say its memory or flags is not accused of having none."""
    monkeypatch.setattr(machine, "available_memory", lambda: None)
    monkeypatch.setattr(machine, "cpu_flags", set)
    assert machine.main(["--for", "demo"]) == 0


def test_no_avx512_is_a_note(machine, monkeypatch, capsys):
    """AVX2 without AVX-512 is slower, not impossible."""
    monkeypatch.setattr(machine, "cpu_flags", lambda: {"avx2"})
    assert machine.main(["--for", "demo"]) == 0
    assert capsys.readouterr().err.startswith("note: no AVX-512")


def test_other_architecture_is_left_to_the_engine(machine, monkeypatch):
    """AVX2 is asked of x86 only."""
    monkeypatch.setattr(machine.platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(machine, "cpu_flags", lambda: {"asimd"})
    assert machine.main(["--for", "demo"]) == 0


@pytest.mark.skipif(platform.system() != "Linux", reason="the real probes read Linux's files")
def test_real_probes_run():
    """The probes themselves run on this machine, whatever they find, without anything installed."""
    ended = subprocess.run([sys.executable, "-I", "-S", str(SCRIPT)], capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1)
    assert "Traceback" not in ended.stderr
