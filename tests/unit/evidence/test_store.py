"""What is kept, and stays kept."""

import dataclasses
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from evidence_bench import IDENTITY, INVENTORY, answered, boot, failed, request
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.errors import EvidenceError
from twx_accept.evidence import Store


def opened(folder: Path, identity: dict[str, Any] = IDENTITY) -> Store:
    """The store in that folder."""
    return Store(folder / "deep" / "e.sqlite", identity, INVENTORY)


def rows(file: Path, table: str) -> list[Any]:
    """All that a table holds."""
    with sqlite3.connect(file) as db:
        return db.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - the test's own word


def test_a_run_is_resumed(tmp_path: Path) -> None:
    """What was answered before is not missing when the file is opened again; what failed or never came is."""
    plan = [request(place) for place in range(4)]
    with opened(tmp_path) as store:
        assert store.missing(plan) == plan
        store.keep([answered(plan[0]), failed(plan[1])])
    with opened(tmp_path) as store:
        assert store.missing(plan) == plan[1:]
        assert store.exchanges("c") == (answered(plan[0]), failed(plan[1]))


def test_an_answer_is_never_written_over(tmp_path: Path) -> None:
    """A second answer or a later failure under the same key leaves the first answer as it is."""
    with opened(tmp_path) as store:
        store.keep([answered(request(1), "first")])
        store.keep([answered(request(1), "second"), failed(request(1))])
        assert store.exchanges("c") == (answered(request(1), "first"),)


def test_a_failure_is_replaced(tmp_path: Path) -> None:
    """A failure gives way to a later failure and to an answer."""
    with opened(tmp_path) as store:
        store.keep([failed(request(1))])
        later = dataclasses.replace(failed(request(1)), attempts=9)
        store.keep([later])
        assert store.exchanges("c") == (later,)
        store.keep([answered(request(1))])
        assert store.exchanges("c") == (answered(request(1)),)


def test_every_part_of_the_key_counts(tmp_path: Path) -> None:
    """Exchanges that differ in claim, item, arm, trial or run alone are kept side by side, in order of their keys."""
    keys: list[dict[str, Any]] = [
        *({"item": "2"}, {"item": "10"}, {"item": "1", "run": 2}, {"item": "1", "trial": 2}),
        *({"item": "1", "arm": "low"}, {"item": "1"}, {"item": "1", "claim": "d"}),
    ]
    plan = [request(**key) for key in keys]
    with opened(tmp_path) as store:
        store.keep(map(answered, plan))
        assert store.missing(plan) == []
        for run in (1, 2):
            kept = [exchange.request.key for exchange in store.exchanges("c", run)]
            assert kept == sorted(each.key for each in plan if each.key.claim == "c" and each.key.run == run)
            assert store.count("c", run) == len(kept) > 0
        assert len(store.exchanges("d")) == 1
        assert store.exchanges("none") == ()


def test_rejected_answers_are_set_aside_and_asked_again(tmp_path: Path) -> None:
    """A rejected answer stays in the file, its request is missing again, and a new answer takes its place."""
    plan = [request(1), request(2), request(3)]
    with opened(tmp_path) as store:
        store.keep([answered(plan[0], "bad"), answered(plan[1]), failed(plan[2])])
        store.reject([plan[0].key, plan[0].key, plan[2].key, Key(claim="c", item="unknown")])
        assert store.missing(plan) == [plan[0], plan[2]]
        assert len(store.exchanges("c")) == 2
        store.keep([answered(plan[0], "good")])
        assert [len(rows(store.file, table)) for table in ("rejected", "exchanges")] == [1, 3]
        store.reject([])


def test_questions_that_changed_under_their_ids_are_refused(tmp_path: Path) -> None:
    """Another content under a kept key is an error that names the question: in the plan, and in what is kept."""
    with opened(tmp_path) as store:
        store.keep([answered(request(7)), failed(request(8))])
        for item in (7, 8):
            with pytest.raises(EvidenceError, match=f"{item} of c .*other content.*--fresh"):
                store.missing([request(item, prompt="another")])
            with pytest.raises(EvidenceError, match=f"{item} of c .*other content"):
                store.keep([answered(request(9)), answered(request(item, prompt="another"))])
        assert store.missing([request(9)]) == [request(9)]


def test_a_doubled_id_is_refused(tmp_path: Path) -> None:
    """Two requests of a plan under one key are an error that names it: one answer would serve both."""
    with opened(tmp_path) as store, pytest.raises(EvidenceError, match=r"7 of c .*planned twice"):
        store.missing([request(7), request(8), request(7)])


def test_another_identity_is_refused(tmp_path: Path) -> None:
    """A file that belongs to another identity is not opened, and nothing in it changes."""
    with opened(tmp_path) as store:
        store.keep([answered(request(1))])
    before = store.file.read_bytes()
    with pytest.raises(EvidenceError, match="another identity"):
        opened(tmp_path, {**IDENTITY, "flags": {"seed": 1}})
    assert store.file.read_bytes() == before


