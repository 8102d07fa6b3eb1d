"""The engine of a suite file: launchers and what each of them needs."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from twx_accept import suite
from twx_accept.domain.suite import Address, Suite
from twx_accept.errors import SuiteError

DIGEST = f"sha256:{'a' * 64}"
HEAD = """
[suite]
name = "small"
title = "A small suite"
version = 1
original = "original"
"""
BUILDS = """
[[builds]]
name = "original"
path = "../models/original"

[[builds]]
name = "w8"
path = "../models/w8"

[claims.weight_size]
"""
CONTAINER = f"""
[engine]
launcher = "container"

[engine.container]
image = "vllm/vllm-openai@{DIGEST}"
"""
ATTACH = """
[engine]
launcher = "attach"

[engine.attach.builds]
original = { url = "https://models.example.org/v1/" }
w8 = { url = "https://models.example.org", model = "release-8", root = "/models/w8" }
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Suite]:
    """Loads a suite with that engine."""
    monkeypatch.delenv(suite.ENGINE_VARIABLE, raising=False)

    def load(engine: str, builds: str = BUILDS) -> Suite:
        file = tmp_path / "suites" / "small.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(HEAD + engine + builds)
        return suite.load(file)

    return load


def refusal(load: Any, engine: str, builds: str = BUILDS) -> str:
    """What is said about a suite that is not accepted: one line."""
    with pytest.raises(SuiteError) as caught:
        load(engine, builds)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def test_a_suite_without_a_launcher_serves_from_an_environment(load: Any) -> None:
    """What a suite says nothing of stays as it was: a process, its python from the suite's folder."""
    found = load('[engine]\npython = "../engine/python"\n').engine
    assert (found.launcher, found.container, found.attach) == ("process", None, None)
    assert found.python.name == "python"


def test_a_container_has_its_settings_and_their_defaults(
    load: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The image by digest is all that must be said; the rest has defaults, and a folder counts from the suite's."""
    monkeypatch.setenv(suite.ENGINE_VARIABLE, "/opt/python")  # is for processes
    found = load(CONTAINER).engine
    assert (found.launcher, found.python) == ("container", Path("python3"))
    assert found.container.image == f"vllm/vllm-openai@{DIGEST}"
    assert (found.container.program, found.container.shared_memory_gib, found.container.options) == ("docker", 16.0, ())
    more = (
        'program = "podman"\ncache_folder = "../cache"\nshared_memory_gib = 32.0\noptions = ["--ulimit=memlock=-1"]\n'
    )
    found = load(CONTAINER + more).engine.container
    assert (found.program, found.shared_memory_gib, found.options) == ("podman", 32.0, ("--ulimit=memlock=-1",))
    assert found.cache == tmp_path / "cache"


@pytest.mark.parametrize(
    "image", [DIGEST, f"localhost/x@{DIGEST}", f"registry.example.org:5000/a/b:v1@{DIGEST}"], ids=["id", "local", "tag"]
)
def test_an_image_is_named_by_its_digest(load: Any, image: str) -> None:
    """A digest of the registry, with or without a tag that nobody reads, or the image's own id."""
    assert load(CONTAINER.replace(f"vllm/vllm-openai@{DIGEST}", image)).engine.container.image == image


@pytest.mark.parametrize(
    "image",
    [
        "vllm/vllm-openai:latest",
        "vllm/vllm-openai",
        "x@sha256:abc",
        f"x@{DIGEST.upper()}",
        f"-x@{DIGEST}",
        f"a b@{DIGEST}",
    ],
)
def test_an_image_by_anything_else_is_refused(load: Any, image: str) -> None:
    """A tag can be moved: the error says how to find the digest."""
    told = refusal(load, CONTAINER.replace(f"vllm/vllm-openai@{DIGEST}", image))
    assert "engine.container.image: a tag can be moved" in told
    assert "docker image inspect --format '{{json .RepoDigests}}'" in told


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--network=host", "--network is the launcher's own"),
        ("--privileged", "--privileged is the launcher's own"),
        ("--name=x", "--name is the launcher's own"),
        ("--env=HF_TOKEN=abc", "--env is the launcher's own"),
        ("--device /dev/x", "one option with its value behind an equals sign"),
        ("-v=/a:/a", "one option with its value behind an equals sign"),
        ("sh", "one option with its value behind an equals sign"),
    ],
)
def test_options_cannot_take_from_the_launcher_what_it_vouches_for(load: Any, option: str, told: str) -> None:
    """Options of docker are let through one by one, but for those that the launcher gives itself."""
    assert told in refusal(load, CONTAINER + f'options = ["{option}"]\n')


