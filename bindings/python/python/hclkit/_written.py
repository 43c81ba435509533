"""Objects of classes as source text: the reverse of :mod:`hclkit._into`."""

from __future__ import annotations

from typing import Any

from . import _hclkit
from ._errors import HclError
from ._fields import Field, discriminator, fields, is_class, labels
from ._hclkit import Limits
from ._leaves import without_none, written

_Items = list[tuple[Any, ...]]
"""Attributes, with a name and a value, and blocks, with a type, labels and items."""


def is_object(given: Any) -> bool:
    """Whether something is an object of a class that can be decoded."""
    return is_class(type(given))


def source_of(given: Any, *, show_sensitive: bool, limits: Limits | None) -> str:
    """An object as text, which is decoded into an equal one."""
    return _hclkit.write_items(_Writer(show_sensitive).items(given, type(given), 0), limits)


class _Writer:
    def __init__(self, show_sensitive: bool) -> None:
        self.show_sensitive = show_sensitive
        # Objects that are in several others have the same items in each.
        self.known: dict[int, tuple[Any, _Items]] = {}

    def items(self, given: Any, cls: type[Any], depth: int) -> _Items:
        if id(given) in self.known:
            return self.known[id(given)][1]
        if depth > 200:
            raise HclError("the data is nested too deeply, or contains itself")
        found: _Items = []
        for field in fields(cls):
            value = _value(given, field)
            if value is None and field.is_required and not without_none(field.annotation)[1]:
                raise HclError(f"{type(given).__name__}.{field.own} is None, but required")
            if value is None or field.shape == "label":
                continue
            if field.shape == "attribute":
                try:
                    found.append((field.name, written(value, field.annotation, self.show_sensitive)))
                except HclError as error:
                    raise HclError(f"{type(given).__name__}.{field.own}: {error}") from error
            else:
                found += self.blocks(field, value, depth)
        self.known[id(given)] = given, found
        return found

    def blocks(self, field: Field, value: Any, depth: int) -> _Items:
        if field.shape == "map":
            pairs = [([str(name)], it) for name, it in value.items()]
        else:
            pairs = [([], it) for it in (value if field.shape == "list" else [value])]
        return [self.block(field, keys, it, depth) for keys, it in pairs]

    def block(self, field: Field, keys: list[str], given: Any, depth: int) -> tuple[Any, ...]:
        cls = _class_of(given, field.classes)
        found = [written(_value(given, it), it.annotation, self.show_sensitive) for it in labels(cls)]
        texts = [("true" if it else "false") if isinstance(it, bool) else str(it) for it in found]
        return field.name, [*keys, *texts], self.items(given, cls, depth + 1)


def _value(given: Any, field: Field) -> Any:
    return given.get(field.own) if isinstance(given, dict) else getattr(given, field.own)


def _class_of(given: Any, classes: tuple[type[Any], ...]) -> type[Any]:
    """The class of an object of a field. A ``TypedDict`` is a dictionary at run time."""
    if is_class(type(given)):
        return type(given)
    if not isinstance(given, dict):
        raise HclError(f"{type(given).__name__} cannot be written as a block")
    if len(classes) == 1:
        return classes[0]
    _, name, choices = discriminator(classes)
    found = choices.get(given.get(name))
    if found is None:
        raise HclError(f"{name} = {given.get(name)!r} belongs to none of {' | '.join(it.__name__ for it in classes)}")
    return found
