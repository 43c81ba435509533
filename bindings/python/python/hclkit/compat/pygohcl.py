"""What ``pygohcl`` does.

>>> from hclkit.compat import pygohcl
>>> pygohcl.loads('variable "a" {\\n  default = [1, x]\\n  type = list(number)\\n}\\n')
{'variable': {'a': {'default': [1, 'x'], 'type': 'list(number)'}}}

Its exceptions are :class:`hclkit.HclError` as well, with diagnostics. ``install()`` puts this module under the name ``pygohcl``.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import IO, Any

from .. import _hclkit
from .._context import evaluate, render
from .._errors import HclError, LimitError
from .._hclkit import Attribute, Diagnostic, Limits, parse
from . import Installed

__all__ = [
    "HCLInternalError",
    "HCLParseError",
    "UnknownFunctionError",
    "ValidationError",
    "attributes_load",
    "attributes_loadb",
    "attributes_loads",
    "eval_var_condition",
    "install",
    "load",
    "loadb",
    "loads",
]


class HCLParseError(HclError):
    """A text is not HCL, or not what is expected."""


class HCLInternalError(HclError):
    """A text is HCL, but has no dictionary."""


class ValidationError(HclError):
    """A condition is false, or cannot be evaluated."""


class UnknownFunctionError(ValidationError):
    """A condition calls a function that is not known."""


def loadb(data: bytes, keep_interpolations: bool = False, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return text as a dictionary. ``keep_interpolations`` keeps ``${`` and ``}`` around expressions in strings."""
    try:
        return _hclkit.loads_gohcl(data, keep_interpolations, limits)
    except LimitError:
        raise
    except HclError as error:
        is_null = any(it.message == "value is null" for it in error.diagnostics)
        kind, start = (HCLInternalError, "panic HCL") if is_null else (HCLParseError, "invalid HCL")
        raise kind(f"{start}: {error}", error.diagnostics) from None


def loads(data: str, keep_interpolations: bool = False, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return text as a dictionary."""
    return loadb(data.encode(), keep_interpolations, limits=limits)


def load(stream: IO[bytes] | IO[str], keep_interpolations: bool = False, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return an open file as a dictionary."""
    text = stream.read()
    return loadb(text.encode() if isinstance(text, str) else text, keep_interpolations, limits=limits)


def attributes_loadb(data: bytes, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return the values of attributes, which are constants. Raises :class:`HCLParseError` for blocks, variables and functions.

    >>> attributes_loads('key = "value"\\nother = [1, false]\\n')
    {'key': 'value', 'other': [1, False]}
    """
    document = parse(data, syntax="native", limits=limits)
    if document.has_errors:
        raise HCLParseError("invalid HCL: " + _joined(document.diagnostics), document.diagnostics)
    lines: list[str] = []
    found: list[Diagnostic] = []
    values: dict[str, Any] = {}
    for item in document.body:
        if not isinstance(item, Attribute):
            lines.append(f"{_place(item.definition_range)}: Unexpected {item.type!r} block; Blocks are not allowed here.")
        elif item.expression.references:
            lines.append(f"{_place(item.expression.range)}: Variables not allowed; Variables may not be used here.")
        else:
            try:
                values[item.name] = _plain(item.expression.evaluate(limits=limits))
            except LimitError:
                raise
            except HclError as error:
                lines.append(_joined(error.diagnostics))
                found += error.diagnostics
    if lines:
        raise HCLParseError("\n".join(lines), found)
    return values


def attributes_loads(data: str, *, limits: Limits | None = None) -> dict[str, Any]:
    """Return the values of attributes. See :func:`attributes_loadb`."""
    return attributes_loadb(data.encode(), limits=limits)


def attributes_load(stream: IO[bytes] | IO[str], *, limits: Limits | None = None) -> dict[str, Any]:
    """Return the values of attributes of an open file. See :func:`attributes_loadb`."""
    text = stream.read()
    return attributes_loadb(text.encode() if isinstance(text, str) else text, limits=limits)


def eval_var_condition(
    condition: str, error_message: str, variable_name: str, variable_value: str, *, limits: Limits | None = None
) -> None:
    """Evaluate the condition of a ``validation`` block with the functions of Terraform that need nothing but their arguments.

    >>> eval_var_condition("var.count < 3", "not ${var.count}", "count", "5")
    Traceback (most recent call last):
        ...
    hclkit.compat.pygohcl.ValidationError: not 5

    Raises :class:`ValidationError` if it is not true, and :class:`UnknownFunctionError` for other functions.
    """
    variables = {"var": {variable_name: _value(variable_value)}}
    try:
        result = evaluate(condition, variables, functions="terraform", limits=limits)
    except LimitError:
        raise
    except HclError as error:
        text = f"cannot process condition expression: {_joined(error.diagnostics)}"
        if any(it.code == "unknown-function" for it in error.diagnostics):
            # As the package words it, because users look for the name.
            raise UnknownFunctionError(text.replace("`", '"'), error.diagnostics) from None
        raise ValidationError(text, error.diagnostics) from None
    if not isinstance(result, bool):
        raise ValidationError(f"condition expression result {'is null' if result is None else 'must be bool'}")
    if not result:
        try:
            message = render(error_message, variables, functions="terraform", limits=limits)
        except LimitError:
            raise
        except HclError as error:
            raise ValidationError("cannot process error message expression", error.diagnostics) from None
        raise ValidationError(str(message))


def _value(text: str) -> Any:
    """The value of a variable: that of an expression without variables, or else the text."""
    try:
        return evaluate(text)
    except HclError:
        return text


def _plain(value: Any) -> Any:
    """Data as JSON has it."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_plain(it) for it in value]
    return {name: _plain(it) for name, it in value.items()} if isinstance(value, dict) else value


def _place(place: _hclkit.Range) -> str:
    start, end = place.start, place.end
    until = f"{end.column}" if start.line == end.line else f"{end.line},{end.column}"
    return f"tmp.hcl:{start.line},{start.column}-{until}"


def _joined(diagnostics: list[Diagnostic]) -> str:
    return "\n".join(f"{_place(it.range) if it.range else 'tmp.hcl'}: {it.message}; {it.note}" for it in diagnostics)


def install() -> Installed:
    """Put this module under the name ``pygohcl``."""
    return Installed(sys.modules[__name__], name="pygohcl")
