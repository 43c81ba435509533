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
from collections.abc import Mapping
from types import ModuleType, TracebackType
from typing import Any


def submodules(names: Mapping[str, Mapping[str, Any]]) -> dict[str, ModuleType]:
    """Modules below ``hcl2`` with what they have."""
    made = {}
    for name, content in names.items():
        module = made[name] = ModuleType(f"hcl2.{name}", "See hclkit.compat.")
        vars(module).update(content)
        # It can have submodules itself.
        module.__path__ = []
    return made


class Installed:
    """Undoes an installation: as a context manager, or by :meth:`undo`."""

    def __init__(self, module: ModuleType, submodules: Mapping[str, ModuleType] | None = None) -> None:
        self._before = {name: it for name, it in sys.modules.items() if _is_hcl2(name)}
        for name in self._before:
            del sys.modules[name]
        # A package, so that its submodules can be imported. The names of its own functions stay what they are.
        package = ModuleType("hcl2", module.__doc__)
        vars(package).update({name: it for name, it in vars(module).items() if name not in _OWN})
        package.__path__ = []
        sys.modules["hcl2"] = self._package = package
        for name, it in (submodules or {}).items():
            sys.modules[f"hcl2.{name}"] = it
            if "." not in name:
                vars(package).setdefault(name, it)

    def undo(self) -> None:
        """Make ``hcl2`` what it was before."""
        if sys.modules.get("hcl2") is self._package:
            for name in [it for it in sys.modules if _is_hcl2(it)]:
                del sys.modules[name]
            sys.modules.update(self._before)

    def __enter__(self) -> ModuleType:
        return self._package

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.undo()


_OWN = ("__name__", "__loader__", "__package__", "__spec__", "__file__", "__cached__", "__path__")


def _is_hcl2(name: str) -> bool:
    return name == "hcl2" or name.startswith("hcl2.")
