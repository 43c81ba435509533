"""Drop-in replacements for other packages that read HCL.

:mod:`hclkit.compat.hcl2` has the functions and dictionaries of python-hcl2 8, :mod:`hclkit.compat.hcl2_v7` those of python-hcl2 7,
:mod:`hclkit.compat.bc_hcl2` those of bc-python-hcl2, which checkov uses, and :mod:`hclkit.compat.pygohcl` those of pygohcl. ``install()``
of each puts it under the name of the package, so that other code imports it:

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

    def __init__(self, module: ModuleType, submodules: Mapping[str, ModuleType] | None = None, *, name: str = "hcl2") -> None:
        self._name = name
        self._before = {own: it for own, it in sys.modules.items() if self._is_in(own)}
        for own in self._before:
            del sys.modules[own]
        # A package, so that its submodules can be imported. The names of its own functions stay what they are.
        package = ModuleType(name, module.__doc__)
        vars(package).update({own: it for own, it in vars(module).items() if own not in _OWN})
        package.__path__ = []
        sys.modules[name] = self._package = package
        for own, it in (submodules or {}).items():
            sys.modules[f"{name}.{own}"] = it
            if "." not in own:
                vars(package).setdefault(own, it)

    def undo(self) -> None:
        """Make the name what it was before."""
        if sys.modules.get(self._name) is self._package:
            for own in [it for it in sys.modules if self._is_in(it)]:
                del sys.modules[own]
            sys.modules.update(self._before)

    def _is_in(self, module: str) -> bool:
        return module == self._name or module.startswith(f"{self._name}.")

    def __enter__(self) -> ModuleType:
        return self._package

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.undo()


_OWN = ("__name__", "__loader__", "__package__", "__spec__", "__file__", "__cached__", "__path__")
