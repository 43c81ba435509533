"""Tables of many files, as Arrow."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain

from ._hclkit import ArrowBatch, ArrowRows, Limits, Paths, TableBatches, table_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    import pandas
    import polars

Row = tuple[str | None, str | None, str, "str | bytes | Path | None"]
"""Repository, commit, path, and the content or the file that has it."""

Files = Callable[[], "Iterator[Row | Paths | Any]"]
"""A function that gives files whenever tables are read: rows, paths, or batches of pyarrow with many."""


Progress = Callable[[int], object]
"""A function that gets the number of files that were read so far, from time to time and at the end."""


class ArrowTable:
    """A table of files, which are read whenever the table is read.

    It has ``__arrow_c_stream__``, so pyarrow, Polars, DuckDB, DataFusion and pandas take it. The first 256 MiB of rows are read at once, and the
    others batch by batch if pyarrow is installed.

    >>> import hclkit
    >>> table = hclkit.tables([("shop", None, "main.tf", "locals {\\n  a = 1\\n  b = 2\\n}\\n")]).locals
    >>> len(table), table.select(["name", "value"]).to_arrow().to_pylist()
    (2, [{'name': 'a', 'value': '1'}, {'name': 'b', 'value': '2'}])
    """

    def __init__(
        self,
        table: str,
        files: Files,
        columns: Iterable[str] | None = None,
        *,
        variable_values: bool = False,
        threads: int | None = None,
        limits: Limits | None = None,
        progress: bool | Progress = False,
    ) -> None:
        self._name = table
        self._files = files
        self._options: dict[str, Any] = {"variable_values": variable_values, "threads": threads, "limits": limits, "progress": progress}
        self._columns = ArrowRows(table, None if columns is None else list(columns), []).columns

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._name

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def select(self, columns: Iterable[str]) -> ArrowTable:
        """The same table with only these columns. Raises :class:`ValueError` for a name that is not a column."""
        return ArrowTable(self._name, self._files, columns, **self._options)

    def batches(self) -> Iterator[ArrowBatch]:
        """The rows, some at a time: ``pyarrow.record_batch`` and Polars take them."""
        return (batch for _, batch in _read([self._name], self._files, self._columns, **self._options))

    def to_arrow(self) -> Any:
        """The rows as a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.Table.from_batches(map(pyarrow.record_batch, self.batches()), pyarrow.schema(self))

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a frame of pandas. It needs pyarrow."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The rows as a frame of Polars. :func:`hclkit.polars.scan` is a lazy one."""
        import polars

        return polars.DataFrame(ArrowRows(self._name, self._columns, list(self.batches())))

    def __len__(self) -> int:
        """The number of rows. All files are read."""
        return sum(map(len, self.select(self._columns[:1]).batches()))

    def __repr__(self) -> str:
        return f"ArrowTable({self._name!r}, columns={self._columns!r})"

    def __arrow_c_schema__(self) -> Any:
        """The schema, as a capsule of Arrow."""
        return ArrowRows(self._name, self._columns, []).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A stream of batches, as a capsule of Arrow. A requested schema is ignored, as the protocol allows."""
        batches, first, size = self.batches(), [], 0
        # Errors and Ctrl-C are exceptions of this method. What a library makes of them once it reads the stream is its own.
        for batch in batches:
            first.append(batch)
            size += batch.nbytes
            if size > _READ_AT_ONCE and (reader := self._reader(first, batches)) is not None:
                return reader.__arrow_c_stream__()
        return ArrowRows(self._name, self._columns, first).__arrow_c_stream__()

    def _reader(self, first: list[ArrowBatch], batches: Iterator[ArrowBatch]) -> Any | None:
        """A reader that calls Python for each batch, whether or not the library that reads it has released the interpreter lock."""
        try:
            import pyarrow
        except ModuleNotFoundError:
            return None
        return pyarrow.RecordBatchReader.from_batches(pyarrow.schema(self), map(pyarrow.record_batch, chain(first, batches)))


_READ_AT_ONCE = 256 << 20
"""The bytes of rows that a table reads before it becomes a stream."""


class Tables(Mapping[str, ArrowTable]):
    """The tables of files by their names, which are attributes, too: ``tables.module_calls``, but ``tables["values"]``.

    Files are read whenever a table is read, so a table is never out of date. The tables ``instances`` and ``values`` evaluate each
    directory as a module, with the modules that it calls. Directories of a path are read where they are. Of rows, archives and bare
    repositories, the files with the same ``repo`` and ``commit``, which come one after another, are a repository, and are in memory
    together, up to 64 MiB.

    What a limit leaves out, or cannot be read, is a :class:`RuntimeWarning` at the end of a table, and a row of ``diagnostics``: a file of
    more than 64 MiB, a repository that is too large, an evaluation that exceeds its limits.
    """

    def __init__(
        self,
        files: Files,
        *,
        variable_values: bool = False,
        threads: int | None = None,
        limits: Limits | None = None,
        progress: bool | Progress = False,
    ) -> None:
        self._files = lambda: map(_packed, files())
        self._options: dict[str, Any] = {"variable_values": variable_values, "threads": threads, "limits": limits, "progress": progress}

    def batches(self, *names: str) -> Iterator[tuple[str, ArrowBatch]]:
        """The rows of several tables in one pass over the files: names of tables, and batches that ``pyarrow.record_batch`` and Polars
        take. Without names, it is all tables that need no evaluation. Tables of evaluated directories take a second pass."""
        evaluated = set(table_names()) - set(table_names(evaluated=False))
        wanted = names or table_names(evaluated=False)
        passes = [[name for name in wanted if (name in evaluated) == late] for late in (False, True)]
        return (pair for own in passes if own for pair in _read(own, self._files, None, **self._options))

    def __getitem__(self, name: str) -> ArrowTable:
        if name not in table_names():
            raise KeyError(name)
        return ArrowTable(name, self._files, **self._options)

    def __iter__(self) -> Iterator[str]:
        return iter(table_names())

    def __len__(self) -> int:
        return len(table_names())

    def __repr__(self) -> str:
        return f"Tables({table_names()!r})"

    def __getattr__(self, name: str) -> ArrowTable:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no table {name!r}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *table_names()]


def _read(
    names: list[str], files: Files, columns: list[str] | None, *, progress: bool | Progress, **options: Any
) -> Iterator[tuple[str, ArrowBatch]]:
    """The batches of tables in one pass over the files."""
    with _shown(progress) as function:
        yield from TableBatches(names, files, columns, progress=function, **options)


@contextmanager
def _shown(progress: bool | Progress) -> Generator[Progress | None]:
    """The function that is called for the progress: one of a bar of tqdm, unless the caller has one."""
    if not isinstance(progress, bool):
        yield progress
        return
    if not progress:
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(unit=" files") as bar:
        yield lambda files: bar.update(files - bar.n)


def tables(
    paths_or_rows: Any,
    *,
    variable_values: bool = False,
    threads: int | None = None,
    limits: Limits | None = None,
    repo_from: str | None = None,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    no_ignore: bool = False,
    hidden: bool = False,
    follow: bool = False,
    progress: bool | Progress = False,
) -> Tables:
    """The tables of files.

    ``paths_or_rows`` is a path, several paths, rows, or an object with ``__arrow_c_stream__``. A path is what the program ``hcl tables``
    takes: a directory, a file, a bare repository of Git (its commit ``HEAD``) or a directory with such repositories, an archive (``.tar``,
    ``.tar.gz``), or a file ``.parquet`` or ``.ndjson`` with rows. Rows are tuples ``(repo, commit, path, content)`` or dictionaries
    with these keys; the first two can be missing. Rows of an iterator are kept, because tables can be read several times.

    Of directories, the files with names of HCL are read that no ignore file names and that are not in hidden directories, or those that
    match ``include``, without those that match ``exclude``: patterns with the syntax of ``.gitignore``. ``no_ignore``, ``hidden`` and
    ``follow`` (links to files outside) are as for the program. ``repo_from`` says what the repository of a file is: ``"git"``, the remote
    of the repository around it, or what the stars of a pattern match, such as ``"repos/*/*"``.

    Raises :class:`OSError` for a path that cannot be found, and :class:`ValueError` for an invalid pattern.

    Values in variable files are withheld unless ``variable_values`` is true.

    With ``progress``, tqdm shows how many files were read whenever a table is read; it must be installed. A function gets this number instead.
    """
    if progress is True:
        from importlib.util import find_spec

        if find_spec("tqdm") is None:
            raise ModuleNotFoundError("progress=True needs the package tqdm; progress can also be a function", name="tqdm")
    options: dict[str, Any] = {"repo_from": repo_from, "no_ignore": no_ignore, "hidden": hidden, "follow": follow}
    options |= {"include": list(include), "exclude": list(exclude)}
    files = files_of(paths_or_rows, options)
    return Tables(files, variable_values=variable_values, threads=threads, limits=limits, progress=progress)


def files_of(given: Any, options: dict[str, Any] | None = None) -> Files:
    options = options or {}
    # Invalid options are errors now, whatever is given.
    Paths([], **options)
    if isinstance(given, (str, os.PathLike)):
        _check(given)
        return lambda: _of_path(given, options)
    if hasattr(given, "__arrow_c_stream__"):
        return lambda: _of_arrow(given)
    items = given if isinstance(given, (list, tuple)) else list(given)
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            _check(item)
    return lambda: _of_items(items, options)


def _check(given: str | os.PathLike[str]) -> None:
    """Raises an error for a path that is missing."""
    os.stat(given)


def _of_items(items: Iterable[Any], options: dict[str, Any]) -> Iterator[Row | Any]:
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            yield from _of_path(item, options)
        elif isinstance(item, Mapping):
            yield item.get("repo"), item.get("commit"), item["path"], item["content"]
        else:
            repo, commit, path, content = item
            yield repo, commit, path, content


def _of_path(given: str | os.PathLike[str], options: dict[str, Any]) -> Iterator[Paths | Any]:
    if not os.fspath(given).lower().endswith(".parquet"):
        yield Paths([given], **options)
        return
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(given)
    wanted = [name for name in ("repo", "commit", "path", "content") if name in file.schema_arrow.names]
    yield from file.iter_batches(batch_size=1024, columns=wanted)


def _of_arrow(given: Any) -> Iterator[Any]:
    import pyarrow

    yield from pyarrow.RecordBatchReader.from_stream(given)


def _packed(files: Row | Paths | Any) -> Row | Paths | bytes:
    """A batch as a stream of Arrow IPC. Rows and paths stay as they are."""
    if isinstance(files, (tuple, Paths)):
        return files
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, files.schema) as writer:
        writer.write(files)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def larger(batches: Iterable[tuple[str, ArrowBatch]]) -> Iterator[tuple[str, Any]]:
    """The same rows as tables of pyarrow with at least 64,000 rows, but for the last ones."""
    import pyarrow

    kept: dict[str, list[Any]] = {}
    counts: dict[str, int] = {}
    for name, batch in batches:
        kept.setdefault(name, []).append(pyarrow.record_batch(batch))
        counts[name] = counts.get(name, 0) + len(batch)
        if counts[name] >= 64_000:
            counts[name] = 0
            yield name, pyarrow.Table.from_batches(kept.pop(name))
    for name, rest in kept.items():
        yield name, pyarrow.Table.from_batches(rest)
