"""Source text from the dictionaries of python-hcl2 7, in the layout of that package. Blocks are dictionaries with their lines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from .. import _hclkit
from .._errors import HclError
from .._hclkit import parse_expression
from ._errors import parsed

LINES = ("__start_line__", "__end_line__")
_DEEPEST = 200
_WORD = re.compile(r"[^\W\d][\w-]*")


def source_of(data: Mapping[str, Any]) -> str:
    """Return a dictionary as source text."""
    plain = _hclkit.expanded(data, _DEEPEST)
    if not isinstance(plain, dict):
        raise TypeError("a configuration is a mapping")
    return parsed("".join(_body(plain, 0))).text


def _is_block(value: Any) -> bool:
    for _ in range(_DEEPEST):
        if not isinstance(value, Mapping):
            return False
        if any(name in value for name in LINES):
            return True
        if len(value) != 1:
            return False
        [value] = value.values()
    return False


def _body(data: Mapping[str, Any], indent: int) -> Iterator[str]:
    pad, after_block = "  " * indent, False
    for name, value in data.items():
        if name in LINES:
            continue
        if isinstance(value, list) and value and all(map(_is_block, value)):
            for block in value:
                yield "\n" if after_block else ""
                yield from _block(name, block, indent)
                after_block = True
        else:
            yield "\n" if after_block else ""
            yield f"{pad}{name} = {_value(value, indent)}\n"
            after_block = False


def _block(name: str, block: Mapping[str, Any], indent: int) -> Iterator[str]:
    head = [name]
    while not any(it in block for it in LINES):
        [(label, block)] = block.items()
        head.append(_quoted(label))
    content = "".join(_body(block, indent + 1))
    pad = "  " * indent
    yield f"{pad}{' '.join(head)} {{\n{content}{pad}}}\n" if content else f"{pad}{' '.join(head)} {{}}\n"


def _value(value: Any, indent: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(it, indent) for it in value)}]"
    if isinstance(value, Mapping):
        pad = "  " * (indent + 1)
        items = [f"{pad}{_key(name)} = {_value(it, indent + 1)}\n" for name, it in value.items() if name not in LINES]
        return f"{{\n{''.join(items)}{'  ' * indent}}}" if items else "{}"
    if isinstance(value, float) and math.isfinite(value):
        digits = format(Decimal(float.__repr__(value)), "f")
        return digits if "." in digits else f"{digits}.0"
    return str(_hclkit.Value(value))


def _key(name: str) -> str:
    return name if _WORD.fullmatch(name) else f"({name[2:-1]})" if _is_expression(name) else _quoted(name)


def _text(value: str) -> str:
    return value[2:-1] if _is_expression(value) else _quoted(value)


def _is_expression(value: str) -> bool:
    """Whether a text is one interpolation."""
    if not (value.startswith("${") and value.endswith("}")):
        return False
    try:
        parse_expression(value[2:-1])
    except HclError:
        return False
    return True


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quoted(text: str) -> str:
    """A template in quotes. What is in its interpolations stays as it is."""
    out, at = [], 0
    while at < len(text):
        if text.startswith(("$${", "%%{"), at):
            out.append(text[at : at + 3])
            at += 3
        elif text.startswith(("${", "%{"), at):
            end = _end(text, at + 2)
            out.append(text[at:end])
            at = end
        else:
            out.append(_ESCAPES.get(text[at], text[at]))
            at += 1
    return f'"{"".join(out)}"'


def _end(text: str, at: int) -> int:
    """Where the interpolation ends whose content is at an offset: its strings may have interpolations themselves."""
    # What encloses the text at the offset: braces, and strings.
    outer = ["}"]
    while at < len(text) and outer:
        if outer[-1] == '"':
            if text[at] == "\\" or text.startswith(("$${", "%%{"), at):
                at += 2 if text[at] == "\\" else 3
                continue
            if text.startswith(("${", "%{"), at):
                outer.append("}")
                at += 2
                continue
            if text[at] == '"':
                outer.pop()
        elif text[at] in '{"':
            outer.append("}" if text[at] == "{" else '"')
        elif text[at] == "}":
            outer.pop()
        at += 1
    return at
