"""The errors of the replacements: those of this package, which are errors of Lark as well, where it is installed, so that code catches them
as it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .. import _hclkit
from .._errors import HclError
from .._hclkit import Document

T = TypeVar("T")

try:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    class ParseError(HclError, UnexpectedToken, UnexpectedCharacters):  # type: ignore[misc, unused-ignore]
        """A text is not HCL."""

        def __init__(self, message: str, diagnostics: Any = ()) -> None:
            HclError.__init__(self, message, diagnostics)
            places = (it.range.start for it in self.diagnostics if it.range)
            place = next(places, None)
            self.line: int = place.line if place else -1
            self.column: int = place.column if place else -1
            self.pos_in_stream: int | None = place.byte if place else None  # type: ignore[assignment, unused-ignore]

        def __str__(self) -> str:
            return HclError.__str__(self)

except ImportError:

    class ParseError(HclError):  # type: ignore[no-redef]
        """A text is not HCL."""


def translated(work: Callable[[], T]) -> T:
    """Do work whose errors are those of the package that is replaced."""
    try:
        return work()
    except HclError as error:
        if type(error) is not HclError:
            # A limit.
            raise
        raise ParseError(str(error), error.diagnostics) from None


def parsed(text: str) -> Document:
    """Text as a document without errors."""
    return translated(lambda: _hclkit.parse(text).check())
