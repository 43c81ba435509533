"""Objects of classes from decoded values, with all errors at their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import _hclkit
from ._errors import HclError
from ._fields import Field, discriminator, fields, is_pydantic
from ._hclkit import Decoding, Value
from ._leaves import Path, Problems, prepared, read, type_of


def build(cls: type[Any], value: Mapping[str, Any], decoding: Decoding) -> Any:
    """Return an object of a class from a decoded value. Raises all errors at once, at their places."""
    problems = Problems()
    made = _built(cls, value, (), problems)
    if problems.found:
        raise _error(cls, problems, decoding) from problems.cause
    return made


def plain_of(cls: type[Any], value: Mapping[str, Any], decoding: Decoding) -> dict[str, Any]:
    """Return what is given of a decoded value, as pydantic takes it. Raises all errors at once."""
    problems = Problems(is_partial=True)
    plain = _plain(cls, value, (), problems)
    if problems.found:
        raise _error(cls, problems, decoding)
    return plain


def _error(cls: type[Any], problems: Problems, decoding: Decoding) -> HclError:
    lines, diagnostics = [], []
    for path, message in problems.found:
        text = ": ".join(it for it in (".".join(map(str, path)), message) if it)
        diagnostic = decoding.problem(text, _steps((cls,), path))
        place = diagnostic.range
        lines.append(f"{place.name or '<text>'}:{place.start.line}: {text}" if place else text)
        diagnostics.append(diagnostic)
    return HclError("\n".join(lines), diagnostics)


def _steps(classes: tuple[type[Any], ...], path: Path) -> list[str | int]:
    """The path in a decoded value: without the names of classes of a union, which pydantic has in its paths."""
    if not path:
        return []
    found = [it for cls in classes for it in fields(cls) if path[0] in (it.name, it.own)]
    if not found:
        return _steps(classes, path[1:]) if len(classes) > 1 else []
    field, rest = found[0], path[1:]
    if field.shape in ("label", "attribute"):
        return [field.name, *rest]
    at = rest[:1] if field.shape in ("list", "map") else ()
    return [field.name, *at, *_steps(field.classes, rest[len(at) :])]


def _built(cls: type[Any], value: Mapping[str, Any], path: Path, problems: Problems) -> Any:
    """An object, or ``None`` if there are problems."""
    if is_pydantic(cls):
        return _validated(cls, value, path, problems)
    before = len(problems.found)

    def block(inner: type[Any], found: Mapping[str, Any], at: Path) -> Any:
        return _built(inner, found, at, problems)

    def attribute(field: Field, found: Any, at: Path) -> Any:
        return read(found, field.annotation, at, problems)

    arguments = _arguments(cls, value, path, problems, block, attribute)
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
    value: Any,
    path: Path,
    problems: Problems,
    block: Callable[[type[Any], Mapping[str, Any], Path], Any],
    attribute: Callable[[Field, Any, Path], Any],
) -> dict[str, Any]:
    """The arguments of a class from a decoded value, without the fields that are not given."""
    arguments: dict[str, Any] = {}
    for field in fields(cls):
        name, at = field.name, (*path, field.name)
        found = value.get(name)
        is_given = found is not None or (field.is_required and name in value and field.shape == "attribute")
        if not is_given or (found is None and problems.is_partial):
            if field.is_required and not is_pydantic(cls):
                problems.found.append((path, f"the {'argument' if field.shape == 'attribute' else 'block'} {name} is required"))
            continue

        def inner(one: Mapping[str, Any], where: Path, field: Field = field) -> Any:
            chosen, one = _chosen(field, one, where, problems)
            return None if chosen is None else block(chosen, one, where)

        found = value[name]
        if field.shape == "block":
            found = inner(found, at)
        elif field.shape == "list":
            found = [inner(it, (*at, number)) for number, it in enumerate(found)]
            found = field.container(found) if field.container in (tuple, set, frozenset) else found
        elif field.shape == "map":
            found = {key: inner(it, (*at, key)) for key, it in found.items()}
        else:
            found = attribute(field, found, at)
        arguments[field.argument] = found
    return arguments


def _chosen(
    field: Field, value: Mapping[str, Any], path: Path, problems: Problems
) -> tuple[type[Any] | None, Mapping[str, Any]]:
    """The class of a block, and what it has of a value that was decoded for all classes of a union."""
    if len(field.classes) == 1:
        return field.classes[0], value
    shape, name, choices = discriminator(field.classes)
    given = value.get(name)
    found = choices.get(given) if given.__hash__ else None
    if found is None:
        known = " or ".join(f'"{it}"' for it in choices)
        problems.found.append(((*path, name), f"must be {known}" + ("" if given is None else f', not "{given}"')))
        return None, value
    if shape == "label":
        return found, value
    own = {it.name: it for it in fields(found)}
    rest: dict[str, Any] = {}
    for other, it in value.items():
        if other in own:
            rest[other] = _typed(own[other], it, (*path, other), problems)
        elif it is not None and it != [] and it != {}:
            problems.found.append(((*path, other), f'is not expected if {name} is "{given}"'))
    for it in own.values():
        if it.shape == "attribute" and it.is_required and rest.get(it.name) is None:
            # The spec has it for other classes, too.
            rest.pop(it.name, None)
    return found, rest


def _typed(field: Field, value: Any, path: Path, problems: Problems) -> Any:
    """A value with the type of its field, where several classes have fields of different types."""
    if value is None or field.shape != "attribute":
        return value
    try:
        return Value(value, type_of(field.annotation)).to_python()
    except HclError as error:
        problems.found.append((path, str(error)))
        return None


def _plain(cls: type[Any], value: Mapping[str, Any], path: Path, problems: Problems) -> dict[str, Any]:
    """A decoded value without the fields that are not given, as pydantic takes it."""
    return _arguments(
        cls,
        value,
        path,
        problems,
        lambda inner, found, at: _plain(inner, found, at, problems),
        lambda field, found, _: prepared(found, field.annotation),
    )


def _validated(cls: type[Any], value: Mapping[str, Any], path: Path, problems: Problems) -> Any:
    import pydantic

    before = len(problems.found)
    # A model visits each part wherever it occurs.
    plain = _hclkit.expanded(_plain(cls, value, path, problems), 900)
    try:
        model = cls.model_validate if hasattr(cls, "model_validate") else pydantic.TypeAdapter(cls).validate_python
        made = model(plain)
    except pydantic.ValidationError as caught:
        problems.cause = problems.cause or caught
        problems.found += [((*path, *error["loc"]), error["msg"]) for error in caught.errors()]
        return None
    return None if len(problems.found) > before else made
