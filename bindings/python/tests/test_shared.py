"""Objects and values that share parts: they take little memory, but are endless when they are written in full."""

import copy
import importlib.util
import inspect
import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import hclkit
from hclkit import _hclkit
from hclkit.compat import bc_hcl2, hcl2, hcl2_v7, pygohcl

sys.path.insert(0, str(Path(__file__).parents[1]))
from fuzz_objects import SHARED, shared  # noqa: E402

LEVELS = 40
KINDS = [*SHARED, "texts", "keys"]
# What is written until a limit ends it takes some seconds for each of these in a debug build.
SLOW = {"tuple", "dict", "mapping", "sensitive"}
TRIED = [kind for kind in KINDS if kind not in SLOW or int(os.environ.get("TEST_EFFORT", "1")) > 1]
MODULES = [hclkit, hclkit.edit, hclkit.spec, hcl2, hcl2_v7, bc_hcl2, pygohcl]


@dataclass
class Node:
    """A class of blocks in blocks."""

    kids: list["Node"] = field(default_factory=list)


@dataclass
class Data:
    any: Any = None
    lists: list[list[list[Any]]] | None = None


class Shape:
    """Objects of one shape, and what else is made from them."""

    def __init__(self, kind: str) -> None:
        self.object, self.twin = made(kind), made(kind)
        self.value = hclkit.Value(self.object)
        self.other = hclkit.Value(self.twin)
        self.context = hclkit.Context({"v": self.object, "w": self.value}, functions=["terraform", same])
        self.limits = hclkit.Limits(steps=100_000, elements=100_000, bytes=1 << 20)
        names = "".join(f"  a{at + 1} = [local.a{at}, local.a{at}]\n" for at in range(LEVELS))
        root = Path(tempfile.mkdtemp())
        (root / "main.tf").write_text(
            f'variable "v" {{}}\nlocals {{\n  a0 = [var.v]\n{names}}}\noutput "o" {{\n  value = [local.a{LEVELS}, var.v]\n}}\n'
        )
        (root / "docker-bake.hcl").write_text(
            'variable "a0" { default = [1] }\n'
            + "".join(f'variable "a{at + 1}" {{ default = [a{at}, a{at}] }}\n' for at in range(LEVELS))
            + f'target "default" {{ args = {{ x = length(a{LEVELS}) }} }}\n'
        )
        self.root = root
        # What the packages write for an object in an expression, they escape again at each level.
        self.text = "a = " + "f([{b = " * LEVELS + '"\\\\"' + "}])" * LEVELS + "\n"
        self.document = hclkit.parse('a = v\nb "c" {\n  d = [v, v]\n}\n', name="a.tf")


def made(kind: str) -> Any:
    """A new object of a shape."""
    text = "x" * 100_000
    return [text] * 15_000 if kind == "texts" else [{text: 1}] * 15_000 if kind == "keys" else shared(kind, LEVELS)


def same(it: Any) -> Any:
    return it


def nodes() -> Node:
    made = Node()
    for _ in range(LEVELS):
        made = Node([made, made])
    return made


def decoded(it: Shape, **options: Any) -> Any:
    spec = 'attr {\n  name = "a"\n  type = any\n}\n'
    return hclkit.decode("a = [v, v]\n", spec, variables={"v": it.object}, **options)


def type_of(it: Shape) -> hclkit.Type:
    made = it.value.type
    for _ in range(LEVELS):
        made = hclkit.Type.tuple([made, made])
    return made


