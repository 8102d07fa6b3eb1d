"""What has to hold before a trial may be compared: it was asked as planned, alike on both sides, at its effort."""

from collections import Counter
from collections.abc import Mapping, Sequence

from twx_accept.claims.tool_calls.asking import key, prompt_ids
from twx_accept.claims.tool_calls.outcomes import Found
from twx_accept.claims.tool_calls.tasks import Task
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.errors import InvalidClaim, PairingError

PARSER = "serve with enable_auto_tool_choice and the model's tool_call_parser among the suite's flags"

CURES: Mapping[str, str] = {
    "tool": PARSER,
    "chat template": "give the model a chat template with the flag chat_template",
    "return_token_ids": "use an engine that gives token ids",
}
"""What a server's refusal is about, and what to do."""


def cure(reason: str) -> str:
    """What to do about a trial without a score."""
    said = reason.lower()
    return next((what for word, what in CURES.items() if word in said), "run again to ask them")


def by_key(side: BuildEvidence) -> Mapping[Key, Exchange]:
    """The exchanges of this claim by their keys.

    Raises:
        PairingError: one is there twice.
    """
    exchanges = side.exchanges.get("tool_calls", ())
    double = [at for at, times in Counter(each.request.key for each in exchanges).items() if times > 1]
    if double:
        raise PairingError(f"{side.build}: {_named(double)} answered twice; run with --fresh")
    return {each.request.key: each for each in exchanges}


def require_planned(build: str, planned: Sequence[Request], found: Found) -> None:
    """Answers to other prompts under the same ids are no evidence.

    Raises:
        PairingError: naming the first of them.
    """
    other = [each.key for each in planned if each.key in found and found[each.key].request.digest != each.digest]
    if other:
        raise PairingError(f"{build}: {_named(other)} not asked as planned; run with --fresh")


def require_same_prompts(one: str, other: str, planned: Sequence[Request], left: Found, right: Found) -> None:
    """Both sides read the same tokens.

    Raises:
        PairingError: naming the first trials whose rendered prompts differ.
    """
    different = []
    for request in planned:
        ids = [prompt_ids(found.get(request.key)) for found in (left, right)]
        if None not in ids and ids[0] != ids[1]:
            different.append(request.key)
    if different:
        raise PairingError(
            f"the prompts that {one} and {other} read differ: {_named(different)} rendered to other tokens; "
            "serve both with the original's tokenizer and chat template"
        )


def require_efforts(tasks: Sequence[Task], efforts: Sequence[str], found: Found) -> None:
    """The effort reached the template: the rendered prompts of a trial differ from effort to effort.

    Raises:
        InvalidClaim: they do not; or the server refused the very first trial, so that nothing else need be asked.
    """
    for task in tasks:
        for effort in efforts:
            failure = getattr(found.get(key(task.id, effort)), "failure", None)
            if failure is not None and failure.lasting:
                said = f"{failure.kind}: {failure.message}"
                raise InvalidClaim(f"the server refuses {task.id} at {effort} effort ({said:.400}); {cure(said)}")
        rendered = [prompt_ids(found.get(key(task.id, effort))) for effort in efforts]
        there = [tuple(ids) for ids in rendered if ids is not None]
        if len(set(there)) < len(there):
            raise InvalidClaim(
                f"the thinking effort does not reach the model: {task.id} renders to the same prompt at "
                f"{' and '.join(efforts)} effort; set what this model's chat template reads under efforts"
            )


def _named(keys: Sequence[Key]) -> str:
    """The number of trials and the first of them."""
    items = sorted({at.item for at in keys})
    return f"{len(items)} trials (first: {', '.join(items[:5])}) are"
