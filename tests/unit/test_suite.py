"""Suite files: what is accepted, and what is said about the rest."""

import contextlib
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twx_accept import claims, suite
from twx_accept.errors import SuiteError

REPOSITORY = Path(__file__).parents[2]
GOOD = """
[suite]
name = "small"
title = "A small suite"
version = 1
original = "original"

[engine]
python = "../engine/bin/python"
device = "cpu"

[engine.environment]
SPACE = "1"

[flags]
max_model_len = 2048
hf_overrides = { head_dtype = "float32", layers = [1, 2] }

[asking]
concurrency = 8

[[builds]]
name = "original"
path = "../models/original"

[[builds]]
name = "w8"
title = "8 bits"
path = "/elsewhere/w8"
flags = { quantization = "fp8" }

[[builds]]
name = "damaged"
path = "../models/damaged"
control = true

[claims.weight_size]
"""


@pytest.fixture
def write(tmp_path):
    """Writes a suite file, given as text or bytes."""

    def write(content, name="small.toml"):
        file = tmp_path / "suites" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


def refusal(file):
    """What is said about a suite file that is not accepted: one line, the file first."""
    with pytest.raises(SuiteError) as caught:
        suite.load(file)
    message = str(caught.value)
    assert message.splitlines() == [message]
    assert message.startswith(f"{file}: ")
    return message.removeprefix(f"{file}: ")


def whatever_is_said(file):
    """What is said about a suite file that may be accepted: nothing then."""
    try:
        suite.load(file)
    except SuiteError as error:
        return str(error)
    return ""


def test_shipped_suite_is_read():
    """The embedded suite has an original, two builds and the control, every claim, and paths inside the repository."""
    found = suite.load(REPOSITORY / "fixtures" / "suites" / "smollm2.toml")
    assert [build.name for build in (found.original, *found.builds)] == [
        "original",
        "smol-w8",
        "smol-w4",
        "smol-damaged",
    ]
    assert [build.name for build in found.builds if build.control] == ["smol-damaged"]
    assert found.original.path == REPOSITORY / "models" / "smollm2" / "original"
    assert set(found.claims) == set(claims.known())
    assert found.flags["chat_template"] == str(REPOSITORY / "fixtures" / "tools" / "smollm2.jinja")


def test_good_suite_is_taken_as_it_stands(write, monkeypatch):
    """Every part of a file arrives, relative paths from the file's folder, and what is left out has its default."""
    monkeypatch.delenv(suite.ENGINE_VARIABLE, raising=False)
    file = write(GOOD)
    found = suite.load(file)
    root = file.parent.parent
    assert (found.name, found.version, found.demonstration, found.file) == ("small", 1, False, file)
    assert found.original.path == root / "models" / "original"
    assert found.original.title == "original"
    assert found.build("w8").path == Path("/elsewhere/w8")
    assert found.build("w8").flags == {"quantization": "fp8"}
    assert found.engine.python == root / "engine" / "bin" / "python"
    assert found.flags["hf_overrides"] == {"head_dtype": "float32", "layers": [1, 2]}
    assert found.may_differ == ("quantization", "load_format")
    assert (found.asking.concurrency, found.asking.prompts_per_request) == (8, 32)


