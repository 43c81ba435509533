"""Tables in Spark: the same rows as in pyarrow, from rows of files and from directories."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hclkit
import hclkit.spark

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
import pyarrow
from test_tables import ROWS, tables

if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


def expected(table: str) -> list[tuple[Any, ...]]:
    found = pyarrow.table(tables()[table]).to_pylist()
    return sorted((tuple(row.values()) for row in found), key=str)


@pytest.mark.parametrize("partitions", [1, 3])
def test_map_in_arrow(spark: Any, partitions: int) -> None:
    files = spark.createDataFrame(ROWS, "repo STRING, commit STRING, path STRING, content STRING")
    for table in ["module_calls", "attributes", "variables", "diagnostics"]:
        own = files.repartition(partitions).mapInArrow(hclkit.spark.mapper(table), hclkit.spark.schema(table))
        assert sorted((tuple(row) for row in own.collect()), key=str) == expected(table), table


def test_data_source(spark: Any, tmp_path: Path) -> None:
    for repo, _, path, text in ROWS:
        file = tmp_path / repo.replace("/", "-") / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    spark.dataSource.register(hclkit.spark.data_source())
    own = spark.read.format("hcl").option("table", "blocks").load(str(tmp_path))
    found = sorted((row.address, row.start_line, tuple(row.labels)) for row in own.collect())
    blocks = pyarrow.table(hclkit.tables(tmp_path).blocks).to_pylist()
    assert found == sorted((row["address"], row["start_line"], tuple(row["labels"])) for row in blocks)
    assert len(found) > 10
