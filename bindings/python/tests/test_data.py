"""Plain data, edits, specs and modules."""

import dataclasses
import io
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import hclkit
from hclkit import edit
from hclkit.spec import Spec

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_loads_hcl_1() -> None:
    """The values that Consul and Vault read, and JSON as they read it."""
    text = 'mode = 0644, ports { http = 0x50 }\n"a" = "${b}" service "web" {} service "api" { id = 1.5 }\n'
    assert hclkit.loads(text, syntax="hcl1") == {
        "mode": 420,
        "ports": [{"http": 80}],
        "a": "${b}",
        "service": [{"web": [{}]}, {"api": [{"id": Decimal("1.5")}]}],
    }
    assert hclkit.loads('{"a": {"b": {"c": 1}}}', syntax="hcl1") == {"a": [{"b": [{"c": 1}]}]}
    assert hclkit.parse(text, syntax="hcl1").diagnostics == []
    with pytest.raises(hclkit.HclError):
        hclkit.loads("a = 1\na {}\n", syntax="hcl1")


def test_loads() -> None:
    """The JSON of `hcl convert`."""
    text = 'a = 1.50\nb "x" {\n  c = [x, "y ${z}"]\n}\nb "x" {}\nd = 1e3\n'
    assert hclkit.loads(text) == {
        "a": Decimal("1.50"),
        "b": {"x": [{"c": ["${x}", "y ${z}"]}, {}]},
        "d": Decimal("1e3"),
    }
    assert hclkit.loads("b {}\n", compact=True) == {"b": {}}
    assert hclkit.loads('variable "a" {\n  type = list(string)\n}\n', language="terraform") == {
        "variable": {"a": [{"type": "list(string)"}]}
    }
    assert hclkit.loads("a = x\n", static=["a"]) == {"a": "x"}
    assert hclkit.loads(b"region = eu\n", name="prod.auto.tfvars") == {"region": "eu"}
    assert hclkit.loads('{"a": [1, 2.5, null, true, "${x}"]}', syntax="json") == {
        "a": [1, Decimal("2.5"), None, True, "${x}"]
    }
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.loads("a = \nb = 'x'\n")
    assert len(caught.value.diagnostics) == 2
    with pytest.raises(hclkit.HclError):
        hclkit.loads("", language="cobol")


def test_load(tmp_path: Path) -> None:
    """Paths and open files; the name decides the language."""
    path = tmp_path / "main.tf"
    path.write_text('variable "a" {\n  type = string\n}\n')
    wanted = {"variable": {"a": [{"type": "string"}]}}
    assert hclkit.load(path) == wanted
    assert hclkit.load(str(path)) == wanted
    with path.open() as text, path.open("rb") as data:
        assert hclkit.load(text) == hclkit.load(data) == wanted
    assert hclkit.load(io.StringIO("a = 1")) == {"a": 1}


@dataclasses.dataclass
class Listen:
    """A block."""

    port: int
    host: str | None = None


def test_dumps() -> None:
    """Dictionaries and dataclasses as source."""
    data = {"name": "shop", "ratio": Decimal("0.10"), "listen": {"http": [Listen(80), Listen(81, "a")]}}
    assert hclkit.dumps(data) == (
        'name  = "shop"\nratio = 0.10\n\nlisten "http" {\n  port = 80\n}\n\nlisten "http" {\n  port = 81\n  host = "a"\n}\n'
    )
    assert hclkit.dumps({"a": "${x}", "b": "${x}-1"}) == 'a = x\nb = "${x}-1"\n'
    assert hclkit.dumps({"a": "${x}"}, literal=True) == 'a = "$${x}"\n'
    assert hclkit.dumps({"a": [{"b": 1}]}, attributes=["a"]) == "a = [{ b = 1 }]\n"
    assert hclkit.dumps({"a": {"x": {"b": 1}}}, blocks={"a": 1}) == 'a "x" {\n  b = 1\n}\n'
    assert hclkit.dumps({"variable": {"a": {"type": "string"}}}, language="terraform") == (
        'variable "a" {\n  type = string\n}\n'
    )
    assert hclkit.dumps({"a": True, "b": None, "c": 2**300}) == f"a = true\nb = null\nc = {2**300}\n"
    for wrong in [{"a": float("nan")}, {"a b": 1}, {"a": Decimal("inf")}]:
        with pytest.raises(hclkit.HclError):
            hclkit.dumps(wrong)
    for other in [[1], {"a": object()}, {1: 2}]:
        with pytest.raises(TypeError):
            hclkit.dumps(other)


