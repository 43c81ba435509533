"""Plain data: what the modules of the standard library do for JSON and TOML."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from . import _hclkit
from ._hclkit import Limits
from ._recover import recovered

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
    parse_float: Callable[[str], Any] | None = None,
    recover: bool = False,
    limits: Limits | None = None,
) -> dict[str, Any]:
    """Return a configuration as plain data: the JSON that ``hcl convert`` writes.

    An attribute is an item of the dictionary. A block is a list of dictionaries under its type and its labels; with ``compact``, a
    single one is not in a list. Expressions are strings such as ``"${var.name}"``, and are not evaluated.

    ``name`` is the file name, which decides the syntax and the language (``"terraform"``, ``"packer"``, …) unless these are set.
    ``static`` names attributes whose expressions are kept as text, such as ``"variable.type"``.

    Numbers that are not whole are :class:`~decimal.Decimal`, or what ``parse_float`` makes of their text: with ``float``, :func:`json.dumps`
    takes the result; :func:`to_json` takes it as it is. With ``recover``, what is valid in a text with errors is kept: the result is a
    :class:`Recovered` dictionary with the errors.

    >>> import hclkit
    >>> hclkit.loads("a = 0.5\\n", parse_float=float)
    {'a': 0.5}
    >>> hclkit.loads('name = "shop"\\nlisten "http" {\\n  port = 8000 + offset\\n}\\n')
    {'name': 'shop', 'listen': {'http': [{'port': '${8000 + offset}'}]}}

    Raises :class:`HclError` with all errors of the text.
    """
    def read(text: str | bytes) -> dict[str, Any]:
        found: dict[str, Any] = _hclkit.loads(
            text,
            name=name,
            syntax=syntax,
            language=language,
            compact=compact,
            static=list(static),
            parse_float=parse_float,
            limits=limits,
        )
        return found

    return recovered(text, read, name=name, syntax=syntax, limits=limits) if recover else read(text)


def load(
    file: str | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    language: str | None = None,
    syntax: str | None = None,
    compact: bool = False,
    static: Iterable[str] = (),
    parse_float: Callable[[str], Any] | None = None,
    recover: bool = False,
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
        text,
        name=name,
        language=language,
        syntax=syntax,
        compact=compact,
        static=static,
        parse_float=parse_float,
        recover=recover,
        limits=limits,
    )


def dumps(
    data: Any,
    *,
    language: str | None = None,
    blocks: Mapping[str, int] | None = None,
    attributes: Iterable[str] = (),
    static: Iterable[str] = (),
    literal: bool = False,
    show_sensitive: bool = False,
    limits: Limits | None = None,
) -> str:
    """Return plain data as text in the native syntax, formatted. The reverse of :func:`loads`.

    A list of dictionaries is a block for each of them; a dictionary of such lists is a level of labels. ``language`` knows the blocks of
    a language, and ``blocks`` sets the number of labels of others. ``attributes`` names what is never a block. Strings are templates unless
    ``literal`` is set.

    Objects of dataclasses, of attrs, of pydantic and the like are written as :func:`hclkit.decode` reads them into equal ones, in their
    order, without the fields that are ``None``. Their strings are never templates, and the other options mean nothing for them. Sensitive values,
    such as ``SecretStr``, are an error unless ``show_sensitive`` is set.

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
    from ._written import is_object, source_of

    if is_object(data):
        return source_of(data, show_sensitive=show_sensitive, limits=limits)
    return _hclkit.dumps(
        data,
        language=language,
        blocks=list((blocks or {}).items()),
        attributes=list(attributes),
        static=list(static),
        literal=literal,
        limits=limits,
    )


def dump(
    data: Any,
    file: IO[str],
    *,
    language: str | None = None,
    blocks: Mapping[str, int] | None = None,
    attributes: Iterable[str] = (),
    static: Iterable[str] = (),
    literal: bool = False,
    show_sensitive: bool = False,
    limits: Limits | None = None,
) -> None:
    """Write plain data to an open file. See :func:`dumps`.

    >>> import hclkit, sys
    >>> hclkit.dump({"port": 80}, sys.stdout)
    port = 80
    """
    text = dumps(
        data,
        language=language,
        blocks=blocks,
        attributes=attributes,
        static=static,
        literal=literal,
        show_sensitive=show_sensitive,
        limits=limits,
    )
    file.write(text)


def to_json(value: Any, *, is_pretty: bool = False) -> str:
    """Return plain data as JSON, in which numbers keep all their digits.

    >>> import hclkit
    >>> hclkit.to_json(hclkit.loads("ratio = 0.10\\n"))
    '{"ratio":0.10}'

    Raises :class:`TypeError` for sensitive, unknown and other values that JSON does not have.
    """
    return _hclkit.to_json(value, is_pretty)
