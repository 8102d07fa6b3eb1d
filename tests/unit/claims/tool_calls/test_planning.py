"""What is asked, in which order, and what ends the asking."""

from dataclasses import replace

import pytest

import fake_calls
from fake_calls import called, spoken
from twx_accept.claims import NO_MARK
from twx_accept.domain.exchange import Failure, canonical
from twx_accept.domain.prospect import Assumption
from twx_accept.domain.scope import Scope
from twx_accept.errors import InvalidClaim, SuiteError

ROWS = fake_calls.trials(2)
BY_ID = {row["id"]: row for row in ROWS}


@pytest.fixture
def make(claim):
    """Makes the claim on those trials."""

    def made(rows=ROWS, scope=None, **changes):
        settings = {name: value for name, value in (fake_calls.SETTINGS | changes).items() if value is not ...}
        return claim("tool_calls", settings, rows, scope=scope)

    return made


def answers(requests, say=None):
    """What a server answers to these requests."""
    return [fake_calls.exchange(BY_ID[request.key.item], request, say) for request in requests]


def arms(requests):
    """How many requests each arm has."""
    found = {}
    for request in requests:
        found[request.key.arm] = found.get(request.key.arm, 0) + 1
    return found


def stages(made, say=None):
    """The requests of each round, as a session asks them: each once."""
    rounds, found = [list(made.opening())], []
    while rounds[-1]:
        found += answers(rounds[-1], say)
        there = {each.request.key for each in found}
        rounds.append([request for request in made.follow_up(found) if request.key not in there])
    return rounds[:-1], found


def test_opening_is_the_first_trial_at_each_effort(make):
    """Two requests tell whether the server calls tools at all; nothing of the plan is left to the engine."""
    low, high = make(seed=7).opening()
    assert [(each.key.item, each.key.arm) for each in (low, high)] == [
        ("one-call-000", "low"),
        ("one-call-000", "high"),
    ]
    assert low.path == "/v1/chat/completions"
    assert low.body == {
        "messages": ROWS[0]["messages"],
        "tools": ROWS[0]["tools"],
        "tool_choice": "auto",
        "max_tokens": 400,
        "seed": 7,
        "temperature": 0.6,
        "reasoning_effort": "low",
        "return_token_ids": True,
    }
    assert high.body == {**low.body, "reasoning_effort": "high"}


def test_rounds_follow_from_what_was_answered(make):
    """All turns and streams; their raw output; the loops' second turns; and the raw output of those."""
    rounds, found = stages(make())
    assert [arms(each) for each in rounds] == [
        {"low": 1, "high": 1},
        {
            "low": 11,
            "high": 11,
            "low.raw": 1,
            "high.raw": 1,
            "low.prompt": 1,
            "high.prompt": 1,
            "low.stream": 6,
            "high.stream": 6,
        },
        {"low.raw": 11, "high.raw": 11},
        {"low.final": 2, "high.final": 2},
        {"low.final.raw": 2, "high.final.raw": 2},
    ]
    keys = [each.request.key for each in found]
    assert len(set(keys)) == len(keys) == make().prospect("small", None).requests
    assert make().follow_up(found) == make().follow_up(found[::-1])


def test_phases_never_mix(make):
    """Turns, raw output, second turns and streams are never in flight together."""
    rounds, _ = stages(make())
    of_arm = {}
    for request in (request for each in rounds for request in each):
        of_arm.setdefault(request.phase, set()).add(request.key.arm.partition(".")[2])
    assert of_arm == {
        "turns": {""},
        "raw": {"raw", "prompt", "final.raw"},
        "final turns": {"final"},
        "streams": {"stream"},
    }


def test_each_trial_has_a_seed_of_its_own(make):
    """The seed counts on with the trials, and is a trial's at every effort."""
    found = {
        (each.key.item, each.key.arm): each.body["seed"]
        for each in make(seed=40).follow_up(())
        if each.key.arm in ("low", "high")
    }
    seeds = [found[row["id"], "low"] for row in ROWS]
    assert seeds == list(range(40, 52))
    assert seeds == [found[row["id"], "high"] for row in ROWS]


def test_every_prompt_is_another_one(make):
    """No request of the plan is the same as another: no answer serves two trials."""
    turns = [each for each in make().follow_up(()) if each.phase == "turns"]
    assert len({each.digest for each in turns}) == len(turns) == 24


