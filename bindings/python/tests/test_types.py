"""The types of fields: each row of the table in the guide, unions, classes that contain themselves, and what a schema keeps."""

import dataclasses
import datetime as datetimes
import enum
import ipaddress
import json
import re
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NewType, TypedDict
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hclkit
from hclkit.spec import Label, Spec, decode, json_schema_of, markdown_of, source_of

pytest.importorskip("pydantic")
pytest.importorskip("jsonschema")
import jsonschema  # noqa: E402
import pydantic  # noqa: E402


class Level(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Priority(enum.IntEnum):
    FIRST = 3


UserId = NewType("UserId", int)

NAMES: dict[str, Any] = {
    **{name: getattr(typing, name) for name in ("Annotated", "Any", "Final", "Literal")},
    **{name: getattr(datetimes, name) for name in ("date", "datetime", "time", "timedelta", "timezone")},
    **{name: getattr(ipaddress, name) for name in dir(ipaddress) if name.startswith("IPv")},
    **{"Decimal": Decimal, "Level": Level, "Mapping": Mapping, "Path": Path, "Priority": Priority, "Sequence": Sequence},
    **{"UUID": UUID, "UserId": UserId, "re": re},
    **{name: getattr(pydantic, name) for name in ("Base64Bytes", "ByteSize", "Field", "HttpUrl", "IPvAnyAddress", "Json")},
    **{name: getattr(pydantic, name) for name in ("PositiveInt", "SecretStr", "StringConstraints")},
}


def rows() -> list[tuple[str, str, str]]:
    """The table of the guide."""
    text = (Path(__file__).parents[3] / "docs/book/src/python.md").read_text()
    _, _, table = text.partition("| annotation | HCL | value |\n| --- | --- | --- |\n")
    found = []
    for line in table.partition("\n\n")[0].splitlines():
        cells = re.split(r"(?<!\\)\|", line.strip("|"))
        annotation, source, value = (re.findall("`(.*?)`", it)[0].replace("\\|", "|") for it in cells)
        found.append((annotation, source, value))
    return found


ROWS = rows()


def test_the_table_is_found() -> None:
    """Otherwise, nothing is tested."""
    assert len(ROWS) > 40


@pytest.mark.parametrize("kind", ["dataclass", "pydantic"])
@pytest.mark.parametrize(("annotation", "source", "value"), ROWS)
def test_rows(annotation: str, source: str, value: str, kind: str) -> None:
    """What is read is what the table says, is written, and is read equal."""
    of, expected = eval(annotation, NAMES), eval(value, NAMES)
    default = None if "None" in annotation else dataclasses.MISSING
    field = dataclasses.field(default=default) if default is None else dataclasses.field()
    cls: Any = dataclasses.make_dataclass("C", [("v", of, field)])
    if kind == "pydantic":
        cls = pydantic.create_model("M", v=(of, ... if default is dataclasses.MISSING else default))
    found = decode(f"v = {source}\n", cls)
    assert found.v == expected and type(found.v) in (type(expected), pydantic.ByteSize)
    assert decode(hclkit.dumps(found, show_sensitive=True), cls) == found
    # A wrong value is an error at its line, whoever finds it.
    if annotation not in ("Any", "str", "str | None", "int | str", "Base64Bytes", "Path", "SecretStr", "re.Pattern[str]") and "to_lower" not in annotation:
        with pytest.raises(hclkit.HclError) as caught:
            decode('\nv = "?["\n', cls)
        assert [it.range.start.line for it in caught.value.diagnostics if it.range][:1] == [2]


def test_secrets_are_hidden_both_ways() -> None:
    """What is sensitive is a secret, and a secret is sensitive."""
    cls = pydantic.create_model("M", password=(pydantic.SecretStr, ...))
    found = decode("password = p\n", cls, variables={"p": hclkit.Sensitive("hunter2")})
    assert found.password.get_secret_value() == "hunter2"
    with pytest.raises(hclkit.HclError, match="show_sensitive"):
        hclkit.dumps(found)
    assert "hunter2" in hclkit.dumps(found, show_sensitive=True)
    assert hclkit.evaluate("upper(p)", {"p": found.password}, functions="terraform") == hclkit.Sensitive("HUNTER2")


@dataclasses.dataclass
class Tree:
    """A class that contains itself."""

    name: Annotated[str, Label]
    tree: "list[Tree]" = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Forest:
    tree: list[Tree]


def test_classes_that_contain_themselves() -> None:
    """As deep as the text is, in both syntaxes, and with dynamic blocks."""
    text = 'tree "a" {\n  tree "b" {\n    tree "c" {}\n  }\n}\ntree "d" {}\n'
    found = decode(text, Forest)
    assert found == Forest([Tree("a", [Tree("b", [Tree("c")])]), Tree("d")])
    assert decode(hclkit.dumps(found), Forest) == found
    document = hclkit.parse('{"tree": {"a": {"tree": {"b": {}}}}}', syntax="json")
    assert decode(document, Forest) == Forest([Tree("a", [Tree("b")])])
    dynamic = 'tree "a" {\n  dynamic "tree" {\n    for_each = ["x", "y"]\n    labels = [tree.value]\n    content {}\n  }\n}\n'
    assert decode(dynamic, Forest, dynamic=True) == Forest([Tree("a", [Tree("x"), Tree("y")])])
    with pytest.raises(hclkit.HclError) as caught:
        decode('tree "a" {\n  tree "b" {\n    oops = 1\n  }\n}\n', Forest)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [3]
    with pytest.raises(hclkit.HclError, match="contains itself"):
        source_of(Tree)
    deep = "".join(f"{'tree'} \"{at}\" {{\n" for at in range(150)) + "}\n" * 150
    with pytest.raises(hclkit.HclError, match="levels"):
        decode(deep, Forest)


@dataclasses.dataclass
class Branch:
    """Blocks that contain each other."""

    kind: Annotated[Literal["branch"], Label]
    leaf: "list[Leaf]"
    node: "list[Branch | Twig]" = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Twig:
    kind: Annotated[Literal["twig"], Label]
    node: "dict[str, Hung]" = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Hung:
    size: int = 1
    leaf: "Leaf | None" = None


@dataclasses.dataclass
class Leaf:
    color: str
    branch: "Branch | None" = None


@dataclasses.dataclass
class Garden:
    node: "list[Branch | Twig]"
    forest: Forest | None = None


def test_classes_that_contain_themselves_have_a_schema_and_documentation() -> None:
    """One definition for each, which refers to itself: what `decode` accepts is valid, and nothing else."""
    schema = json.loads(json_schema_of(Forest, "Forest"))
    assert schema["title"] == "Forest"
    body = schema["$defs"]["tree"]
    assert set(body["properties"]) == {"//", "tree"} and not body["additionalProperties"]
    assert "hclkit-" not in json.dumps(schema)
    for cls in (Forest, Garden):
        for dynamic in (False, True):
            schema = json.loads(json_schema_of(cls, dynamic=dynamic))
            references = set(re.findall(r'"\$ref": "#/\$defs/([^"]+)"', json.dumps(schema)))
            assert references <= set(schema["$defs"])
            assert "hclkit-" not in json.dumps(schema)
    accepts = jsonschema.Draft202012Validator(json.loads(json_schema_of(Garden))).is_valid
    deep: dict[str, object] = {"leaf": {"color": "red"}}
    for _ in range(20):
        deep = {"leaf": {"color": "red", "branch": {"branch": deep}}}
    valid: list[dict[str, Any]] = [
        {"node": {"branch": deep}},
        {"node": {"twig": {"node": {"a": {"leaf": {"color": "red"}}}}}},
        {"node": [{"branch": {"leaf": [], "node": {"twig": {}}}}], "forest": {"tree": {"a": {"tree": {"b": {"tree": {"c": {}}}}}}}},
    ]
    for data in valid:
        assert accepts(data)
        decode(hclkit.parse(json.dumps(data), syntax="json"), Garden)
    invalid: list[dict[str, Any]] = [
        {"node": {"branch": {"leaf": {"color": "red", "oops": 1}}}},
        {"forest": {"tree": {"a": {"tree": {"b": {"oops": {}}}}}}},
    ]
    for data in invalid:
        assert not accepts(data)
        with pytest.raises(hclkit.HclError):
            decode(hclkit.parse(json.dumps(data), syntax="json"), Garden)
    # Each class once, however many ways lead to it.
    markdown = markdown_of(Garden, "Garden")
    assert markdown.count("A class that contains itself.") == 2 and "It contains what" in markdown and "hclkit-" not in markdown
    assert markdown_of(Cat) == Spec(source_of(Cat)).markdown()
    assert json_schema_of(Cat) == Spec(source_of(Cat)).json_schema()


def test_many_classes_that_contain_each_other_have_a_short_schema() -> None:
    names = [f"C{at}" for at in range(9)]
    fields = [(name.lower(), f"{name} | None", dataclasses.field(default=None)) for name in names]
    module = types.ModuleType("hclkit_test_many")
    sys.modules[module.__name__] = module
    for name in names:
        made = dataclasses.make_dataclass(name, fields, namespace={"__module__": module.__name__})
        setattr(module, name, made)
    assert len(json_schema_of(module.C0)) < 100_000 and len(markdown_of(module.C0)) < 100_000


@dataclasses.dataclass
class Cat:
    kind: Literal["cat"]
    lives: int = 9
    name: str = "Tom"


@dataclasses.dataclass
class Dog:
    kind: Literal["dog", "puppy"]
    name: list[str]


@dataclasses.dataclass
class Pets:
    pet: list[Cat | Dog] = dataclasses.field(default_factory=list)
    best: Cat | Dog | None = None
    by: dict[str, Cat | Dog] = dataclasses.field(default_factory=dict)


def test_unions_by_an_attribute() -> None:
    """Each class has its own fields, and those of others are errors at their places."""
    text = 'pet {\n  kind = "dog"\n  name = ["a"]\n}\npet {\n  kind = "cat"\n  lives = "7"\n}\nbest {\n  kind = "cat"\n}\nby "x" {\n  kind = "puppy"\n  name = []\n}\n'
    found = decode(text, Pets)
    assert found == Pets([Dog("dog", ["a"]), Cat("cat", 7)], Cat("cat"), {"x": Dog("puppy", [])})
    assert decode(hclkit.dumps(found), Pets) == found
    with pytest.raises(hclkit.HclError) as caught:
        decode('pet {\n  kind = "dog"\n  lives = 3\n  name = ["a"]\n}\npet {\n  kind = "cow"\n}\npet {\n  kind = "dog"\n}\n', Pets)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [3, 7, 9]

    @dataclasses.dataclass
    class Same:
        pet: Cat | Tree

    with pytest.raises(hclkit.HclError, match="Literal"):
        decode("", Same)


def test_unions_of_pydantic() -> None:
    """With a discriminator, by a label or an attribute."""

    class S3(pydantic.BaseModel):  # type: ignore[misc]
        kind: Annotated[Literal["s3"], Label]
        bucket: Annotated[str, pydantic.Field(min_length=3)]

    class Local(pydantic.BaseModel):  # type: ignore[misc]
        kind: Annotated[Literal["local"], Label]
        path: Path

    class Config(pydantic.BaseModel):  # type: ignore[misc]
        store: list[Annotated[S3 | Local, pydantic.Field(discriminator="kind")]]

    found = decode('store "local" {\n  path = "/x"\n}\nstore "s3" {\n  bucket = "abc"\n}\n', Config)
    assert found.store == [Local(kind="local", path=Path("/x")), S3(kind="s3", bucket="abc")]
    assert decode(hclkit.dumps(found), Config) == found
    with pytest.raises(hclkit.HclError) as caught:
        decode('store "s3" {\n  bucket = "abc"\n}\nstore "s3" {\n\n  bucket = "a"\n}\n', Config)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [6]
    with pytest.raises(hclkit.HclError):
        decode('store "ftp" {\n}\n', Config)


class Point(NamedTuple):
    x: int
    y: int = 0


class Line(TypedDict):
    start: Point
    end: Point


def test_named_tuples_and_dictionaries() -> None:
    """As blocks and at the top."""
    assert decode("x = 1\n", Point) == Point(1)
    assert decode("start {\n  x = 1\n}\nend {\n  x = 2\n  y = 3\n}\n", Line) == {"start": (1, 0), "end": (2, 3)}
    assert decode(hclkit.dumps(Point(1, 2)), Point) == Point(1, 2)


def test_structs_of_msgspec() -> None:
    """With their names, limits and defaults."""
    pytest.importorskip("msgspec")
    import msgspec

    class Server(msgspec.Struct, rename="camel"):
        bind_to: str
        port: Annotated[int, msgspec.Meta(ge=1, le=9, description="Where it listens.")] = 8

    found = decode('bindTo = "x"\n', Server)
    assert found == Server("x", 8)
    assert decode(hclkit.dumps(found), Server) == found
    assert "Where it listens." in Spec(source_of(Server)).markdown()


def test_schemas_keep_what_classes_say() -> None:
    """Limits, descriptions and defaults."""

    class Listen(pydantic.BaseModel):  # type: ignore[misc]
        """Where it listens."""

        port: int = pydantic.Field(80, ge=1, le=65535, description="The port.")
        level: Literal["debug", "info"] = "info"
        name: str = pydantic.Field(min_length=2, pattern="^[a-z]+$")
        password: pydantic.SecretStr | None = pydantic.Field(None, deprecated="Use a file.")

    class Config(pydantic.BaseModel):  # type: ignore[misc]
        listen: list[Listen] = []

    spec = Spec(source_of(Config))
    schema = json.loads(spec.json_schema())
    text = json.dumps(schema)
    for part in ['"minimum": 1', '"maximum": 65535', '"default": 80', '"The port."', '"Where it listens."', '"debug", "info"', '"^[a-z]+$"']:
        assert part in text, (part, text)
    markdown = spec.markdown()
    for part in ["Where it listens.", "The port.", "`80`", "At least 2 long.", "Use a file."]:
        assert part in markdown, (part, markdown)
    # What a class accepts, its spec does, too.
    assert spec.decode('listen {\n  name = "ab"\n}\n') is not None


HOSTILE = st.text(max_size=8) | st.lists(st.sampled_from(["${", "%{", "$${", "}", '"', "\\", "\n", "<<E", "a"]), max_size=5).map("".join)
LEAVES: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (str, HOSTILE),
    (int, st.integers(-(2**70), 2**70)),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (bool, st.booleans()),
    (Decimal, st.decimals(-1000, 1000, places=3)),
    (Path, HOSTILE.filter(lambda it: "\0" not in it).map(Path)),
    (datetimes.datetime, st.datetimes()),
    (datetimes.timedelta, st.timedeltas()),
    (UUID, st.uuids()),
    (Level, st.sampled_from(Level)),
    (ipaddress.IPv4Address, st.ip_addresses(v=4)),
    (list[str], st.lists(HOSTILE, max_size=3)),
    (dict[str, list[int]], st.dictionaries(HOSTILE, st.lists(st.integers(0, 9), max_size=2), max_size=3)),
    (list[dict[str, str]], st.lists(st.dictionaries(HOSTILE, HOSTILE, max_size=2), max_size=2)),
    (int | None, st.none() | st.integers(0, 9)),
    (tuple[str, bool], st.tuples(HOSTILE, st.booleans())),
]


