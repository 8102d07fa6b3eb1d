"""What a build is and what will serve it, before anything is booted: its identity and the inventory of its files."""

from collections.abc import Callable, Mapping
from typing import Any

from twx_accept.domain.evidence import NOT_SHOWN, Inventory
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import AnswersSpoilt, EvidenceError
from twx_accept.evidence.files import take_inventory
from twx_accept.evidence.hashing import Progress
from twx_accept.evidence.identity import engine_versions, identity
from twx_accept.serving import Launcher, expect_known, flags_of
from twx_accept.serving.launcher import Seen
from twx_accept.session.slots import like


def identify(
    suite: Suite, build: Build, launcher: Launcher, *, hashing: Progress, say: Callable[[str], None]
) -> tuple[Mapping[str, Any], Inventory]:
    """The identity and the inventory of a build.

    The engine is looked at first, and its flags are held against its own help: hashing a terabyte comes after what can
    be wrong in a second.

    Args:
        suite: how it is served.
        build: the build.
        launcher: what will serve it.
        hashing: told how the hashing gets on.
        say: told what could not be checked.

    Raises:
        UsageError: the suite asks for something that is not there, or for a flag that the engine does not know.
        ServingError: what would tell does not answer.
        EvidenceError: the build's files cannot be read.
    """
    flags = flags_of(suite, build)  # first: what is refused there must not come into an identity
    seen = launcher.look(like(suite, build), build)
    with seen.asked() as python:
        versions = engine_versions(python) if python else {}
        if python and (why := expect_known(flags, python, versions)):
            say(f"the names of the flags are not checked: {why}")
    inventory = take_inventory(build.path, hashing) if not seen.weights else _nowhere(build, seen)
    found = identity(suite, build, inventory, seen.cards, {**versions, **seen.engine})
    if not seen.python:
        found["machine"] = NOT_SHOWN  # this one only asks
    if seen.deployment:
        found["deployment"] = dict(seen.deployment)
    if seen.weights:
        found |= {"weights": {NOT_SHOWN: seen.weights}, "tokenizer": NOT_SHOWN, "configuration": NOT_SHOWN}
    return found, inventory


def require_unchanged(build: Build, inventory: Inventory, hashing: Progress) -> None:
    """Look at a build's files once more where they lie here: what was hashed must be what was served.

    Files that nobody touched are known by their time and place, so that this hashes nothing. What was exchanged and put
    back before the server's end is not found.

    Raises:
        AnswersSpoilt: a file is another one, is new, or is gone.
    """
    if not inventory.digests:
        return
    try:
        now = take_inventory(build.path, hashing).digests
    except EvidenceError as error:
        raise AnswersSpoilt(f"{build.name}: its files are gone since they were hashed ({error}); {_AGAIN}") from error
    was = inventory.digests
    if changed := sorted(name for name in {*was, *now} if was.get(name) != now.get(name)):
        raise AnswersSpoilt(
            f"{build.name}: {', '.join(changed[:5])} changed after it was hashed, so that nobody knows which weights "
            f"answered; {_AGAIN}"
        )


_AGAIN = "what was answered is set aside: leave the build's folder alone, and run again"


def _nowhere(build: Build, seen: Seen) -> Inventory:
    """The inventory of weights that lie with somebody else's server, which has to hold no figure."""
    problem = (
        f"{build.name} was attached, and its server does not show its weight files ({seen.weights}): nothing can be "
        'said of their size. Serve it with launcher = "process" or "container"; or, if it runs on this machine and '
        "has loaded the build's path, give its url as http://localhost:PORT and add here = true to [engine.attach]"
    )
    return Inventory(weights={}, digests={}, tensors={}, problems=(problem,))