def test_raw_output_is_decoded_from_the_ids_that_were_written(make):
    """What is decoded are the ids of the answer, and of the prompt for the first trial; a failure has none."""
    made = make()
    found = answers(made.opening(), lambda _, request: "refused" if request.key.arm == "high" else None)
    raws = {each.key.arm: each for each in made.follow_up(found) if each.phase == "raw"}
    assert set(raws) == {"low.raw", "low.prompt"}
    assert (raws["low.raw"].path, raws["low.raw"].body) == (
        "/detokenize",
        {"tokens": found[0].choices()[0]["token_ids"]},
    )
    assert raws["low.prompt"].body == {"tokens": found[0].answer["prompt_token_ids"]}


def test_second_turn_holds_the_conversation_as_the_model_wrote_it(make):
    """The call with its id, what was said and thought beside it, and the tool's result; all else as before."""

    def say(row, request):
        if row["case"] != "loop" or request.key.arm not in ("low", "high"):
            return None
        arguments = row["expected"][0]["arguments"]
        thought = {"reasoning": "plan"} if request.key.arm == "low" else {"reasoning_content": "plan"}
        return called(("weather", arguments), content="Let me look.", **thought)

    _, found = stages(make(), say)
    turns = {each.request.key.arm: each.request for each in found if each.request.key.item == "loop-001"}
    first, last = turns["low"].body, turns["low.final"].body
    assert {**last, "messages": first["messages"]} == first
    before, said, result = last["messages"]
    assert before == BY_ID["loop-001"]["messages"][0]
    assert said["role"] == "assistant"
    assert (said["content"], said["reasoning"], said["tool_calls"][0]["id"]) == ("Let me look.", "plan", "call-0")
    assert result == {"role": "tool", "tool_call_id": "call-0", "content": '{"code": "QX1"}'}
    assert turns["high.final"].body["messages"][1]["reasoning_content"] == "plan"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: called(),
        lambda _: called(("plan", {})),
        lambda _: called(("weather", "{")),
        lambda row: called(("weather", row["expected"][0]["arguments"]), finish="stop"),
        lambda row: called(("weather", row["expected"][0]["arguments"]), tool_calls=None),
        lambda _: "connection refused",
    ],
    ids=["no call", "another tool", "no JSON", "finish_reason", "lost by the parser", "failed"],
)
def test_loop_ends_where_its_first_turn_is_not_right(make, spoil):
    """A tool that was not called rightly has no answer, so there is no second turn to ask for."""
    _, found = stages(
        make(), lambda row, request: spoil(row) if request.key.arm == "low" and row["case"] == "loop" else None
    )
    asked = arms(each.request for each in found)
    assert "low.final" not in asked
    assert asked["high.final"] == 2


def test_streams_are_one_trial_of_each_case_and_ask_the_same(make):
    """The same turn is asked as a stream; its raw output is not decoded."""
    made = make()
    plan = {(each.key.item, each.key.arm): each for each in made.follow_up(())}
    streams = {at: each for at, each in plan.items() if at[1].endswith(".stream")}
    assert {item for item, _ in streams} == {f"{case.replace('_', '-')}-000" for case in fake_calls.CASES}
    for (item, arm), each in streams.items():
        rest = {name: value for name, value in each.body.items() if name not in ("stream", "stream_options")}
        assert rest == plan[item, arm.removesuffix(".stream")].body
        assert (each.body["stream"], each.body["stream_options"]) == (True, {"include_usage": True})


REFUSALS = [
    (
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "serve with enable_auto_tool_choice and the model's tool_call_parser among the suite's flags",
    ),
    (
        "default chat template is no longer allowed, so you must provide a chat template for tools",
        "give the model a chat template with the flag chat_template",
    ),
    (
        "This model's maximum context length is 2048 tokens, yet 90 are in tools",
        "give the engine a larger max_model_len, or the claim fewer max_tokens",
    ),
    ("Extra inputs are not permitted: return_token_ids", "use an engine that knows return_token_ids"),
    ("Invalid reasoning_effort\nhigh\x1b[31m", "mend what it refuses, or the trial"),
]


