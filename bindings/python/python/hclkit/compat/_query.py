"""The queries of ``hq`` of python-hcl2 8: paths, pipes, predicates and the objects that they make. What only its trees of Lark have is
refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .._hclkit import Attribute, Block, Body, Document, Expression, Range, loads_v8, value_v8, view_v8
from ._options import SerializationOptions

PLAIN = SerializationOptions()


class QueryError(ValueError):
    """A query that is wrong, or that is not supported."""


@dataclass(frozen=True)
class View:
    """A part of a document."""

    raw: Document | Body | Block | Attribute | Expression
    owner: Block | Attribute | None = None
    """The block of a body, or the attribute of a value."""
    used: int = 0
    """How many labels of a block the path has named."""
    gap: int | None = None
    """Where the item before it in its body ends."""

    @property
    def kind(self) -> str:
        """What it is, as ``.type`` says."""
        if isinstance(self.raw, Expression):
            return view_v8(self.raw, PLAIN)[0]
        return type(self.raw).__name__.lower()

    def body(self) -> Body | None:
        """Its attributes and blocks."""
        if isinstance(self.raw, Body):
            return self.raw
        return self.raw.body if isinstance(self.raw, (Document, Block)) else None

    def inner(self) -> View:
        """What the next stage of a pipe gets: the body of a block, and the value of an attribute."""
        if isinstance(self.raw, Block):
            return View(self.raw.body, self.raw)
        return View(self.raw.expression, self.raw) if isinstance(self.raw, Attribute) else self

    def data(self, options: SerializationOptions = PLAIN) -> Any:
        """What dictionaries have for it."""
        raw, owner = self.raw, self.owner
        if isinstance(raw, Expression):
            return value_v8(raw, options)
        if isinstance(raw, Document):
            return loads_v8(raw.text, options, limits=None)
        if isinstance(raw, Body):
            found = View(owner).data(options) if isinstance(owner, Block) else {}
            for _ in owner.labels if isinstance(owner, Block) else ():
                found = next(iter(found.values()))
            return {name: it for name, it in found.items() if name != "__is_block__"}
        if isinstance(raw, Attribute):
            found = {raw.name: value_v8(raw.expression, options)}
        else:
            found = loads_v8(raw.text + "\n", options, limits=None)[raw.type][0]
        return found

    def text(self) -> str:
        """The source text."""
        if isinstance(self.raw, Body) and isinstance(self.owner, Block):
            text, block = self.owner.text.encode(), self.owner
            open_at = text.index(b"{", block.definition_range.end.byte - block.range.start.byte)
            return text[open_at + 1 : -1].decode()
        return "" if isinstance(self.raw, Body) else self.raw.text

    def range(self) -> Range | None:
        """Where it is."""
        raw = self.owner if self.owner is not None else self.raw
        return None if isinstance(raw, (Document, Body)) else raw.range


@dataclass(frozen=True)
class Found:
    """A result: a view, or data that was made of one."""

    value: Any
    origin: View

    @property
    def view(self) -> View | None:
        return self.value if isinstance(self.value, View) else None


# Words and marks of a query.
_SEGMENT = re.compile(r"(?:(?P<kind>\w+):)?(?P<name>[A-Za-z_*][\w-]*|\*)(?P<skips>~)?(?:\[(?P<index>\*|\d+|select\((?P<test>.*)\))\])?\Z", re.DOTALL)
_KINDS = ("document", "body", "block", "attribute", "object", "tuple", "for_tuple", "for_object", "function_call", "conditional")


@dataclass(frozen=True)
class Segment:
    """A part of a path."""

    name: str
    kind: str | None = None
    skips: bool = False
    index: str | None = None
    test: Callable[[View], bool] | None = None
    is_deep: bool = False


def run(query: str, document: Document) -> list[Found]:
    """The results of a query."""
    view = View(document)
    stages = _split(query, "|")
    if not any(it.strip() for it in stages):
        raise QueryError("Empty pipeline")
    found = [Found(view, view)]
    for at, text in enumerate(stages):
        stage = _stage(text.strip(), query)
        if at:
            found = [replace(it, value=it.view.inner()) if it.view and not stage.is_path else it for it in found]
        found = [own for it in found for own in stage.of(it)]
    return found


@dataclass(frozen=True)
class _Stage:
    of: Callable[[Found], Iterator[Found]]
    is_path: bool = False


def _stage(text: str, query: str) -> _Stage:
    if not text:
        raise QueryError(f"Empty stage in pipeline: {query!r}")
    if text.startswith("{") and text.endswith("}"):
        return _Stage(_construct(text), is_path=True)
    if match := re.fullmatch(r"select\((.*)\)", text, flags=re.DOTALL):
        test = _Predicate(match[1]).whole()
        return _Stage(lambda it: iter([it] if it.view and test(it.view) else []))
    if match := re.fullmatch(r"(keys|values|length)(\[\*\])?", text):
        return _Stage(_builtin(match[1], unpacks=bool(match[2])))
    path = _path(text)
    return _Stage(lambda it: _walked(it, path), is_path=True)


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are in no parentheses and no string."""
    parts, depth, start, quoted = [], 0, 0, False
    at = 0
    while at < len(text):
        character = text[at]
        if quoted and character == "\\":
            at += 1
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "([{":
            depth += 1
        elif not quoted and character in ")]}":
            depth -= 1
        elif not quoted and depth == 0 and text.startswith(separator, at):
            parts.append(text[start:at])
            at += len(separator)
            start = at
            continue
        at += 1
    return [*parts, text[start:]]


