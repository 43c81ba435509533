"""Classes as languages: the spec of a dataclass, a class of attrs, a model of pydantic or a TypedDict, and its objects from decoded
values."""

from __future__ import annotations

import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from ._context import type_of_annotation
from . import _hclkit
from ._errors import HclError
from ._hclkit import Body, Document, Range, Type, Unknown, format
from .spec import Label


@dataclasses.dataclass(frozen=True)
class _Field:
    own: str
    """The name in the class."""
    name: str
    """The name in HCL, and of the argument of the class."""
    annotation: Any
    shape: str
    """``label``, ``attribute``, ``block``, ``list`` or ``map``."""
    inner: Any
    is_required: bool


def source_of(cls: type[Any]) -> str:
    """Return the spec of a class as the text of a spec file."""
    return format(_object(cls, ()))


def is_class(given: Any) -> bool:
    """Whether something is one of these classes."""
    return isinstance(given, type) and (
        dataclasses.is_dataclass(given)
        or typing.is_typeddict(given)
        or hasattr(given, "__attrs_attrs__")
        or hasattr(given, "__pydantic_fields__")
    )


_Known = dict[tuple[int, int], tuple[Any, Any, Any]]
"""Values that were converted, with their annotations and what they became, by the ids of both."""

_Path = tuple["str | int", ...]
"""Names of fields, numbers of blocks and labels."""


@dataclasses.dataclass
class _Problems:
    """What is wrong with values, until all is known."""

    found: list[tuple[_Path, str]] = dataclasses.field(default_factory=list)
    cause: Exception | None = None
    known: _Known = dataclasses.field(default_factory=dict)


def build(cls: type[Any], value: Mapping[str, Any], document: Document) -> Any:
    """Return an object of a class from a decoded value. Raises all errors at once, at their places in the document."""
    problems = _Problems()
    made = _built(cls, value, (), problems)
    if problems.found:
        lines, diagnostics = [], []
        for path, message in problems.found:
            place = _place(cls, document.body, list(path))
            named = f"{document.name or '<text>'}:{place.start.line}: " if place else ""
            text = ": ".join(it for it in (".".join(map(str, path)), message) if it)
            lines.append(named + text)
            # An error of the whole file is at its start.
            start, end = (place.start.byte, place.end.byte) if place else (0, 0)
            diagnostics.append(_hclkit.problem(document, text, start, end))
        raise HclError("\n".join(lines), diagnostics) from problems.cause
    return made


def _built(cls: type[Any], value: Mapping[str, Any], path: _Path, problems: _Problems) -> Any:
    """An object, or ``None`` if there are problems."""
    if hasattr(cls, "__pydantic_fields__"):
        return _validated(cls, value, path, problems)
    before = len(problems.found)

    def block(inner: type[Any], found: Mapping[str, Any], at: _Path) -> Any:
        return _built(inner, found, (*path, *at), problems)

    def attribute(field: _Field, found: Any) -> Any:
        wrong: list[str] = []
        made = _converted(found, field.annotation, wrong, problems.known)
        problems.found += [((*path, field.name), it) for it in wrong]
        return made

    arguments = _arguments(cls, value, block, attribute)
    if len(problems.found) > before:
        return None
    try:
        return cls(**arguments)
    except (MemoryError, RecursionError):
        raise
    except Exception as caught:
        # Code of the class, such as `__post_init__` and validators, can raise anything.
        problems.cause = problems.cause or caught
        problems.found.append((path, str(caught) or type(caught).__name__))
        return None


def _arguments(
    cls: type[Any],
    value: Mapping[str, Any],
    block: Callable[[type[Any], Mapping[str, Any], _Path], Any],
    attribute: Callable[[_Field, Any], Any],
) -> dict[str, Any]:
    """The arguments of a class from a decoded value, without the fields that are not given."""
    arguments: dict[str, Any] = {}
    for field in _fields(cls):
        name = field.name
        if value[name] is None and not field.is_required:
            continue
        found = value[name]
        if field.shape == "block":
            found = block(field.inner, found, (name,))
        elif field.shape == "list":
            found = [block(field.inner, it, (name, at)) for at, it in enumerate(found)]
        elif field.shape == "map":
            found = {key: block(field.inner, it, (name, key)) for key, it in found.items()}
        else:
            found = attribute(field, found)
        arguments[name] = found
    return arguments


