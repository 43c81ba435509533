"""The stages of python-hcl2 8, each of which holds the text of a document: what its users import by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import _hclkit
from .._hclkit import Attribute, Block, Body, Document
from ._errors import parsed
from ._options import DeserializerOptions, FormatterOptions, SerializationOptions
from ._write import source_of

if TYPE_CHECKING:
    _LarkTree = object
else:
    try:
        # Code that asks for a tree of Lark gets one, where Lark is installed.
        from lark.tree import Tree as _LarkTree
    except ImportError:
        _LarkTree = object


class Tree(_LarkTree):
    """What ``parses_to_tree`` returns: a document, without the nodes of Lark."""

    def __init__(self, document: Document) -> None:
        self.data = "start"
        self.children: list[Any] = []
        self.document = document

    def __repr__(self) -> str:
        return f"<tree of {self.document!r}>"


class StartRule:
    """What ``parses`` returns: a document, with or without its comments."""

    def __init__(self, document: Document, *, with_comments: bool = True) -> None:
        self.document = document
        self.with_comments = with_comments

    @property
    def text(self) -> str:
        """The text."""
        return self.document.text

    def serialize(self, options: SerializationOptions | None = None) -> dict[str, Any]:
        """Return the dictionary."""
        import dataclasses

        options = options or SerializationOptions()
        if not self.with_comments:
            options = dataclasses.replace(options, with_comments=False)
        return _hclkit.loads_v8(self.text, options, limits=None)

    def to_lark(self) -> Tree:
        """Return the tree."""
        return Tree(self.document)


class RuleTransformer:
    """The stage from a tree to a document."""

    def __init__(self, discard_new_line_or_comments: bool = False) -> None:
        self._with_comments = not discard_new_line_or_comments

    def transform(self, tree: Tree) -> StartRule:
        """Return the document."""
        return StartRule(tree.document, with_comments=self._with_comments)


class BaseDeserializer:
    """The stage from a dictionary to a document."""

    def __init__(self, options: DeserializerOptions | None = None) -> None:
        self._options = options

    def load_python(self, value: Mapping[str, Any]) -> StartRule:
        """Return a dictionary as a document."""
        return _Unformatted(value, self._options)

    def loads(self, value: str) -> StartRule:
        """Return the JSON of a dictionary as a document."""
        return self.load_python(json.loads(value))


class _Unformatted(StartRule):
    """A document whose layout is not decided yet."""

    def __init__(self, value: Mapping[str, Any], options: DeserializerOptions | None) -> None:
        self.value, self.options = value, options
        super().__init__(parsed(source_of(value, options)))

    def serialize(self, options: SerializationOptions | None = None) -> dict[str, Any]:
        """Return the dictionary. Source text that is not marked as an expression stays text, as in the package."""
        found: dict[str, Any] = _with_texts(super().serialize(options), self.value)
        return found


def _with_texts(found: Any, given: Any) -> Any:
    if isinstance(given, Mapping) and isinstance(found, dict):
        return {name: _with_texts(it, given.get(name)) for name, it in found.items()}
    if isinstance(given, list) and isinstance(found, list) and len(given) == len(found):
        return [_with_texts(it, other) for it, other in zip(found, given, strict=True)]
    return given if isinstance(given, str) and isinstance(found, (list, dict)) else found


class BaseFormatter:
    """The stage that decides the layout."""

    def __init__(self, options: FormatterOptions | None = None) -> None:
        self._options = options

    def format_tree(self, tree: StartRule) -> None:
        """Change the layout of a document."""
        if isinstance(tree, _Unformatted):
            tree.document = parsed(source_of(tree.value, tree.options, self._options))


class HCLReconstructor:
    """The stage from a tree to text."""

    def reconstruct(self, tree: Tree | StartRule) -> str:
        """Return the text."""
        return tree.document.text


class NodeView:
    """A part of a document."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def to_hcl(self) -> str:
        """Return the source text."""
        text: str = self.raw.text
        return text


class AttributeView(NodeView):
    """An attribute."""

    @property
    def name(self) -> str:
        """The name."""
        name: str = self.raw.name
        return name

    @property
    def value(self) -> Any:
        """What the dictionary has for it."""
        return StartRule(parsed(self.raw.text + "\n")).serialize(SerializationOptions(with_comments=False))[self.name]

    @property
    def value_node(self) -> NodeView:
        """The expression."""
        return NodeView(self.raw.expression)


class BodyView(NodeView):
    """The attributes and blocks of a document or a block."""

    def _body(self) -> Body:
        body: Body = self.raw
        return body

    def blocks(self, block_type: str | None = None, *labels: str) -> list[BlockView]:
        """Return the blocks of a type, whose first labels are these."""
        found = (it for it in self._body() if isinstance(it, Block))
        wanted = [it for it in found if block_type is None or it.type == block_type]
        return [BlockView(it) for it in wanted if it.labels[: len(labels)] == list(labels)]

    def attributes(self, name: str | None = None) -> list[AttributeView]:
        """Return the attributes, or the one with a name."""
        found = (it for it in self._body() if isinstance(it, Attribute))
        return [AttributeView(it) for it in found if name is None or it.name == name]

    def attribute(self, name: str) -> AttributeView | None:
        """Return the attribute with a name."""
        return next(iter(self.attributes(name)), None)


class BlockView(BodyView):
    """A block."""

    def _body(self) -> Body:
        body: Body = self.raw.body
        return body

    @property
    def body(self) -> BodyView:
        """What is in it."""
        return BodyView(self._body())

    @property
    def block_type(self) -> str:
        """The type."""
        kind: str = self.raw.type
        return kind

    @property
    def labels(self) -> list[str]:
        """The type and the labels."""
        return [self.block_type, *self.name_labels]

    @property
    def name_labels(self) -> list[str]:
        """The labels."""
        return list(self.raw.labels)


class DocumentView(BodyView):
    """A document."""

    def __init__(self, tree: StartRule) -> None:
        super().__init__(tree)

    @classmethod
    def parse(cls, text: str) -> DocumentView:
        """Return text as a document to query."""
        return cls(StartRule(parsed(text)))

    @classmethod
    def parse_file(cls, path: str) -> DocumentView:
        """Return a file as a document to query."""
        with open(path, encoding="utf-8") as file:
            return cls.parse(file.read())

    def _body(self) -> Body:
        tree: StartRule = self.raw
        return tree.document.body

    @property
    def body(self) -> BodyView:
        """The attributes and blocks."""
        return BodyView(self._body())