def _path(text: str) -> list[Segment]:
    path: list[Segment] = []
    is_deep = False
    # `.[]` is `[*]`.
    written = re.sub(r"(?<=\S)\.\[\]", "[*]", text).removeprefix(".")
    for part in _split(written, "."):
        if not part:
            is_deep = bool(path)
            continue
        match = _SEGMENT.match(part)
        if match is None:
            raise QueryError(f"Invalid path segment: {part!r} in {text!r}")
        kind, index = match["kind"], match["index"]
        if kind is not None and kind not in _KINDS:
            raise QueryError(f"The type {kind!r} is not supported: {', '.join(_KINDS)} are")
        test = None if match["test"] is None else _Predicate(match["test"]).whole()
        path.append(Segment(match["name"], kind, bool(match["skips"]), None if test else index, test, is_deep))
        is_deep = False
    return path


def _walked(found: Found, path: list[Segment]) -> Iterator[Found]:
    view = found.view
    if view is None:
        # A pipe from data: a name of an item.
        value = found.value.get(path[0].name) if isinstance(found.value, dict) and len(path) == 1 else None
        return iter([] if value is None else [Found(value, found.origin)])
    views = _resolved(view, path)
    if not views:
        views = _resolved(view.inner(), path) if isinstance(view.raw, (Block, Attribute)) else []
    if views:
        return (Found(it, it) for it in views)
    return iter(_property(view, path, found.origin))


def _resolved(view: View, path: list[Segment]) -> list[View]:
    views = [view]
    for segment in path:
        views = [own for it in views for own in _matching(it, segment)]
    return views


def _matching(view: View, segment: Segment) -> list[View]:
    if segment.is_deep:
        found = list(_deep(view, segment))
    else:
        found = list(_step(view, segment))
    if segment.kind is not None:
        found = [it for it in found if it.kind == segment.kind]
    if segment.skips:
        found = [replace(it, used=len(it.raw.labels)) if isinstance(it.raw, Block) else it for it in found]
    if segment.test is not None:
        return [it for it in found if segment.test(it)]
    is_label = isinstance(view.raw, Block) and view.used < len(view.raw.labels) and not segment.is_deep
    if segment.index in (None, "*") or is_label:
        return found
    return found[int(segment.index or 0) :][:1]


def _step(view: View, segment: Segment) -> Iterator[View]:
    """The views that a segment selects directly in one."""
    raw, name = view.raw, segment.name
    if isinstance(raw, Block) and view.used < len(raw.labels):
        if name in ("*", raw.labels[view.used]):
            yield replace(view, used=view.used + 1)
        return
    body = view.body()
    if body is not None:
        gap = view.raw.definition_range.end.byte + 1 if isinstance(view.raw, Block) else 0
        items = []
        for it in body:
            if name in ("*", it.type if isinstance(it, Block) else it.name):
                items.append(View(it, gap=gap))
            gap = it.range.end.byte
        yield from (it for it in items if isinstance(it.raw, Block))
        yield from (it for it in items if isinstance(it.raw, Attribute))
        return
    expression = raw.expression if isinstance(raw, Attribute) else raw
    if not isinstance(expression, Expression):
        return
    kind, called, _, parts = view_v8(expression, PLAIN)
    if segment.kind is not None:
        if segment.kind == kind and name in ("*", called):
            yield View(expression)
    elif kind == "object":
        yield from (View(it) for key, it in parts if name in ("*", key))
    elif kind == "tuple":
        if segment.index is not None and name in ("*", "elements"):
            yield from (View(it) for _, it in parts)
    elif kind == "function_call" and name == "args":
        yield from (View(it) for _, it in parts)