def data_of(given: Any) -> tuple[dict[str, Any], set[str]]:
    """The plain data of an object, whose objects are blocks, and the names of the attributes: the reverse of :func:`build`."""
    names: dict[str, set[str]] = {"attribute": set(), "block": set()}
    data = _data_of(given, {}, names, 0)
    for both in sorted(names["attribute"] & names["block"]):
        raise HclError(f"{both!r} is an attribute with parts and a block, which plain data cannot tell apart")
    return data, names["attribute"]


def _data_of(
    given: Any, known: dict[int, tuple[Any, dict[str, Any]]], names: dict[str, set[str]], depth: int
) -> dict[str, Any]:
    """`names` gets the names of attributes that could be blocks, and of blocks. `known` has the data of objects by their ids, and keeps them: objects that are in several others are the same data in each."""
    if id(given) in known:
        return known[id(given)][1]
    if depth > 200:
        raise HclError("the data is nested too deeply, or contains itself")
    out: dict[str, Any] = {}

    def add(path: list[str], block: Any) -> None:
        names["block"].add(path[0])
        inner = out
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner.setdefault(path[-1], []).append(_data_of(block, known, names, depth + 1))

    for field in _fields(type(given)):
        value = getattr(given, field.own)
        if value is None and field.is_required:
            raise HclError(f"{type(given).__name__}.{field.own} is None, but required")
        if value is None or field.shape == "label":
            continue
        if field.shape == "block":
            add([field.name, *_labels(value)], value)
        elif field.shape == "list":
            for it in value:
                add([field.name, *_labels(it)], it)
        elif field.shape == "map":
            for name, it in value.items():
                add([field.name, name], it)
        else:
            if isinstance(value, (list, tuple, Mapping)):
                names["attribute"].add(field.name)
            # A set has no order, and the same object is the same text.
            out[field.name] = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
    known[id(given)] = given, out
    return out


def _labels(given: Any) -> list[str]:
    return [str(getattr(given, field.own)) for field in _fields(type(given)) if field.shape == "label"]


def _plain(cls: type[Any], value: Mapping[str, Any], _: _Path = ()) -> dict[str, Any]:
    """A decoded value without the fields that are not given, as pydantic takes it."""
    return _arguments(cls, value, _plain, lambda _, found: found)


def _validated(cls: type[Any], value: Mapping[str, Any], path: _Path, problems: _Problems) -> Any:
    import pydantic

    try:
        # A model visits each part wherever it occurs.
        return cls.model_validate(_hclkit.expanded(_plain(cls, value), 900))
    except pydantic.ValidationError as caught:
        problems.cause = problems.cause or caught
        problems.found += [((*path, *error["loc"]), error["msg"]) for error in caught.errors()]
        return None


def _place(cls: type[Any], body: Body, path: list[int | str]) -> Range | None:
    """Where the value at a path of pydantic is."""
    field = next((it for it in _fields(cls) if path and it.name == path[0]), None)
    if field is None or field.shape == "label":
        return None
    attribute = body.get(field.name)
    if attribute is not None:
        return attribute.expression.range
    blocks, rest = body.blocks(field.name), path[1:]
    if field.shape == "list" and rest and isinstance(rest[0], int):
        blocks, rest = blocks[rest[0] : rest[0] + 1], rest[1:]
    elif field.shape == "map" and rest:
        blocks, rest = [it for it in blocks if it.labels == [rest[0]]], rest[1:]
    if not blocks:
        return None
    return _place(field.inner, blocks[0].body, rest) or blocks[0].range


def _fields(cls: type[Any]) -> list[_Field]:
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise HclError(f"an annotation of {cls.__name__} is not defined where the class is: {error}") from error
    fields = []
    for own, name, has_default in _declared(cls):
        annotation = hints[own]
        while typing.get_origin(annotation) in (typing.Required, typing.NotRequired):
            [annotation] = typing.get_args(annotation)
        is_label = typing.get_origin(annotation) is typing.Annotated and Label in typing.get_args(annotation)[1:]
        inner, _ = _without_none(annotation)
        origin, arguments = typing.get_origin(inner), typing.get_args(inner)
        shape = "label" if is_label else "attribute"
        if is_class(inner):
            shape = "block"
        elif origin is list and is_class(arguments[0]):
            shape, inner = "list", arguments[0]
        elif origin is dict and is_class(arguments[1]):
            shape, inner = "map", arguments[1]
        fields.append(_Field(own, name, annotation, shape, inner, not has_default))
    return fields


