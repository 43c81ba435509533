"""What a user of the package writes, for type checkers: `reveal_type` says what they must see, and `# error` where they must complain.
It is never run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from typing_extensions import assert_type

import hclkit
from hclkit import edit
from hclkit.compat import hcl2
from hclkit.spec import Spec


@dataclass
class Config:
    name: str
    port: int = 80


def double(number: int) -> int:
    return number * 2


assert_type(hclkit.decode(Path("app.hcl"), Config), Config)
assert_type(hclkit.decode([Path("a.hcl"), Path("b.hcl")], Config, functions=["terraform", double]), Config)
assert_type(hclkit.decode("", Config, variables=hclkit.Context({"a": 1}), overrides={"port": 1}, environment="APP_"), Config)
hclkit.decode("x", Config, varables={"a": 1})  # error
hclkit.decode("x", Config, functions="teraform")  # error
hclkit.dump({"a": 1}, open("x", "w"), langage="x")  # error
hclkit.parse("x", syntax="yaml")  # error
hclkit.evaluate("x", functions="teraform")  # error
hclkit.evaluate("x", functions=["teraform"])  # error
hclkit.Limits(timeout="5")  # error
Spec("").decode("", variable={})  # error

document = hclkit.parse(Path("main.tf"))
for item in document.body:
    match item:
        case hclkit.Block(type, labels, body):
            assert_type(labels, list[str])
            assert_type(body, hclkit.Body)
        case hclkit.Attribute(name, expression):
            assert_type(expression, hclkit.Expression)

context = hclkit.Context({"a": 1}, functions=["terraform", len])
assert_type(context.evaluate_value("a"), hclkit.Value)
assert_type(hclkit.tables(["a", Path("b")]).blocks, hclkit.ArrowTable)
assert_type(document.edit().set("a", 1).apply(), hclkit.Document)
assert_type(edit.query(document, "a")[0].address, str)
options = hcl2.SerializationOptions(with_comments=False)
hcl2.loads("", serialization_options=options)
hcl2.loads("", options=options)  # error
try:
    hclkit.loads("", parse_float=float, recover=True)
except hclkit.HclError as error:
    assert_type(error.diagnostics[0].range, hclkit.Range | None)
    assert_type(error.diagnostics[0].line, int)  # error
