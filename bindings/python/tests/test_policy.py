"""Rules: what ``hcl test`` says, as objects."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import hclkit
from hclkit.policy import Finding, Report, Rules

RULE = """
param "names" {
  type    = list(string)
  default = ["a"]
}

rule "name" {
  match     = "resource.terraform_data.*"
  condition = contains(param.names, self.input)
  message   = "The name ${self.input} is not one of ${join(", ", param.names)}."

  fix {
    set = { input = param.names[0] }
  }
}

test "name" {
  source = "resource \\"terraform_data\\" \\"x\\" {\\n  input = \\"a\\"\\n}\\n"
}
"""

MODULE = """
variable "unknown" {}
variable "secret" {
  default   = "CANARY"
  sensitive = true
}
resource "terraform_data" "good" { input = "a" }
resource "terraform_data" "bad" { input = "b" }
resource "terraform_data" "open" { input = var.unknown }
resource "terraform_data" "secret" { input = var.secret }
# hcl: ignore name It has always been so.
resource "terraform_data" "ignored" { input = "c" }
# hcl: ignore name
resource "terraform_data" "fine" { input = "a" }
"""


def outcomes(report: Report) -> list[tuple[str, str]]:
    return [(it.address, it.outcome) for it in report.findings]


EXPECTED = [
    ("terraform_data.bad", "failed"),
    ("terraform_data.open", "unknown"),
    ("terraform_data.secret", "failed"),
]


def test_directories(tmp_path: Path) -> None:
    """Files and directories on disk, and texts, have the same findings."""
    (tmp_path / "main.tf").write_text(MODULE)
    (tmp_path / "own.rules.hcl").write_text(RULE)
    rules = Rules(tmp_path)
    assert rules.names == ["name"] and len(rules) == 1
    report = rules.check(tmp_path)
    assert outcomes(report) == EXPECTED
    assert report.counts == {"passed": 2, "failed": 2, "errored": 0, "unknown": 1, "skipped": 1}
    assert not report.ok
    assert outcomes(rules.check(tmp_path / "main.tf")) == EXPECTED
    assert outcomes(rules.check_texts({"main.tf": MODULE})) == EXPECTED
    [unused] = report.diagnostics
    assert unused.code == "unused-ignore" and unused.severity == "warning"
    bad, unknown, secret = report.findings
    assert bad.message == "The name b is not one of a." and bad.severity == "error"
    assert bad.range is not None and bad.range.start.line == 8
    assert bad.diagnostic.fix is not None and bad.reason is None
    assert unknown.reason is not None and "var.unknown" in unknown.reason
    assert "CANARY" not in "".join(report.render(it) for it in ("text", "json", "sarif", "github")) + repr(report.findings)
    match bad:
        case Finding(rule, address, "failed"):
            assert (rule, address) == ("name", "terraform_data.bad")
        case _:
            raise AssertionError
    assert repr(report) == "<Report of 2 passed, 2 failed, 1 unknown, 1 skipped>"
    assert bad == rules.check(tmp_path).findings[0] and bad != secret


def test_parameters_and_variables() -> None:
    """They are values of Python."""
    rules = Rules.of_text(RULE, params={"names": ["b", "x"]})
    report = rules.check_texts({"main.tf": MODULE}, variables={"unknown": "x"})
    assert "terraform_data.open" not in dict(outcomes(report))
    assert ("terraform_data.good", "failed") in outcomes(report)
    for params in ({"names": 1}, {"none": 1}):
        with pytest.raises(hclkit.HclError) as caught:
            Rules.of_text(RULE, params=params)
        assert caught.value.diagnostics


def test_errors(tmp_path: Path) -> None:
    """Errors in rules and paths are exceptions, and those in files are diagnostics."""
    with pytest.raises(hclkit.HclError, match="condition"):
        Rules.of_text('rule "a" {\n  match = "x"\n  message = ""\n}\n')
    with pytest.raises(hclkit.HclError, match="builtin:none"):
        Rules("builtin:none")
    with pytest.raises(hclkit.HclError, match="no rules"):
        Rules(tmp_path)
    with pytest.raises(FileNotFoundError):
        Rules(tmp_path / "none.rules.hcl")
    with pytest.raises(FileNotFoundError):
        Rules.of_text(RULE).check(tmp_path / "none")
    report = Rules.of_text(RULE).check_texts({"main.tf": "a = = 1\n"})
    assert report.findings == [] and not report.ok and report.diagnostics[0].range is not None
    assert Rules.of_text(RULE).check_texts({}).ok


def test_tests() -> None:
    """Tests of rules run."""
    assert Rules.of_text(RULE).test().counts["passed"] == 1
    assert Rules("builtin:all").test().ok
    wrong = Rules.of_text(RULE, name="a.rules.hcl", params={"names": ["b"]}).test()
    assert not wrong.ok and wrong.counts["failed"] == 1


def test_limits() -> None:
    """Rules are within limits."""
    rule = 'rule "a" {\n  match = "resource.*.*"\n  condition = length([for a in range(1024): [for b in range(1024): a]]) == 0\n  message = ""\n}\n'
    report = Rules.of_text(rule).check_texts({"main.tf": MODULE}, limits=hclkit.Limits(steps=10_000))
    assert not report.ok


@pytest.mark.skipif(shutil.which("hcl") is None, reason="the program is not on the path")
def test_the_program_says_the_same(tmp_path: Path) -> None:
    """The JSON report of the program has the same diagnostics."""
    (tmp_path / "main.tf").write_text(MODULE)
    (tmp_path / "own.rules.hcl").write_text(RULE)
    ran = subprocess.run(["hcl", "test", "--report", "json", "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    of_program = {it["summary"] + it["detail"] for it in json.loads(ran.stdout)["diagnostics"]}
    report = Rules(tmp_path).check(tmp_path)
    of_package = {it.message + it.note for it in [it.diagnostic for it in report.findings] + report.diagnostics}
    assert of_program == of_package
