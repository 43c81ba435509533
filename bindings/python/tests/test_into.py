"""Configurations as dataclasses."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any

import pytest

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
    assert type(found.service[0].limits.cpu) is float
    json = hclkit.parse('{"title": "x", "zone": {"a": {"hosts": []}}}', syntax="json")
    assert decode(json, Config) == Config("x", zone={"a": Zone(set())})


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

    @dataclass
    class Other:
        a: complex

    for cls in [Nullable, Other, int]:
        with pytest.raises(hclkit.HclError):
            source_of(cls)
