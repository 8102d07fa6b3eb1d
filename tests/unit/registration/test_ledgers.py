"""Which registration of a mark is in force, and which ledgers are no ledger of the suite."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from twx_accept import ledger
from twx_accept.errors import InvalidClaim, LedgerError, UsageError
from twx_accept.registration import ledgers, marks

WHO = ledgers.Who(name="a test", date="2026-01-01T00:00:00+00:00", commit="none")


def suite(*claims: str, name: str = "tiny") -> Any:
    """A suite that makes those claims."""
    made = {claim: {"margin": 1.0} for claim in claims}
    original = SimpleNamespace(name="original")
    rules: dict[str, Any] = {"may_differ": (), "noise_floor": False}
    return SimpleNamespace(name=name, version=1, original=original, builds=(), claims=made, **rules)


def claim(name: str, margin: str) -> Any:
    """A claim with that margin."""
    specification: Mapping[str, Any] = {"margin": margin}
    return SimpleNamespace(name=name, title=name.title(), specification=lambda: specification)


def register(folder: Path, **margins: str) -> ledger.Ledger:
    """Registers claims with those margins."""
    return ledgers.register(folder, suite(*margins), [claim(name, margin) for name, margin in margins.items()], WHO)


def test_a_mark_that_is_repeated_unchanged_is_as_old_as_it_was(tmp_path: Path) -> None:
    """Registering another claim's new mark leaves this one's date; one that goes and comes back begins anew."""
    register(tmp_path, size="1", quiz="5")
    book = register(tmp_path, size="2", quiz="5")
    assert ledgers.entry_in_force(book, claim("quiz", "5")).number == 1
    assert ledgers.entry_in_force(book, claim("size", "2")).number == 2
    assert ledgers.entry_in_force(book, claim("size", "1"), until=1).number == 1
    register(tmp_path, size="2", quiz="6")
    book = register(tmp_path, size="2", quiz="5")
    assert ledgers.entry_in_force(book, claim("quiz", "5")).number == 4
    assert ledgers.entry_in_force(book, claim("size", "2")).number == 2
    with pytest.raises(InvalidClaim, match='margin was registered as "5" and is "6" now'):
        ledgers.entry_in_force(book, claim("quiz", "6"))


def test_a_claim_that_was_taken_out_is_registered_no_longer(tmp_path: Path) -> None:
    """A suite that drops a claim and takes it in again, unregistered, cannot lean on its first registration."""
    register(tmp_path, size="1", quiz="5")
    book = register(tmp_path, size="1")
    with pytest.raises(InvalidClaim, match="has no registration of it in force"):
        ledgers.entry_in_force(book, claim("quiz", "5"))
    book = register(tmp_path, size="1", quiz="5")
    assert ledgers.entry_in_force(book, claim("quiz", "5")).number == 3


def test_a_mark_file_that_was_edited_or_removed_is_written_again(tmp_path: Path) -> None:
    """Nothing has changed for the ledger, but the cure that a run names must work; the mark grows no younger."""
    register(tmp_path, quiz="5")
    file = marks.file_of(tmp_path, claim("quiz", "5"), suite("quiz"))
    before = file.read_bytes()
    with pytest.raises(UsageError, match="every mark is registered as it stands"):
        register(tmp_path, quiz="5")
    file.write_text(json.dumps({"margin": "5"}))
    book = register(tmp_path, quiz="5")
    assert file.read_bytes() == before
    file.unlink()
    book = register(tmp_path, quiz="5")
    assert file.read_bytes() == before
    assert ledgers.entry_in_force(book, claim("quiz", "5")).number == 1


def test_the_ledger_of_another_suite_is_none_of_this_one(tmp_path: Path) -> None:
    """A whole chain that is another suite's, or another log's, is named and never read as this suite's."""
    other = suite("quiz", name="other")
    ledgers.register(tmp_path, other, [claim("quiz", "9")], WHO)
    mine = ledgers.file_of(tmp_path, suite("quiz"))
    shutil.copy(ledgers.file_of(tmp_path, other), mine)
    with pytest.raises(LedgerError, match=r"tiny\.ledger\.jsonl:1: is no registration or waiver of suite 'tiny'"):
        ledgers.of(tmp_path, suite("quiz"))
    mine.unlink()
    ledger.load(mine).appended("attempt", {"suite": "tiny", "number": 1})
    with pytest.raises(LedgerError, match="this is another ledger"):
        ledgers.of(tmp_path, suite("quiz"))


def test_waivers_are_entries_that_registrations_pass_over(tmp_path: Path) -> None:
    """A waiver moves the head and no mark; the next registration still knows what was registered last."""
    register(tmp_path, quiz="5")
    book = ledgers.waive(tmp_path, suite("quiz"), "good", "quiz", " a reason ", WHO)
    assert [(each.reason, each.by) for each in ledgers.waivers(book)] == [("a reason", "a test")]
    assert ledgers.entry_in_force(book, claim("quiz", "5")).number == 1
    with pytest.raises(UsageError, match="every mark is registered as it stands"):
        register(tmp_path, quiz="5")
    with pytest.raises(UsageError, match="a waiver needs a reason and a name"):
        ledgers.waive(tmp_path, suite("quiz"), "good", "quiz", " ", WHO)
