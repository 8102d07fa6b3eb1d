"""Reads the little that is needed of a server's ``/metrics`` (the text format of Prometheus)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

SAMPLE = re.compile(r"^(?P<name>[A-Za-z_:][\w:]*)(?:\{(?P<labels>.*)\})?\s+(?P<value>\S+)(?:\s+-?\d+)?$")
NUMBER = re.compile(r"[0-9]{1,18}")
"""What fits into 64 bits; other digits than these, or thousands of them, are no size of a cache."""

LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Sample:
    """One line: a metric's labels and its value."""

    labels: Mapping[str, str]
    value: float


def samples(text: str, name: str) -> list[Sample]:
    """The samples of one metric, in order. Lines that are not in the format are passed over."""
    found = []
    for line in text.splitlines():
        match = SAMPLE.match(line)
        if match is None or match["name"] != name:
            continue
        try:
            value = float(match["value"])
        except ValueError:
            continue
        labels = {key: re.sub(r"\\(.)", r"\1", raw) for key, raw in LABEL.findall(match["labels"] or "")}
        found.append(Sample(labels, value))
    return found


def total(text: str, name: str) -> float | None:
    """The sum of a metric over all engines, None where the server does not have it."""
    found = samples(text, name)
    return sum(sample.value for sample in found) if found else None


def corrupted(text: str) -> float | None:
    """Requests in whose logits the engine found NaN, None where it does not count them."""
    newer, older = total(text, "vllm:corrupted_requests_total"), total(text, "vllm:corrupted_requests")
    return older if newer is None else newer


def cache(text: str) -> tuple[Mapping[str, str], int | None]:
    """The labels of ``vllm:cache_config_info`` and the capacity in tokens, summed over data-parallel engines.

    The capacity is the engine's own ``kv_cache_size_tokens``, None where it does not say: blocks times block size is
    another number for hybrid models.
    """
    found = samples(text, "vllm:cache_config_info")
    tokens = [sample.labels.get("kv_cache_size_tokens", "") for sample in found]
    known = bool(tokens) and all(NUMBER.fullmatch(number) for number in tokens)
    return (found[0].labels if found else {}), (sum(map(int, tokens)) if known else None)
