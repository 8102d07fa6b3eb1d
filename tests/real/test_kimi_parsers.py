"""vLLM's own parsers against our strict reader: what each loses, changes or mends is told by the scorer."""

import json
import os
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from twx_accept.claims.tool_calls.reading import Format, read
from twx_accept.claims.tool_calls.scoring import Expected, Reason, Trial, TrialScore, Wants, score

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON") or ROOT / ".venv-vllm" / "bin" / "python")
TOKENIZER = ROOT / "models" / "smollm2" / "original"

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not ENGINE.exists(), reason="no engine: `make engine` makes it"),
    pytest.mark.skipif(not TOKENIZER.is_dir(), reason="no models: `make models` makes them"),
]

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
LOOSE: dict[str, Any] = {}
NAMES = {"weather": WEATHER, "note": LOOSE, "ns:weather": WEATHER}
TOOLS = [{"type": "function", "function": {"name": name, "parameters": schema}} for name, schema in NAMES.items()]
OSLO = '{"city": "Oslo"}'


def argument(text: str, kind: str = "string", key: str = "city") -> str:
    """An argument of Kimi K3."""
    return f'<|open|>argument key="{key}" type="{kind}"<|sep|>{text}<|close|>argument<|sep|>'


def call(*parts: str, tool: str = "weather", index: int = 1) -> str:
    """A call of Kimi K3."""
    return f'<|open|>call tool="{tool}" index="{index}"<|sep|>{"".join(parts)}<|close|>call<|sep|>'


def section(*calls: str) -> str:
    """A section of calls of Kimi K3."""
    return f"<|open|>tools<|sep|>{''.join(calls)}<|close|>tools<|sep|>"


THOUGHT = "plan<|close|>think<|sep|>"
SAID = "<|open|>response<|sep|>Hi<|close|>response<|sep|>"
END = "<|close|>message<|sep|>"
ONE = call(argument("Oslo"))


def k2(arguments: str = OSLO, identifier: str = "functions.weather:0", end: str = "<|tool_call_end|>") -> str:
    """A message of Kimi K2 with one call."""
    written = f"<|tool_call_begin|>{identifier}<|tool_call_argument_begin|>{arguments}{end}"
    return f"plan</think>Hi<|tool_calls_section_begin|>{written}<|tool_calls_section_end|>"


