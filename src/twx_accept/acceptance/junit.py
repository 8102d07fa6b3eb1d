"""What an acceptance run has to do with pytest's own JUnit file."""

import pytest
from _pytest.junitxml import xml_key  # the only way to take the file back

from twx_accept.report.junit import text_of

__all__ = ["forget", "text_of"]


def forget(config: pytest.Config) -> None:
    """Write no JUnit file for a run that did not happen: the last run's must not be replaced by an empty one."""
    if (xml := config.stash.get(xml_key, None)) is not None:
        del config.stash[xml_key]
        config.pluginmanager.unregister(xml)
