"""What replaces attributes of files: overrides of callers, and variables of the environment, as documents that override others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from . import _hclkit
from ._errors import HclError
from ._fields import fields
from ._hclkit import Document, parse
from ._spec_of import type_of_field
from .edit import Raw

Path = tuple[str, ...]
"""The type of a block at the top level and its labels, if any, and the name of an attribute."""


def overridden(
    documents: list[Document], overrides: Mapping[str, Any] | None, environment: str | None, cls: type[Any] | None = None
) -> tuple[list[Document], list[Document]]:
    """The documents, with the blocks that only overrides have, and those that override them."""
    added: list[Document] = []
    over: list[Document] = []
    if environment is not None:
        values = dict(_of_environment(environment, cls))
        _add(documents, values, "<environment>", added, over)
    if overrides:
        values = {tuple(path.split(".")): value for path, value in overrides.items()}
        _add([*documents, *added], values, "<overrides>", added, over)
    return [*documents, *added], over


def _add(
    documents: list[Document], values: Mapping[Path, Any], name: str, added: list[Document], over: list[Document]
) -> None:
    """Adds the document that overrides attributes, and the one with the blocks that are not there."""
    known: dict[Path, dict[str, Any]] = {}
    for path, value in values.items():
        if not all(path):
            raise HclError(f"{name}: {'.'.join(path)!r} is not the path of an attribute, such as \"port\" or \"listen.http.port\"")
        known.setdefault(path[:-1], {})[path[-1]] = value
    new = {path: it for path, it in known.items() if path and not any(_has(one, path) for one in documents)}
    rest = {path: it for path, it in known.items() if path not in new}
    for blocks, place in ((new, added), (rest, over)):
        if blocks:
            place.append(parse("".join(_source(blocks)), name=name, syntax="native"))


def _has(document: Document, path: Path) -> bool:
    return bool(document.body.blocks(path[0], *path[1:]) if path[1:] else document.body.blocks(path[0]))


def _source(blocks: Mapping[Path, Mapping[str, Any]]) -> Iterator[str]:
    for path, values in blocks.items():
        text = "".join(_attribute(name, value) for name, value in values.items())
        if not path:
            yield text
            continue
        head = _hclkit.write_items([(path[0], list(path[1:]), [])])
        yield head[: head.rindex("{")] + "{\n" + text + "}\n"


def _attribute(name: str, value: Any) -> str:
    if isinstance(value, Raw):
        return f"{name} = {value.source}\n"
    return _hclkit.write_items([(name, value)])


def _of_environment(prefix: str, cls: type[Any] | None) -> Iterator[tuple[Path, Any]]:
    for variable, value in sorted(os.environ.items()):
        if not variable.startswith(prefix) or variable == prefix:
            continue
        path = tuple(variable[len(prefix) :].split("__"))
        names, is_text = _in_class(path, cls) if cls is not None else (tuple(it.lower() for it in path), False)
        if names is None:
            raise HclError(f"the environment variable {variable} does not belong to an attribute of {getattr(cls, '__name__', cls)}")
        # An expression is needed for what is neither a string nor converted from one.
        yield names, Raw(value) if value.lstrip()[:1] in ("[", "{") and not is_text else value


def _in_class(path: Path, cls: type[Any]) -> tuple[Path | None, bool]:
    """The path with the names of a class, and whether its attribute is a string. Labels keep their case, or are in lower case."""
    found = [it for it in fields(cls) if it.name.replace("-", "_").lower() == path[0].lower()]
    if not found:
        return None, False
    field = found[0]
    if len(path) == 1:
        return ((field.name,), type_of_field(cls, field).kind == "string") if field.shape == "attribute" else (None, False)
    if not field.classes or len(path) < 2:
        return None, False
    *labels, last = path[1:]
    for inner in field.classes:
        names, is_text = _in_class((last,), inner)
        if names:
            return (field.name, *(it.lower() for it in labels), *names), is_text
    return None, False