@pytest.mark.parametrize(("said", "cure"), REFUSALS)
@pytest.mark.parametrize("arm", ["low", "high"])
def test_refusal_of_the_first_trial_ends_the_asking(make, said, cure, arm):
    """A server that refuses the very first trial is asked nothing else, and the cure is told in one line."""
    made = make()
    failure = Failure(kind="HTTP 400", message=said, lasting=True)
    found = answers(made.opening(), lambda _, request: failure if request.key.arm == arm else None)
    with pytest.raises(InvalidClaim) as caught:
        made.follow_up(found)
    message = str(caught.value)
    assert message.startswith(f"the server refuses one-call-000 at {arm} effort (HTTP 400: ")
    assert message.endswith(f"; {cure}")
    assert message.isprintable()


def test_failure_that_may_pass_does_not_end_the_asking(make):
    """A lost connection says nothing of the server's flags."""
    made = make()
    assert arms(made.follow_up(answers(made.opening(), lambda *_: "connection refused")))["low"] == 12


@pytest.mark.parametrize("field", ["prompt_token_ids", "token_ids"])
@pytest.mark.parametrize("given", [None, "12", [1, True], [1.0]])
def test_server_that_hides_its_tokens_ends_the_asking(make, field, given):
    """Without the ids that were read and written nothing is proven: not asked again and again, but told."""
    made = make()

    def say(row, request):
        answer = fake_calls.right(row, request.key.arm)
        if field == "prompt_token_ids":
            return answer | {field: given}
        return answer | {"choices": [answer["choices"][0] | {field: given}]}

    found = answers(made.opening(), say)
    assert list(made.unusable(found)) == []
    with pytest.raises(InvalidClaim, match=r"does not say which tokens .* use an engine that knows return_token_ids"):
        made.follow_up(found)


def test_effort_that_does_not_reach_the_prompt_ends_the_asking(make):
    """Where both efforts render to one prompt, the effort is no effort; with a single one there is nothing to tell."""
    made = make(efforts={"low": {"temperature": 0.5}, "high": {"temperature": 0.7}})
    with pytest.raises(InvalidClaim) as caught:
        made.follow_up(answers(made.opening()))
    assert str(caught.value) == (
        "the server: the thinking effort does not reach the model: one-call-000 renders to the same prompt at low and "
        "high effort; set what this model's chat template reads under efforts"
    )
    single = make(efforts={"low": {}})
    assert arms(single.follow_up(answers(single.opening())))["low"] == 12


def test_two_of_three_efforts_that_render_alike_are_told(make):
    """Each effort must differ from each other one."""
    efforts = {**fake_calls.EFFORTS, "most": {"reasoning_effort": "high"}}
    made = make(efforts=efforts)
    with pytest.raises(InvalidClaim, match="same prompt at low and high and most effort"):
        made.follow_up(answers(made.opening()))


def test_unusable_answers_are_asked_again(make):
    """An answer with no choice or two, without ids, or decoded to no text is set aside; a failure is not."""
    made = make()
    _, found = stages(made)
    at = {(each.request.key.item, each.request.key.arm): place for place, each in enumerate(found)}
    spoilt = {
        ("one-call-001", "low"): {"choices": []},
        ("one-call-001", "high"): {"choices": found[0].answer["choices"] * 2, "prompt_token_ids": [1]},
        ("nested-000", "low"): {"choices": [{"message": {}}], "prompt_token_ids": [1]},
        ("nested-001", "low"): {"choices": [{"message": {}, "token_ids": []}]},
        ("nested-000", "high.raw"): {"prompt": None},
        ("nested-001", "high.raw"): {},
        ("loop-000", "low.final"): {"choices": [{"message": {}, "token_ids": ["1"]}], "prompt_token_ids": [1]},
    }
    whole = {("loop-000", "low.stream"): {"choices": []}, ("two-calls-000", "low"): None}
    for place, answer in (spoilt | whole).items():
        failure = None if answer is not None else Failure(kind="time-out", message="", lasting=False)
        found[at[place]] = replace(found[at[place]], answer=answer, failure=failure)
    assert {(key.item, key.arm) for key in made.unusable(found)} == set(spoilt)


