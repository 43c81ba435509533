"""Objects that no one should write, for fuzz.py: they raise, lie, contain themselves or change while they are read."""

import dataclasses
import enum
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any

import hclkit


class Thrown(Exception):
    """What callables and objects of this program raise."""


class Stop(BaseException):
    """What ends a program, as `KeyboardInterrupt` does."""


class Level(enum.IntEnum):
    HIGH = 3


class OddInt(int):
    def __repr__(self) -> str:
        return "} ${"

    def __index__(self) -> int:
        raise Thrown("index")

    def bit_length(self) -> int:
        raise Thrown("bits")


class OddFloat(float):
    def __repr__(self) -> str:
        return '"'

    __str__ = __repr__


class OddDecimal(Decimal):
    def __str__(self) -> str:
        return "{"

    def adjusted(self) -> int:
        raise Thrown("adjusted")


class OddText(str):
    def __str__(self) -> str:
        raise Thrown("text")

    def __hash__(self) -> int:
        return hash(str.__str__(self))


@dataclasses.dataclass
class Port:
    number: Any = 80


@dataclasses.dataclass
class Server:
    name: str = ""
    ports: list[Port] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Wide:
    a: Any = None
    b: dict[str, Port] = dataclasses.field(default_factory=dict)
    c: tuple[int, ...] = ()
    d: set[str] | None = None


@dataclasses.dataclass
class Named:
    name: Annotated[str, hclkit.spec.Label]
    e: Any


class Box:
    """An object of a class of this program."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner


class Mapped(Mapping[str, Any]):
    """A mapping that raises, lies, or returns what no mapping has."""

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def __getitem__(self, name: str) -> Any:
        if self.kind == 0:
            raise Thrown("item")
        return self if self.kind == 1 else name

    def __iter__(self) -> Iterator[Any]:
        if self.kind == 2:
            raise Thrown("iter")
        return iter([1, 2] if self.kind == 3 else ["a", "b"])

    def __len__(self) -> int:
        return 10**9 if self.kind == 4 else 2

    def items(self) -> Any:
        return [("a",), 5] if self.kind == 5 else super().items()


class Changing(Mapping[str, Any]):
    """A mapping inside of a list, a dictionary or a set, which it changes when it is read."""

    kind: int
    outer: Any

    def __new__(cls, kind: int, container: type[Any]) -> Any:
        self = super().__new__(cls)
        self.kind = kind
        many = [str(number) for number in range(40)]
        if container is dict:
            self.outer = {"a": self} | dict.fromkeys(many)
        elif container is set:
            # In a tuple, because only hashable objects are elements of sets.
            self.outer = {(self,)} | set(many)
        else:
            self.outer = [self, *many]
        return self.outer

    def items(self) -> Any:
        if self.kind == 0:
            self.outer.clear()
        elif isinstance(self.outer, dict):
            self.outer[f"new{len(self.outer)}"] = 1
            self.outer.pop("b", None)
        elif isinstance(self.outer, set):
            self.outer.add(len(self.outer))
        elif len(self.outer) < 1_000:
            self.outer.extend([self, 1] if self.kind == 1 else [1])
        return []

    def __getitem__(self, name: str) -> Any:
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return self is other


def raising(error: BaseException) -> Callable[..., Any]:
    def function(*arguments: Any) -> Any:
        raise error

    return function


def cyclic(kind: int) -> Any:
    """An object that contains itself."""
    if kind == 0:
        items: list[Any] = [1]
        items.append(items)
        return items
    if kind == 1:
        mapping: dict[str, Any] = {"a": 1}
        mapping["b"] = [mapping]
        return mapping
    if kind == 2:
        inner: list[Any] = []
        sensitive = hclkit.Sensitive(inner)
        inner.append(sensitive)
        return sensitive
    port = Port()
    port.number = {"a": [port]}
    return port


SHARED: dict[str, Callable[[Any], Any]] = {
    "list": lambda it: [it, it],
    "tuple": lambda it: (it, it),
    "dict": lambda it: {"a": it, "b": it},
    "mapping": lambda it: MappingProxyType({"a": it, "b": it}),
    "sensitive": lambda it: [hclkit.Sensitive(it), it],
    "dataclass": lambda it: Wide(it, {"a": Port(it)}),
    "value": lambda it: hclkit.Value([it, it]),
    "object value": lambda it: hclkit.Value({"a": it, "b": it}),
    "list value": lambda it: hclkit.Value([it, it]).convert(hclkit.Type.list(hclkit.Type.ANY)),
    "map value": lambda it: hclkit.Value({"a": it, "b": it}).convert(hclkit.Type.map(hclkit.Type.ANY)),
}
"""How an object is in another one twice."""


def shared(kind: str, levels: int) -> Any:
    """An object that takes little memory, but is endless when it is written in full."""
    made: Any = [1]
    for _ in range(levels):
        made = SHARED[kind](made)
    return made
