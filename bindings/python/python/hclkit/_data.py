"""Plain data: what the modules of the standard library do for JSON and TOML."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from . import _hclkit
from ._hclkit import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any


def loads(
    text: str | bytes,
    *,
    name: str | None = None,
    language: str | None = None,
    syntax: str | None = None,
    compact: bool = False,
    static: Iterable[str] = (),
    limits: Limits | None = None,
) -> dict[str, Any]:
    """Return a configuration as plain data: the JSON that ``hcl convert`` writes.

    An attribute is an item of the dictionary. A block is a list of dictionaries under its type and its labels; with ``compact``, a
    single one is not in a list. Expressions are strings such as ``"${var.name}"``, and are not evaluated.

    ``name`` is the file name, which decides the syntax and the language (``"terraform"``, ``"packer"``, …) unless these are set.
    ``static`` names attributes whose expressions are kept as text, such as ``"variable.type"``.

    >>> import hclkit
    >>> hclkit.loads('name = "shop"\\nlisten "http" {\\n  port = 8000 + offset\\n}\\n')
    {'name': 'shop', 'listen': {'http': [{'port': '${8000 + offset}'}]}}

    Raises :class:`HclError` with all errors of the text.
    """
    found: dict[str, Any] = _hclkit.loads(
        text, name=name, syntax=syntax, language=language, compact=compact, static=list(static), limits=limits
    )
    return found


def load(
    file: str | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    language: str | None = None,
    syntax: str | None = None,
    compact: bool = False,
    static: Iterable[str] = (),
    limits: Limits | None = None,
) -> dict[str, Any]:
    """Return a file as plain data: a path, or an open file. See :func:`loads`."""
    if isinstance(file, (str, os.PathLike)):
        name = os.fspath(file)
        with open(file, "rb") as opened:
            text: str | bytes = opened.read()
    else:
        found = getattr(file, "name", None)
        name = found if isinstance(found, str) else ""
        text = file.read()
    return loads(
        text, name=name, language=language, syntax=syntax, compact=compact, static=static, limits=limits
    )


def dumps(
    data: Any,
    *,
    language: str | None = None,
    blocks: Mapping[str, int] | None = None,
    attributes: Iterable[str] = (),
    static: Iterable[str] = (),
    literal: bool = False,
    limits: Limits | None = None,
) -> str:
    """Return plain data as text in the native syntax, formatted. The reverse of :func:`loads`.

    A list of dictionaries is a block for each of them; a dictionary of such lists is a level of labels; objects of dataclasses, of attrs
    and of pydantic are what :func:`hclkit.decode` reads into them, without the fields that are ``None``. ``language`` knows the blocks of a language, and ``blocks`` sets the number of labels
    of others. ``attributes`` names what is never a block. Strings are templates unless ``literal`` is set; those of objects never are.
    Blocks of objects with the same type and labels are written together.

    >>> import hclkit
    >>> print(hclkit.dumps({"name": "shop", "listen": {"http": [{"port": "${8000 + offset}"}]}}), end="")
    name = "shop"
    <BLANKLINE>
    listen "http" {
      port = 8000 + offset
    }

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Server:
    ...     name: str
    ...     port: int = 80
    >>> print(hclkit.dumps(Server("web")), end="")
    name = "web"
    port = 80

    Objects that occur several times are written each time. What that adds is limited to 1,000,000 values and 64 MiB of text, as for
    aliases in YAML; then, and if ``limits`` are exceeded, :class:`LimitError` is raised.

    Raises :class:`HclError` for what the native syntax cannot express.
    """
    if hasattr(type(data), "__dataclass_fields__") or hasattr(type(data), "__attrs_attrs__") or hasattr(type(data), "__pydantic_fields__"):
        from ._into import data_of

        data, names = data_of(data)
        attributes, literal = {*attributes, *names}, True
    return _hclkit.dumps(
        data,
        language=language,
        blocks=list((blocks or {}).items()),
        attributes=list(attributes),
        static=list(static),
        literal=literal,
        limits=limits,
    )


def dump(data: Any, file: IO[str], **options: Any) -> None:
    """Write plain data to an open file. See :func:`dumps`.

    >>> import hclkit, sys
    >>> hclkit.dump({"port": 80}, sys.stdout)
    port = 80
    """
    file.write(dumps(data, **options))
