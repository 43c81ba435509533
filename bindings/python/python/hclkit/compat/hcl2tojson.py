"""The program ``hcl2tojson`` of python-hcl2 8: files as the JSON of the dictionaries that :func:`hclkit.compat.hcl2.loads` returns.

Its options, outputs and exit codes are those of the package. What is skipped with ``-s`` is named with its error.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .. import HclError
from .hcl2 import SerializationOptions, __version__, loads

PARTIAL, INVALID, UNREADABLE = 1, 2, 4
STDIN = "-"


def main(arguments: list[str] | None = None) -> int:
    """Runs the program. Returns its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        inputs = list(inputs_of(options.paths or [STDIN], (".tf", ".hcl")))
        if not inputs:
            parser.error("no HCL files found in the given paths")
        is_several = len(inputs) > 1 or any(os.path.isdir(path) for path in options.paths)
        if is_several and not (options.ndjson or options.output):
            what = "directory" if any(os.path.isdir(path) for path in options.paths) else "multiple files"
            parser.error(f"{what} to stdout requires --ndjson or -o <dir>")
        if options.ndjson and options.output:
            parser.error("-o cannot be used with --ndjson, which writes to stdout")
        return _run(options, _outputs(inputs, options.output, is_several), len(inputs) > 1)
    except BrokenPipeError:
        # Whoever reads the output has enough. Python would report it again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PARTIAL
    except ValueError as error:
        print(f"Error: {error}", file=sys.stderr)
        return INVALID


@dataclass
class Input:
    path: str
    """The path without the directory that was searched."""
    name: str


def inputs_of(paths: Iterable[str], endings: tuple[str, ...]) -> Iterator[Input]:
    """The files of paths, of directories if they have one of the endings, and of patterns. What cannot be found stays, to be an error where it is read."""
    for path in paths:
        if path == STDIN:
            yield Input(path, "stdin")
        elif os.path.isdir(path):
            for directory, directories, names in os.walk(path):
                directories.sort()
                found = (os.path.join(directory, name) for name in sorted(names) if name.endswith(endings))
                yield from (Input(own, os.path.relpath(own, path)) for own in found)
        elif not os.path.exists(path) and (found_by := sorted(glob.glob(path, recursive=True))):
            yield from (Input(own, own) for own in found_by if os.path.isfile(own))
        else:
            yield Input(path, path)


def _outputs(inputs: list[Input], output: str | None, is_several: bool) -> list[tuple[str, str | None]]:
    """The files, and where they are written: a file for a single one, and otherwise a directory with their names."""
    if output is None or not is_several:
        return [(own.path, output) for own in inputs]
    above = os.path.commonpath([os.path.dirname(own.name) or os.curdir for own in inputs]) if _are_alike(inputs) else os.curdir
    made: dict[str, str] = {}
    for own in inputs:
        name = os.path.relpath(own.name, above) if above else own.name
        # No name may lead out of the directory.
        name = os.path.normpath(os.path.join(os.sep, os.path.splitdrive(name)[1])).lstrip(os.sep)
        target = os.path.join(output, os.path.splitext(name)[0] + ".json")
        if target in made:
            raise ValueError(f"{made[target]} and {own.path} would both be written to {target}")
        made[target] = own.path
    return [(path, target) for target, path in made.items()]


def _are_alike(inputs: list[Input]) -> bool:
    return len({os.path.isabs(own.name) for own in inputs}) == 1 and all(own.path == own.name for own in inputs)


def _run(options: argparse.Namespace, files: list[tuple[str, str | None]], is_named: bool) -> int:
    skipped = 0
    for path, target in files:
        if not options.quiet and path != STDIN and (options.ndjson or os.path.exists(path)):
            print(path, file=sys.stderr, flush=True)
        try:
            data = _read(path, options)
            text = _json({"__file__": path, **data} if options.ndjson and is_named else data, options)
            if target is None:
                print(text, flush=options.ndjson)
            else:
                os.makedirs(os.path.dirname(target) or os.curdir, exist_ok=True)
                with open(target, "w", encoding="utf-8") as file:
                    file.write(text)
        except BrokenPipeError:
            raise
        except (HclError, UnicodeDecodeError, RecursionError, OSError) as error:
            is_unreadable = isinstance(error, OSError)
            if options.ndjson and not options.skip:
                kind = "io_error" if is_unreadable else "parse_error"
                print(json.dumps({"error": kind, "message": str(error), "file": path}), file=sys.stderr)
            elif isinstance(error, FileNotFoundError) and error.filename == path:
                print(f"Error: File not found: {path}", file=sys.stderr)
            else:
                print(f"Error: {error}", file=sys.stderr)
            if is_unreadable or not options.skip:
                return UNREADABLE if is_unreadable else INVALID
            skipped += 1
    if skipped == 0:
        return 0
    return INVALID if options.ndjson and skipped == len(files) else PARTIAL


