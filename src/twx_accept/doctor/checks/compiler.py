"""Compilers that an engine calls while it starts or answers."""

import os
import shutil
from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.serving.arguments import environment


def check(node: Node, says: Says) -> Iterator[Finding]:
    """Looked for where the engine will look: on the path that its process gets."""
    engine = node.suite.engine
    if engine.launcher != "process":
        what = "the image's own" if engine.launcher == "container" else "somebody else's"
        yield says.unchecked(f"{what}")
        return
    variables = environment(engine)
    yield from _cxx(variables, says) if engine.device == "cpu" else _cuda(variables, says)


def _cxx(variables: dict[str, str], says: Says) -> Iterator[Finding]:
    name = variables.get("CXX", "g++")
    if found := shutil.which(name, path=variables["PATH"]):
        yield says.ok(found)
    else:
        yield says.fault(
            f"no {name} on the engine's PATH: the first request for log-probabilities would fail",
            "install it (Debian: `apt-get install g++`), or set CXX",
        )


def _cuda(variables: dict[str, str], says: Says) -> Iterator[Finding]:
    name = variables.get("CC", "gcc")
    c = shutil.which(name, path=variables["PATH"])
    if c is None:
        yield says.warning(
            f"no {name} on the engine's PATH: Triton compiles its launchers with it", "install it, or set CC"
        )
    home = variables.get("CUDA_HOME", "/usr/local/cuda")
    places = os.pathsep.join([variables["PATH"], os.path.join(home, "bin")])  # noqa: PTH118 - a text for PATH
    there = {tool: shutil.which(tool, path=places) for tool in ("nvcc", "ninja")}
    absent = [tool for tool, found in there.items() if found is None]
    if absent:
        yield says.warning(
            f"no {' and no '.join(absent)}: kernels that are compiled on demand (FlashInfer) would fail",
            "install the CUDA toolkit and ninja, or choose kernels that come compiled",
        )
    elif c is not None:
        yield says.ok(f"{c}, {there['nvcc']}, {there['ninja']}")
