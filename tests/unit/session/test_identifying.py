"""What a build is and what will serve it, looked at before anything is booted."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.errors import EvidenceError, SuiteError
from twx_accept.serving.launcher import Seen
from twx_accept.session.identifying import identify

HELP = "options:\n  --model MODEL\n  --served-model-name NAME\n  --max-model-len LEN\n  --seed SEED\n"
PYTHON = """#!/bin/sh
case "$*" in
  *--help=all*) cat {folder}/help ;;
  *) echo '{{"python": "3.12.0", "vllm": "0.32.0"}}' ;;
esac
"""


class Looks:
    """A launcher that is only looked through."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen

    def look(self, _suite: Suite, _build: Build) -> Seen:
        """What is given."""
        return self.seen

    boot: Any = None


class Bench:
    """A suite with a build, and an engine that tells its versions and its help."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.said, self.hashed = folder, [], []
        self.python = folder / "python"
        self.python.write_text(PYTHON.format(folder=folder))
        self.python.chmod(0o755)
        (folder / "help").write_text(HELP)
        (folder / "model").mkdir()
        (folder / "model" / "config.json").write_text("{}")
        build = Build(name="m", title="m", path=folder / "model", flags={}, digests={})
        self.suite = Suite(
            name="s",
            title="S",
            version=1,
            demonstration=True,
            file=folder / "s.toml",
            folder=folder,
            original=build,
            builds=(),
            engine=Engine(
                python=self.python, device="cpu", environment={}, ready_seconds=1, stop_seconds=1, memory_seconds=1
            ),
            asking=Asking(concurrency=1, prompts_per_request=1, timeout_seconds=1, attempts=1),
            flags={"seed": 0},
            may_differ=(),
            claims={},
        )

    def identify(self, **seen: Any) -> Any:
        """The identity and the inventory."""
        launcher = Looks(Seen(**({"python": (str(self.python),)} | seen)))
        show = lambda *now: self.hashed.append(now)  # noqa: E731 - one line of a bench
        return identify(self.suite, self.suite.original, launcher, hashing=show, say=self.said.append)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench whose helps are kept in a folder of the test's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Bench(tmp_path)


def test_an_engine_is_its_versions_and_what_else_is_seen_of_it(bench: Bench) -> None:
    """Its python's versions, an image's digest and the cards are in the identity; what is checked is not talked of."""
    found, inventory = bench.identify(engine={"image": "sha256:abc"}, cards={"driver": "580"})
    assert found["engine"] == {"python": "3.12.0", "vllm": "0.32.0", "image": "sha256:abc", "environment": {}}
    assert found["machine"]["driver"] == "580"
    assert set(inventory.digests) == {"config.json"}
    assert bench.said == []


def test_a_flag_is_refused_before_anything_is_hashed(bench: Bench) -> None:
    """Hashing a terabyte comes after what can be wrong in a second."""
    bench.suite = replace(bench.suite, flags={"sed": 0})
    with pytest.raises(SuiteError, match="does not know --sed"):
        bench.identify()
    assert bench.hashed == []


def test_names_that_cannot_be_checked_are_said_to_be_so(bench: Bench) -> None:
    """A help that cannot be read refuses nothing, and is no silence either."""
    (bench.folder / "help").write_text("Traceback")
    bench.suite = replace(bench.suite, flags={"sed": 0})
    found, _ = bench.identify()
    assert found["flags"] == {"sed": 0}
    assert bench.said == [
        "the names of the flags are not checked: the engine's help could not be read (0 flags in it, exit 0)"
    ]


def test_weights_that_are_elsewhere_have_no_digest_and_no_size(bench: Bench) -> None:
    """Two servers that say they have loaded different things are different builds; this machine is not theirs."""
    one, inventory = bench.identify(python=(), weights="served as m: /a", engine={"version": "0.32.0"})
    other, _ = bench.identify(python=(), weights="served as m: /b", engine={"version": "0.32.0"})
    assert (one["weights"], one["machine"]) == ({"not shown": "served as m: /a"}, "not shown")
    assert one["tokenizer"] == one["configuration"] == "not shown"
    assert one["weights"] != other["weights"]
    assert (inventory.total_bytes, inventory.digests) == (0, {})
    assert "does not show its weight files (served as m: /a)" in inventory.problems[0]
    assert "and add here = true to [engine.attach]" in inventory.problems[0]
    assert bench.hashed == []


def test_a_folder_that_is_not_there_is_told_after_the_engine(bench: Bench) -> None:
    """The build's own error comes last."""
    bench.suite = replace(bench.suite, original=replace(bench.suite.original, path=Path("/nowhere")))
    with pytest.raises(EvidenceError, match="/nowhere: no such model folder"):
        bench.identify()


@pytest.mark.parametrize("name", ["hf_token", "api_key"])
def test_a_secret_comes_into_no_identity(bench: Bench, name: str) -> None:
    """Also of a server that somebody else has started, whose flags are looked at only when it is attached."""
    bench.suite = replace(bench.suite, flags={name: "hidden-words"})
    with pytest.raises(SuiteError, match=f"{name} is "):
        bench.identify(python=(), weights="served as m", engine={"launcher": "attach"})
