"""What `twx-accept init` writes: a project that runs at once, for whoever installed the package alone.

The files are those of this repository, carried in the wheel under ``starter/``; in a checkout they are read in place.
"""

import shutil
from importlib import resources
from pathlib import Path

from twx_accept.errors import UsageError

PATTERNS = (
    "fixtures/suites/smollm2.toml",
    "fixtures/questions/everyday/*.jsonl",
    "fixtures/documents/smollm2.jsonl",
    "fixtures/facts/labelled/*.jsonl",
    "fixtures/passages/test.jsonl",
    "fixtures/tools/trials.jsonl",
    "fixtures/tools/smollm2.jinja",
    "fixtures/models/smollm2.toml",
    "tests/acceptance/test_*.py",
    "tests/acceptance/__marks__/smollm2.*",
    "scripts/make_engine.py",
    "scripts/check_machine.py",
    "requirements/engine-cpu.txt",
)

SETTINGS = """\
[pytest]
testpaths = tests/acceptance
junit_logging = system-out
"""

IGNORED = "/reports/\n/models/\n/.venv*/\n__pycache__/\n"


def write(folder: Path) -> list[Path]:
    """Write the project into a folder that has none of its files.

    Args:
        folder: made where it is absent.

    Returns:
        What was written, in order.

    Raises:
        UsageError: one of the files is there already (nothing is written then), or the folder cannot be written.
    """
    home = _home()
    files = {file.relative_to(home): file for pattern in PATTERNS for file in sorted(home.glob(pattern))}
    texts = {Path("pytest.ini"): SETTINGS, Path(".gitignore"): IGNORED}
    there = [str(name) for name in (*files, *texts) if (folder / name).exists()]
    if there:
        raise UsageError(f"{folder}: {', '.join(there[:5])} is there already; name an empty folder")
    try:
        for name, source in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error}); name a folder of your own") from error
    return [folder / name for name in (*files, *texts)]


def _home() -> Path:
    """Where the files are: in the wheel, or in the checkout that an editable installation points to."""
    carried = Path(str(resources.files("twx_accept"))) / "starter"
    return carried if carried.is_dir() else Path(__file__).resolve().parents[2]
