"""HCL in Spark: files are rows of a table with the columns ``repo``, ``commit``, ``path`` and ``content``, in Parquet or a lake, so that Spark
never opens a million small files.

>>> calls = files.mapInArrow(hclkit.spark.mapper("module_calls"), hclkit.spark.schema("module_calls"))  # doctest: +SKIP

Ray and Dask take the same function: ``dataset.map_batches(hclkit.spark.batch_mapper("blocks"), batch_format="pyarrow")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ._hclkit import ArrowTable, table_names, tables_of_ipc
from ._tables import tables

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
    one = batch_mapper(table, variable_values=variable_values)

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield from one(batch).to_batches()

    return run


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
        import pyarrow

        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
            writer.write(batch)
        stream = tables_of_ipc(table, sink.getvalue().to_pybytes(), variable_values=variable_values)
        return pyarrow.ipc.open_stream(stream).read_all()

    return run


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
            for batch in pyarrow.RecordBatchReader.from_stream(own):
                yield _as_spark(batch)

    class HclSource(DataSource):  # type: ignore[misc]
        @classmethod
        def name(cls) -> str:
            return "hcl"

        def schema(self) -> str:
            return schema(self.options.get("table", "blocks"))

        def reader(self, schema: Any) -> DataSourceReader:
            return HclReader(self.options)

    return HclSource
