"""Source text from the dictionaries of python-hcl2 8, in the layout of that package. What it writes and HCL does not read is different: a
heredoc in a list or an object ends before the comma."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from .. import _hclkit
from .._errors import HclError
from .._hclkit import Expression, parse_expression
from ._errors import parsed
from ._options import DeserializerOptions, FormatterOptions

_IS_BLOCK = "__is_block__"
_DEEPEST = 200


def source_of(
    data: Mapping[str, Any], options: DeserializerOptions | None = None, layout: FormatterOptions | None = None
) -> str:
    """Return a dictionary as source text."""
    # A copy, which code that is called later cannot change.
    plain = _hclkit.expanded(data, _DEEPEST)
    if not isinstance(plain, dict):
        raise TypeError("a configuration is a mapping")
    writer = _Writer(options or DeserializerOptions(), layout or FormatterOptions())
    return parsed("".join(writer.body(plain, 0))).text


def _is_data(name: str) -> bool:
    """Whether a key is not one that the package adds."""
    return not (name.startswith("__") and name.endswith("__"))


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


class _Writer:
    def __init__(self, options: DeserializerOptions, layout: FormatterOptions) -> None:
        self.options = options
        self.layout = layout

    def body(self, data: Mapping[str, Any], indent: int) -> Iterator[str]:
        """The lines of a body. `indent` is 0 for the file, whose attributes are not aligned."""
        pad = " " * indent
        before = ""
        group: list[tuple[str, Any]] = []
        for name, value in data.items():
            if not _is_data(name):
                continue
            if not (isinstance(value, list) and value and all(map(_is_block, value))):
                if before == "block":
                    yield "\n"
                group.append((name, value))
                before = "attribute"
                continue
            yield from self.attributes(group, indent)
            group = []
            for block in value:
                # The package indents empty lines before blocks, too.
                yield {"": "", "attribute": f"{pad}\n", "block": f"{pad}\n\n"}[before]
                yield from self.block(name, block, indent)
                before = "block"
        yield from self.attributes(group, indent)

    def attributes(self, group: list[tuple[str, Any]], indent: int) -> Iterator[str]:
        is_aligned = self.layout.vertically_align_attributes and indent > 0
        width = max((len(name) for name, _ in group), default=0) if is_aligned else 0
        for name, value in group:
            yield f"{' ' * indent}{name.ljust(width)} = {self.value(value, indent)}\n"

    def block(self, name: str, block: Mapping[str, Any], indent: int) -> Iterator[str]:
        head = [name]
        while _IS_BLOCK not in block:
            [(label, block)] = block.items()
            head.append(label)
        content = "".join(self.body(block, indent + self.layout.indent_length))
        if not content and not self.layout.open_empty_blocks:
            yield f"{' ' * indent}{' '.join(head)} {{}}\n"
        else:
            yield f"{' ' * indent}{' '.join(head)} {{\n{content or chr(10)}{' ' * indent}}}\n"

    def value(self, value: Any, indent: int) -> str:
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return self.text(value, indent)
        if isinstance(value, Mapping):
            items = [(self.key(name), self.value(it, indent + self.layout.indent_length)) for name, it in value.items() if _is_data(name)]
            return self.in_braces(items, indent, is_data=True)
        if isinstance(value, list):
            elements = [self.value(it, indent + self.layout.indent_length) for it in value]
            return self.in_brackets(elements, indent, is_closed=True)
        if isinstance(value, float) and math.isfinite(value):
            # Without an exponent, which would make it an expression.
            digits = format(Decimal(float.__repr__(value)), "f")
            return digits if "." in digits else f"{digits}.0"
        return str(_hclkit.Value(value))

    def in_brackets(self, elements: list[str], indent: int, *, is_closed: bool) -> str:
        pad, inner = " " * indent, " " * (indent + self.layout.indent_length)
        if not elements:
            return f"[\n\n{pad}]" if self.layout.open_empty_tuples else "[]"
        last = len(elements) - 1
        lines = []
        for at, it in enumerate(elements):
            comma = "," if is_closed or at < last else ""
            # The line that ends a heredoc has nothing else.
            lines.append(f"{inner}{it}\n{inner}{comma}\n" if _ends_heredoc(it) and comma else f"{inner}{it}{comma}\n")
        return f"[\n{''.join(lines)}{pad}]"

    def in_braces(self, items: list[tuple[str, str]], indent: int, *, is_data: bool) -> str:
        """An object: one of data has the signs and commas of the options, one in an expression those of the language."""
        pad, inner = " " * indent, " " * (indent + self.layout.indent_length)
        if not items:
            return f"{{\n\n{pad}}}" if self.layout.open_empty_objects else "{}"
        width = max(len(name) for name, _ in items) if self.layout.vertically_align_object_elements else 0
        sign = ":" if is_data and self.options.object_elements_colon else "="
        last, lines = len(items) - 1, []
        for at, (name, it) in enumerate(items):
            has_comma = self.options.object_elements_trailing_comma if is_data else at < last
            comma = "" if _ends_heredoc(it) or not has_comma else ","
            lines.append(f"{inner}{name.ljust(width)} {sign} {it}{comma}\n")
        return f"{{\n{''.join(lines)}{pad}}}"

    def key(self, name: str) -> str:
        return name[2:-1] if name.startswith("${") and name.endswith("}") else name

    def text(self, value: str, indent: int) -> str:
        if value.startswith('"<<') and value.endswith('"'):
            return _quoted(value[1:-1]) if self.options.heredocs_to_strings else value[1:-1]
        if value.startswith('"') and self.options.strings_to_heredocs and "\\n" in value:
            return _heredoc(value)
        if not (value.startswith("${") and value.endswith("}")):
            return value
        value = value[2:-1]
        if not any(it in value for it in "[{("):
            return value
        try:
            return self.expression(parse_expression(value), indent)
        except HclError:
            # Whoever reads the whole text reports it.
            return value

    def expression(self, expression: Expression, indent: int) -> str:
        """An expression, whose lists, objects and `for` expressions are on lines of their own, unless they are operands."""
        text, parts = expression.text, expression.parts
        if re.match(r"[\[{]\s*for\b", text):
            return self.comprehension(text, parts, expression, indent)
        inner = indent + self.layout.indent_length
        if text.startswith("[") and text.endswith("]") and _spans(expression, "[", "]"):
            return self.in_brackets([self.expression(it, inner) for it in parts], indent, is_closed=False)
        if text.startswith("{") and text.endswith("}"):
            return self.items(expression, indent)
        if text.startswith("(") and len(parts) == 1 and text == f"({parts[0].text})":
            return f"({self.expression(parts[0], indent)})"
        call = re.match(r"[^\W\d][\w:.-]*\(", text)
        if call and parts and _arguments(expression, call.end()):
            spread = text[:-1].rstrip().endswith("...")
            arguments = ", ".join(self.expression(it, indent) for it in parts)
            return f"{call.group()}{arguments}{' ... ' if spread else ''})"
        return text

    def items(self, expression: Expression, indent: int) -> str:
        """An object in an expression. Its keys that are names are no parts."""
        source, found, at = expression.text.encode(), [], 1
        start = expression.range.start.byte
        inner = indent + self.layout.indent_length
        parts = iter(expression.parts)
        for value in parts:
            before = source[at : value.range.start.byte - start].decode().strip(" ,\n")
            if not before.endswith(("=", ":")):
                # A key that is an expression.
                value = next(parts)
                before = source[at : value.range.start.byte - start].decode().strip(" ,\n")
            found.append((before.rstrip("=: "), self.expression(value, inner)))
            at = value.range.end.byte - start
        return self.in_braces(found, indent, is_data=False)

    def comprehension(self, text: str, parts: list[Expression], expression: Expression, indent: int) -> str:
        inner = indent + self.layout.indent_length
        pad, source, start = " " * inner, text.encode(), expression.range.start.byte
        head = source[1 : parts[0].range.start.byte - start].decode().strip()
        is_object = text.startswith("{")
        lines = [f"{head} {self.expression(parts[0], inner)} :"]
        values = [self.expression(it, inner) for it in parts[1 : 3 if is_object else 2]]
        rest = parts[3 if is_object else 2 :]
        after = source[parts[2 if is_object else 1].range.end.byte - start :].decode().lstrip()
        lines.append(" => ".join(values) + (" ..." if after.startswith("...") else ""))
        lines += [f"if {it.text}" for it in rest]
        return f"{text[0]}\n" + "".join(f"{pad}{line}\n" for line in lines) + f"{' ' * indent}{text[-1]}"


def _ends_heredoc(text: str) -> bool:
    first, _, _ = text.partition("\n")
    return first.startswith("<<") and "\n" in text


def _spans(expression: Expression, opening: str, closing: str) -> bool:
    """Whether nothing but the parts of a list are between its brackets."""
    return _rest(expression, len(opening)) == ""


def _arguments(expression: Expression, start: int) -> bool:
    """Whether an expression is a call, and nothing follows it."""
    return _rest(expression, start) == "" and expression.text.endswith(")")


def _rest(expression: Expression, start: int) -> str:
    """What is between the parts of an expression, from an offset up to its last character, without what separates them."""
    source, first = expression.text.encode(), expression.range.start.byte
    at, rest = start, b""
    for part in expression.parts:
        rest += source[at : part.range.start.byte - first]
        at = part.range.end.byte - first
    rest += source[at:-1]
    return rest.decode().replace("...", "").strip(" ,\n")


def _quoted(heredoc: str) -> str:
    """The string with the text of a heredoc."""
    if "${" in heredoc or "%{" in heredoc:
        raise HclError("heredocs_to_strings: a heredoc with templates cannot be written as a string")
    value = parse_expression(f"{heredoc}\n").evaluate()
    return str(_hclkit.Value(value))


_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def _heredoc(value: str) -> str:
    """The heredoc with the text of a string."""

    def plain(found: re.Match[str]) -> str:
        code = found.group(1)
        return _ESCAPES[code] if code in _ESCAPES else chr(int(code[1:], 16))

    text = re.sub(r'\\([nrt"\\]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})', plain, value[1:-1])
    lines, marker = text.removesuffix("\n").split("\n"), "EOF"
    while any(line.strip() == marker for line in lines):
        marker += "_"
    return "\n".join([f"<<{marker}", *lines, marker])
