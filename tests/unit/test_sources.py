"""Sources of rows: JSON Lines, Parquet, folders, single files and the hub."""

import json

import datasets
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twx_accept.errors import DatasetError
from twx_accept.sources import FileOrHub

ROW = {"question": "Sky?", "choices": ["blue", "red"], "answer": 0}


@pytest.fixture
def sources(tmp_path):
    """Sources relative to a fresh folder."""
    return FileOrHub(folder=tmp_path)


def refusal(sources, source="questions", split="test"):
    """What is said of a source that has no rows, in one line."""
    with pytest.raises(DatasetError) as caught:
        sources.rows(source, split)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def jsonl(folder, content, name="test.jsonl"):
    """Writes a file of JSON Lines."""
    folder.mkdir(exist_ok=True, parents=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / name


def parquet(file, rows):
    """Writes a Parquet file."""
    file.parent.mkdir(exist_ok=True, parents=True)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    return file


def test_folder_of_json_lines_is_read_split_by_split(sources, tmp_path):
    """Each split is a file of its own, and rows keep their order."""
    jsonl(tmp_path / "questions", '{"a": 2}\n{"a": 1}\n')
    jsonl(tmp_path / "questions", '{"a": 3}', "dev.jsonl")
    assert sources.rows("questions", "test") == [{"a": 2}, {"a": 1}]
    assert sources.rows("./questions/", "dev") == [{"a": 3}]
    assert sources.rows(str(tmp_path / "questions"), "dev") == [{"a": 3}]


@pytest.mark.parametrize(
    "content",
    [
        '\n\n{"a": "x"}\n  \t\n{"a": "y"}\n\n',
        '{"a": "x"}\r\n{"a": "y"}\r\n',
        b'\xef\xbb\xbf{"a": "x"}\n{"a": "y"}',
        '{"a": "x"}\n{"a": "y"}',
    ],
)
def test_blank_lines_line_ends_and_byte_order_marks_do_not_matter(sources, tmp_path, content):
    """What editors add around the rows is passed over."""
    jsonl(tmp_path / "questions", content)
    assert sources.rows("questions", "test") == [{"a": "x"}, {"a": "y"}]


def test_separators_of_unicode_stay_inside_a_text(sources, tmp_path):
    """U+2028 and its kind are characters of a text, not ends of lines."""
    text = "a\u2028b\u2029c\u0085d\x0be"
    jsonl(tmp_path / "questions", json.dumps({"a": text}, ensure_ascii=False))
    assert sources.rows("questions", "test") == [{"a": text}]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "is no JSON object on one line"),
        ('{"a": NaN}', "NaN is no number in JSON"),
        ('{"a": -Infinity}', "-Infinity is no number in JSON"),
        ('{"a": 1, "a": 2}', "a name stands twice among 'a', 'a'"),
        ('{"a": ' + "9" * 5000 + "}", "is no JSON object on one line"),
        ("[" * 100_000, "is no JSON object on one line"),
        ("[1]", "is list, not an object"),
        ("null", "is NoneType, not an object"),
        ('"text"', "is str, not an object"),
    ],
)
def test_broken_line_is_named_with_its_number(sources, tmp_path, line, told):
    """A line that is no row is told with its file and number, blank lines counted."""
    file = jsonl(tmp_path / "questions", f'{{"a": 1}}\n\n{line}\n{{"a": 2}}')
    message = refusal(sources)
    assert message.startswith(f"{file}:3: ")
    assert told in message


@pytest.mark.parametrize(
    ("content", "told"), [(b"", "is empty"), (b"\n \n", "is empty"), (b'{"a": "\xff"}', "cannot be read as UTF-8")]
)
def test_file_without_rows_is_told(sources, tmp_path, content, told):
    """An empty file, or one that is no UTF-8, is named."""
    file = jsonl(tmp_path / "questions", content)
    assert refusal(sources).startswith(f"{file}: {told}")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=100) | st.text("[]{}\":,\\ue0123 \n\r'NaInfity", max_size=60).map(str.encode))
def test_any_file_gives_rows_or_one_line(sources, tmp_path, content):
    """Whatever bytes are in a file, it has rows or says why not."""
    jsonl(tmp_path / "questions", content)
    try:
        rows = sources.rows("questions", "test")
    except DatasetError as error:
        said = str(error)
    else:
        said = "one line" if all(isinstance(row, dict) for row in rows) else ""
    assert len(said.splitlines()) == 1


