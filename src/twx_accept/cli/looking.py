"""Commands that show evidence: show, export."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from twx_accept.claims import SEALED
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.exchange import Exchange
from twx_accept.errors import UsageError
from twx_accept.evidence import reading
from twx_accept.report.hostile import plain, shorten

LONGEST = 20_000
"""Characters of one text that are shown; all of it is in the file."""

WITHHELD = "(sealed: counted, and never shown one by one; `twx-accept facts measure` prints totals)"
"""In the place of what was asked and answered about a fact that nobody may read."""

Evidence = Annotated[Path, typer.Argument(metavar="EVIDENCE", help="An evidence file: reports/evidence/*.sqlite.")]


def show(
    evidence: Evidence,
    item: Annotated[str, typer.Argument(metavar="ITEM", help="The item's id, as in the report: animals-017.")],
) -> None:
    """Print everything that was asked and answered about one item, for a person."""
    kept = reading.of_item(evidence, item)
    if not kept:
        ids = reading.items(evidence)
        near = [each for each in ids if each.split("-")[0] == item.split("-")[0]][:5] or list(ids[:5])
        known = ", ".join(shorten(plain(each).replace("\n", " "), 80) for each in near) or "none"
        raise UsageError(f"{evidence}: no item {item!r} among {len(ids):,}; for example: {known}")
    origin = reading.origin(evidence)
    typer.echo(plain(f"{item} of {origin.build} (suite {origin.suite}, begun {origin.began})"))
    for exchange in kept:
        typer.echo(_exchange(exchange))


def export(
    evidence: Evidence,
    out: Annotated[Path, typer.Argument(metavar="FILE.parquet", help="The Parquet file to write.")],
) -> None:
    """Write every exchange of an evidence file as Parquet, one row each, for `datasets`, DuckDB or pandas.

    Of labelled facts that are sealed the rows hold neither what was asked nor what was answered.
    """
    import pyarrow as pa  # a second of import time that no other command needs to pay
    import pyarrow.parquet as pq

    if out.exists():
        raise UsageError(f"{out}: is there already; name a new file")
    kept = reading.read(evidence)
    rows = [_flat(kept.build, exchange) for exchanges in kept.exchanges.values() for exchange in exchanges]
    out.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=_schema(pa)), out, compression="zstd")
    typer.echo(f"{len(rows):,} exchanges of {kept.build} written to {out}")


def _exchange(exchange: Exchange) -> str:
    key = exchange.request.key
    head = f"\n== {key.claim}, {key.arm}, trial {key.trial}, run {key.run}: {exchange.request.path}"
    if key.arm == SEALED:
        return plain(f"{head}\n{WITHHELD}")
    asked = _text(dict(exchange.request.body))
    if exchange.failure is not None:
        got = f"no answer after {exchange.attempts} tries: {exchange.failure.kind}: {exchange.failure.message}"
    else:
        got = _text(dict(exchange.answer or {}))
        if exchange.rows is not None:
            got = f"{exchange.rows.summary}\n{got}"
    return plain(
        f"{head}\n-- asked\n{shorten(asked, LONGEST)}\n-- answered in {exchange.seconds:.3f} s\n{shorten(got, LONGEST)}"
    )


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _flat(build: str, exchange: Exchange) -> dict[str, Any]:
    key, failure, sealed = exchange.request.key, exchange.failure, exchange.request.key.arm == SEALED
    return {
        "build": build,
        "claim": key.claim,
        "item": key.item,
        "arm": key.arm,
        "trial": key.trial,
        "run": key.run,
        "path": exchange.request.path,
        "request": None if sealed else json.dumps(dict(exchange.request.body), ensure_ascii=True),
        "answer": None if sealed or exchange.answer is None else json.dumps(dict(exchange.answer), ensure_ascii=True),
        "failure": None if failure is None else _utf8(failure.kind if sealed else f"{failure.kind}: {failure.message}"),
        **_arrays(exchange.rows),
        "seconds": exchange.seconds,
        "attempts": exchange.attempts,
    }


def _arrays(rows: Distributions | None) -> dict[str, Any]:
    """The tokens of each position and their log-probabilities."""
    if rows is None:
        return {"token_ids": None, "logprobs": None}
    pairs = [(rows.ids[place, :count], rows.logprobs[place, :count]) for place, count in enumerate(rows.counts)]
    return {"token_ids": [ids.tolist() for ids, _ in pairs], "logprobs": [values.tolist() for _, values in pairs]}


def _utf8(text: str) -> str:
    """The text, with what UTF-8 has no form for written as its escape: a server may send lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()


def _schema(pa: Any) -> Any:
    whole, text = pa.int64(), pa.string()
    kinds = {"trial": whole, "run": whole, "attempts": whole, "seconds": pa.float64()}
    kinds |= {"token_ids": pa.list_(pa.list_(pa.int32())), "logprobs": pa.list_(pa.list_(pa.float64()))}
    names = ("build", "claim", "item", "arm", "trial", "run", "path", "request", "answer", "failure", "seconds")
    more = ("token_ids", "logprobs", "attempts")
    return pa.schema([(name, kinds.get(name, text)) for name in (*names, *more)])
