"""HCL as lazy frames of Polars.

>>> import hclkit.polars
>>> calls = hclkit.polars.scan("repos", "module_calls")  # doctest: +SKIP
>>> calls.filter(polars.col("pinned") == False).collect()  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any

import polars
from polars.io.plugins import register_io_source

from ._hclkit import ArrowRows, Limits, Paths, table_names
from ._tables import Row, Tables, files_of

_EVALUATED = set(table_names()) - set(table_names(evaluated=False))


def scan(
    paths_or_rows: Any,
    table: str,
    *,
    variable_values: bool = False,
    threads: int | None = None,
    limits: Limits | None = None,
) -> polars.LazyFrame:
    """A table as a lazy frame. Only the columns that a query needs are made, and rows that it leaves out are dropped batch by batch.

    Conditions on ``repo``, ``commit`` and ``path`` alone are decided before files are read. For tables of evaluated directories, these
    are conditions on ``repo`` and ``commit``, because a directory needs all files of its repository.
    """
    files = files_of(paths_or_rows)
    known = ["repo", "commit"] if table in _EVALUATED else ["repo", "commit", "path"]

    def rows(predicate: polars.Expr | None) -> Tables:
        early = [] if predicate is None else [it for it in _conjuncts(predicate) if _is_about(it, known)]
        chosen = (lambda: _chosen(files(), early)) if early else files
        return Tables(chosen, variable_values=variable_values, threads=threads, limits=limits)

    schema = polars.DataFrame(ArrowRows(table, None, [])).schema

    def batches(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        needed = with_columns
        if needed is not None and predicate is not None:
            needed = [name for name in schema if name in needed or name in predicate.meta.root_names()]
        # These are the first rows of the table, whatever the conditions are.
        own = rows(predicate if n_rows is None else None)[table]
        selected = own if needed is None else own.select(needed)
        left = n_rows
        for frame in map(polars.DataFrame, selected.batches()):
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if with_columns is None else frame.select(with_columns)
            if left == 0:
                break

    return register_io_source(batches, schema=schema)


def _conjuncts(predicate: polars.Expr) -> list[polars.Expr]:
    """The conditions that must all be true."""
    inner = predicate.meta.pop()
    for one, other in (inner, inner[::-1]) if len(inner) == 2 else ():
        if (one & other).meta.eq(predicate):
            return [*_conjuncts(one), *_conjuncts(other)]
    return [predicate]


def _is_about(condition: polars.Expr, columns: list[str]) -> bool:
    names = condition.meta.root_names()
    return bool(names) and all(name in columns for name in names)


def _chosen(files: Iterator[Row | Any], conditions: list[polars.Expr]) -> Iterator[Row | Any]:
    """The files that meet conditions. Only conditions on single rows are pushed down, so that they can be asked bit by bit."""
    schema = polars.Schema({"repo": polars.String, "commit": polars.String, "path": polars.String})

    def keeps(frame: polars.DataFrame) -> polars.Series:
        return frame.select(polars.all_horizontal(conditions))[:, 0]

    for is_row, own in groupby(files, lambda one: isinstance(one, tuple)):
        while is_row and (some := list(islice(own, 4096))):
            frame = polars.DataFrame([row[:3] for row in some], schema=schema, orient="row")
            yield from (row for row, keep in zip(some, keeps(frame), strict=True) if keep)
        batches: Iterator[Any] = own
        for batch in batches:
            if isinstance(batch, Paths):
                yield batch.chosen(lambda rows: keeps(polars.DataFrame(rows, schema=schema, orient="row")).to_list())
                continue
            columns = {name: batch[name] for name in schema if name in batch.schema.names}
            missing = [polars.lit(None, polars.String).alias(name) for name in schema if name not in columns]
            frame = polars.DataFrame(columns).with_columns(missing).cast(schema)
            yield batch.filter(keeps(frame).to_arrow())
