"""HCL in Spark: files are rows of a table with the columns ``repo``, ``commit``, ``path`` and ``content``, in Parquet or a lake, so that Spark
never opens a million small files.

>>> calls = files.mapInArrow(hclkit.spark.mapper("module_calls"), hclkit.spark.schema("module_calls"))  # doctest: +SKIP

Ray and Dask take the same function: ``dataset.map_batches(hclkit.spark.batch_mapper("blocks"), batch_format="pyarrow")``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ._hclkit import table_names
from ._tables import ArrowTable, Tables, larger, tables

_TYPES = {"string": "STRING", "int64": "BIGINT", "bool": "BOOLEAN"}


def _arrow_schema(table: str) -> Any:
    import pyarrow

    return pyarrow.schema(ArrowTable(table, lambda: iter(())))


def schema(table: str) -> str:
    """The schema of a table as DDL, as Spark takes it."""
    fields = []
    for field in _arrow_schema(table):
        own = _TYPES.get(str(field.type), "ARRAY<STRING>")
        fields.append(f"`{field.name}` {own}" + ("" if field.nullable else " NOT NULL"))
    return ", ".join(fields)


def mapper(table: str, *, variable_values: bool = False) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A function for ``mapInArrow``: batches of files to batches of rows. For ``instances`` and ``values``, see :func:`grouped`."""
    if table not in table_names(evaluated=False):
        raise ValueError(f"{table} needs all files of a repository: use grouped and applyInArrow")

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        yield from map(pyarrow.record_batch, _tables(batches, variable_values)[table].batches())

    return run


WRITTEN = "`table` STRING NOT NULL, `file` STRING NOT NULL, `rows` BIGINT NOT NULL"
"""The schema of what the function of :func:`writer` returns."""


