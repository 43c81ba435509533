"""What ``hcl2`` of bc-python-hcl2 does, the parser of checkov.

>>> from hclkit.compat import bc_hcl2
>>> bc_hcl2.loads('variable "a" {\\n  default = [1, x]\\n}\\n')
{'variable': [{'a': {'default': [[1, '${x}']], '__start_line__': 1, '__end_line__': 3}}]}

Errors are :class:`hclkit.HclError`.
"""

from __future__ import annotations

import sys
from typing import IO, Any

from .. import _hclkit
from .._hclkit import Limits
from . import Installed

__all__ = ["END_LINE", "START_LINE", "install", "load", "loads"]

START_LINE = "__start_line__"
END_LINE = "__end_line__"


def loads(text: str, *, limits: Limits | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return text as a dictionary."""
    return _hclkit.loads_bc(text, limits=limits)


def load(file: IO[str], *, limits: Limits | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return an open file as a dictionary."""
    return loads(file.read(), limits=limits)


def install() -> Installed:
    """Put this module under the name ``hcl2``."""
    return Installed(sys.modules[__name__])
