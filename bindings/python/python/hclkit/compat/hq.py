"""The program ``hq`` of python-hcl2 8: structural queries of files.

Its outputs and exit codes are those of the package, but HCL is as it is in the file, and predicates compare the values of attributes. What
runs Python (``-e``, and more than a property after ``::``) or describes classes of the package is refused.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from .. import HclError
from .._hclkit import Document
from ._errors import parsed
from ._options import SerializationOptions
from ._query import File, Found, QueryError, View, run
from .hcl2 import __version__, loads
from .hcl2tojson import STDIN, inputs_of

NOTHING, INVALID, WRONG_QUERY, UNREADABLE = 1, 2, 3, 4
ENDINGS = (".tf", ".hcl", ".tfvars")


def main(arguments: list[str] | None = None) -> int:
    """Runs the program. Returns its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return _Program(parser, options).run()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOTHING


class _Program:
    def __init__(self, parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
        self.parser, self.options = parser, options
        self.is_json = options.json or options.ndjson
        if options.ndjson and (options.value or options.raw):
            parser.error("--ndjson cannot be combined with --value or --raw")
        for name in ("with_location", "with_comments"):
            if getattr(options, name) and not self.is_json:
                parser.error(f"--{name.replace('_', '-')} requires --json or --ndjson")

    def run(self) -> int:
        options = self.options
        if options.diff is not None:
            if options.query is None or options.files:
                self.parser.error("--diff compares one FILE with another: hq FILE --diff FILE2")
            return self.compare(options.query, options.diff)
        if options.query is None:
            self.parser.error("a QUERY is required")
        if not options.files and os.path.isfile(options.query):
            self.parser.error(f"a QUERY is required before the file {options.query}")
        query = options.query.strip()
        is_optional = query.endswith("?")
        query, files = query.removesuffix("?").rstrip(), list(_files(options.files or [STDIN]))
        if options.json and not options.ndjson:
            files.sort()
        # Directories may have one file, or none.
        self.is_several = len(files) > 1 or any(os.path.isdir(it) for it in options.files)
        worst, is_found = 0, False
        merged: list[Any] = []
        for path in files:
            try:
                document = parsed(_text(path))
                results = run(self.structural(query), document)
            except (OSError, HclError, UnicodeDecodeError, RecursionError, QueryError) as error:
                worst = max(worst, self.failed(error, path))
                if isinstance(error, QueryError):
                    return WRONG_QUERY
                continue
            is_found = is_found or bool(results)
            if options.json and not options.ndjson:
                merged += [self.data(it, path, document) for it in results]
            else:
                for it in results:
                    self.print(it, path, document)
        if options.json and not options.ndjson and merged:
            print(self.dumps(merged if len(merged) > 1 or self.is_several else merged[0]))
        return 0 if is_found else worst or (0 if is_optional else NOTHING)

    def structural(self, query: str) -> str:
        """The query, in which a property after ``::`` is one more stage."""
        path, is_hybrid, expression = query.partition("::")
        if not is_hybrid:
            return query
        match = re.fullmatch(r"(?:_?\.)?([A-Za-z]\w*)", expression.strip())
        if match is None:
            raise QueryError(f"{expression.strip()!r} is Python, which is not run: only a property can be after ::")
        return f"{path} | .{match[1]}"

    def failed(self, error: Exception, path: str) -> int:
        code, kind = INVALID, "parse_error"
        if isinstance(error, OSError):
            code, kind = UNREADABLE, "io_error"
        elif isinstance(error, QueryError):
            code, kind = WRONG_QUERY, "query_syntax"
        if self.is_json:
            more = {"query": self.options.query} if code == WRONG_QUERY else {} if path == STDIN else {"file": path}
            print(json.dumps({"error": kind, "message": str(error), "error_type": kind, **more}), file=sys.stderr)
        else:
            print(f"Error: {error}", file=sys.stderr)
        return code

    def print(self, found: Found, path: str, document: Document) -> None:
        value = _with_file(found.value, path)
        is_named = self.is_several and not self.options.no_filename
        if self.options.ndjson:
            data = self.data(found, path, document)
            text, is_named = json.dumps(data), is_named and not isinstance(data, dict)
        else:
            text = _raw(value) if self.options.raw else _value(value) if self.options.value else _source(value)
        print(f"{path}:{text}" if is_named else text, flush=self.options.ndjson)

    def data(self, found: Found, path: str, document: Document) -> Any:
        value = _plain(_with_file(found.value, path))
        if self.options.with_comments and found.view and found.view.gap is not None and isinstance(value, dict):
            value |= _comments(found.view, document)
        own: dict[str, Any] = {}
        if self.options.with_location or self.is_several and not self.options.no_filename:
            own["__file__"] = path
        place = found.origin.range() if self.options.with_location else None
        if place is not None and (isinstance(value, dict) or found.view):
            own |= {
                "__line__": place.start.line,
                "__end_line__": place.end.line,
                "__column__": place.start.column,
                "__end_column__": place.end.column,
            }
        if not own:
            return value
        if isinstance(value, dict):
            return {**own, **value}
        return {"__value__": value, **own} if self.options.with_location else value

    def dumps(self, value: Any) -> str:
        indent = self.options.json_indent
        return json.dumps(value, indent=2 if indent is None and sys.stdout.isatty() else indent or None)

    def compare(self, path: str, other: str) -> int:
        """Print how two files differ."""
        both = []
        for it in (path, other):
            try:
                both.append(loads(_text(it), serialization_options=SerializationOptions(with_comments=False)))
            except (OSError, HclError, UnicodeDecodeError, RecursionError) as error:
                return self.failed(error, it)
        changes = list(_changes("", *both))
        if self.options.json:
            print(json.dumps(changes, indent=2 if self.options.json_indent is None else self.options.json_indent))
        for change in () if self.options.json else changes:
            mark = {"added": "+", "removed": "-", "changed": "~"}[change["kind"]]
            sides = (repr(change[side]) for side in ("left", "right") if side in change)
            print(f"{mark} {change['path']}: {' -> '.join(sides)}")
        return NOTHING if changes else 0


def _text(path: str) -> str:
    if path == STDIN:
        return sys.stdin.read()
    with open(path, encoding="utf-8") as file:
        return file.read()


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        found = [it.path for it in inputs_of([path], ENDINGS)]
        yield from sorted(found) if os.path.isdir(path) else found


def _comments(view: View, document: Document) -> dict[str, Any]:
    """The comments before an item, as dictionaries have them."""
    place = view.range()
    before = document.text.encode()[view.gap : place.start.byte if place else 0].decode()
    return {name: it for name, it in loads(before).items() if name == "__comments__"}


def _changes(path: str, left: Any, right: Any) -> Iterator[dict[str, Any]]:
    if isinstance(left, dict) and isinstance(right, dict):
        for name in sorted({*left, *right}):
            own = f"{path}.{name}" if path else name
            if name not in right:
                yield {"path": own, "kind": "removed", "left": left[name]}
            elif name not in left:
                yield {"path": own, "kind": "added", "right": right[name]}
            else:
                yield from _changes(own, left[name], right[name])
    elif isinstance(left, list) and isinstance(right, list):
        for at in range(max(len(left), len(right))):
            own = f"{path}[{at}]"
            if at >= len(right):
                yield {"path": own, "kind": "removed", "left": left[at]}
            elif at >= len(left):
                yield {"path": own, "kind": "added", "right": right[at]}
            else:
                yield from _changes(own, left[at], right[at])
    elif left != right or type(left) is not type(right):
        yield {"path": path, "kind": "changed", "left": left, "right": right}


def _with_file(value: Any, path: str) -> Any:
    if isinstance(value, dict):
        return {name: path if it is File else it for name, it in value.items()}
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, View):
        return value.data()
    return [_plain(it) for it in value] if isinstance(value, list) else value


