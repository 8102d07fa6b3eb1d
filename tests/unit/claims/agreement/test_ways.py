"""Two ways to ask for the same distributions: which is taken, and that nothing depends on it."""

from dataclasses import replace

import pytest

from twx_accept.claims.agreement import texts
from twx_accept.claims.agreement.keys import key
from twx_accept.claims.agreement.ways import Way, ids_of, settled


def by_arm(exchanges, arm):
    """The exchanges of an arm."""
    return [each for each in exchanges if each.request.key.arm == arm]


def paths(exchanges):
    """The paths by which passages were asked for, again in reverse order too."""
    return {each.request.path for arm in ("passage", "reversed") for each in by_arm(exchanges, arm)}


def test_a_server_that_shows_the_same_is_asked_the_quick_way(agreement, passages, reads):
    """Passages are asked for by their ids alone, each once, and no text is written for any of their tokens."""
    found = reads(agreement(passages(4)), quick=True)
    assert paths(found) == {"/inference/v1/generate"}
    assert len(by_arm(found, "passage")) == 4
    assert all(each.request.body["sampling_params"]["detokenize"] is False for each in by_arm(found, "passage"))
    assert len({each.request.phase for each in (*by_arm(found, "probe"), *by_arm(found, "witness"))}) == 2


def test_a_server_that_knows_one_way_is_asked_that_way(agreement, passages, reads):
    """A refusal is no failure of the run: everything is asked as ever, and the refusal is not asked for again."""
    made = agreement(passages(4))
    found = reads(made)
    assert paths(found) == {"/v1/completions"}
    assert not by_arm(found, "texts")
    assert not [each for each in made.follow_up(found) if each.key.arm == "probe"]
    assert made.unusable(found) == []


def test_other_values_are_no_other_way(agreement, passages, reads, rows_from):
    """A way whose values differ by anything is not taken."""
    made = agreement(passages(4))
    first = by_arm(reads(made, quick=True), "probe")[0].rows

    def say(request):
        if request.key.arm != "probe":
            return None
        rows = [
            dict(zip(ids.tolist(), (values - 1e-6).tolist(), strict=True))
            for ids, values in zip(first.ids, first.logprobs.astype(float), strict=True)
        ]
        return rows_from([{token: value for token, value in row.items() if token >= 0} for row in rows])

    assert paths(reads(made, say=say, quick=True)) == {"/v1/completions"}


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_both_ways_decide_the_same(agreement, passages, reads, having_read, noise):
    """Every figure, bound and item is equal, whichever way each side was asked; only the names of tokens differ."""
    made = agreement(passages(12), mark={"small": 0.5})
    verdicts = [
        made.decide(
            having_read("original", reads(made, 0.0, quick=original)),
            having_read("small", reads(made, noise, quick=build)),
        )
        for original in (False, True)
        for build in (False, True)
    ]
    for verdict in verdicts[1:]:
        assert verdict.statistics == verdicts[0].statistics
        assert verdict.outcome == verdicts[0].outcome
        assert [item.id for item in verdict.items] == [item.id for item in verdicts[0].items]


def test_tokens_keep_their_texts(agreement, passages, reads, having_read):
    """Where distributions come without texts, the tokenizer says them, and items name tokens by them."""
    made = agreement(passages(6))
    original, build = (
        having_read(name, reads(made, noise, quick=True)) for name, noise in (("original", 0), ("small", 1))
    )
    (item, *_) = made.decide(original, build).items
    assert "'<" in item.title
    assert "token " not in item.title


@pytest.mark.parametrize("said", ["no", {"prompt": "x"}, {"prompt": None}, {"prompt": "a\u241eb"}, {}])
def test_texts_that_cannot_be_parted_are_not_used(agreement, passages, reads, having_read, said):
    """Tokens are then called by their numbers, nothing is decided otherwise, and nothing is asked again."""
    made = agreement(passages(6))

    def say(request):
        return said if request.key.arm == "texts" else None

    found = reads(made, 1, say, quick=True)
    original, build = having_read("original", reads(made, 0, say, quick=True)), having_read("small", found)
    (item, *_) = made.decide(original, build).items
    assert "token " in item.title
    answered = {each.request.key for each in found if each.answer is not None}
    assert [each.key.arm for each in made.follow_up(found) if each.key not in answered] == []


def test_older_evidence_needs_no_probe(agreement, passages, reads):
    """Evidence from before there were two ways is whole as it is: no server is booted to probe one."""
    made = agreement(passages(4))
    older = [each for each in reads(made) if each.request.key.arm not in ("probe", "witness", "separator")]
    assert {each.key for each in made.follow_up(older)} <= {each.request.key for each in older}


def test_what_was_asked_stays_as_it_was_asked(agreement, passages, reads):
    """A probe that is answered after the first passage changes nothing: half a run in each way would be refused."""
    found = reads(agreement(passages(4)))
    later = [each for each in reads(agreement(passages(4)), quick=True) if each.request.key.arm in ("probe", "witness")]
    kept = {each.request.key: each for each in (*found, *later)}
    assert settled(kept) is Way.COMPLETIONS
    first = by_arm(found, "passage")[0]
    failed = replace(first, answer=None, rows=None, failure=by_arm(found, "probe")[0].failure)
    assert settled({**kept, first.request.key: failed}) is Way.COMPLETIONS


def test_ids_are_found_in_either_request(agreement, passages, reads):
    """Both requests of a passage carry the same ids."""
    made = agreement(passages(2))
    slow, quick = (by_arm(reads(made, quick=each), "passage")[0].request for each in (False, True))
    assert ids_of(slow) == ids_of(quick)
    assert len(ids_of(slow)) == 60


def test_texts_stay_where_they_came_with_the_rows(rows_from, exchanged):
    """Texts of the engine are not replaced, and a long one is cut."""
    request = texts.separator("p")
    rows = rows_from([{2: -0.1, 7: -4.0}], [("a", "b")])
    answer = exchanged(request, {"prompt": f"one{texts.SIGN}{'x' * 999}{texts.SIGN}"})
    assert texts.with_texts(rows, (1, 2), answer) is rows
    bare = rows_from([{2: -0.1, 7: -4.0}])
    assert texts.with_texts(bare, (1, 2), answer).texts == (("x" * texts.LONGEST,) * 2,)
    assert texts.with_texts(bare, (1, 2, 3), answer) is bare
    assert request.key == key("p", "separator")
