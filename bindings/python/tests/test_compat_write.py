"""What the replacements for other packages write, and what their users import."""

import importlib
import io
import json
import warnings
from typing import Any

import pytest
from peers import DUMPS, GO, answers
from test_compat import CASES

import hclkit
from hclkit.compat import bc_hcl2, hcl2, hcl2_v7, pygohcl

TEXTS = [
    *CASES,
    'b {\n  a = 1\n  c {\n    x = 1\n    yy = 2\n    z {}\n  }\n  long = 2\n  dd {}\n  dd {\n    q = {}\n  }\n  e {}\n  zzzz = 3\n}\nf = 1\n',
    "a = f([1], g({a=1}), {}, [])\nb = [f([1])]\nc = [x ? [1] : 2, [for a in b: {x = 1}]]\nd = {x = f({a = 1}), y = [for a in b: a if c]}\n",
    'g = f({ (x) = 1, "y z" : 2})\nh = a[[1]]\ni = f(x)[0]\nj = f([1]).x\nk = [1,2][0]\nl = -f([1])\nm = f({})\nn = f([1]...)\n',
    "a = {for k, v in x : k => v...}\nb = [for x in [for y in z : y] : {for a in b : a => [c]}]\nd = { x = {for k in y: k => k}}\n",
]
OPTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"object_elements_colon": True}, {"indent_length": 4}),
    ({"object_elements_trailing_comma": False}, {"vertically_align_attributes": False}),
    ({"strings_to_heredocs": True}, {"open_empty_blocks": False, "vertically_align_object_elements": False}),
    ({}, {"open_empty_objects": True, "open_empty_tuples": True}),
]


def simple(text: str | None) -> str | None:
    """Without what the package writes in expressions that are operands or parts of strings, and that means the same."""
    return None if text is None else text.replace("... ", "...").replace(" ...", "...").replace("[ for", "[for").replace("{ for", "{for")


@pytest.mark.parametrize(("deserializer", "formatter"), OPTIONS)
def test_layout(deserializer: dict[str, Any], formatter: dict[str, Any]) -> None:
    """That of python-hcl2 8, with its options."""
    data = []
    for text in TEXTS:
        try:
            found = hcl2.loads(text)
        except hclkit.HclError:
            continue
        # In lists and objects, its heredocs are not HCL. Directives are those of the file in ours, and floats have no exponent, with which
        # they would be expressions.
        if "<<" not in text and "k,v" not in text and "00000000000000000000" not in text:
            data.append(found)
    theirs = answers("v8", DUMPS, [(it, deserializer, formatter) for it in data])
    options: dict[str, Any] = {"deserializer_options": hcl2.DeserializerOptions(**deserializer), "formatter_options": hcl2.FormatterOptions(**formatter)}
    compared, wrong = 0, []
    for one, text in zip(data, theirs, strict=True):
        try:
            hclkit.parse(text or "?").check()
        except hclkit.HclError:
            # It writes what is not HCL, or nothing.
            continue
        if "strings_to_heredocs" in deserializer and ("\\t" in text or "\\u" in text):
            # It leaves these escape sequences in heredocs, which have none.
            continue
        ours = hcl2.dumps(one, **options)
        compared += 1
        assert hcl2.loads(ours, serialization_options=hcl2.SerializationOptions(with_comments=False))
        if simple(ours) != simple(text):
            wrong.append((ours, text))
    assert compared > 100
    assert not wrong, (len(wrong), wrong[:3])


def test_options_are_obeyed_or_refused() -> None:
    """Heredocs become strings; one with a template cannot."""
    options = hcl2.DeserializerOptions(heredocs_to_strings=True)
    text = hcl2.dumps(hcl2.loads('a = <<E\nx "y" \\n\nE\n'), deserializer_options=options)
    assert hclkit.parse(text).body["a"].expression.evaluate() == 'x "y" \\n\n'
    with pytest.raises(hclkit.HclError, match="heredocs_to_strings"):
        hcl2.dumps(hcl2.loads("a = <<E\n${x}\nE\n"), deserializer_options=options)
    # What the package breaks is read back.
    data = hcl2.loads("a = {\n  x = <<E\n  y\nE\n  z = [<<E\n1\nE\n  , 2]\n}\n")
    assert hcl2.loads(hcl2.dumps(data)) == data
    assert "__comments__" not in hcl2.serialize(hcl2.parses("# c\nx = 5\n", discard_comments=True))
    assert "__comments__" in hcl2.serialize(hcl2.parses("# c\nx = 5\n"))


def test_what_users_import() -> None:
    """After `install()`, and nothing afterwards."""
    names = {
        hcl2: ["api.loads", "utils.SerializationOptions", "parser.parses", "const.IS_BLOCK", "builder.Builder", "rules.base.StartRule", "query.body.DocumentView", "transformer.RuleTransformer", "reconstructor.HCLReconstructor", "formatter.BaseFormatter", "deserializer.BaseDeserializer"],
        hcl2_v7: ["api.reverse_transform", "builder.Builder", "transformer.DictTransformer", "parser.parser"],
        bc_hcl2: ["api.loads"],
    }
    for module, paths in names.items():
        with module.install() as installed:
            assert importlib.import_module("hcl2") is installed
            for path in paths:
                own, _, name = path.rpartition(".")
                assert hasattr(importlib.import_module(f"hcl2.{own}"), name), path
    assert all(hasattr(hcl2, it) for it in ("query", "parse_to_tree", "parses_to_tree", "transform", "__version__"))


