"""What is valid in a text with errors."""

from __future__ import annotations

import bisect
from collections.abc import Callable

from . import _hclkit
from ._errors import HclError
from ._hclkit import Attribute, Body, Diagnostic, Document, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ROUNDS = 20
"""How often a text is parsed again. What is left has errors that depend on one another."""


class Recovered(dict[str, "Any"]):
    """The valid part of a text: without the attributes, blocks and lines in :attr:`diagnostics`."""

    diagnostics: list[Diagnostic]

    def __init__(self, found: dict[str, Any], diagnostics: list[Diagnostic]) -> None:
        super().__init__(found)
        self.diagnostics = diagnostics


def recovered(
    text: str | bytes,
    read: Callable[[str | bytes], dict[str, Any]],
    *,
    name: str | None = None,
    syntax: str | None = None,
    limits: Limits | None = None,
) -> Recovered:
    """What is read of a text without what has errors, which becomes spaces: all else keeps its lines."""
    document = _parsed(text, name, syntax, limits)
    errors = [it for it in document.diagnostics if it.severity == "error"]
    if document.syntax == "json" and errors:
        # An object of JSON has no lines of its own.
        return Recovered({}, errors)
    for _ in range(_ROUNDS):
        try:
            return Recovered(read(document.text), errors)
        except HclError as error:
            found = error.diagnostics or document.diagnostics
            document = _parsed(_without(document, found), name, syntax, limits)
            errors = errors or list(found)
    return Recovered({}, errors)


def _parsed(text: str | bytes, name: str | None, syntax: Any, limits: Limits | None) -> Document:
    return _hclkit.parse(text, name=name, syntax=syntax, limits=limits)


def _without(document: Document, found: list[Diagnostic]) -> str:
    """The text with spaces where errors are: in their attributes, or else in their lines."""
    text = document.text.encode()
    starts = [0, *(at + 1 for at, byte in enumerate(text) if byte == 0x0A)]
    broken = [it.range for it in found if it.severity == "error" and it.range]
    out = bytearray(text)
    spans = [(it.range.start.byte, it.range.end.byte) for it in _attributes(document.body)]
    spans.sort()
    before = [start for start, _ in spans]
    for place in broken:
        start, end = place.start.byte, place.end.byte
        at = bisect.bisect_right(before, start) - 1
        if at >= 0 and start <= spans[at][1]:
            start, end = spans[at][0], max(end, spans[at][1])
        line = starts[bisect.bisect_right(starts, min(start, len(text))) - 1]
        last = text.find(b"\n", max(end - 1, start))
        _blank(out, line, len(text) if last < 0 else last)
    return out.decode()


def _blank(out: bytearray, start: int, end: int) -> None:
    for at in range(start, end):
        # Braces stay, unless they are all that the line has.
        if out[at] not in b"\r\n":
            out[at] = 0x20


def _attributes(body: Body) -> list[Attribute]:
    found: list[Attribute] = []
    pending = [body]
    while pending:
        for item in pending.pop():
            if isinstance(item, Attribute):
                found.append(item)
            else:
                pending.append(item.body)
    return found
