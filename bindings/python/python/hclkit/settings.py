"""Settings of pydantic-settings from HCL, beside its sources for TOML, YAML and JSON.

>>> import pathlib, tempfile
>>> from pydantic_settings import BaseSettings
>>> file = pathlib.Path(tempfile.mkdtemp(), "app.hcl")
>>> _ = file.write_text('name = "web"\\ntimeout = 60 * 2\\n')
>>> class Settings(BaseSettings):
...     name: str
...     timeout: int = 10
...
...     @classmethod
...     def settings_customise_sources(cls, settings_cls, init_settings, env_settings, **others):
...         return init_settings, env_settings, HclConfigSettingsSource(settings_cls, file)
>>> Settings()
Settings(name='web', timeout=120)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic_settings import BaseSettings, InitSettingsSource

from ._context import as_context
from ._hclkit import parse
from ._into import plain_of
from ._spec_of import spec_for
from .spec import Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._context import Context, Functions

__all__ = ["HclConfigSettingsSource"]

_Files = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class HclConfigSettingsSource(InitSettingsSource):  # type: ignore[misc]
    """A source of settings that reads HCL files: those given, or ``hcl_file`` of ``model_config``. Files that do not exist are left out,
    as in the other sources.

    The files are decoded as :func:`hclkit.decode` does: fields that are models are blocks. What other sources can set may be missing.
    Raises :class:`hclkit.HclError` for errors of the files; what is missing or invalid in the end is an error of pydantic.
    """

    def __init__(
        self,
        settings_cls: type[BaseSettings],
        hcl_file: _Files | None = None,
        *,
        variables: Mapping[str, Any] | Context | None = None,
        functions: Functions | None = None,
    ) -> None:
        found = settings_cls.model_config.get("hcl_file") if hcl_file is None else hcl_file
        several = [found] if isinstance(found, (str, os.PathLike)) else list(found or ())
        documents = [parse(it) for it in map(Path, several) if it.expanduser().is_file()]
        data: dict[str, Any] = {}
        if documents:
            spec = Spec(spec_for(settings_cls, [it.body for it in documents], is_relaxed=True))
            decoding = spec._decoding(documents, [], as_context(variables, functions, None), False, False)
            data = plain_of(settings_cls, decoding.value().to_python(), decoding)
        super().__init__(settings_cls, data)
