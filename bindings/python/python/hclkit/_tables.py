"""Tables of many files, as Arrow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from ._errors import HclError
from ._hclkit import ArrowBatch, ArrowTable, Limits, TableBatches, is_configuration, table_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

Row = tuple[str | None, str | None, str, "str | bytes | Path | None"]
"""Repository, commit, path, and the content or the file that has it."""

Files = Callable[[], "Iterator[Row | Any]"]
"""A function that gives files whenever tables are read: rows, or batches of pyarrow with many."""


class Tables(Mapping[str, ArrowTable]):
    """The tables of files by their names, which are attributes, too: ``tables.module_calls``, but ``tables["values"]``.

    Files are read whenever a table is read, so a table is never out of date. The tables ``instances`` and ``values`` evaluate each
    directory as a module, with the modules that it calls in the same repository: files with the same ``repo`` and ``commit``, which
    come one after another. They keep the files of a repository in memory, up to 256 MiB: a larger one has no rows in them, and is a
    :class:`RuntimeWarning`, as a file of more than 64 MiB is. Files of a directory have no ``repo``, so they count as one repository.
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
            for own, late in zip(passes, (False, True), strict=True)
            if own
            for pair in TableBatches(own, self._given(late), **self._options)
        )

    def _given(self, is_evaluated: bool) -> Files:
        return lambda: _warned(self._files(), is_evaluated)

    def __getitem__(self, name: str) -> ArrowTable:
        if name not in table_names():
            raise KeyError(name)
        return ArrowTable(name, self._given(name not in table_names(evaluated=False)), **self._options)

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

    Raises :class:`OSError` for a path that cannot be found, and :class:`HclError` for an archive or a bare repository.

    Values in variable files are withheld unless ``variable_values`` is true.
    """
    return Tables(files_of(paths_or_rows), variable_values=variable_values, threads=threads, limits=limits)


def files_of(given: Any) -> Files:
    if isinstance(given, (str, os.PathLike)):
        _check(given)
        return lambda: _of_path(given)
    if hasattr(given, "__arrow_c_stream__"):
        return lambda: _of_arrow(given)
    items = given if isinstance(given, (list, tuple)) else list(given)
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            _check(item)
    return lambda: _of_items(items)


def _check(given: str | os.PathLike[str]) -> None:
    """Raises an error for a path that is missing, or that cannot be read as files."""
    os.stat(given)
    name = os.fspath(given)
    if name.endswith((".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.xz", ".zip")):
        raise HclError(f"{name} is an archive: unpack it, or read it with the program hcl tables")
    if all(os.path.exists(os.path.join(name, own)) for own in ("HEAD", "objects", "refs")):
        raise HclError(f"{name} is a bare repository: clone it, or read it with the program hcl tables")


_MOST_FILE = 64 << 20
_MOST_REPOSITORY = 256 << 20
"""How many bytes of a file and of a repository are read: the limits of the extension module."""


def _warned(files: Iterator[Row | Any], is_evaluated: bool) -> Iterator[Row | Any]:
    """The same files. Warns about those that a limit leaves out."""
    last, total = None, 0
    for row in files:
        yield row
        if not isinstance(row, tuple):
            continue
        repo, commit, path, content = row
        try:
            size = os.path.getsize(content) if isinstance(content, os.PathLike) else _size(content)
        except OSError:
            # It is a row of `diagnostics`.
            continue
        if size > _MOST_FILE:
            _warn(f"{path} has {size} bytes, more than {_MOST_FILE}: tables have no rows of its content")
            continue
        if (repo, commit) != last:
            last, total = (repo, commit), 0
        # What a file in memory takes besides its content.
        before, total = total, total + size + len(path.encode(errors="replace")) + 256
        if is_evaluated and before <= _MOST_REPOSITORY < total:
            named = repo or "what has no repository"
            _warn(
                f"{named} has more than {_MOST_REPOSITORY} bytes, so its directories are not evaluated: the tables instances and "
                "values have no rows of it. Give rows with a repository for each, or read them with the program hcl tables"
            )


def _size(content: str | bytes | None) -> int:
    if isinstance(content, str) and not content.isascii():
        return len(content.encode(errors="replace"))
    return len(content or b"")


def _warn(message: str) -> None:
    import warnings

    warnings.warn(message, RuntimeWarning, stacklevel=3)


def _of_items(items: Iterable[Any]) -> Iterator[Row | Any]:
    for item in items:
        if isinstance(item, (str, os.PathLike)):
            yield from _of_path(item)
        elif isinstance(item, Mapping):
            yield item.get("repo"), item.get("commit"), item["path"], item["content"]
        else:
            repo, commit, path, content = item
            yield repo, commit, path, content


def _of_path(given: str | os.PathLike[str]) -> Iterator[Row | Any]:
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
        yield from file.iter_batches(batch_size=1024, columns=wanted)
    elif path.suffix in (".ndjson", ".jsonl"):
        import json

        with path.open(encoding="utf-8") as lines:
            yield from _of_items(json.loads(line) for line in lines if line.strip())
    else:
        yield None, None, path.as_posix(), path


def _of_arrow(given: Any) -> Iterator[Any]:
    import pyarrow

    yield from pyarrow.RecordBatchReader.from_stream(given)


def _packed(files: Row | Any) -> Row | bytes:
    """A batch as a stream of Arrow IPC. A row stays as it is."""
    if isinstance(files, tuple):
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
