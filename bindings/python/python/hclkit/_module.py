"""Whole directories: modules of Terraform and others, and Bake files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from . import _hclkit
from ._errors import HclError
from ._hclkit import Diagnostic, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self


def _pieces(value: Any) -> Iterator[str]:
    """The text of `repr`, in pieces."""
    if type(value) is list:
        yield "["
        for at, it in enumerate(value):
            yield ", " if at else ""
            yield from _pieces(it)
        yield "]"
    elif type(value) is dict:
        yield "{"
        for at, (name, it) in enumerate(value.items()):
            yield f"{', ' if at else ''}{name!r}: "
            yield from _pieces(it)
        yield "}"
    elif type(value).__module__ in ("builtins", "decimal") or type(value).__module__.startswith("hclkit"):
        yield repr(value)
    else:
        # No value of HCL becomes one of these, whose own text may be endless.
        yield object.__repr__(value)


def _shown(value: Any, most: int = 10_000) -> str:
    """The start of the text of `repr`, which is endless for values that share parts."""
    text = ""
    for piece in _pieces(value):
        text += piece
        if len(text) > most:
            return text[:most] + "…"
    return text


class Evaluation:
    """Values by address, and everything that was reported."""

    __match_args__ = ("values", "diagnostics")

    def __init__(self, values: dict[str, Any], diagnostics: list[Diagnostic]) -> None:
        self.values = values
        self.diagnostics = diagnostics

    def __repr__(self) -> str:
        return f"<Evaluation of {len(self.values)} values, {len(self.diagnostics)} diagnostics>"

    def _repr_html_(self) -> str:
        import html

        rows = (f"<tr><td>{html.escape(it)}</td><td>{html.escape(_shown(self.values[it]))}</td></tr>" for it in self.values)
        texts = "".join(it._repr_html_() for it in self.diagnostics)
        return f"<table><tr><th>address</th><th>value</th></tr>{''.join(rows)}</table>{texts}"

    @property
    def has_errors(self) -> bool:
        """Whether there are errors."""
        return any(it.severity == "error" for it in self.diagnostics)


class Plan:
    """What Bake builds: attributes by name, of groups and of targets."""

    __match_args__ = ("groups", "targets")

    def __init__(self, groups: dict[str, dict[str, Any]], targets: dict[str, dict[str, Any]]) -> None:
        self.groups = groups
        self.targets = targets

    def __repr__(self) -> str:
        return f"<Plan of {', '.join(self.targets)}>"


def _raise(diagnostics: list[Diagnostic]) -> None:
    if any(it.severity == "error" for it in diagnostics):
        raise HclError(_hclkit.render(diagnostics, "text").rstrip(), diagnostics)


class Module(_hclkit.Module):
    """A module: the declarations of a directory, and the modules that it calls, without providers, state or network.

    Reads only the repository of the directory and what ``readable`` lists; the variables of the environment (``TF_VAR_…``)
    only if ``environment`` is set. ``schema`` is a file with the output of ``terraform providers schema -json``. Input variables
    without a value are errors, or unknown with ``unknown_variables``.

    >>> import hclkit, pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "main.tf").write_text('''
    ... variable "size" {}
    ... locals { names = [for i in range(var.size) : "web-${i}"] }
    ... output "names" { value = local.names }
    ... ''')
    >>> module = hclkit.Module(directory, variables={"size": 2})
    >>> module["output.names"]
    ['web-0', 'web-1']
    >>> module.values("output.*", "local.*")
    {'local.names': ['web-0', 'web-1'], 'output.names': ['web-0', 'web-1']}
    >>> module.graph().references("output.names")
    ['local.names']
    """

    def __new__(
        cls,
        directory: str | os.PathLike[str],
        *,
        variables: Mapping[str, Any] | None = None,
        variable_files: Iterable[str | os.PathLike[str]] = (),
        language: str | None = None,
        schema: str | os.PathLike[str] | None = None,
        workspace: str = "default",
        unknown_variables: bool = False,
        environment: bool = False,
        readable: Iterable[str | os.PathLike[str]] = (),
        limits: Limits | None = None,
    ) -> Self:
        return super().__new__(
            cls,
            directory,
            variables,
            list(variable_files),
            language,
            schema,
            workspace,
            unknown_variables,
            environment,
            list(readable),
            limits,
        )

    def evaluate(self, *patterns: str) -> Evaluation:
        """Return the values of addresses such as ``"output.*"``, and all diagnostics. Without patterns, all values."""
        return Evaluation(*self._evaluate(list(patterns)))

    def values(self, *patterns: str) -> dict[str, Any]:
        """Return the values of addresses such as ``"aws_instance.web[*].ami"``. Raises :class:`HclError` for errors in them."""
        values, diagnostics = self._evaluate(list(patterns))
        _raise(diagnostics)
        return values

    def __getitem__(self, pattern: str) -> Any:
        """Return the value of an address, or a dictionary of values if the pattern has a ``*``.

        Raises :class:`HclError` if there is nothing at the address, or its value has errors.
        """
        values = self.values(pattern)
        if "*" in pattern:
            return values
        return next(iter(values.values())) if len(values) == 1 else values

    def explain(self, *patterns: str, width: int = 100) -> str:
        """Return how values are computed, as ``hcl eval --explain`` prints it."""
        return self._explain(list(patterns), width)


class Bake(_hclkit.Bake):
    """The Bake files of a directory, or one file.

    >>> import hclkit, pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "docker-bake.hcl").write_text('''
    ... variable "TAG" { default = "latest" }
    ... target "app" { tags = ["shop:${TAG}"] }
    ... ''')
    >>> hclkit.Bake(directory, variables={"TAG": "v1"}).plan("app").targets["app"]["tags"]
    ['shop:v1']
    """

    def __new__(
        cls,
        path: str | os.PathLike[str],
        *,
        variables: Mapping[str, str] | None = None,
        overrides: Iterable[str] = (),
        environment: bool = False,
        limits: Limits | None = None,
    ) -> Self:
        return super().__new__(cls, path, list((variables or {}).items()), list(overrides), environment, limits)

    def plan(self, *targets: str) -> Plan:
        """Return what is built, ``default`` without targets. Raises :class:`HclError` for errors."""
        groups, planned, diagnostics = self._plan(list(targets))
        _raise(diagnostics)
        return Plan(groups, planned)