def test_specification_changes_with_everything_that_decides(make):
    """Each setting, each word that is asked and everything that is right shows in what is registered."""
    usual = make().specification()
    sampling = {"temperature": 0.6}
    changes = [
        {"margin_points": 10.00001},
        {"margin_points": ...},
        {"alpha": 0.05},
        {"seed": 1},
        {"max_tokens": 401},
        {"format": "kimi_k2"},
        {"begins_in_thinking": True},
        {"begins_in_thinking": False},
        {"original_at_least": 0.51},
        {"unscored_share": 0.0001},
        {"equivalence_points": 5.0},
        {"trials_per_case": 1},
        {"sampling": {"temperature": 0.60001}},
        {"sampling": {**sampling, "top_p": 0.95}},
        {"efforts": {"low": fake_calls.EFFORTS["low"]}},
        {"efforts": {**fake_calls.EFFORTS, "high": {"reasoning_effort": "max"}}},
    ]
    loop, one = fake_calls.trial("loop", 0), ROWS[0]
    rows = [
        fake_calls.trials(3),
        ROWS[::-1],
        [{**one, "id": "other"}, *ROWS[1:]],
        [{**one, "messages": [{"role": "user", "content": "Else?"}]}, *ROWS[1:]],
        [{**one, "tools": one["tools"][::-1]}, *ROWS[1:]],
        [{**one, "case": "choice_of_twenty"}, *ROWS[1:]],
        [{**one, "expected": [{"name": "weather"}]}, *ROWS[1:]],
        [{**one, "expected": [{"name": "tool_0"}]}, *ROWS[1:]],
        [*(row for row in ROWS if row["id"] != "loop-000"), {**loop, "result": {"content": "QX0"}}],
        [*(row for row in ROWS if row["id"] != "loop-000"), {**loop, "answer_holds": ["QX0", "qx 0"]}],
    ]
    others = [make(**change).specification() for change in changes] + [make(each).specification() for each in rows]
    assert len({canonical(other) for other in (usual, *others)}) == len(changes) + len(rows) + 1


def test_specification_is_stable(make):
    """The same trials and settings are the same registration, whatever a row says besides and wherever it came from."""
    usual = make().specification()
    assert make([{**row, "domain": "any", "note": 1} for row in ROWS]).specification() == usual
    assert make(source="trials", sampling={"temperature": 0.6}).specification() == usual
    assert usual["planned_n"] == 12
    assert usual["margin"] == {"value": "10.0000", "unit": "percentage points"}


def test_mark_is_told_in_words(make):
    """The mark names the margin and, where there are several efforts, that each must meet it."""
    assert make().mark("small") == "at most 10.00 points below the original at every effort"
    assert make(efforts={"low": {}}).mark("small") == "at most 10.00 points below the original"
    assert make(margin_points=...).mark("small") == ""


def test_limited_run_takes_the_first_of_each_case(make):
    """The smaller of the suite's and the command line's number counts, and the run is partial."""
    made = make(scope=Scope(questions_per_group=1))
    assert [task.id for task in made.tasks] == [row["id"] for row in ROWS if row["id"].endswith("000")]
    assert made.partial == "1 question a subject"
    assert len(make(trials_per_case=1, scope=Scope(questions_per_group=2)).tasks) == 6
    assert len(make(trials_per_case=2).tasks) == 12
    assert make(trials_per_case=2).partial == ""


def test_prospect_is_for_every_effort(make):
    """The power at one effort, to the number of efforts; more trials and a smaller loss make it larger."""
    given = Assumption(discordance=0.05, loss=0.0, source="given")
    rows = fake_calls.trials(20)
    both, low = make(rows), make(rows, efforts={"low": {}})
    assert both.prospect("small", given).power == pytest.approx(low.prospect("small", given).power ** 2)
    assert both.prospect("small", given).planned_n == 120
    assert low.prospect("small", given).requests == 2 * (120 + 20) + 6 + 1
    worse = Assumption(discordance=0.1, loss=0.08, source="given")
    assert both.prospect("small", worse).power < both.prospect("small", given).power
    assert both.prospect("small", None).assumption.source == "assumed, for want of evidence"


def test_prospect_warns_of_what_cannot_be_shown(make):
    """Too few trials for the mark, and a claim without a mark, are told before anything boots."""
    (warning,) = make(margin_points=5.0).prospect("small", None).warnings[:1]
    assert "12 items cannot show this mark" in warning
    reported = make(margin_points=...).prospect("small", None)
    assert (reported.warnings, reported.power, reported.planned_n) == ((NO_MARK,), None, None)
    assert reported.requests > 0