def _read(path: str, options: argparse.Namespace) -> dict[str, Any]:
    if path == STDIN:
        text = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            text = file.read()
    own = SerializationOptions(
        with_comments=options.with_comments,
        with_meta=options.with_meta,
        wrap_objects=options.wrap_objects,
        wrap_tuples=options.wrap_tuples,
        explicit_blocks=options.explicit_blocks,
        preserve_heredocs=options.preserve_heredocs,
        force_operation_parentheses=options.force_parens,
        preserve_scientific_notation=options.preserve_scientific,
        strip_string_quotes=options.strip_string_quotes,
    )
    data = loads(text.decode("utf-8"), serialization_options=own)
    if options.only is not None:
        data = {name: it for name, it in data.items() if name in options.only}
    if options.exclude is not None:
        data = {name: it for name, it in data.items() if name not in options.exclude}
    return data if options.fields is None else _projected(data, options.fields)


def _projected(data: dict[str, Any], fields: set[str]) -> dict[str, Any]:
    """Only the items with these names, wherever they are, and what leads to them. Lists without dictionaries are values."""
    made: dict[str, Any] = {}
    for name, it in data.items():
        if name in fields or name.startswith("__"):
            made[name] = it
        elif isinstance(it, dict):
            made[name] = _projected(it, fields)
        elif isinstance(it, list) and any(isinstance(element, dict) for element in it):
            made[name] = _elements(it, fields)
    return {name: it for name, it in made.items() if name in fields or it not in ({}, [])}


def _elements(data: list[Any], fields: set[str]) -> list[Any]:
    made = (_projected(it, fields) if isinstance(it, dict) else _elements(it, fields) if isinstance(it, list) else it for it in data)
    return [it for it in made if it not in ({}, [])]


def _json(data: dict[str, Any], options: argparse.Namespace) -> str:
    if options.ndjson or options.compact:
        return json.dumps(data, separators=(",", ":"))
    indent = options.json_indent
    return json.dumps(data, indent=2 if indent is None and options.output is None and sys.stdout.isatty() else indent)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hcl2tojson", description="Convert HCL files to JSON", epilog=_EXIT_CODES)
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, directories or patterns (default: standard input)")
    add("-s", dest="skip", action="store_true", help="skip files that cannot be parsed")
    add("-o", "--output", help="a file for a single input, and otherwise a directory")
    add("-q", "--quiet", action="store_true", help="do not print the names of files")
    add("--ndjson", action="store_true", help="print an object per line")
    add("--version", action="version", version=__version__)
    add("--with-meta", action="store_true", help="has no effect, as in the package")
    add("--with-comments", action="store_true", help="include comments")
    add("--wrap-objects", action="store_true", help="write objects as text")
    add("--wrap-tuples", action="store_true", help="write tuples as text")
    add("--no-explicit-blocks", dest="explicit_blocks", action="store_false", help="do not mark blocks")
    add("--no-preserve-heredocs", dest="preserve_heredocs", action="store_false", help="write heredocs as strings")
    add("--force-parens", action="store_true", help="put parentheses around all operations")
    add("--no-preserve-scientific", dest="preserve_scientific", action="store_false", help="write numbers such as 1e3 as numbers")
    add("--strip-string-quotes", action="store_true", help="leave out the quotes of strings")
    add("--json-indent", type=int, metavar="N", help="how far JSON is indented (default: 2 on a terminal, otherwise one line)")
    add("--compact", action="store_true", help="write JSON on one line, without blanks")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--only", type=_names, metavar="TYPES", help="only these types of blocks, separated by commas")
    which.add_argument("--exclude", type=_names, metavar="TYPES", help="no blocks of these types")
    add("--fields", type=_names, help="only attributes with these names")
    return parser


def _names(text: str) -> set[str]:
    return {name.strip() for name in text.split(",")}


_EXIT_CODES = "Exit codes: 0 success; 1 some files were skipped (-s); 2 a file is invalid; 4 a file cannot be read or written."


if __name__ == "__main__":
    sys.exit(main())
