"""What ``hcl2`` of bc-python-hcl2 does, the parser of checkov.

>>> from hclkit.compat import bc_hcl2
>>> bc_hcl2.loads('variable "a" {\\n  default = [1, x]\\n}\\n')
{'variable': [{'a': {'default': [[1, '${x}']], '__start_line__': 1, '__end_line__': 3}}]}

Errors are :class:`hclkit.HclError`, and also those of Lark where it is installed.

checkov loses all of a file with an error. ``install(recover=True)`` keeps what is valid in it; the errors are in ``diagnostics`` of the
dictionary, and a warning says that there are some.
"""

from __future__ import annotations

import sys
import warnings
from typing import IO, Any

from .. import _hclkit
from .._hclkit import Limits
from .._recover import recovered
from . import Installed, submodules
from ._errors import ParseError, translated

__all__ = ["END_LINE", "START_LINE", "ParseError", "install", "load", "loads"]

START_LINE = "__start_line__"
END_LINE = "__end_line__"


def loads(text: str, *, recover: bool = False, limits: Limits | None = None) -> dict[str, Any]:
    """Return text as a dictionary. With ``recover``, what is valid in a text with errors, as :func:`hclkit.loads` does."""

    def read(text: str | bytes) -> dict[str, Any]:
        return _hclkit.loads_bc(text, limits=limits)

    if recover:
        return recovered(text, read, syntax="native", limits=limits)
    return translated(lambda: read(text))


def load(file: IO[str], *, recover: bool = False, limits: Limits | None = None) -> dict[str, Any]:
    """Return an open file as a dictionary."""
    return loads(file.read(), recover=recover, limits=limits)


def _loads_recovered(text: str) -> dict[str, Any]:
    found = loads(text, recover=True)
    errors = getattr(found, "diagnostics", [])
    if errors:
        warnings.warn(f"{len(errors)} errors, what is valid is kept: {errors[0].render()}", RuntimeWarning, stacklevel=2)
    return found


def _load_recovered(file: IO[str]) -> dict[str, Any]:
    return _loads_recovered(file.read())


def install(*, recover: bool = False) -> Installed:
    """Put this module under the name ``hcl2``; with ``recover``, its functions keep what is valid in a text with errors."""
    this = sys.modules[__name__]
    functions = {"load": _load_recovered, "loads": _loads_recovered} if recover else {"load": load, "loads": loads}
    made = Installed(this, submodules({"api": functions}))
    vars(sys.modules["hcl2"]).update(functions)
    return made
