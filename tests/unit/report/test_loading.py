"""A report read back: what a run wrote comes back whole, and everything else is refused in one line."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_run import ANY, runs, six
from twx_accept.acceptance.writing import write
from twx_accept.domain.run import RunRecord
from twx_accept.errors import UsageError
from twx_accept.report import data, html, junit, loading, markdown, text

Place = tuple[str | int, ...]
RENDERERS = (html.render, markdown.render, junit.render, data.render, lambda run: "\n".join(text.summary(run)))


@pytest.fixture(scope="module")
def whole() -> RunRecord:
    """A run of all claims."""
    return six(items=3)


@pytest.fixture(scope="module")
def written(whole: RunRecord) -> str:
    """What it leaves."""
    return data.render(whole)


def refused(document: str) -> str:
    """Why a text is refused: one line of plain characters that begins with where it is from."""
    with pytest.raises(UsageError) as raised:
        loading.loads(document, "some.json")
    said = str(raised.value)
    assert said.startswith("some.json: ")
    assert said.isprintable()
    assert len(said) < 400
    return said


def changed(written: str, place: Place, value: Any) -> str:
    """The report with something else in one place."""
    found = json.loads(written)
    inner = found
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return json.dumps(found)


def test_a_run_comes_back_whole(whole: RunRecord, written: str) -> None:
    """The record read back is the record written, and every report of it has the same bytes."""
    read = loading.loads(written, "report.json")
    assert read == whole
    for render in RENDERERS:
        assert render(read) == render(whole)


def test_reports_come_out_as_the_run_wrote_them(make: Callable[..., RunRecord], tmp_path: Path) -> None:
    """Page, JSON and Markdown rendered from the file a run left are the files it left, to the byte, and so again."""
    run = make("smol-w8", "smol-w4", "smol-damaged", attempts={"smol-w8": 2}, disclosures=("one", "two"))
    write(run, tmp_path, say=print)
    for path in (tmp_path, tmp_path / "report.json"):
        read = loading.load(path)
        for render, name in (
            (html.render, "report.html"),
            (data.render, "report.json"),
            (markdown.render, "summary.md"),
        ):
            assert render(read).encode() == (tmp_path / name).read_bytes()
            assert render(read) == render(loading.load(path))


@ANY
@given(runs())
def test_any_run_comes_back_whole(run: RunRecord) -> None:
    """Whatever texts and numbers a run holds, its file is read and every report comes out of it as of the run."""
    there = data.render(run)
    read = loading.loads(there, "report.json")
    for render in RENDERERS:
        assert render(read) == render(run)


def test_mappings_keep_their_order(whole: RunRecord) -> None:
    """Statistics are told in the order in which a claim gives them, also after reading back."""
    first, *rest = whole.verdicts
    told = replace(first, statistics={"z": 1, "a": 2.0, "m": float("nan"), "b": "NaN?"})
    read = loading.loads(data.render(replace(whole, verdicts=(told, *rest))), "report.json")
    assert list(read.verdicts[0].statistics) == ["z", "a", "m", "b"]
    assert junit.text_of(read.verdicts[0]) == junit.text_of(told)


def test_whole_numbers_stay_whole(whole: RunRecord, written: str) -> None:
    """A count is read as a whole number and a fraction as a fraction, so that both are written as they were."""
    read = loading.loads(written, "report.json")
    pairs = zip(read.verdicts, whole.verdicts, strict=True)
    assert all(
        type(one.statistics[name]) is type(other.statistics[name]) for one, other in pairs for name in one.statistics
    )


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ("", "not JSON"),
        ("null", "not a report"),
        ("[]", "not a report"),
        ("{}", "not a report"),
        ('{"format": "twx-accept/run"}', "its version is null"),
        ('{"format": "twx-accept/evidence", "version": 1}', "not a report"),
        ('{"format": "twx-accept/run", "version": 2}', "its version is 2, and this twx-accept reads version 1"),
        ('{"format": "twx-accept/run", "version": true}', "its version is true"),
        ('{"format": "twx-accept/run", "version": "1"}', 'its version is "1"'),
        ('{"format": "twx-accept/run", "version": [[1]]}', "its version is a list"),
        ('{"format": "twx-accept/run", "version": 1}', "its $schema is null and must be 'urn:twx-accept:run:1'"),
        ('{"format": 1, "format": "twx-accept/run"}', '"format" is there twice in one object'),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
        ("<html></html>", "not JSON"),
        ("\x00", "not JSON"),
    ],
)
def test_what_is_no_report_is_refused(there: str, why: str) -> None:
    """Empty, of another kind, of another version, twice said or endless: each is told."""
    assert why in refused(there)


@pytest.mark.parametrize("share", [0.0001, 0.1, 0.5, 0.9, 0.99999])
def test_a_truncated_report_is_refused(written: str, share: float) -> None:
    """A file that ends too early, wherever, is no report."""
    assert "not JSON" in refused(written[: int(len(written) * share)])


VERDICT: Place = ("run", "verdicts", 2)


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (("run",), None, "run is null and must be an object"),
        (("run",), [], "run is a list and must be an object"),
        (("headline",), 1, "headline is 1 and must be a text"),
        (("builds", 0, "attempt"), "2", 'builds[0].attempt is "2" and must be a whole number'),
        (("builds", 0, "attempt"), 2.5, "builds[0].attempt is 2.5 and must be a whole number"),
        (("builds", 0, "may_ship"), 1, "builds[0].may_ship is 1 and must be true or false"),
        (("more",), 1, 'the report has "more", which no report has'),
        (("run", "more\x1b"), 1, 'run has "more'),
        (("run", "date"), None, "run.date is null and must be a text"),
        (("run", "verdicts"), {}, "run.verdicts is an object and must be a list"),
        (("run", "planned", 0), ["MMLU"], "run.planned[0] is a list and must be a list of 2"),
        (("run", "planned", 0), ["MMLU", "x", "y"], "run.planned[0] is a list and must be a list of 2"),
        (("run", "titles"), [], "run.titles is a list and must be an object"),
        (("run", "titles", "twx3"), 3, "run.titles.twx3 is 3 and must be a text"),
        (("run", "attempts", "twx3"), True, "run.attempts.twx3 is true and must be a whole number"),
        ((*VERDICT, "outcome"), "fine", 'run.verdicts[2].outcome is "fine" and must be one of shown, not shown'),
        ((*VERDICT, "outcome"), ["shown"], "run.verdicts[2].outcome is a list and must be one of shown"),
        ((*VERDICT, "outcome"), {"shown": 1}, "run.verdicts[2].outcome is an object and must be one of shown"),
        ((*VERDICT, "gates"), None, "run.verdicts[2].gates is null and must be true or false"),
        ((*VERDICT, "items_total"), -1, "run.verdicts[2].items_total is -1 and must be at least 0"),
        ((*VERDICT, "statistics", "b"), None, "run.verdicts[2].statistics.b is null and must be a number"),
        ((*VERDICT, "statistics", "b"), False, "run.verdicts[2].statistics.b is false and must be a number"),
        ((*VERDICT, "statistics", "b"), {}, "run.verdicts[2].statistics.b is an object and must be a number"),
        ((*VERDICT, "figures", 0, "value"), 1, "run.verdicts[2].figures[0].value is 1 and must be a text"),
        ((*VERDICT, "figures", 0, "value"), {"value": 1}, "run.verdicts[2].figures[0].value lacks unit, digits"),
        ((*VERDICT, "figures", 0, "value", "unit"), "GB", 'value.unit is "GB" and must be one of count, bytes'),
        ((*VERDICT, "figures", 0, "value", "digits"), 10**9, "value.digits is 1000000000 and must be at most 12"),
        ((*VERDICT, "figures", 0, "value", "digits"), -1, "value.digits is -1 and must be at least 0"),
        ((*VERDICT, "figures", 0, "value", "digits"), 2.0, "value.digits is 2.0 and must be a whole number"),
        ((*VERDICT, "figures", 0, "value", "value"), "nan", 'value.value is "nan" and must be a number'),
        ((*VERDICT, "figures", 0, "value", "value"), 2**64 + 1, "must be at most 18446744073709551616"),
        ((*VERDICT, "effects", 0, "lower"), -1.1e18, "effects[0].lower is -1.1e+18 and must be at least -1e+18"),
        ((*VERDICT, "effects", 0, "margin"), "one", 'effects[0].margin is "one" and must be a number'),
        (("run", "verdicts", 0, "bars", 0, "limit"), 2e18, "bars[0].limit is 2e+18 and must be at most 1e+18"),
        ((*VERDICT, "build"), "other", 'run.verdicts[2].build: "other" is none of run.builds'),
        ((*VERDICT, "claim"), "weight_size", 'run.verdicts: "weight_size" of "twx-control" is decided twice'),
        (("run", "planned", 1), ["MMLU", "other"], 'run.planned[1]: "other" is none of run.builds'),
        (("run", "builds"), ["twx3", "twx2.5", "twx-control", "twx3"], 'run.builds: "twx3" is there twice'),
        (("run", "original"), "twx3", 'run.builds: "twx3" is the original'),
        (("$schema",), "urn:twx-accept:run:2", 'its $schema is "urn:twx-accept:run:2"'),
    ],
)
def test_a_wrong_value_is_told_with_its_place(written: str, place: Place, value: Any, why: str) -> None:
    """Of another type, out of range, unknown or contradicting: the place, the value and what must be there."""
    assert why in refused(changed(written, place, value))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((*VERDICT, "figures", 0, "value", "digits"), 0),
        ((*VERDICT, "figures", 0, "value", "digits"), 12),
        ((*VERDICT, "figures", 0, "value", "value"), 2**64),
        ((*VERDICT, "figures", 0, "value", "value"), "NaN"),
        ((*VERDICT, "figures", 0, "value", "value"), 1.7e308),
        ((*VERDICT, "figures", 0, "value"), "unknown"),
        ((*VERDICT, "effects", 0, "lower"), -1e18),
        ((*VERDICT, "effects", 0, "lower"), "-Infinity"),
        ((*VERDICT, "effects", 0, "margin"), None),
        ((*VERDICT, "items_total"), 0),
        ((*VERDICT, "sentence"), "<script>alert(1)</script>\x00\u202e"),
        (("run", "verdicts", 0, "bars", 0, "limit"), "Infinity"),
        (("run", "attempts"), {}),
        (("run", "verdicts"), []),
    ],
)
def test_what_is_just_within_bounds_is_read_and_rendered(written: str, place: Place, value: Any) -> None:
    """The last value that is allowed makes every report."""
    read = loading.loads(changed(written, place, value), "report.json")
    for render in RENDERERS:
        assert render(read)
    assert "<script>alert" not in html.render(read)


def short(value: Any) -> Any:
    """A document of which every list of objects has one."""
    if isinstance(value, dict):
        return {name: short(each) for name, each in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [short(next((each for each in value if each.get("effects")), value[0]))]
    return value


def test_every_field_must_be_there(written: str) -> None:
    """A report that lacks any field of any object is refused: "interrupted" cannot be left out to look whole."""
    whole = short(json.loads(written))
    assert loading.loads(json.dumps(whole), "short.json")

    def objects(value: Any, place: Place) -> list[Place]:
        inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
        found = [each for name, each_value in inner for each in objects(each_value, (*place, name))]
        free = place[-1:] in {("titles",), ("attempts",), ("values",), ("statistics",)}
        return [place, *found] if isinstance(value, dict) and not free else found

    places = objects(whole, ())
    assert len(places) > 20
    for place in places:
        inner: Any = whole
        for step in place:
            inner = inner[step]
        for name in list(inner):
            less = copy.copy(inner)
            del less[name]
            document = changed(json.dumps(whole), place, less) if place else json.dumps(less)
            assert any(word in refused(document) for word in ("lacks", "not a report", "version", "schema")), (
                place,
                name,
            )


def test_numbers_beyond_sixty_four_bits_are_refused(written: str) -> None:
    """What Python reads as infinite is no number of a report."""
    assert "must be a number that fits 64 bits" in refused(written.replace("-0.591", "-1e999", 1))


def test_what_follows_from_the_record_is_computed_again(whole: RunRecord, written: str) -> None:
    """Nobody makes a build ship by editing the summary beside the record."""
    lied = changed(changed(written, ("builds", 0, "may_ship"), True), ("headline",), "All may ship")
    assert data.render(loading.loads(lied, "report.json")) == data.render(whole)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None there, no text, or larger than any report."""
    with pytest.raises(UsageError, match=r"nothing: no such file; name a report.json or the folder"):
        loading.load(tmp_path / "nothing")
    with pytest.raises(UsageError, match=r"report.json: no such file"):
        loading.load(tmp_path)
    (tmp_path / "report.json").mkdir()
    with pytest.raises(UsageError, match=r"report.json: cannot be read"):
        loading.load(tmp_path)
    binary = tmp_path / "evidence.sqlite"
    binary.write_bytes(b"SQLite format 3\x00\xff\xfe")
    with pytest.raises(UsageError, match=r"evidence\.sqlite: cannot be read"):
        loading.load(binary)
    monkeypatch.setattr(loading, "LARGEST", 10)
    with pytest.raises(UsageError, match="no report is larger"):
        loading.load(binary)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda each: each.encode(errors="replace")))
def test_no_bytes_make_a_trace(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Whatever a file holds, it is read or refused."""
    file = tmp_path_factory.mktemp("any") / "any.json"
    file.write_bytes(content)
    with pytest.raises(UsageError):
        loading.load(file)
