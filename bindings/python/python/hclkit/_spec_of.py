"""Classes as languages: the text of the spec of a class."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Iterator
from typing import Any

from ._errors import HclError
from ._fields import Field, description, discriminator, fields, is_class, is_pydantic, labels
from ._hclkit import Body, Spec, Type, Value, format
from ._leaves import bare, choices_of, is_encoded, is_sensitive, type_of, without_none, written

_LEVELS = 100
"""How many levels of blocks a spec may have."""


def source_of(cls: type[Any]) -> str:
    """The spec of a class, with its descriptions, defaults and limits, as the text of a spec file."""
    return _Writer(is_documented=True, is_relaxed=False).source(cls)


def json_schema_of(cls: type[Any], title: str, *, dynamic: bool) -> str:
    """The JSON Schema of a class. A class that contains itself is one definition, which refers to itself."""
    writer = _Unfolded(is_marked=True)
    schema = json.loads(Spec(writer.source(cls)).json_schema(title, dynamic=dynamic))
    definitions: dict[str, dict[str, Any]] = schema["$defs"]
    # The definitions of the classes, and those that only say which class it is.
    own, others = {}, {}
    for name, it in definitions.items():
        for found in [name for name in it.get("properties", ()) if name.startswith((_BODY, _SAME))]:
            del it["properties"][found]
            if found.startswith(_BODY):
                own[found[len(_BODY) :]] = name
            else:
                others[name] = found[len(_SAME) :]
    targets = {f"#/$defs/{name}": f"#/$defs/{own[number]}" for name, number in others.items()}
    schema["$defs"] = {name: it for name, it in definitions.items() if name not in others}
    return json.dumps(_referring(schema, targets), indent=2, ensure_ascii=False)


def markdown_of(cls: type[Any], title: str) -> str:
    """The reference of a class in Markdown. What a class that contains itself has is listed once."""
    return Spec(_Unfolded(is_marked=False).source(cls)).markdown(title)


def _referring(schema: Any, targets: dict[str, str]) -> Any:
    if isinstance(schema, dict):
        return {name: targets.get(it, it) if name == "$ref" else _referring(it, targets) for name, it in schema.items()}
    return [_referring(it, targets) for it in schema] if isinstance(schema, list) else schema


def spec_for(cls: type[Any], bodies: list[Body], *, is_relaxed: bool = False) -> str:
    """The spec that decodes bodies: it has the types only, because the class checks all else. A class that contains itself is in it
    as often as in the bodies. If relaxed, nothing is required."""
    return _Writer(is_documented=False, is_relaxed=is_relaxed).object(cls, (), bodies)


class _Writer:
    def __init__(self, *, is_documented: bool, is_relaxed: bool) -> None:
        self.is_documented = is_documented
        self.is_relaxed = is_relaxed

    def source(self, cls: type[Any]) -> str:
        return format(_comment(description((), cls)) + self.object(cls, (), None))

    def object(self, cls: type[Any], outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        if not is_class(cls):
            raise HclError(
                f"{cls!r} is not a dataclass, a class of attrs, a model of pydantic, a struct of msgspec, a TypedDict or a NamedTuple"
            )
        if len(outer) >= _LEVELS:
            raise HclError(f"blocks have more than {_LEVELS} levels")
        return "object {\n" + "".join(self.fields_of(cls, (*outer, cls), bodies)) + "}\n"

    def fields_of(self, cls: type[Any], outer: tuple[type[Any], ...], bodies: list[Body] | None) -> Iterator[str]:
        index = 0
        for field in fields(cls):
            _check(cls, field)
            if field.shape == "label":
                yield f'block_label "{field.name}" {{\nindex = {index}\n}}\n'
                index += 1
            elif field.shape == "attribute":
                yield self.comment(field) + self.attribute(field, type_of_field(cls, field), not self.is_relaxed and field.is_required)
            else:
                yield self.block(cls, field, outer, bodies)

    def attribute(self, field: Field, kind: Type, is_required: bool) -> str:
        limits = _limits(field, kind) if self.is_documented else ""
        arguments = f"type = {_constraint(kind)}\n" if not limits.startswith(("values", "pattern")) else ""
        arguments += f"required = {'true' if is_required else 'false'}\n{limits}"
        default = _default(field) if self.is_documented else None
        if default is None:
            return f'attr "{field.name}" {{\n{arguments}}}\n'
        return f'default "{field.name}" {{\nattr {{\nname = "{field.name}"\n{arguments}}}\nliteral {{\nvalue = {default}\n}}\n}}\n'

    def block(self, cls: type[Any], field: Field, outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        name, inner = field.name, None
        if bodies is not None:
            inner = [it for body in bodies for it in _bodies(body, field)]
        if any(it in outer for it in field.classes) and not inner:
            if inner is None:
                raise HclError(
                    f"{cls.__name__}.{name} contains itself, which a spec cannot express: use json_schema_of and markdown_of"
                )
            return ""
        content = self.content(field, outer, inner)
        required = "required = true\n" if field.is_required and not self.is_relaxed else ""
        if field.shape == "block":
            return f'{self.comment(field)}block "{name}" {{\n{required}{content}}}\n'
        if field.shape == "list":
            # Blocks of different types are told apart by their place.
            return f'{self.comment(field)}block_tuple "{name}" {{\nblock_type = "{name}"\n{content}}}\n'
        return f'{self.comment(field)}block_object "{name}" {{\nblock_type = "{name}"\nlabels = ["name"]\n{content}}}\n'

    def content(self, field: Field, outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        if len(field.classes) == 1:
            return self.object(field.classes[0], outer, bodies)
        shape, name, choices = discriminator(field.classes)
        if shape != "label":
            return self.union(field.classes, name, outer, bodies)
        numbers = {[it.name for it in labels(cls)].index(name) for cls in field.classes}
        if len(numbers) > 1:
            raise HclError(f"{field.own}: the label {name} has another number in each class")
        cases = (f"case {Value(str(value))} {{\n{self.object(cls, outer, bodies)}}}\n" for value, cls in choices.items())
        return f"switch {{\non = label({numbers.pop()})\n{''.join(cases)}}}\n"

    def union(self, classes: tuple[type[Any], ...], name: str, outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        """One spec for all classes, of which an attribute chooses one."""
        together: dict[str, list[tuple[type[Any], Field]]] = {}
        for cls in classes:
            for field in fields(cls):
                _check(cls, field)
                together.setdefault(field.name, []).append((cls, field))
        parts, index = "", 0
        for own in together.values():
            field = own[0][1]
            if len({(it.shape, it.classes) for _, it in own}) > 1:
                raise HclError(f"{field.own} is another block in another class of {' | '.join(it.__name__ for it in classes)}")
            if field.shape == "label":
                parts += f'block_label "{field.name}" {{\nindex = {index}\n}}\n'
                index += 1
            elif field.shape == "attribute":
                types = [type_of_field(cls, it) for cls, it in own]
                kind = types[0] if all(it == types[0] for it in types) else Type.ANY
                parts += self.comment(field) + f'attr "{field.name}" {{\ntype = {_constraint(kind)}\nrequired = '
                parts += "true\n}\n" if field.name == name and not self.is_relaxed and field.is_required else "false\n}\n"
            else:
                parts += self.block(own[0][0], field, (*outer, *classes), bodies)
        return "object {\n" + parts + "}\n"

    def comment(self, field: Field) -> str:
        if not self.is_documented:
            return ""
        is_block = field.shape in ("block", "list", "map") and len(field.classes) == 1
        text = description(field.metadata, field.classes[0] if is_block else None)
        tags = ["@sensitive"] if is_sensitive(field.annotation) else []
        for it in field.metadata:
            deprecated = getattr(it, "deprecated", None)
            if deprecated:
                tags.append(f"@deprecated {deprecated}" if isinstance(deprecated, str) else "@deprecated")
        return _comment("\n".join(it for it in (text, *_sentences(field), *tags) if it))


_BODY, _SAME = "hclkit-body-", "hclkit-same-"
"""Names of attributes that mark the body of a class in a JSON Schema, and what has the same body."""


class _Unfolded(_Writer):
    """The spec of a class in which each class that contains itself is written once. Where it is again, there is only a mark, or a
    sentence about where it is."""

    def __init__(self, *, is_marked: bool) -> None:
        super().__init__(is_documented=True, is_relaxed=False)
        self.is_marked = is_marked
        self.path: list[str] = []
        self.places: dict[tuple[type[Any], ...], str] = {}
        self.pending: set[tuple[type[Any], ...]] = set()
        self.repeated: dict[tuple[str, ...], list[str]] = {}

    def block(self, cls: type[Any], field: Field, outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        self.path.append(field.name)
        # Nothing is in itself for the other writer: where a class is again is decided here.
        text = super().block(cls, field, (), None)
        self.path.pop()
        return text

    def content(self, field: Field, outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        is_one = len(field.classes) > 1 and discriminator(field.classes)[0] != "label"
        units = [field.classes] if is_one else [(it,) for it in field.classes]
        own = [it for it in units if _is_recursive(it)]
        repeated = [self.places[it] for it in own if it in self.places]
        self.repeated[tuple(self.path)] = repeated
        if not self.is_marked and len(repeated) == len(units):
            return _repeated(field.classes)
        # The classes of a union are written here, before what is in them.
        new = [it for it in own if it not in self.places]
        self.pending |= {*new}
        self.places |= dict.fromkeys(new, " › ".join(self.path))
        return super().content(field, outer, bodies)

    def object(self, cls: type[Any], outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        return self.once((cls,), lambda: super(_Unfolded, self).object(cls, outer, bodies))

    def union(self, classes: tuple[type[Any], ...], name: str, outer: tuple[type[Any], ...], bodies: list[Body] | None) -> str:
        return self.once(classes, lambda: super(_Unfolded, self).union(classes, name, outer, bodies))

    def once(self, classes: tuple[type[Any], ...], write: Callable[[], str]) -> str:
        """The body of classes, which are alternatives."""
        if not self.path or classes not in self.places:
            return write()
        is_first = classes in self.pending
        self.pending.discard(classes)
        mark = f"{_BODY if is_first else _SAME}{list(self.places).index(classes)}"
        mark = f'attr "{mark}" {{\ntype = any\n}}\n' if self.is_marked else ""
        return (write() if is_first else _repeated(classes)).replace("object {\n", "object {\n" + mark, 1)

    def comment(self, field: Field) -> str:
        text = super().comment(field)
        places = self.repeated.get(tuple(self.path), []) if field.shape in ("block", "list", "map") else []
        if self.is_marked or not places:
            return text
        return text + _comment(f"It contains what `{'` or `'.join(dict.fromkeys(places))}` contains.")


def _repeated(classes: tuple[type[Any], ...]) -> str:
    """The labels of classes that are written elsewhere."""
    names = dict.fromkeys(it.name for cls in classes for it in labels(cls))
    return "object {\n" + "".join(f'block_label "{it}" {{\nindex = {at}\n}}\n' for at, it in enumerate(names)) + "}\n"


def _is_recursive(classes: tuple[type[Any], ...]) -> bool:
    """Whether one of the classes contains one of them."""
    seen: set[type[Any]] = set()
    pending = [*classes]
    while pending:
        for it in (it for field in fields(pending.pop()) for it in field.classes):
            if it in classes:
                return True
            if it not in seen:
                seen.add(it)
                pending.append(it)
    return False


def _comment(text: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def _check(cls: type[Any], field: Field) -> None:
    named = f"{cls.__name__}.{field.name}"
    if not field.name.isidentifier() and not field.name.replace("-", "_").isidentifier():
        raise HclError(f"{named}: the name is not an identifier of HCL")
    if field.is_required and field.shape != "label" and without_none(field.annotation)[1] and field.annotation not in (Any, object):
        raise HclError(f"{named} can be None and needs a default")
    if is_pydantic(cls):
        return
    if bytes in _all_of(field.annotation) and not is_encoded(bare(field.annotation)[1]):
        raise HclError(f"{named}: HCL has no bytes; use str")
    if field.shape == "label" and type_of_field(cls, field).kind not in ("string", "number"):
        raise HclError(f"{named}: a label is a str or a number")


def _all_of(annotation: Any) -> Iterator[Any]:
    annotation, _ = bare(annotation)
    yield annotation
    for it in typing.get_args(annotation):
        yield from _all_of(it)


def type_of_field(cls: type[Any], field: Field) -> Type:
    """The HCL type of an attribute. Models can have types that pydantic alone knows."""
    if not is_pydantic(cls):
        return type_of(field.annotation)
    try:
        return type_of(field.annotation)
    except HclError:
        return Type.ANY


def _bodies(body: Body, field: Field) -> Iterator[Body]:
    """The bodies of the blocks of a field, and of those that `dynamic` makes."""
    stars = ["*"] * (max(len(labels(it)) for it in field.classes) + (field.shape == "map"))
    for block in body.blocks(field.name, *stars):
        yield block.body
    for block in body.blocks("dynamic", field.name):
        for content in block.body.blocks("content"):
            yield content.body


def _constraint(kind: Type) -> str:
    if kind.kind in ("list", "set", "map"):
        element = kind.element
        return f"{kind.kind}({_constraint(element) if element else 'any'})"
    if kind.kind == "tuple":
        return f"tuple([{', '.join(_constraint(it) for it in kind.elements or [])}])"
    if kind.kind == "object":
        attributes = (kind.attributes or {}).items()
        return f"object({{{', '.join(f'{name} = {_constraint(it)}' for name, it in attributes)}}})"
    return kind.kind


_LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern", "strict")


def _found(field: Field) -> dict[str, Any]:
    """The limits of a field: those of ``annotated_types``, which pydantic has, and of msgspec."""
    found: dict[str, Any] = {}
    pending = list(field.metadata)
    while pending:
        it = pending.pop(0)
        pending += [inner for inner in getattr(it, "metadata", None) or []]
        for name in _LIMITS:
            value = getattr(it, name, None)
            if value is not None and not callable(value):
                found[name] = getattr(value, "pattern", value)
    return found


def _limits(field: Field, kind: Type) -> str:
    """The limits that a spec can have."""
    choices = choices_of(bare(without_none(field.annotation)[0])[0])
    if choices and kind == Type.STRING:
        return f"values = [{', '.join(str(Value(it)) for it in choices if it is not None)}]\n"
    limits = _found(field)
    if kind == Type.STRING and isinstance(limits.get("pattern"), str):
        return f"pattern = {Value(limits['pattern'])}\n"
    bounds = {"min": limits.get("ge"), "max": limits.get("le")} if kind == Type.NUMBER else {}
    return "".join(f"{name} = {Value(it)}\n" for name, it in bounds.items() if it is not None)


_SENTENCES = {
    "gt": "Greater than {}.",
    "lt": "Less than {}.",
    "multiple_of": "A multiple of {}.",
    "min_length": "At least {} long.",
    "max_length": "At most {} long.",
}


def _sentences(field: Field) -> list[str]:
    """The limits that a spec cannot have, in words."""
    limits = _found(field)
    return [text.format(limits[name]) for name, text in _SENTENCES.items() if name in limits]


def _default(field: Field) -> str | None:
    """The default as source text, unless there is none, or it is a secret or not a value of HCL."""
    default = field.default
    if field.is_required or default is None or default is ... or inspect.isroutine(default) or is_sensitive(field.annotation):
        return None
    try:
        return str(Value(written(default, field.annotation, False)))
    except (HclError, TypeError, ValueError):
        return None
