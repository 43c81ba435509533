"""Source text from the dictionaries of python-hcl2 8."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from .. import _hclkit

_IS_BLOCK = "__is_block__"
_DEEPEST = 200


def source_of(data: Mapping[str, Any]) -> str:
    """Return a dictionary as formatted source text."""
    # A copy, which code that is called later cannot change.
    plain = _hclkit.expanded(data, _DEEPEST)
    if not isinstance(plain, dict):
        raise TypeError("a configuration is a mapping")
    text = "".join(_body(plain))
    return _hclkit.format(_hclkit.parse(text).check().text)


def _body(data: Mapping[str, Any]) -> Iterator[str]:
    blocks = []
    for name, value in data.items():
        if name.startswith("__") and name.endswith("__"):
            continue
        if isinstance(value, list) and value and all(_is_block(it) for it in value):
            blocks.append((name, value))
        else:
            yield f"{name} = {_expression(value)}\n"
    for name, value in blocks:
        for block in value:
            labels = []
            while _IS_BLOCK not in block:
                [(label, block)] = block.items()
                labels.append(label)
            content = "".join(_body(block))
            yield f"\n{' '.join([name, *labels])} {{\n{content}}}\n"


def _is_block(value: Any) -> bool:
    for _ in range(_DEEPEST):
        if not isinstance(value, Mapping):
            return False
        if _IS_BLOCK in value:
            return True
        if len(value) != 1:
            return False
        [value] = value.values()
    return False


def _expression(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        items = [
            f"{_key(name)} = {_expression(it)}\n"
            for name, it in value.items()
            if not (name.startswith("__") and name.endswith("__"))
        ]
        return "{\n" + "".join(items) + "}" if items else "{}"
    if isinstance(value, list):
        return "[" + ",\n".join(_expression(it) for it in value) + "]"
    if isinstance(value, float) and math.isfinite(value):
        # Without an exponent, which would make it an expression.
        digits = format(Decimal(float.__repr__(value)), "f")
        return digits if "." in digits else f"{digits}.0"
    return str(_hclkit.Value(value))


def _string(value: str) -> str:
    if value.startswith('"<<') and value.endswith('"'):
        return value[1:-1] + "\n"
    if value.startswith("${") and value.endswith("}"):
        return value[2:-1]
    return value


def _key(name: str) -> str:
    return _string(name)
