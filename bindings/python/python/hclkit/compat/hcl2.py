"""What ``hcl2`` of python-hcl2 8 does.

>>> from hclkit.compat import hcl2
>>> data = hcl2.loads('service "web" {\\n  port = 8000 + var.offset # public\\n}\\n')
>>> data
{'service': [{'"web"': {'port': '${8000 + var.offset}', '__inline_comments__': [{'value': 'public'}], '__is_block__': True}}]}
>>> print(hcl2.dumps(data), end="")
service "web" {
  port = 8000 + var.offset
}

``parses`` and its like return documents, :class:`StartRule`, whose ``document`` is a :class:`hclkit.Document`. Errors are
:class:`hclkit.HclError`, and also those of Lark where it is installed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import IO, Any, ClassVar

from .. import _hclkit, __version__
from .._hclkit import Limits
from .._recover import recovered
from . import Installed, submodules
from ._builder import BuilderOf
from ._errors import ParseError, parsed, translated
from ._options import DeserializerOptions, FormatterOptions, SerializationOptions
from ._trees import (
    AttributeView,
    BaseDeserializer,
    BaseFormatter,
    BlockView,
    BodyView,
    DocumentView,
    HCLReconstructor,
    NodeView,
    RuleTransformer,
    StartRule,
    Tree,
)
from ._write import source_of

__all__ = [
    "Builder",
    "DeserializerOptions",
    "FormatterOptions",
    "ParseError",
    "SerializationOptions",
    "StartRule",
    "__version__",
    "dump",
    "dumps",
    "from_dict",
    "from_json",
    "install",
    "load",
    "loads",
    "parse",
    "parse_to_tree",
    "parses",
    "parses_to_tree",
    "query",
    "reconstruct",
    "serialize",
    "transform",
]

IS_BLOCK = "__is_block__"
COMMENTS_KEY = "__comments__"
INLINE_COMMENTS_KEY = "__inline_comments__"


def loads(
    text: str,
    *,
    serialization_options: SerializationOptions | None = None,
    recover: bool = False,
    limits: Limits | None = None,
) -> dict[str, Any]:
    """Return text as a dictionary. With ``recover``, what is valid in a text with errors, as :func:`hclkit.loads` does."""
    options = serialization_options or SerializationOptions()

    def read(text: str | bytes) -> dict[str, Any]:
        return _hclkit.loads_v8(text, options, limits=limits)

    if recover:
        return recovered(text, read, syntax="native", limits=limits)
    return translated(lambda: read(text))


def load(
    file: IO[str],
    *,
    serialization_options: SerializationOptions | None = None,
    recover: bool = False,
    limits: Limits | None = None,
) -> dict[str, Any]:
    """Return an open file as a dictionary."""
    return loads(file.read(), serialization_options=serialization_options, recover=recover, limits=limits)


def parses(text: str, *, discard_comments: bool = False) -> StartRule:
    """Return text as a document, without its comments in dictionaries if these are discarded."""
    return StartRule(parsed(text), with_comments=not discard_comments)


def parse(file: IO[str], *, discard_comments: bool = False) -> StartRule:
    """Return an open file as a document."""
    return parses(file.read(), discard_comments=discard_comments)


def parses_to_tree(text: str) -> Tree:
    """Return text as a tree, which has no nodes: :func:`transform` takes it."""
    return Tree(parsed(text))


def parse_to_tree(file: IO[str]) -> Tree:
    """Return an open file as a tree."""
    return parses_to_tree(file.read())


def transform(lark_tree: Tree, *, discard_comments: bool = False) -> StartRule:
    """Return a tree as a document."""
    return StartRule(lark_tree.document, with_comments=not discard_comments)


def serialize(tree: StartRule, *, serialization_options: SerializationOptions | None = None) -> dict[str, Any]:
    """Return a document as a dictionary."""
    return tree.serialize(serialization_options)


def dumps(
    data: Mapping[str, Any],
    *,
    deserializer_options: DeserializerOptions | None = None,
    formatter_options: FormatterOptions | None = None,
) -> str:
    """Return a dictionary of :func:`loads` or :class:`Builder` as text."""
    return source_of(data, deserializer_options, formatter_options)


def dump(
    data: Mapping[str, Any],
    file: IO[str],
    *,
    deserializer_options: DeserializerOptions | None = None,
    formatter_options: FormatterOptions | None = None,
) -> None:
    """Write a dictionary to an open file."""
    file.write(dumps(data, deserializer_options=deserializer_options, formatter_options=formatter_options))


def from_dict(
    data: Mapping[str, Any],
    *,
    deserializer_options: DeserializerOptions | None = None,
    formatter_options: FormatterOptions | None = None,
    apply_format: bool = True,
) -> StartRule:
    """Return a dictionary as a document, which always has the layout of :func:`dumps`."""
    return StartRule(parsed(source_of(data, deserializer_options, formatter_options)))


def from_json(
    text: str,
    *,
    deserializer_options: DeserializerOptions | None = None,
    formatter_options: FormatterOptions | None = None,
    apply_format: bool = True,
) -> StartRule:
    """Return the JSON of a dictionary as a document."""
    return from_dict(
        json.loads(text),
        deserializer_options=deserializer_options,
        formatter_options=formatter_options,
        apply_format=apply_format,
    )


def reconstruct(tree: StartRule | Tree) -> str:
    """Return the text of a document or a tree."""
    return tree.document.text


def query(source: str | IO[str]) -> DocumentView:
    """Return text or an open file as a document to query: its blocks and attributes."""
    text = source if isinstance(source, str) else source.read()
    return DocumentView(parses(text))


class Builder(BuilderOf):
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

    marks: ClassVar[dict[str, Any]] = {IS_BLOCK: True}



def install() -> Installed:
    """Put this module under the name ``hcl2``, with the submodules that users of the package import."""
    this = sys.modules[__name__]
    views = {it.__name__: it for it in (AttributeView, BlockView, BodyView, DocumentView, NodeView)}
    stages = {it.__name__: it for it in (BaseDeserializer, BaseFormatter, HCLReconstructor, RuleTransformer)}
    names = {
        "api": {name: getattr(this, name) for name in __all__},
        "builder": {"Builder": Builder},
        "const": {"IS_BLOCK": IS_BLOCK, "COMMENTS_KEY": COMMENTS_KEY, "INLINE_COMMENTS_KEY": INLINE_COMMENTS_KEY},
        "deserializer": {**stages, "DeserializerOptions": DeserializerOptions},
        "formatter": {**stages, "FormatterOptions": FormatterOptions},
        "parser": {"parse": parse_to_tree, "parses": parses_to_tree},
        "query": views,
        "query.attributes": views,
        "query.blocks": views,
        "query.body": views,
        "reconstructor": stages,
        "rules": {"StartRule": StartRule},
        "rules.base": {"StartRule": StartRule},
        "transformer": stages,
        "utils": {"SerializationOptions": SerializationOptions},
    }
    return Installed(this, submodules(names))
