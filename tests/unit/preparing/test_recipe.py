"""Recipes: what is accepted, and what is said about the rest."""

from pathlib import Path

import pytest

from twx_accept.errors import SuiteError, UsageError
from twx_accept.preparing import load_recipe, prepare_suite_models

REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize(("name", "eight_bits"), [("smollm2", "smol-w8"), ("smollm2-cuda", "smol-fp8")])
def test_shipped_recipe_is_read(name, eight_bits):
    """Each recipe that ships names an original, two real builds and the damaged one, each with six digests."""
    recipe = load_recipe(REPOSITORY / "fixtures" / "models" / f"{name}.toml")
    assert [build.name for build in recipe.builds] == ["original", eight_bits, "smol-w4", "smol-damaged"]
    assert all(len(build.files) == 6 for build in recipe.builds)
    assert recipe.licence == "Apache-2.0"


def test_recipes_agree_on_what_they_share():
    """A build that two recipes make has the same digests in both: it is the same build."""
    recipes = [load_recipe(REPOSITORY / "fixtures" / "models" / f"{name}.toml") for name in ("smollm2", "smollm2-cuda")]
    first, second = ({build.name: build for build in recipe.builds} for recipe in recipes)
    shared = first.keys() & second.keys()
    assert shared == {"original", "smol-w4", "smol-damaged"}
    assert all(first[name] == second[name] for name in shared)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('name = "w8"', 'name = "original"', "used twice"),
        ('name = "w8"', 'name = "../w8"', "lower-case letters"),
        ('name = "w8"', 'name = ".."', "lower-case letters"),
        ('kind = "w8a8"', 'kind = "dequantize"', "put the one build"),
        ('kind = "w8a8"', 'kind = "w3a3"', "builds.1.method"),
        ('kind = "w8a8"', 'kind = "w4a16", group_size = 0, symmetric = true', "group_size"),
        ('kind = "w8a8"', 'kind = "w4a16", group_size = 8, symmetric = true, levels = 5', "levels"),
        ('gguf = "pack/model.gguf"', 'gguf = "../model.gguf"', "source.gguf"),
        ('gguf = "pack/model.gguf"', 'gguf = "/etc/passwd"', "source.gguf"),
        ('gguf = "pack/model.gguf"', 'gguf = "pack\\\\..\\\\model.gguf"', "source.gguf"),
        ('wheel = "tiny', 'wheel = "../tiny', "source.wheel"),
        ('"config.json" =', '"../config.json" =', "without a folder"),
        ('package = "tiny"', 'package = "--index=evil"', "source.package"),
        ('version = "1.0"', 'version = "1.0 --pre"', "source.version"),
        ("gguf_bytes = ", "gguf_bytes = -", "gguf_bytes"),
        ("schema = 1", "schema = 2", "schema"),
        ("schema = 1", "schema = 1\nspeed = 3", "speed"),
        ("schema = 1", "schema = ", "no valid TOML"),
    ],
)
def test_wrong_recipe_names_the_place(bench, old, new, told):
    """A recipe that says something impossible is refused with the place and the reason."""
    bench.edit_recipe(old, new)
    with pytest.raises(SuiteError) as caught:
        load_recipe(bench.recipe)
    assert told in str(caught.value)
    assert str(bench.recipe) in str(caught.value)


@pytest.mark.parametrize("cut", [0, 40, 300])
def test_truncated_recipe(bench, cut):
    """A recipe that was cut off anywhere is refused, the empty one too."""
    bench.recipe.write_text(bench.recipe.read_text("utf-8")[:cut], "utf-8")
    with pytest.raises(SuiteError):
        load_recipe(bench.recipe)


def test_binary_recipe(bench):
    """A file that is no text is refused as a recipe, not with Python's own error."""
    bench.recipe.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SuiteError, match="cannot be read"):
        load_recipe(bench.recipe)


@pytest.mark.parametrize("name", ["smol", "../fixtures/models/tiny", "", ".", "TINY", "tiny\n"])
def test_unknown_name_lists_the_known(bench, name):
    """An unknown name, or one that leads elsewhere, is answered with the names that there are."""
    with pytest.raises(UsageError, match="are tiny"):
        prepare_suite_models(
            name, fixtures=bench.fixtures, models=bench.models, engine_python=bench.engine, force=False,
            wheel=None, say=bench.said.append,
        )  # fmt: skip
    assert not bench.models.exists()
