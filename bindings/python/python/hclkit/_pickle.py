"""How objects of the extension module are pickled, copied and sent to other processes. Diagnostics keep the source that they show.
Secrets are pickled as they are. Bodies, blocks, attributes and expressions are copied, but only their document is pickled."""

from __future__ import annotations

import copyreg

from . import _hclkit
from ._hclkit import Diagnostic, Limits, Position, Range, Sensitive, Type, Unknown, Value, parse_type
from .edit import Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _value(value: Value) -> tuple[Any, ...]:
    return Value, (value.to_python(), value.type)


def _type(type: Type) -> tuple[Any, ...]:
    # It has a limit, which parts that occur many times exceed.
    str(type)
    parts = {"tuple": type.elements, "object": type.attributes}.get(type.kind, type.element)
    return of_kind, (type.kind, parts)


def of_kind(kind: str, parts: Any) -> Type:
    """A type with its parts."""
    if kind in ("list", "set", "map", "tuple", "object"):
        made: Type = getattr(Type, kind)(parts)
        return made
    return parse_type(kind)


def _diagnostic(diagnostic: Diagnostic) -> tuple[Any, ...]:
    return _hclkit.unpickled_diagnostic, tuple(_hclkit.pickled_diagnostics([diagnostic]))


def error(cls: Callable[[str, list[Diagnostic]], Any], message: str, parts: list[Any]) -> Any:
    """An error with its diagnostics."""
    return cls(message, [_hclkit.unpickled_diagnostic(it) for it in parts])


def limits(given: tuple[Any, ...] | None) -> Limits:
    """Limits with the arguments of :class:`Limits` in their order."""
    if given is None:
        return Limits.trusted()
    names = ("timeout", "steps", "elements", "bytes", "depth", "value_depth", "nesting", "source_bytes")
    return Limits(**dict(zip(names, given, strict=True)))


def spec(cls: type[Any], text: str, name: str) -> Any:
    """A spec with its text and name."""
    return cls(text, name=name)


def register() -> None:
    """Make ``pickle`` and ``copy`` know the classes."""
    copyreg.pickle(Position, lambda it: (_hclkit.unpickled_position, (it.line, it.column, it.byte)))
    copyreg.pickle(Range, lambda it: (_hclkit.unpickled_range, (it.name, it.start, it.end)))
    copyreg.pickle(Type, _type)
    copyreg.pickle(Value, _value)
    copyreg.pickle(Unknown, lambda it: (_hclkit.unpickled_unknown, _hclkit.pickled_unknown(it)))
    copyreg.pickle(Sensitive, lambda it: (Sensitive, (it.value, it.marks)))
    copyreg.pickle(Raw, lambda it: (Raw, (it.source,)))
    copyreg.pickle(Diagnostic, _diagnostic)
