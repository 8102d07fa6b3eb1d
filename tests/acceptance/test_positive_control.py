"""The test can tell a good build from a bad one."""

import pytest

pytestmark = [pytest.mark.acceptance, pytest.mark.control]


def test_the_build_that_was_damaged_on_purpose_is_caught(build_name: str, control: str) -> None:
    """Every claim about answers comes out failed or not shown for the control."""
    assert control == "caught", f"the positive control {build_name} is {control}"
