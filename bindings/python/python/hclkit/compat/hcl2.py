"""What ``hcl2`` of python-hcl2 8 does.

>>> from hclkit.compat import hcl2
>>> data = hcl2.loads('service "web" {\\n  port = 8000 + var.offset # public\\n}\\n')
>>> data
{'service': [{'"web"': {'port': '${8000 + var.offset}', '__inline_comments__': [{'value': 'public'}], '__is_block__': True}}]}
>>> print(hcl2.dumps(data), end="")
service "web" {
  port = 8000 + var.offset
}

Documents are :class:`hclkit.Document`, where the package has trees. Errors are :class:`hclkit.HclError`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

from .. import _hclkit
from .._hclkit import Document, Limits
from .._hclkit import parse as _parse
from . import Installed
from ._write import source_of

__all__ = [
    "Builder",
    "DeserializerOptions",
    "FormatterOptions",
    "SerializationOptions",
    "dump",
    "dumps",
    "from_dict",
    "from_json",
    "install",
    "load",
    "loads",
    "parse",
    "parses",
    "reconstruct",
    "serialize",
]

IS_BLOCK = "__is_block__"


@dataclass
class SerializationOptions:
    """How :func:`loads` writes dictionaries."""

    with_comments: bool = True
    with_meta: bool = False
    """Has no effect, as in the package."""
    wrap_objects: bool = False
    wrap_tuples: bool = False
    explicit_blocks: bool = True
    preserve_heredocs: bool = True
    force_operation_parentheses: bool = False
    preserve_scientific_notation: bool = True
    strip_string_quotes: bool = False


@dataclass
class DeserializerOptions:
    """Accepted by :func:`dumps`, which writes in the usual layout."""

    heredocs_to_strings: bool = False
    strings_to_heredocs: bool = False
    object_elements_colon: bool = False
    object_elements_trailing_comma: bool = True


@dataclass
class FormatterOptions:
    """Accepted by :func:`dumps`, which writes in the layout of ``terraform fmt``."""

    indent_length: int = 2
    open_empty_blocks: bool = True
    open_empty_objects: bool = True
    open_empty_tuples: bool = False
    vertically_align_attributes: bool = True
    vertically_align_object_elements: bool = True


def loads(
    text: str, *, serialization_options: SerializationOptions | None = None, limits: Limits | None = None
) -> dict[str, Any]:
    """Return text as a dictionary."""
    return _hclkit.loads_v8(text, serialization_options or SerializationOptions(), limits=limits)


def load(
    file: IO[str], *, serialization_options: SerializationOptions | None = None, limits: Limits | None = None
) -> dict[str, Any]:
    """Return an open file as a dictionary."""
    return loads(file.read(), serialization_options=serialization_options, limits=limits)


def parses(text: str, *, discard_comments: bool = False) -> Document:
    """Return text as a document. Raises :class:`hclkit.HclError` for errors."""
    return _parse(text).check()


def parse(file: IO[str], *, discard_comments: bool = False) -> Document:
    """Return an open file as a document. Raises :class:`hclkit.HclError` for errors."""
    return parses(file.read())


def serialize(tree: Document, *, serialization_options: SerializationOptions | None = None) -> dict[str, Any]:
    """Return a document as a dictionary."""
    return loads(tree.text, serialization_options=serialization_options)


def dumps(
    data: Mapping[str, Any],
    *,
    deserializer_options: DeserializerOptions | None = None,
    formatter_options: FormatterOptions | None = None,
) -> str:
    """Return a dictionary of :func:`loads` or :class:`Builder` as text."""
    return source_of(data)


def dump(
    data: Mapping[str, Any],
    file: IO[str],
    *,
    deserializer_options: DeserializerOptions | None = None,
    formatter_options: FormatterOptions | None = None,
) -> None:
    """Write a dictionary to an open file."""
    file.write(dumps(data))


def from_dict(data: Mapping[str, Any], **options: Any) -> Document:
    """Return a dictionary as a document."""
    return _parse(source_of(data))


def from_json(text: str, **options: Any) -> Document:
    """Return the JSON of a dictionary as a document."""
    return from_dict(json.loads(text))


def reconstruct(tree: Document) -> str:
    """Return the text of a document."""
    return tree.text


class Builder:
    """Builds dictionaries for :func:`dumps`.

    >>> builder = Builder({"name": '"shop"'})
    >>> _ = builder.block("listen", ['"http"'], port=80)
    >>> print(dumps(builder.build()), end="")
    name = "shop"
    <BLANKLINE>
    listen "http" {
      port = 80
    }
    """

    def __init__(self, attributes: dict[str, Any] | None = None) -> None:
        self.blocks: dict[str, list[tuple[list[str], Builder, Builder | None]]] = defaultdict(list)
        self.attributes: dict[str, Any] = attributes or {}

    def block(
        self,
        block_type: str,
        labels: list[str] | None = None,
        __nested_builder__: Builder | None = None,
        **attributes: Any,
    ) -> Builder:
        """Add a block, and return the builder of its content."""
        if __nested_builder__ is self:
            raise ValueError("a block cannot contain itself")
        block = Builder(attributes)
        self.blocks[block_type].append((list(labels or []), block, __nested_builder__))
        return block

    def build(self) -> dict[str, Any]:
        """Return the dictionary."""
        body: dict[str, Any] = {IS_BLOCK: True, **self.attributes}
        for block_type, blocks in self.blocks.items():
            for labels, builder, nested in blocks:
                block = builder.build()
                for name, value in nested.build().items() if nested else ():
                    if name != IS_BLOCK:
                        block.setdefault(name, []).extend(value)
                for label in reversed(labels):
                    block = {label: block}
                body.setdefault(block_type, []).append(block)
        return body


def install() -> Installed:
    """Put this module under the name ``hcl2``."""
    return Installed(sys.modules[__name__])