@pytest.mark.parametrize("path", sorted(it for it in EXAMPLES.rglob("*.tf") if "broken" not in it.parts), ids=str)
def test_round_trip(path: Path) -> None:
    """What `loads` gives, `dumps` writes with the same meaning."""
    text = hclkit.dumps(hclkit.load(path), language="terraform")
    assert hclkit.dumps(hclkit.loads(text, language="terraform"), language="terraform") == text
    assert len(hclkit.parse(text).body) == len(hclkit.parse(path).body)


def test_edits_change_all_matches_or_none() -> None:
    """What lacks only the last name gets it; what lacks an earlier one is an error, as for `hcl edit`."""
    text = 'r "a" {\n  tags = {}\n}\nr "b" {\n  tags = { T = 1 }\n}\n'
    found = hclkit.parse(text).edit().set("r.*.tags.T", "x").apply().text
    assert found.count('T = "x"') == 2
    partial = hclkit.parse(text + 'r "c" {\n  x = 1\n}\n')
    with pytest.raises(hclkit.HclError, match="r.c has no `tags`"):
        partial.edit().set("r.*.tags.T", "x").apply()
    with pytest.raises(hclkit.HclError, match="matches nothing"):
        partial.edit().set("q.*.tags.T", "x").apply()


def test_edit() -> None:
    """Everything else stays as it is."""
    document = hclkit.parse('# The shop.\nservice "web" {\n  port = 80 # public\n\n  tags = { a = 1 }\n}\nx = 1\n')
    edited = (
        edit.edit(document)
        .set("service.web.port", 8080)
        .set("service.web.host", edit.Raw("var.host"))
        .set("service.web.tags.b", {"z": 1, "y": ["é", None, Decimal("1.5")]})
        .remove("x")
        .append(".", 'service "api" {\n}\n')
        .apply()
    )
    assert edited.text == (
        '# The shop.\nservice "web" {\n  port = 8080 # public\n\n'
        '  tags = { a = 1, b = { z = 1, y = ["é", null, 1.5] } }\n  host = var.host\n}\nservice "api" {\n}\n'
    )
    assert document.text.startswith("# The shop.\nservice")
    assert document.edit().set("x", 2).apply().text == edit.edit(document).set("x", 2).apply().text
    with pytest.raises(hclkit.HclError):
        hclkit.parse("x = \n").edit()
    renamed = edit.edit("b = 1\na = 2\n").rename("b", "c").apply().text
    assert renamed == "c = 1\na = 2\n"
    assert edit.edit("a = [1]\n").prepend("a", "0").insert_after("a[0]", "2").apply().text == "a = [0, 1, 2]\n"
    assert edit.edit("a = 1\n").add(".", "b", 2).apply().text == "a = 1\nb = 2\n"
    json_document = hclkit.parse('{"a": 1}', syntax="json")
    assert edit.edit(json_document).set("a", [2]).apply().text == '{"a": [2]}'
    for path, value in [("none.x", 1), ("a[", 1)]:
        with pytest.raises(hclkit.HclError):
            edit.edit("a = 1\n").set(path, value).apply()
    with pytest.raises(hclkit.HclError):
        edit.edit("a = \n")
    with pytest.raises(hclkit.HclError):
        edit.edit("a = 1\n").set("a", edit.Raw("1 +")).apply()


