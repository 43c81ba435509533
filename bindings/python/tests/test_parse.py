"""Documents, bodies, blocks, attributes and expressions, of both syntaxes."""

import copy
import pickle
from pathlib import Path

import pytest

import hclkit

NATIVE = """\
# The shop.
name = "shop" # public

/* The web
   server. */
// Two lines.
service "web" "a" {
  port = 8000 + var.offset

  # Not its comment.

  limits {}
}
"""
JSON = '{"//": "The shop.", "name": "shop", "service": {"web": {"a": {"//": ["x", "y"], "port": 80}}}}'


def test_native() -> None:
    """Everything has its place."""
    document = hclkit.parse(NATIVE, name="main.hcl")
    assert document.syntax == "native"
    assert document.text == NATIVE
    assert not document.has_errors
    assert document.check() is document
    name, service = document.body
    assert isinstance(name, hclkit.Attribute)
    assert isinstance(service, hclkit.Block)
    assert (name.name, name.expression.text, name.text) == ("name", '"shop"', 'name = "shop"')
    assert name.comments == ["The shop.", "public"]
    assert (name.range.name, name.range.start.line, name.range.start.column, name.range.start.byte) == (
        "main.hcl",
        2,
        1,
        NATIVE.index("name"),
    )
    assert repr(name.range) == "main.hcl:2:1-2:14"
    assert (service.type, service.labels) == ("service", ["web", "a"])
    assert service.comments == ["The web\n   server.", "Two lines."]
    assert service.text.startswith("service") and service.text.endswith("}")
    assert repr(service.definition_range) == "main.hcl:7:1-7:18"
    assert [it.start.column for it in service.label_ranges] == [9, 15]
    port = service.body["port"]
    assert port.comments == []
    assert port.expression.references == ["var.offset"]
    assert [it.text for it in port.expression.parts] == ["8000", "var.offset"]
    assert port.expression.evaluate({"var": {"offset": 80}}) == 8080
    [limits] = service.body.blocks("limits")
    assert limits.comments == []
    assert len(limits.body) == 0
    assert "port" in service.body and "limits" not in service.body
    assert list(service.body.attributes) == ["port"]
    assert service.body.get("none") is None
    with pytest.raises(KeyError):
        service.body["none"]


def test_json() -> None:
    """The JSON syntax gives the same objects."""
    document = hclkit.parse(JSON, syntax="json")
    assert document.syntax == "json"
    assert document.body["name"].expression.evaluate() == "shop"
    [service] = document.body.blocks("service", "*", "*")
    assert service.labels == ["web", "a"]
    assert service.comments == ["x", "y"]
    assert service.body["port"].expression.evaluate() == 80
    assert service.range.start.line == 1


def test_pattern_matching() -> None:
    """Blocks and attributes work with `match`."""
    found = []
    for item in hclkit.parse(NATIVE).body:
        match item:
            case hclkit.Block(type="service", labels=[first, *_]):
                found.append(first)
            case hclkit.Attribute(name=name):
                found.append(name)
    assert found == ["name", "web"]


def test_blocks_with_labels() -> None:
    """`*` matches every label."""
    body = hclkit.parse('a "x" {}\na "y" {}\na {}\nb "x" {}\n').body
    assert len(body.blocks()) == 4
    assert len(body.blocks("a")) == 3
    assert len(body.blocks("a", "*")) == 2
    assert [it.labels for it in body.blocks("a", "y")] == [["y"]]


def test_syntax_errors_do_not_raise() -> None:
    """A document with errors has what could be read."""
    document = hclkit.parse("a = 'x'\nb = 2\nc = \n", name="x.hcl")
    assert document.has_errors
    first, second = document.diagnostics
    assert (first.code, first.severity, first.message) == ("wrong-character", "error", "Invalid character")
    assert first.note and first.fix
    assert first.range is not None
    assert (first.range.start.line, first.range.start.column) == (1, 5)
    assert second.range is not None and second.range.start.line == 3
    assert document.body["b"].expression.evaluate() == 2
    with pytest.raises(hclkit.HclError) as caught:
        document.check()
    assert caught.value.diagnostics == document.diagnostics
    assert str(caught.value).startswith("error[wrong-character]: Invalid character\n --> x.hcl:1:5")
    assert '"ruleId": "wrong-character"' in caught.value.sarif() or "wrong-character" in caught.value.sarif()
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


def test_sources(tmp_path: Path) -> None:
    """Text, bytes and paths."""
    path = tmp_path / "main.tf.json"
    path.write_text(JSON)
    assert hclkit.parse(path).syntax == "json"
    assert hclkit.parse(path).name == str(path)
    assert hclkit.parse(b"a = 1").body["a"].expression.evaluate() == 1
    assert hclkit.parse(bytearray(b"a = 1")).body["a"].expression.evaluate() == 1
    assert hclkit.parse(b'a = "\xff"').has_errors
    with pytest.raises(FileNotFoundError):
        hclkit.parse(tmp_path / "none.hcl")
    with pytest.raises(OSError):
        hclkit.parse(tmp_path)
    with pytest.raises(TypeError):
        hclkit.parse(1)  # type: ignore[arg-type]
    with pytest.raises(hclkit.HclError):
        hclkit.parse("", syntax="yaml")  # type: ignore[arg-type]


def test_objects_are_frozen() -> None:
    """Nothing can be assigned."""
    document = hclkit.parse("a = 1")
    with pytest.raises(AttributeError):
        document.name = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        document.body.x = 1  # type: ignore[attr-defined]


def test_parts_outlive_their_document() -> None:
    """An expression keeps its document."""
    expression = hclkit.parse("a = [1, 2]").body["a"].expression
    assert expression.evaluate() == [1, 2]


def test_expressions() -> None:
    """Expressions and templates without a file."""
    expression = hclkit.parse_expression("a.b[0].c + d")
    assert expression.references == ["a.b[0].c", "d"]
    assert hclkit.parse_expression("string").keyword == "string"
    assert hclkit.parse_template("x ${a}").evaluate({"a": 1}) == "x 1"
    with pytest.raises(hclkit.HclError):
        hclkit.parse_expression("1 +")


def test_html() -> None:
    """Notebooks show diagnostics as text."""
    [diagnostic] = hclkit.parse("a = <b>\n").diagnostics[:1]
    assert diagnostic._repr_html_().startswith("<pre>error") and "<b>" not in diagnostic._repr_html_()


def test_copies_are_the_same() -> None:
    """Nothing can change a document."""
    document = hclkit.parse("a = 1")
    assert copy.copy(document) is document and copy.deepcopy(document) is document
