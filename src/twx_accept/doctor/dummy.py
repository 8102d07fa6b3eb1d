"""A boot with random weights: flags, parsers, the fields of answers and the capacity, without reading a weight.

It goes through the suite's own launcher, readiness and proof of settings, and then asks a few requests of each claim,
exactly as the run will, cut off after a few tokens. What the model writes means nothing; that it comes back in the form
that is read, does. Weights that cannot be loaded, and values that they would give, are not tested by this.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from twx_accept.asking import ask
from twx_accept.claims import Claim
from twx_accept.doctor.finding import Finding, Says, in_two
from twx_accept.doctor.node import Node, made
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.scope import Scope
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import InvalidClaim, ServerDied, ServingError, TwxAcceptError
from twx_accept.serving import Launcher, check
from twx_accept.session.booting import Booter
from twx_accept.session.slots import taken

FORMAT = "load_format"
FEW = 16
"""Tokens that an answer may have."""
FEW_ITEMS = 2
"""Questions of each subject, passages of each kind, trials of each case; no claim makes do with one."""
FEW_REQUESTS = 24
"""Of each round of one claim, in its order."""
ROUNDS = 3


def dummy(suite: Suite) -> Suite:
    """The suite with random weights in every build."""

    def build(each: Build) -> Build:
        return replace(each, flags={name: value for name, value in each.flags.items() if name != FORMAT})

    return replace(
        suite,
        flags={**suite.flags, FORMAT: "dummy"},
        original=build(suite.original),
        builds=tuple(map(build, suite.builds)),
    )


def boot(
    node: Node, build: Build, launcher: Launcher, logs: Path, progress: Callable[[str, float], None]
) -> Iterator[Finding]:
    """Boot one build with random weights and say what came of it."""
    says = Says("dummy boot")
    if node.suite.engine.launcher == "attach":
        yield says.unchecked("the servers are somebody else's, with their own weights")
        return
    booter = Booter(launcher=launcher, logs=logs)
    suite = dummy(node.suite)
    try:
        with taken(suite, suite.build(build.name), f"{build.name} with random weights", node.machine, node.say) as slot:
            booter.wait(slot, node.say)
            with launcher.boot(slot.suite, suite.build(build.name), folder=logs, progress=progress) as server:
                yield _ready(build, server, says)
                check(server)
                yield from _ask(node, build, server, says)
    except TwxAcceptError as error:
        lines = [line for line in (*str(error).splitlines(), *getattr(error, "__notes__", ())) if line.strip()]
        yield says.fault(f"{build.name}: {lines[0]}", " | ".join(lines[1:6]))


def _ready(build: Build, server: RunningServer, says: Says) -> Finding:
    boot = server.boot
    room = f"{boot.capacity_tokens:,} tokens of cache" if boot.capacity_tokens else "a cache that it does not tell"
    return says.ok(
        f"{build.name}: vLLM {boot.engine_version} ready after {boot.ready_seconds:.0f} s with {room}; settings proven"
    )


def _ask(node: Node, build: Build, server: RunningServer, says: Says) -> Iterator[Finding]:
    """A few requests of each claim, of the smallest plan that it has."""
    for name, claim in made(node.suite, node.sources, Scope(questions_per_group=FEW_ITEMS)).items():
        if isinstance(claim, TwxAcceptError):
            yield says.unchecked(f"{build.name}: {name}: {claim}")
            continue
        asked = _Asked(node.suite, server)
        try:
            asked.all_of(claim)
        except InvalidClaim as error:
            what, cure = in_two(error)
            yield says.fault(f"{build.name}: {claim.title}: {what}", cure)
            continue
        if asked.exchanges:
            yield asked.came_back(build, claim, says)


@dataclass(slots=True)
class _Asked:
    """What was asked of one claim, and what came back, under the requests as they were planned."""

    suite: Suite
    server: RunningServer
    exchanges: dict[Key, Exchange]

    def __init__(self, suite: Suite, server: RunningServer) -> None:
        self.suite, self.server, self.exchanges = suite, server, {}

    def all_of(self, claim: Claim) -> None:
        """The first requests, and what follows from them.

        Raises:
            InvalidClaim: what came back makes the rest meaningless.
        """
        self._some(claim.opening())
        for _ in range(ROUNDS):
            if not self._some(claim.follow_up(list(self.exchanges.values()))):
                return

    def _some(self, planned: Sequence[Request]) -> bool:
        """Ask those that were not asked, few of each kind; whether there were any."""
        todo = [each for each in _each_kind(planned) if each.key not in self.exchanges]
        whole = {each.key: each for each in todo}

        def keep(exchanges: Sequence[Exchange]) -> None:
            for each in exchanges:
                self.exchanges[each.request.key] = replace(each, request=whole[each.request.key])

        if todo:
            ask(self.server, list(map(short, todo)), self.suite.asking, keep=keep, require_alive=self._alive)
        return bool(todo)

    def _alive(self) -> None:
        try:
            check(self.server)
        except ServingError as error:
            raise ServerDied(f"{self.server.model} stopped answering") from error

    def came_back(self, build: Build, claim: Claim, says: Says) -> Finding:
        """Whether everything came back in a form that can be read."""
        every = list(self.exchanges.values())
        # What failed and is asked no more was a question whether the engine has something that it can do without.
        wanted = {each.key for each in (*claim.opening(), *claim.follow_up(every))}
        what = f"{build.name}: {claim.title}: {len(every)} requests"
        failed = [each for each in every if each.failure is not None and each.request.key in wanted]
        if failed and failed[0].failure is not None:
            return says.fault(
                f"{what}, {len(failed)} failed: {' '.join(failed[0].failure.message.split())[:300]}",
                "correct the flag that it names; the log of the boot has the rest",
            )
        unusable = claim.unusable(every)
        if not unusable:
            return says.ok(f"{what}, every answer has the fields that are read")
        if any(_writes(each.request) for each in every):
            return says.warning(
                f"{what}, {len(unusable)} cannot be read", "random weights write nonsense; look at a real boot"
            )
        return says.fault(f"{what}, {len(unusable)} lack the values that are read", "use an engine that answers them")


def _each_kind(planned: Sequence[Request]) -> list[Request]:
    """The first requests of each arm, so that none is left out for another."""
    seen: dict[str, int] = {}
    found = []
    for each in planned:
        seen[each.key.arm] = seen.get(each.key.arm, 0) + 1
        if seen[each.key.arm] <= FEW_REQUESTS:
            found.append(each)
    return found


def short(request: Request) -> Request:
    """The request, cut off after a few tokens."""
    limits = [name for name in ("max_tokens", "max_completion_tokens") if _number(request.body, name) > FEW]
    return replace(request, body={**request.body, **dict.fromkeys(limits, FEW)}) if limits else request


def _writes(request: Request) -> bool:
    return any(_number(request.body, name) > 1 for name in ("max_tokens", "max_completion_tokens"))


def _number(body: Mapping[str, object], name: str) -> int:
    value = body.get(name)
    return value if isinstance(value, int) else 0
