"""The exceptions of the package."""

from __future__ import annotations

from collections.abc import Iterable

from . import _hclkit
from ._hclkit import Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class HclError(ValueError):
    """What is wrong with a text, a value or a request, with all diagnostics at once.

    ``str()`` is the text that the program ``hcl`` prints.

    >>> import hclkit
    >>> try:
    ...     hclkit.evaluate("nmae", {"name": "web"})
    ... except hclkit.HclError as error:
    ...     [(it.code, it.range.start.column) for it in error.diagnostics]
    [('unknown-variable', 1)]
    """

    diagnostics: list[Diagnostic]

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)

    def __reduce__(self) -> tuple[Any, ...]:
        from ._pickle import error

        # The diagnostics share their sources.
        return error, (type(self), str(self), _hclkit.pickled_diagnostics(self.diagnostics))

    def sarif(self) -> str:
        """Return the diagnostics as a SARIF log."""
        return _hclkit.render(self.diagnostics, "sarif")

    def json(self) -> str:
        """Return the diagnostics as JSON."""
        return _hclkit.render(self.diagnostics, "json")

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"


class LimitError(HclError):
    """A limit was exceeded: see :class:`hclkit.Limits`.

    >>> import hclkit
    >>> try:
    ...     hclkit.evaluate("[for i in range(1000): i]", functions="terraform", limits=hclkit.Limits(elements=100))
    ... except hclkit.LimitError as error:
    ...     error.diagnostics[0].code
    'too-many-elements'
    """
