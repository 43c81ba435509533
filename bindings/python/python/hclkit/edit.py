"""Edits and queries of documents, which keep comments and layout.

>>> import hclkit
>>> from hclkit import edit
>>> document = hclkit.parse('service "web" {\\n  port = 80 # public\\n}\\n')
>>> edited = edit.edit(document).set("service.web.port", 8080).set("service.web.host", edit.Raw("var.host")).apply()
>>> print(edited.text, end="")
service "web" {
  port = 8080 # public
  host = var.host
}
>>> [(it.address, it.text) for it in edit.query(edited, "service.*.port")]
[('service.web.port', '8080')]
>>> edit.value(edited, "service.web.port + 1")
8081
"""

from __future__ import annotations

from . import _hclkit
from ._hclkit import Document, Editor, Limits, Match, Raw, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Editor", "Match", "Raw", "edit", "query", "value"]


def edit(document: Document | str) -> Editor:
    """Begin to edit a document. :meth:`Editor.apply` makes the edits and returns the new document."""
    return Editor(parse(document) if isinstance(document, str) else document)


def query(document: Document | str, path: str) -> list[Match]:
    """Return the parts of a document that a path selects."""
    return _hclkit.select_parts(parse(document) if isinstance(document, str) else document, path)


def value(document: Document | str, expression: str, *, limits: Limits | None = None) -> Any:
    """Evaluate an expression whose variables are the contents of a document, as far as they are known."""
    return _hclkit.query_value(parse(document) if isinstance(document, str) else document, expression, limits)