def test_an_attached_server_needs_no_path(load: Any, tmp_path: Path) -> None:
    """Addresses lose their /v1, models are called as their builds unless the suite says otherwise."""
    builds = BUILDS.replace('path = "../models/original"\n', "")
    found = load(ATTACH, builds)
    assert found.engine.attach.addresses == {
        "original": Address(url="https://models.example.org", model="original"),
        "w8": Address(url="https://models.example.org", model="release-8", root="/models/w8"),
    }
    assert not found.engine.attach.here
    here = load(
        ATTACH.replace("[engine.attach.builds]", "[engine.attach]\nhere = true\n[engine.attach.builds]"), builds
    )
    assert here.engine.attach.here
    assert found.original.path == Path(os.devnull)
    assert found.builds[0].path == tmp_path / "models" / "w8"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("https://models.example.org/v1/", "models.example.org", "should be an address such as"),
        ("https://models.example.org/v1/", "ftp://models.example.org", "should be an address such as"),
        ("https://models.example.org/v1/", "https://", "should be an address such as"),
        ("https://models.example.org/v1/", "https://h:x", "url"),
        ("https://models.example.org/v1/", "https://[::1", "url"),
        ("https://models.example.org/v1/", "https://me:secret@h", "a key belongs into TWX_ACCEPT_ATTACH_KEY"),
        ("https://models.example.org/v1/", "https://h?key=a", "no name, password, query or fragment"),
        ('model = "release-8"', 'model = "original"', "original and w8 are both 'original' at"),
        ("w8 = {", "w9 = {", "engine.attach.builds.w9: no build of this suite; it has: original, w8"),
        ("original = {", "# original = {", "engine.attach.builds.original: is missing; add its url"),
        ("[engine.attach.builds]", '[engine.attach]\ncertificates = "no.pem"\n[engine.attach.builds]', "there is no"),
    ],
)
def test_addresses_that_cannot_be_are_told(load: Any, old: str, new: str, told: str) -> None:
    """Each build has one address of its own, and no secret stands in a file."""
    assert old in ATTACH
    said = refusal(load, ATTACH.replace(old, new))
    assert told in said


def test_a_secret_is_not_repeated(load: Any) -> None:
    """What is refused for holding a secret does not print it, in an address or in an option."""
    told = refusal(load, ATTACH.replace("https://models.example.org/v1/", "https://me:hidden@h"))
    assert "(it is 'https://(removed)@h')" in told
    assert "hidden" not in refusal(load, CONTAINER + 'options = ["--env=HF_TOKEN=hidden"]\n')


@pytest.mark.parametrize(
    ("engine", "told"),
    [
        ('[engine]\nlauncher = "container"\n', "add the table [engine.container]"),
        ('[engine]\nlauncher = "attach"\n', "add the table [engine.attach]"),
        (
            CONTAINER.replace('launcher = "container"', 'python = "x"'),
            'set launcher = "container", or remove the table',
        ),
        (
            CONTAINER.replace("[engine.container]", 'python = "x"\n[engine.container]'),
            "engine.python is for the launcher",
        ),
        ("[engine]\n", "engine.python: is missing; add it"),
        ('[engine]\nlauncher = "slurm"\n', "engine.launcher"),
    ],
)
def test_settings_of_another_launcher_are_told(load: Any, engine: str, told: str) -> None:
    """A launcher has its own table and no other's."""
    assert told in refusal(load, engine)


def test_a_path_stays_needed_where_something_is_served(load: Any) -> None:
    """Only an attached server's weights may lie elsewhere."""
    builds = BUILDS.replace('path = "../models/original"\n', "")
    assert "builds.0.path: is missing; add it" in refusal(load, CONTAINER, builds)


def test_flags_of_nodes_are_checked_where_they_are_written(load: Any) -> None:
    """Several nodes without an address, and more workers than the suite's cards, are the suite's errors."""
    nodes = "\n[flags]\nnnodes = 2\ntensor_parallel_size = 16\n"
    assert "flags of original: nnodes = 2 needs master_addr" in refusal(load, CONTAINER + nodes)
    few = '\n[engine.environment]\nCUDA_VISIBLE_DEVICES = "0,1"\n[flags]\ntensor_parallel_size = 4\n'
    assert "needs 4 cards on this node, which gives the engine 2" in refusal(load, CONTAINER + few)
    assert load(ATTACH + nodes).flags["nnodes"] == 2  # somebody else's


def test_cards_are_named_by_index_or_uuid(load: Any) -> None:
    """Whole UUIDs and their beginnings, parts of cards too; none named leaves it to the environment."""
    assert load(CONTAINER).engine.cards == ()
    named = 'cards = [0, 3, "GPU-4b1c-22", "MIG-77aa"]'
    assert load(CONTAINER.replace("[engine]", f"[engine]\n{named}")).engine.cards == (
        "0",
        "3",
        "GPU-4b1c-22",
        "MIG-77aa",
    )
    few = CONTAINER.replace("[engine]", "[engine]\ncards = [0, 1]") + "\n[flags]\ntensor_parallel_size = 4\n"
    assert "needs 4 cards on this node, which gives the engine 2" in refusal(load, few)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cards = []", "engine.cards: "),
        ("cards = [-1]", "engine.cards.0."),
        ("cards = [true]", "engine.cards.0."),
        ("cards = [1.0]", "engine.cards.0."),
        ('cards = ["0"]', "engine.cards.0."),
        ('cards = ["gpu-1"]', "engine.cards.0."),
        ('cards = ["GPU-"]', "engine.cards.0."),
        ('cards = ["GPU-1,GPU-2"]', "engine.cards.0."),
        ('cards = ["GPU-1\\n"]', "engine.cards.0."),
        ('cards = "all"', "engine.cards: "),
        ("cards = [1, 0, 1]", "engine.cards names 1 twice; name each card once"),
        ('device = "cpu"\ncards = [0]', "engine.cards is 0, and device is 'cpu'; remove it"),
        ('cards = [0]\nenvironment = { CUDA_VISIBLE_DEVICES = "0" }', "both name cards; remove the latter"),
    ],
)
def test_cards_that_cannot_be_meant_are_refused(load: Any, line: str, told: str) -> None:
    """What no card is called, a card twice, cards of a CPU, and two places that name them."""
    assert told in refusal(load, CONTAINER.replace("[engine]", f"[engine]\n{line}"))


def test_an_attached_server_has_cards_of_its_own(load: Any) -> None:
    """Which those are is not this suite's to say."""
    told = refusal(load, ATTACH.replace('launcher = "attach"', 'launcher = "attach"\ncards = [0]'))
    assert "engine.cards is 0, and the server is somebody else's; remove it" in told
