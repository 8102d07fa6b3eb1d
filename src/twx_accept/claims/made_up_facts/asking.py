"""What is asked of a build: one request a passage, to write out its facts."""

from dataclasses import dataclass
from typing import Any

from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.prompts import PLACE, STOP
from twx_accept.claims.made_up_facts.settings import CLAIM, MadeUpFactsSettings
from twx_accept.domain.exchange import Key, Request

ANSWER, JUDGE, LABELLED = "answer", "judge", "labelled"
"""Arms: the facts of a passage, what a judge says of one of them, and what it says of a fact that people labelled."""


def key(item: str, arm: str = ANSWER) -> Key:
    """The key of an exchange of this claim."""
    return Key(claim=CLAIM, item=item, arm=arm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The requests of one build."""

    settings: MadeUpFactsSettings
    passages: tuple[Passage, ...]

    def requests(self) -> list[Request]:
        """One a passage. A prompt is no list, so that each answer tells its own tokens, which show where it was cut."""
        return [self._request(passage) for passage in self.passages]

    def prompt(self, passage: Passage) -> str:
        """What the model reads."""
        return self.settings.template.replace(PLACE, passage.text)

    def sampling(self) -> dict[str, Any]:
        """How the model writes, as it is sent."""
        chosen = self.settings
        stop = {"stop": list(STOP)} if chosen.mode == "completion" else {}
        return {
            "max_tokens": chosen.max_tokens,
            "temperature": chosen.temperature,
            "top_p": chosen.top_p,
            "seed": chosen.seed,
            **stop,
            **chosen.effort,
        }

    def _request(self, passage: Passage) -> Request:
        prompt = self.prompt(passage)
        path = "/v1/completions"
        asked: dict[str, Any] = {"prompt": prompt}
        if self.settings.mode == "chat":
            path = "/v1/chat/completions"
            asked = {"messages": [{"role": "user", "content": prompt}]}
        return Request(key=key(passage.id), path=path, body={**asked, **self.sampling()}, phase="text")
