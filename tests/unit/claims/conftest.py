"""Evidence as a run would keep it, made by hand: builds, boots, and answers of a server that is told what to say."""

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from twx_accept import claims
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.evidence import Boot, BuildEvidence, Inventory, Tensor
from twx_accept.domain.exchange import Exchange, Failure
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Asking, Build, Engine, Suite
from twx_accept.errors import DatasetError

IDENTITY = {
    "weights": {},
    "configuration": {},
    "engine": {"vllm": "0.32.0"},
    "flags": {"max_model_len": 2048},
    "machine": {"cores": 8},
    "tokenizer": {"tokenizer.json": "0" * 64},
    "asking": {"concurrency": 8, "prompts_per_request": 16},
}
SETTINGS = {
    "model_config": {"model": "/models/x", "max_model_len": 2048, "model_impl": "auto", "quantization": None},
    "parallel_config": {"tensor_parallel_size": 8, "master_port": 5000, "data_parallel_rank": 0},
    "cache_config": {"num_gpu_blocks": 1, "block_size": 16},
    "instance_id": "1",
}
LABELS = {
    "cache_dtype": "fp8",
    "gpu_memory_utilization": "0.9",
    "enable_prefix_caching": "True",
    "mamba_cache_mode": "none",
    "kv_cache_max_concurrency": "11.375",
    "kv_cache_memory_bytes": "None",
}
LETTER = {
    "title": "Questions",
    "short": "questions",
    "source": "questions",
    "scoring": "letter",
    "margin_points": 1.0,
    "lead_share": 0.05,
}


def make_boot(**changes):
    """A boot on eight cards of 80 GiB: 40 GiB of weights and 30 GiB of cache on each."""
    boot = Boot(
        number=1,
        ready_seconds=60.0,
        engine_version="0.32.0",
        device="cuda",
        flags={},
        settings=SETTINGS,
        cache=LABELS,
        capacity_tokens=300_000,
        weights_gib=(40.0,) * 8,
        cache_gib=(30.0,) * 8,
        cards=(80 * 2**30,) * 8,
    )
    return replace(boot, **changes)


def make_evidence(build, exchanges=(), *, boots=None, size=1000, tensors=None, problems=(), identity=None, digests=()):
    """All evidence of one build; ``size`` is the bytes of its one weight file."""
    return BuildEvidence(
        build=build,
        control=False,
        identity=IDENTITY | (identity or {}),
        identity_digest="f" * 64,
        inventory=Inventory(
            weights={"model.safetensors": size} if size else {},
            digests=dict(digests),
            tensors={name: Tensor(dtype="BF16", shape=(1,), bytes=2) for name in tensors or ("a.weight",)},
            problems=problems,
        ),
        boots=(make_boot(),) if boots is None else tuple(boots),
        exchanges={"multiple_choice": tuple(exchanges)},
    )


def make_suite(settings, **changes):
    """A suite with an original, a build and a control that makes the claims of ``settings``."""
    builds = [
        Build(name=name, title=name, path=Path("/models", name), flags={}, digests={}, control=name == "damaged")
        for name in ("original", "small", "damaged")
    ]
    suite = Suite(
        name="suite",
        title="Suite",
        version=1,
        demonstration=False,
        file=Path("suite.toml"),
        folder=Path(),
        original=builds[0],
        builds=tuple(builds[1:]),
        engine=Engine(
            python=Path("python"), device="cuda", environment={}, ready_seconds=1, stop_seconds=1, memory_seconds=1
        ),
        asking=Asking(concurrency=8, prompts_per_request=16, timeout_seconds=1, attempts=1),
        flags={},
        may_differ=("quantization",),
        claims=settings,
    )
    return replace(suite, **changes)


class Rows:
    """A source of questions that is handed its rows."""

    def __init__(self, test, dev=()):
        self.splits = {"test": test, "dev": dev}

    def rows(self, source, split):
        """The rows of the split."""
        if not self.splits[split]:
            raise DatasetError(f"{source}: no {split}")
        return self.splits[split]


def make_rows(count, subject="anatomy", choices=4, answer=0):
    """That many questions of one subject."""
    return [
        {
            "id": f"{subject}-{number}",
            "subject": subject,
            "question": f"Which {subject} {number}?",
            "choices": [f"choice {number} {place}" for place in range(choices)],
            "answer": answer,
        }
        for number in range(count)
    ]


