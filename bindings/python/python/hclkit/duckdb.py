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
from ._tables import Tables, larger, tables


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
    """Creates tables of DuckDB for those with these names, by default all that need no evaluation. Files are read now. Old tables with the
    same names are replaced; if there is an error, they stay."""
    import pyarrow

    own = tables(paths_or_rows, variable_values=variable_values, threads=threads, limits=limits)
    wanted = list(table_names(evaluated=False) if names is None else names)

    def run(statement: str, rows: Any) -> None:
        connection.register("_hclkit_rows", rows)
        try:
            connection.execute(statement)
        finally:
            connection.unregister("_hclkit_rows")

    # In a transaction of the caller, all statements have the same number. It is then for the caller to end it.
    number = "SELECT txid_current()"
    is_ours = connection.execute(number).fetchall() != connection.execute(number).fetchall()
    if is_ours:
        connection.begin()
    try:
        for name in wanted:
            empty = pyarrow.schema(own[name]).empty_table()
            run(f'CREATE OR REPLACE TABLE "{prefix}{name}" AS SELECT * FROM _hclkit_rows', empty)
        for name, rows in larger(own.batches(*wanted) if wanted else ()):
            run(f'INSERT INTO "{prefix}{name}" SELECT * FROM _hclkit_rows', rows)
    except BaseException:
        if is_ours:
            connection.rollback()
        raise
    if is_ours:
        connection.commit()
    return own
