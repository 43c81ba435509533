"""What ``hcl2`` of python-hcl2 7 does.

>>> from hclkit.compat import hcl2_v7
>>> hcl2_v7.loads('service "web" {\\n  tags = merge({ a = "b" }, var.tags)\\n}\\n', with_meta=True)
{'service': [{'web': {'tags': '${merge({"a": "b"}, var.tags)}', '__start_line__': 1, '__end_line__': 3}}]}

``parses`` and its like return documents, :class:`Tree`, whose ``document`` is a :class:`hclkit.Document`. Errors are
:class:`hclkit.HclError`, and also those of Lark where it is installed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, ClassVar

from .. import _hclkit, __version__
from .._hclkit import Limits
from .._recover import recovered
from . import Installed, submodules
from ._builder import BuilderOf
from ._errors import ParseError, parsed, translated
from ._trees import Tree
from ._write_v7 import source_of

__all__ = [
    "END_LINE",
    "START_LINE",
    "Builder",
    "ParseError",
    "__version__",
    "install",
    "load",
    "loads",
    "parse",
    "parses",
    "reverse_transform",
    "transform",
    "writes",
]

START_LINE = "__start_line__"
END_LINE = "__end_line__"


def loads(
    text: str, with_meta: bool = False, *, recover: bool = False, limits: Limits | None = None
) -> dict[str, Any]:
    """Return text as a dictionary; with the lines of blocks if ``with_meta`` is set, and what is valid in a text with errors if
    ``recover`` is, as :func:`hclkit.loads` does."""

    def read(text: str | bytes) -> dict[str, Any]:
        return _hclkit.loads_v7(text, with_meta, limits=limits)

    if recover:
        return recovered(text, read, syntax="native", limits=limits)
    return translated(lambda: read(text))


def load(
    file: IO[str], with_meta: bool = False, *, recover: bool = False, limits: Limits | None = None
) -> dict[str, Any]:
    """Return an open file as a dictionary."""
    return loads(file.read(), with_meta, recover=recover, limits=limits)


def parses(text: str) -> Tree:
    """Return text as a document."""
    return Tree(parsed(text))


def parse(file: IO[str]) -> Tree:
    """Return an open file as a document."""
    return parses(file.read())


def transform(ast: Tree, with_meta: bool = False) -> dict[str, Any]:
    """Return a document as a dictionary."""
    return loads(ast.document.text, with_meta)


def reverse_transform(hcl2_dict: Mapping[str, Any]) -> Tree:
    """Return a dictionary with the lines of blocks, or of :class:`Builder`, as a document."""
    return Tree(parsed(source_of(hcl2_dict)))


def writes(ast: Tree) -> str:
    """Return the text of a document."""
    return ast.document.text


class Builder(BuilderOf):
    """Builds dictionaries for :func:`reverse_transform`.

    >>> builder = Builder({"name": "shop"})
    >>> _ = builder.block("listen", ["http"], port="${8000 + offset}")
    >>> print(writes(reverse_transform(builder.build())), end="")
    name = "shop"
    listen "http" {
      port = 8000 + offset
    }
    """

    marks: ClassVar[dict[str, Any]] = {START_LINE: -1, END_LINE: -1}



class DictTransformer:
    """The stage from a document to a dictionary."""

    def __init__(self, with_meta: bool = False) -> None:
        self.with_meta = with_meta

    def transform(self, tree: Tree) -> dict[str, Any]:
        """Return the dictionary."""
        return transform(tree, self.with_meta)

    def to_string_dollar(self, value: Any) -> Any:
        """Return the text of an expression as dictionaries have it."""
        if not isinstance(value, str) or (value.startswith("${") and value.endswith("}")):
            return value
        is_string = len(value) > 1 and value.startswith('"') and value.endswith('"')
        return value[1:-1] if is_string else f"${{{value}}}"


class _Parser:
    """What ``hcl2.parser.parser()`` returns."""

    def parse(self, text: str) -> Tree:
        return parses(text)


PARSER_FILE = Path(tempfile.gettempdir(), "hclkit-has-no-parser-file")
"""Where the package keeps its parser. There is no such file."""


def install() -> Installed:
    """Put this module under the name ``hcl2``, with the submodules that users of the package import."""
    this = sys.modules[__name__]
    names = {
        "api": {name: getattr(this, name) for name in __all__},
        "builder": {"Builder": Builder, "START_LINE_KEY": START_LINE, "END_LINE_KEY": END_LINE},
        "parser": {"PARSER_FILE": PARSER_FILE, "parser": _Parser, "reconstruction_parser": _Parser},
        "transformer": {"DictTransformer": DictTransformer, "START_LINE_KEY": START_LINE, "END_LINE_KEY": END_LINE},
    }
    return Installed(this, submodules(names))
