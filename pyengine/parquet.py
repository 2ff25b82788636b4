"""Positions and answers in Parquet, through pyarrow (`pip install pyengine[parquet]`).

In: a text column ``state``, a JSON document in each row, and to resolve a text column ``action``.
Out: a row for each, in order: its number ``line``, the JSON text of the ``answer`` (null for a bad
one) and the list of its ``faults`` (null for a good one).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pyengine.documents import hint
from pyengine.faults import Message, at, reason
from pyengine.model import StateError

_ROWS = 64  # of one reading
_GROUP = 32_000_000  # bytes of answers that are held for one group of rows


def _arrow() -> tuple[Any, Any]:
    """Pyarrow and its Parquet; StateError where it is not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        command = "pip install 'pyengine[parquet]'"
        raise StateError([Message("no_pyarrow", command=command)]) from None


def check() -> None:
    """StateError where pyarrow is not installed."""
    _arrow()


def _open(path: Path) -> Any:
    arrow, parquet = _arrow()
    try:
        return parquet.ParquetFile(path)
    except OSError as error:
        raise StateError([at(str(path), "unreadable", why=reason(error))]) from None
    except arrow.ArrowException as error:
        why = (str(error).splitlines() or [""])[0]
        raise StateError([at(str(path), "no_parquet", why=why)]) from None


def count(path: Path) -> int:
    """How many rows a file has."""
    with _open(path) as file:
        return int(file.metadata.num_rows)


def lines(path: Path, with_action: bool) -> Iterator[bytes]:
    """The rows as JSON lines; StateError at once if the columns are not there, or no text."""
    arrow, _ = _arrow()
    file = _open(path)
    wanted = ["state", "action"] if with_action else ["state"]
    texts = (arrow.string(), arrow.large_string(), arrow.string_view())
    schema = file.schema_arrow
    faults = []
    for name in wanted:
        if name not in schema.names:
            known = ", ".join(schema.names)
            near = hint(name, schema.names)
            faults.append(at(str(path), "no_column", name=name, known=known, near=near))
        elif schema.field(name).type not in texts:
            type_ = schema.field(name).type
            faults.append(at(str(path), "column_type", name=name, type=type_))
    if faults:
        file.close()
        raise StateError(faults)
    return _rows(file, wanted)


def _rows(file: Any, names: list[str]) -> Iterator[bytes]:
    with file:
        for batch in file.iter_batches(batch_size=_ROWS, columns=names):
            columns = [batch.column(name).to_pylist() for name in names]
            for state, *action in zip(*columns, strict=True):
                text = state or ""
                if action:
                    text = f'{{"state": {text or "null"}, "action": {json.dumps(action[0])}}}'
                yield text.encode()


def convert(part: Path, target: Path) -> None:
    """Writes answers that stand as JSON lines as Parquet, whole or not at all."""
    arrow, parquet = _arrow()
    schema = arrow.schema(
        [
            arrow.field("line", arrow.int64(), nullable=False),
            arrow.field("answer", arrow.string()),
            arrow.field("faults", arrow.list_(arrow.string())),
        ]
    )
    written = target.with_name(f"{target.name}.tmp")
    try:
        with part.open("rb") as file, parquet.ParquetWriter(written, schema) as writer:
            rows: list[dict[str, Any]] = []
            size = 0
            for number, line in enumerate(file, 1):
                text = line.decode().rstrip("\n")
                faults = json.loads(text).get("faults")
                bad = faults is not None
                rows.append({"line": number, "answer": None if bad else text, "faults": faults})
                size += len(text)
                if size >= _GROUP:
                    writer.write_table(arrow.Table.from_pylist(rows, schema))
                    rows, size = [], 0
            writer.write_table(arrow.Table.from_pylist(rows, schema))
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)
