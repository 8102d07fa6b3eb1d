"""From a plan to a passage: which beats are told, in which order, and in which words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from twx_accept.documents.drawing import Draw
from twx_accept.documents.naming import in_full, introduced
from twx_accept.documents.wording import finished, spelled_starts
from twx_accept.documents.writing import Beat, Plan

LEAST_FACTS, MOST_FACTS = 8, 11
FEWEST_WORDS, MOST_WORDS = 112, 205  # what a passage aims at; its last sentence may go beyond
_RUN = 8  # so many words in a row are told in one passage of a set only
_TRIES = 12
_JOINS = (", and ", ", and ", "; ")
_OPENERS = re.compile(r"(?:The|It|Its|In|At|For|On|Of|An?|There|With|By|To|From|Each|Every|No|Under|Above)(?= )")
_SIMPLE = re.compile(r"[^;:!?\".]*(?:\d\.\d[^;:!?\".]*)*\.")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class _Told:
    """A beat in its words. ``place`` orders it: its group, and where in the group."""

    place: tuple[int, int]
    facts: tuple[str, ...]
    text: str


class Shelf:
    """The passages of one set, which have no long run of words in common."""

    def __init__(self) -> None:
        self._runs: set[tuple[str, ...]] = set()

    def write(self, plan: Plan, draw: Draw) -> tuple[str, tuple[str, ...]]:
        """Write one passage.

        Returns:
            Its text, and the facts that it states, in the order in which it states them.
        """
        beats = [_Told((-1, 0), plan.opening.facts, chosen(draw.one(plan.opening.wordings), draw))]
        beats += self._facts(plan, draw, draw.number(LEAST_FACTS, MOST_FACTS) - len(plan.opening.facts))
        beats += self._asides(plan, draw, draw.number(FEWEST_WORDS, MOST_WORDS) - _words(beats))
        beats.sort(key=lambda beat: beat.place)
        for beat in beats:
            self._runs.update(_runs(beat.text))
        facts = tuple(finished(in_full(fact)) for beat in beats for fact in beat.facts)
        return spelled_starts(finished(introduced(_laid_out(beats, plan.between, draw)))), facts

    def _facts(self, plan: Plan, draw: Draw, wanted: int) -> Iterator[_Told]:
        """Beats of the body until so many facts are told."""
        order = draw.shuffled([(group, beat) for group, beats in enumerate(plan.body) for beat in beats if beat.facts])
        for group, beat in sorted(order, key=lambda placed: not placed[1].leads):
            if len(beat.facts) <= wanted and (text := self._worded(beat, draw)):
                wanted -= len(beat.facts)
                yield _Told((group, -1 if beat.leads else draw.below(1000)), beat.facts, text)

    def _asides(self, plan: Plan, draw: Draw, wanted: int) -> Iterator[_Told]:
        """Asides until so many words more are told."""
        asides = [(group, beat) for group, beats in enumerate(plan.body) for beat in beats if not beat.facts]
        for group, beat in draw.shuffled(asides):
            if wanted > 0 and (text := self._worded(beat, draw)):
                wanted -= len(text.split())
                yield _Told((group, draw.below(1000)), (), text)

    def _worded(self, beat: Beat, draw: Draw) -> str | None:
        """The beat in words that no passage of the set has used; None where a few tries find none."""
        for _ in range(_TRIES):
            text = chosen(draw.one(beat.wordings), draw)
            if not any(run in self._runs for run in _runs(text)):
                return text
        return None


def chosen(wording: str, draw: Draw) -> str:
    """The wording with each choice made, the inner ones first."""
    while found := _CHOICE.search(wording):
        wording = wording[: found.start()] + draw.one(found[1].split("|")) + wording[found.end() :]
    return wording


def _words(beats: Sequence[_Told]) -> int:
    return sum(len(beat.text.split()) for beat in beats)


def _runs(text: str) -> list[tuple[str, ...]]:
    """Every run of words, and each sentence that is shorter than a run."""
    plain = spelled_starts(in_full(text)).lower()
    words = re.findall(r"[^\W_]+", plain)
    runs = [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]
    return runs + [tuple(sentence.split()) for sentence in re.split(r"(?<=[.!?])\s+", plain)]


def _laid_out(beats: Sequence[_Told], between: str, draw: Draw) -> str:
    """The beats one after the other; here and there two short ones become one sentence."""
    text, joined = beats[0].text, True
    for before, beat in pairwise(beats):
        if before.place[0] != beat.place[0]:
            text, joined = text + between + beat.text, False
        elif not joined and _join(before) and (start := _OPENERS.match(beat.text)) and _join(beat) and draw.chance(60):
            text = text[:-1] + draw.one(_JOINS) + start[0].lower() + beat.text[start.end() :]
            joined = True
        else:
            text, joined = f"{text} {beat.text}", False
    return text


def _join(beat: _Told) -> bool:
    """Whether the beat is one short and simple sentence, which can be joined with another."""
    short = len(beat.text.split()) < 16 and ", and " not in beat.text
    return bool(beat.facts) and short and _SIMPLE.fullmatch(beat.text) is not None