def hermes(arguments: str = OSLO, end: str = "</tool_call>") -> str:
    """A call in Hermes' format."""
    return f'<tool_call>{{"name": "weather", "arguments": {arguments}}}{end}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A raw output, the calls that vLLM makes of it, and what the scorer has to say about the two.

    One call of ``wanted`` is right, or an answer in words where that is empty.
    """

    about: str
    format: Format
    raw: str
    vllm: tuple[tuple[str, str], ...] = ()
    reason: Reason | None
    loss: bool = False
    rescued: bool = False
    mended: bool = False
    wanted: str = "weather"


def of(form: Format, about: str, raw: str, *vllm: tuple[str, str], reason: Reason | None, **fields: Any) -> Specimen:
    """A specimen of a format."""
    return Specimen(about=about, format=form, raw=raw, vllm=vllm, reason=reason, **fields)


k3, of_k2, of_hermes = partial(of, "kimi_k3"), partial(of, "kimi_k2"), partial(of, "hermes")

RIGHT = ("weather", OSLO)
OPEN_CALL = '<|open|>call tool="weather" index="1"<|sep|>'
JSON_TAG = '<|open|>json type="object"<|sep|>{"city": "Oslo"}<|close|>json<|sep|>'
OPEN_NUMBER = '<|open|>argument key="days" type="number"<|sep|>5'
LOST: dict[str, Any] = {"reason": Reason.LOST, "loss": True}
RESCUED: dict[str, Any] = LOST | {"rescued": True}
MENDED: dict[str, Any] = {"reason": Reason.MENDED, "mended": True}

SPECIMENS = (
    k3("right", THOUGHT + SAID + section(ONE) + END + "<|end_of_msg|>", RIGHT, reason=None),
    k3("not closed", THOUGHT + SAID + section(ONE).removesuffix("<|close|>tools<|sep|>"), RIGHT, reason=None),
    k3("in the thinking (53246)", "plan" + section(ONE) + END, **RESCUED),
    k3("in the thinking, then closed", "plan" + section(ONE) + THOUGHT + SAID + END, **RESCUED),
    k3("thinking runs into prose (53246)", "plan. Hi<|close|>response<|sep|>" + section(ONE) + END, **RESCUED),
    k3("response in the thinking (54273)", "plan" + SAID + section(ONE) + END, RIGHT, reason=None),
    k3("json tag", THOUGHT + SAID + section(call(JSON_TAG)) + END, ("weather", "{}"), **RESCUED),
    k3("second section", THOUGHT + SAID + section(ONE) + section(ONE) + END, RIGHT, **LOST),
    k3(
        "no number",
        THOUGHT + SAID + section(call(argument("Oslo"), argument("five", "number", "days"))) + END,
        ("weather", '{"city": "Oslo", "days": "five"}'),
        reason=Reason.INVALID,
    ),
    k3(
        "no number, and a schema that takes anything",
        THOUGHT + SAID + section(call(argument("five", "number", "days"), tool="note")) + END,
        ("note", '{"days": "five"}'),
        wanted="note",
        **MENDED,
    ),
    k3(
        "broken object",
        THOUGHT + SAID + section(call(argument('{"a": 1', "object", "what"), tool="note")) + END,
        ("note", '{"what": "{\\"a\\": 1"}'),
        wanted="note",
        **MENDED,
    ),
    k3(
        "NaN",
        THOUGHT + SAID + section(call(argument("NaN", "number", "days"), tool="note")) + END,
        ("note", '{"days": NaN}'),
        wanted="note",
        reason=Reason.NOT_JSON,
    ),
    k3("one key twice", THOUGHT + SAID + section(call(argument("Rome"), argument("Oslo"))) + END, RIGHT, **MENDED),
    k3("text in a call", THOUGHT + SAID + section(call("words", argument("Oslo"))) + END, RIGHT, **MENDED),
    k3("after the end", THOUGHT + SAID + END + section(ONE), RIGHT, **MENDED),
    k3(
        "argument not closed",
        THOUGHT + SAID + section(call(argument("Oslo"), OPEN_NUMBER)) + END,
        RIGHT,
        reason=Reason.HALF_WRITTEN,
        mended=True,
    ),
    k3("half", f"{THOUGHT}{SAID}<|open|>tools<|sep|>{OPEN_CALL}{OPEN_NUMBER}", reason=Reason.HALF_WRITTEN),
    k3(
        "second half",
        f"{THOUGHT}{SAID}<|open|>tools<|sep|>{ONE}{OPEN_CALL}",
        RIGHT,
        reason=Reason.HALF_WRITTEN,
        mended=True,
    ),
    k3(
        "section opened, words wanted",
        f"{THOUGHT}{SAID}<|open|>tools<|sep|>",
        wanted="",
        reason=Reason.HALF_WRITTEN,
        mended=True,
    ),
    k3("call without a section", THOUGHT + SAID + ONE + END, reason=Reason.COUNT),
    k3("words", THOUGHT + SAID + END, wanted="", reason=None),
    k3(
        "marker in words",
        f"{THOUGHT}<|open|>response<|sep|>Hi<|sep|><|close|>response<|sep|>",
        wanted="",
        reason=Reason.MARKER_IN_CONTENT,
    ),
    k3("thinking only", "plan", wanted="", reason=Reason.EMPTY),
    of_k2("right", k2(), RIGHT, reason=None),
    of_k2("in the thinking", k2().replace("</think>Hi", ""), RIGHT, reason=None),
    of_k2(
        "text for a number",
        k2('{"city": "Oslo", "days": "5"}'),
        ("weather", '{"city": "Oslo", "days": 5}'),
        **LOST,
    ),
    of_k2("number for a text", k2('{"city": 5}'), ("weather", '{"city": "5"}'), **LOST),
    of_k2("colon in a name", k2(identifier="functions.ns:weather:0"), ("ns", OSLO), wanted="ns:weather", **RESCUED),
    of_k2("no arguments", k2("", identifier="functions.note:0"), ("note", "{}"), wanted="note", **MENDED),
    of_k2(
        "half",
        k2('{"city": "Os', end="").removesuffix("<|tool_calls_section_end|>"),
        ("weather", '{"city": "Os'),
        reason=Reason.HALF_WRITTEN,
    ),
    of_k2("not closed", k2(end=""), RIGHT, reason=Reason.HALF_WRITTEN, mended=True),
    of_k2("broken", k2('{"city": Oslo}'), ("weather", '{"city": Oslo}'), reason=Reason.NOT_JSON),
    of_k2("no index", k2(identifier="functions.weather"), reason=Reason.COUNT),
    of_k2(
        "section opened, words wanted",
        "plan</think>Hi<|tool_calls_section_begin|>",
        wanted="",
        mended=True,
        reason=Reason.HALF_WRITTEN,
    ),
    of_hermes("right", "Hi" + hermes(), RIGHT, reason=None),
    of_hermes("not closed", hermes(end=""), RIGHT, reason=Reason.HALF_WRITTEN, mended=True),
    of_hermes("one broken beside it", hermes() + hermes('{"city": }'), **LOST),
    of_hermes("opened twice", "<tool_call>" + hermes(), **LOST),
    of_hermes("one key twice", hermes('{"city": "Rome", "city": "Oslo"}'), RIGHT, **MENDED),
    of_hermes(
        "NaN",
        hermes('{"city": "Oslo", "days": NaN}'),
        ("weather", '{"city": "Oslo", "days": NaN}'),
        reason=Reason.NOT_JSON,
    ),
    of_hermes("text for arguments", hermes(json.dumps(OSLO)), ("weather", json.dumps(OSLO)), reason=Reason.NO_OBJECT),
    of_hermes("no arguments", '<tool_call>{"name": "weather"}</tool_call>', reason=Reason.HALF_WRITTEN),
    of_hermes(
        "in a code fence",
        f'```json\n{{"name": "weather", "arguments": {OSLO}}}\n```',
        reason=Reason.AS_TEXT,
    ),
)


@pytest.fixture(scope="module")
def parsed() -> list[dict[str, Any]]:
    """What vLLM's parsers make of the specimens; importing them takes ten seconds, parsing one."""
    cases = [{"format": specimen.format, "raw": specimen.raw} for specimen in SPECIMENS]
    asked = {"tokenizer": str(TOKENIZER), "tools": TOOLS, "cases": cases}
    done = subprocess.run(
        [str(ENGINE), str(ROOT / "tests" / "real" / "run_parsers.py")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def scored(specimen: Specimen, made: dict[str, Any]) -> TrialScore:
    """The score of what vLLM made, with our own reading beside it."""
    calls = [
        {"id": identifier or f"call-{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for place, (identifier, name, arguments) in enumerate(made["calls"])
    ]
    trial = Trial(
        item=specimen.about,
        wants=Wants.CALLS if specimen.wanted else Wants.NO_CALL,
        tools=NAMES,
        expected=(Expected(name=specimen.wanted),) if specimen.wanted else (),
    )
    message = {"content": made["content"], "reasoning": made["reasoning"], "tool_calls": calls}
    finish_reason = "tool_calls" if calls else "stop"  # as the chat endpoint has it where nothing was cut off
    return score(trial, message, finish_reason, reading=read(specimen.raw, specimen.format))


@pytest.mark.parametrize(
    ("place", "specimen"), tuple(enumerate(SPECIMENS)), ids=[f"{each.format}: {each.about}" for each in SPECIMENS]
)
def test_what_a_parser_does_to_calls_is_told(parsed: list[dict[str, Any]], place: int, specimen: Specimen) -> None:
    """The calls that vLLM makes are those that are known; the scorer tells what was lost, changed or mended."""
    made = parsed[place]
    assert tuple((name, arguments) for _, name, arguments in made["calls"]) == specimen.vllm
    found = scored(specimen, made)
    assert (found.right, found.reason) == (specimen.reason is None, specimen.reason)
    assert (found.parser_loss, found.rescued, found.mended) == (specimen.loss, specimen.rescued, specimen.mended)


def test_an_argument_stays_what_it_was(parsed: list[dict[str, Any]]) -> None:
    """What our reader reads of an output that is right is what vLLM's parser reads of it, text beside it included."""
    compared = 0
    for specimen, made in zip(SPECIMENS, parsed, strict=True):
        if specimen.about == "right":
            reading = read(specimen.raw, specimen.format)
            assert reading.problems == ()
            assert (reading.content, reading.reasoning) == (made["content"], made["reasoning"] or "")
            assert [[call.name, json.loads(call.arguments)] for call in reading.calls] == [
                [name, json.loads(arguments)] for _, name, arguments in made["calls"]
            ]
            compared += 1
    assert compared == 3