def make_claim(name, settings, test=(), dev=(), scope=None, **suite):
    """One claim of a suite with those settings and questions."""
    made = make_suite({name: settings}, **suite)
    return claims.of_suite(made, Rows(test, dev), scope or Scope())[0]


def make_letter(test, dev=None, scope=None, **changes):
    """The claim about questions, scored by letter, with five examples of each subject."""
    subjects = dict.fromkeys(row["subject"] for row in test)
    shots = [row for subject in subjects for row in make_rows(5, subject)] if dev is None else dev
    return make_claim("multiple_choice", LETTER | changes, test, shots, scope)


class Tokenizer:
    """Splits into words with their space, marks and line ends; numbers them as they come."""

    def __init__(self, pattern=r" ?\w+|\n|."):
        self.pattern = re.compile(pattern, re.DOTALL)
        self.numbers = defaultdict(lambda: len(self.numbers))

    def __call__(self, text):
        """The ids of a text."""
        return [self.numbers[piece] for piece in self.pattern.findall(text)]


def exchange(request, answer):
    """The exchange of a request: ``answer`` is JSON, a failure, or a message of one."""
    failure = Failure(kind="no connection", message=answer, lasting=False) if isinstance(answer, str) else None
    return Exchange(request=request, answer=None if failure else answer, failure=failure, seconds=0.1, attempts=1)


def letters(request, values):
    """A completion that gives the letters these log-probabilities; None leaves a letter out."""
    ids = request.body["logprob_token_ids"]
    top = {f"token_id:{token}": value for token, value in zip(ids, values, strict=True) if value is not None}
    return {"choices": [{"index": 0, "prompt_token_ids": [1, 2], "logprobs": {"top_logprobs": [top]}}]}


def letter_answers(claim, say, tokenizer=None):
    """Everything that a server answers to the claim by letter.

    ``say`` is given each question and says the index of the letter that the server finds likely, all of the letters'
    values, or a message of failure.
    """
    encode = tokenizer or Tokenizer()
    tokens = [exchange(request, {"tokens": encode(request.body["prompt"])}) for request in claim.opening()]
    questions = {question.id: question for question in claim.questions.questions}
    answers = []
    for request in claim.follow_up(tokens):
        question = questions[request.key.item]
        said = say(question)
        if isinstance(said, int):
            said = [-0.5 if place == said else -2.0 - place for place in range(len(question.choices))]
        answers.append(exchange(request, said if isinstance(said, str) else letters(request, said)))
    return [*tokens, *answers]


VOCABULARY, WIDTH = 40, 5


def make_passages(count, length=60, kinds=("prose", "code")):
    """That many passages; in each, characters are tokens."""
    letters = "the quick brown fox jumps over a lazy dog; "
    return [
        {
            "id": f"p{number:03d}",
            "kind": kinds[number % len(kinds)],
            "text": "".join(letters[(number * 7 + place * (3 + number % 5)) % len(letters)] for place in range(length)),
        }
        for number in range(count)
    ]


def make_agreement(rows, scope=None, **changes):
    """The claim about agreement on those passages."""
    settings = {"source": "passages", "top_k": WIDTH, "full_vocabulary_prefixes": 2, "prefix_tokens": 8}
    return make_claim("agreement", settings | {"reversed_probe": 2} | changes, rows, scope=scope)


def distributions(item, ids, noise):
    """Log-probabilities over the whole vocabulary for every token but the first; ``noise`` departs from the original.

    With an infinite noise the top token is another one everywhere.
    """
    seed = [sum(item.encode()), *ids[:4]]
    logits = np.random.default_rng(seed).normal(0, 3, (len(ids) - 1, VOCABULARY))
    if np.isinf(noise):
        logits = -logits
    elif noise:
        logits += np.random.default_rng([*seed, 1]).normal(0, noise, logits.shape)
    return (logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))).astype(np.float32).astype(float)


def likeliest(logprobs, read, width=WIDTH):
    """Rows with the likeliest tokens of each position and the one that was read there."""
    rows = []
    for row, token in zip(logprobs, read, strict=True):
        top = sorted(range(len(row)), key=lambda each, row=row: (-row[each], each))[:width]
        rows.append({each: float(row[each]) for each in {*top, token}})
    return as_rows(rows)