Work = Callable[[Shape], Any]
FUNCTIONS: dict[str, list[Work]] = {
    "hclkit.decode": [
        decoded,
        lambda it: decoded(it, limits=it.limits),
        lambda it: hclkit.decode("any = v\n", Data, variables={"v": it.object}),
        lambda it: hclkit.decode("lists = v\n", Data, variables={"v": it.object}),
    ],
    "hclkit.dump": [lambda it: hclkit.dump({"a": it.object}, io.StringIO())],
    "hclkit.dumps": [
        lambda it: hclkit.dumps({"a": it.object}),
        lambda it: hclkit.dumps(it.object),
        lambda it: hclkit.dumps({"a": it.object}, limits=it.limits),
        lambda it: hclkit.dumps(nodes()),
        lambda it: hclkit.dumps(Data(it.object)),
    ],
    "hclkit.evaluate": [
        lambda it: hclkit.evaluate("v", {"v": it.object}),
        lambda it: hclkit.evaluate("[v, w, { a = v }]", {"v": it.object, "w": it.value}, limits=it.limits),
        lambda it: hclkit.evaluate("f(v)", {"v": it.object}, functions={"f": same}),
        lambda it: hclkit.evaluate("[for i in range(1000) : f(v)]", {"v": it.object}, functions=["terraform", hclkit.function(same, name="f")]),
        lambda it: hclkit.evaluate("f()", functions={"f": lambda: it.object}),
        lambda it: hclkit.evaluate("jsonencode(v)", {"v": it.object}, functions="terraform", limits=it.limits),
        lambda it: hclkit.evaluate("v == w", {"v": it.object, "w": it.twin}),
        lambda it: hclkit.evaluate("toset([for i in range(1000) : { a = v }])", {"v": it.object}, functions="terraform", limits=it.limits),
        lambda it: hclkit.evaluate("[for i in range(100) : 1e999999]", functions="terraform", limits=it.limits),
    ],
    "hclkit.format": [lambda it: hclkit.format(it.text)],
    "hclkit.function": [lambda it: hclkit.function(lambda a: a, name="f", parameters=[type_of(it)], result=type_of(it))],
    "hclkit.load": [lambda it: hclkit.load(io.StringIO(it.text))],
    "hclkit.loads": [lambda it: hclkit.loads(it.text), lambda it: hclkit.loads("a = " + "9" * 1_000_000)],
    "hclkit.to_json": [lambda it: hclkit.to_json({"a": it.object})],
    "hclkit.parse": [lambda it: hclkit.parse(it.text)],
    "hclkit.parse_expression": [lambda it: hclkit.parse_expression("[v, v]").evaluate({"v": it.object})],
    "hclkit.parse_template": [lambda it: hclkit.parse_template("${v}").evaluate({"v": it.object})],
    "hclkit.parse_type": [lambda it: hclkit.parse_type("list(any)")],
    "hclkit.rename": [lambda it: hclkit.rename({"main.tf": (it.root / "main.tf").read_text()}, "local.a1", "b")],
    "hclkit.render": [
        lambda it: hclkit.render("${v}", {"v": it.object}),
        lambda it: hclkit.render("x${v}", {"v": it.object}, limits=it.limits),
    ],
    "hclkit.tables": [lambda it: [list(hclkit.tables(it.root, limits=it.limits).batches(name)) for name in hclkit.tables(it.root)]],
    "hclkit.edit.edit": [
        lambda it: hclkit.edit.edit("x = 1").set("x", it.object).apply().text,
        lambda it: hclkit.edit.edit("x = 1").set("x", it.value).apply().text,
        lambda it: hclkit.edit.edit("x = 1").set("x", [hclkit.edit.Raw("x" * 100_000)] * 10_000).apply().text,
    ],
    "hclkit.edit.query": [lambda it: hclkit.edit.query(it.document, "**")],
    "hclkit.edit.value": [lambda it: hclkit.edit.value((it.root / "main.tf").read_text(), f"locals.a{LEVELS}")],
    "hclkit.spec.decode": [decoded],
    "hclkit.spec.json_schema_of": [lambda it: hclkit.spec.json_schema_of(Data)],
    "hclkit.spec.markdown_of": [lambda it: hclkit.spec.markdown_of(Data)],
    "hclkit.spec.source_of": [lambda it: hclkit.spec.source_of(Data)],
    "hclkit.compat.hcl2.Builder": [lambda it: hcl2.Builder({"a": it.object}).build()],
    "hclkit.compat.hcl2.dump": [lambda it: hcl2.dump({"a": it.object}, io.StringIO())],
    "hclkit.compat.hcl2.dumps": [lambda it: hcl2.dumps({"a": it.object})],
    "hclkit.compat.hcl2.from_dict": [lambda it: hcl2.from_dict({"a": it.object})],
    "hclkit.compat.hcl2.from_json": [lambda it: hcl2.from_json('{"a": 1}')],
    "hclkit.compat.hcl2.load": [lambda it: hcl2.load(io.StringIO(it.text))],
    "hclkit.compat.hcl2.loads": [
        lambda it: hcl2.loads(it.text),
        lambda it: hcl2.loads(it.text, serialization_options=hcl2.SerializationOptions(wrap_objects=True, wrap_tuples=True)),
    ],
    "hclkit.compat.hcl2.parse": [lambda it: hcl2.parse(io.StringIO(it.text))],
    "hclkit.compat.hcl2.parses": [lambda it: hcl2.parses(it.text)],
    "hclkit.compat.hcl2.parse_to_tree": [lambda it: hcl2.parse_to_tree(io.StringIO(it.text))],
    "hclkit.compat.hcl2.parses_to_tree": [lambda it: hcl2.parses_to_tree(it.text)],
    "hclkit.compat.hcl2.query": [lambda it: hcl2.query(it.text).attributes()],
    "hclkit.compat.hcl2.transform": [lambda it: hcl2.transform(hcl2.parses_to_tree(it.text)).serialize()],
    "hclkit.compat.hcl2.reconstruct": [lambda it: hcl2.reconstruct(hcl2.parses(it.text))],
    "hclkit.compat.hcl2.serialize": [lambda it: hcl2.serialize(hcl2.parses(it.text))],
    "hclkit.compat.hcl2_v7.load": [lambda it: hcl2_v7.load(io.StringIO(it.text))],
    "hclkit.compat.hcl2_v7.loads": [lambda it: hcl2_v7.loads(it.text), lambda it: hcl2_v7.loads(it.text, limits=it.limits)],
    "hclkit.compat.hcl2_v7.parse": [lambda it: hcl2_v7.parse(io.StringIO(it.text))],
    "hclkit.compat.hcl2_v7.parses": [lambda it: hcl2_v7.parses(it.text)],
    "hclkit.compat.hcl2_v7.reverse_transform": [lambda it: hcl2_v7.reverse_transform({"a": it.object})],
    "hclkit.compat.hcl2_v7.transform": [lambda it: hcl2_v7.transform(hcl2_v7.parses(it.text))],
    "hclkit.compat.hcl2_v7.writes": [lambda it: hcl2_v7.writes(hcl2_v7.parses(it.text))],
    "hclkit.compat.pygohcl.attributes_load": [lambda it: pygohcl.attributes_load(io.StringIO(it.text))],
    "hclkit.compat.pygohcl.attributes_loadb": [lambda it: pygohcl.attributes_loadb(it.text.encode())],
    "hclkit.compat.pygohcl.attributes_loads": [lambda it: pygohcl.attributes_loads(it.text, limits=it.limits)],
    "hclkit.compat.pygohcl.eval_var_condition": [lambda it: pygohcl.eval_var_condition("var.a", "${var.a}", "a", it.text)],
    "hclkit.compat.pygohcl.load": [lambda it: pygohcl.load(io.StringIO(it.text))],
    "hclkit.compat.pygohcl.loadb": [lambda it: pygohcl.loadb(it.text.encode(), True)],
    "hclkit.compat.pygohcl.loads": [lambda it: pygohcl.loads(it.text, limits=it.limits)],
    "hclkit.compat.bc_hcl2.load": [lambda it: bc_hcl2.load(io.StringIO(it.text))],
    "hclkit.compat.bc_hcl2.loads": [lambda it: bc_hcl2.loads(it.text), lambda it: bc_hcl2.loads(it.text, limits=it.limits)],
}
"""How each function is called."""

