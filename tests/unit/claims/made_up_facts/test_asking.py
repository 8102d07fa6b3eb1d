import pytest

from fake_facts import Towns, towns
from twx_accept.claims.made_up_facts import prompts
from twx_accept.claims.made_up_facts.passages import load
from twx_accept.domain.scope import Scope
from twx_accept.errors import DatasetError, SuiteError


def test_each_passage_is_asked_once(facts):
    """One message that holds the registered prompt with the passage in its place, and the registered sampling."""
    rows = towns(3)
    asked = facts(rows, seed=7, effort={"chat_template_kwargs": {"thinking": True}}).opening()
    assert [request.key.item for request in asked] == ["t00", "t01", "t02"]
    assert {(request.path, request.phase, request.key.arm) for request in asked} == {
        ("/v1/chat/completions", "text", "answer")
    }
    assert asked[1].body == {
        "messages": [{"role": "user", "content": prompts.CHAT.replace("{passage}", rows[1]["text"])}],
        "max_tokens": 1024,
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": 7,
        "chat_template_kwargs": {"thinking": True},
    }


def test_models_without_a_template_go_on_with_a_list(facts):
    """A completion begins with the first bullet and ends with the list; no two share a request."""
    first = facts(towns(2), mode="completion").opening()[0]
    assert first.path == "/v1/completions"
    assert first.body["prompt"].endswith("Facts:\n-")
    assert first.body["stop"] == ["\n\n", "\nPassage:"]
    assert not first.has_many_prompts


def test_braces_in_a_passage_stay(facts):
    """A passage is put in, never read as a template."""
    rows = [*towns(1), {"id": "b", "text": "A {passage} and a {0} and a {name}."}]
    text = facts(rows).opening()[1].body["messages"][0]["content"]
    assert "A {passage} and a {0} and a {name}." in text


def test_the_scope_limits_each_kind(facts):
    """A partial run takes the first so many passages of each kind."""
    claim = facts(scope=Scope(questions_per_group=2))
    assert [passage.id for passage in claim.passages.passages] == ["t00", "t01", "t02", "t03"]
    assert claim.partial


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"prompt": "Write the facts."}, "should hold {passage} once"),
        ({"prompt": "{passage} {passage}"}, "should hold {passage} once"),
        ({"effort": {"messages": []}}, "should not hold messages"),
        ({"effort": {"max_tokens": 5, "n": 2}}, "should not hold max_tokens, n"),
        ({"effort": {"bias": float("nan")}}, "should be a table that JSON can hold"),
        ({"recall_floor": None}, "add recall_floor"),
        ({"recall_margin_points": None}, "add recall_margin_points"),
        ({"margin_points": None}, "add margin_points"),
        ({"labelled": None}, "add labelled"),
        ({"margin_points": 0.0}, "greater than 0"),
        ({"mode": "talk"}, "mode"),
        ({"marks": 1}, "no such field"),
        ({"judge": {"model": "m", "address": "nowhere"}}, "judge.address"),
        ({"judge": {"model": "m", "address": "http://[::1"}}, "judge.address"),
        ({"judge": {"model": "m", "address": "http://here:port"}}, "judge.address"),
        ({"judge": {"model": "m", "address": "http://me:secret@here"}}, "a key belongs into TWX_ACCEPT_JUDGE_KEY"),
        ({"judge": {"model": "m", "address": "http://here", "effort": {"seed": 1}}}, "should not hold seed"),
    ],
)
def test_settings_that_cannot_be_are_told(facts, changes, problem):
    """What a user writes wrong is told in one line, before anything boots."""
    with pytest.raises(SuiteError) as caught:
        facts(**changes)
    assert problem in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_address_of_a_judge_is_its_root(facts):
    """With /v1 or without: what is asked begins with it."""
    made = facts(judge={"model": "m", "address": "http://here:9/some/v1/"})
    assert made.referee.address == "http://here:9/some"


def test_equivalence_needs_labelled_facts(facts):
    """A margin of equivalence is worth what the matcher is."""
    with pytest.raises(SuiteError, match="labelled facts"):
        facts(settings={"source": "towns", "equivalence_points": 2.0})


def test_marks_need_planted_facts(facts):
    """Without planted facts a build that writes nothing would pass."""
    with pytest.raises(DatasetError, match="plants no facts"):
        facts(towns(4, planted=False))
    assert facts(towns(4, planted=False), settings={"source": "towns"}).passages.planted == 0


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"id": "a", "text": ""}, "text is"),
        ({"id": "a"}, "text is None"),
        ({"id": "a\nb", "text": "x"}, "id is"),
        ({"id": "a", "text": "x", "kind": 3}, "kind is 3"),
        ({"id": "a", "text": "x", "facts": "x"}, "facts is"),
        ({"id": "a", "text": "x", "facts": ["x"]}, "facts is"),
        ({"id": "a", "text": "x", "facts": [{"text": ""}]}, "facts is"),
        ({"id": "a", "text": "x", "facts": [{"text": "x"}, {"text": "x"}]}, "twice"),
        ({"id": "t00", "text": "x"}, "1 ids stand twice"),
        ({"id": "a", "text": "half \ud83d"}, "text is"),
    ],
)
def test_rows_that_cannot_be_are_told(row, problem):
    """A passage that is malformed is named with its row."""
    with pytest.raises(DatasetError, match="towns") as caught:
        load(Towns([*towns(2), row]), "towns", "test", limit=None, per_kind=None)
    assert problem in str(caught.value)


def test_one_passage_is_too_few():
    """Nothing can be said of how much passages differ."""
    with pytest.raises(DatasetError, match="too few"):
        load(Towns(towns(3)), "towns", "test", limit=1, per_kind=None)


def test_what_is_asked_is_registered(facts):
    """Prompt, sampling and passages are in the specification; each change of them changes it."""
    base = facts().specification()
    assert base["prompt"] == prompts.CHAT
    assert base["sampling"] == {"max_tokens": 1024, "temperature": "0.0", "top_p": "1.0", "seed": 0}
    assert base["planted_facts"] == 240
    assert base["matcher"]["false_facts_judged_unsupported"] == "16 of 16"
    changes = [
        {"seed": 1},
        {"max_tokens": 99},
        {"margin_points": 11.0},
        {"prompt": "Facts: {passage}"},
        {"passages": 9},
    ]
    changes += [{"undecided_share": 0.1}, {"recall_floor": 0.6}, {"judge": {"model": "m", "address": "http://x"}}]
    assert all(facts(**each).specification() != base for each in changes)


def test_where_a_judge_lives_is_not_registered(facts):
    """Another address of the same judge is the same second stage."""
    one, other = (facts(judge={"model": "m", "address": f"http://{host}"}).specification() for host in "xy")
    assert one == other
    assert one["second_stage"]["model"] == "m"


def test_the_mark_in_words(facts):
    """What a reader is told before anything is decided; nothing where nothing is gated."""
    assert facts().mark("small").startswith("at most 20.00 points more facts made up than by the original and 20.00")
    assert facts(settings={"source": "towns"}).mark("small") == ""
    assert facts().sensitive
    assert not facts(settings={"source": "towns"}).sensitive
