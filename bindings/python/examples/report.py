"""A report about repositories in one HTML file, with plots: `python report.py PATH… report.html`. PATH is what `hclkit.tables` takes.

Needs duckdb, matplotlib and pyarrow.
"""

from __future__ import annotations

import html
import io
import sys
from pathlib import Path

import duckdb
import matplotlib

matplotlib.use("svg")
# The same report has the same bytes.
matplotlib.rcParams["svg.hashsalt"] = "hclkit"

import hclkit.duckdb
from matplotlib import pyplot

TABLES = ["files", "blocks", "module_calls", "providers", "variables", "outputs", "diagnostics"]

BARS = {
    "Resources by type": """
        SELECT type, count(*) AS count FROM blocks WHERE mode = 'managed' GROUP BY type ORDER BY count DESC, type LIMIT 15""",
    "Calls by module": """
        SELECT module, count(*) AS count FROM module_calls WHERE module IS NOT NULL
        GROUP BY module ORDER BY count DESC, module LIMIT 15""",
    "Required providers": """
        SELECT concat_ws(' ', source, version) AS provider, count(*) AS count FROM providers
        WHERE kind = 'required' AND source IS NOT NULL GROUP BY ALL ORDER BY count DESC, provider LIMIT 15""",
    "Size of files in lines": """
        SELECT label, count(*) AS count FROM (
          SELECT CASE WHEN lines < 10 THEN '1: below 10' WHEN lines < 100 THEN '2: below 100'
            WHEN lines < 1000 THEN '3: below 1,000' ELSE '4: more' END AS label FROM files)
        GROUP BY label ORDER BY label""",
}

LISTS = {
    "Calls that are not pinned": "SELECT repo, path, name, module_source FROM module_calls WHERE NOT pinned ORDER BY ALL LIMIT 100",
    "Variables without a description": """
        SELECT repo, path, name FROM variables WHERE description IS NULL ORDER BY ALL LIMIT 100""",
    "Errors": "SELECT repo, path, start_line, summary FROM diagnostics WHERE severity = 'error' ORDER BY ALL LIMIT 100",
}


def bars(rows: list[tuple[str, int]]) -> str:
    """A plot as SVG."""
    figure, axes = pyplot.subplots(figsize=(8, 0.4 + 0.3 * len(rows)), layout="constrained")
    bar = axes.barh([str(label) for label, _ in reversed(rows)], [count for _, count in reversed(rows)], color="#5c4ee5")
    axes.bar_label(bar, padding=3)
    axes.spines[["top", "right"]].set_visible(False)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]


def table(names: list[str], rows: list[tuple[object, ...]]) -> str:
    def row(kind: str, cells: list[object]) -> str:
        shown = ("" if cell is None else html.escape(str(cell)) for cell in cells)
        return "<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in shown) + "</tr>"

    return "<table>" + row("th", list(names)) + "".join(row("td", list(cells)) for cells in rows) + "</table>"


def report(paths: list[str]) -> str:
    connection = duckdb.connect()
    hclkit.duckdb.register(connection, paths, TABLES)
    [counts] = connection.execute(
        "SELECT count(*), count(DISTINCT repo), coalesce(sum(lines), 0), count(*) FILTER (errors > 0) FROM files"
    ).fetchall()
    parts = ["<h1>HCL</h1>", table(["files", "repositories", "lines", "files with errors"], [counts])]
    for title, query in BARS.items():
        rows = connection.execute(query).fetchall()
        parts.append(f"<h2>{title}</h2>" + (bars(rows) if rows else "<p>None.</p>"))
    for title, query in LISTS.items():
        found = connection.execute(query)
        names, rows = [column[0] for column in found.description or []], found.fetchall()
        parts.append(f"<h2>{title}</h2>" + (table(names, rows) if rows else "<p>None.</p>"))
    style = "body{font:14px sans-serif;margin:2em}td,th{border:1px solid #ddd;padding:2px 8px;text-align:left}"
    style += "table{border-collapse:collapse}"
    return f'<!doctype html><meta charset="utf-8"><title>HCL</title><style>{style}</style>' + "\n".join(parts) + "\n"


if __name__ == "__main__":
    *given, out = sys.argv[1:]
    Path(out).write_text(report(given), encoding="utf-8")
