"""The schema that pytest holds its own JUnit files against: Jenkins's, from the installed pytest's sources."""

import os
import sys
from pathlib import Path

import pytest
import xmlschema

PLACE = Path(sys.prefix) / "share" / "twx-accept" / "junit-10.xsd"


def xunit2() -> xmlschema.XMLSchema:
    """The schema; where it was not fetched there is nothing to hold a file against, which under CI is a failure."""
    if not PLACE.is_file():
        why = f"no JUnit schema at {PLACE}: {sys.executable} scripts/fetch_junit_schema.py"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    return xmlschema.XMLSchema(str(PLACE))
