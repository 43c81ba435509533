"""What ``hcl2`` of python-hcl2 7 does.

>>> from hclkit.compat import hcl2_v7
>>> hcl2_v7.loads('service "web" {\\n  tags = merge({ a = "b" }, var.tags)\\n}\\n', with_meta=True)
{'service': [{'web': {'tags': '${merge({"a": "b"}, var.tags)}', '__start_line__': 1, '__end_line__': 3}}]}

Documents are :class:`hclkit.Document`, where the package has trees. Errors are :class:`hclkit.HclError`.
"""

from __future__ import annotations

import sys
from typing import IO, Any

from .. import _hclkit
from .._hclkit import Document, Limits
from .._hclkit import parse as _parse
from . import Installed

__all__ = ["END_LINE", "START_LINE", "install", "load", "loads", "parse", "parses", "transform", "writes"]

START_LINE = "__start_line__"
END_LINE = "__end_line__"


def loads(text: str, with_meta: bool = False, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return text as a dictionary; with the lines of blocks if ``with_meta`` is set."""
    return _hclkit.loads_v7(text, with_meta, limits=limits)


def load(file: IO[str], with_meta: bool = False, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return an open file as a dictionary."""
    return loads(file.read(), with_meta, limits=limits)


def parses(text: str) -> Document:
    """Return text as a document. Raises :class:`hclkit.HclError` for errors."""
    return _parse(text).check()


def parse(file: IO[str]) -> Document:
    """Return an open file as a document. Raises :class:`hclkit.HclError` for errors."""
    return parses(file.read())


def transform(ast: Document, with_meta: bool = False) -> dict[str, Any]:
    """Return a document as a dictionary."""
    return loads(ast.text, with_meta)


def writes(ast: Document) -> str:
    """Return the text of a document."""
    return ast.text


def install() -> Installed:
    """Put this module under the name ``hcl2``."""
    return Installed(sys.modules[__name__])
