"""What has to hold before a trial may be compared: it was asked as planned, alike on both sides, at its effort."""

from collections.abc import Sequence

from twx_accept.claims._cures import cure
from twx_accept.claims.tool_calls.arguments import shortened
from twx_accept.claims.tool_calls.asking import choice_of, has_ids, key, prompt_ids
from twx_accept.claims.tool_calls.outcomes import NO_IDS, Found
from twx_accept.claims.tool_calls.tasks import Task
from twx_accept.domain.exchange import Key, Request
from twx_accept.errors import InvalidClaim, PairingError


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
            f"the prompts that {one} and {other} read differ in their tokens: {_named(different)}; "
            "serve both with the original's tokenizer and chat template"
        )


def require_answered(who: str, first: Task, efforts: Sequence[str], found: Found) -> None:
    """The server takes the very first trial, and says which tokens it read and wrote: else nothing more need be asked.

    Raises:
        InvalidClaim: it refuses the trial, or gives no ids, by which all else is proven.
    """
    for effort in efforts:
        exchange = found.get(key(first.id, effort))
        if exchange is None:
            continue
        if exchange.failure is not None and exchange.failure.lasting:
            said = f"{exchange.failure.kind}: {exchange.failure.message}"
            what = cure(said, "mend what it refuses, or the trial")
            raise InvalidClaim(f"{who} refuses {first.id} at {effort} effort ({shortened(said, 400)}); {what}")
        if exchange.failure is None and choice_of(exchange) is not None and not has_ids(exchange):
            why = NO_IDS
            raise InvalidClaim(f"{who}: {first.id} at {effort} effort: {why}; {cure(why)}")


def require_efforts(who: str, tasks: Sequence[Task], efforts: Sequence[str], found: Found) -> None:
    """The effort reached the template: the rendered prompts of a trial differ from effort to effort.

    Raises:
        InvalidClaim: they do not.
    """
    for task in tasks:
        rendered = [prompt_ids(found.get(key(task.id, effort))) for effort in efforts]
        there = [tuple(ids) for ids in rendered if ids is not None]
        if len(set(there)) < len(there):
            raise InvalidClaim(
                f"{who}: the thinking effort does not reach the model: {task.id} renders to the same prompt at "
                f"{' and '.join(efforts)} effort; set what this model's chat template reads under efforts"
            )


def _named(keys: Sequence[Key]) -> str:
    """The number of trials and the first of them."""
    items = sorted({at.item for at in keys})
    return f"{len(items)} {'trial' if len(items) == 1 else 'trials'} (first: {', '.join(items[:5])})"