def test_query() -> None:
    """Paths, and expressions over the contents."""
    document = hclkit.parse('a "x" {\n  p = 1\n}\na "y" {\n  p = 1 + 1\n}\n')
    found = edit.query(document, "a.*.p")
    assert [(it.address, it.text, it.range.start.line) for it in found] == [("a.x.p", "1", 2), ("a.y.p", "1 + 1", 5)]
    assert found[1].expression is not None and found[1].expression.evaluate() == 2
    assert edit.value(document, "[for name, it in a : name if it.p > 1]") == ["y"]
    with pytest.raises(hclkit.HclError):
        edit.query(document, "a[")
    with pytest.raises(hclkit.HclError):
        edit.value(document, "1 +")


def test_format() -> None:
    """The layout of each program."""
    assert hclkit.format("a=1\nbc =  [1,2]\n") == "a  = 1\nbc = [1, 2]\n"
    assert hclkit.format("a=1\nbc=2\n", align=False) == "a = 1\nbc = 2\n"
    with pytest.raises(hclkit.HclError):
        hclkit.format("a = \n")


def test_rename() -> None:
    """References follow, in all files."""
    files = {"main.tf": 'variable "a" {}\n', "out.tf": 'output "o" {\n  value = var.a\n}\n', "other.tf": "\n"}
    assert hclkit.rename(files, "var.a", "b") == {
        "main.tf": 'variable "b" {}\n',
        "out.tf": 'output "o" {\n  value = var.b\n}\n',
    }
    with pytest.raises(hclkit.HclError):
        hclkit.rename(files, "var.a", "count")


SPEC = """
object {
  attr "name" {
    type     = string
    required = true
  }
  block_list "listen" {
    block_type = "listen"
    object {
      attr "port" {
        type = number
      }
    }
  }
}
"""


def test_spec() -> None:
    """All errors at once, each at its place."""
    spec = Spec(SPEC)
    text = 'name = upper(n)\ndynamic "listen" {\n  for_each = [80, 81]\n  content {\n    port = listen.value\n  }\n}\n'
    found = spec.decode(text, variables={"n": "web"}, functions="terraform", dynamic=True)
    assert found == {"name": "WEB", "listen": [{"port": 80}, {"port": 81}]}
    with pytest.raises(hclkit.HclError) as caught:
        spec.decode('listen {\n  port = "x"\n}\nlisten {\n  prot = 1\n}\n')
    assert len(caught.value.diagnostics) == 3
    assert all(it.range for it in caught.value.diagnostics)
    unknown = spec.decode("name = n\n", unknown_variables=True)["name"]
    assert isinstance(unknown, hclkit.Unknown)
    assert "name" in json.loads(spec.json_schema("shop"))["properties"]
    assert "listen" in spec.markdown("shop")
    assert str(spec.decode_value('name = "a"\n').type) == "object({listen=list(object({port=number})), name=string})"
    with pytest.raises(hclkit.HclError):
        Spec("object {")


def test_module() -> None:
    """A real module of the examples, with values, reasons, a graph and errors."""
    directory = EXAMPLES / "infrastructure"
    module = hclkit.Module(directory, variable_files=[directory / "production.tfvars"])
    assert module.language == "terraform"
    assert module["output.replicas"] == {"search": 3, "web": 6}
    assert isinstance(module["output.database"], hclkit.Sensitive)
    outputs: dict[str, Any] = module["output.*"]
    assert outputs["output.subnets"] == {"a": "10.42.0.0/24", "b": "10.42.1.0/24", "c": "10.42.2.0/24"}
    assert "production.tfvars" in module.explain("output.replicas")
    assert module.check() == []
    graph = module.graph()
    assert len(graph) == len(graph.nodes) > 5
    assert set(graph.edges) >= {("output.replicas", it) for it in graph.references("output.replicas")}
    assert graph.range("output.replicas").name.endswith(".tf")
    assert graph.to_dot().startswith("digraph") and "output.replicas" in graph.to_mermaid()
    with pytest.raises(hclkit.HclError):
        module["output.none"]
    with pytest.raises(KeyError):
        graph.references("output.none")


