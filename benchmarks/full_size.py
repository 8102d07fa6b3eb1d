"""Evidence of a run at the published size, made without an engine: what judging and growth are measured on.

An original and builds of it, asked every claim of the suite kimi-k3.1 at its size: 14,042 made-up questions by letter,
360 passages to take facts from, 600 trials of tool calls at two efforts, 82,712 positions of 310 passages. The answers
are those that a model with small losses would give: what is right, and for a build now and then something else. They
mean nothing.
"""

import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from client_cost import made_up
from workbench import ROOT

from twx_accept import claims
from twx_accept.claims.made_up_facts.changing import CHANGES, changed
from twx_accept.cli.common import suite_of
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.evidence import Boot, Inventory, Origin, Tensor
from twx_accept.domain.exchange import Exchange, Request, digest
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Build, Suite
from twx_accept.evidence import Store, attempts
from twx_accept.ledger import Ledger
from twx_accept.registration import ledgers
from twx_accept.sources import FileOrHub

sys.path.insert(0, str(ROOT / "tests"))  # the server that calls tools rightly is that of the tests

import fake_calls

QUESTIONS, PASSAGES, POSITIONS, TRIALS = 14_042, 360, 82_712, 100
VOCABULARY, WIDTH = 163_840, 50
SUITE = """
[suite]
name = "full-size"
title = "Evidence made up at the published size"
version = 1
original = "original"

[engine]
python = "/nowhere/python"
device = "cuda"
ready_seconds = 60
stop_seconds = 60
memory_seconds = 60

[flags]
max_model_len = 8192

[asking]
concurrency = 16
prompts_per_request = 32
timeout_seconds = 60
attempts = 1

[[builds]]
name = "original"
title = "original"
path = "original"

{builds}

[claims.weight_size.mark]
{marks}

[claims.cache_headroom]
mark = 0.95

[claims.multiple_choice]
title = "Questions"
short = "questions"
source = "questions"
scoring = "letter"
margin_points = 1.0
alpha = 0.025
unscored_share = 0.0002
lead_share = 0.05

[claims.made_up_facts]
source = "documents.jsonl"
labelled = "{labelled}"
max_tokens = 8192
margin_points = 2.0
recall_margin_points = 3.0
recall_floor = 0.80
made_up_ceiling = 0.10

[claims.tool_calls]
source = "{trials}"
trials_per_case = {trials_per_case}
format = "hermes"
max_tokens = 4096
seed = 31
sampling = {{ temperature = 1.0 }}
margin_points = 5.0
original_at_least = 0.80
[claims.tool_calls.efforts]
low = {{ reasoning_effort = "low" }}
high = {{ reasoning_effort = "high" }}

[claims.agreement]
source = "passages"
top_k = 50
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything. ``builds`` are those beside the original."""

    builds: int = 3
    questions: int = QUESTIONS
    passages: int = PASSAGES
    trials_per_case: int = TRIALS
    positions: int = POSITIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A suite with its registered marks and its evidence."""

    suite: Suite
    claims: tuple[Any, ...]
    book: Ledger
    evidence: Path
    exchanges: int


def make(folder: Path, size: Size) -> Made:
    """Write suite, questions, marks and evidence to a folder."""
    suite = _suite(folder, size)
    sources = FileOrHub(folder=folder)
    made = claims.of_suite(suite, sources, Scope())
    (folder / "tests").mkdir()
    who = ledgers.Who(name="benchmark", date="2026-01-01T00:00:00+00:00", commit="0" * 40)
    book = ledgers.register(folder / "tests", suite, made, who)
    evidence = folder / "evidence"
    evidence.mkdir()
    count = 0
    for number, build in enumerate((suite.original, *suite.builds)):
        count += _Answers(suite, made, number, size).keep(evidence, build, book.head)
    return Made(suite=suite, claims=made, book=book, evidence=evidence, exchanges=count)


def _suite(folder: Path, size: Size) -> Suite:
    names = [f"build-{number}" for number in range(1, size.builds + 1)]
    builds = "\n".join(f'[[builds]]\nname = "{name}"\ntitle = "{name}"\npath = "{name}"' for name in names)
    text = SUITE.format(
        builds=builds,
        marks="\n".join(f"{name} = 0.77" for name in names),
        labelled=ROOT / "fixtures/facts/labelled",
        trials=ROOT / "fixtures/tools/trials.jsonl",
        trials_per_case=size.trials_per_case,
    )
    file = folder / "full-size.toml"
    file.write_text(text, encoding="utf-8")
    questions = made_up(size.questions)
    (folder / "questions").mkdir()
    for split, rows in (("test", questions.questions), ("dev", [each for s in questions.shots.values() for each in s])):
        lines = [
            {"id": q.id, "subject": q.subject, "question": q.text, "choices": list(q.choices), "answer": q.answer}
            for q in rows
        ]
        _write(folder / "questions" / f"{split}.jsonl", lines)
    documents = (ROOT / "fixtures/documents/kimi-k3.1.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in documents]
    _write(folder / "documents.jsonl", [_again(rows[at % len(rows)], at // len(rows)) for at in range(size.passages)])
    long = (ROOT / "fixtures/passages/long.jsonl").read_text(encoding="utf-8").splitlines()
    passages = [json.loads(line) for line in long]
    count = max(2, round(len(passages) * size.positions / POSITIONS))
    (folder / "passages").mkdir()
    again = [_again(passages[at % len(passages)], at // len(passages)) for at in range(count)]
    _write(folder / "passages" / "test.jsonl", again)
    return suite_of(folder, str(file))


def _again(row: Mapping[str, Any], turn: int) -> dict[str, Any]:
    """The row under another id where there are fewer than are wanted."""
    if not turn:
        return dict(row)
    facts = [{**fact, "id": f"{fact['id']}-{turn}"} for fact in row.get("facts", ())]
    return {
        **row,
        "id": f"{row['id']}-{turn}",
        "text": f"{row['text']} Copy {turn}.",
        **({"facts": facts} if facts else {}),
    }


def _write(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


class _Answers:
    """What one build answers."""

    def __init__(self, suite: Suite, made: Sequence[Any], number: int, size: Size) -> None:
        self.suite, self.claims, self.number, self.size = suite, made, number, size
        self.chance = random.Random(number)  # noqa: S311 - made-up answers need no secrecy

    def keep(self, folder: Path, build: Build, head: str) -> int:
        """Write its evidence file; how many exchanges it holds."""
        seed = digest(build.name)
        identity: dict[str, Any] = {
            "weights": {"model.safetensors": seed},
            "tokenizer": {"tokenizer.json": "0" * 64},
            "configuration": {"config.json": seed},
            "engine": {"vllm": "0.32.0"},
            "flags": dict(self.suite.flags),
            "asking": {"concurrency": 16, "prompts_per_request": 32},
            "machine": {"cards": 8},
        }
        inventory = Inventory(
            weights={"model.safetensors": 10_000 - 3000 * bool(self.number)},
            digests={"model.safetensors": seed},
            tensors={f"layers.{n}.weight": Tensor(dtype="BF16", shape=(8, 8), bytes=128) for n in range(500)},
        )
        file = folder / f"{self.suite.name}-{build.name}.sqlite"
        weights = attempts.weights_of(identity["weights"])

        def begin() -> Origin:
            number = attempts.begin(folder, self.suite, build, weights, file, head)
            return Origin(
                suite=self.suite.name,
                build=build.name,
                weights=weights,
                control=False,
                partial="",
                ledger=head,
                attempt=number,
                began="2026-01-01T00:00:00+00:00",
            )

        count = 0
        with Store(file, identity, inventory, begin=begin) as store:
            store.add_boot(self._boot())
            for claim in self.claims:
                found = self._asked(claim)
                for at in range(0, len(found), 500):
                    store.keep(found[at : at + 500])
                count += len(found)
        return count

    def _boot(self) -> Boot:
        return Boot(
            number=1,
            ready_seconds=60.0,
            engine_version="0.32.0",
            device="cuda",
            flags={},
            settings={"model_config": {"max_model_len": 8192}},
            cache={"cache_dtype": "fp8", "gpu_memory_utilization": "0.9", "enable_prefix_caching": "True"},
            capacity_tokens=300_000 + 100_000 * bool(self.number),
            weights_gib=(40.0 - 12 * bool(self.number),) * 8,
            cache_gib=(30.0 + 12 * bool(self.number),) * 8,
            cards=(80 * 2**30,) * 8,
        )

    def _asked(self, claim: Any) -> list[Exchange]:
        if claim.name == "tool_calls":
            text = (ROOT / "fixtures/tools/trials.jsonl").read_text(encoding="utf-8")
            return fake_calls.asked(claim, [json.loads(line) for line in text.splitlines()], self._called)
        answer = {
            "multiple_choice": self._letter,
            "made_up_facts": self._facts,
            "agreement": self._distributions,
        }.get(claim.name)
        found: dict[Any, Exchange] = {}
        planned = list(claim.opening())
        while planned and answer is not None:
            found |= {request.key: answer(claim, request) for request in planned}
            planned = [each for each in claim.follow_up(tuple(found.values())) if each.key not in found]
        return list(found.values())

    def _called(self, _row: Mapping[str, Any], request: Request) -> Any:
        """Now and then words in the place of a call."""
        odd = request.path.endswith("chat/completions") and self.chance.random() < 0.02 * (1 + self.number)
        return fake_calls.spoken("I would rather not.") if odd and "." not in request.key.arm else None

    def _letter(self, claim: Any, request: Request) -> Exchange:
        if request.path == "/tokenize":
            prompt = request.body["prompt"]
            more = [330 + "ABCD".index(prompt[-1])] if request.key.arm != "tokens" else []
            return _exchange(request, {"count": 0, "tokens": [*range(700), *more]})
        question = _by_id(claim)[request.key.item]
        own = random.Random(question.id)  # noqa: S311 - the same for every build
        right = question.answer if own.random() < 0.8 else (question.answer + 1) % 4
        if self.number and self.chance.random() < 0.037:
            right = (right + 1) % 4
        ids = request.body["logprob_token_ids"]
        values = [-0.25 - self.chance.random() / 4 if at == right else -2.0 - at / 8 for at in range(len(ids))]
        top = {f"token_id:{token}": value for token, value in zip(ids, values, strict=True)}
        choice = {
            "index": 0,
            "text": " A",
            "logprobs": {
                "text_offset": [0],
                "token_logprobs": [-0.3],
                "tokens": ["token_id:330"],
                "top_logprobs": [top],
            },
            "finish_reason": "length",
            "token_ids": [330],
            "prompt_token_ids": [(at * 7919 + len(question.id)) % 49152 for at in range(740)],
        }
        return _exchange(request, {"id": "cmpl-0", "model": "m", "choices": [choice], "usage": {"prompt_tokens": 740}})

    def _facts(self, claim: Any, request: Request) -> Exchange:
        passage = {each.id: each for each in claim.passages.passages}[request.key.item]
        facts = [fact for fact in passage.planted if self.chance.random() > 0.03]
        for at, fact in enumerate(facts):
            if self.chance.random() < 0.03 + 0.005 * self.number:
                facts[at] = changed(fact, self.chance.choice(CHANGES), ["Brenwick"]) or fact
        text = "\n".join(f"- {fact}" for fact in facts)
        message = {"role": "assistant", "content": text, "reasoning": None, "tool_calls": []}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return _exchange(request, {"model": "m", "choices": [choice], "usage": {"completion_tokens": len(text) // 4}})

    def _distributions(self, claim: Any, request: Request) -> Exchange:
        if request.path == "/tokenize":
            if request.key.arm != "tokens":
                return _exchange(request, {"tokens": [1, 2, 3]})
            return _exchange(request, {"tokens": self._passage(claim, request)[0]})
        if request.path != "/v1/completions":
            return _exchange(request, {})
        ids = request.body["prompt"]
        _, rows = self._passage(claim, request)
        if request.key.arm == "full":
            values = np.full((1, VOCABULARY), -np.log(VOCABULARY), dtype=np.float32)
            whole = Distributions(np.arange(VOCABULARY, dtype=np.int32)[None], values)
            return _exchange(request, {"choices": [{"index": 0}]}, whole)
        noise = np.random.default_rng([self.number, len(ids)]).normal(0, 0.3, (len(ids) - 1, WIDTH + 1))
        logits = np.linspace(4, -8, WIDTH + 1)[None] * np.ones((len(ids) - 1, 1)) + noise * bool(self.number)
        order = np.random.default_rng(len(ids)).permuted(logits, axis=1)
        values = (order - np.log(np.exp(order).sum(axis=1, keepdims=True)) - 0.01).astype(np.float32)
        texts = tuple((" the", " of") for _ in range(len(ids) - 1))
        return _exchange(
            request, {"choices": [{"index": 0}]}, Distributions(rows[: len(ids) - 1].copy(), values, texts)
        )

    def _passage(self, claim: Any, request: Request) -> tuple[list[int], Any]:
        """Its ids and rows; the positions that are wanted are spread over the passages."""
        count, place = len(claim.passages.passages), _places(claim)[request.key.item]
        return _passage(place, self.size.positions * (place + 1) // count - self.size.positions * place // count)


_CACHE: dict[Any, Any] = {}


def _by_id(claim: Any) -> Mapping[str, Any]:
    if ("questions", id(claim)) not in _CACHE:
        _CACHE["questions", id(claim)] = {each.id: each for each in claim.questions.questions}
    found: Mapping[str, Any] = _CACHE["questions", id(claim)]
    return found


def _places(claim: Any) -> Mapping[str, int]:
    if ("places", id(claim)) not in _CACHE:
        _CACHE["places", id(claim)] = {each.id: at for at, each in enumerate(claim.passages.passages)}
    found: Mapping[str, int] = _CACHE["places", id(claim)]
    return found


def _passage(place: int, positions: int) -> tuple[list[int], Any]:
    """Ids of a passage, and for each position those that its row holds, the one that was read among them."""
    drawn = np.random.default_rng(place)
    rows = np.cumsum(drawn.integers(1, 3000, (positions, WIDTH + 1)), axis=1).astype(np.int32)
    read = rows[np.arange(positions), drawn.integers(0, WIDTH + 1, positions)]
    return [1, *read.tolist()], rows


def _exchange(request: Request, answer: Mapping[str, Any], rows: Distributions | None = None) -> Exchange:
    return Exchange(request=request, answer=answer, failure=None, seconds=0.1, attempts=1, rows=rows)