def test_errors_are_caught_as_before() -> None:
    """Those of Lark are, where it is installed."""
    lark = pytest.importorskip("lark")
    for module in (hcl2, hcl2_v7, bc_hcl2):
        for kind in (lark.exceptions.LarkError, lark.UnexpectedToken, lark.UnexpectedCharacters, hclkit.HclError, ValueError):
            with pytest.raises(kind) as caught:
                module.loads("a = 1\nb = = 2\n")
            assert (caught.value.line, len(caught.value.diagnostics)) == (2, 1)


def test_queries() -> None:
    """Blocks and attributes of a document."""
    document = hcl2.query(io.StringIO('resource "a" "b" {\n  x = 1\n  y {\n    z = "q"\n  }\n}\nresource "c" "d" {}\nw = [1]\n'))
    [block] = document.blocks("resource", "a")
    assert (block.block_type, block.labels, block.name_labels) == ("resource", ["resource", "a", "b"], ["a", "b"])
    assert [it.name for it in block.attributes()] == ["x"] and block.attribute("nope") is None
    found = block.blocks("y")[0].attribute("z")
    assert found and (found.value, found.to_hcl()) == ('"q"', 'z = "q"')
    other = document.attribute("w")
    assert other and other.value == [1]


def test_version_7_writes() -> None:
    """Blocks are dictionaries with lines, and strings are templates."""
    text = 'a "l" {\n  x = "a${b["c"]}\\n\\"${"d${e}"}"\n  y = z\n  b {}\n}\n\nt = [{\n  a = 1\n}, {\n  b = 2\n}]\n'
    data = hcl2_v7.loads(text, with_meta=True)
    assert hcl2_v7.writes(hcl2_v7.reverse_transform(data)) == text


GO_TEXTS = [
    *CASES,
    "a {\n x=1\n}\na {\n y=2\n}\n",
    'a "l" {\n x=1\n}\na "m" {\n y=2\n}\na "l" {\n z=3\n}\n',
    'a "l" {\n x=1\n}\na {\n y=2\n}\n',
    "a = 1\na {\n}\n",
    'x = {a = 1, "b" = c, (d) = 2}\n',
    'x = "a${"b${c}"}"\n',
    'x = {"a${b}" = 1, c.d = 2, 1 = 3, true=4}\n',
    "x = alltrue([ # Who\n  for v in w: /* like */\n  !f(v)\n])\n",
    "x = 1e3\ny = -0.5\nz = 12345678901234567890123\n",
    'x = "a${null}"\n',
]


@pytest.mark.parametrize("keep", [False, True])
def test_pygohcl(keep: bool) -> None:
    """The dictionaries of the package, or an error of the same kind."""
    compared, wrong = 0, []
    for text, theirs in zip(GO_TEXTS, answers("pygohcl", GO, [(it, keep) for it in GO_TEXTS]), strict=True):
        try:
            ours: Any = json.loads(json.dumps(pygohcl.loads(text, keep)))
        except hclkit.HclError as error:
            ours = type(error).__name__
        compared += 1
        # It drops the markers around two calls whose arguments are strings.
        if ours != theirs and not (keep and text.startswith('a = "${f("x")}-${g("y")}"')):
            wrong.append((text, ours, theirs))
    assert compared > 100
    assert not wrong, (len(wrong), wrong[:5])


def test_pygohcl_attributes_and_conditions() -> None:
    """Values, and the errors that users look for."""
    assert pygohcl.attributes_loads("a = 1 + 1\nb = [0.5, null]\n") == {"a": 2, "b": [0.5, None]}
    for text, part in [("a = b\n", "Variables not allowed"), ("a {}\n", "Blocks are not allowed"), ("<a\n", "invalid HCL")]:
        with pytest.raises(pygohcl.HCLParseError, match=part):
            pygohcl.attributes_loads(text)
    pygohcl.eval_var_condition("var.a == 5", "m", "a", "5")
    with pytest.raises(pygohcl.UnknownFunctionError, match='no function named "sin"'):
        pygohcl.eval_var_condition("sin(var.a) > 0", "m", "a", "5")
    with pygohcl.install() as installed:
        assert importlib.import_module("pygohcl") is installed


def test_recovery() -> None:
    """What is valid of a file is kept, as for checkov, with the lines that it looks for."""
    text = 'resource "a" "b" {\n  x = 1\n  y = "x\\.y"\n  z = 2\n}\nprovider "aws"\n{\n}\nresource "c" "d" {\n  w = true\n}\n'
    with pytest.raises(hclkit.HclError):
        bc_hcl2.loads(text)
    found: Any = bc_hcl2.loads(text, recover=True)
    assert [it["resource"] if "resource" in it else it for it in [found]][0][0]["a"]["b"]["x"] == [1]
    assert found["resource"][0]["a"]["b"]["z"] == [2] and "y" not in found["resource"][0]["a"]["b"]
    assert found["resource"][1]["c"]["d"]["__start_line__"] == 9
    assert {it.range.start.line for it in found.diagnostics if it.range} <= {3, 6, 7, 8}
    for module in (hcl2, hcl2_v7):
        assert getattr(module.loads(text, recover=True), "diagnostics", [])
    with bc_hcl2.install(recover=True) as installed, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert installed.loads(text)["resource"] == found["resource"]
        assert len(caught) == 1 and "errors" in str(caught[0].message)
