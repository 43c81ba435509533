"""The report of the guide: what is in it, and that the text of repositories cannot become markup."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("matplotlib")
from test_tables import ROWS

REPORT = Path(__file__).parents[1] / "examples" / "report.py"


def test_report(tmp_path: Path) -> None:
    for repo, _, path, text in ROWS:
        file = tmp_path / "repos" / repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "repos" / "evil.tf").write_text('variable "v" {}\nmodule "<script>" {\n  source = "git::https://x/<img>"\n}\n')
    outs = [tmp_path / "one.html", tmp_path / "two.html"]
    for out in outs:
        subprocess.run([sys.executable, REPORT, tmp_path / "repos", out], check=True)
    text, second = (out.read_text(encoding="utf-8") for out in outs)
    assert text == second
    assert "aws_s3_bucket" in text and "terraform-aws-modules/vpc/aws" in text and "Unclosed" in text
    assert "<script" not in text and "<img" not in text and "&lt;script&gt;" in text
    # Nothing is fetched when it is shown.
    assert "src=" not in text and "<link" not in text and "canary7c1d" not in text
    plots = [part.partition("</svg>")[0] for part in text.split("<svg")[1:]]
    assert len(plots) == 4
    for plot in plots:
        xml.etree.ElementTree.fromstring("<svg" + plot + "</svg>")
