"""Pickling, copies, and other processes."""

import copy
import dataclasses
import json
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

import hclkit
from hclkit import edit
from hclkit.spec import Spec

DOCUMENT = hclkit.parse('a = "${b}" # c\nblock "x" {\n  d = 1\n}\n', name="a.hcl")


def error_of(text: str) -> hclkit.HclError:
    with pytest.raises(hclkit.HclError) as caught:
        hclkit.loads(text, name="x.tf")
    return caught.value


UNKNOWN = hclkit.evaluate('"${name}-1"', {"name": hclkit.Unknown(hclkit.Type.STRING)})
VALUES: list[Any] = [
    DOCUMENT.body["a"].range,
    DOCUMENT.body["a"].range.start,
    *error_of("a =\nb = [1\nc = 'x'\n").diagnostics,
    hclkit.parse("x = [1\n").diagnostics[0],
    *[hclkit.parse_type(it) for it in ("any", "list(string)", 'object({a = set(number)})', "tuple([bool, any])")],
    hclkit.Type.object({"a b": hclkit.Type.map(hclkit.Type.ANY)}),
    UNKNOWN,
    hclkit.Unknown(),
    hclkit.Unknown(hclkit.Type.STRING, not_null=True, prefix="web-"),
    hclkit.Unknown(hclkit.Type.NUMBER, min=Decimal("0.5"), max=9),
    hclkit.Unknown(hclkit.Type.list(hclkit.Type.STRING), min_length=1, max_length=3),
    hclkit.Sensitive({"a": [1]}),
    hclkit.Sensitive("x", ["own"]),
    hclkit.Value([1, "a", None, {"b": Decimal("0.1")}]),
    hclkit.Value(["a", "b"], hclkit.Type.set(hclkit.Type.STRING)),
    hclkit.Value(None, hclkit.Type.STRING),
    hclkit.Value({"a": hclkit.Sensitive(1), "b": UNKNOWN, "c": 2**500}),
    edit.Raw("var.x"),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_are_equal_afterwards(value: Any) -> None:
    """Whatever the protocol is."""
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.copy(value) == value and copy.deepcopy(value) == value
    assert copy.deepcopy([value]) == [value]


def test_diagnostics_are_rendered_the_same() -> None:
    """With their source, fixes and related places."""
    for error in (error_of("a = 'x'\nb = [1\n"), error_of("a = 1\na = 2\n")):
        found = pickle.loads(pickle.dumps(error))
        assert type(found) is hclkit.HclError and str(found) == str(error)
        assert found.diagnostics == error.diagnostics and found.diagnostics
        for one, other in zip(found.diagnostics, error.diagnostics, strict=True):
            assert one.render() == other.render() and (one.fix, one.related, one.range) == (other.fix, other.related, other.range)
        assert found.sarif() == error.sarif() and found.json() == error.json()
    # The source is there once.
    text = "".join(f"x{at} = 'y'\n" for at in range(100)) + "#" + "z" * 100_000
    assert len(pickle.dumps(error_of(text))) < 300_000
    with pytest.raises(hclkit.LimitError) as caught:
        hclkit.evaluate("[for i in range(1000): i]", functions="terraform", limits=hclkit.Limits(elements=10))
    found = copy.copy(caught.value)
    assert type(found) is hclkit.LimitError and found.diagnostics == caught.value.diagnostics


def test_documents() -> None:
    """They are parsed again. Their parts are copied, but not pickled."""
    for document in (DOCUMENT, hclkit.parse('{"a": 1}', name="a.json"), hclkit.parse("a = [\n")):
        found = pickle.loads(pickle.dumps(document))
        assert (found.text, found.name, found.syntax) == (document.text, document.name, document.syntax)
        assert found.diagnostics == document.diagnostics
    part = DOCUMENT.body["a"]
    assert copy.deepcopy(part) is part and copy.copy(DOCUMENT.body) is not None
    assert copy.deepcopy({"block": DOCUMENT.body.blocks("block")[0]})["block"].labels == ["x"]
    with pytest.raises(TypeError):
        pickle.dumps(part)


def test_limits_and_specs() -> None:
    """They do the same."""
    limits = pickle.loads(pickle.dumps(hclkit.Limits(elements=10, timeout=2.5)))
    with pytest.raises(hclkit.LimitError):
        hclkit.evaluate("[for i in range(1000): i]", functions="terraform", limits=limits)
    assert repr(copy.copy(hclkit.Limits.trusted())) == repr(hclkit.Limits.trusted())
    spec = pickle.loads(pickle.dumps(Spec('attr {\n  name = "a"\n  type = number\n}\n')))
    assert type(spec) is Spec and spec.decode("a = 3\n") == 3


@dataclasses.dataclass
class Config:
    password: Any


def test_dataclasses_with_values() -> None:
    """``asdict`` copies what is in them."""
    found = hclkit.decode("password = p\n", Config, variables={"p": hclkit.Sensitive("x")})
    assert dataclasses.asdict(found) == {"password": hclkit.Sensitive("x")}
    assert copy.deepcopy(found) == found == pickle.loads(pickle.dumps(found))


def work(text: str) -> Any:
    return hclkit.parse(text).check(), hclkit.evaluate("x", {"x": UNKNOWN}), hclkit.loads(text)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_process_pools(method: str) -> None:
    """Results and errors come back."""
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        document, unknown, data = pool.submit(work, "a = 1\n").result()
        assert (document.text, unknown, data) == ("a = 1\n", UNKNOWN, {"a": 1})
        with pytest.raises(hclkit.HclError) as caught:
            pool.submit(work, "a =\n").result()
        assert [it.range.start.line for it in caught.value.diagnostics if it.range] == [1]


def test_json() -> None:
    """Numbers keep their digits, or become floats."""
    text = "a = 0.10\nb = 1e400\nc = 123456789012345678901234567890\n"
    assert json.dumps(hclkit.loads("a = 0.1\n", parse_float=float)) == '{"a": 0.1}'
    assert hclkit.to_json(hclkit.loads(text)) == '{"a":0.10,"b":1E+400,"c":123456789012345678901234567890}'
    assert json.loads(hclkit.to_json(hclkit.loads(text)), parse_float=Decimal) == hclkit.loads(text)
    assert hclkit.to_json({"a": [None, True]}, is_pretty=True) == '{\n  "a": [\n    null,\n    true\n  ]\n}'
    with pytest.raises(TypeError):
        hclkit.to_json({"a": hclkit.Sensitive("x")})
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(hclkit.HclError):
        hclkit.to_json(loop)


def test_recovery() -> None:
    """What is valid is kept, and the errors are listed."""
    text = 'a = 1\nb = [1,\n  ?\n]\nblock "x" {\n  c = 2\n  d = "\n  e = 3\n}\n*** nonsense\nlast = true\n'
    found = hclkit.loads(text, recover=True)
    assert isinstance(found, hclkit.Recovered) and found.diagnostics
    assert found["a"] == 1 and found["last"] is True and found["block"]["x"][0]["c"] == 2
    assert {it.range.start.line for it in found.diagnostics if it.range} <= {2, 3, 4, 7, 8, 10}
    clean = hclkit.loads("a = 1\n", recover=True)
    assert clean == {"a": 1} and isinstance(clean, hclkit.Recovered) and not clean.diagnostics
