"""HCL as tables of DuckDB.

>>> import duckdb, hclkit.duckdb
>>> connection = duckdb.connect()  # doctest: +SKIP
>>> hclkit.duckdb.register(connection, "repos")  # doctest: +SKIP
>>> connection.sql("SELECT module, count(*) FROM module_calls GROUP BY ALL")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._hclkit import Limits, table_names
from ._tables import Tables, tables


def register(
    connection: Any,
    paths_or_rows: Any,
    names: Iterable[str] | None = None,
    *,
    prefix: str = "",
    variable_values: bool = False,
    threads: int | None = None,
    limits: Limits | None = None,
) -> Tables:
    """Creates tables of DuckDB for those with these names, by default all that need no evaluation. Files are read now, once for each
    table."""
    import pyarrow

    own = tables(paths_or_rows, variable_values=variable_values, threads=threads, limits=limits)
    for name in table_names(evaluated=False) if names is None else names:
        stream = pyarrow.RecordBatchReader.from_stream(own[name])
        connection.register("_hclkit_stream", stream)
        try:
            connection.execute(f'CREATE OR REPLACE TABLE "{prefix}{name}" AS SELECT * FROM _hclkit_stream')
        finally:
            connection.unregister("_hclkit_stream")
    return own
