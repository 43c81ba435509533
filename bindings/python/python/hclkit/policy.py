"""Rules for configuration, in HCL: those that ``hcl test`` applies.

>>> import hclkit.policy
>>> rules = hclkit.policy.Rules.of_text('''
... rule "no-acl" {
...   match     = "resource.aws_s3_bucket.*"
...   condition = self.acl == null
...   message   = "Use a policy instead of the ACL ${self.acl}."
... }
... ''')
>>> report = rules.check_texts({"main.tf": '''
... variable "acl" { default = "private" }
... resource "aws_s3_bucket" "logs" { acl = var.acl }
... '''})
>>> [(it.rule, it.address, it.message) for it in report.findings]
[('no-acl', 'aws_s3_bucket.logs', 'Use a policy instead of the ACL private.')]
>>> report.counts["failed"], report.ok
(1, False)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from . import _hclkit
from ._hclkit import Diagnostic, Limits, Range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Self

__all__ = ["Finding", "Report", "Rules"]


class Finding:
    """What a rule says about a part of a file.

    ``outcome`` is ``"failed"``, or ``"unknown"`` if the rule depends on a value that is not known before an apply; ``reason`` says
    which one. ``address`` is that of the block, such as ``"aws_s3_bucket.logs"``; ``diagnostic`` has the place and the fix.
    """

    __match_args__ = ("rule", "address", "outcome")

    def __init__(
        self,
        rule: str,
        address: str,
        outcome: Literal["failed", "errored", "unknown"],
        reason: str | None,
        diagnostic: Diagnostic,
    ) -> None:
        self.rule = rule
        self.address = address
        self.outcome = outcome
        self.reason = reason
        self.diagnostic = diagnostic

    @property
    def message(self) -> str:
        """The message of the rule, without sensitive values."""
        return self.diagnostic.note

    @property
    def severity(self) -> str:
        """``"error"`` or ``"warning"``."""
        return self.diagnostic.severity

    @property
    def range(self) -> Range | None:
        """Where it is."""
        return self.diagnostic.range

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        return vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"<Finding {self.rule} {self.outcome} for {self.address}: {self.message}>"


class Report:
    """What rules found, and the errors and warnings in the files themselves."""

    __match_args__ = ("findings", "diagnostics")

    def __init__(self, findings: list[Finding], diagnostics: list[Diagnostic], counts: dict[str, int]) -> None:
        self.findings = findings
        self.diagnostics = diagnostics
        self.counts = counts
        """How many verdicts there are: ``passed``, ``failed``, ``errored``, ``unknown`` and ``skipped``."""

    @property
    def ok(self) -> bool:
        """Whether there is no error: neither a finding with that severity nor one in the files."""
        all_of_them = [it.diagnostic for it in self.findings] + self.diagnostics
        return not any(it.severity == "error" for it in all_of_them)

    def render(self, format: Literal["text", "json", "sarif", "github"] = "text") -> str:
        """Return the report in a format of ``hcl test --report``."""
        return _hclkit.render([it.diagnostic for it in self.findings] + self.diagnostics, format)

    def __repr__(self) -> str:
        return f"<Report of {', '.join(f'{count} {it}' for it, count in self.counts.items() if count) or 'nothing'}>"


def _report(found: tuple[list[Any], list[Diagnostic], list[tuple[str, int]]]) -> Report:
    findings, diagnostics, counts = found
    return Report([Finding(*it) for it in findings], diagnostics, dict(counts))


class Rules(_hclkit.Rules):
    """Rules of files ``*.rules.hcl``, of directories with such files, and of the package itself: ``"builtin:aws"``, ``"builtin:all"``.

    ``params`` sets parameters of the rules. Raises :class:`hclkit.HclError` for errors in them, and ``OSError`` for files that cannot be
    read.

    >>> import hclkit.policy
    >>> rules = hclkit.policy.Rules("builtin:tags", params={"required_tags": ["Owner"]})
    >>> "tags-required-aws" in rules.names
    True
    """

    def __new__(cls, *paths: str | os.PathLike[str], params: Mapping[str, Any] | None = None) -> Self:
        return super().__new__(cls, [os.fspath(it) for it in paths], [], params)

    @classmethod
    def of_text(cls, text: str, *, name: str = "text.rules.hcl", params: Mapping[str, Any] | None = None) -> Self:
        """Return the rules of a text."""
        return super().__new__(cls, [], [(name, text)], params)

    def check(
        self,
        *paths: str | os.PathLike[str],
        schema: str | os.PathLike[str] | None = None,
        readable: Iterable[str | os.PathLike[str]] = (),
        limits: Limits | None = None,
    ) -> Report:
        """Apply the rules to files and directories, whose modules are evaluated. Variables without a value are unknown.

        ``schema`` is a file with the output of ``terraform providers schema -json``; modules may read their repository and what
        ``readable`` lists.
        """
        return _report(self._check(list(paths), schema, list(readable), limits))

    def check_texts(
        self,
        files: Mapping[str, str],
        *,
        variables: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> Report:
        """Apply the rules to files that are only texts, by their paths, such as ``"main.tf"`` and ``"modules/net/main.tf"``."""
        return _report(self._check_texts(list(files.items()), variables, limits))

    def test(self, *, limits: Limits | None = None) -> Report:
        """Run the tests of the rules."""
        return _report(self._test(limits))
