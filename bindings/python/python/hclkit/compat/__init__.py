"""Drop-in replacements for other packages that read HCL.

:mod:`hclkit.compat.hcl2` has the functions and dictionaries of python-hcl2 8, :mod:`hclkit.compat.hcl2_v7` those of python-hcl2 7,
and :mod:`hclkit.compat.bc_hcl2` those of bc-python-hcl2, which checkov uses. ``install()`` of each puts it under the name
``hcl2``, so that other code imports it:

>>> from hclkit.compat import hcl2_v7
>>> with hcl2_v7.install():
...     import hcl2
...     hcl2.loads('name = "web"\\n')
{'name': 'web'}
"""

from __future__ import annotations

import sys
from types import ModuleType, TracebackType


class Installed:
    """Undoes an installation: as a context manager, or by :meth:`undo`."""

    def __init__(self, module: ModuleType) -> None:
        self._before = {name: it for name, it in sys.modules.items() if name == "hcl2" or name.startswith("hcl2.")}
        for name in self._before:
            del sys.modules[name]
        sys.modules["hcl2"] = module
        self._module = module

    def undo(self) -> None:
        """Make ``hcl2`` what it was before."""
        if sys.modules.get("hcl2") is self._module:
            del sys.modules["hcl2"]
            sys.modules.update(self._before)

    def __enter__(self) -> ModuleType:
        return self._module

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.undo()
