"""Writes fixtures/passages/{test,long}.jsonl: the passages of written.jsonl, and documents made from a seed after them.

The order is mixed, so that the first of them, and any stretch of them, hold every kind.
"""

import json
from pathlib import Path

from twx_accept.documents import make

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "passages"
SEED = 20250117
SIZES = {"test": 60, "long": 310}
"""How many passages each file holds: what a small model reads, and what a large one does."""


def passages(size: int) -> list[dict[str, str]]:
    """So many passages, in order."""
    lines = (FOLDER / "written.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    made = make(SEED, size - len(rows))
    rows += [
        {"id": f"document-{number:02d}", "kind": "generated documents", "text": document.text}
        for number, document in enumerate(made, start=1)
    ]
    by_kind: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_kind.setdefault(row["kind"], []).append(row)
    places = [
        ((number + 0.5) / len(inside), kind, row)
        for kind, inside in by_kind.items()
        for number, row in enumerate(inside)
    ]
    return [row for _, _, row in sorted(places, key=lambda place: place[:2])]


def main() -> None:
    """Write the files."""
    for name, size in SIZES.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in passages(size))
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
