"""Whole vocabularies from servers that want to be asked otherwise."""

from dataclasses import replace

import pytest

from twx_accept.domain.exchange import Failure

NEGATIVE = "`logprobs` must be a positive value. (parameter=logprobs, value=-1)"
NAMED = "Requested sample logprobs of 1000000000, which is greater than max allowed: 49152"


def refusing(made, reads, full=NEGATIVE, limit=NAMED, counted=None):
    """What such a server answers, asked to the end: a message for each arm that it refuses."""
    told = {"full": full, "limit": limit, "counted": counted}
    found, planned = {}, made.opening()
    usual = {each.request.key: each for each in reads(made)}
    while planned:
        for request in planned:
            message = told.get(request.key.arm)
            if message:
                failure = Failure(kind="HTTP 400", message=message, lasting=True)
                found[request.key] = replace(usual_of(usual, request), answer=None, rows=None, failure=failure)
            else:
                found[request.key] = usual_of(usual, request)
        planned = [each for each in made.follow_up(tuple(found.values())) if each.key not in found]
    return list(found.values())


def usual_of(usual, request):
    """The exchange that a server which refuses nothing has; by number it answers what it answers for all."""
    arm = "full" if request.key.arm in ("counted", "limit") else request.key.arm
    return replace(usual[replace(request.key, arm=arm)], request=request)


def by_arm(exchanges, arm):
    """The exchanges of an arm."""
    return [each for each in exchanges if each.request.key.arm == arm]


def test_a_server_that_takes_all_is_asked_once(agreement, passages, reads):
    """Where -1 is taken nothing else is tried."""
    found = reads(agreement(passages(4)))
    assert [each.request.body["logprobs"] for each in by_arm(found, "full")] == [-1, -1]
    assert not by_arm(found, "limit")
    assert not by_arm(found, "counted")


def test_a_server_that_wants_a_number_tells_it_itself(agreement, passages, reads, having_read):
    """Where -1 is refused the server is asked for too many once, then for as many as it named."""
    made = agreement(passages(4))
    found = refusing(made, reads)
    assert len(by_arm(found, "limit")) == 1
    assert [each.request.body["logprobs"] for each in by_arm(found, "counted")] == [49152, 49152]
    verdict = made.decide(having_read("original", found), having_read("small", found))
    assert verdict.statistics["full_prefixes"] == 2
    assert made.unusable(found) == []
    assert not [each for each in made.follow_up(found) if each.key.arm in ("full", "limit") and each.key not in found]


@pytest.mark.parametrize(
    "limit",
    ["", "Requested 5, which is greater than max allowed: 20", "max allowed: 0", f"max allowed: {'9' * 40}", "\x1b[2J"],
)
def test_a_limit_that_is_no_vocabulary_is_not_used(agreement, passages, reads, having_read, limit):
    """A server's own small limit, or a refusal that names nothing, leaves the first reason to tell."""
    made = agreement(passages(4))
    found = refusing(made, reads, limit=limit or "no")
    assert not by_arm(found, "counted")
    verdict = made.decide(having_read("original", found), having_read("small", found))
    assert verdict.statistics["full_prefixes"] == 0
    (shown,) = (each for each in verdict.figures if each.key == "full_ratio")
    assert "must be a positive value" in shown.value


def test_a_refusal_by_number_is_not_asked_for_again(agreement, passages, reads, having_read):
    """A server that refuses the number that it named is not asked for ever."""
    made = agreement(passages(4))
    found = refusing(made, reads, counted="no")
    assert not [each for each in made.follow_up(found) if each.key.arm == "counted"]
    verdict = made.decide(having_read("original", found), having_read("small", found))
    assert verdict.statistics["full_prefixes"] == 0