def test_published_plan_has_its_power(claim):
    """600 trials with a margin of 5 points show a loss of one point with the power that the plan promises."""
    made = claim(
        "tool_calls", fake_calls.SETTINGS | {"margin_points": 5.0, "efforts": {"low": {}}}, fake_calls.trials(100)
    )
    found = made.prospect("small", Assumption(discordance=0.06, loss=0.01, source="given"))
    assert found.planned_n == 600
    assert found.power > 0.9


def test_evidence_so_far_is_assumed_to_go_on(make, evidence):
    """Discordance and loss over all trials that both sides have a score for; from too few nothing is assumed."""
    rows = fake_calls.trials(3)
    made = make(rows)

    def side(say=None):
        return replace(evidence("x"), exchanges={"tool_calls": tuple(fake_calls.asked(made, rows, say))})

    lost = side(lambda row, request: called() if row["id"] == "nested-001" and "tools" in request.body else None)
    found = made.assume(side(), lost)
    assert (found.discordance, found.loss) == (pytest.approx(2 / 36), pytest.approx(2 / 36))
    assert found.source == "seen in the evidence of 36 trials"
    half = side(lambda _, request: "refused" if request.key.arm == "high" else None)
    assert made.assume(side(), half) is None
    assert made.assume(evidence("x"), evidence("y")) is None


def test_cost_grows_with_what_is_written(make):
    """More tokens, more trials and more efforts cost more."""
    usual = make().cost
    assert make(max_tokens=4000).cost > usual
    assert make(fake_calls.trials(3)).cost > usual
    assert make(efforts={"low": {}}).cost < usual


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "kimi"}, "format: Input should be 'kimi_k2', 'kimi_k3' or 'hermes'"),
        ({"format": ...}, "format: is missing; add it"),
        ({"source": ...}, "source: is missing; add it"),
        ({"max_tokens": ...}, "max_tokens: is missing; add it"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": 1.5}, "max_tokens"),
        ({"seed": -1}, "seed"),
        ({"margin_points": 0}, "margin_points"),
        ({"margin_points": 100}, "margin_points"),
        ({"margin_points": float("nan")}, "margin_points"),
        ({"alpha": 0.5}, "alpha"),
        ({"original_at_least": 0}, "original_at_least"),
        ({"original_at_least": 1.01}, "original_at_least"),
        ({"unscored_share": 1}, "unscored_share"),
        ({"trials_per_case": 0}, "trials_per_case"),
        ({"begins_in_thinking": 1}, "begins_in_thinking"),
        ({"efforts": {}}, "efforts: Dictionary should have at least 1 item"),
        ({"efforts": {"low": 1}}, "efforts.low: Input should be a valid dictionary"),
        ({"efforts": {"low.raw": {}}}, "efforts: 'low.raw' is no word; call it low, say"),
        ({"efforts": {"": {}}}, "efforts: '' is no word"),
        ({"efforts": {"low": {"stream": True}}}, "efforts.low.stream: is set by the claim itself; remove it"),
        ({"efforts": {"low": {"messages": []}}}, "efforts.low.messages: is set by the claim itself"),
        ({"efforts": {"low": {"top_k": float("nan")}}}, "efforts.low: cannot be sent as JSON"),
        ({"efforts": {"low": {"when": {1, 2}}}}, "efforts.low: cannot be sent as JSON"),
        ({"sampling": {"temperature": "hot"}}, "sampling.temperature"),
        ({"sampling": {"temperature": float("inf")}}, "sampling.temperature"),
        ({"sampling": {"max_tokens": 9}}, "sampling.max_tokens: is set by the claim itself; remove it"),
        ({"sampling": {"n": 2}}, "sampling.n: is set by the claim itself; remove it"),
        ({"sampling": ...}, "sampling: is missing; add it"),
        ({"effort": {}}, "effort: no such field"),
    ],
)
def test_wrong_settings_are_named(make, change, told):
    """A setting of the wrong type, out of its range, or in the claim's own way is told with the file and the field."""
    with pytest.raises(SuiteError) as caught:
        make(**change)
    assert f"suite.toml: claims.tool_calls.{told}" in str(caught.value)
    assert str(caught.value).splitlines() == [str(caught.value)]


def test_answer_in_words_where_a_call_is_due_is_decoded_all_the_same(make):
    """What a model says instead of calling is read raw too: a call may be hidden in it."""
    made = make()
    found = answers(made.opening(), lambda *_: spoken("Oslo is cold."))
    assert arms(made.follow_up(found))["low.raw"] == 1
