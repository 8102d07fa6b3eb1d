"""Each claim's specification as a JSON snapshot, one file a claim and suite.

Snapshots are syrupy's, so that a change shows in review like any other; they are compared before anything boots.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from syrupy.data import SnapshotCollections
from syrupy.extensions.json import JSONSnapshotExtension
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from twx_accept.claims import Claim
from twx_accept.domain.suite import Suite
from twx_accept.errors import InvalidClaim, UsageError

FOLDER = "__marks__"

_REGISTER = "register it with `twx-accept register {}`"


class Marks(JSONSnapshotExtension):
    """Snapshots that are named by claim and suite and not by the test that compares them."""

    snapshot_dirname = FOLDER

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:  # noqa: ARG003
        """The name that the test gives, which is the claim and the suite."""
        return str(index)

    @classmethod
    def write_snapshot(cls, **_: Any) -> None:
        """Refused: no test run writes a mark, whatever options it has."""
        raise UsageError("a test run never writes a mark; `twx-accept register SUITE` does")

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """Nothing: the marks of other suites and of tests that were not chosen are not left over."""
        return SnapshotCollections()

    def delete_snapshots(self, **_: Any) -> None:
        """Nothing: no test run removes a mark, whatever options it has."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """One folder beside the tests."""
        return str(Path(test_location.filepath).parent / FOLDER)


def name(claim: Claim, suite: Suite) -> str:
    """The name of a claim's mark in a suite."""
    return f"{suite.name}.{claim.name}"


def file_of(folder: Path, claim: Claim, suite: Suite) -> Path:
    """The file that holds the mark."""
    return folder / FOLDER / f"{name(claim, suite)}.json"


def write(folder: Path, claim: Claim, suite: Suite) -> Path:
    """Register a claim's mark as it stands in the suite."""
    file = file_of(folder, claim, suite)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_text(claim), encoding="utf-8")
    return file


def require_registered(folder: Path, claim: Claim, suite: Suite) -> None:
    """Stop where the mark is not what was registered.

    Args:
        folder: the folder of the acceptance tests.
        claim: the claim.
        suite: its suite.

    Raises:
        InvalidClaim: naming each field with the registered and the present value.
    """
    file = file_of(folder, claim, suite)
    try:
        registered: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InvalidClaim(
            f"{claim.title}: no mark is registered for suite {suite.name} ({file.name}); "
            f"{_REGISTER.format(suite.name)} before the run"
        ) from error
    except (OSError, ValueError) as error:
        raise InvalidClaim(f"{claim.title}: {file} cannot be read ({error}); {_cure(suite)}") from error
    if changes := drift(registered, claim.specification()):
        told = "; ".join(changes)
        raise InvalidClaim(f"{claim.title}: the mark has changed since it was registered: {told}; {_cure(suite)}")


def is_registered(folder: Path, claim: Claim, suite: Suite) -> bool:
    """Whether the mark's file is, to the byte, what would be written for the claim."""
    try:
        return file_of(folder, claim, suite).read_text(encoding="utf-8") == _text(claim)
    except (OSError, ValueError):
        return False


def drift(registered: Any, present: Any) -> list[str]:
    """Every field that differs, with its registered and its present value, in words."""
    return [
        f"{path or 'all of it'} was registered as {one} and is {other} now"
        for path, one, other in _drift(registered, present, "")
    ]


def other_text(claim: Claim, suite: Suite) -> InvalidClaim:
    """The error for a mark that says the same in another text than is written for it."""
    return InvalidClaim(f"{claim.title}: {name(claim, suite)}.json was edited by hand; {_cure(suite)}")


def _text(claim: Claim) -> str:
    return str(Marks().serialize(claim.specification()))


def _cure(suite: Suite) -> str:
    return f"undo the change, or {_REGISTER.format(suite.name)}"


_ABSENT = object()


def _drift(registered: Any, present: Any, path: str) -> list[tuple[str, str, str]]:
    """Every place where two marks differ: its dotted path, and both values as JSON."""
    if isinstance(registered, Mapping) and isinstance(present, Mapping):
        return [
            found
            for key in sorted({*registered, *present})
            for found in _drift(
                registered.get(key, _ABSENT), present.get(key, _ABSENT), f"{path}.{key}" if path else key
            )
        ]
    one, other = _shown(registered), _shown(present)
    return [] if one == other else [(path, one, other)]


def _shown(value: Any) -> str:
    return "absent" if value is _ABSENT else json.dumps(value, sort_keys=True, ensure_ascii=False, default=dict)