def test_file_of_a_windows_editor_is_read(write):
    """A byte-order mark and CRLF are no fault of the suite's."""
    assert suite.load(write(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())).name == "small"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('name = "small"', "", "suite.name: is missing; add it"),
        ('name = "small"', 'name = "a/b"', "suite.name: should be letters, digits"),
        ('name = "small"', 'name = "small\\n"', "(it is 'small\\n')"),
        ('name = "small"', 'name = "$(reboot)"', "(it is '$(reboot)')"),
        ('name = "small"', 'name = ".."', "(it is '..')"),
        ('name = "small"', 'name = "--fresh"', "(it is '--fresh')"),
        ('name = "small"', 'name = ""', "(it is '')"),
        ('name = "small"', f'name = "{"a" * 65}"', "suite.name"),
        ('title = "A small suite"', 'title = "A\\nB"', "suite.title: should be one line of text"),
        ('title = "A small suite"', 'title = "A\\u2028B"', "suite.title: should be one line of text"),
        ("version = 1", "version = true", "suite.version: Input should be a valid integer (it is True)"),
        ("version = 1", "version = 0", "suite.version"),
        ("version = 1", 'version = "1"', "suite.version"),
        ("version = 1", "version = 1\nspeed = 3", "suite.speed: no such field; remove it; known here: name, title, "),
        ("version = 1", "version = 1\nnoisefloor = 1", "suite.noisefloor: no such field; did you mean noise_floor?"),
        ("concurrency = 8", "concurency = 8", "asking.concurency: no such field; did you mean concurrency? (it is 8)"),
        (
            'path = "/elsewhere/w8"',
            'path = "w8"\nflgs = 1',
            "builds.1.flgs: no such field; did you mean flags? (it is 1)",
        ),
        ("version = 1", 'version = 1\n"a\\nb" = 3', "suite.'a\\nb': no such field"),
        ("version = 1", 'version = 1\nmay_differ = "quantization"', "suite.may_differ"),
        ("version = 1", 'version = 1\nmay_differ = ["load-format"]', "suite.may_differ.0"),
        (
            'original = "original"',
            'original = "big"',
            "suite.original is 'big', which is none of: original, w8, damaged",
        ),
        ('original = "original"', 'original = "damaged"', "the original 'damaged' cannot be the control"),
        ('name = "w8"', 'name = "original"', "builds: original stands twice"),
        ('name = "w8"', 'name = "w8;rm -rf"', "builds.1.name"),
        ('path = "/elsewhere/w8"', 'path = ""', "builds.1.path: should be one line of text that is not empty"),
        ('path = "/elsewhere/w8"', 'path = "a\\u0000b"', "builds.1.path: should be one line of text"),
        (
            'path = "/elsewhere/w8"',
            'path = "~nobody-of-this-name/w8"',
            "builds.w8.path: '~nobody-of-this-name/w8' names",
        ),
        ('path = "/elsewhere/w8"', 'path = "w8"\ndigests = {"a.bin" = "12"}', "builds.1.digests.a.bin"),
        ('{ quantization = "fp8" }', "{ seed = 1 }", "builds.w8.flags sets seed, in which builds may not differ"),
        ('{ quantization = "fp8" }', "{ kv_cache_memory_bytes = 1 }", "flags.kv_cache_memory_bytes fixes the cache"),
        ("max_model_len = 2048", "kv_cache_memory_bytes = 1", "flags.kv_cache_memory_bytes fixes the cache"),
        ("max_model_len = 2048", "kv_cache_memory = 1", "flags.kv_cache_memory fixes the cache"),
        ("max_model_len = 2048", "num_gpu_blocks_override = 1", "flags.num_gpu_blocks_override fixes the cache"),
        ("max_model_len = 2048", "kv-cache-memory-bytes = 1", "flags.kv-cache-memory-bytes"),
        (
            "max_model_len = 2048",
            "max-model-len = 2048",
            "flags.max-model-len: should be the engine's flag with underscores",
        ),
        ("max_model_len = 2048", '"a b" = 1', "flags.a b"),
        ("max_model_len = 2048", "when = 2020-01-01", "flags.when: should be true, false, a finite number"),
        ("max_model_len = 2048", "share = nan", "flags.share: should be true, false, a finite number"),
        ("max_model_len = 2048", "share = { inner = inf }", "flags.share"),
        ("max_model_len = 2048", 'names = ["a"]', "flags.names: should be true"),
        ("max_model_len = 2048", 'dtype = "a\\u0000b"', "flags.dtype"),
        ('device = "cpu"', 'device = "tpu"', "engine.device: Input should be 'cpu' or 'cuda' (it is 'tpu')"),
        ('device = "cpu"', "ready_seconds = inf", "engine.ready_seconds"),
        ('device = "cpu"', "ready_seconds = nan", "engine.ready_seconds"),
        ('device = "cpu"', "ready_seconds = 0", "engine.ready_seconds"),
        ('python = "../engine/bin/python"', 'python = ""', "engine.python: should be one line of text"),
        ('SPACE = "1"', "SPACE = 1", "engine.environment.SPACE: Input should be a valid string (it is 1)"),
        ('SPACE = "1"', '"A=B" = "1"', "engine.environment.A=B"),
        ('SPACE = "1"', 'SPACE = "1\\u0000"', "engine.environment.SPACE"),
        ("concurrency = 8", "concurrency = 0", "asking.concurrency"),
        ("concurrency = 8", "concurrency = 1.5", "asking.concurrency"),
        ("concurrency = 8", f"concurrency = {'9' * 4000}", "asking.concurrency"),
        ("[claims.weight_size]", "[claims]\nweight_size = 3", "claims.weight_size"),
        ("[claims.weight_size]", "[claims]", "claims: Dictionary should have at least 1 item"),
        ("[claims.weight_size]", "", "claims: is missing; add it"),
        ("control = true", "control = 1", "builds.2.control"),
    ],
)
def test_fault_is_named_with_its_field(write, old, new, told):
    """Whatever is wrong is said in one line that names file, field and value."""
    assert old in GOOD
    assert told in refusal(write(GOOD.replace(old, new)))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "suite: is missing; add it"),
        (GOOD.encode("utf-16"), "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[suite", "is no valid TOML"),
        (b"a = 1\na = 2", "is no valid TOML"),
        (b"a = " + b"[" * 100_000, "is no valid TOML"),
        (b"a = " + b"9" * 5000, "is no valid TOML"),
        (b"\x00", "is no valid TOML"),
        (GOOD.encode()[: GOOD.index("path = ")], "builds.0.path: is missing"),
    ],
)
def test_broken_file_is_told_in_one_line(write, content, told):
    """Files that are empty, truncated, in another encoding or no TOML are refused, not crashed on."""
    assert told in refusal(write(content))


