"""Tables of many files, as Arrow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from ._hclkit import ArrowTable, Limits, is_configuration, table_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

Row = tuple[str | None, str | None, str, "str | bytes | Path | None"]
"""Repository, commit, path, and the content or the file that has it."""


class Tables(Mapping[str, ArrowTable]):
    """The tables of files by their names, which are attributes, too: ``tables.module_calls``, but ``tables["values"]``.

    Files are read whenever a table is read, so a table is never out of date. The tables ``instances`` and ``values`` evaluate each
    directory as a module, with the modules that it calls in the same repository: files with the same ``repo`` and ``commit``, which
    come one after another. They keep the files of a repository in memory, up to 256 MiB.
    """

    def __init__(self, table: Callable[[str], ArrowTable]) -> None:
        self._table = table

    def __getitem__(self, name: str) -> ArrowTable:
        if name not in table_names():
            raise KeyError(name)
        return self._table(name)

    def __iter__(self) -> Iterator[str]:
        return iter(table_names())

    def __len__(self) -> int:
        return len(table_names())

    def __getattr__(self, name: str) -> ArrowTable:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no table {name!r}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *table_names()]


def tables(
    paths_or_rows: Any,
    *,
    variable_values: bool = False,
    threads: int | None = None,
    limits: Limits | None = None,
) -> Tables:
    """The tables of files.

    ``paths_or_rows`` is a path, several paths, rows, or an object with ``__arrow_c_stream__``. A path is a directory, a file, or
    a file ``.parquet`` or ``.ndjson`` with rows. Rows are tuples ``(repo, commit, path, content)`` or dictionaries with these keys; the
    first two can be missing. Rows of an iterator are kept, because tables can be read several times.

    Values in variable files are withheld unless ``variable_values`` is true.
    """
    return tables_of(_files(paths_or_rows), variable_values=variable_values, threads=threads, limits=limits)


def tables_of(
    files: Callable[[], Iterator[Row]],
    *,
    variable_values: bool,
    threads: int | None,
    limits: Limits | None,
) -> Tables:
    """The tables of rows, which a function gives whenever a table is read."""

    def table(name: str) -> ArrowTable:
        return ArrowTable(name, files, variable_values=variable_values, threads=threads, limits=limits)

    return Tables(table)


def _files(given: Any) -> Callable[[], Iterator[Row]]:
    if isinstance(given, (str, os.PathLike)):
        return lambda: _of_path(given)
    if hasattr(given, "__arrow_c_stream__"):
        return lambda: _of_arrow(given)
    items = given if isinstance(given, (list, tuple)) else list(given)
    return lambda: _of_items(items)


def _of_items(items: Iterable[Any]) -> Iterator[Row]:
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            yield from _of_path(item)
        elif isinstance(item, Mapping):
            yield item.get("repo"), item.get("commit"), item["path"], item["content"]
        else:
            repo, commit, path, content = item
            yield repo, commit, path, content


def _of_path(given: str | os.PathLike[str]) -> Iterator[Row]:
    from pathlib import Path

    path = Path(given)
    if path.is_dir():
        for folder, folders, names in os.walk(path):
            # Hidden directories are usually caches.
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if is_configuration(name):
                    file = Path(folder, name)
                    yield None, None, file.as_posix(), file
    elif path.suffix == ".parquet":
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetFile(path)
        wanted = [name for name in ("repo", "commit", "path", "content") if name in file.schema_arrow.names]
        yield from _of_batches(file.iter_batches(batch_size=1024, columns=wanted))
    elif path.suffix in (".ndjson", ".jsonl"):
        import json

        with path.open(encoding="utf-8") as lines:
            yield from _of_items(json.loads(line) for line in lines if line.strip())
    else:
        yield None, None, path.as_posix(), path


def _of_arrow(given: Any) -> Iterator[Row]:
    import pyarrow

    yield from _of_batches(pyarrow.RecordBatchReader.from_stream(given))


def _of_batches(batches: Iterable[Any]) -> Iterator[Row]:
    for batch in batches:
        nothing = [None] * batch.num_rows
        names = batch.schema.names
        columns = [
            batch.column(name).to_pylist() if name in names else nothing for name in ("repo", "commit", "path", "content")
        ]
        yield from zip(*columns, strict=True)
