"""Passages about towns with the facts planted in them, labelled facts, and a server that writes facts as a test says.

Every passage says its facts word for word, one a sentence, so that a matcher that compares sentences is enough:
:class:`Sentences` is one, which leaves undecided what has a "perhaps" in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twx_accept.claims.made_up_facts.supporting import Match, Support
from twx_accept.domain.exchange import Exchange, Failure, Request
from twx_accept.errors import DatasetError

SETTINGS: Mapping[str, Any] = {
    "source": "towns",
    "labelled": "labelled",
    "margin_points": 20.0,
    "recall_margin_points": 20.0,
    "recall_floor": 0.5,
}
REPORTED: Mapping[str, Any] = {"source": "towns"}
BEGINNINGS = ("Bren", "Cal", "Dor", "Esk", "Fal", "Gar", "Hul", "Ild")
ENDS = ("low", "wick", "by", "ham", "ford", "stead")
KINDS = ("gazetteer", "notice")

Said = Sequence[str] | str | Mapping[str, Any] | Failure
Row = Mapping[str, Any]


def town(number: int, *, planted: bool = True) -> dict[str, Any]:
    """One passage of five sentences, each of which is a planted fact."""
    name = BEGINNINGS[number % 8] + ENDS[number // 8 % 6]
    facts = [
        f"{name} has {number + 412} houses.",
        f"{name} has {number % 7 + 3} bridges.",
        f"The school of {name} was built in {number + 1801}.",
        f"The river of {name} is {number + 31} kilometres long.",
        f"The tower of {name} is {number + 52} metres high.",
    ]
    row: dict[str, Any] = {"id": f"t{number:02}", "kind": KINDS[number % 2], "text": " ".join(facts)}
    if planted:
        row["facts"] = [{"id": f"t{number:02}.{place}", "text": fact} for place, fact in enumerate(facts)]
    return row


def towns(count: int = 48, *, planted: bool = True) -> list[dict[str, Any]]:
    """That many passages, no two of which share a name."""
    return [town(number, planted=planted) for number in range(count)]


def labelled(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Two true facts, two false ones and a line that is none, of each passage."""
    found = []
    for row in rows:
        true = [fact["text"] for fact in row["facts"][:2]]
        false = [fact.replace("has ", "has 9") for fact in true]
        lines = [*((each, "supported") for each in true), *((each, "unsupported") for each in false)]
        lines.append(("Here are the facts:", "not_a_fact"))
        found += [
            {"id": f"{row['id']}-{place}", "passage": row["id"], "fact": fact, "label": label, "kind": "number"}
            for place, (fact, label) in enumerate(lines)
        ]
    return found


@dataclass
class Towns:
    """Sources: the passages, and facts about the first eight of them that are labelled."""

    passages: Sequence[Row]
    facts: Sequence[Row] | None = None

    def rows(self, source: str, split: str) -> Sequence[Row]:
        """The rows of a split."""
        if source == "towns" and split == "test":
            return self.passages
        known = towns(8)
        if source == "labelled" and split == "passages":
            return known
        if source == "labelled" and split == "sealed":
            return labelled(known) if self.facts is None else self.facts
        raise DatasetError(f"{source}: no {split}")


class Sentences:
    """A matcher that supports what a passage says word for word."""

    def __init__(self, passage: str) -> None:
        self.sentences = {sentence.strip().rstrip(".") for sentence in passage.replace("\n", " ").split(". ")}

    def match(self, fact: str) -> Match:
        """Whether the passage has that sentence."""
        plain = fact.rstrip(".")
        verdict = Support.SUPPORTED if plain in self.sentences else Support.UNSUPPORTED
        if "perhaps" in fact:
            verdict = Support.UNDECIDED
        if fact.endswith(":"):
            verdict = Support.NOT_A_FACT
        return Match(verdict=verdict, reason=f"because it is {verdict}", sentence=plain)


def truth(row: Row) -> list[str]:
    """The passage's facts as they are planted."""
    return [fact["text"] for fact in row["facts"]]


def chat(text: Any, *, finish: str = "stop", tokens: int = 50, **message: Any) -> dict[str, Any]:
    """A chat completion that holds that text."""
    return {
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "reasoning": None, **message},
                "finish_reason": finish,
            }
        ],
        "usage": {"prompt_tokens": 300, "completion_tokens": tokens},
    }


def completion(text: Any, *, finish: str = "stop", tokens: int = 50) -> dict[str, Any]:
    """A completion of text."""
    choice = {"index": 0, "text": text, "finish_reason": finish}
    return {"choices": [choice], "usage": {"prompt_tokens": 300, "completion_tokens": tokens}}


def exchange(request: Request, said: Said) -> Exchange:
    """The exchange of a request: lines, a text, the server's JSON, or a failure."""
    failure = said if isinstance(said, Failure) else None
    answer: Mapping[str, Any] | None = said if isinstance(said, Mapping) else None
    if failure is None and answer is None:
        text = said if isinstance(said, str) else "\n".join(f"- {line}" for line in said)
        answer = chat(text) if request.path.endswith("/chat/completions") else completion(text)
    return Exchange(request=request, answer=answer, failure=failure, seconds=0.1, attempts=1)


def answers(requests: Sequence[Request], rows: Sequence[Row], say: Callable[[int, Row], Said]) -> list[Exchange]:
    """What a server answers: ``say`` is given each passage with its place."""
    places = {row["id"]: (place, row) for place, row in enumerate(rows)}
    return [exchange(request, say(*places[request.key.item])) for request in requests]


LOST = Failure(kind="no connection", message="connection refused", lasting=False)
