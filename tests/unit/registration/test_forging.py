"""Evidence whose own word on how it began was changed, and commands that only read it."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from twx_accept import ledger
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.evidence import Store, packing

RUN = ("-m", "acceptance", "--build", "good", "-k", "knowledge")


def forge(folder: Path, head: str) -> None:
    """Writes another ledger head into all evidence in a folder."""
    for file in folder.glob("*.sqlite"):
        with sqlite3.connect(file) as db:
            (blob,) = db.execute("SELECT value FROM meta WHERE name = 'origin'").fetchone()
            origin = packing.unpack(blob) | {"ledger": head}
            db.execute("UPDATE meta SET value = ? WHERE name = 'origin'", (packing.pack(origin),))
        db.close()


def test_a_forged_ledger_head_contradicts_the_log_of_attempts(project: Any) -> None:
    """Evidence that claims to have begun under the new mark is found; whoever rewrites the log too is not."""
    project.each(RUN)
    project.suite("margin_points = 20.0", "margin_points = 15.0")
    project.register()
    folder = project.root / "reports" / "evidence"
    head = ledger.load(project.root / "tests" / "acceptance" / "__marks__" / "tiny.ledger.jsonl").head
    forge(folder, head)
    found, judged = project.each(RUN)[0], project.twx("judge", "tiny")
    assert (found.status, judged.status) == (1, 1)
    for ran in (found, judged):
        assert "one of them was changed; run with --fresh to begin new evidence" in " ".join(ran.text.split())
    assert project.report()["run"]["registered"].startswith("exploratory: the evidence of original says")
    log = folder / "attempts.jsonl"
    bodies = [json.loads(line)["body"] for line in log.read_text().splitlines()]
    log.unlink()
    for body in bodies:
        ledger.load(log).appended("attempt", body | {"ledger": head})
    (undetected,) = project.each(RUN)
    assert undetected.status == 0  # nothing that he owns alone can tell: docs/registration.md says what can


def test_judging_writes_nothing_beside_the_evidence(project: Any) -> None:
    """Evidence that lies where nobody may write is judged all the same, and stays what it is to the byte."""
    project.each(RUN)
    folder = project.root / "reports" / "evidence"
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    folder.chmod(0o555)
    try:
        ran = project.twx("judge", "tiny", "--out", "judged")
    finally:
        folder.chmod(0o755)
    assert ran.status == 0, ran.text
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("side", ["asked", "answered"])
def test_long_texts_are_shown_from_their_beginning(project: Any, side: str) -> None:
    """Of 200,000 characters that were asked or answered the first 20,000 are printed, and how many there are."""
    project.each((*RUN, "--limit-questions", "1"))
    (source,) = (project.root / "reports" / "evidence").glob("tiny-good-*.sqlite")
    with sqlite3.connect(source) as db:
        meta = {name: packing.unpack(blob) for name, blob in db.execute("SELECT name, value FROM meta")}
    db.close()
    text = {name: "x" * (200_000 if name == side else 10) for name in ("asked", "answered")}
    key = Key(claim="multiple_choice", item="long")
    asked = Request(key=key, path="/v1/completions", body={"prompt": text["asked"]}, phase="p")
    kept = Exchange(request=asked, answer={"text": text["answered"]}, failure=None, seconds=0.1, attempts=1)
    with Store(source, meta["identity"], packing.inventory_of(packing.pack(meta["inventory"]))) as store:
        store.keep([kept])
    said = project.twx("show", str(source), "long").text
    assert "[the first 20,000 of 200,0" in said
    assert len(said) < 22_000