def test_parquet_gives_plain_values(sources, tmp_path):
    """Texts, lists and numbers of a Parquet file arrive as Python's own types."""
    parquet(tmp_path / "questions" / "test.parquet", [ROW, ROW | {"answer": 1}])
    rows = sources.rows("questions", "test")
    assert rows == [ROW, ROW | {"answer": 1}]
    assert [type(value) for value in rows[0].values()] == [str, list, int]


def test_truncated_parquet_is_told(sources, tmp_path):
    """A file that broke off is named, not crashed on."""
    file = parquet(tmp_path / "questions" / "test.parquet", [ROW])
    whole = file.read_bytes()
    for length in (0, 3, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        assert refusal(sources).startswith(f"{file}: cannot be read as Parquet")


def test_text_that_is_no_utf8_inside_parquet_is_told(sources, tmp_path):
    """Parquet does not check texts; reading them does."""
    broken = pyarrow.Array.from_buffers(
        pyarrow.string(), 1, [None, pyarrow.py_buffer(b"\0\0\0\0\2\0\0\0"), pyarrow.py_buffer(b"\xff\xfe")]
    )
    file = tmp_path / "questions" / "test.parquet"
    file.parent.mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"a": broken}), file)
    assert refusal(sources).startswith(f"{file}: cannot be read as Parquet")


def test_empty_parquet_is_told(sources, tmp_path):
    """A table without rows is no source."""
    file = tmp_path / "questions" / "test.parquet"
    file.parent.mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"a": pyarrow.array([], pyarrow.string())}), file)
    assert refusal(sources) == f"{file}: is empty; a source needs at least one row"


def test_single_file_has_its_dev_rows_beside_it(sources, tmp_path):
    """One file is the test split whatever its name; dev is the file of that name and format beside it."""
    jsonl(tmp_path, '{"a": 1}', "mine.jsonl")
    assert sources.rows("mine.jsonl", "test") == [{"a": 1}]
    assert f"{tmp_path / 'dev.jsonl'}: no such file" in refusal(sources, "mine.jsonl", "dev")
    jsonl(tmp_path, '{"a": 2}', "dev.jsonl")
    assert sources.rows("mine.jsonl", "dev") == [{"a": 2}]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("", "is no path and no hub name"),
        ("a\nb", "is no path and no hub name"),
        ("a\0b", "is no path and no hub name"),
        ("~nobody-of-this-name/x", "names a home that is not known"),
        ("../none", "no such file or folder"),
        ("none.jsonl", "no such file or folder"),
        ("none.parquet", "no such file or folder"),
        ("empty", "holds neither test.jsonl nor test.parquet"),
        ("table.csv", "is neither a .jsonl nor a .parquet file"),
    ],
)
def test_source_that_is_not_there_is_told(sources, tmp_path, source, told):
    """Each kind of wrong path has its own cure; nothing goes to the hub for it."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "table.csv").write_text("a,b\n")
    assert told in refusal(sources, source)


def test_hub_name_may_hold_a_configuration(sources, monkeypatch):
    """What is no path is asked of the hub, the configuration after a colon."""
    asked = []

    def load(*arguments, **options):
        asked.append((arguments, options))
        return datasets.Dataset.from_list([ROW])

    monkeypatch.setattr(datasets, "load_dataset", load)
    assert sources.rows("cais/mmlu:all", "test") == [ROW]
    assert sources.rows("plain", "dev") == [ROW]
    assert asked == [(("cais/mmlu", "all"), {"split": "test"}), (("plain", None), {"split": "dev"})]


@pytest.mark.parametrize("error", [ConnectionError("offline\nreally\n\n  yes"), ValueError("x" * 5000), KeyError("a")])
def test_hub_out_of_reach_is_one_line(sources, tmp_path, monkeypatch, error):
    """A page of somebody else's error becomes a line that also says which path was not there."""

    def load(*_, **__):
        raise error

    monkeypatch.setattr(datasets, "load_dataset", load)
    message = refusal(sources, "cais/mmlu:all")
    assert message.startswith(f"cais/mmlu:all: split 'test' cannot be loaded from the hub ({type(error).__name__}: ")
    assert str(tmp_path / "cais" / "mmlu:all") in message
    assert len(message) < 700


def test_empty_split_of_the_hub_is_told(sources, monkeypatch):
    """A data set without rows is no source."""
    monkeypatch.setattr(datasets, "load_dataset", lambda *_, **__: datasets.Dataset.from_list([]))
    assert "is empty" in refusal(sources, "cais/mmlu")
