"""What one process of pytest-xdist holds at the published size: evidence, and what claims remember of it.

usage: python benchmarks/worker_memory.py [--builds 3] [--folder DIR]

With ``-n`` each process reads the evidence of the builds whose tests it gets, and remembers what it worked out of it
for the next one (claims/_memo.py). Here one process reads all builds and decides every claim about each and about each
pair, which is the most that one can be given. Prints its memory (resident, free heap given back) after each step, then
what each memory of the claims gives back when it is emptied while the evidence is still held. Needs no engine; the
evidence is that of full_size.py (--folder keeps it, and uses what is there). Writes
reports/benchmarks/worker_memory.json.
"""

import argparse
import contextlib
import ctypes
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path
from typing import Any

from workbench import peak_mib, run_script, save, say, table


def held() -> float:
    """MiB that this process holds, with what is free given back first."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def memories() -> dict[str, Any]:
    """The memories of the claims' modules, by their names."""
    from twx_accept.claims._memo import Memo

    return {
        f"{name.removeprefix('twx_accept.claims.')}.{attribute}": value
        for name, module in list(sys.modules.items())
        if name.startswith("twx_accept.claims")
        for attribute, value in vars(module).items()
        if isinstance(value, Memo)
    }


def measure(folder: Path) -> dict[str, Any]:
    """The steps, in this process."""
    from twx_accept import claims
    from twx_accept.cli.common import suite_of
    from twx_accept.domain.scope import Scope
    from twx_accept.errors import InvalidClaim, TwxAcceptError
    from twx_accept.evidence import reading
    from twx_accept.sources import FileOrHub

    suite = suite_of(folder, str(folder / "full-size.toml"))
    made = claims.of_suite(suite, FileOrHub(folder=folder), Scope())
    steps = {"suite and claims": held()}
    names = [suite.original.name, *(build.name for build in suite.builds)]
    files = {reading.origin(file).build: file for file in sorted((folder / "evidence").glob("*.sqlite"))}
    original, *builds = [reading.read(files[name]) for name in names]
    steps["evidence read"] = held()
    for build in builds:
        for claim in made:
            with contextlib.suppress(InvalidClaim):  # made-up answers need not be good ones
                claim.decide(original, build)
    steps["decided"] = held()
    for one, other in combinations(builds, 2):
        for claim in made:
            with contextlib.suppress(TwxAcceptError):  # a claim that compares no builds
                list(claim.between(original, one, other))
    steps["pairs compared"] = held()
    given, last = {}, steps["pairs compared"]
    for name, memory in memories().items():
        memory._kept.clear()
        given[name], last = last - (now := held()), now
    steps["claims' memories emptied"] = last
    peak = peak_mib()
    return {"steps": steps, "given back": given, "peak": peak, "builds": len(builds)}


def main() -> None:
    """Make, measure in a process of its own, print, write."""
    parser = argparse.ArgumentParser(description="Memory of a process that judges.")
    parser.add_argument("--builds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keep the evidence here, and use what is there")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        print(json.dumps(measure(options.once)))
        return
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
        folder = (options.folder or Path(name) / "run").resolve()
        if not (folder / "full-size.toml").exists():
            from full_size import Size, make

            folder.mkdir(parents=True, exist_ok=True)
            make(folder, Size(builds=options.builds))
        command = [sys.executable, __file__, "--once", str(folder)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    say(f"an original and {found['builds']} builds, MiB of one process, load {os.getloadavg()[0]:.1f}:")
    table([{"step": step, "held": f"{mib:,.0f}"} for step, mib in found["steps"].items()])
    say(f"at its peak {found['peak']:,.0f}\n")
    table([{"memory of": name, "gave back": f"{mib:,.1f}"} for name, mib in found["given back"].items()])
    save("worker_memory", found)


if __name__ == "__main__":
    run_script(main)
