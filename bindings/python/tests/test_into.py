"""Configurations as dataclasses."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from typing_extensions import NotRequired, Required, TypedDict

import hclkit
from hclkit.spec import Label, decode, source_of


@dataclass
class Limits:
    """A block within a block."""

    cpu: float = 1.0
    memory: Decimal = Decimal(512)


@dataclass
class Service:
    """A block with a label."""

    name: Annotated[str, Label]
    port: int
    limits: Limits | None = None
    tags: dict[str, str] = field(default_factory=dict)


@dataclass
class Zone:
    """A block by its label."""

    hosts: set[str]


@dataclass
class Config:
    """A file."""

    title: str
    anything: Any = None
    pair: tuple[str, int] = ("a", 1)
    service: list[Service] = field(default_factory=list)
    zone: dict[str, Zone] = field(default_factory=dict)


TEXT = """
title    = "Shop"
anything = { a = [1, "x"] }
pair     = ["b", "2"]

service "web" {
  port = "80"
  tags = { a = 1 }

  limits {
    cpu = 0.5
  }
}

service "api" {
  port = 81
}

zone "a" {
  hosts = ["x", "y", "x"]
}
"""


def test_all_shapes() -> None:
    """Attributes, labels and blocks, each with its type."""
    found = decode(TEXT, Config)
    assert found == Config(
        title="Shop",
        anything={"a": [1, "x"]},
        pair=("b", 2),
        service=[Service("web", 80, Limits(0.5, Decimal(512)), {"a": "1"}), Service("api", 81)],
        zone={"a": Zone({"x", "y"})},
    )
    assert found.service[0].limits and type(found.service[0].limits.cpu) is float
    json = hclkit.parse('{"title": "x", "zone": {"a": {"hosts": []}}}', syntax="json")
    assert decode(json, Config) == Config("x", zone={"a": Zone(set())})


def test_typed_dictionaries() -> None:
    """What is not required is left out."""

    class Port(TypedDict):
        number: int
        name: NotRequired[str]

    class Server(TypedDict, total=False):
        host: Required[str]
        port: list[Port]

    found = decode('host = "a"\nport {\n  number = 80\n}\nport {\n  number = 81\n  name = "b"\n}\n', Server)
    assert found == {"host": "a", "port": [{"number": 80}, {"number": 81, "name": "b"}]}
    with pytest.raises(hclkit.HclError):
        decode("port {\n  number = 80\n}\n", Server)


def test_attrs() -> None:
    """Converters run, and private names lose their underscore."""
    pytest.importorskip("attrs")
    import attrs

    @attrs.define
    class Listen:
        name: Annotated[str, Label]
        port: int = attrs.field(default=80, converter=int)

    @attrs.frozen
    class Server:
        hosts: frozenset[str]
        listen: list[Listen] = attrs.field(factory=list)
        _open: bool = False
        inner: dict[str, Listen] = attrs.field(init=False, factory=dict)

    found = decode('open = true\nhosts = ["a", "a"]\nlisten "x" {}\nlisten "y" {\n  port = 1\n}\n', Server)
    assert found == Server(frozenset({"a"}), [Listen("x"), Listen("y", 1)], open=True)


def test_pydantic() -> None:
    """The validators of a model, with all errors at once and their lines."""
    pytest.importorskip("pydantic")
    import pydantic

    class Listen(pydantic.BaseModel):  # type: ignore[misc]
        name: Annotated[str, Label]
        port: Annotated[int, pydantic.Field(gt=0, lt=65536)]

    class Server(pydantic.BaseModel):  # type: ignore[misc]
        host: str = pydantic.Field(alias="hostName", min_length=2)
        listen: list[Listen] = []
        zone: dict[str, Listen] = {}

    good = 'hostName = "ab"\nlisten "x" {\n  port = 80\n}\n'
    found = decode(good, Server)
    assert (found.host, found.listen[0].name, found.listen[0].port) == ("ab", "x", 80)
    bad = 'hostName = "a"\nlisten "x" {\n  port = 80\n}\nlisten "y" {\n  port = 0\n}\n'
    with pytest.raises(hclkit.HclError) as caught:
        decode(hclkit.parse(bad, name="a.hcl"), Server)
    lines = str(caught.value).splitlines()
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [1, 6]
    assert len(lines) == 2 and lines[0].startswith("a.hcl:1: hostName: ") and lines[1].startswith("a.hcl:6: listen.1.port: ")
    # What the spec finds comes first.
    with pytest.raises(hclkit.HclError) as caught:
        decode(bad + "other = 1\n", Server)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [8]


def test_objects_are_written_as_they_are_read() -> None:
    """The reverse of decoding."""
    found = decode(TEXT, Config)
    text = hclkit.dumps(found)
    assert 'service "web" {' in text and 'zone "a" {' in text and "limits {" in text
    assert decode(text, Config) == found
    assert hclkit.dumps(decode(text, Config)) == text


def test_errors_have_places() -> None:
    """All at once."""
    with pytest.raises(hclkit.HclError) as caught:
        decode('titel = "x"\nservice "web" {\n  port = "x"\n}\nservice {\n  port = 1\n}\n', Config)
    lines = {it.range.start.line for it in caught.value.diagnostics if it.range}
    assert {1, 3, 5} <= lines
    with pytest.raises(hclkit.HclError):
        decode('title = "x"\nservice "web" {\n  port = 1.5\n}\n', Config)


def test_classes_that_are_no_specs() -> None:
    """Each says why."""

    @dataclass
    class Nullable:
        a: str | None

    class Plain:
        pass

    @dataclass
    class Other:
        a: Plain

    for cls in [Nullable, Other, int]:
        with pytest.raises(hclkit.HclError):
            source_of(cls)


HOSTILE = st.text() | st.lists(
    st.sampled_from(["${", "%{", "$${", "%%{", "}", "~", '"', "\\", "\n", "\r\n", "<<E", "#", "a"]), max_size=6
).map("".join)


@dataclass
class Written:
    """What an object can have."""

    name: Annotated[str, Label]
    text: str
    number: int
    texts: list[str] = field(default_factory=list)
    maps: list[dict[str, int]] = field(default_factory=list)
    lists: dict[str, list[dict[str, str]]] = field(default_factory=dict)


@dataclass
class AllWritten:
    """Such objects as blocks."""

    inner: list[Written]


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.builds(
            Written,
            HOSTILE,
            HOSTILE,
            st.integers(-(10**30), 10**30),
            st.lists(HOSTILE),
            st.lists(st.dictionaries(HOSTILE, st.integers(0, 9), max_size=3), max_size=3),
            st.dictionaries(HOSTILE, st.lists(st.dictionaries(HOSTILE, HOSTILE, max_size=2), max_size=2), max_size=2),
        ),
        max_size=3,
    )
)
def test_written_objects_are_read_equal(inner: list[Written]) -> None:
    """Strings are never templates, and lists of dictionaries never blocks."""
    # A configuration is normalized to NFC, as each string of HCL is.
    text = hclkit.dumps(AllWritten(inner))
    once = decode(text, AllWritten)
    assert hclkit.dumps(once) == hclkit.dumps(decode(hclkit.dumps(once), AllWritten))
    if text.isascii():
        assert once.inner == inner


def test_secrets_are_not_read_by_text_that_was_data() -> None:
    """An escaped template stays one."""

    @dataclass
    class Text:
        name: str

    found = decode('name = "$${env.SECRET}"\n', Text)
    assert decode(hclkit.dumps(found), Text, variables={"env": {"SECRET": "s3"}}) == found == Text("${env.SECRET}")


def test_values_have_the_types_of_their_fields() -> None:
    """Or there is an error at each."""

    @dataclass
    class Numbered:
        number: Annotated[int, Label]

    @dataclass
    class Typed:
        name: str
        tags: list[str]
        ratio: float
        count: int
        block: list[Numbered]

    with pytest.raises(hclkit.HclError) as caught:
        decode('name = null\ntags = [null]\nratio = 1e400\ncount = 1.5\nblock "x" {}\nblock "2" {}\n', Typed)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [1, 2, 3, 4, 5]
    found = decode('name = "a"\ntags = []\nratio = 1\ncount = 1\nblock "2" {}\n', Typed)
    assert found.block == [Numbered(2)]

    @dataclass
    class Binary:
        data: list[bytes]

    with pytest.raises(hclkit.HclError, match="bytes"):
        source_of(Binary)


def test_errors_of_python_code_are_diagnostics() -> None:
    """All at once, each at its line, in the text, JSON and the list."""

    @dataclass
    class Port:
        port: int

        def __post_init__(self) -> None:
            if self.port < 0:
                raise ValueError("must be positive")

    @dataclass
    class Ports:
        first: Port
        other: list[Port]

    bad = "first {\n  port = -1\n}\nother {\n  port = 1\n}\nother {\n  port = -2\n}\n"
    with pytest.raises(hclkit.HclError) as caught:
        decode(bad, Ports)
    assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [1, 7]
    assert '"errors": 2' in caught.value.json() or '"errors":2' in caught.value.json()
    assert isinstance(caught.value.__cause__, ValueError)
