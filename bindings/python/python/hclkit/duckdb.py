"""HCL as tables of DuckDB.

>>> import duckdb, hclkit.duckdb
>>> connection = duckdb.connect()  # doctest: +SKIP
>>> hclkit.duckdb.register(connection, "repos")  # doctest: +SKIP
>>> connection.sql("SELECT module, count(*) FROM module_calls GROUP BY ALL")  # doctest: +SKIP
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
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
    directory: str | os.PathLike[str] | None = None,
    variable_values: bool = False,
    threads: int | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Tables:
    """Creates tables of DuckDB for those with these names, by default all that need no evaluation. Files are read now. Old tables with the
    same names are replaced; if there is an error, they stay.

    The rows are first written as Parquet. In a database in memory, which keeps no table compressed, the tables are views of these files: in
    ``directory``, where they stay, or in a temporary directory that is removed when the process ends. In a database in a file, they are
    tables, unless ``directory`` is given.

    Other options are those of :func:`hclkit.tables`.
    """
    own = tables(paths_or_rows, variable_values=variable_values, threads=threads, limits=limits, **options)
    wanted = list(table_names(evaluated=False) if names is None else names)
    is_kept = directory is not None
    are_views = is_kept or _is_in_memory(connection)
    target = os.fspath(directory) if directory is not None else tempfile.mkdtemp(prefix="hclkit-")
    if are_views and not is_kept:
        atexit.register(shutil.rmtree, target, ignore_errors=True)
    try:
        written = _write(own, wanted, target)
        _create(connection, written, prefix, "VIEW" if are_views else "TABLE")
    except BaseException:
        if not is_kept:
            shutil.rmtree(target, ignore_errors=True)
        raise
    if not are_views:
        shutil.rmtree(target, ignore_errors=True)
    return own


def _is_in_memory(connection: Any) -> bool:
    query = "SELECT path IS NULL FROM duckdb_databases() WHERE database_name = current_database()"
    return bool(connection.execute(query).fetchone()[0])


def _write(own: Tables, names: list[str], directory: str) -> dict[str, str]:
    """Writes tables as Parquet. Returns their files, which get their names when all of them are complete."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    os.makedirs(directory, exist_ok=True)
    files = {name: os.path.join(directory, f"{name}.parquet") for name in names}
    partial = {name: os.path.join(directory, f".{name}.{os.getpid()}.tmp") for name in names}
    writers: dict[str, Any] = {}
    try:
        for name in names:
            writers[name] = ParquetWriter(partial[name], pyarrow.schema(own[name]), compression="zstd")
        for name, rows in larger(own.batches(*names) if names else ()):
            writers[name].write_table(rows)
        for name in names:
            writers.pop(name).close()
        for name in names:
            os.replace(partial[name], files[name])
    finally:
        for writer in writers.values():
            writer.close()
        for path in partial.values():
            if os.path.exists(path):
                os.unlink(path)
    return files


def _create(connection: Any, files: dict[str, str], prefix: str, kind: str) -> None:
    # In a transaction of the caller, all statements have the same number. It is then for the caller to end it.
    number = "SELECT txid_current()"
    is_ours = connection.execute(number).fetchall() != connection.execute(number).fetchall()
    if is_ours:
        connection.begin()
    try:
        for name, file in files.items():
            path = os.path.abspath(file).replace("'", "''")
            table = _quoted(prefix + name)
            _drop_other(connection, prefix + name, kind)
            connection.execute(f"CREATE OR REPLACE {kind} {table} AS SELECT * FROM read_parquet('{path}')")
    except BaseException:
        if is_ours:
            connection.rollback()
        raise
    if is_ours:
        connection.commit()


def _drop_other(connection: Any, name: str, kind: str) -> None:
    """A table cannot replace a view, nor a view a table."""
    query = "SELECT table_type = 'VIEW' FROM information_schema.tables WHERE table_name = ? AND table_schema = current_schema()"
    found = connection.execute(query, [name]).fetchone()
    if found is not None and bool(found[0]) != (kind == "VIEW"):
        connection.execute(f'DROP {"VIEW" if found[0] else "TABLE"} {_quoted(name)}')


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
