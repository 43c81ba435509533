"""Tables of many files, as Arrow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from ._hclkit import ArrowBatch, ArrowTable, Limits, Paths, TableBatches, table_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

Row = tuple[str | None, str | None, str, "str | bytes | Path | None"]
"""Repository, commit, path, and the content or the file that has it."""

Files = Callable[[], "Iterator[Row | Paths | Any]"]
"""A function that gives files whenever tables are read: rows, paths, or batches of pyarrow with many."""


class Tables(Mapping[str, ArrowTable]):
    """The tables of files by their names, which are attributes, too: ``tables.module_calls``, but ``tables["values"]``.

    Files are read whenever a table is read, so a table is never out of date. The tables ``instances`` and ``values`` evaluate each
    directory as a module, with the modules that it calls. Directories of a path are read where they are. Of rows, archives and bare
    repositories, the files with the same ``repo`` and ``commit``, which come one after another, are a repository, and are in memory
    together, up to 64 MiB.

    What a limit leaves out, or cannot be read, is a :class:`RuntimeWarning` at the end of a table, and a row of ``diagnostics``: a file of
    more than 64 MiB, a repository that is too large, an evaluation that exceeds its limits.
    """

    def __init__(self, files: Files, *, variable_values: bool, threads: int | None, limits: Limits | None) -> None:
        self._files = lambda: map(_packed, files())
        self._options: dict[str, Any] = {"variable_values": variable_values, "threads": threads, "limits": limits}

    def batches(self, *names: str) -> Iterator[tuple[str, ArrowBatch]]:
        """The rows of several tables in one pass over the files: names of tables, and batches that ``pyarrow.record_batch`` and Polars
        take. Without names, it is all tables that need no evaluation. Tables of evaluated directories take a second pass."""
        evaluated = set(table_names()) - set(table_names(evaluated=False))
        wanted = names or table_names(evaluated=False)
        passes = [[name for name in wanted if (name in evaluated) == late] for late in (False, True)]
        return (
            pair
            for own in passes
            if own
            for pair in TableBatches(own, self._files, **self._options)
        )

    def __getitem__(self, name: str) -> ArrowTable:
        if name not in table_names():
            raise KeyError(name)
        return ArrowTable(name, self._files, **self._options)

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
    repo_from: str | None = None,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    no_ignore: bool = False,
    hidden: bool = False,
    follow: bool = False,
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
    """
    options: dict[str, Any] = {"repo_from": repo_from, "no_ignore": no_ignore, "hidden": hidden, "follow": follow}
    options |= {"include": list(include), "exclude": list(exclude)}
    files = files_of(paths_or_rows, options)
    return Tables(files, variable_values=variable_values, threads=threads, limits=limits)


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