def _deep(view: View, segment: Segment) -> Iterator[View]:
    """The views that a segment selects anywhere in one."""
    seen: set[Any] = set()
    pending = [view]
    while pending:
        own = pending.pop()
        if segment.kind is not None:
            found = [own] if own.kind == segment.kind and segment.name in ("*", _name(own)) else []
        else:
            found = list(_step(own, segment))
        for it in found:
            place = (it.kind, str(it.range()))
            if place not in seen:
                seen.add(place)
                yield it
        pending += reversed(list(_children(own)))


def _name(view: View) -> str | None:
    if isinstance(view.raw, Expression):
        return view_v8(view.raw, PLAIN)[1]
    return view.raw.type if isinstance(view.raw, Block) else view.raw.name if isinstance(view.raw, Attribute) else None


def _children(view: View) -> Iterator[View]:
    body = view.body()
    if body is not None:
        # The labels of blocks are passed over.
        if isinstance(view.raw, Block) and view.used < len(view.raw.labels):
            yield replace(view, used=len(view.raw.labels))
        else:
            yield from (View(it) for it in body)
    elif isinstance(view.raw, Attribute):
        yield View(view.raw.expression)
    elif isinstance(view.raw, Expression):
        yield from (View(it) for _, it in view_v8(view.raw, PLAIN)[3])


def _property(view: View, path: list[Segment], origin: View) -> list[Found]:
    """What a view says about itself."""
    if len(path) != 1 or path[0].kind is not None:
        return []
    views = [view, view.inner(), *([] if view.owner is None else [View(view.owner)])]
    value = next((it for own in views if (it := property_of(own, path[0].name)) is not None), None)
    if value is None:
        return []
    if isinstance(value, list) and path[0].index is not None:
        value = value if path[0].index == "*" else value[int(path[0].index) :][:1]
        return [Found(it, origin) for it in value]
    return [Found(value, origin)]


def property_of(view: View, name: str) -> Any:
    """A property of a view, or nothing."""
    raw = view.raw
    if isinstance(raw, Block):
        own: dict[str, Callable[[], Any]] = {
            "block_type": lambda: raw.type,
            "labels": lambda: [raw.type, *raw.labels],
            "name_labels": lambda: list(raw.labels),
            "body": lambda: View(raw.body, raw),
        }
        return own[name]() if name in own else None
    if isinstance(raw, Attribute):
        return raw.name if name == "name" else view.data()[raw.name] if name == "value" else None
    if not isinstance(raw, Expression):
        return None
    kind, called, expands, parts = view_v8(raw, PLAIN)
    if name == "value":
        return view.data()
    if kind == "function_call":
        return {"name": called, "args": [View(it) for _, it in parts], "has_ellipsis": expands}.get(name)
    if kind == "tuple":
        return [View(it) for _, it in parts] if name == "elements" else None
    if kind == "object":
        if name == "entries":
            return [[key, View(it)] for key, it in parts]
        return [key for key, _ in parts] if name == "keys" else None
    if kind in ("for_tuple", "for_object") and name == "has_condition":
        return any(key == "condition" for key, _ in parts)
    if kind == "for_object" and name == "has_ellipsis":
        return expands
    return next((View(it) for key, it in parts if key == name), None)


def _builtin(name: str, *, unpacks: bool) -> Callable[[Found], Iterator[Found]]:
    def of(found: Found) -> Iterator[Found]:
        value = transformed(name, found.value)
        if value is None:
            return
        values = value if unpacks and isinstance(value, list) else [value]
        yield from (Found(it, found.origin) for it in values)

    return of


