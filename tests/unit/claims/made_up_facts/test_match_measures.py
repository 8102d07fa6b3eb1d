"""What the matcher makes of facts that nobody labelled: changed words, and documents whose facts are known.

No list of words can be fitted to these: the changes are drawn from the passage itself, and the documents from a seed.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from twx_accept.claims.made_up_facts.matching import Matcher, Support
from twx_accept.claims.made_up_facts.matching.alignment import optional
from twx_accept.claims.made_up_facts.matching.reading import read, statements
from twx_accept.claims.made_up_facts.matching.text import plain
from twx_accept.claims.made_up_facts.matching.word import Word
from twx_accept.claims.made_up_facts.matching.words import related
from twx_accept.documents import make

FACTS = Path(__file__).parents[4] / "fixtures" / "facts"
SEEDS = (4242, 77)
NUMBER = re.compile(r"\d[\d,.]*\d|\d")

# What it has reached. A swap is sometimes true by chance, so that none at all is out of reach.
SWAPPED, OWN, OTHERS, VALUES = 0.11, 0.79, 0.0, 0.018


def _kind(word: Word) -> str:
    """Words of one kind may change places: a noun for a noun, a date for a date."""
    if word.value is not None:
        return f"{word.value.kind} {word.value.unit}"
    return f"{word.tag} {word.lex.form}" if word.content and not word.label and not optional(word) else ""


def _swaps(fact: str, passage: str, draw: random.Random) -> Iterator[str]:
    """A fact with one of its words changed for another of the passage, each word once."""
    reading = read(passage)
    words = statements(plain(fact), reading.names)[0].words
    pool = [word for sentence in reading.sentences for word in sentence.words if _kind(word)]
    mine = {word.low for word in words}
    for word in words:
        options = [
            other.text
            for other in pool
            if _kind(other) == _kind(word)
            and other.low not in mine
            and (word.value is not None or not related(word.lex, other.lex))
        ]
        if options and _kind(word) and fact[word.start :].startswith(word.text):
            yield fact[: word.start] + draw.choice(options) + fact[word.start + len(word.text) :]


def test_a_changed_word_is_seldom_supported() -> None:
    """A plain fact that is supported loses its support with a word of the same kind from the same passage."""
    tried = accepted = 0
    draw = random.Random(1)  # noqa: S311 a draw of words, no secret
    for folder in ("labelled", "more"):
        lines = (FACTS / folder / "passages.jsonl").read_text("utf-8").splitlines()
        texts = {row["id"]: row["text"] for row in map(json.loads, lines)}
        prepared = {name: Matcher(text) for name, text in texts.items()}
        for row in map(json.loads, (FACTS / folder / "open.jsonl").read_text("utf-8").splitlines()):
            matcher = prepared[row["passage"]]
            if row["kind"] != "plain" or matcher.match(row["fact"]).verdict is not Support.SUPPORTED:
                continue
            for changed in _swaps(row["fact"], texts[row["passage"]], draw):
                tried += 1
                accepted += matcher.match(changed).verdict is Support.SUPPORTED
    assert tried > 1000
    assert accepted / tried <= SWAPPED, f"{accepted} of {tried} changed facts are supported"


def test_documents_support_their_own_facts_and_no_others() -> None:
    """Facts planted in a document are found there, in other documents never, and with another number seldom."""
    own, others, values = [], [], []
    draw = random.Random(1)  # noqa: S311 a draw of words, no secret
    for seed in SEEDS:
        documents = make(seed, 48)
        for number, document in enumerate(documents):
            matcher = Matcher(document.text)
            texts = [fact.text for fact in document.facts]
            own += [matcher.match(text).verdict for text in texts]
            others += [matcher.match(fact.text).verdict for fact in documents[number - 1].facts]
            for text in texts:
                mine = NUMBER.findall(text)
                spare = [found for other in texts for found in NUMBER.findall(other) if found not in mine]
                changed = text.replace(draw.choice(mine), draw.choice(spare), 1) if mine and spare else text
                if changed not in texts:
                    values.append(matcher.match(changed).verdict)
    for verdicts, least, most in ((own, OWN, 1.0), (others, 0.0, OTHERS), (values, 0.0, VALUES)):
        share = sum(verdict is Support.SUPPORTED for verdict in verdicts) / len(verdicts)
        assert least <= share <= most, f"{share:.3f} of {len(verdicts)}"
