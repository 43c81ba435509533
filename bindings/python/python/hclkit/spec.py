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

import os
from collections.abc import Iterable, Mapping

from . import _hclkit
from ._context import as_context
from ._hclkit import Decoding, Document, Limits, Value, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias, TypeVar, overload

    from ._context import Context, Functions

    T = TypeVar("T")
    Text: TypeAlias = str | bytes | os.PathLike[str] | Document
    """A configuration: its text, its file, or a document."""

__all__ = ["Label", "Spec", "decode", "json_schema_of", "markdown_of", "source_of"]


class Spec(_hclkit.Spec):
    """A spec, from text or a file."""

    def decode(
        self,
        text: Text | Iterable[Text],
        *,
        variables: Mapping[str, Any] | Context | None = None,
        functions: Functions | None = None,
        overrides: Mapping[str, Any] | None = None,
        environment: str | None = None,
        dynamic: bool = False,
        unknown_variables: bool = False,
        limits: Limits | None = None,
    ) -> Any:
        """Decode a configuration into a Python object. The options are those of :func:`decode`. Raises :class:`HclError` with all
        errors at once."""
        return self.decode_value(
            text,
            variables=variables,
            functions=functions,
            overrides=overrides,
            environment=environment,
            dynamic=dynamic,
            unknown_variables=unknown_variables,
            limits=limits,
        ).to_python(limits=limits)

    def decode_value(
        self,
        text: Text | Iterable[Text],
        *,
        variables: Mapping[str, Any] | Context | None = None,
        functions: Functions | None = None,
        overrides: Mapping[str, Any] | None = None,
        environment: str | None = None,
        dynamic: bool = False,
        unknown_variables: bool = False,
        limits: Limits | None = None,
    ) -> Value:
        """Decode a configuration into a :class:`Value`, which keeps its HCL type."""
        documents = _documents(text, limits)
        context = as_context(variables, functions, limits)
        return self._of(documents, context, overrides, environment, dynamic, unknown_variables).value()

    def _of(
        self,
        documents: list[Document],
        context: Context,
        overrides: Mapping[str, Any] | None,
        environment: str | None,
        dynamic: bool,
        unknown_variables: bool,
    ) -> Decoding:
        from ._overrides import overridden

        documents, over = overridden(documents, overrides, environment)
        return self._decoding(documents, over, context, dynamic, unknown_variables)


def _documents(text: Text | Iterable[Text], limits: Limits | None) -> list[Document]:
    several = [text] if isinstance(text, (str, bytes, bytearray, os.PathLike, Document)) else list(text)
    return [it if isinstance(it, Document) else parse(it, limits=limits) for it in several]


class Label:
    """Marks a field of a dataclass as a label of its block: ``name: Annotated[str, Label]``."""


def source_of(cls: type[Any]) -> str:
    """Return the spec of a class as the text of a spec file, with its descriptions, defaults and limits.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Listen:
    ...     port: int
    ...     host: str = "localhost"
    >>> print(source_of(Listen), end="")
    object {
      attr "port" {
        type     = number
        required = true
      }
      default "host" {
        attr {
          name     = "host"
          type     = string
          required = false
        }
        literal {
          value = "localhost"
        }
      }
    }

    Raises :class:`HclError` for a class that contains itself.
    """
    from . import _spec_of

    return _spec_of.source_of(cls)


def json_schema_of(cls: type[Any], title: str = "", *, dynamic: bool = False) -> str:
    """Return the JSON Schema of a class for the JSON syntax, as text. With ``dynamic``, it accepts ``dynamic`` blocks, too. A class that
    contains itself is a definition that refers to itself.

    >>> import dataclasses, json
    >>> @dataclasses.dataclass
    ... class Step:
    ...     run: str
    ...     step: "list[Step]" = dataclasses.field(default_factory=list)
    >>> step = json.loads(json_schema_of(Step))["$defs"]["step"]["properties"]["step"]
    >>> step["then"]["items"]
    {'$ref': '#/$defs/step'}
    """
    from . import _spec_of

    return _spec_of.json_schema_of(cls, title, dynamic=dynamic)


def markdown_of(cls: type[Any], title: str = "") -> str:
    """Return a reference of a class for the authors of its configurations, in Markdown. A class that contains itself is in it once."""
    from . import _spec_of

    return _spec_of.markdown_of(cls, title)


if TYPE_CHECKING:

    @overload
    def decode(
        text: Text | Iterable[Text],
        spec: type[T],
        *,
        variables: Mapping[str, Any] | Context | None = None,
        functions: Functions | None = None,
        overrides: Mapping[str, Any] | None = None,
        environment: str | None = None,
        dynamic: bool = False,
        unknown_variables: bool = False,
        limits: Limits | None = None,
    ) -> T: ...

    @overload
    def decode(
        text: Text | Iterable[Text],
        spec: Spec | str | os.PathLike[str],
        *,
        variables: Mapping[str, Any] | Context | None = None,
        functions: Functions | None = None,
        overrides: Mapping[str, Any] | None = None,
        environment: str | None = None,
        dynamic: bool = False,
        unknown_variables: bool = False,
        limits: Limits | None = None,
    ) -> Any: ...


def decode(
    text: Text | Iterable[Text],
    spec: Spec | type[Any] | str | os.PathLike[str],
    *,
    variables: Mapping[str, Any] | Context | None = None,
    functions: Functions | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: str | None = None,
    dynamic: bool = False,
    unknown_variables: bool = False,
    limits: Limits | None = None,
) -> Any:
    """Decode a configuration with a spec, or into a class: a dataclass, a class of attrs, a model of pydantic, a struct of msgspec, a
    ``TypedDict`` or a ``NamedTuple``.

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

    Several files are merged; an attribute is in one of them. ``variables`` are variables or a :class:`Context`, and ``functions``
    a library, Python callables, or both. ``overrides`` has values for paths to attributes, which replace those of the files. ``environment`` is a
    prefix: the variable ``APP_LISTEN__PORT`` of the environment replaces the attribute ``port`` of the block ``listen`` if it is
    ``"APP_"``. Values of the environment are strings for fields of that type, and else expressions.

    >>> decode(['name = "web"\\n', "port = 81\\n"], Service, overrides={"port": 8080})
    Service(name='web', port=8080)

    Errors are :class:`HclError`.
    """
    documents = _documents(text, limits)
    context = as_context(variables, functions, limits)
    if not isinstance(spec, type):
        made = spec if isinstance(spec, Spec) else Spec(spec)
        decoding = made._of(documents, context, overrides, environment, dynamic, unknown_variables)
        return decoding.value().to_python(limits=limits)
    from ._into import build
    from ._overrides import overridden
    from ._spec_of import spec_for

    documents, over = overridden(documents, overrides, environment, spec)
    bodies = [it.body for it in (*documents, *over)]
    decoding = Spec(spec_for(spec, bodies))._decoding(documents, over, context, dynamic, unknown_variables)
    return build(spec, decoding.value().to_python(limits=limits), decoding)
