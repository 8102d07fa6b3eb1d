"""The folder that prompts are made of, and what is told of a folder that is wrong."""

import shutil
from pathlib import Path

import jsonschema
import pytest

from twx_accept import trials
from twx_accept.errors import DatasetError

TOOLS = Path(__file__).resolve().parents[3] / "fixtures" / "tools"


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped material, to be spoilt."""
    shutil.copytree(TOOLS, tmp_path / "tools", ignore=shutil.ignore_patterns("*.jsonl"))
    return tmp_path / "tools"


def change(file, old, new):
    """Replaces a text of a file, which must be there."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def refusal(folder):
    """What is said of the folder, in one line."""
    with pytest.raises(DatasetError) as caught:
        trials.make(1, 130, trials.load(folder))
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def objects(schema):
    """All schemas of objects within a schema."""
    if schema.get("type") == "object":
        yield schema
    for part in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from objects(part)


def test_the_catalogue_is_large_and_strict() -> None:
    """At least sixty tools in twelve domains; every schema is valid, describes all it takes and takes nothing more."""
    tools = trials.load(TOOLS).tools
    assert len(tools) >= 60
    assert len({tool.domain for tool in tools.values()}) == 12
    for tool in tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.parameters)
        assert len(tool.description) >= 20
        for schema in objects(tool.parameters):
            assert schema["additionalProperties"] is False
            assert set(schema["required"]) <= set(schema["properties"])
            assert all("description" in part for part in schema["properties"].values())


def test_every_wording_is_long_enough_as_it_stands() -> None:
    """No wording of a whole prompt falls under eight words, whatever values fill it and however it is framed."""
    for domain in trials.load(TOOLS).domains.values():
        whole = [*domain.needless]
        for ask in domain.ask:
            whole += [*ask.say, *ask.nested, *ask.find]
        assert [text for text in whole if len(text.split()) < 8] == []


def test_a_tool_of_ones_own_is_offered(folder) -> None:
    """A tool that a user adds to the catalogue is offered among others, though nothing asks for it yet."""
    with (folder / "catalogue.toml").open("a", encoding="utf-8") as file:
        file.write('\n[water_plants]\ndomain = "smart_home"\ndescription = "Water all plants."\n')
        file.write('parameters = { type = "object", additionalProperties = false, properties = {} }\n')
    offered = {tool["function"]["name"] for trial in trials.make(1, 30, trials.load(folder)) for tool in trial.tools}
    assert "water_plants" in offered


def test_no_such_folder(tmp_path) -> None:
    """A folder without wordings is refused with what to name instead."""
    assert "no such folder, or no DOMAIN.toml in it; name the folder" in refusal(tmp_path / "absent")


@pytest.mark.parametrize("name", ["catalogue.toml", "frames.toml", "values.toml"])
def test_a_missing_file(folder, name) -> None:
    """Each missing file is named."""
    (folder / name).unlink()
    assert f"{name}: cannot be read" in refusal(folder)


def test_a_file_that_is_no_toml(folder) -> None:
    """Broken TOML is told with its file and place."""
    (folder / "asks" / "shop.toml").write_text("needless = [", encoding="utf-8")
    assert "shop.toml: is no valid TOML" in refusal(folder)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("catalogue.toml", 'type = "object"', 'type = "thing"', "get_forecast are no JSON Schema"),
        ("catalogue.toml", 'domain = "weather"', "domain = 7", "tools.get_forecast.domain is 7"),
        (
            "asks/weather.toml",
            'tool = "get_forecast"',
            'tool = "guess"',
            "asks for 'guess', which the catalogue has not",
        ),
        ("asks/weather.toml", " on {date} in degrees {unit}", " in degrees {unit}", "does not say date; say it"),
        ("values.toml", "2027-01-05", "2029-01-05", "first 2029-01-05 should be before last 2028-11-28"),
        ("asks/weather.toml", "high = 88", "high = 8", "low 11 should be below high 8"),
        ("frames.toml", "needless = [", "needless = []\nother = [", "frames.needless is []"),
        ("asks/weather.toml", "[[ask]]", "[[ask]]\ncolour = 1", "domains.weather.ask.0.colour is 1"),
        ("asks/weather.toml", "station = {", "stations = {", "there are no values 'station'; add them to [values]"),
        ("asks/weather.toml", 'holds = "{station}"', 'holds = ""', "holds is ''; name one slot of its result"),
        (
            "asks/weather.toml",
            "{city1} on {date1} and the one for {city2} on {date2}",
            "{city} on {date}",
            "wants one call twice",
        ),
        ("asks/weather.toml", 'value = "celsius"', 'value = "kelvin"', "is not valid under the tool's schema"),
        (
            "asks/calendar.toml",
            '["work", "private", "family"]',
            '["work", "work"]',
            "too few to differ within one prompt",
        ),
    ],
)
def test_material_that_contradicts_itself(folder, file, old, new, told) -> None:
    """Each contradiction is told in one line that names what is wrong."""
    change(folder / file, old, new)
    assert told in refusal(folder)
