"""What classes declare: the fields of dataclasses, classes of attrs, models of pydantic, structs of msgspec, `TypedDict` and
`NamedTuple`, and what each is in HCL."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from ._errors import HclError
from ._leaves import bare, choices_of, is_union, without_none
from .spec import Label

MISSING = dataclasses.MISSING


@dataclasses.dataclass(frozen=True)
class Field:
    """A field of a class."""

    own: str
    """The name in the class."""
    name: str
    """The name in HCL."""
    argument: str
    """The name of the argument of the class."""
    annotation: Any
    shape: str
    """``label``, ``attribute``, ``block``, ``list`` or ``map``."""
    classes: tuple[type[Any], ...]
    """The classes of blocks: more than one for a union."""
    container: Any
    """What a list of blocks becomes."""
    is_required: bool
    default: Any
    metadata: tuple[Any, ...]
    """What describes and limits the field."""


def is_class(given: Any) -> bool:
    """Whether something is one of these classes."""
    return isinstance(given, type) and (
        dataclasses.is_dataclass(given)
        or _is_typed_dict(given)
        or hasattr(given, "__attrs_attrs__")
        or is_pydantic(given)
        or hasattr(given, "__struct_fields__")
        or (issubclass(given, tuple) and hasattr(given, "_fields") and hasattr(given, "__annotations__"))
    )


def _is_typed_dict(given: type[Any]) -> bool:
    """Whether a class is a ``TypedDict`` of `typing` or of `typing_extensions`."""
    return issubclass(given, dict) and hasattr(given, "__required_keys__")


def is_pydantic(cls: type[Any]) -> bool:
    return "__pydantic_fields__" in dir(cls)


def fields(cls: type[Any]) -> list[Field]:
    """The fields of a class, in their order."""
    hints = _hints(cls)
    return [
        _field(cls, own, name, hints[own] if annotation is MISSING else annotation, default, more)
        for own, name, default, annotation, *more in _declared(cls)
    ]


def labels(cls: type[Any]) -> list[Field]:
    return [it for it in fields(cls) if it.shape == "label"]


def _field(cls: type[Any], own: str, name: str, annotation: Any, default: Any, described: list[Any]) -> Field:
    unwrapped, metadata = bare(annotation)
    inner, more = bare(without_none(unwrapped)[0])
    is_label = any(it is Label or isinstance(it, Label) for it in metadata)
    shape, classes, container = "label" if is_label else "attribute", _classes(inner), None
    origin, arguments = typing.get_origin(inner), typing.get_args(inner)
    if is_label:
        classes = ()
    elif classes:
        shape = "block"
    elif isinstance(origin, type) and issubclass(origin, Mapping) and len(arguments) == 2:
        classes = _classes(arguments[1])
        shape = "map" if classes else shape
    elif isinstance(origin, type) and issubclass(origin, typing.Iterable) and arguments and arguments[1:] in ((), (Ellipsis,)):
        classes = _classes(arguments[0])
        shape, container = ("list", origin) if classes else (shape, None)
    argument = own if hasattr(cls, "__struct_fields__") else name
    return Field(own, name, argument, annotation, shape, classes, container, default is MISSING, default, (*described, *metadata, *more))


def _classes(annotation: Any) -> tuple[type[Any], ...]:
    annotation, _ = bare(annotation)
    if is_class(annotation):
        return (annotation,)
    if not is_union(annotation):
        return ()
    found = [_classes(it) for it in typing.get_args(annotation) if it is not type(None)]
    return tuple(cls for it in found for cls in it) if found and all(found) else ()


def _hints(cls: type[Any]) -> dict[str, Any]:
    if is_pydantic(cls):
        return {}
    try:
        # A class in a function may contain itself.
        return typing.get_type_hints(cls, localns={cls.__name__: cls}, include_extras=True)
    except NameError as error:
        raise HclError(f"an annotation of {cls.__name__} is not defined where the class is: {error}") from error


def _declared(cls: type[Any]) -> Iterator[tuple[Any, ...]]:
    """The name of each field, its name outside of the class, its default, its annotation if hints do not have it, and what else
    describes it. A default that only a function knows is ``...``."""
    if is_pydantic(cls):
        yield from _of_pydantic(cls)
    elif hasattr(cls, "__attrs_attrs__"):
        import attrs

        for own in attrs.fields(cls):
            if own.init:
                default = MISSING if own.default is attrs.NOTHING else own.default
                yield own.name, own.alias or own.name, ... if isinstance(default, attrs.Factory) else default, MISSING, *_described(own.metadata)  # type: ignore[arg-type]
    elif hasattr(cls, "__struct_fields__"):
        import msgspec

        for it in msgspec.structs.fields(cls):
            default = ... if it.default_factory is not msgspec.NODEFAULT else it.default
            yield it.name, it.encode_name, MISSING if default is msgspec.NODEFAULT else default, MISSING
    elif _is_typed_dict(cls):
        for name in typing.get_type_hints(cls):
            yield name, name, None if name in cls.__optional_keys__ else MISSING, MISSING
    elif dataclasses.is_dataclass(cls):
        for field in dataclasses.fields(cls):
            if field.init:
                default = ... if field.default_factory is not MISSING else field.default
                yield field.name, field.name, default, MISSING, *_described(field.metadata)
    else:
        for name in cls._fields:
            yield name, name, cls._field_defaults.get(name, MISSING), MISSING


def _described(metadata: Mapping[Any, Any]) -> list[Any]:
    """The description that the metadata of a field of a dataclass or of attrs has."""
    text = metadata.get("description")
    return [types.SimpleNamespace(description=text)] if isinstance(text, str) else []


def _of_pydantic(cls: type[Any]) -> Iterator[tuple[Any, ...]]:
    if not getattr(cls, "__pydantic_complete__", True):
        cls.model_rebuild(raise_errors=False)
    for name, field in cls.__pydantic_fields__.items():
        alias = field.validation_alias
        # The first of several names.
        alias = getattr(alias, "choices", [alias])[0]
        default = MISSING if field.is_required() else ... if field.default_factory is not None else field.default
        yield name, alias if isinstance(alias, str) else name, default, field.rebuild_annotation(), field


def discriminator(classes: tuple[type[Any], ...]) -> tuple[str, str, dict[Any, type[Any]]]:
    """How the classes of a union are told apart: whether by a label or an attribute, its name, and the class for each value."""
    own = [{it.name: it for it in fields(cls)} for cls in classes]
    common = [name for name in own[0] if all(name in it for it in own)]
    common.sort(key=lambda name: own[0][name].shape != "label")
    for name in common:
        shapes = {it[name].shape for it in own}
        values = [choices_of(bare(it[name].annotation)[0]) for it in own]
        found = {value: cls for cls, each in zip(classes, values, strict=True) for value in each or []}
        if len(shapes) == 1 and all(values) and len(found) == sum(len(it or []) for it in values):
            return shapes.pop(), name, found
    names = " | ".join(it.__name__ for it in classes)
    raise HclError(f"the classes of {names} are not told apart: each needs a field of the same name that is a Literal of its own")


def description(metadata: tuple[Any, ...], cls: type[Any] | None = None) -> str:
    """What metadata of a field, or the docstring of a class, says about it."""
    for it in metadata:
        text = getattr(it, "description", None) or getattr(it, "documentation", None)
        if isinstance(text, str):
            return inspect.cleandoc(text)
    if cls is None:
        return ""
    text = cls.__dict__.get("__doc__") or ""
    # Dataclasses and named tuples have one that repeats their fields.
    return "" if text.startswith((f"{cls.__name__}(", "dict(")) else inspect.cleandoc(text)
