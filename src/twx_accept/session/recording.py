"""From a session to the record that every report is drawn from."""

from collections.abc import Iterable, Mapping
from typing import Any

from twx_accept.domain.evidence import NOT_SHOWN, BuildEvidence
from twx_accept.domain.run import BootUse, RunRecord, Setting
from twx_accept.errors import TwxAcceptError
from twx_accept.session import comparing, genuine
from twx_accept.session.run import Session

MATERIAL = ("source", "split", "labelled", "labelled_split")
"""Settings of claims that name what is read."""

WHOLE = "all of it"
"""The label of a part of an identity of which nothing is shown."""


def record(
    session: Session,
    *,
    date: str,
    command: str,
    interrupted: bool,
    beside: comparing.Beside | None = None,
    around: Mapping[str, str] | None = None,
) -> RunRecord:
    """The run as it stands: what was decided, and everything a reader asks about how.

    Args:
        session: the session, with or without all of its verdicts.
        date: ISO 8601 with a zone.
        command: the command line that reproduces the run.
        interrupted: whether it was stopped before its end.
        beside: what is reported beside the verdicts, where that is known already.
        around: what else was loaded into the process that decides, by kind, for the settings.
    """
    suite = session.suite
    shown = [suite.original, *session.builds]
    evidence = {build.name: session.kept(build) for build in shown}
    found = beside or comparing.beside(session)
    boots = tuple(_boots([*filter(None, evidence.values()), *filter(None, [session.kept_again()])]))
    return RunRecord(
        suite=suite.name,
        suite_title=suite.title,
        demonstration=suite.demonstration,
        date=date,
        command=command,
        original=suite.original.name,
        builds=tuple(build.name for build in session.builds),
        controls=tuple(build.name for build in session.builds if build.control),
        planned=tuple((claim.title, build.name) for build in session.builds for claim in session.claims),
        verdicts=tuple(
            session.verdicts[claim.name, build.name]
            for build in session.builds
            for claim in session.claims
            if (claim.name, build.name) in session.verdicts
        ),
        settings=tuple(_settings({name: kept for name, kept in evidence.items() if kept}, session, around or {})),
        timings=tuple(session.collector.timings),
        partial=session.partial,
        interrupted=interrupted,
        control=session.control(),
        noise_floor="measured" if found.floor else "not measured",
        floor=found.floor,
        contrasts=comparing.families(found.pairs, [claim.name for claim in session.claims]),
        titles={},
        attempts={name: kept.origin.attempt for name, kept in evidence.items() if kept and kept.origin},
        registered=_registered(session, evidence),
        waivers=session.registry.waivers() if session.registry else (),
        disclosures=(*_genuine(session, evidence), *_side_by_side(boots), *_disclosures(session, evidence)),
        boots=boots,
    )


def _boots(evidence: Iterable[BuildEvidence]) -> Iterable[BootUse]:
    """Every boot of each, the original's repetition last."""
    for kept in evidence:
        for boot in kept.boots:
            yield BootUse(build=kept.build, number=boot.number, cards=boot.card_use, beside=boot.beside)


def _side_by_side(boots: Iterable[BootUse]) -> Iterable[str]:
    """That builds were not served one after another, where they were not."""
    together = list(dict.fromkeys(f"{boot.build} beside {', '.join(boot.beside)}" for boot in boots if boot.beside))
    if together:
        yield f"Not served one after another, but side by side on different cards: {'; '.join(together)}"


def _genuine(session: Session, evidence: Mapping[str, BuildEvidence | None]) -> Iterable[str]:
    """What a verdict on a build cannot say, and what makes the build less than a compressed original, or more."""
    if not session.partial and not any(claim.sensitive for claim in session.claims):
        yield "No registered claim is about answers: nothing here says that a build answers as the original does"
    original = evidence[session.suite.original.name]
    for build in session.builds:
        kept = evidence[build.name]
        if original is not None and kept is not None and (said := genuine.disclosure(original, kept)):
            yield said


def _disclosures(session: Session, evidence: Mapping[str, BuildEvidence | None]) -> tuple[str, ...]:
    """What a reader must know besides; of its attempts a partial run, which decides nothing, has none to disclose."""
    there = [kept for kept in evidence.values() if kept]
    attached = (*_attached(there), *_not_afresh(session.kept_again()))
    if session.partial or session.registry is None:
        return attached
    return (*attached, *session.registry.disclosures(*there))


def _attached(there: Iterable[BuildEvidence]) -> Iterable[str]:
    """Each build whose server somebody else had started, with what could not be proven of it."""
    for kept in there:
        unproven = dict.fromkeys(each for boot in kept.boots if boot.launcher == "attach" for each in boot.unproven)
        if unproven:
            yield f"{kept.build}: attached; nothing was booted; not proven: {'; '.join(unproven)}"