def test_missing_file_and_folder_are_told(tmp_path):
    """A path that leads nowhere, or to a folder, is named."""
    assert "No such file" in refusal(tmp_path / "none.toml")
    (tmp_path / "folder.toml").mkdir()
    assert "Is a directory" in refusal(tmp_path / "folder.toml")


def test_a_file_of_another_kind_gives_a_message_of_readable_length(write):
    """Hundreds of unknown fields are counted, not listed."""
    message = refusal(write(GOOD + "\n".join(f"[x{number}]" for number in range(300))))
    assert "and 292 more" in message
    assert len(message) < 1500


def test_deeply_nested_values_are_refused(write):
    """Tables within tables beyond what JSON can hold are a fault of the file."""
    nested = ".".join(["a"] * 3000)
    assert "flags.deep" in refusal(write(GOOD.replace("[flags]", f"[flags]\ndeep.{nested} = 1")))
    assert "no such field" in refusal(write(GOOD.replace("[suite]", f"[suite]\ndeep.{nested} = 1")))


def test_at_least_two_builds_are_needed(write):
    """An original alone compares with nothing."""
    message = refusal(write(GOOD.replace("[[builds]]", "[[other]]", 2)))
    assert "builds: List should have at least 2 items" in message


def test_every_cut_of_a_file_is_read_or_refused(write):
    """Wherever a copy of the file broke off, it is a suite or a SuiteError."""
    for length in range(0, len(GOOD), 7):
        with contextlib.suppress(SuiteError):
            suite.load(write(GOOD[:length]))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode), at=st.integers(0, len(GOOD)))
def test_no_exception_but_ours_leaves_the_loader(write, content, at):
    """Any bytes anywhere in a suite file give a suite or a SuiteError of one line."""
    assert len(whatever_is_said(write(GOOD[:at].encode() + content + GOOD[at:].encode())).splitlines()) <= 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=VALUES, data=st.data())
