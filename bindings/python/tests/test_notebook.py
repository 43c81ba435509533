"""The notebook runs, cell by cell, and its last values have the displays of Jupyter."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")
import matplotlib

REPOSITORY = Path(__file__).parents[3]
NOTEBOOK = REPOSITORY / "bindings" / "python" / "examples" / "module.ipynb"


def shown(source: str, names: dict[str, Any]) -> Any:
    """Runs a cell, and returns the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def test_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    matplotlib.use("agg")
    monkeypatch.chdir(REPOSITORY)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")
    names: dict[str, Any] = {}
    values = [shown(source, names) for source in sources]
    assert ("resource", "service", "app") in values[0] or len(values[0]) > 3
    assert "<table>" in values[1]._repr_html_() and "output.replicas" in values[1]._repr_html_()
    assert "sensitive" in values[1]._repr_html_()
    assert "output.replicas" in capsys.readouterr().out
    assert "<pre" in values[3]._repr_html_()
    assert values[4] == len(names["graph"].nodes) > 5
    # It is drawn, with a text for each node.
    values[5].canvas.draw()
    assert len(names["axes"].texts) >= len(names["places"])
