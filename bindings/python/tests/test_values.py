"""Values to Python and back."""

import dataclasses
import enum
from collections import OrderedDict
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hclkit
from hclkit import Context, Sensitive, Type, Unknown, Value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("true", True),
        ("12", 12),
        ("-0", 0),
        ("1e3", 1000),
        ("0.1", Decimal("0.1")),
        ("1 / 3 * 3", 1),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("2.50", Decimal("2.5")),
        ('"é\\n"', "é\n"),
        ("[1, [2, 3], {}]", [1, [2, 3], {}]),
        ('{ b = 1, a = "x" }', {"a": "x", "b": 1}),
    ],
)
def test_to_python(text: str, value: Any) -> None:
    """Numbers are exact."""
    found = hclkit.evaluate(text)
    assert found == value
    assert type(found) is type(value)


class Color(enum.IntEnum):
    """An integer with another text."""

    RED = 3


@dataclasses.dataclass
class Point:
    """A dataclass is an object."""

    x: int
    y: Decimal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**500, str(2**500)),
        (-(2**63), str(-(2**63))),
        (Decimal("0.1"), "0.1"),
        (Decimal("1E+3"), "1000"),
        (0.5, "0.5"),
        ((1, "x"), '[1, "x"]'),
        (Color.RED, "3"),
        (OrderedDict(b=1), "{ b = 1 }"),
        (MappingProxyType({"b": [None]}), "{ b = [null] }"),
        (Point(1, Decimal("2.5")), "{ x = 1, y = 2.5 }"),
    ],
)
def test_from_python(value: Any, text: str) -> None:
    """Numbers are exact, mappings and dataclasses are objects."""
    assert str(Value(value)) == text


@pytest.mark.parametrize(
    "value",
    [
        2**5000,
        2**600 + 1,
        Decimal("0." + "1" * 400),
        Decimal("1e999999"),
        Decimal("nan"),
        float("nan"),
        {1, "a", (1,)},
    ],
)
def test_lossy_values(value: Any) -> None:
    """What would lose digits is an error."""
    with pytest.raises(hclkit.HclError):
        Value(value)


@pytest.mark.parametrize("value", [object(), b"x", {1: 2}, 1j, Point, "\ud800"])
def test_other_objects(value: Any) -> None:
    """What is not a value is a type error."""
    with pytest.raises((TypeError, ValueError)):
        Value(value)


def test_cycles() -> None:
    """An object that contains itself is an error."""
    value: list[Any] = []
    value.append(value)
    with pytest.raises(hclkit.HclError):
        Value(value)
    with pytest.raises(hclkit.HclError):
        hclkit.dumps({"a": value})
    with pytest.raises(hclkit.HclError):
        hclkit.edit.edit("a = 1").set("a", value)
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(hclkit.HclError):
        Value(deep)


def test_infinity() -> None:
    """A division by zero has a value in HCL."""
    found = hclkit.evaluate("[1 / 0, -1 / 0]")
    assert found == [Decimal("inf"), Decimal("-inf")]
    assert Context({"x": [*found, float("inf")]}).evaluate("x") == [*found, Decimal("inf")]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**511), max_value=2**511)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4),
    max_leaves=20,
)


def normal(value: Any) -> Any:
    """Strings and keys in the normal form C, which HCL gives them."""
    import unicodedata

    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [normal(it) for it in value]
    if isinstance(value, dict):
        return {normal(name): normal(it) for name, it in value.items()}
    return value


@given(JSON)
def test_round_trip(value: Any) -> None:
    """What goes in comes out."""
    assert Context({"x": normal(value)}).evaluate("x") == normal(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=8))
def test_decimals(value: Decimal) -> None:
    """Decimals are exact."""
    assert Value(value).to_python() == value


def test_unknown() -> None:
    """Unknown values have a type and refinements."""
    unknown = Unknown(Type.STRING, not_null=True, prefix="ami-")
    assert isinstance(hclkit.evaluate('"${x}!"', {"x": unknown}), Unknown)
    found = hclkit.evaluate("x", {"x": unknown})
    assert isinstance(found, Unknown)
    assert (found.type, found.prefix, found.not_null) == (Type.STRING, "ami-", True)
    number = Unknown(Type.NUMBER, min=1, max=Decimal("2.5"))
    assert (number.min, number.max) == (1, Decimal("2.5"))
    assert hclkit.evaluate("x > 0", {"x": number}) is True
    assert isinstance(hclkit.evaluate("x > 2", {"x": number}), Unknown)
    items = Unknown(Type.list(Type.STRING), min_length=1, max_length=2)
    assert (items.min_length, items.max_length) == (1, 2)
    assert Unknown() == Unknown() and len({Unknown(), Unknown()}) == 1
    assert repr(Unknown(Type.BOOL)) == "Unknown(bool)"
    with pytest.raises(TypeError):
        bool(unknown)
    with pytest.raises(hclkit.HclError):
        Unknown(Type.STRING, min=1)


def test_sensitive() -> None:
    """Marks go from arguments to results, and nothing shows the value."""
    secret = Sensitive("hunter2")
    found = hclkit.evaluate('"${x}!"', {"x": secret})
    assert isinstance(found, Sensitive)
    assert found.value == "hunter2!"
    assert found.marks == ["sensitive"]
    assert "hunter2" not in f"{secret!r}{found}{Value(secret)!r}"
    assert Sensitive(1) == Sensitive(1) != Sensitive(1, ["other"])
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.evaluate("x.a", {"x": secret})
    assert "hunter2" not in str(caught.value)
    with pytest.raises(TypeError):
        bool(secret)


def test_types() -> None:
    """Types are objects."""
    ty = hclkit.parse_type("object({ a = list(string), b = optional(number) })")
    assert ty.kind == "object"
    assert ty.attributes == {"a": Type.list(Type.STRING), "b": Type.NUMBER}
    assert Type.list(Type.STRING).element == Type.STRING
    assert Type.tuple([Type.BOOL, Type.ANY]).elements == [Type.BOOL, Type.ANY]
    assert str(Type.map(Type.set(Type.NUMBER))) == "map(set(number))"
    assert len({Type.STRING, Type.STRING, Type.object({"a": Type.BOOL})}) == 2
    assert Value([1, 1, "2"], Type.set(Type.STRING)).to_python() == ["1", "2"]
    assert Value({"a": 1}).type == Type.object({"a": Type.NUMBER})
    with pytest.raises(hclkit.HclError):
        Value("x", Type.NUMBER)
    with pytest.raises(hclkit.HclError):
        hclkit.parse_type("strin")


def test_values_keep_their_type() -> None:
    """A value of an evaluation can be used in another one."""
    context = Context({"x": {"a": 1}}, functions="terraform")
    value = context.evaluate_value("toset([x.a])")
    assert str(value.type) == "set(number)"
    assert Context({"y": value}, functions="terraform").evaluate("contains(y, 1)") is True
