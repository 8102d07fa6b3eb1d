"""The tokenizer and chat template: there, and the same for every build."""

from collections.abc import Iterator

from twx_accept.doctor.finding import Finding, Says
from twx_accept.doctor.node import Node
from twx_accept.evidence.files import TOKENIZER, matching
from twx_accept.evidence.hashing import digests


def check(node: Node, says: Says) -> Iterator[Finding]:
    """By content: ids are sent from one build to the other, and a template is part of every question."""
    if not node.here:
        yield says.unchecked("they lie with somebody else's servers")
        return
    found = {
        build.name: digests(matching(build.path, TOKENIZER), lambda *_: None)
        for build in node.builds
        if build.path.is_dir()
    }
    for name in [name for name, files in found.items() if not files]:
        yield says.fault(f"{name}: no tokenizer file at all", "put the original's tokenizer beside its weights")
        del found[name]
    original = found.get(node.suite.original.name)
    if original is None:
        return
    differing = False
    for name, files in found.items():
        names = sorted(file for file in {*original, *files} if original.get(file) != files.get(file))
        if names:
            differing = True
            yield says.fault(
                f"{name}: {', '.join(names)} {'is' if len(names) == 1 else 'are'} not the original's",
                "put the original's there: every claim would be invalid, since the builds would read other tokens",
            )
    if not differing:
        yield says.ok(f"the same for {len(found)} builds: {', '.join(sorted(original))}")
