"""HCL as lazy frames of Polars.

>>> import hclkit.polars
>>> calls = hclkit.polars.scan("repos", "module_calls")  # doctest: +SKIP
>>> calls.filter(polars.col("pinned") == False).collect()  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars
from polars.io.plugins import register_io_source

from ._hclkit import ArrowTable, Limits
from ._tables import tables


def scan(
    paths_or_rows: Any,
    table: str,
    *,
    variable_values: bool = False,
    threads: int | None = None,
    limits: Limits | None = None,
) -> polars.LazyFrame:
    """A table as a lazy frame. Only the columns that a query needs are made, and rows that it leaves out are dropped batch by batch."""
    own = tables(paths_or_rows, variable_values=variable_values, threads=threads, limits=limits)[table]
    schema = polars.Schema(_no_rows(own).schema)

    def batches(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        needed = with_columns
        if needed is not None and predicate is not None:
            needed = [name for name in schema if name in needed or name in predicate.meta.root_names()]
        selected = own if needed is None else own.select(needed)
        left = n_rows
        for frame in _frames(selected):
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if with_columns is None else frame.select(with_columns)
            if left == 0:
                break

    return register_io_source(batches, schema=schema)


def _no_rows(table: ArrowTable) -> polars.DataFrame:
    import pyarrow

    return polars.DataFrame(pyarrow.schema(table).empty_table())


def _frames(table: ArrowTable) -> Iterator[polars.DataFrame]:
    import pyarrow

    for batch in pyarrow.RecordBatchReader.from_stream(table):
        yield polars.DataFrame(batch)