def test_any_value_in_any_field_is_read_or_refused(write, monkeypatch, value, data):
    """A field of the wrong type or content gives a suite or a SuiteError of one line."""
    raw = tomllib.loads(GOOD)
    place = raw
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        name = data.draw(st.sampled_from(keys))
        if isinstance(place[name], dict | list) and place[name] and data.draw(st.booleans()):
            place = place[name]
            continue
        place[name] = value
        break
    file = write(GOOD)
    with monkeypatch.context() as patched:
        patched.setattr(suite.tomllib, "loads", lambda _: raw)
        assert len(whatever_is_said(file).splitlines()) <= 1


def test_engine_can_be_named_by_the_environment(write, monkeypatch, tmp_path):
    """TWX_ACCEPT_ENGINE_PYTHON wins over the file and counts from where the command was typed, links kept."""
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "link-to-python"
    link.symlink_to("/usr/bin/env")
    for given_, expected in (("link-to-python", link), ("/opt/x/python", Path("/opt/x/python"))):
        monkeypatch.setenv(suite.ENGINE_VARIABLE, given_)
        assert suite.load(write(GOOD)).engine.python == expected
    monkeypatch.setenv(suite.ENGINE_VARIABLE, "~nobody-of-this-name/python")
    with pytest.raises(SuiteError, match=r"TWX_ACCEPT_ENGINE_PYTHON: '~nobody"):
        suite.load(write(GOOD))
    monkeypatch.setenv(suite.ENGINE_VARIABLE, "")
    assert suite.load(write(GOOD)).engine.python == tmp_path / "engine" / "bin" / "python"


def test_home_is_expanded(write, monkeypatch):
    """A path may begin with the user's home."""
    monkeypatch.setenv("HOME", os.sep + "home-of-mine")
    found = suite.load(write(GOOD.replace('"/elsewhere/w8"', '"~/w8"')))
    assert found.build("w8").path == Path("/home-of-mine/w8")


def test_two_files_with_one_suite_name_are_refused(write):
    """Two files cannot hold one suite's name; both are named."""
    first = write(GOOD, "a.toml")
    second = write(GOOD, "b.toml")
    with pytest.raises(SuiteError) as caught:
        suite.find(first.parent)
    assert str(first) in str(caught.value)
    assert str(second) in str(caught.value)


def test_folder_without_suites_is_empty(tmp_path):
    """No folder, or one without suite files, holds no suites; choosing then says where they belong."""
    assert suite.find(tmp_path / "none") == {}
    with pytest.raises(SuiteError, match="no suite file found"):
        suite.choose({}, None, [])


@pytest.fixture
def suites(write):
    """Two suites that share a build's name."""
    write(GOOD, "a.toml")
    other = GOOD.replace('name = "small"', 'name = "large"').replace('name = "damaged"', 'name = "w2"')
    return suite.find(write(other, "b.toml").parent)


def names(chosen):
    """The names of what was chosen."""
    return chosen[0].name, [build.name for build in chosen[1]]


def test_builds_are_chosen_by_name(suites):
    """A build in one suite tells the suite; without names it is every build but the original, the control first."""
    assert names(suite.choose(suites, None, ["damaged"])) == ("small", ["damaged"])
    assert names(suite.choose(suites, "large", ["w2", "w8", "w2"])) == ("large", ["w2", "w8"])
    assert names(suite.choose(suites, "small", [])) == ("small", ["damaged", "w8"])
    assert names(suite.choose({"small": suites["small"]}, None, [])) == ("small", ["damaged", "w8"])


@pytest.mark.parametrize(
    ("name", "builds", "told"),
    [
        (None, ["w8"], "build 'w8' is in several suites (small, large); say which with --suite"),
        (None, ["original"], "build 'original' is in several suites"),
        (None, [], "several suites are here"),
        (None, ["w1"], "no build 'w1' in any suite; known suites and builds: small: w8, damaged; large: w8, w2"),
        (None, ["damaged", "w2"], "no build 'w2' in suite 'small'; it has: w8, damaged"),
        ("small", ["original"], "build 'original' is the original of suite 'small'"),
        ("huge", [], "no suite 'huge'; known suites and builds: small: w8, damaged; large: w8, w2"),
    ],
)
def test_wrong_choice_lists_what_there_is(suites, name, builds, told):
    """A name that is unknown, ambiguous or the original's is refused with what could have been meant."""
    with pytest.raises(SuiteError) as caught:
        suite.choose(suites, name, builds)
    assert told in str(caught.value)