def _declared(cls: type[Any]) -> Iterator[tuple[str, str, bool]]:
    """The name of each field, its name outside of the class, and whether it has a default."""
    if hasattr(cls, "__pydantic_fields__"):
        for name, field in cls.__pydantic_fields__.items():
            alias = field.validation_alias
            yield name, alias if isinstance(alias, str) else name, not field.is_required()
    elif hasattr(cls, "__attrs_attrs__"):
        import attrs

        for own in attrs.fields(cls):
            if own.init:
                yield own.name, own.alias or own.name, own.default is not attrs.NOTHING
    elif typing.is_typeddict(cls):
        for name in cls.__annotations__:
            yield name, name, name in cls.__optional_keys__
    else:
        for it in dataclasses.fields(cls):
            if it.init:
                yield it.name, it.name, it.default is not dataclasses.MISSING or it.default_factory is not dataclasses.MISSING


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        others = [it for it in typing.get_args(annotation) if it is not type(None)]
        if len(others) == 1:
            return others[0], len(others) < len(typing.get_args(annotation))
    return annotation, False


def _object(cls: type[Any], outer: tuple[type[Any], ...]) -> str:
    if cls in outer:
        raise HclError(f"{cls.__name__} contains itself, which a spec cannot express")
    if not is_class(cls):
        raise HclError(f"{cls!r} is not a dataclass, a class of attrs, a model of pydantic or a TypedDict")
    outer, parts, labels = (*outer, cls), [], 0
    for field in _fields(cls):
        name, required = field.name, "true" if field.is_required else "false"
        if field.is_required and _without_none(field.annotation)[1]:
            raise HclError(f"{cls.__name__}.{name} can be None and needs a default")
        if any(it is bytes for it in (field.inner, *typing.get_args(field.inner))):
            raise HclError(f"{cls.__name__}.{name}: HCL has no bytes; use str")
        if field.shape == "label":
            # Pydantic converts them itself.
            kinds = (str, int, float, Decimal)
            if not hasattr(cls, "__pydantic_fields__") and typing.get_args(field.annotation)[0] not in kinds:
                raise HclError(f"{cls.__name__}.{name}: a label is a str or a number")
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


def _converted(value: Any, annotation: Any, wrong: list[str], known: _Known) -> Any:
    """A value as its annotation says: numbers of the right class, sets and tuples. `wrong` gets what is wrong."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _converted(value, typing.get_args(annotation)[0], wrong, known)
    can_be_none = annotation in (Any, object, None, type(None)) or type(None) in typing.get_args(annotation)
    annotation, _ = _without_none(annotation)
    if value is None and not can_be_none:
        wrong.append("must not be null")
    if value is None or isinstance(value, Unknown):
        return value
    if annotation in (int, float, Decimal) and isinstance(value, str):
        # A label, because attributes have their types already.
        if not re.fullmatch(r"-?[0-9]{1,4000}(\.[0-9]{1,4000})?", value):
            wrong.append(f"must be a number, not {value!r}")
            return value
        value = Decimal(value) if "." in value else int(value)
    if annotation is int and isinstance(value, Decimal):
        wrong.append(f"must be a whole number, not {value}")
    elif annotation is float and not isinstance(value, bool) and isinstance(value, (int, Decimal)):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isinf(number):
            wrong.append("is too large for a float; use Decimal")
        return number
    elif annotation is Decimal and not isinstance(value, bool) and isinstance(value, (int, Decimal)):
        return Decimal(value)
    if not isinstance(value, (list, dict)):
        return value
    # What values share is shared afterwards, too.
    ids = id(value), id(annotation)
    if ids not in known:
        known[ids] = value, annotation, _converted_parts(value, annotation, wrong, known)
    return known[ids][2]


def _converted_parts(value: Any, annotation: Any, wrong: list[str], known: _Known) -> Any:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (list, set, frozenset, tuple) and isinstance(value, list):
        kinds = arguments if origin is tuple and arguments[-1] is not Ellipsis else [arguments[0]] * len(value)
        return origin(_converted(it, kind, wrong, known) for it, kind in zip(value, kinds, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, dict):
        return {key: _converted(it, arguments[1], wrong, known) for key, it in value.items()}
    return value
