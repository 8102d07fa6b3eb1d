"""What an acceptance run has to do with pytest's own JUnit file."""

import pytest
from _pytest.junitxml import xml_key  # the only way to take the file back

from twx_accept.domain.verdict import Verdict


def text_of(verdict: Verdict) -> str:
    """Verdict, mark and counts as text for ``system-out``: consumers of JUnit files drop properties."""
    numbers = ", ".join(f"{name} = {value}" for name, value in verdict.statistics.items())
    labels = f" ({', '.join(verdict.labels)})" if verdict.labels else ""
    return f"{verdict.outcome}{labels}: {verdict.sentence}\nmark: {verdict.mark or 'none'}\n{numbers}\n"


def forget(config: pytest.Config) -> None:
    """Write no JUnit file for a run that did not happen: the last run's must not be replaced by an empty one."""
    if (xml := config.stash.get(xml_key, None)) is not None:
        del config.stash[xml_key]
        config.pluginmanager.unregister(xml)