FLAG = "max_model_len = 2048"


@pytest.mark.parametrize("flag", suite.NAMES_FILE)
@pytest.mark.parametrize("end", suite.FILES)
def test_flag_that_names_a_file_is_resolved_from_the_suites_folder(write, monkeypatch, tmp_path, flag, end):
    """A file that a flag names counts from the suite's folder, wherever the command was typed."""
    file = write(GOOD.replace(FLAG, f'{FLAG}\n{flag} = "../tools/mine{end}"'))
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / f"mine{end}").write_text("{{ messages }}")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert suite.load(file).flags[flag] == str(tmp_path / "tools" / f"mine{end}")


def test_flag_may_name_a_file_by_its_whole_path_or_from_home(write, monkeypatch, tmp_path):
    """An absolute path stays, and one may begin with the user's home."""
    template = tmp_path / "mine.jinja"
    template.write_text("{{ messages }}")
    monkeypatch.setenv("HOME", str(tmp_path))
    for given_ in (str(template), "~/mine.jinja"):
        found = suite.load(write(GOOD.replace(FLAG, f'chat_template = "{given_}"')))
        assert found.flags == {"chat_template": str(template), "hf_overrides": found.flags["hf_overrides"]}


@pytest.mark.parametrize("flag", suite.NAMES_FILE)
def test_flag_that_names_no_file_is_refused(write, tmp_path, flag):
    """A file that is not there, or is a folder, is told with the flag, the value and where it was looked for."""
    (tmp_path / "tools" / "folder.jinja").mkdir(parents=True)
    for name in ("none.jinja", "folder.jinja"):
        said = refusal(write(GOOD.replace(FLAG, f'{flag} = "../tools/{name}"')))
        assert said == f"flags.{flag} is '../tools/{name}': there is no {tmp_path / 'tools' / name}; mend the path"
    assert "names a home that is not known" in refusal(
        write(GOOD.replace(FLAG, f'{flag} = "~nobody-of-this-name/a.jinja"'))
    )


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("chat_template", "{% for message in messages %}{{ message.content }}{% endfor %}"),
        ("chat_template", "tool_use"),
        ("tool_call_parser", "hermes.py"),
        ("dtype", "../none.jinja"),
    ],
    ids=["inline template", "name of a template", "parser's name", "another flag"],
)
def test_flag_that_names_no_file_stays_as_it_is(write, flag, value):
    """A template that stands in the suite, a name, and any other flag are handed on untouched."""
    assert suite.load(write(GOOD.replace(FLAG, f"{flag} = '{value}'"))).flags[flag] == value


def test_template_on_several_lines_stays_as_it_is(write):
    """Only the end of a value tells a file's name; a template may hold one in its middle."""
    text = "{# like tools.jinja #}\n{{ messages }}\n"
    found = suite.load(write(GOOD.replace(FLAG, f"chat_template = '''{text}'''")))
    assert found.flags["chat_template"] == text


def test_file_of_one_build_is_resolved_too(write, tmp_path):
    """Where builds may differ in a template, a build's own counts from the suite's folder, and must be there."""
    head = GOOD.replace("version = 1", 'version = 1\nmay_differ = ["quantization", "chat_template"]')
    text = head.replace('{ quantization = "fp8" }', '{ chat_template = "w8.jinja" }')
    assert "flags.chat_template is 'w8.jinja': there is no " in refusal(write(text))
    (tmp_path / "suites" / "w8.jinja").write_text("{{ messages }}")
    found = suite.load(write(text))
    assert found.build("w8").flags == {"chat_template": str(tmp_path / "suites" / "w8.jinja")}
    assert "chat_template" not in found.flags