@settings(deadline=None, max_examples=150)
@given(st.data(), st.sampled_from(["dataclass", "pydantic", "attrs"]))
def test_random_classes_are_written_as_they_are_read(data: st.DataObject, library: str) -> None:
    """Decode, dumps and decode again, with blocks, labels and fields of random types."""
    pytest.importorskip("attrs")
    import attrs

    def make(name: str, fields: dict[str, Any]) -> Any:
        # `None` needs a default.
        if library == "pydantic":
            config = pydantic.ConfigDict(arbitrary_types_allowed=True)
            return pydantic.create_model(name, __config__=config, **{n: (t, None if t == int | None else ...) for n, t in fields.items()})
        made = {n: attrs.field(type=t, default=None, kw_only=True) if t == int | None else attrs.field(type=t, kw_only=True) for n, t in fields.items()}
        if library == "attrs":
            return attrs.make_class(name, made)
        given = [(n, t, dataclasses.field(default=None, kw_only=True) if t == int | None else dataclasses.field(kw_only=True)) for n, t in fields.items()]
        return dataclasses.make_dataclass(name, given)

    def draw(kinds: list[int]) -> dict[str, Any]:
        return {f"f{at}": data.draw(LEAVES[kind][1]) for at, kind in enumerate(kinds)}

    kinds = [data.draw(st.lists(st.integers(0, len(LEAVES) - 1), max_size=4)) for _ in range(2)]
    # The inner class has fields of the same names, whatever their types are.
    inner = make("Inner", {"label": Annotated[str, Label], **{f"f{at}": LEAVES[it][0] for at, it in enumerate(kinds[0])}})
    outer = make("Outer", {**{f"f{at}": LEAVES[it][0] for at, it in enumerate(kinds[1])}, "block": list[inner]})  # type: ignore[valid-type]
    blocks = [inner(label=data.draw(HOSTILE), **draw(kinds[0])) for _ in range(data.draw(st.integers(0, 3)))]
    made = outer(block=blocks, **draw(kinds[1]))
    # Text of HCL is normalized to NFC, so that the first reading may change it.
    once = decode(hclkit.dumps(made), outer)
    assert decode(hclkit.dumps(once), outer) == once
    if hclkit.dumps(made).isascii():
        assert once == made