INSTANCES: dict[type[Any], list[Work]] = {
    hclkit.ArrowTable: [lambda it: hclkit.tables(it.root).files],
    hclkit.Attribute: [lambda it: it.document.body["a"]],
    hclkit.Bake: [lambda it: hclkit.Bake(it.root / "docker-bake.hcl")],
    hclkit.Block: [lambda it: it.document.body.blocks()[0]],
    hclkit.Body: [lambda it: it.document.body],
    hclkit.Context: [lambda it: it.context, lambda it: hclkit.Context({"v": it.object}, limits=it.limits)],
    hclkit.Diagnostic: [lambda it: hclkit.parse("a = ").diagnostics[0]],
    hclkit.Document: [lambda it: it.document],
    hclkit.Evaluation: [lambda it: hclkit.Evaluation({"a": it.object}, [])],
    hclkit.Expression: [lambda it: hclkit.parse_expression("[v, v]"), lambda it: hclkit.parse_expression('jsonencode(v) == "${v}"')],
    hclkit.Function: [lambda it: hclkit.function(lambda a: a, name="f", parameters=[type_of(it)], result=type_of(it))],
    hclkit.Graph: [lambda it: hclkit.Module(it.root, variables={"v": it.object}).graph()],
    hclkit.HclError: [lambda it: error_of(lambda: hclkit.evaluate("v + 1", {"v": it.object}))],
    hclkit.LimitError: [lambda it: error_of(lambda: hclkit.evaluate("[v]", {"v": it.object}, limits=hclkit.Limits(steps=0)))],
    hclkit.Limits: [lambda it: it.limits],
    hclkit.Module: [
        lambda it: hclkit.Module(it.root, variables={"v": it.object}),
        lambda it: hclkit.Module(it.root, variables={"v": it.object}, limits=it.limits),
    ],
    hclkit.Plan: [lambda it: hclkit.Plan({"a": {"b": it.object}}, {"a": {"b": it.object}})],
    hclkit.Position: [lambda it: it.document.body["a"].range.start],
    hclkit.Range: [lambda it: it.document.body["a"].range],
    hclkit.Recovered: [lambda it: hclkit.loads(it.text + "\nx =\n", recover=True)],
    hclkit.Sensitive: [lambda it: hclkit.Sensitive(it.object), lambda it: hclkit.Sensitive({"a": [hclkit.Sensitive(it.twin)]})],
    hclkit.Tables: [lambda it: hclkit.tables(it.root)],
    hclkit.Type: [lambda it: it.value.type, type_of],
    hclkit.Unknown: [lambda it: hclkit.Unknown(type_of(it))],
    hclkit.Value: [
        lambda it: it.value,
        lambda it: hclkit.Value(it.object),
        lambda it: hclkit.Value([it.object, it.twin]),
        lambda it: hclkit.Value({frozenset([1])}),
    ],
    hclkit.edit.Editor: [lambda it: it.document.edit()],
    hclkit.edit.Match: [lambda it: hclkit.edit.query(it.document, "a")[0]],
    hclkit.edit.Raw: [lambda it: hclkit.edit.Raw("x" * 1_000_000)],
    hclkit.spec.Label: [lambda it: hclkit.spec.Label()],
    hclkit.spec.Spec: [lambda it: hclkit.spec.Spec('attr {\n  name = "a"\n  type = any\n}\n')],
    hcl2.Builder: [lambda it: hcl2.Builder({"a": it.object})],
    hcl2.ParseError: [lambda it: error_of(lambda: hcl2.loads(it.text + "\n="))],
    pygohcl.HCLInternalError: [lambda it: error_of(lambda: pygohcl.loads('x = "a${null}"'))],
    pygohcl.HCLParseError: [lambda it: error_of(lambda: pygohcl.loads(it.text + "\n="))],
    pygohcl.UnknownFunctionError: [lambda it: error_of(lambda: pygohcl.eval_var_condition("f()", "", "a", it.text))],
    pygohcl.ValidationError: [lambda it: error_of(lambda: pygohcl.eval_var_condition("false", "no", "a", it.text))],
    hcl2.StartRule: [lambda it: hcl2.parses(it.text)],
    hcl2_v7.Builder: [lambda it: hcl2_v7.Builder({"a": it.object})],
    hcl2.DeserializerOptions: [lambda it: hcl2.DeserializerOptions()],
    hcl2.FormatterOptions: [lambda it: hcl2.FormatterOptions()],
    hcl2.SerializationOptions: [lambda it: hcl2.SerializationOptions()],
}
"""Objects of each class."""

