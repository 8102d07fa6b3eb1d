"""What makes the rows of a passage usable."""

from dataclasses import replace

import pytest

from twx_accept.claims.agreement.asking import Plan, spread
from twx_accept.claims.agreement.keys import key, tokens_of
from twx_accept.claims.agreement.reading import logprobs_read, rows_of
from twx_accept.claims.agreement.settings import AgreementSettings
from twx_accept.domain.exchange import Failure, Request


def asked(exchanged, rows):
    """An exchange with those rows."""
    request = Request(key=key("p", "passage"), path="/", body={"prompt": [1, 2, 3]}, phase="p")
    return replace(exchanged(request, {}), rows=rows)


def test_case_off_by_one(exchanged, rows_from):
    """Case off-by-one: row i scores token i, given the tokens before it, so that n tokens have n - 1 positions."""
    prompt = [15191, 525, 498, 30]
    rows = rows_from([{525: -0.1, 7: -4.0}, {498: -0.2, 7: -4.0}, {30: -0.3, 7: -4.0}])
    found = rows_of(asked(exchanged, rows), prompt, 2)
    assert len(found) == 3
    assert logprobs_read(found, prompt).tolist() == pytest.approx([-0.1, -0.2, -0.3])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (None, "no log-probabilities that can be read"),
        ([{2: -0.1, 7: -4.0}], "1 rows for 3 tokens"),
        ([{2: -0.1, 7: -4.0}] * 3, "3 rows for 3 tokens"),
        ([{3: -0.1, 7: -4.0}, {2: -0.1, 7: -4.0}], "row 1 does not hold the token that was read"),
        ([{2: -0.1, 7: -4.0}, {3: -0.1}], "row 2 holds 1 tokens; 2 were asked for"),
        ([{2: -1.0, 7: -4.0, 8: -4.0, 9: -5.0}, {3: -0.1, 7: -4.0}], "row 1 holds 4 tokens"),
        ([{2: -0.1, 7: -0.2}, {3: -0.1, 7: -4.0}], "row 1 add up to 1.72"),
    ],
)
def test_rows_that_cannot_be_trusted_are_told(exchanged, rows_from, rows, why):
    """Missing rows, too few or many tokens, a token that was not read, and more than a whole: the reason is named."""
    made = None if rows is None else rows_from(rows)
    assert why in rows_of(asked(exchanged, made), [1, 2, 3], 2)


def test_what_was_not_answered_is_told(exchanged):
    """A request that was never asked, or failed, is the reason itself."""
    assert rows_of(None, [1, 2], 2) == "was never asked"
    assert rows_of(asked(exchanged, None), [1, 2], 2).startswith("the answer holds no")
    failure = Failure(kind="HTTP 503", message="busy", lasting=False)
    failed = replace(asked(exchanged, None), answer=None, failure=failure)
    assert rows_of(failed, [1, 2], 2) == "HTTP 503: busy"


def test_a_small_vocabulary_may_be_whole(exchanged, rows_from):
    """Fewer tokens than were asked for are all there are where their probabilities add up to one."""
    rows = rows_from([{2: -0.6931471805599453, 7: -0.6931471805599453}])
    assert len(rows_of(asked(exchanged, rows), [1, 2], 50)) == 1


@pytest.mark.parametrize("tokens", [None, [], "12", [1, "2"], [1, True], [1, -1], [1.0], {"1": 2}])
def test_tokens_that_are_none(exchanged, tokens):
    """Only a list of whole numbers that are not negative is one of ids."""
    assert tokens_of(asked(exchanged, None)) is None
    request = Request(key=key("p", "tokens"), path="/", body={}, phase="p")
    assert tokens_of(exchanged(request, {"tokens": tokens})) is None


def test_places_are_spread():
    """So many names at even distances, the first among them."""
    names = [str(place) for place in range(10)]
    assert spread(names, 3) == ["0", "3", "6"]
    assert spread(names, 99) == names
    assert spread(names, 0) == spread([], 5) == []


def test_every_passage_is_a_request_of_its_own(agreement, passages, reads):
    """Prompts are plain lists of ids, which share no request; phases part what must not be in flight together."""
    made = agreement(passages(6))
    known = [each for each in reads(made) if each.request.key.arm in ("tokens", "probe", "witness", "separator")]
    answered = {each.request.key for each in known if each.answer is not None}
    asked = [request for request in made.follow_up(known) if request.key not in answered]
    assert [request.key.arm for request in asked] == ["passage"] * 6 + ["reversed"] * 2 + ["full"] * 2
    assert not any(request.has_many_prompts for request in asked)
    assert len({request.phase for request in asked}) == 3
    again = [request.key.item for request in asked if request.key.arm == "reversed"]
    assert again == sorted(again, reverse=True)
    assert all(len(request.body["prompt"]) == 8 for request in asked if request.key.arm == "full")


def test_long_passages_are_cut(agreement, passages, reads):
    """No more tokens are read than are registered, and a passage of one token is not asked for."""
    rows = [*passages(3), {"id": "short", "text": "x"}]
    made = agreement(rows, max_tokens_per_passage=10)
    plan = Plan(settings=made.settings, passages=made.passages.passages)
    asked = [each for each in reads(made) if each.request.key.arm == "passage"]
    assert {each.request.key.item: len(each.request.body["prompt"]) for each in asked} == {
        "p000": 10,
        "p001": 10,
        "p002": 10,
    }
    assert plan.ids({}) == {}


def test_a_check_that_was_refused_is_not_asked_for_again(agreement, passages, reads):
    """A server that refuses whole vocabularies is not booted again for them."""
    made = agreement(passages(4))
    kept = reads(made, 0.0, lambda request: "no" if request.key.arm == "full" else None)
    assert [each.key.arm for each in made.follow_up(kept)].count("full") == 2
    lasting = [
        replace(each, failure=replace(each.failure, lasting=True)) if each.failure is not None else each
        for each in kept
    ]
    assert [each.key.arm for each in made.follow_up(lasting)].count("full") == 0


def test_settings_have_bounds():
    """A setting that would make no sense is refused."""
    for bad in ({"mark": {"x": 1.5}}, {"top_k": 0}, {"mark": {"x": 92}}, {"reversed_probe": -1}):
        with pytest.raises(ValueError, match="validation error"):
            AgreementSettings.model_validate({"source": "s"} | bad)