def _source(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_source(it) for it in value)}]"
    return value.text() if isinstance(value, View) else str(value)


def _value(value: Any) -> str:
    data = _plain(value)
    if isinstance(value, View) and isinstance(data, dict) and len(data) == 1:
        data = next(iter(data.values()))
    if isinstance(data, str) and re.fullmatch(r"\$\{.*\}", data, flags=re.DOTALL):
        data = data[2:-1]
    return str(data)


def _raw(value: Any) -> str:
    data = _plain(value)
    if isinstance(value, View) and isinstance(data, dict) and len(data) == 1:
        return _bare(_value(value))
    if isinstance(data, dict) or isinstance(data, list) and isinstance(value, View):
        return json.dumps(_stripped(data))
    return _bare(_value(value))


def _stripped(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _stripped(it) for name, it in data.items()}
    if isinstance(data, list):
        return [_stripped(it) for it in data]
    if not isinstance(data, str):
        return data
    return data[2:-1] if data.startswith("${") and data.endswith("}") else _bare(data)


def _bare(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


class _Refused(argparse.Action):
    """An option that is not supported."""

    def __init__(self, option_strings: list[str], dest: str, **others: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **others)

    def __call__(self, parser: argparse.ArgumentParser, *others: Any, **more: Any) -> NoReturn:
        parser.error(f"{self.option_strings[-1]} is not supported: {self.const}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hq", description="Query HCL files", epilog=_EXIT_CODES)
    add = parser.add_argument
    add("query", nargs="?", metavar="QUERY", help="a path with pipes, such as 'resource~[select(.count)] | .name_labels'")
    add("files", nargs="*", metavar="FILE", help="files, directories or patterns (default: standard input)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print JSON")
    how.add_argument("--value", action="store_true", help="print values")
    how.add_argument("--raw", action="store_true", help="print values, and strings without quotes")
    add("--ndjson", action="store_true", help="print the JSON of a result per line")
    add("--json-indent", type=int, metavar="N", help="how far JSON is indented (default: 2 on a terminal, otherwise one line)")
    add("--version", action="version", version=__version__)
    add("--no-filename", action="store_true", help="do not print the names of files")
    add("--diff", metavar="FILE2", help="show how FILE2 differs from a FILE, which is in the place of QUERY")
    add("--with-location", action="store_true", help="add places to JSON")
    add("--with-comments", action="store_true", help="add comments to JSON")
    add("-j", "--jobs", type=int, metavar="N", help="has no effect: one process reads hundreds of files in a second")
    python = "no Python is run; use a structural query, or hclkit.compat.hcl2.query in a program"
    add("-e", "--eval", action=_Refused, const=python, help="not supported: no Python is run")
    views = "it describes the classes of python-hcl2; see help(hclkit.compat.hcl2)"
    add("--describe", action=_Refused, const=views, help="not supported")
    add("--schema", action=_Refused, const=views, help="not supported")
    return parser


_EXIT_CODES = (
    "Exit codes: 0 success; 1 no results, or differences; 2 a file is invalid; 3 the query is invalid; 4 a file cannot be read."
)


if __name__ == "__main__":
    sys.exit(main())
