"""The types of attributes: of annotations, HCL types; of values, objects; and of objects, what is written for them. What is not in the
standard library goes to pydantic."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import ipaddress
import math
import pathlib
import re
import types
import typing
import uuid
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from ._context import type_of_annotation
from ._errors import HclError
from ._hclkit import Sensitive, Type, Unknown, Value
from .spec import Label

Path = tuple["str | int", ...]
"""Names of fields, numbers of blocks and elements, labels and keys."""


@dataclasses.dataclass
class Problems:
    """What is wrong with values, until all is known."""

    found: list[tuple[Path, str]] = dataclasses.field(default_factory=list)
    cause: Exception | None = None
    is_partial: bool = False
    """Whether what is required may be missing, because another source has it."""
    known: dict[tuple[int, int], tuple[Any, Any, Any]] = dataclasses.field(default_factory=dict)
    """Values that were read, with their annotations and what they became, by the ids of both."""


_WRAPPERS = ("Final", "NotRequired", "ReadOnly", "Required")
"""The names of what wraps an annotation: `typing_extensions` has its own, where `typing` is older."""


def bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """An annotation without what wraps it, such as ``Final`` and ``NewType``, and the metadata of ``Annotated``."""
    metadata: tuple[Any, ...] = ()
    while True:
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            annotation, *more = typing.get_args(annotation)
            metadata = (*more, *metadata)
        elif getattr(origin, "_name", None) in _WRAPPERS:
            [annotation] = typing.get_args(annotation)
        elif annotation is typing.Final:
            return Any, metadata
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            return annotation, metadata


def without_none(annotation: Any) -> tuple[Any, bool]:
    """``T`` of ``T | None``, or the annotation, and whether it accepts ``None``."""
    annotation, _ = bare(annotation)
    if is_union(annotation):
        arguments = typing.get_args(annotation)
        others = [it for it in arguments if it is not type(None)]
        if len(others) == 1:
            return others[0], len(others) < len(arguments)
        return annotation, len(others) < len(arguments)
    return annotation, annotation in (Any, object, None, type(None))


def is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


# Durations: those of Go, which HCL programs have, those of ISO 8601, which pydantic writes, and numbers of seconds.
_UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_PART = r"([0-9]{1,18}(?:\.[0-9]{1,18})?)"
_GO = re.compile(_PART + "(ns|us|µs|μs|ms|s|m|h)")
_ISO = re.compile(f"P(?:{_PART}W)?(?:{_PART}D)?(?:T(?:{_PART}H)?(?:{_PART}M)?(?:{_PART}S)?)?")


def duration(text: str) -> datetime.timedelta:
    """Read ``1h30m``, ``PT1H30M`` or ``5400``.

    >>> duration("1h30m").total_seconds()
    5400.0
    """
    digits = text.lstrip("+-")
    if len(text) - len(digits) > 1:
        raise ValueError(f"is not a duration such as 1h30m: {text!r}")
    iso, parts = _ISO.fullmatch(digits), _GO.findall(digits)
    if re.fullmatch(_PART, digits):
        total = Decimal(digits) * 10**9
    elif parts and "".join(map("".join, parts)) == digits:
        total = sum((Decimal(number) * _UNITS[unit] for number, unit in parts), Decimal())
    elif iso and any(iso.groups()):
        seconds = (7 * 86_400, 86_400, 3600, 60, 1)
        total = sum((Decimal(it or 0) * each * 10**9 for it, each in zip(iso.groups(), seconds, strict=True)), Decimal())
    else:
        raise ValueError(f"is not a duration such as 1h30m: {text!r}")
    micros = total / 1000
    if micros != int(micros):
        raise ValueError(f"must be a whole number of microseconds, not {text}")
    try:
        return datetime.timedelta(microseconds=-int(micros) if text.startswith("-") else int(micros))
    except OverflowError:
        raise ValueError(f"is too long for a timedelta: {text}") from None


def text_of_duration(value: datetime.timedelta) -> str:
    """Write what :func:`duration` reads.

    >>> text_of_duration(datetime.timedelta(hours=1, microseconds=1500))
    '1h1500us'
    """
    micros = value // datetime.timedelta(microseconds=1)
    sign, rest, text = "-" if micros < 0 else "", abs(micros), ""
    for unit, size in (("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("us", 1)):
        count, rest = divmod(rest, size)
        text += f"{count}{unit}" if count else ""
    return sign + (text or "0s")


def _instant(read: Callable[[str], Any]) -> Callable[[str], Any]:
    # Before Python 3.11, `Z` is not read.
    return lambda text: read(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)


_TEXTS: dict[Any, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    datetime.datetime: (_instant(datetime.datetime.fromisoformat), datetime.datetime.isoformat),
    datetime.date: (datetime.date.fromisoformat, datetime.date.isoformat),
    datetime.time: (_instant(datetime.time.fromisoformat), datetime.time.isoformat),
    datetime.timedelta: (duration, text_of_duration),
    uuid.UUID: (uuid.UUID, str),
    re.Pattern: (re.compile, lambda it: str(it.pattern)),
    **{
        it: (it, str)
        for it in (
            *(pathlib.Path, pathlib.PurePath, pathlib.PurePosixPath, pathlib.PureWindowsPath),
            *(ipaddress.IPv4Address, ipaddress.IPv4Network, ipaddress.IPv4Interface),
            *(ipaddress.IPv6Address, ipaddress.IPv6Network, ipaddress.IPv6Interface),
        )
    },
}
"""Classes of the standard library that are strings in HCL: how they are read, and written."""

_NUMBERS = (int, float, Decimal)
_PLAIN = (str, bool, *_NUMBERS, Any, object, None, type(None), Value)


def choices_of(annotation: Any) -> list[Any] | None:
    """The values of a ``Literal`` or an enumeration, as HCL has them."""
    if typing.get_origin(annotation) is typing.Literal:
        found = [it.value if isinstance(it, enum.Enum) else it for it in typing.get_args(annotation)]
    elif isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        found = [it.value for it in annotation]
    else:
        return None
    return found if all(it is None or isinstance(it, (str, bool, int, float, Decimal)) for it in found) else None


def _type_of_choices(choices: list[Any]) -> Type:
    kinds = {bool if isinstance(it, bool) else str if isinstance(it, str) else int for it in choices if it is not None}
    if len(kinds) != 1:
        return Type.ANY
    return {bool: Type.BOOL, str: Type.STRING, int: Type.NUMBER}[kinds.pop()]


def _is_documentation(it: Any) -> bool:
    """Whether metadata of ``Annotated`` means nothing for values."""
    if isinstance(it, (str, Label, Type)) or it is Label:
        return True
    return type(it).__name__ == "Doc" or type(it).__module__.startswith("msgspec")


def _is_limit(it: Any) -> bool:
    """Whether metadata only limits values."""
    return type(it).__module__.startswith("annotated_types") or type(it).__name__ in ("FieldInfo", "StringConstraints")


def is_encoded(metadata: tuple[Any, ...]) -> bool:
    """Whether metadata says how pydantic reads values from text, such as that of ``Base64Bytes``."""
    return not all(_is_documentation(it) or _is_limit(it) for it in metadata)


def is_native(annotation: Any) -> bool:
    """Whether values are read here, and not by pydantic."""
    annotation, metadata = bare(annotation)
    if not all(map(_is_documentation, metadata)):
        return False
    if annotation in _PLAIN or annotation in _TEXTS or choices_of(annotation) is not None:
        return True
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is re.Pattern:
        return True
    if is_union(annotation) or origin in (list, set, frozenset, tuple) or _is_abstract(origin):
        return all(it is Ellipsis or is_native(it) for it in arguments)
    return annotation in (list, set, frozenset, tuple, dict) or _is_abstract(annotation)


def _is_abstract(given: Any) -> bool:
    return given is dict or (isinstance(given, type) and given.__module__ == "collections.abc" and issubclass(given, typing.Iterable))


def type_of(annotation: Any) -> Type:
    """The HCL type of the values that an annotation accepts. Raises :class:`HclError` if there are none."""
    annotation, metadata = bare(annotation)
    for it in metadata:
        if isinstance(it, Type):
            return it
    if is_encoded(metadata):
        return _type_in_pydantic(typing.Annotated[(annotation, *metadata)])
    inner, _ = without_none(annotation)
    if inner is not annotation:
        return type_of(inner)
    if is_union(annotation):
        found = {type_of(it) for it in typing.get_args(annotation) if it is not type(None)}
        return found.pop() if len(found) == 1 else Type.ANY
    choices = choices_of(annotation)
    if choices is not None:
        return _type_of_choices(choices)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation is datetime.timedelta or annotation in _TEXTS or origin is re.Pattern:
        return Type.STRING
    if annotation in _PLAIN:
        return type_of_annotation(Any if annotation in (None, type(None)) else annotation)[0]
    base = origin or annotation
    if origin is tuple and arguments[-1:] != (Ellipsis,):
        return Type.tuple([type_of(it) for it in arguments])
    if base in (set, frozenset):
        return Type.set(type_of(arguments[0])) if arguments else Type.ANY
    if base in (list, tuple) or _is_abstract(base):
        is_map = issubclass(base, Mapping)
        inner = Type.ANY if not arguments else type_of(arguments[1 if is_map else 0])
        return Type.ANY if not arguments else Type.map(inner) if is_map else Type.list(inner)
    return _type_in_pydantic(annotation)


@functools.lru_cache(maxsize=1024)
def _cached_adapter(annotation: Any) -> Any:
    import pydantic

    return pydantic.TypeAdapter(annotation, config=None)


def _adapter(annotation: Any) -> Any:
    """What pydantic reads values of an annotation with."""
    shown = getattr(annotation, "__name__", annotation)
    try:
        import pydantic
    except ImportError:
        raise HclError(f"{shown} is not the type of an HCL value; with pydantic, more types are") from None
    try:
        try:
            return _cached_adapter(annotation)
        except TypeError:
            # What cannot be hashed.
            return pydantic.TypeAdapter(annotation)
    except (pydantic.errors.PydanticUserError, pydantic.errors.PydanticUndefinedAnnotation) as error:
        raise HclError(f"{shown} is not the type of an HCL value, and pydantic cannot read it: {error.message}") from None


def _type_in_pydantic(annotation: Any) -> Type:
    adapter = _adapter(annotation)
    try:
        schema = adapter.json_schema()
    except Exception:
        # Types without a JSON Schema can be read, too.
        return Type.ANY
    kinds = {"string": Type.STRING, "boolean": Type.BOOL, "integer": Type.NUMBER, "number": Type.NUMBER}
    # Numbers that pydantic reads from strings with units, such as sizes in bytes, may have any type.
    return kinds.get(schema.get("type"), Type.ANY) if annotation.__class__ is not type or schema.get("type") == "string" else Type.ANY


def validated(value: Any, annotation: Any, path: Path, problems: Problems) -> Any:
    """A value as pydantic reads it."""
    import pydantic

    try:
        return _adapter(annotation).validate_python(prepared(value, annotation))
    except pydantic.ValidationError as caught:
        problems.cause = problems.cause or caught
        problems.found += [((*path, *error["loc"]), error["msg"]) for error in caught.errors()]
        return None


def _classes_in(annotation: Any) -> Iterator[Any]:
    annotation, _ = bare(annotation)
    yield annotation
    for it in typing.get_args(annotation):
        yield from _classes_in(it)


def _is_secret(annotation: Any) -> bool:
    return hasattr(annotation, "get_secret_value")


def is_sensitive(annotation: Any) -> bool:
    """Whether there is a secret of pydantic in an annotation."""
    return any(map(_is_secret, _classes_in(annotation)))


def prepared(value: Any, annotation: Any) -> Any:
    """A value as pydantic takes it: with the durations of HCL, and secrets that it hides itself."""
    if is_sensitive(annotation):
        value = _revealed(value)
    if datetime.timedelta in _classes_in(annotation):
        value = _with_durations(value)
    return value


def _revealed(value: Any) -> Any:
    if isinstance(value, Sensitive):
        return _revealed(value.value)
    if isinstance(value, list):
        return [_revealed(it) for it in value]
    return {name: _revealed(it) for name, it in value.items()} if isinstance(value, dict) else value


def _with_durations(value: Any) -> Any:
    if isinstance(value, str) and "P" not in value:
        try:
            return duration(value)
        except ValueError:
            return value
    if isinstance(value, list):
        return [_with_durations(it) for it in value]
    return {name: _with_durations(it) for name, it in value.items()} if isinstance(value, dict) else value


def read(value: Any, annotation: Any, path: Path, problems: Problems) -> Any:
    """A value as its annotation says."""
    if not is_native(annotation):
        return validated(value, annotation, path, problems)
    return _Reader(problems).read(value, annotation, path)


class _Reader:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def wrong(self, path: Path, message: str) -> None:
        self.problems.found.append((path, message))

    def read(self, value: Any, annotation: Any, path: Path) -> Any:
        annotation, _ = bare(annotation)
        inner, can_be_none = without_none(annotation)
        choices = choices_of(bare(inner)[0])
        if value is None and not can_be_none and not (choices and None in choices):
            self.wrong(path, "must not be null")
        if value is None or isinstance(value, (Unknown, Sensitive)):
            return value
        inner, _ = bare(inner)
        if is_union(inner):
            return self.member(value, [it for it in typing.get_args(inner) if it is not type(None)], path)
        if choices is not None:
            return self.choice(value, inner, choices, path)
        texts = _TEXTS.get(typing.get_origin(inner) or inner)
        if texts is not None:
            try:
                return texts[0](value if isinstance(value, str) else str(value))
            except (ValueError, re.error) as error:
                self.wrong(path, str(error))
                return None
        if inner in _NUMBERS:
            return self.number(value, inner, path)
        if not isinstance(value, (list, dict)):
            return value
        # What values share is shared afterwards, too.
        ids, known = (id(value), id(annotation)), self.problems.known
        if ids not in known:
            known[ids] = value, annotation, self.parts(value, inner, path)
        return known[ids][2]

    def member(self, value: Any, members: list[Any], path: Path) -> Any:
        """A value of a union: of the member that has its type, or else of the first one that accepts it."""
        exact = [it for it in members if bare(it)[0] is type(value)]
        for member in [*exact, *members]:
            inner = Problems()
            found = _Reader(inner).read(value, member, path)
            if not inner.found and (exact or self.fits(found, member)):
                return found
        self.wrong(path, "must be " + " or ".join(_name(it) for it in members))
        return None

    def fits(self, found: Any, member: Any) -> bool:
        """Whether a value that was read is one of a type, as far as this can be seen."""
        base = typing.get_origin(bare(member)[0]) or bare(member)[0]
        if base is float and isinstance(found, (int, float)) and not isinstance(found, bool):
            return True
        if base is int and isinstance(found, bool):
            return False
        return not isinstance(base, type) or isinstance(found, base)

    def choice(self, value: Any, annotation: Any, choices: list[Any], path: Path) -> Any:
        for at, it in enumerate(choices):
            # A label is text.
            is_same = it == value and isinstance(it, bool) == isinstance(value, bool)
            if is_same or (isinstance(value, str) and not isinstance(it, str) and value == str(it)):
                given = typing.get_args(annotation)[at] if typing.get_origin(annotation) is typing.Literal else annotation(it)
                return given
        self.wrong(path, f"must be {' or '.join(map(_quoted, choices))}, not {_quoted(value)}")
        return None

    def number(self, value: Any, annotation: Any, path: Path) -> Any:
        if isinstance(value, str):
            # A label, because attributes have their types already.
            if not re.fullmatch(r"-?[0-9]{1,4000}(\.[0-9]{1,4000})?", value):
                self.wrong(path, f"must be a number, not {value!r}")
                return value
            value = Decimal(value) if "." in value else int(value)
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            return value
        if annotation is Decimal:
            return Decimal(value)
        if annotation is int:
            if isinstance(value, Decimal):
                self.wrong(path, f"must be a whole number, not {value}")
            return value
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isinf(number):
            self.wrong(path, "is too large for a float; use Decimal")
        return number

    def parts(self, value: Any, annotation: Any, path: Path) -> Any:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, dict):
            key, inner = arguments
            return {self.read(name, key, path): self.read(it, inner, (*path, name)) for name, it in value.items()}
        if origin is None or not isinstance(value, list) or not arguments:
            return value
        kinds = arguments if origin is tuple and arguments[-1] is not Ellipsis else [arguments[0]] * len(value)
        found = [self.read(it, kind, (*path, at)) for at, (it, kind) in enumerate(zip(value, kinds, strict=True))]
        return origin(found) if origin in (set, frozenset, tuple) else found


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(Value(value))


def _name(annotation: Any) -> str:
    inner, _ = bare(annotation)
    return str(getattr(inner, "__name__", inner)) if typing.get_origin(inner) is None else str(inner)


def written(value: Any, annotation: Any, show_sensitive: bool) -> Any:
    """Plain data for an object of a field, which :func:`read` reads equal. Raises :class:`HclError` for secrets unless they are shown."""
    return _Writer(show_sensitive).of(value, annotation, 0)


class _Writer:
    def __init__(self, show_sensitive: bool) -> None:
        self.show_sensitive = show_sensitive
        # Objects that occur several times are written once.
        self.known: dict[int, tuple[Any, Any]] = {}

    def of(self, value: Any, annotation: Any, depth: int) -> Any:
        annotation, metadata = bare(annotation)
        if any(_is_json(it) for it in (*metadata, annotation)):
            import json

            return json.dumps(value, default=str)
        if value is not None and is_encoded(metadata) and not is_sensitive(annotation):
            return self.in_pydantic(value, typing.Annotated[(annotation, *metadata)], depth)
        if value is not None:
            annotation = without_none(annotation)[0]
        return self.plain(value, annotation, depth)

    def plain(self, value: Any, annotation: Any, depth: int) -> Any:
        if depth > 200:
            raise HclError("the data is nested too deeply, or contains itself")
        if hasattr(value, "get_secret_value"):
            value = Sensitive(value.get_secret_value())
        if isinstance(value, Sensitive):
            if not self.show_sensitive:
                raise HclError("a sensitive value is only written with show_sensitive=True")
            return self.plain(value.value, annotation, depth + 1)
        if isinstance(value, enum.Enum):
            return self.plain(value.value, Any, depth + 1)
        if value is None or isinstance(value, (str, bool, int, float, Decimal)):
            return value
        for kind, (_, write) in _TEXTS.items():
            if isinstance(value, kind):
                return write(value)
        if not isinstance(value, (list, tuple, set, frozenset, Mapping)):
            return self.other(value, annotation, depth)
        if id(value) not in self.known:
            self.known[id(value)] = value, self.parts(value, annotation, depth)
        return self.known[id(value)][1]

    def parts(self, value: Any, annotation: Any, depth: int) -> Any:
        arguments = typing.get_args(annotation)
        if isinstance(value, Mapping):
            key, inner = arguments if len(arguments) == 2 else (Any, Any)
            names = ((self.of(name, key, depth + 1), it) for name, it in value.items())
            return {name if isinstance(name, str) else str(name): self.of(it, inner, depth + 1) for name, it in names}
        inner = arguments[0] if arguments and not is_union(annotation) else Any
        kinds = arguments if isinstance(value, tuple) and len(arguments) == len(value) else [inner] * len(value)
        found = [self.of(it, kind, depth + 1) for it, kind in zip(value, kinds, strict=True)]
        # A set has no order, and the same object is the same text.
        return sorted(found, key=str) if isinstance(value, (set, frozenset)) else found

    def other(self, value: Any, annotation: Any, depth: int) -> Any:
        if isinstance(value, (Unknown, Value)) or isinstance(annotation, Type):
            raise HclError(f"{type(value).__name__} cannot be written as HCL")
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {it.name: getattr(value, it.name) for it in dataclasses.fields(value)}
            return {name: self.of(it, Any, depth + 1) for name, it in fields.items() if it is not None}
        return self.in_pydantic(value, annotation, depth)

    def in_pydantic(self, value: Any, annotation: Any, depth: int) -> Any:
        try:
            import pydantic
        except ImportError:
            raise HclError(f"{type(value).__name__} cannot be written as HCL") from None
        try:
            # Bytes and the like, as pydantic reads them from text.
            found = _adapter(annotation).dump_python(value, mode="json", by_alias=True)
        except (pydantic.PydanticUserError, ValueError) as error:
            raise HclError(f"{type(value).__name__} cannot be written as HCL: {error}") from None
        return self.plain(found, Any, depth + 1)


def _is_json(given: Any) -> bool:
    kind = given if isinstance(given, type) else type(given)
    return kind.__name__ == "Json" and kind.__module__.startswith("pydantic")