def transformed(name: str, value: Any) -> Any:
    """What a builtin makes of a view or of data, or nothing."""
    if isinstance(value, View):
        body, kind = value.body(), value.kind
        items: list[tuple[str, View]] = []
        if body is not None:
            blocks = [View(it) for it in body if isinstance(it, Block)]
            attributes = [View(it) for it in body if isinstance(it, Attribute)]
            items = [(it.raw.type, it) for it in blocks] + [(it.raw.name, it) for it in attributes]  # type: ignore[union-attr]
        elif kind in ("object", "tuple") and isinstance(value.raw, Expression):
            items = [(key, View(it)) for key, it in view_v8(value.raw, PLAIN)[3]]
        else:
            return 1 if name == "length" else None
        if name == "length":
            return len(items)
        if name == "keys":
            return None if kind == "tuple" else list(dict.fromkeys(key for key, _ in items))
        return [it for _, it in items]
    if name == "length":
        return len(value) if isinstance(value, (list, dict, str)) else 1
    if isinstance(value, dict):
        return list(value) if name == "keys" else list(value.values())
    return value if name == "values" and isinstance(value, list) else None


def _construct(text: str) -> Callable[[Found], Iterator[Found]]:
    fields: list[tuple[str, list[Segment]]] = []
    for part in _split(text[1:-1], ","):
        name, _, accessor = part.strip().partition(":")
        if not re.fullmatch(r"[A-Za-z_][\w-]*", name.strip()):
            raise QueryError(f"Expected a name in {text!r}, got {name.strip()!r}")
        fields.append((name.strip(), _path(accessor.strip() or name.strip())))

    def of(found: Found) -> Iterator[Found]:
        yield Found({name: _one(found, path) for name, path in fields}, found.origin)

    return of


FILE = "__file__"
"""A field that is the name of the file."""


def _one(found: Found, path: list[Segment]) -> Any:
    if len(path) == 1 and path[0].name == FILE:
        return File
    values = [_plain(it.value) for it in _walked(found, path)]
    return None if not values else values[0] if len(values) == 1 else values


class File:
    """Stands for the name of the file."""


def _plain(value: Any) -> Any:
    if isinstance(value, View):
        found = value.data()
        return found[value.raw.name] if isinstance(value.raw, Attribute) else found
    return [_plain(it) for it in value] if isinstance(value, list) else value


_TOKENS = re.compile(r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?)|(?P<word>[A-Za-z_][\w-]*)|(?P<mark>==|!=|<=|>=|[<>.()\[\];|*]))')
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_TESTS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "test": lambda text, part: re.search(part, text) is not None,
    "startswith": str.startswith,
    "endswith": str.endswith,
}


