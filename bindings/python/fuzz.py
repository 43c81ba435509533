"""Hostile input from Python: any bytes become calls of the package with texts, objects and callables that no one should write.

Each call returns, or raises an exception that is documented. A panic, an internal error, or the end of the process is a finding.

`./fuzz 900` builds the package with coverage of its Rust code, and runs this with atheris for 15 minutes. `./fuzz 0 FILE` repeats a
finding. Without atheris, `python fuzz.py --random 60` makes random inputs for as many seconds, from a seed that it prints, and
`python fuzz.py --input FILE` repeats one.
"""

import dataclasses
import functools
import os
import pickle
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

try:
    import atheris
except ImportError:
    atheris = None

if atheris is None:
    import hclkit
    from hclkit import _hclkit
    from hclkit.compat import bc_hcl2, hcl2, hcl2_v7
else:
    with atheris.instrument_imports(include=["hclkit"]):
        import hclkit
        from hclkit import _hclkit
        from hclkit.compat import bc_hcl2, hcl2, hcl2_v7

from hclkit._module import _shown

from fuzz_objects import (
    SHARED,
    Box,
    Changing,
    Level,
    Mapped,
    Named,
    OddDecimal,
    OddFloat,
    OddInt,
    OddText,
    Port,
    Server,
    Stop,
    Thrown,
    Wide,
    cyclic,
    raising,
    shared,
)

T = TypeVar("T")

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = [
    'a = 1\nb "c" "d" {\n  e = [1, "x${y}", { f = null }] # g\n  /* h */ i = <<-J\n    k ${l}\n  J\n}\n',
    'a = [for x in b : x if c]\nd = { for k, v in e : k => v... }\nf = g.*.h[*][0].i["j"]\nk = l ? m : n(o...)\n',
    'variable "a" {\n  type = list(object({ b = optional(string, "c") }))\n  default = []\n}\n'
    'locals { d = [for it in var.a : upper(it.b)] }\noutput "e" { value = local.d }\nmodule "f" {\n  source = "./."\n}\n'
    'resource "g" "h" {\n  count = 2\n  dynamic "i" {\n    for_each = var.a\n    content { j = i.value }\n  }\n}\n',
    '{"a": [1, 2.5, "${b}", {"c": null}], "d": {"e": {"f": true}}, "//": "g"}',
    'variable "TAG" { default = "latest" }\ngroup "default" { targets = ["app"] }\n'
    'target "app" {\n  tags = ["a:${TAG}"]\n  matrix = { b = ["c", "d"] }\n  name = "app-${b}"\n}\n',
    'object {\n  attr "a" { type = number }\n  block_list "b" {\n    block_type = "b"\n    attr "c" { type = list(string) }\n  }\n}\n',
    *(path.read_text() for path in sorted(EXAMPLES.rglob("*.tf"))[:8]),
]
# fmt: off
PIECES = [
    "{", "}", "[", "(", '"', "${", "%{ if ", "%{ for x in y }", "<<E\n", "#", "//", "/*", "\\", "\0", "\ufeff",
    "\u202e", "é", "\U0001f600", "=", "\n", "~}", "*", ".", "...", "=>", "?", ":", ",", "-", "!", "1e999", "0.1",
    "null", "for ", " in ", " if ", "\r\n", "\t",
]
EXPRESSIONS = [
    "f(1)", "f(a)", "[for x in a : f(x)]", "try(f(1), 2)", "can(f(a))", "f(f(f(a)))", "f(a...)", "g", "a", "a.b",
    "a[0]", "a.*.b", "merge(a, b)", 'jsondecode("[1]")', "jsonencode(a)", 'format("%v %s", a, b)',
    'templatefile("x", a)', "range(a)", "a + b", "a == b ? a : b", "{ (a) = b }", "sort(a)", "flatten(a)",
    "yamlencode(a)", 'regexall("(a*)*b", b)', "cidrsubnets(a, 1)", "setproduct(a, a, a)", "toset(a)",
    "tomap({ x = a })", "-a", "!a", "upper(a)", "sensitive(a)", "nonsensitive(a)", 'file("a")', "timestamp()",
    "uuid()", "bcrypt(a)", "1 / 0", "1e400 * 1e400", "0.1 + a", "convert(a, list(string))", '"${a}"',
    "<<E\n${a}\nE\n",
]
PATHS = [
    "a", "b.c.d.e", "b.c.*", "*", "**", "a[0]", "b[?e]", "b.c.d.e[2].f", "x.y", "", "resource.*.*", "locals.d",
    "a.b[?(@ > 1)]", '"', "b.*.d", "variable.a.type",
]
TYPES = [
    "string", "number", "bool", "any", "list(string)", "set(any)", "map(number)", "tuple([string, bool])",
    "object({ a = string, b = optional(number) })", "list(", "x",
]
# fmt: on
DEPTHS = [2, 20, 120, 300, 890, 910, 2_000, 30_000]
# Steps and sizes so small that an input ends in a part of a second.
SMALL = {"steps": 20_000, "elements": 20_000, "bytes": 1 << 20}