METHODS: dict[str, Callable[[Any, Shape], Any]] = {
    "Bake.plan": lambda own, it: own.plan(),
    "Body.blocks": lambda own, it: own.blocks("b", "*"),
    "StartRule.serialize": lambda own, it: own.serialize(),
    "Body.get": lambda own, it: own.get("a"),
    "Builder.block": lambda own, it: own.block("x", a=it.object),
    "Context.evaluate": lambda own, it: own.evaluate("[v, { a = v }]"),
    "Context.evaluate_value": lambda own, it: own.evaluate_value("[v, v]"),
    "Context.explain": lambda own, it: own.explain("[v, v]"),
    "Context.render": lambda own, it: own.render("${v}"),
    "Editor.add": lambda own, it: own.add("b.c", "n", it.object).apply(),
    "Editor.append": lambda own, it: own.append("b.c", "n = 1").apply(),
    "Editor.insert_after": lambda own, it: own.insert_after("b", "n = 1").apply(),
    "Editor.insert_before": lambda own, it: own.insert_before("b", "n = 1").apply(),
    "Editor.move": lambda own, it: own.move("a", "b.c").apply(),
    "Editor.prepend": lambda own, it: own.prepend("b.c", "n = 1").apply(),
    "Editor.remove": lambda own, it: own.remove("a").apply(),
    "Editor.rename": lambda own, it: own.rename("a", "z").apply(),
    "Editor.set": lambda own, it: own.set("a", it.object).apply(),
    "Expression.evaluate": lambda own, it: own.evaluate({"v": it.object}, functions="terraform", limits=it.limits),
    "Graph.references": lambda own, it: own.references("output.o"),
    "Graph.range": lambda own, it: own.range("output.o"),
    "HclError.add_note": lambda own, it: own.add_note("x"),
    "HclError.with_traceback": lambda own, it: own.with_traceback(None),
    "HCLInternalError.add_note": lambda own, it: own.add_note("x"),
    "HCLInternalError.with_traceback": lambda own, it: own.with_traceback(None),
    "HCLParseError.add_note": lambda own, it: own.add_note("x"),
    "HCLParseError.with_traceback": lambda own, it: own.with_traceback(None),
    "ParseError.add_note": lambda own, it: own.add_note("x"),
    "ParseError.with_traceback": lambda own, it: own.with_traceback(None),
    "UnknownFunctionError.add_note": lambda own, it: own.add_note("x"),
    "UnknownFunctionError.with_traceback": lambda own, it: own.with_traceback(None),
    "ValidationError.add_note": lambda own, it: own.add_note("x"),
    "ValidationError.with_traceback": lambda own, it: own.with_traceback(None),
    "LimitError.add_note": lambda own, it: own.add_note("x"),
    "LimitError.with_traceback": lambda own, it: own.with_traceback(None),
    "Module.reasons": lambda own, it: own.reasons("output.o"),
    "Spec.decode": lambda own, it: own.decode("a = [v, v]\n", variables={"v": it.object}),
    "Spec.decode_value": lambda own, it: own.decode_value("a = [v, v]\n", variables={"v": it.object}),
    "ArrowTable.select": lambda own, it: own.select(["path"]),
    "Tables.get": lambda own, it: own.get("files"),
    "Type.list": lambda own, it: own.list(own),
    "Type.map": lambda own, it: own.map(own),
    "Type.object": lambda own, it: own.object({"a": own, "b": own}),
    "Type.set": lambda own, it: own.set(own),
    "Type.tuple": lambda own, it: own.tuple([own, own]),
    "Value.convert": lambda own, it: [
        attempt(partial(own.convert, to))
        for to in (hclkit.Type.list(hclkit.Type.ANY), hclkit.Type.set(hclkit.Type.ANY), hclkit.Type.STRING, it.other.type, it.value.type)
    ],
}
"""How methods with arguments are called."""

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "repr": lambda own, twin: repr(own),
    "str": lambda own, twin: str(own),
    "format": lambda own, twin: format(own),
    "hash": lambda own, twin: hash(own),
    "==": lambda own, twin: own == twin,
    "!=": lambda own, twin: own != twin,
    "bool": lambda own, twin: bool(own),
    "iteration": lambda own, twin: list(islice(own, 100)),
    "len": lambda own, twin: len(own),
    "in": lambda own, twin: "a" in own,
    "[]": lambda own, twin: own["output.o" if isinstance(own, hclkit.Module) else "a"],
    "copy": lambda own, twin: copy.copy(own),
    "deepcopy": lambda own, twin: copy.deepcopy(own),
    "pickle": lambda own, twin: pickle.dumps(own),
    "HTML": lambda own, twin: own._repr_html_(),
}
"""What Python does with any object."""

