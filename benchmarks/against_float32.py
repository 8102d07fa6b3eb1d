"""How far the letters' log-probabilities of the vLLM server are from a float32 computation on the same weights.

usage: python benchmarks/against_float32.py --questions PATH [--questions-count 120]

Serves the original of benchmarks/suites/smollm2-letter.toml (16-bit weights, float32 output head), asks it as an
acceptance run does, stops it, then runs the same tokens through transformers in float32 in the engine's environment.
Subjects are spread evenly over the source, ten questions of each. Writes reports/benchmarks/against_float32.json.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench import HERE, Answer, ask_by_letter, choose, lead, run_script, save, say, served, table

from twx_accept.claims.multiple_choice.questions import QuestionSet
from twx_accept.domain.suite import Suite

PER_SUBJECT = 10


def reference(
    suite: Suite, questions: QuestionSet, answers: Mapping[str, Answer], folder: Path
) -> tuple[dict[str, list[float]], float]:
    """The float32 values of each question, and the reference's own error from running prompts in two parts."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for question in questions.questions:
        answer = answers[question.id]
        entry = {"item": question.id, "tokens": answer.tokens, "letters": answer.letters}
        groups.setdefault(question.subject, []).append(entry)
    source, target = folder / "groups.json", folder / "values.json"
    source.write_text(json.dumps(list(groups.values())), encoding="utf-8")
    script = str(HERE / "float32_reference.py")
    # -P: this folder's modules must not be imported in the place of the engine's.
    command = [str(suite.engine.python), "-P", script, str(suite.original.path), str(source), str(target)]
    subprocess.run(command, env={**os.environ, "HF_HUB_OFFLINE": "1"}, check=True)
    found = json.loads(target.read_text(encoding="utf-8"))
    return found["values"], found["check"]


def compare(answers: Mapping[str, Answer], exact: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """For each question: how far the values are apart, both choices, and how clear they were."""
    found = []
    for item, answer in answers.items():
        ours, theirs = answer.score.values, exact[item]
        found.append(
            {
                "item": item,
                "largest": max(abs(a - b) for a, b in zip(ours, theirs, strict=True)),
                # What a choice depends on: how far the letters moved against each other.
                "relative": max(a - b for a, b in zip(ours, theirs, strict=True))
                - min(a - b for a, b in zip(ours, theirs, strict=True)),
                "server": answer.score.chosen,
                "float32": theirs.index(max(theirs)),
                "tied": len(answer.score.tied) > 1,
                "server_lead": lead(ours),
                "float32_lead": lead(theirs),
                "tokens": len(answer.tokens),
            }
        )
    return found


def summary(found: Sequence[Mapping[str, Any]], label: str) -> dict[str, Any]:
    """Differences and choices over some of the questions."""
    if not found:
        return {"questions": label, "n": 0}
    return {
        "questions": label,
        "n": len(found),
        "largest difference": max(row["largest"] for row in found),
        "median of largest": statistics.median(row["largest"] for row in found),
        "letters against each other": max(row["relative"] for row in found),
        "other choice": sum(row["server"] != row["float32"] for row in found),
    }


def main() -> None:
    """Ask, compute, compare."""
    parser = argparse.ArgumentParser(description="Letters' log-probabilities of the server against float32.")
    parser.add_argument("--questions", required=True, help="folder with test and dev, as parquet or jsonl")
    parser.add_argument("--questions-count", type=int, default=120, help="how many questions (default 120)")
    parser.add_argument("--per-subject", type=int, default=PER_SUBJECT, help="of each subject (default 10)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="twx-bench-") as name:
        subjects = max(1, -(-options.questions_count // options.per_subject))
        questions = choose(options.questions, subjects, options.per_subject, Path(name) / "questions")
        with served() as (suite, server):
            answers = ask_by_letter(server, questions, suite.asking)
            say(f"{suite.original.name}: {len(answers)} questions answered")
            version = server.boot.engine_version
        exact, check = reference(suite, questions, answers, Path(name))
    found = compare(answers, exact)
    one_chunk = int(suite.flags["max_num_batched_tokens"])  # type: ignore[arg-type]
    summaries = [
        summary(found, "all"),
        summary([row for row in found if row["tokens"] <= one_chunk], f"of at most {one_chunk:,} tokens"),
        summary([row for row in found if row["tokens"] > one_chunk], "of more tokens"),
        summary([row for row in found if row["tied"]], "with a tie at the server"),
    ]
    summaries = [each for each in summaries if each["n"]]
    say("\nDifferences in nats between the server and float32:")
    table([{k: f"{v:.4f}" if isinstance(v, float) else v for k, v in each.items()} for each in summaries])
    others = [row for row in found if row["server"] != row["float32"]]
    for row in sorted(others, key=lambda each: each["float32_lead"]):
        leads = f"lead {row['server_lead']:.4f} at the server, {row['float32_lead']:.4f} in float32"
        choices = f"{'ABCD'[row['server']]} at the server, {'ABCD'[row['float32']]} in float32"
        say(f"  {row['item']}: {choices}; {leads}{'; a tie' if row['tied'] else ''}")
    say(f"The reference's own error (prompts run whole against in two parts): {check:.2e}")
    save(
        "against_float32",
        {
            "engine_version": version,
            "questions_sha256": questions.digest,
            "summaries": summaries,
            "reference_error": check,
            "questions": found,
        },
    )


if __name__ == "__main__":
    run_script(main)
