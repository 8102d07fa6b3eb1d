import pytest

from fake_facts import LOST, chat, completion, exchange
from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.asking import Plan
from twx_accept.claims.made_up_facts.reading import State, read, text_of
from twx_accept.claims.made_up_facts.settings import MadeUpFactsSettings

SETTINGS = MadeUpFactsSettings(source="towns", max_tokens=100, most_facts=5)
PASSAGE = Passage(id="p", kind="note", text="A town.")


def asked(answer, mode="chat"):
    """The exchange in which that came back."""
    settings = SETTINGS.model_copy(update={"mode": mode})
    return exchange(Plan(settings=settings, passages=(PASSAGE,)).requests()[0], answer)


def test_a_list_is_read():
    """The lines of the message are its facts; reasoning is none."""
    answer = read(asked(chat("- One town.\n- Two towns.\n- One town.", reasoning="Three towns?")), SETTINGS)
    assert (answer.state, answer.facts, answer.duplicates) == (State.WRITTEN, ("One town.", "Two towns."), 1)


def test_a_completion_goes_on_with_the_first_fact():
    """The prompt ended with the first bullet."""
    answer = read(asked(completion(" One town.\n- Two towns."), mode="completion"), SETTINGS)
    assert answer.facts == ("One town.", "Two towns.")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (chat("One.", finish="length"), "cut at the limit of 100 tokens"),
        (chat("One.", tokens=100), "cut at the limit of 100 tokens"),
        (chat(None, finish="length"), "cut at the limit of 100 tokens"),
        (chat("\n".join(f"Fact {n} is one." for n in range(6))), "6 facts, more than the 5 that are read"),
        (chat("\n".join(f"Fact {n} is one." for n in range(10_000))), "10,000 facts"),
        (chat("word " * 40_000), "a line of 200,000 characters"),
    ],
)
def test_what_is_cut_short_says_so(answer, why):
    """By its reason to stop, by its tokens, by more facts than are read, by a line without end."""
    found = read(asked(answer), SETTINGS)
    assert found.state is State.TRUNCATED
    assert not found.counts
    assert why in found.why
    assert len(found.facts) <= SETTINGS.most_facts


def test_a_full_answer_is_whole():
    """As many facts as are read, and one token fewer than there may be, are not cut."""
    text = "\n".join(f"The {n} of them." for n in range(5))
    assert read(asked(chat(text, tokens=99)), SETTINGS).state is State.WRITTEN


@pytest.mark.parametrize("usage", [None, {}, {"completion_tokens": None}, {"completion_tokens": "many"}, []])
def test_an_answer_without_usage_is_read(usage):
    """Tokens that are not told say nothing."""
    answer = chat("One town.") | {"usage": usage}
    assert read(asked(answer), SETTINGS).state is State.WRITTEN


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I cannot help with that.",
        "I\u2019m sorry, but I can\u2019t assist with that request.",
        "Sorry, I am unable to provide the facts.",
        "I cannot extract facts from this.",
        "As an AI language model, I do not have access to the passage.",
        "Unfortunately, I can't access the passage.",
    ],
)
def test_a_refusal_is_no_list_of_facts(text):
    """A message that says it cannot is counted as that, and holds no fact."""
    found = read(asked(chat(text)), SETTINGS)
    assert (found.state, found.facts, found.counts) == (State.REFUSED, (), True)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot swim, the diary says.",
        "I am sorry for the dogs, wrote Iris.",
        "Sorry was the name of the ship.",
        "\n".join(["I cannot provide it all.", *(f"The {n} of them." for n in range(3))]),
        "The keeper said: I cannot help you.",
    ],
)
def test_facts_about_somebody_who_cannot_are_facts(text):
    """A first person in the passage, or a list after a sigh, is read."""
    assert read(asked(chat(text)), SETTINGS).state is State.WRITTEN


def test_the_servers_own_mark_of_a_refusal_counts():
    """A message may be a refusal without content."""
    assert read(asked(chat(None, refusal="No.")), SETTINGS).state is State.REFUSED


@pytest.mark.parametrize("text", ["", "  \n ", None])
def test_nothing_written_is_an_answer_without_facts(text):
    """A build may have nothing to say; that is no failure of the server."""
    found = read(asked(chat(text)), SETTINGS)
    assert (found.state, found.facts) == (State.WRITTEN, ())


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"choices": []},
        {"choices": "none"},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {}}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"content": [{"text": "One."}]}}]},
        {"choices": [{"message": {"content": "One."}}, {"message": {"content": "Two."}}]},
        chat("One.", finish="abort"),
    ],
)
def test_what_is_no_text_is_missing_and_asked_again(answer):
    """An answer that nobody can read is not the build's word."""
    assert text_of(asked(answer)) is None
    assert read(asked(answer), SETTINGS).state is State.MISSING


def test_a_failure_is_missing_with_its_reason():
    """Nothing came back, or nothing was asked."""
    assert read(asked(LOST), SETTINGS).why == "no connection: connection refused"
    assert read(None, SETTINGS).why == "was never asked"