def writer(
    out: str | os.PathLike[str],
    names: Iterable[str] | None = None,
    *,
    variable_values: bool = False,
    overwrite: bool = False,
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A function for ``mapInArrow`` that writes several tables in one pass over the files, by default all that need no evaluation.

    >>> files.mapInArrow(hclkit.spark.writer("s3://lake/hcl"), hclkit.spark.WRITTEN).collect()  # doctest: +SKIP

    ``out`` is a path or a URI, as :mod:`pyarrow.fs` takes it, and is the same on all nodes. The table ``blocks`` is then in files of Parquet
    in the directory ``blocks``, one for each partition, and the result has a row for each file. A file gets its name when it is complete;
    a task that runs again gives the same one. A table that has files already is an error, unless ``overwrite`` is true: then they are
    deleted now.
    """
    wanted = list(table_names(evaluated=False) if names is None else names)
    for name in wanted:
        if name not in table_names(evaluated=False):
            raise ValueError(f"{name!r} is not a table of single files: use grouped and applyInArrow")
    location = str(out) if "://" in str(out) else str(Path(out).absolute())
    _prepare(location, wanted, overwrite)

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import TaskContext

        task = TaskContext.get()
        part = 0 if task is None else task.partitionId()
        attempt = 0 if task is None else task.taskAttemptId()
        rows = _write(location, f"part-{part:05}.parquet", attempt, _tables(batches, variable_values).batches(*wanted))
        schema = pyarrow.schema([("table", "string"), ("file", "string"), ("rows", "int64")])
        yield pyarrow.RecordBatch.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)

    return run


def _prepare(location: str, names: list[str], overwrite: bool) -> None:
    """Creates the directories of tables, and deletes their files or refuses to."""
    from pyarrow.fs import FileSelector, FileSystem, FileType

    system, root = FileSystem.from_uri(location)
    for name in names:
        found = system.get_file_info(FileSelector(f"{root}/{name}", allow_not_found=True))
        files = [own.path for own in found if own.type == FileType.File]
        if files and not overwrite:
            raise FileExistsError(f"{location}/{name} has files: choose another directory, or overwrite=True")
        for file in files:
            system.delete_file(file)
        system.create_dir(f"{root}/{name}")


def _write(location: str, file: str, attempt: int, batches: Iterable[tuple[str, Any]]) -> list[tuple[str, str, int]]:
    """Writes the tables of a partition. Returns their names, the files and the numbers of rows."""
    from pyarrow.fs import FileSystem
    from pyarrow.parquet import ParquetWriter

    system, root = FileSystem.from_uri(location)
    # Engines skip files whose names start with a dot.
    partial = f".{file}.{attempt}.tmp"
    writers: dict[str, Any] = {}
    counts: dict[str, int] = {}
    try:
        for name, rows in larger(batches):
            if name not in writers:
                writers[name] = ParquetWriter(f"{root}/{name}/{partial}", rows.schema, filesystem=system)
            writers[name].write_table(rows)
            counts[name] = counts.get(name, 0) + rows.num_rows
        for own in writers.values():
            own.close()
        for name in writers:
            system.move(f"{root}/{name}/{partial}", f"{root}/{name}/{file}")
    except BaseException:
        for name, own in writers.items():
            own.close()
            if system.get_file_info(f"{root}/{name}/{partial}").is_file:
                system.delete_file(f"{root}/{name}/{partial}")
        raise
    return [(name, f"{location}/{name}/{file}", count) for name, count in counts.items()]


def grouped(table: str, *, variable_values: bool = False) -> Callable[[Any], Any]:
    """A function for ``applyInArrow``, for the tables of evaluated directories: all files of a repository to its rows.

    A group is a repository, because a directory is evaluated with the modules that it calls there:

    >>> own = files.groupBy("repo", "commit")  # doctest: +SKIP
    >>> own.applyInArrow(hclkit.spark.grouped("values"), hclkit.spark.schema("values"))  # doctest: +SKIP
    """
    one = batch_mapper(table, variable_values=variable_values)

    def run(files: Any) -> Any:
        # The files of a group have no order. With one, results do not depend on the partitions.
        return _as_spark(one(files.sort_by("path")))

    return run


def batch_mapper(table: str, *, variable_values: bool = False) -> Callable[[Any], Any]:
    """A function from a batch or a table of pyarrow with files to a table with rows, also for Ray and Dask."""

    def run(batch: Any) -> Any:
        batches = batch.to_batches() if hasattr(batch, "to_batches") else [batch]
        return _tables(batches, variable_values)[table].to_arrow()

    return run


def _tables(batches: Iterable[Any], variable_values: bool) -> Tables:
    # Spark, Ray and Dask run as many tasks as there are processors.
    return Tables(lambda: iter(batches), variable_values=variable_values, threads=1, limits=None)


def _as_spark(rows: Any) -> Any:
    """A batch or a table with the types of :func:`schema`. Spark compares them exactly, with its own name for the elements of lists."""
    import pyarrow

    elements = pyarrow.list_(pyarrow.field("element", pyarrow.string()))
    fields = [field.with_type(elements) if pyarrow.types.is_list(field.type) else field for field in rows.schema]
    return rows.cast(pyarrow.schema(fields))


def data_source() -> type:
    """The class of a Python data source of Spark 4: ``spark.dataSource.register(hclkit.spark.data_source())``, then
    ``spark.read.format("hcl").option("table", "blocks").load("repos")``. It reads directories; each one directly below the path is a
    partition."""
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

    class HclReader(DataSourceReader):  # type: ignore[misc]
        def __init__(self, options: Any) -> None:
            self.table = options.get("table", "blocks")
            self.path = options["path"]
            self.variable_values = options.get("variable_values", "false").lower() == "true"

        def partitions(self) -> list[InputPartition]:
            root = Path(self.path)
            folders = sorted(own for own in root.iterdir() if own.is_dir() and not own.name.startswith("."))
            files = sorted(own for own in root.iterdir() if own.is_file())
            return [InputPartition([str(own)]) for own in folders] + [InputPartition([str(own) for own in files])]

        def read(self, partition: InputPartition) -> Iterator[Any]:
            import pyarrow

            from hclkit._hclkit import is_configuration

            paths = [own for own in partition.value if Path(own).is_dir() or is_configuration(own)]
            own = tables(paths, variable_values=self.variable_values, threads=1)[self.table]
            for batch in own.batches():
                yield _as_spark(pyarrow.record_batch(batch))

    class HclSource(DataSource):  # type: ignore[misc]
        @classmethod
        def name(cls) -> str:
            return "hcl"

        def schema(self) -> str:
            return schema(self.options.get("table", "blocks"))

        def reader(self, schema: Any) -> DataSourceReader:
            return HclReader(self.options)

    return HclSource