def _not_afresh(again: BuildEvidence | None) -> Iterable[str]:
    """That the noise floor is smaller than it would be from a fresh boot, where none was to be had."""
    if again is not None and any(boot.launcher == "attach" for boot in again.boots):
        yield (
            f"{again.build}: asked on the server that was there already; what a fresh boot changes is not in the "
            "noise floor"
        )


def _registered(session: Session, evidence: Mapping[str, BuildEvidence | None]) -> str:
    """When the marks were registered, in words; empty where none is."""
    registry = session.registry
    if session.partial or registry is None or not registry.entries:
        return ""
    there = [kept for kept in evidence.values() if kept]
    try:
        late = [why for claim in registry.entries for kept in there if (why := registry.exploratory(claim, kept))]
    except TwxAcceptError as error:
        return f"exploratory: {error}"
    if late:
        return f"exploratory: {late[0]}"
    numbers = sorted({entry.number for entry in registry.entries.values()})
    listed = ", ".join(map(str, numbers))
    return f"before the run (ledger entry {listed}; head {registry.book.head[:12]})"


def _settings(evidence: Mapping[str, BuildEvidence], session: Session, around: Mapping[str, str]) -> Iterable[Setting]:
    """Rows of the settings: machine, engine, flags, digests of each build, then the marks as registered."""
    for group, part in (("Machine", "machine"), ("Engine", "engine"), ("Flags", "flags"), ("Asking", "asking")):
        yield from _rows(group, {name: _part(kept, part) for name, kept in evidence.items()})
    yield from _rows("Deployment", {name: _part(kept, "deployment") for name, kept in evidence.items()})
    for group, part in (("Tokenizer and template", "tokenizer"), ("Weights", "weights"), ("Model", "configuration")):
        yield from _rows(group, {name: _part(kept, part) for name, kept in evidence.items()})
    yield from _rows("Last boot", {name: _boot(kept) for name, kept in evidence.items()})
    yield from _rows("Evidence", {name: _began(kept) for name, kept in evidence.items()})
    names = list(evidence) or [session.suite.original.name]
    excused = {"flags in which builds may differ": ", ".join(session.suite.may_differ) or "none"}
    yield from _rows("Suite", dict.fromkeys(names, excused))
    yield from _rows("Loaded into the run", dict.fromkeys(names, around))
    for claim in session.claims:
        marks = {**_flat(claim.specification()), **_material(session, claim.name)}
        yield from _rows(f"Mark: {claim.title}", dict.fromkeys(names, marks))


def _material(session: Session, claim: str) -> Mapping[str, str]:
    """Where a claim's material is from, as the suite names it: a mark has its digest, which tells nobody what it is.

    A partial run may have read something else, which is what its label says.
    """
    named = {} if session.partial else session.suite.claims.get(claim, {})
    return {f"{each}, as the suite names it": str(named[each]) for each in MATERIAL if each in named}


def _part(kept: BuildEvidence, part: str) -> dict[str, str]:
    """A part of an identity as rows; one row for a part that an attached server does not show."""
    value = kept.identity.get(part, {})
    return {WHOLE: NOT_SHOWN} if value == NOT_SHOWN else _flat(value)


def _rows(group: str, values: Mapping[str, Mapping[str, str]]) -> Iterable[Setting]:
    known = dict.fromkeys(label for each in values.values() for label in each if label != WHOLE)
    for label in known or dict.fromkeys(label for each in values.values() for label in each):
        yield Setting(
            group=group,
            label=label,
            values={name: each.get(label, each.get(WHOLE, "none")) for name, each in values.items()},
        )


def _began(kept: BuildEvidence) -> dict[str, str]:
    """Whose evidence it is, and how it began: what is kept may be older than the run that decides on it."""
    begun = {} if kept.origin is None else {"begun": kept.origin.began, "ledger head then": kept.origin.ledger[:12]}
    return {"identity": kept.identity_digest, **begun}


def _boot(kept: BuildEvidence) -> dict[str, str]:
    if not kept.boots:
        return {}
    boot = kept.boots[-1]
    notes = "; ".join(boot.notes)
    return {
        **({"launcher": boot.launcher} if boot.launcher != "process" else {}),
        **({"not proven": "; ".join(boot.unproven)} if boot.unproven else {}),
        "boots": str(len(kept.boots)),
        "engine version": boot.engine_version,
        "ready after": f"{boot.ready_seconds:.0f} s",
        **({"notes": notes} if notes else {}),
    }


def _flat(value: Any, path: str = "") -> dict[str, str]:
    """Nested settings as dotted names with their values as text."""
    if isinstance(value, Mapping) and value:
        found: dict[str, str] = {}
        for name, inner in value.items():
            found |= _flat(inner, f"{path}.{name}" if path else str(name))
        return found
    return {path: str(value).lower() if isinstance(value, bool) else str(value)} if path else {}