@dataclass
class _Predicate:
    """The parser of the condition in ``select``."""

    text: str
    tokens: list[tuple[str, str]] = field(default_factory=list)
    at: int = 0

    def __post_init__(self) -> None:
        at = 0
        while self.text[at:].strip():
            match = _TOKENS.match(self.text, at)
            if match is None:
                raise QueryError(f"Unexpected character in predicate: {self.text[at:].strip()[0]!r}")
            self.tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            at = match.end()

    def whole(self) -> Callable[[View], bool]:
        if not self.tokens:
            raise QueryError("Empty predicate")
        test = self.any_of()
        if self.at < len(self.tokens):
            raise QueryError(f"Unexpected token: {self.tokens[self.at][1]!r}")
        return test

    def takes(self, *texts: str) -> str | None:
        if self.at < len(self.tokens) and self.tokens[self.at][0] != "string" and self.tokens[self.at][1] in texts:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def take(self, kind: str, what: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == kind:
            self.at += 1
            return self.tokens[self.at - 1][1]
        raise QueryError(f"Expected {what}, got {self.shown()}")

    def shown(self) -> str:
        return repr(self.tokens[self.at][1]) if self.at < len(self.tokens) else "end-of-input"

    def expect(self, mark: str) -> None:
        if self.takes(mark) is None:
            raise QueryError(f"Expected {mark!r}, got {self.shown()}")

    def any_of(self) -> Callable[[View], bool]:
        tests = [self.all_of()]
        while self.takes("or"):
            tests.append(self.all_of())
        return lambda it: any(test(it) for test in tests)

    def all_of(self) -> Callable[[View], bool]:
        tests = [self.negated()]
        while self.takes("and"):
            tests.append(self.negated())
        return lambda it: all(test(it) for test in tests)

    def negated(self) -> Callable[[View], bool]:
        if self.takes("not"):
            test = self.negated()
            return lambda it: not test(it)
        return self.comparison()

    def comparison(self) -> Callable[[View], bool]:
        if word := self.takes("any", "all"):
            self.expect("(")
            accessor = self.accessor()
            self.expect(";")
            inner = self.any_of()
            self.expect(")")
            every = any if word == "any" else all
            return lambda it: every(isinstance(own, View) and inner(own) for own in _listed(accessor(it)))
        if self.takes("has"):
            self.expect("(")
            name = self.string()
            self.expect(")")
            return lambda it: bool(_resolved(it.inner(), [Segment(name)]))
        accessor = self.accessor()
        if self.takes("|"):
            return self.piped(accessor)
        return self.compared(accessor)

    def piped(self, accessor: Callable[[View], Any]) -> Callable[[View], bool]:
        if self.takes("not"):
            return lambda it: not _is_true(accessor(it))
        if builtin := self.takes("keys", "values", "length"):
            return self.compared(lambda it: None if (value := accessor(it)) is None else transformed(builtin, _inner(value)))
        name = self.takes(*_TESTS)
        if name is None:
            raise QueryError(f"Expected builtin or string function after |, got {self.shown()}")
        self.expect("(")
        part = self.string()
        self.expect(")")
        if name == "test":
            try:
                re.compile(part)
            except re.error as error:
                raise QueryError(f"Invalid regular expression: {part!r}: {error}") from error

        def test(view: View) -> bool:
            value = _bare(accessor(view))
            return isinstance(value, (str, int, float)) and _TESTS[name](str(value), part)

        return test

    def compared(self, accessor: Callable[[View], Any]) -> Callable[[View], bool]:
        operator = self.takes(*_COMPARISONS)
        if operator is None:
            return lambda it: _is_true(accessor(it))
        literal = self.literal()

        def test(view: View) -> bool:
            value = _bare(accessor(view))
            # There is no order between values of different types, and none with null.
            is_ordered = isinstance(value, str) == isinstance(literal, str) and None not in (value, literal)
            if operator in ("==", "!=") or is_ordered and isinstance(value, (str, int, float)):
                return _COMPARISONS[operator](value, literal)
            return False

        return test

    def literal(self) -> Any:
        if word := self.takes("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[word]
        kind = self.tokens[self.at][0] if self.at < len(self.tokens) else ""
        if kind == "string":
            return self.string()
        if kind != "number":
            raise QueryError(f"Expected literal, got {self.shown()}")
        text = self.take("number", "a number")
        return float(text) if "." in text else int(text)

    def string(self) -> str:
        return re.sub(r"\\(.)", r"\1", self.take("string", "a string")[1:-1])

    def accessor(self) -> Callable[[View], Any]:
        path: list[Segment] = []
        if not self.takes("."):
            raise QueryError(f"Expected DOT, got {self.shown()}")
        while True:
            name, index = self.take("word", "WORD"), None
            if self.takes("["):
                index = self.take("number", "a number")
                self.expect("]")
            path.append(Segment(name, index=index))
            if not self.takes("."):
                break

        def value(view: View) -> Any:
            # What a view says about itself comes before its parts here.
            if path == [Segment("type")]:
                return view.kind
            if view.kind in ("function_call", "tuple"):
                own = [it.value for it in _property(view, path, view)]
                return own[0] if own else None
            found = [it.value for it in _walked(Found(view, view), path)]
            return found[0] if found else None

        return value


def _inner(value: Any) -> Any:
    return value.inner() if isinstance(value, View) else value


def _listed(value: Any) -> list[Any]:
    value = _inner(value)
    found = value if isinstance(value, list) else transformed("values", value) if isinstance(value, View) else None
    return found if isinstance(found, list) else []


def _is_true(value: Any) -> bool:
    return value is not None and (isinstance(value, View) or bool(value))


def _bare(value: Any) -> Any:
    """What a comparison compares: strings without their quotes."""
    found = _plain(value)
    return found[1:-1] if isinstance(found, str) and isinstance(value, View) and len(found) > 1 and found[0] == found[-1] == '"' else found