def test_no_answer_of_other_weights_is_reused(tmp_path: Path) -> None:
    """The same name with other weights is another identity: of the first one's answers none is used."""
    first, second = ({"name": "m", "weights": weights} for weights in ("aaaa", "bbbb"))
    with opened(tmp_path, first) as store:
        store.keep([answered(request(1))])
    with pytest.raises(EvidenceError, match="another identity"):
        opened(tmp_path, second)
    with opened(tmp_path / "second", second) as store:
        assert store.missing([request(1)]) == [request(1)]


def test_the_order_of_an_identity_does_not_matter(tmp_path: Path) -> None:
    """An identity is its content, in whatever order it was put together."""
    opened(tmp_path).__exit__(None, None, None)
    opened(tmp_path, dict(reversed(IDENTITY.items()))).__exit__(None, None, None)


def test_boots_come_back_as_they_were(tmp_path: Path) -> None:
    """Every field of a boot survives, in the order of the boots."""
    boots = (boot(1), boot(2, cards=(), notes=(), capacity_tokens=93184))
    with opened(tmp_path) as store:
        store.add_boot(boots[1])
        store.add_boot(boots[0])
    with opened(tmp_path) as store:
        assert store.boots() == boots
        with pytest.raises(EvidenceError, match="boot 2 cannot be written"):
            store.add_boot(boot(2))


def test_the_inventory_is_that_of_the_begin(tmp_path: Path) -> None:
    """The files of a build can be judged from the evidence alone, as they were when it was begun."""
    opened(tmp_path).__exit__(None, None, None)
    later = dataclasses.replace(INVENTORY, weights={})
    with Store(tmp_path / "deep" / "e.sqlite", IDENTITY, later) as store:
        assert store.inventory() == INVENTORY


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
OBJECT = st.dictionaries(st.text(st.characters()), JSON, max_size=4)


@settings(max_examples=50, deadline=None)
@given(body=OBJECT, answer=OBJECT, item=st.text(st.characters(exclude_categories=["Cs"])), text=st.characters())
def test_exchanges_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, body: dict[str, Any], answer: dict[str, Any], item: str, text: str
) -> None:
    """Bodies, answers and ids of any content survive, halves of surrogates and NUL among them."""
    asked = Request(key=Key(claim="c", item=item), path="/p", body=body, phase="p")
    kept = Exchange(request=asked, answer={**answer, "text": text + "\ud800"}, failure=None, seconds=0.1, attempts=2)
    with opened(tmp_path_factory.mktemp("any")) as store:
        store.keep([kept])
        assert store.exchanges("c") == (kept,)
        assert store.missing([asked]) == []


STEPS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("afr")), max_size=20)


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_each_key_has_its_first_answer_or_its_last_failure(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    """Through any order of answers, failures and rejections the file holds what a dictionary would."""
    expected: dict[int, Exchange] = {}
    with opened(tmp_path_factory.mktemp("steps")) as store:
        for number, (item, step) in enumerate(steps):
            known = expected.get(item)
            if step == "r":
                store.reject([request(item).key])
                if known is not None and known.answer is not None:
                    del expected[item]
                continue
            made = answered(request(item), f"{number}") if step == "a" else failed(request(item))
            store.keep([made])
            if known is None or known.answer is None:
                expected[item] = made
        assert store.exchanges("c") == tuple(expected[item] for item in sorted(expected))


def test_an_id_that_no_file_can_hold_is_named_as_an_error(tmp_path: Path) -> None:
    """Half a surrogate in an id is an error of ours, and what is kept stays readable."""
    with opened(tmp_path) as store:
        store.keep([answered(request(1))])
        with pytest.raises(EvidenceError, match="cannot be written"):
            store.keep([answered(request("\ud800"))])
        assert len(store.exchanges("c")) == 1


def test_what_is_missing_is_found_without_reading_what_is_kept(tmp_path: Path) -> None:
    """A plan is held against keys and digests alone: a look-up never goes to the rows, which lie among the answers."""
    with opened(tmp_path) as store:
        store.keep([answered(request(1))])
        asked: list[str] = []
        store._db.set_trace_callback(asked.append)
        assert store.missing([request(1), request(2)]) == [request(2)]
        store._db.set_trace_callback(None)
        looked = [text for text in asked if "asked" in text]
        assert len(looked) == 2
        for text in looked:
            plan = " ".join(row[3] for row in store._db.execute(f"EXPLAIN QUERY PLAN {text}"))
            assert "USING COVERING INDEX" in plan
            assert plan.count("=?") == 5


def test_a_large_run_is_kept_and_found(tmp_path: Path, record_property: Any) -> None:
    """Twenty thousand exchanges are written, found and read; the rates stand in the report and decide nothing."""
    plan = [request(place, prompt=f"question {place} " * 30) for place in range(20_000)]
    with opened(tmp_path) as store:
        began = time.perf_counter()
        for start in range(0, len(plan), 16):
            store.keep([answered(each) for each in plan[start : start + 16]])
        written = time.perf_counter()
        assert store.missing(plan) == []
        looked = time.perf_counter()
        assert len(store.exchanges("c")) == len(plan)
        read = time.perf_counter()
    for name, seconds in (("kept", written - began), ("looked up", looked - written), ("read", read - looked)):
        record_property(f"{name} a second", round(len(plan) / seconds))
        print(f"{name}: {len(plan) / seconds:,.0f} a second")