class Finding(Exception):
    """A broken promise."""


class Decisions:
    """Bytes as a source of decisions. After the last one, each is the first alternative, so that everything ends."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.depth = 0

    def below(self, end: int) -> int:
        count = 1 if end <= 256 else 2
        taken = self.data[self.at : self.at + count]
        self.at += count
        return int.from_bytes(taken, "little") % end

    def flip(self) -> bool:
        return self.below(2) == 1

    def pick(self, choices: "list[T] | tuple[T, ...]") -> T:
        return choices[self.below(len(choices))]

    def rest(self) -> bytes:
        taken = self.data[self.at :]
        self.at = len(self.data)
        return taken

    def text(self) -> str:
        """A text: from the input, or a known one with damage."""
        kind = self.below(8)
        if kind == 0:
            return self.pick(TEXTS)
        if kind == 1:
            return self.rest().decode("utf-8", self.pick(["replace", "surrogateescape"]))
        if kind == 2:
            opening, closing = self.pick(
                [
                    ("[", "]"),
                    ("(", ")"),
                    ("{a=", "}"),
                    ('"${', '}"'),
                    ("!", ""),
                    ("a{", "}"),
                    ("-", ""),
                    ("[for x in ", ":x]"),
                    ("a.b[", "]"),
                    ("f(", ")"),
                    ("x?y:", ""),
                ]
            )
            depth = self.pick(DEPTHS)
            return "a = " * self.below(2) + opening * depth + "1" + closing * (depth if self.flip() else 0)
        if kind == 3:
            return self.expression()
        text = self.pick(TEXTS)
        for _ in range(1 + self.below(6)):
            at = self.below(len(text) + 1)
            text = text[:at] + self.pick(PIECES) + text[at + self.pick([0, 0, 1, 4, 40]) :]
        return text

    def source(self) -> Any:
        """What is given where a text is expected."""
        kind = self.below(8)
        if kind == 0:
            return self.text().encode("utf-8", "replace")
        if kind == 1:
            return bytearray(self.rest())
        if kind == 2:
            return self.rest()
        if kind == 3:
            return Path(os.devnull) if self.flip() else Path("missing\0file" if self.flip() else "missing")
        return self.value() if kind == 4 else self.text()

    def expression(self) -> str:
        if self.depth > 6 or self.below(3) != 1:
            return self.pick(EXPRESSIONS)
        self.depth += 1
        left, right = self.expression(), self.expression()
        self.depth -= 1
        return self.pick(
            [
                "{0} + {1}",
                "[{0}, {1}]",
                "f({0}, {1})",
                "{0} ? {1} : {0}",
                "[for i in {0} : {1}]",
                "{{ a = {0}, b = {1} }}",
                '"${{{0}}}${{{1}}}"',
                "({0})[{1}]",
            ]
        ).format(left, right)

    def name(self) -> str:
        return self.pick(
            [
                "a",
                "b",
                "c",
                "",
                "f",
                "a-b",
                "a b",
                "${x}",
                "é",
                "\0",
                "__is_block__",
                "null",
                "for",
                "\udc80",
                "a" * 300,
                "//",
            ]
        )

    def number(self) -> Any:
        kind = self.below(8)
        if kind == 0:
            return self.below(300) - 40
        if kind == 1:
            return (
                2 ** self.pick([31, 63, 64, 127, 511, 512, 4_095, 4_096, 20_000]) * self.pick([1, -1])
                + self.below(3)
                - 1
            )
        if kind == 2:
            return self.pick([0.1, -0.0, 1e308, 5e-324, float("nan"), float("inf"), -float("inf"), 1e22])
        if kind == 3:
            # `sNaN` is left out: comparing it raises an exception of Python.
            return Decimal(
                self.pick(["0.1", "1e5000", "1e-5001", "1e999999", "NaN", "-Infinity", "1." + "3" * 400, "-0"])
            )
        if kind == 4:
            return self.pick([Level.HIGH, OddFloat(2.5), OddInt(3), OddDecimal("4.5"), True])
        return self.below(65_536) - 100

    def value(self) -> Any:
        """Any object: also ones that contain themselves, change while they are read, or raise exceptions."""
        self.depth += 1
        try:
            return self.value_inside()
        finally:
            self.depth -= 1

    def value_inside(self) -> Any:
        kind = self.below(25 if self.depth < 6 else 6)
        match kind:
            case 0:
                return None
            case 1:
                return self.flip()
            case 2 | 3:
                return self.number()
            case 4:
                return self.pick(
                    [
                        "",
                        "a",
                        "${b}",
                        "${",
                        "%{ if x }",
                        "é\0\n",
                        "\ud800",
                        "\udc80",
                        OddText("x"),
                        '"<<E\nE"',
                        "a" * 5_000,
                    ]
                )
            case 5:
                return self.pick(TEXTS)
            case 6 | 7:
                return [self.value() for _ in range(self.below(5))]
            case 8:
                return tuple(self.value() for _ in range(self.below(4)))
            case 9 | 10 | 11:
                return {self.name(): self.value() for _ in range(self.below(5))}
            case 12:
                return self.pick([{1: 2}, {None: 1}, {("a",): 1}, {"a": 1, b"b": 2}])
            case 13:
                found = [it for it in (self.value() for _ in range(self.below(4))) if is_hashable(it)]
                return set(found) if self.flip() else frozenset(found)
            case 14:
                return self.call(
                    lambda: hclkit.Sensitive(self.value(), self.pick([None, [], ["a"], ["sensitive", ""], ["\udc80"]]))
                )
            case 15:
                return self.unknown()
            case 16:
                return self.call(lambda: hclkit.Value(self.value(), self.pick([None, self.type()])))
            case 17:
                return cyclic(self.below(4))
            case 18:
                return deep(self.pick([list, tuple, dict, hclkit.Sensitive, Box, hclkit.Value]), self.pick(DEPTHS))
            case 19:
                return Changing(self.below(4), self.pick([list, dict, set]))
            case 20:
                return Mapped(self.below(6))
            case 21:
                return self.pick(
                    [
                        Server("a", [Port(1), Port(2)]),
                        Server,
                        Port(self.value()),
                        Wide(self.value(), {"k": Port(3)}),
                        Named("x", {}),
                    ]
                )
            case 22:
                return self.pick(
                    [
                        object(),
                        b"bytes",
                        1j,
                        ...,
                        range(3),
                        iter([1]),
                        lambda: 1,
                        int,
                        sys,
                        Thrown("x"),
                        memoryview(b"x"),
                        _hclkit.Raw("1 +"),
                    ]
                )
            case 23:
                return shared(self.pick(list(SHARED)), self.pick([3, 18, 40]))
            case _:
                return self.pick(
                    [
                        hclkit.parse("a = 1\nb {}"),
                        hclkit.parse_expression("a + 1"),
                        hclkit.Type.STRING,
                        hclkit.Limits(),
                        hclkit.Context(),
                    ]
                )

    def unknown(self) -> Any:
        options = {
            "not_null": self.flip(),
            "prefix": self.pick([None, "", "a", "\udc80"]),
            "min": self.pick([None, 0, self.number()]),
            "max": self.pick([None, 10, self.number()]),
            "min_length": self.pick([None, 0, 5, 2**63, -1]),
            "max_length": self.pick([None, 0, 9, 2**64 - 1]),
        }
        given = {name: it for name, it in options.items() if it not in (None, False)} if self.flip() else {}
        return self.call(lambda: hclkit.Unknown(self.pick([None, self.type()]), **given))

    def type(self) -> Any:
        kind = self.below(6)
        if kind == 0:
            return deep(
                self.pick(
                    [
                        hclkit.Type.list,
                        hclkit.Type.map,
                        lambda it: hclkit.Type.tuple([it]),
                        lambda it: hclkit.Type.object({"a": it}),
                    ]
                ),
                self.pick(DEPTHS),
                hclkit.Type.STRING,
            )
        if kind == 1:
            return self.pick([None, "string", 1, hclkit.Type])
        return self.call(lambda: hclkit.parse_type(self.pick(TYPES)))

    def limits(self, always: bool = True) -> Any:
        """Limits that end soon, some of them with a larger stack or a timeout."""
        kind = self.below(8)
        if kind == 0 and not always:
            return None
        more: dict[str, Any] = {}
        if kind == 1:
            more = {"timeout": self.pick([0.0, 0.001, 0.05])}
        elif kind == 2:
            more = {
                "nesting": self.pick([0, 1, 100, 2_000, 100_000]),
                "value_depth": self.pick([0, 1, 500, 50_000]),
                "depth": self.pick([0, 5, 100]),
            }
        elif kind == 3:
            more = {"source_bytes": self.pick([0, 10, 2**40])}
        elif kind == 4:
            more = {"steps": self.below(50), "elements": self.below(50), "bytes": self.below(50)}
        return hclkit.Limits(**(SMALL | more))

    def call(self, work: Callable[[], Any]) -> Any:
        """The result of a call, or `None` if it raises what it may."""
        return attempt(work)

    def callables(self) -> Any:
        """Functions for expressions: of the library, and own ones that misbehave."""
        kind = self.below(9)
        own = [
            lambda *arguments: list(arguments),
            raising(Thrown("from a callable")),
            raising(Stop("from a callable")),
            lambda *arguments: self.value(),
            lambda *arguments: hclkit.evaluate(
                self.expression(), {"a": list(arguments)}, limits=hclkit.Limits(**SMALL)
            ),
            recursive,
            raising(hclkit.HclError("own")),
            lambda *arguments: hclkit.parse(self.text()).diagnostics,
            typed,
        ]
        function = own[kind]
        return self.pick(
            [["terraform", function], [function], {"f": function}, "terraform", "cty", "no such library", None]
        )

    def named(self) -> Any:
        """Functions as `f`."""
        found = self.callables()
        if isinstance(found, list):
            return [it if isinstance(it, str) else hclkit.function(it, name="f") for it in found]
        return found

    def variables(self) -> Any:
        kind = self.below(6)
        if kind == 0:
            return None
        if kind == 1:
            return self.value()
        return {"a": self.value(), "b": self.value()}


def recursive(*arguments: Any) -> Any:
    """Calls itself by an expression, without an end."""
    return hclkit.evaluate("f(1)", functions={"f": recursive})


def typed(a: int, b: list[str] | None = None, *rest: Decimal) -> dict[str, Any]:
    """Arguments are converted before the call."""
    return {"a": a, "b": b, "rest": list(rest)}


def is_hashable(it: Any) -> bool:
    return attempt(lambda: (hash(it), it == it)) is not None


def deep(make: Any, depth: int, inner: Any = 1) -> Any:
    """An object in objects of its kind. Only what can be deep without end, because Python itself ends such a nesting."""
    for _ in range(depth):
        if make in (list, tuple):
            inner = make([inner])
        elif make is dict:
            inner = {"a": inner}
        else:
            made = attempt(lambda: make(inner))
            if made is None:
                return inner
            inner = made
    return inner


# What an operation may raise besides its own errors: for arguments of a wrong type, for text that is not Unicode, for numbers that an
# argument cannot hold, for objects too deep for Python, and for what the objects and callables of this program raise.
EXPECTED = (hclkit.HclError, TypeError, UnicodeError, OverflowError, RecursionError, OSError, Thrown)


def attempt(work: Callable[[], T]) -> T | None:
    try:
        return work()
    except Stop:
        return None
    except EXPECTED as error:
        if "internal error" in str(error):
            raise Finding(str(error)) from error
        if isinstance(error, hclkit.HclError):
            for diagnostic in error.diagnostics[:3]:
                diagnostic.render()
        return None


def look(body: Any, most: int = 60) -> None:
    """Reads all parts of a body."""
    for item in body.items[:most]:
        repr(item), item.text, item.comments, item.range
        if isinstance(item, hclkit.Block):
            item.labels, item.label_ranges, item.definition_range
            if most > 1:
                look(item.body, most // 2)
        else:
            expression = item.expression
            expression.references, expression.parts, expression.keyword, expression.range, item.name_range


def parse(it: Decisions) -> None:
    syntax: Any = it.pick([None, "native", "json", "x"])
    document = hclkit.parse(
        it.source(), syntax=syntax, name=it.pick([None, "a.tf", "a.json", "\udc80"]), limits=it.limits(False)
    )
    repr(document), document.text
    for diagnostic in document.diagnostics[:5]:
        repr(diagnostic), diagnostic.render(), diagnostic.fix, diagnostic.related, diagnostic._repr_html_()
    look(document.body)
    document.check()


def evaluate(it: Decisions) -> None:
    context = hclkit.Context(it.variables(), it.named(), limits=it.limits())
    parse_it = it.pick([hclkit.parse_expression, hclkit.parse_template])
    expression = parse_it(it.text() if it.flip() else it.expression(), limits=it.limits(False))
    expression.references, expression.parts
    # `repr` of Python is endless for lists that share parts.
    _shown(attempt(lambda: context.evaluate(expression)))
    value = attempt(lambda: context.evaluate_value(expression))
    if value is not None:
        repr(value), hash(value), value == value
        attempt(lambda: value.convert(it.type()))
    context.explain(expression, width=it.pick([100, 0, 1, 2**40]))


def decode(it: Decisions) -> None:
    spec: Any = it.pick([Server, Port, Wide, Named, int, TEXTS[5], it.text()])
    options = {
        "variables": it.variables(),
        "functions": it.pick([None, "terraform", "x"]),
        "dynamic": it.flip(),
        "unknown_variables": it.flip(),
    }
    text = it.pick(["a = 1\n", "name = a\nports {\n  number = b\n}\n", 'b "x" {\n  c = ["y"]\n}\n', it.text()])
    hclkit.decode(text, spec, limits=it.limits(), **options)
    if isinstance(spec, str):
        read = hclkit.spec.Spec(spec)
        read.json_schema(it.name(), dynamic=it.flip()), read.markdown(it.name())


def dumps(it: Decisions) -> None:
    options: dict[str, Any] = {
        "language": it.pick([None, "terraform", "x"]),
        "blocks": it.pick([None, {"a": 1}, {"a": 2**62}, {"b": 0}]),
        "attributes": it.pick([(), ["a"], ["a.b"]]),
        "literal": it.flip(),
    }
    text = hclkit.dumps(it.value(), **options)
    hclkit.loads(text, limits=it.limits(False))


def loads(it: Decisions) -> None:
    options: dict[str, Any] = {
        "compact": it.flip(),
        "static": it.pick([(), ["a"], ["b.c"], [""]]),
        "language": it.pick([None, "terraform", "packer"]),
    }
    data = hclkit.loads(it.source(), syntax=it.pick([None, "json"]), limits=it.limits(False), **options)
    hclkit.dumps(data)


def compat(it: Decisions) -> None:
    kind = it.below(4)
    if kind == 0:
        bc_hcl2.loads(it.source(), limits=it.limits(False))
    elif kind == 1:
        hcl2_v7.loads(it.source(), it.flip(), limits=it.limits(False))
    elif kind == 2:
        names = [field.name for field in dataclasses.fields(hcl2.SerializationOptions)]
        options = hcl2.SerializationOptions(**{name: it.flip() for name in names})
        data = hcl2.loads(it.source(), serialization_options=options, limits=it.limits(False))
        hcl2.dumps(data)
    else:
        hcl2.dumps(it.value())


def edit(it: Decisions) -> None:
    document = hclkit.parse(it.text(), syntax=it.pick([None, None, "json"]), name=it.pick(["a.tf", "a.json", ""]))
    editor = document.edit()
    for _ in range(1 + it.below(4)):
        path, name = it.pick(PATHS), it.name()
        value = it.pick([_hclkit.Raw(it.expression()), hclkit.parse_expression("a + 1")]) if it.flip() else it.value()
        edits: list[Callable[[], Any]] = [
            lambda: editor.set(path, value),
            lambda: editor.add(path, name, value),
            lambda: editor.remove(path),
            lambda: editor.append(path, it.expression()),
            lambda: editor.prepend(path, it.text()),
            lambda: editor.insert_before(path, it.text()),
            lambda: editor.insert_after(path, "x = 1\n"),
            lambda: editor.rename(path, name),
            lambda: editor.move(path, it.pick(PATHS)),
        ]
        attempt(it.pick(edits))
        attempt(lambda: hclkit.edit.query(document, path))
    attempt(lambda: hclkit.edit.value(document, it.expression(), limits=it.limits()))
    look(editor.apply().body)


def values(it: Decisions) -> None:
    kind = it.type()
    repr(kind)
    if isinstance(kind, hclkit.Type):
        attempt(lambda: (hash(kind), kind == kind, kind.element, kind.elements, kind.attributes, str(kind)))
    value = it.value()
    made = hclkit.Value(value, kind if it.flip() else None)
    repr(made), str(made), hash(made), made == made, made.is_known, made.type
    back = made.to_python()
    attempt(lambda: hclkit.Value(back) == made)
    made.convert(it.type())


def modules(it: Decisions) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for _ in range(1 + it.below(2)):
            name = it.pick(["main.tf", "main.tf.json", "a.tfvars", "docker-bake.hcl", "a.pkr.hcl", "terraform.tfvars"])
            (root / name).write_bytes(it.text().encode("utf-8", "replace"))
        if it.below(4) == 0:
            bake = hclkit.Bake(
                root,
                variables=it.pick([None, {"TAG": "a"}, {"": "\0"}]),
                overrides=it.pick([(), ["*.tags=x"], ["="]]),
                limits=it.limits(),
            )
            bake.check(), bake.graph().to_dot(), bake.plan(*it.pick([(), ("app",), ("", "*")]))
            return
        options = {
            "language": it.pick([None, "terraform", "packer", "x"]),
            "unknown_variables": it.flip(),
            "limits": it.limits(),
        }
        module = hclkit.Module(root, variables=it.variables(), **options)
        patterns = [
            it.pick(["output.*", "local.d", "*", "var.a", "g.h[*]", "module.f", "", "[", "**"])
            for _ in range(it.below(3))
        ]
        attempt(lambda: repr(module.evaluate(*patterns)))
        graph = module.graph()
        for address in [*graph.nodes[:3], *patterns]:
            for asked in (graph.references, graph.range):
                try:
                    asked(address)
                except KeyError:
                    assert address not in graph.nodes
            reasons = functools.partial(module.reasons, address)
            attempt(reasons)
        module.check(), module.explain(*patterns, width=it.below(200))


def texts(it: Decisions) -> None:
    kind = it.below(4)
    if kind == 0:
        options: dict[str, Any] = {
            name: it.flip()
            for name in ["align", "blank_lines", "trailing_commas", "meta_arguments", "sort_attributes", "join"]
        }
        once = hclkit.format(
            it.source(), language=it.pick([None, "terraform"]), width=it.pick([None, 0, 40, 2**32 - 1]), **options
        )
        hclkit.format(once)
    elif kind == 1:
        files: Any = (
            {it.pick(["a.tf", "b.tf", "c.tf.json"]): it.source() for _ in range(2)} if it.flip() else it.value()
        )
        hclkit.rename(
            files,
            it.pick(["local.d", "var.a", "output.e", "g.h", "module.f", "x", "target.app"]),
            it.name(),
            moved=it.flip(),
        )
    elif kind == 2:
        found = hclkit.parse(it.text()).diagnostics
        _hclkit.render(found, it.pick(["text", "json", "sarif", "x"]))
    else:
        try:
            names = [it.pick(["files", "attributes", "blocks", "values", "x"]) for _ in range(2)]
            for _, batch in _hclkit.TableBatches(names, lambda: iter([it.rest()])):
                batch.__arrow_c_array__()
        except ValueError as error:
            # Of a table that does not exist, or a stream that is damaged.
            if "internal error" in str(error):
                raise


def states(it: Decisions) -> None:
    """Copies, pickles, weak references and attributes of objects."""
    value = it.value()
    if type(value).__module__.startswith("hclkit"):
        repr(value), str(value)
    if not isinstance(value, (Stop, type)):
        attempt(lambda: pickle_of(value))
    error = hclkit.HclError(it.name(), ())
    pickle.loads(pickle.dumps(error)), error.sarif(), error.json(), error._repr_html_()


def pickle_of(value: Any) -> None:
    try:
        pickle.dumps(value)
    except (AttributeError, pickle.PicklingError):
        return


OPERATIONS = [parse, evaluate, decode, dumps, loads, compat, edit, values, modules, texts, states]


def once(data: bytes) -> None:
    """One input."""
    it = Decisions(data)
    operation = it.pick(OPERATIONS)
    where = it.below(16)
    if where > 1:
        attempt(lambda: operation(it))
    else:
        # On a thread with little stack, and what it leaves is dropped on this one.
        found: list[BaseException] = []

        def work() -> None:
            try:
                attempt(lambda: operation(it))
            except BaseException as error:
                found.append(error)

        before = threading.stack_size([256 << 10, 1 << 20][where])
        try:
            thread = threading.Thread(target=work)
            thread.start()
        finally:
            threading.stack_size(before)
        thread.join()
        if found:
            raise found[0]


def at_random(seconds: float, seed: int) -> None:
    """Random inputs, for where atheris is not."""
    print(f"The seed is {seed}.")
    source, end, count = random.Random(seed), time.monotonic() + seconds, 0
    findings = Path("fuzz-findings")
    findings.mkdir(exist_ok=True)
    while time.monotonic() < end:
        data = source.randbytes(source.choice([20, 60, 200, 600]))
        (findings / "last-input").write_bytes(data)
        once(data)
        count += 1
    print(f"{count} inputs, no finding")


def main() -> None:
    if sys.argv[1:2] == ["--random"]:
        at_random(float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else random.getrandbits(32))
    elif sys.argv[1:2] == ["--input"]:
        once(Path(sys.argv[2]).read_bytes())
    elif atheris is None:
        sys.exit("atheris is not installed; `--random SECONDS` needs only the package")
    else:
        # Without stack, libFuzzer cannot write the input that took it.
        os.makedirs("fuzz-findings", exist_ok=True)
        last = os.open("fuzz-findings/last-input", os.O_RDWR | os.O_CREAT, 0o644)

        def kept(data: bytes) -> None:
            os.ftruncate(last, 0)
            os.pwrite(last, data, 0)
            once(data)

        atheris.Setup(sys.argv, kept)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