def test_module_errors(tmp_path: Path) -> None:
    """What is wrong has a place."""
    (tmp_path / "main.tf").write_text('output "x" {\n  value = var.none\n}\nvariable "a" {}\noutput "a" {\n  value = var.a\n}\n')
    module = hclkit.Module(tmp_path)
    with pytest.raises(hclkit.HclError) as caught:
        module["output.x"]
    assert caught.value.diagnostics[0].range is not None
    assert module.evaluate("output.x").has_errors
    assert module.check()
    unknown = hclkit.Module(tmp_path, unknown_variables=True)
    assert isinstance(unknown["output.a"], hclkit.Unknown)
    assert unknown.reasons("output.a")
    assert hclkit.Module(tmp_path, variables={"a": [1, {"b": "é"}]})["output.a"] == [1, {"b": "é"}]
    with pytest.raises(FileNotFoundError):
        hclkit.Module(tmp_path / "none")
    with pytest.raises(hclkit.HclError):
        hclkit.Module(tmp_path, language="cobol")
    (tmp_path / "empty").mkdir()
    with pytest.raises(hclkit.HclError):
        hclkit.Module(tmp_path / "empty")


def test_bake(tmp_path: Path) -> None:
    """Plans of Bake files."""
    path = tmp_path / "docker-bake.hcl"
    path.write_text('variable "T" {\n  default = "a"\n}\ngroup "default" {\n  targets = ["x"]\n}\ntarget "x" {\n  tags = ["i:${T}"]\n}\n')
    bake = hclkit.Bake(path, overrides=["x.platform=linux/arm64"])
    plan = bake.plan()
    assert plan.targets["x"]["tags"] == ["i:a"]
    assert plan.targets["x"]["platforms"] == ["linux/arm64"]
    assert plan.groups["default"]["targets"] == ["x"]
    assert bake.check() == []
    assert "target.x" in bake.graph().nodes
    with pytest.raises(hclkit.HclError):
        bake.plan("none")


SMALL = "x" * 300_000
MANY = "b c {\n  a = 1\n  l = [1]\n}\n" * 300
LARGE_EDITS: dict[str, Callable[[edit.Editor], edit.Editor]] = {
    "set": lambda it: it.set("b.*.a", SMALL),
    "set what is missing": lambda it: it.set("b.*.new", SMALL),
    "add": lambda it: it.add("b.*", "new", SMALL),
    "append": lambda it: it.append("b.*", f"new = {SMALL}"),
    "append to lists": lambda it: it.append("b.*.l", SMALL),
    "prepend": lambda it: it.prepend("b.*", f"new = {SMALL}"),
    "insert_before": lambda it: it.insert_before("b.*.l[0]", SMALL),
    "insert_after": lambda it: it.insert_after("b.*", f"new = {SMALL}"),
    "rename": lambda it: it.rename("b.*.a", SMALL),
    # What moves is text of the document. It is moved once, and nothing is new.
    "move": lambda it: it.move("b.*", "z"),
    "remove": lambda it: it.remove("b.*"),
}
"""What makes more than 64 MiB of a small text, because a path selects much."""


def test_new_text_of_edits_is_limited() -> None:
    """Each edit with a path ends with an error, or without new text."""
    document = hclkit.parse(MANY + "z {\n}\n")
    methods = {name for name in dir(edit.Editor) if not name.startswith("_")} - {"apply"}
    assert methods == {name.split()[0] for name in LARGE_EDITS}
    for name, make in LARGE_EDITS.items():
        if name in ("move", "remove"):
            assert len(make(document.edit()).apply().text) < 2 * len(MANY)
            continue
        with pytest.raises(hclkit.LimitError):
            make(document.edit()).apply()
    references = f"variable \"a\" {{\n}}\nlocals {{\n  b = [{'var.a, ' * 300}]\n}}\n"
    with pytest.raises(hclkit.LimitError):
        hclkit.rename({"main.tf": references}, "var.a", SMALL)
    nested = "[" * 500 + "1, " * 100_000 + "]" * 500
    with pytest.raises(hclkit.LimitError):
        edit.query(f"a = {nested}\n", "..[0]")