def as_rows(rows, texts=()):
    """Rows from a map of token to log-probability for each position."""
    return Distributions.of(
        [len(row) for row in rows],
        [token for row in rows for token in row],
        [value for row in rows for value in row.values()],
        texts,
    )


SIGN = [VOCABULARY, VOCABULARY + 1]
"""The ids of what stands between texts."""


def agreement_answers(claim, noise=0.0, say=None, quick=False):
    """Everything that a server answers to the claim about agreement, departing by that noise.

    ``say`` may put something else in the place of an answer: it gets the request, and returns rows, a message of a
    failure, JSON, or None for the usual. A server that is not ``quick`` knows no way that takes ids alone.
    """
    found = {}
    planned = claim.opening()
    while planned:
        for request in planned:
            found[request.key] = said(request, say, *agreement_answer(request, noise))
            if request.path == "/inference/v1/generate" and not quick:
                failure = Failure(kind="HTTP 404", message="Not Found", lasting=True)
                found[request.key] = replace(found[request.key], answer=None, rows=None, failure=failure)
        planned = [each for each in claim.follow_up(tuple(found.values())) if each.key not in found]
    return list(found.values())


def agreement_answer(request, noise):
    """What the server answers, and its rows."""
    if request.path == "/tokenize":
        text = request.body["prompt"]
        return {"tokens": SIGN if text == "\u241e" else [ord(letter) % VOCABULARY for letter in text]}, None
    if request.path == "/detokenize":
        pieces = [
            "\u241e" if token == SIGN[0] else f"<{token}>" for token in request.body["tokens"] if token != SIGN[1]
        ]
        return {"prompt": "".join(pieces)}, None
    ids = request.body.get("token_ids") or request.body["prompt"]
    whole = distributions(request.key.item, [*ids, 0], noise)
    if request.key.arm in ("full", "counted"):
        return {"choices": [{"index": 0}]}, as_rows([dict(enumerate(whole[-1].tolist()))])
    return {"choices": [{"index": 0}]}, likeliest(whole[:-1], ids[1:])


def said(request, say, answer, rows):
    """The exchange of a request."""
    other = say(request) if say else None
    if isinstance(other, Distributions):
        rows = other
    elif other is not None:
        answer, rows = other, None
    return replace(exchange(request, answer), rows=rows)


def agreement_evidence(build, exchanges):
    """The evidence of a build that read passages."""
    return replace(make_evidence(build), exchanges={"agreement": tuple(exchanges)})


@pytest.fixture(scope="session")
def passages():
    """Makes rows of passages."""
    return make_passages


@pytest.fixture(scope="session")
def agreement():
    """Makes the claim about agreement."""
    return make_agreement


@pytest.fixture(scope="session")
def reads():
    """Makes what a server answers to the claim about agreement."""
    return agreement_answers


@pytest.fixture(scope="session")
def having_read():
    """Makes the evidence of a build that read passages."""
    return agreement_evidence


@pytest.fixture(scope="session")
def rows_from():
    """Makes distributions from maps of token to log-probability."""
    return as_rows


@pytest.fixture(scope="session")
def boot():
    """Makes a boot."""
    return make_boot


@pytest.fixture(scope="session")
def evidence():
    """Makes the evidence of a build."""
    return make_evidence


@pytest.fixture(scope="session")
def suite_of():
    """Makes a suite."""
    return make_suite


@pytest.fixture(scope="session")
def rows():
    """Makes rows of questions."""
    return make_rows


@pytest.fixture(scope="session")
def source():
    """Makes a source of rows."""
    return Rows


@pytest.fixture(scope="session")
def claim():
    """Makes a claim."""
    return make_claim


@pytest.fixture(scope="session")
def letter():
    """Makes the claim about questions, scored by letter."""
    return make_letter


@pytest.fixture(scope="session")
def tokenizer():
    """Makes a tokenizer."""
    return Tokenizer


@pytest.fixture(scope="session")
def answered():
    """Makes what a server answers to a claim by letter."""
    return letter_answers


@pytest.fixture(scope="session")
def exchanged():
    """Makes an exchange."""
    return exchange


@pytest.fixture(scope="session")
def completed():
    """Makes a completion with letters."""
    return letters
