"""What was loaded into the run besides this tool: each of it may change what is decided, and the report names it.

Who loads code can also hide it from here. This tells what an honest reader of the report would want to look at.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

OURS = ("_pytest", "pytest", "twx_accept", "pluggy")


def loaded(config: pytest.Config) -> dict[str, str]:
    """The plugins of installed distributions with their versions, and every other module with its digest, by kind."""
    manager = config.pluginmanager
    known = {id(plugin) for plugin, _ in manager.list_plugin_distinfo()}
    installed = sorted({f"{found.project_name} {found.version}" for _, found in manager.list_plugin_distinfo()})
    others = sorted(_others(config, known))
    return {
        "plugins of pytest, installed": ", ".join(installed) or "none",
        "conftest.py and other plugins": ", ".join(others) or "none",
    }


def _others(config: pytest.Config, known: set[int]) -> Iterator[str]:
    """Modules that are a project's own, or were named on the command line."""
    for plugin in config.pluginmanager.get_plugins():
        if not isinstance(plugin, ModuleType) or id(plugin) in known:
            continue
        if plugin.__name__.partition(".")[0] not in OURS:
            yield _named(Path(plugin.__file__ or plugin.__name__), config.rootpath)


def _named(file: Path, root: Path) -> str:
    """A file below the project's folder by its place there, another by its name; what is in it by a digest."""
    shown = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
    try:
        return f"{shown} (sha256 {hashlib.sha256(file.read_bytes()).hexdigest()[:12]})"
    except OSError:
        return shown
