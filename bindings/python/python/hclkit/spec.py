"""The spec language of ``hcldec``: what a language accepts, and the shape of its data.

>>> from hclkit.spec import Spec
>>> spec = Spec('''
... object {
...   attr "name" {
...     type     = string
...     required = true
...   }
...   default "port" {
...     attr {
...       name = "port"
...       type = number
...     }
...     literal { value = 80 }
...   }
... }
... ''')
>>> spec.decode('name = "web-${region}"', variables={"region": "eu"})
{'name': 'web-eu', 'port': 80}
"""

from __future__ import annotations

from collections.abc import Mapping

from . import _hclkit
from ._hclkit import Document, Limits, Value, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

__all__ = ["Label", "Spec", "decode", "source_of"]


class Spec(_hclkit.Spec):
    """A spec, from text or a file."""

    def decode(
        self,
        text: str | bytes | os.PathLike[str] | Document,
        *,
        variables: Mapping[str, Any] | None = None,
        functions: str | None = None,
        dynamic: bool = False,
        unknown_variables: bool = False,
        limits: Limits | None = None,
    ) -> Any:
        """Decode a configuration into a Python object. Raises :class:`HclError` with all errors at once."""
        return self.decode_value(
            text,
            variables=variables,
            functions=functions,
            dynamic=dynamic,
            unknown_variables=unknown_variables,
            limits=limits,
        ).to_python(limits=limits)

    def decode_value(
        self,
        text: str | bytes | os.PathLike[str] | Document,
        *,
        variables: Mapping[str, Any] | None = None,
        functions: str | None = None,
        dynamic: bool = False,
        unknown_variables: bool = False,
        limits: Limits | None = None,
    ) -> Value:
        """Decode a configuration into a :class:`Value`, which keeps its HCL type."""
        document = text if isinstance(text, Document) else parse(text, limits=limits)
        return self._decode(document, variables, functions, dynamic, unknown_variables, limits)


class Label:
    """Marks a field of a dataclass as a label of its block: ``name: Annotated[str, Label]``."""


def source_of(cls: type[Any]) -> str:
    """Return the spec of a dataclass as the text of a spec file.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Listen:
    ...     port: int = 80
    >>> print(source_of(Listen), end="")
    object {
      attr "port" {
        type     = number
        required = false
      }
    }
    """
    from . import _into

    return _into.source_of(cls)


def decode(
    text: str | bytes | os.PathLike[str] | Document,
    spec: Spec | type[Any] | str | os.PathLike[str],
    **options: Any,
) -> Any:
    """Decode a configuration with a spec, or into a dataclass, a class of attrs, a model of pydantic or a TypedDict.

    >>> decode("size = 300", spec='attr {\\n  name = "size"\\n  type = number\\n}\\n')
    300

    A field of such a class is an attribute; another such class in it is a block, a list of them are blocks, and a dictionary of them
    blocks by label. A field with a default is optional, and ``Annotated[str, Label]`` is a label. All errors are raised at once,
    each at its place; those of validators, converters and ``__post_init__`` come after those of the types.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Service:
    ...     name: str
    ...     port: int = 80
    >>> decode('name = "web-${n}"\\n', Service, variables={"n": 1})
    Service(name='web-1', port=80)
    """
    if isinstance(spec, type):
        from ._into import build

        document = text if isinstance(text, Document) else parse(text, limits=options.get("limits"))
        return build(spec, Spec(source_of(spec)).decode(document, **options), document)
    return (spec if isinstance(spec, Spec) else Spec(spec)).decode(text, **options)