EXPECTED = (hclkit.HclError, TypeError, AttributeError, KeyError, UnicodeError, pickle.PicklingError)


def error_of(work: Callable[[], Any]) -> hclkit.HclError:
    with pytest.raises(hclkit.HclError) as caught:
        work()
    return caught.value


def attempt(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except EXPECTED as error:
        assert "internal error" not in str(error)
        return None


def entries() -> tuple[dict[str, Any], list[type[Any]]]:
    """The functions by their names, and the classes."""
    functions, classes = {}, []
    for module in MODULES:
        for name in module.__all__:
            it = getattr(module, name)
            if isinstance(it, type):
                classes.append(it)
            elif not isinstance(it, (types.ModuleType, str)) and name != "install":
                functions[f"{module.__name__}.{name}"] = it
    return functions, list(dict.fromkeys(classes))


def members(own: Any) -> list[str]:
    """The attributes and methods of an object, without those of special names."""
    # Those of dictionaries and of Lark are not ours.
    others = {name for base in type(own).__mro__ if base is dict or base.__module__.startswith("lark") for name in vars(base)}
    return [name for name in dir(type(own)) if not name.startswith("_") and name not in ("undo", "trusted") and name not in others]


def test_all_entries_are_called() -> None:
    """A new function or class is in the tables above."""
    functions, classes = entries()
    missing = [name for name in functions if name not in FUNCTIONS]
    missing += [it.__name__ for it in classes if it not in INSTANCES]
    assert not missing


def takes_arguments(method: Any) -> bool:
    try:
        parameters = inspect.signature(method).parameters.values()
    except ValueError:
        return True
    required = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return any(it.default is it.empty and it.kind in required for it in parameters)


def limit_memory() -> None:
    """Little memory, but for what the libraries take that tables are given to: one that cannot be imported is not the fault of ours."""
    import resource

    for name in ("pyarrow", "pandas", "polars"):
        if importlib.util.find_spec(name):
            importlib.import_module(name)
    pages = Path("/proc/self/statm")
    taken = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0
    resource.setrlimit(resource.RLIMIT_AS, (taken + (1 << 30), taken + (1 << 30)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def child(kind: str) -> None:
    """Calls everything with a shape. The last line that it prints is what does not end."""
    limit_memory()
    it, twin = Shape(kind), Shape(kind)
    for name, works in FUNCTIONS.items():
        for at, work in enumerate(works):
            print(f"{name} {at}", flush=True)
            attempt(partial(work, it))
    for cls, makes in INSTANCES.items():
        for at, make in enumerate(makes):
            print(f"{cls.__name__} {at}", flush=True)
            own, other = attempt(partial(make, it)), attempt(partial(make, twin))
            if own is None:
                # This shape has none, such as a set of what has no hash.
                continue
            for name, operator in OPERATORS.items():
                # The classes of a program compare themselves, and so do objects that only hold them.
                if kind == "dataclass" and name in ("==", "!="):
                    continue
                print(f"{name} of {cls.__name__} {at}", flush=True)
                attempt(partial(operator, own, other))
            for name in members(own):
                title = f"{cls.__name__}.{name}"
                print(title, flush=True)
                member = attempt(partial(getattr, own, name))
                if title in METHODS:
                    attempt(partial(METHODS[title], own, it))
                elif callable(member):
                    assert not takes_arguments(member), f"{title} has arguments, which METHODS does not give"
                    attempt(member)
    print("done")


@pytest.mark.skipif(os.name != "posix", reason="limits of processes")
@pytest.mark.parametrize("kind", TRIED)
def test_shared_parts_end_everything_soon(kind: str) -> None:
    """In little memory: each call ends with a result or an error."""
    command = [sys.executable, __file__, kind]
    with tempfile.TemporaryDirectory() as directory:
        environment = {**os.environ, "TMPDIR": directory}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        try:
            out, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            out, errors = process.communicate()
            pytest.fail(f"does not end: {out.splitlines()[-1]}")
    assert out.endswith("done\n"), f"{out.splitlines()[-1:]}: {errors[-2_000:]}"


def test_shared_parts_become_shared_objects() -> None:
    """In both directions: a part is one object wherever it is."""
    inner = ["x"]
    found = hclkit.evaluate("{ a = v, b = [v], c = { d = v } }", {"v": inner})
    assert found == {"a": ["x"], "b": [["x"]], "c": {"d": ["x"]}}
    assert found["a"] is found["b"][0] is found["c"]["d"] and found["a"] is not inner
    # Those of another call are others.
    assert hclkit.evaluate("v", {"v": hclkit.Value(inner)}) is not hclkit.evaluate("v", {"v": hclkit.Value(inner)})
    doubled = shared("list", LEVELS)
    back = hclkit.Value(doubled).to_python()
    for _ in range(LEVELS):
        assert len(back) == 2 and back[0] is back[1]
        back = back[0]
    assert back == [1]
    text = "x" * 1_000
    found = hclkit.evaluate("[v, v, { (v) = v }]", {"v": text})
    assert found[0] is found[1] is found[2][text]


def test_equal_parts_that_are_not_shared_stay_apart() -> None:
    """Changing one does not change the other."""
    found = hclkit.evaluate("[v, w, [1], [1]]", {"v": [1], "w": [1]})
    for it in found:
        it.append(2)
    assert found == [[1, 2]] * 4


def test_cycles_are_errors() -> None:
    """Also those that branch."""
    items: list[Any] = []
    items += [items, items]
    mapping: dict[str, Any] = {}
    mapping |= {"a": mapping, "b": [mapping]}
    node = Node()
    node.kids += [node, node]
    works: list[Callable[[], Any]] = [
        lambda: hclkit.Value(items),
        lambda: hclkit.Value(mapping),
        lambda: hclkit.dumps({"a": items}),
        lambda: hclkit.dumps(mapping),
        lambda: hclkit.dumps(node),
        lambda: hcl2.dumps(mapping),
        lambda: hclkit.edit.edit("a = 1").set("a", items),
    ]
    for work in works:
        with pytest.raises(hclkit.HclError, match="contains itself"):
            work()


def test_what_repetition_adds_is_limited() -> None:
    """Not what is written once, however much that is."""
    many = [[at] for at in range(600_000)]
    assert hclkit.dumps({"a": many}).count("[") == 600_001
    row = [1] * 999
    assert hclkit.dumps({"a": [row] * 1_000}).count("1") == 999_000
    for data in ([row] * 1_002, ["x" * 100] * 700_000):
        with pytest.raises(hclkit.LimitError) as caught:
            hclkit.dumps({"a": data})
        [found] = caught.value.diagnostics
        assert found.code in ("too-many-elements", "too-many-bytes") and "occur several times" in found.note
    # Objects of which each is new.
    assert hclkit.dumps({"a": Fresh()}).count("[") == 300_001


class Fresh(list[Any]):
    """It makes its elements when it is read."""

    def __init__(self) -> None:
        super().__init__([at] for at in range(300_000))


def test_limits_cover_conversion() -> None:
    """The limits of a call are those of what it converts, too."""
    small = hclkit.Limits(elements=100)
    for work in (
        lambda: hclkit.dumps({"a": [1] * 200}, limits=small),
        lambda: hclkit.dumps({"a": "x" * 200}, limits=hclkit.Limits(bytes=100)),
        lambda: hclkit.evaluate("v", {"v": hclkit.Value([1] * 200)}, limits=small),
        lambda: hclkit.Value([1] * 200).to_python(limits=small),
        lambda: hclkit.evaluate("v", {"v": hclkit.Value("x" * 200)}, limits=hclkit.Limits(bytes=100)),
        lambda: hclkit.evaluate("f(v)", {"v": hclkit.Value([1] * 200)}, functions={"f": len}, limits=small),
        lambda: hclkit.evaluate("1", {"v": [[1]] * 100_000}, limits=hclkit.Limits(timeout=0)),
        lambda: hclkit.Value([1] * 100_000).to_python(limits=hclkit.Limits(timeout=0)),
    ):
        with pytest.raises(hclkit.LimitError) as caught:
            work()
        assert caught.value.diagnostics[0].code in ("too-many-elements", "too-many-bytes", "deadline-exceeded")


def test_large_numbers() -> None:
    """Whole numbers with very many digits are decimals, because making an `int` of them takes quadratic time."""
    assert hclkit.evaluate("1e9999") == 10**9_999
    found = hclkit.evaluate("[1e10001, -1e999999, 1e1000000, 1e600000000]")
    assert [str(it) for it in found] == ["1E+10001", "-1E+999999", "1E+1000000", "1E+600000000"]
    assert isinstance(hclkit.loads("a = " + "9" * 10_000)["a"], int)
    assert str(hclkit.loads("a = " + "9" * 100_000)["a"]) == "9" * 100_000


LONG: dict[str, str] = {
    "to Python": "value.to_python()",
    "from Python": "hclkit.Value(data)",
    "dumps": "hclkit.dumps({'a': data})",
    "edit": "hclkit.edit.edit('a = 1').set('a', data)",
    "hcl2": "hcl2.dumps({'a': data})",
    "loads": "hclkit.loads(text)",
    "hcl2_v7": "hcl2_v7.loads(text)",
    "bc_hcl2": "bc_hcl2.loads(text)",
    "convert": "value.convert(hclkit.Type.list(hclkit.Type.list(hclkit.Type.STRING)))",
    "variables": "hclkit.evaluate('1', {'a': data})",
}


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("work", LONG)
def test_interrupt(work: str) -> None:
    """Ctrl-C stops conversions, and other threads run meanwhile."""
    program = f"""
import signal, threading, time, hclkit
from hclkit.compat import bc_hcl2, hcl2, hcl2_v7, pygohcl
signal.signal(signal.SIGINT, signal.default_int_handler)
data = [[at, "x"] for at in range(60_000)]
value = hclkit.Value(data)
text = "a = [" + "[1, f(x)]," * 100_000 + "]\\n"
ticks, done = 0, False
def count():
    global ticks
    while not done:
        ticks += 1
        time.sleep(0.001)
threading.Thread(target=count, daemon=True).start()
print("start", flush=True)
try:
    while True:
        before = ticks
        start = time.monotonic()
        {LONG[work]}
        took = time.monotonic() - start
        if took > 0.5 and ticks == before:
            print("no other thread ran")
            break
except KeyboardInterrupt:
    print("interrupted", flush=True)
done = True
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "start\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=300)[0] == "interrupted\n"
    finally:
        process.kill()


if __name__ == "__main__":
    child(sys.argv[1])
