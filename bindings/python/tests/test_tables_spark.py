"""Tables in Spark: the same rows as in pyarrow, from rows of files and from directories."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hclkit
import hclkit.spark

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
import pyarrow
from test_tables import ROWS, questions, tables

if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    # Otherwise, workers are the first `python3` of the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Two threads, and three attempts for each task: with `local[2]`, there is one.
    builder = SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2")
    # Double quotes are for names, as in standard SQL.
    builder = builder.config("spark.sql.ansi.enabled", "true")
    session = builder.config("spark.sql.ansi.doubleQuotedIdentifiers", "true").getOrCreate()
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


@pytest.mark.parametrize("partitions", [1, 4])
def test_evaluated_tables(spark: Any, partitions: int) -> None:
    files = spark.createDataFrame(ROWS, "repo STRING, commit STRING, path STRING, content STRING")
    files = files.repartition(partitions)
    for table in ["instances", "values"]:
        with pytest.raises(ValueError, match="applyInArrow"):
            hclkit.spark.mapper(table)
        own = files.groupBy("repo", "commit").applyInArrow(hclkit.spark.grouped(table), hclkit.spark.schema(table))
        found = sorted((tuple(row) for row in own.collect()), key=str)
        assert found == expected(table) and len(found) >= 8, table


def test_a_killed_task_gives_the_same_rows(spark: Any, tmp_path: Path) -> None:
    files = spark.createDataFrame(ROWS, "repo STRING, commit STRING, path STRING, content STRING").repartition(2)
    run, killed = hclkit.spark.mapper("attributes"), tmp_path / "killed"

    def fails_once(batches: Any) -> Any:
        for batch in run(batches):
            yield batch
            try:
                os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            # The worker dies after it has given rows.
            os.kill(os.getpid(), signal.SIGKILL)

    own = files.mapInArrow(fails_once, hclkit.spark.schema("attributes"))
    assert sorted((tuple(row) for row in own.collect()), key=str) == expected("attributes")
    assert killed.exists()


def test_writer(spark: Any, tmp_path: Path) -> None:
    files = spark.createDataFrame(ROWS, "repo STRING, commit STRING, path STRING, content STRING").repartition(3)
    out, killed = tmp_path / "tables", tmp_path / "killed"
    run = hclkit.spark.writer(out)

    def fails_once(batches: Any) -> Any:
        for batch in run(batches):
            try:
                os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
                continue
            # The worker dies after it has written its files.
            os.kill(os.getpid(), signal.SIGKILL)

    found = files.mapInArrow(fails_once, hclkit.spark.WRITTEN).collect()
    assert killed.exists() and len({row.file for row in found}) == len(found)
    for table in {row.table for row in found}:
        own = spark.read.parquet(str(out / table))
        assert sorted((tuple(row) for row in own.collect()), key=str) == expected(table), table
        assert sum(row.rows for row in found if row.table == table) == own.count()
    assert len({row.table for row in found}) == 10


def test_the_questions_have_the_same_answers(spark: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    import hclkit.duckdb

    connection = duckdb.connect()
    files = spark.createDataFrame(ROWS, "repo STRING, commit STRING, path STRING, content STRING")
    for name in hclkit.duckdb.register(connection, ROWS):
        if name not in ("instances", "values"):
            own = files.mapInArrow(hclkit.spark.mapper(name), hclkit.spark.schema(name))
            own.cache().createOrReplaceTempView(name)
    for question in questions():
        found = [tuple(row) for row in spark.sql(question).collect()]
        assert found == connection.execute(question).fetchall(), question


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
