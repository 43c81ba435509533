"""Dataclasses as languages: the spec of a dataclass, and its objects from decoded values."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ._context import type_of_annotation
from ._errors import HclError
from ._hclkit import Type, Unknown, format
from .spec import Label


@dataclasses.dataclass(frozen=True)
class _Field:
    name: str
    annotation: Any
    shape: str
    """``label``, ``attribute``, ``block``, ``list`` or ``map``."""
    inner: Any
    is_required: bool


def source_of(cls: type[Any]) -> str:
    """Return the spec of a dataclass as the text of a spec file."""
    return format(_object(cls, ()))


def build(cls: type[Any], value: Mapping[str, Any]) -> Any:
    """Return an object of a dataclass from a decoded value."""
    arguments = {}
    for field in _fields(cls):
        found = value[field.name]
        if found is None and not field.is_required:
            continue
        if field.shape == "block":
            found = build(field.inner, found)
        elif field.shape == "list":
            found = [build(field.inner, it) for it in found]
        elif field.shape == "map":
            found = {name: build(field.inner, it) for name, it in found.items()}
        else:
            found = _converted(found, field.annotation, f"{cls.__name__}.{field.name}")
        arguments[field.name] = found
    return cls(**arguments)


def _fields(cls: type[Any]) -> list[_Field]:
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise HclError(f"an annotation of {cls.__name__} is not defined where the class is: {error}") from error
    fields = []
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        annotation = hints[field.name]
        has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        is_label = typing.get_origin(annotation) is typing.Annotated and Label in typing.get_args(annotation)[1:]
        inner, nullable = _without_none(annotation)
        origin, arguments = typing.get_origin(inner), typing.get_args(inner)
        shape = "label" if is_label else "attribute"
        if dataclasses.is_dataclass(inner):
            shape = "block"
        elif origin is list and dataclasses.is_dataclass(arguments[0]):
            shape, inner = "list", arguments[0]
        elif origin is dict and dataclasses.is_dataclass(arguments[1]):
            shape, inner = "map", arguments[1]
        if nullable and not has_default:
            raise HclError(f"{cls.__name__}.{field.name} can be None and needs a default")
        fields.append(_Field(field.name, annotation, shape, inner, not has_default))
    return fields


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        others = [it for it in typing.get_args(annotation) if it is not type(None)]
        if len(others) == 1:
            return others[0], len(others) < len(typing.get_args(annotation))
    return annotation, False


def _object(cls: type[Any], outer: tuple[type[Any], ...]) -> str:
    if cls in outer:
        raise HclError(f"{cls.__name__} contains itself, which a spec cannot express")
    if not dataclasses.is_dataclass(cls):
        raise HclError(f"{cls!r} is not a dataclass")
    outer, parts, labels = (*outer, cls), [], 0
    for field in _fields(cls):
        name, required = field.name, "true" if field.is_required else "false"
        if field.shape == "label":
            parts.append(f'block_label "{name}" {{\nindex = {labels}\n}}\n')
            labels += 1
        elif field.shape == "attribute":
            kind = type_of_annotation(field.annotation)[0]
            parts.append(f'attr "{name}" {{\ntype = {_constraint(kind)}\nrequired = {required}\n}}\n')
        elif field.shape == "block":
            inner = _object(field.inner, outer)
            parts.append(f'block "{name}" {{\nrequired = {required}\n{inner}}}\n')
        elif field.shape == "list":
            # Blocks of different types are told apart by their place.
            parts.append(f'block_tuple "{name}" {{\nblock_type = "{name}"\n{_object(field.inner, outer)}}}\n')
        else:
            inner = _object(field.inner, outer)
            parts.append(f'block_object "{name}" {{\nblock_type = "{name}"\nlabels = ["name"]\n{inner}}}\n')
    return "object {\n" + "".join(parts) + "}\n"


def _constraint(kind: Type) -> str:
    if kind.kind in ("list", "set", "map"):
        element = kind.element
        return f"{kind.kind}({_constraint(element) if element else 'any'})"
    if kind.kind == "tuple":
        return f"tuple([{', '.join(_constraint(it) for it in kind.elements or [])}])"
    return kind.kind


def _converted(value: Any, annotation: Any, name: str) -> Any:
    """A value as its annotation says: numbers of the right class, sets and tuples."""
    annotation, _ = _without_none(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _converted(value, arguments[0], name)
    if value is None or isinstance(value, Unknown):
        return value
    if annotation is int and isinstance(value, Decimal):
        raise HclError(f"{name} must be a whole number, not {value}")
    if annotation in (float, Decimal) and not isinstance(value, bool) and isinstance(value, (int, Decimal)):
        return annotation(value)
    if origin in (list, set, frozenset, tuple) and isinstance(value, list):
        kinds = arguments if origin is tuple and arguments[-1] is not Ellipsis else [arguments[0]] * len(value)
        return origin(_converted(it, kind, name) for it, kind in zip(value, kinds, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, dict):
        return {key: _converted(it, arguments[1], name) for key, it in value.items()}
    return value
