"""Tables of files: the same rows in pyarrow, Polars, DuckDB and DataFusion, and the questions of the guide."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import hclkit
import hclkit.spark
from hclkit import _hclkit

pytest.importorskip("pyarrow")
import pyarrow
import pyarrow.parquet

BOOK = Path(__file__).parents[3] / "docs" / "book" / "src" / "tables.md"

# Files of two repositories, and the rows of the answers. The program hcl-sql is tested with the same.
QUESTIONS = Path(__file__).parents[3] / "tests" / "questions"


def recorded(name: str) -> list[Any]:
    return [json.loads(line) for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines()]


ROWS: list[tuple[str, str, str, str]] = [tuple(row.values()) for row in recorded("files.ndjson")]


def tables() -> hclkit.Tables:
    return hclkit.tables(ROWS)


def rows(table: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.table(table).to_pylist()
    return found


def questions() -> list[str]:
    text = BOOK.read_text(encoding="utf-8")
    return re.findall(r"```sql\n(.*?)```", text, flags=re.DOTALL)


def test_streams_have_rows() -> None:
    calls = rows(tables()["module_calls"])
    assert [(row["repo"], row["path"], row["name"]) for row in calls[:2]] == [
        ("acme/shop", "envs/dev/main.tf", "net"),
        ("acme/shop", "envs/dev/main.tf", "vpc"),
    ]
    assert len(calls) == 8
    assert [row["commit"] for row in calls[-1:]] == ["c1"]
    # A table can be read again, and has columns of its own.
    own = tables().blocks.select(["address", "path"])
    assert own.columns == ["address", "path"]
    assert pyarrow.table(own) == pyarrow.table(own)
    assert pyarrow.schema(own).names == ["address", "path"]
    assert pyarrow.table(tables()["blocks"]).select(["address", "path"]) == pyarrow.table(own)


def test_names() -> None:
    assert "blocks" in tables() and len(tables()) == 12
    with pytest.raises(KeyError):
        tables()["nothing"]
    with pytest.raises(AttributeError):
        tables().nothing  # noqa: B018
    with pytest.raises(ValueError):
        tables().blocks.select(["nothing"])


@pytest.mark.parametrize("shape", ["dicts", "table", "reader", "parquet", "ndjson", "disk", "iterator"])
def test_all_inputs_have_the_same_rows(shape: str, tmp_path: Path) -> None:
    names = ["repo", "commit", "path", "content"]
    dicts = [dict(zip(names, row, strict=True)) for row in ROWS]
    arrow = pyarrow.Table.from_pylist(dicts)
    expected = pyarrow.table(tables().attributes)
    given: Any
    match shape:
        case "dicts":
            given = dicts
        case "table":
            given = arrow
        case "reader":
            given = arrow.to_batches()[0]
        case "parquet":
            given = tmp_path / "files.parquet"
            pyarrow.parquet.write_table(arrow, given)
        case "ndjson":
            given = tmp_path / "files.ndjson"
            given.write_text("".join(json.dumps(row) + "\n" for row in dicts))
        case "iterator":
            given = iter(ROWS)
        case _:
            given = [tmp_path]
            for repo, _, path, text in ROWS:
                file = tmp_path / repo / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
    found = pyarrow.table(hclkit.tables(given).attributes)
    if shape == "disk":
        # Paths are those of the files, and directories are in the order of their names.
        columns = expected.column_names[3:]
        key = [(name, "ascending") for name in ["block", "name", "expression", "start_byte"]]
        assert found.select(columns).sort_by(key) == expected.select(columns).sort_by(key)
    else:
        assert found == expected


def test_columns_can_be_dictionaries() -> None:
    names = ["repo", "commit", "path", "content"]
    arrow = pyarrow.table(dict(zip(names, map(list, zip(*ROWS, strict=True)), strict=True)))
    encoded = pyarrow.table({name: arrow[name].combine_chunks().dictionary_encode() for name in names})
    assert rows(hclkit.tables(encoded).blocks) == rows(tables().blocks)
    none = pyarrow.array([None] * len(ROWS), pyarrow.string()).dictionary_encode()
    without = hclkit.tables(encoded.set_column(0, "repo", none)).blocks
    assert rows(without) == [row | {"repo": None} for row in rows(tables().blocks)]
    with pytest.raises(ValueError, match="expected text or bytes"):
        rows(hclkit.tables(arrow.set_column(2, "path", pyarrow.array(range(len(ROWS))))).blocks)


def test_batches_of_several_tables_are_read_in_one_pass() -> None:
    passes = 0

    class Counted:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            nonlocal passes
            passes += 1
            names = ["repo", "commit", "path", "content"]
            many = [(f"r{at}", "c", f"d{at}/main.tf", ROWS[at % len(ROWS)][3]) for at in range(3000)]
            return pyarrow.table(dict(zip(names, map(list, zip(*many, strict=True)), strict=True))).__arrow_c_stream__()

    own = hclkit.tables(Counted())
    names = hclkit.Tables.__iter__(own)
    for wanted in [(), ("locals", "blocks"), ("values",), tuple(names)]:
        passes = 0
        found: dict[str, list[Any]] = {}
        for name, batch in own.batches(*wanted):
            assert len(batch) == pyarrow.record_batch(batch).num_rows > 0
            found.setdefault(name, []).append(pyarrow.record_batch(batch))
        assert passes == (2 if len(wanted) == 12 else 1)
        assert set(found) == (set(wanted) or set(own) - {"instances", "values"})
        for name, batches in found.items():
            assert pyarrow.Table.from_batches(batches) == pyarrow.table(own[name]), name
    with pytest.raises(ValueError, match="expected one of files"):
        list(own.batches("nothing"))

    for wrong in [5, (None, None, "a.tf", 5), (None, "a.tf")]:
        with pytest.raises(TypeError, match="a file is a tuple of repository"):
            next(_hclkit.TableBatches(["files"], partial(iter, [wrong])))
    with pytest.raises(ValueError):
        next(_hclkit.TableBatches(["files"], lambda: iter([b"damaged"])))

    # Files that ask for batches of themselves.
    def circular() -> Iterator[Any]:
        yield None, None, "a.tf", next(parts)[0]

    parts: Any = hclkit.Tables(circular, variable_values=False, threads=None, limits=None).batches()
    with pytest.raises(ValueError, match="already executing|are being read"):
        next(parts)
    inner: Any = None
    inner = _hclkit.TableBatches(["files"], lambda: ((None, None, "a.tf", next(inner)[0]) for _ in range(2)))
    with pytest.raises(ValueError, match="are being read"):
        next(inner)

    def failing() -> Iterator[Any]:
        yield None, None, "a.tf", "a = 1\n"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(hclkit.Tables(failing, variable_values=False, threads=None, limits=None).batches())


def test_errors_of_rows_are_raised() -> None:
    def failing() -> Iterator[Any]:
        yield None, None, "a.tf", "a = 1\n"
        raise RuntimeError("no more")

    with pytest.raises(Exception, match="no more"):
        pyarrow.table(hclkit.ArrowTable("files", failing))
    with pytest.raises(Exception):
        pyarrow.table(hclkit.tables([("a.tf", 1)]).files)
    for given in [Path("/nowhere/main.tf"), [Path("/nowhere")]]:
        with pytest.raises(FileNotFoundError):
            hclkit.tables(given)


def test_tables_say_what_they_are() -> None:
    own = tables().module_calls.select(["name", "path"])
    assert repr(own) == "ArrowTable('module_calls', columns=['name', 'path'])"
    assert repr(tables()).startswith("Tables(['files', ")
    for name in tables():
        assert len(tables()[name]) == pyarrow.table(tables()[name]).num_rows, name


def test_tables_become_those_of_other_libraries() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    for name, own in tables().items():
        expected = pyarrow.table(own)
        assert own.to_arrow() == expected and own.to_arrow().schema == pyarrow.schema(own), name
        assert own.to_polars().equals(polars.DataFrame(expected)), name
        pandas.testing.assert_frame_equal(own.to_pandas(), expected.to_pandas())
        assert pyarrow.Table.from_batches(map(pyarrow.record_batch, own.batches()), pyarrow.schema(own)) == expected
    assert hclkit.tables([]).blocks.to_arrow().num_rows == len(hclkit.tables([]).blocks) == 0


@pytest.mark.parametrize("at_once", [0, 1 << 40])
def test_streams_can_be_read_below_functions_that_rust_calls(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries release the interpreter lock while they read a stream, also if a function called by an evaluation does so."""
    monkeypatch.setattr("hclkit._tables._READ_AT_ONCE", at_once)
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    many = [("r", None, f"m{at}/main.tf", f"locals {{\n  a = {at}\n}}\n") for at in range(2_000)]
    own = hclkit.tables(iter(many)).locals
    connection: Any = duckdb.connect()
    connection.register("own", own)
    reads: list[Callable[[], int]] = [
        lambda: int(pyarrow.table(own).num_rows),
        lambda: int(pyarrow.RecordBatchReader.from_stream(own).read_all().num_rows),
        lambda: int(polars.DataFrame(own).height),
        lambda: int(connection.execute("SELECT count(*) FROM own").fetchall()[0][0]),
        lambda: len(own),
    ]
    for read in reads:
        assert hclkit.evaluate("f()", functions={"f": read}) == 2_000
        assert hclkit.loads("a = 0.5\n", parse_float=lambda _: read()) == {"a": 2_000}  # noqa: B023

        def rows_of() -> Iterator[Any]:
            yield None, None, "a.tf", "# " + str(read())  # noqa: B023

        assert rows(hclkit.ArrowTable("files", rows_of, ["bytes"])) == [{"bytes": 6}]


def test_tables_without_pyarrow() -> None:
    program = """
import sys
sys.modules["pyarrow"] = None
import hclkit, hclkit._tables, polars
hclkit._tables._READ_AT_ONCE = 0
own = hclkit.tables([("r", None, f"{at}.tf", "a = 1") for at in range(3_000)]).attributes
assert polars.DataFrame(own).height == own.to_polars().height == len(own) == 3_000
"""
    pytest.importorskip("polars")
    subprocess.run([sys.executable, "-c", program], check=True)


def test_progress() -> None:
    seen: list[int] = []
    own = hclkit.tables(ROWS, progress=seen.append)
    blocks, values = own.blocks, own["values"]
    reads: list[Callable[[], Any]] = [blocks.to_arrow, lambda: len(blocks), lambda: list(own.batches()), lambda: list(values.batches())]
    for read in reads:
        seen.clear()
        read()
        assert seen and seen == sorted(seen) and seen[-1] == len(ROWS)

    def failing(_: int) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        hclkit.tables(ROWS, progress=failing).blocks.to_arrow()
    program = "import sys, hclkit; len(hclkit.tables([('r', None, 'a.tf', 'a = 1')], progress=True).files)"
    if importlib.util.find_spec("tqdm"):
        done = subprocess.run([sys.executable, "-c", program], check=True, stderr=subprocess.PIPE, text=True)
        assert "1 files [" in done.stderr
    without = program.replace("hclkit;", "hclkit; sys.modules['tqdm'] = None;")
    assert "needs the package tqdm" in subprocess.run([sys.executable, "-c", without], stderr=subprocess.PIPE, text=True).stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("read", ["pyarrow.table(own)", "polars.DataFrame(own)", "own.to_pandas()", "own.to_polars()", "len(own)"])
def test_interrupts_of_reads_are_interrupts(read: str) -> None:
    """Ctrl-C stops the reading of a table, and is not an error of the library that reads it."""
    program = f"""
import itertools, signal, hclkit, pandas, polars, pyarrow
signal.signal(signal.SIGINT, signal.default_int_handler)
def files():
    for at in itertools.count():
        if at == 5_000:
            print("start", flush=True)
        yield None, None, f"{{at}}.tf", "a = 1"
own = hclkit.ArrowTable("attributes", files)
try:
    {read}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    for package in ("pandas", "polars"):
        pytest.importorskip(package)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "start\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted\n"


def inputs_of(tmp_path: Path, kind: str) -> Path:
    """The same two modules, of which one calls the other, as a directory, an archive, a bare repository or lines of JSON."""
    texts = {
        "main.tf": 'variable "n" {\n  default = 2\n}\nmodule "net" {\n  source = "./net"\n  size   = var.n\n}\n',
        "net/main.tf": 'variable "size" {}\nlocals {\n  double = var.size * 2\n}\noutput "double" {\n  value = local.double\n}\n',
    }
    tree = tmp_path / "shop"
    for name, text in texts.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    match kind:
        case "tar.gz":
            given = tmp_path / "shop.tar.gz"
            with tarfile.open(given, "w:gz") as archive:
                for name in texts:
                    archive.add(tree / name, name)
            return given
        case "ndjson":
            given = tmp_path / "shop.ndjson"
            lines = [{"repo": "shop", "path": name, "content": text} for name, text in texts.items()]
            given.write_text("".join(json.dumps(line) + "\n" for line in lines))
            return given
        case "git":
            if shutil.which("git") is None:
                pytest.skip("git is not installed")
            own = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
            subprocess.run([*own, "init", "-q", tree], check=True)
            subprocess.run([*own, "-C", tree, "add", "."], check=True)
            subprocess.run([*own, "-C", tree, "commit", "-q", "-m", "First"], check=True)
            subprocess.run([*own, "clone", "-q", "--bare", tree, tmp_path / "shop.git"], check=True)
            return tmp_path / "shop.git"
        case _:
            return tree


@pytest.mark.parametrize("kind", ["directory", "tar.gz", "git", "ndjson"])
def test_all_kinds_of_paths_have_the_same_rows(kind: str, tmp_path: Path) -> None:
    given = inputs_of(tmp_path, kind)
    own = hclkit.tables([given])
    calls = [row["name"] for row in rows(own.module_calls)]
    assert calls == ["net"]
    values = {(row["address"], row["value"]) for row in rows(own["values"])}
    assert ("module.net.local.double", "4") in values and ("var.n", "2") in values
    if kind != "directory":
        assert {row["repo"] for row in rows(own.blocks)} == {"shop"}


def test_the_repository_of_files_on_disk_is_found(tmp_path: Path) -> None:
    inputs_of(tmp_path, "git")
    [own] = {row["repo"] for row in rows(hclkit.tables(tmp_path / "shop", repo_from="git").blocks)}
    assert own == "shop"
    pattern = hclkit.tables(tmp_path, repo_from=f"{tmp_path.name}/*", exclude=["*.git"])
    assert {(row["repo"], row["path"]) for row in rows(pattern.blocks)} == {("shop", "main.tf"), ("shop", "net/main.tf")}
    with pytest.raises(ValueError, match="repo_from: expected git, or a pattern"):
        hclkit.tables(tmp_path, repo_from="repos")
    with pytest.raises(ValueError, match="invalid glob"):
        hclkit.tables(tmp_path, include=["["])


def test_directories_are_searched_as_by_the_program(tmp_path: Path) -> None:
    for name in ["a.tf", "b.tf", ".terraform/c.tf", "ignored/d.tf", "notes.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("locals {\n  a = 1\n}\n")
    (tmp_path / ".hclignore").write_text("ignored/\nb.tf\n")

    def found(**options: Any) -> list[str]:
        own = rows(hclkit.tables(tmp_path, **options).files)
        return [str(Path(row["path"]).relative_to(tmp_path)) for row in own]

    assert found() == ["a.tf"]
    assert found(no_ignore=True) == ["a.tf", "b.tf", "ignored/d.tf"]
    assert found(hidden=True) == [".terraform/c.tf", "a.tf"]
    assert found(include=["*.txt"]) == ["notes.txt"]
    assert found(no_ignore=True, exclude=["ignored"]) == ["a.tf", "b.tf"]


def test_a_tree_is_evaluated_whatever_its_size(tmp_path: Path) -> None:
    """Directories on disk do not have to be in memory together: these have more bytes than a repository in memory may have."""
    comment = "# " + "x" * (1 << 20) + "\n"
    for number in range(70):
        (tmp_path / f"m{number}").mkdir()
        (tmp_path / f"m{number}/main.tf").write_text(f"{comment}locals {{\n  n = {number}\n}}\n")
    own = hclkit.tables(tmp_path)["values"]
    assert sorted(int(row["value"]) for row in rows(own)) == list(range(70))


def bare_repository(path: Path) -> None:
    """One without a commit."""
    for name in ("objects", "refs"):
        (path / name).mkdir(parents=True)
    (path / "HEAD").write_text("ref: refs/heads/main\n")


LIMITS: dict[str, Callable[[Path], Any]] = {
    "a large file": lambda root: (root / "large.tf").write_bytes(b"#" * ((64 << 20) + 1)),
    "an unreadable file": lambda root: (root / "link.tf").symlink_to(root / "nowhere.tf"),
    "a damaged archive": lambda root: (root / "a.tar.gz").write_bytes(b"no archive"),
    "an archive of another kind": lambda root: (root / "a.zip").write_bytes(b"PK"),
    "a damaged repository": lambda root: bare_repository(root / "a.git"),
    "lines that are no JSON": lambda root: (root / "a.ndjson").write_text("{\n"),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("table", list(hclkit.tables([])))
def test_nothing_is_left_out_in_silence(limit: str, table: str, tmp_path: Path) -> None:
    """Whatever table is read: what is left out is a warning, and a row of diagnostics."""
    LIMITS[limit](tmp_path)
    [given] = tmp_path.iterdir()
    if limit == "an unreadable file":
        given = tmp_path
    own = hclkit.tables(given)
    with pytest.warns(RuntimeWarning, match="not all rows"):
        rows(own[table])
    with pytest.warns(RuntimeWarning, match="not all rows"):
        list(own.batches(table))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(Exception, match="not all rows"):
            rows(own[table])
    with pytest.warns(RuntimeWarning):
        assert {row["code"] for row in rows(own.diagnostics)} & {"source-too-large", "unreadable-file"}


def test_a_repository_in_memory_has_a_limit(tmp_path: Path) -> None:
    many = [("a", None, f"{number}.tf", "#" * (40 << 20)) for number in range(2)]
    with pytest.warns(RuntimeWarning, match="a: .: the repository has more than"):
        assert not rows(hclkit.tables(many)["values"])
    batch = pyarrow.Table.from_pylist([dict(zip(("repo", "commit", "path", "content"), row, strict=True)) for row in many])
    with pytest.warns(RuntimeWarning, match="a: .: the repository has more than"):
        hclkit.spark.batch_mapper("values")(batch)


def test_no_secret_is_in_a_row() -> None:
    for name in tables():
        assert "canary7c1d" not in str(rows(tables()[name])), name
    assert "hunter2" in str(rows(tables().attributes))
    values = [(None, None, "x.tfvars", 'a = "canary7c1d"\n')]
    assert "canary7c1d" not in str(rows(hclkit.tables(values).attributes))
    assert "canary7c1d" in str(rows(hclkit.tables(values, variable_values=True).attributes))


def test_threads_and_order_do_not_matter() -> None:
    dice = random.Random(3)
    many = [(f"r{at % 9}", None, f"d{at}/main.tf", dice.choice(ROWS)[3] + f"# {at % 50}\n") for at in range(3000)]
    first = pyarrow.table(hclkit.tables(many, threads=1).references)
    assert pyarrow.table(hclkit.tables(many, threads=4).references) == first
    shuffled = many.copy()
    dice.shuffle(shuffled)
    key = [("repo", "ascending"), ("path", "ascending"), ("start_byte", "ascending")]
    found = pyarrow.table(hclkit.tables(shuffled).references)
    assert found.sort_by(key).to_pylist() == first.sort_by(key).to_pylist()


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    import hclkit.polars

    expected = pyarrow.table(tables().attributes)
    assert polars.DataFrame(tables().attributes).equals(polars.DataFrame(expected))
    lazy = hclkit.polars.scan(ROWS, "attributes")
    assert lazy.collect().equals(polars.DataFrame(expected))
    found = (
        lazy.filter((polars.col("name") == "source") & polars.col("path").str.starts_with("envs/"))
        .select("repo", "value")
        .collect()
    )
    own = [row for row in expected.to_pylist() if row["name"] == "source" and row["path"].startswith("envs/")]
    assert found.rows() == [(row["repo"], row["value"]) for row in own]
    assert lazy.head(3).collect().height == 3
    assert lazy.select(polars.len()).collect().item() == expected.num_rows


def test_conditions_on_paths_are_decided_before_files_are_read() -> None:
    polars = pytest.importorskip("polars")
    import hclkit.polars

    # A content of another type is an error, unless its row is left out.
    rows: list[tuple[Any, ...]] = [*ROWS, ("acme/other", "c9", "x/main.tf", 5), (None, None, "x/main.tf", 5)]
    lazy = hclkit.polars.scan(rows, "blocks")
    path, repo, kind = polars.col("path"), polars.col("repo"), polars.col("block_type")
    whole = polars.DataFrame(tables().blocks)
    names = ["repo", "commit", "path", "content"]
    arrow = pyarrow.Table.from_pylist([dict(zip(names, row, strict=True)) for row in ROWS])
    encoded = pyarrow.table({name: arrow[name].combine_chunks().dictionary_encode() for name in names})
    for condition in [
        path.str.starts_with("envs/"),
        (path == "modules/net/main.tf") & (kind == "output"),
        (kind == "output") & (repo.is_in(["acme/shop", "acme/site"]) & (path != "broken.tf")) & (polars.col("start_line") > 2),
        repo == "acme/shop",
        (repo == "acme/shop") & ((path == "envs/dev/main.tf") | (kind == "output")),
        repo.is_null() & path.str.starts_with("y"),
    ]:
        assert lazy.filter(condition).collect().equals(whole.filter(condition)), condition
        for own in [arrow, encoded]:
            found = hclkit.polars.scan(own, "blocks").filter(condition).collect()
            assert found.equals(whole.filter(condition)), condition
        # Without repositories.
        found = hclkit.polars.scan(arrow.drop_columns("repo"), "blocks").filter(condition).collect()
        own = whole.with_columns(polars.lit(None, polars.String).alias("repo")).filter(condition)
        assert found.equals(own), condition
    with pytest.raises(Exception):
        lazy.filter(kind == "output").collect()
    with pytest.raises(Exception):
        lazy.filter((repo == "acme/shop") | (kind == "output")).collect()
    values = hclkit.polars.scan(rows, "values").filter((repo == "acme/shop") & (path == "envs/dev")).collect()
    assert set(values["path"]) == {"envs/dev"} and set(values["commit"]) == {"c0"}


def test_evaluated_tables(tmp_path: Path) -> None:
    values = {(row["repo"], row["path"], row["address"], row["attribute"]): row for row in rows(tables()["values"])}
    assert values["acme/shop", "envs/dev", "local.name", ""]["value"] == '"eu-a"'
    # The module is in another directory of the same repository.
    assert values["acme/site", "envs/prod", "module.net.var.cidr", ""]["value"] == '"10.2.0.0/16"'
    assert values["acme/shop", "envs/dev", "var.secret", ""]["sensitive"]
    assert "canary7c1d" not in str(values)
    own = tables()["instances"]
    found = rows(own)
    assert {row["address"] for row in found} >= {"aws_s3_bucket.logs", "module.net.aws_vpc.main"}
    assert pyarrow.table(own.select(["path", "address"])).num_rows == len(found)
    for repo, _, path, text in ROWS:
        file = tmp_path / repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    on_disk = rows(hclkit.tables(tmp_path)["instances"])
    assert sorted(row["address"] for row in on_disk) == sorted(row["address"] for row in found)
    limited = rows(hclkit.tables(ROWS, limits=hclkit.Limits(steps=1))["values"])
    assert len(limited) <= len(values)


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    expected = rows(tables().module_calls)
    frame = pyarrow.table(tables().module_calls).to_pandas()
    assert frame.groupby("module").size().to_dict() == {"../../modules/net": 4, "terraform-aws-modules/vpc/aws": 4}
    assert [row["name"] for row in expected] == list(frame["name"])
    # A frame is rows of files, too.
    files = pandas.DataFrame(ROWS, columns=["repo", "commit", "path", "content"])
    assert rows(hclkit.tables(pyarrow.Table.from_pandas(files)).module_calls) == expected
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert pandas.DataFrame.from_arrow(tables().module_calls).shape == frame.shape


def test_dask() -> None:
    dask = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    import hclkit.spark

    files = pandas.DataFrame(ROWS, columns=["repo", "commit", "path", "content"])
    one = hclkit.spark.batch_mapper("module_calls")

    def run(part: Any) -> Any:
        return one(pyarrow.Table.from_pandas(part, preserve_index=False)).to_pandas()

    empty = run(files.head(0))
    found = dask.from_pandas(files, npartitions=3).map_partitions(run, meta=empty).compute(scheduler="threads")
    expected = pyarrow.table(tables().module_calls).to_pandas()
    key = ["repo", "path", "start_byte"]
    pandas.testing.assert_frame_equal(
        found.sort_values(key, ignore_index=True), expected.sort_values(key, ignore_index=True), check_dtype=False
    )


def test_ray() -> None:
    pytest.importorskip("ray")
    import ray
    import ray.data

    import hclkit.spark

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    try:
        names = ["repo", "commit", "path", "content"]
        files = pyarrow.Table.from_pylist([dict(zip(names, row, strict=True)) for row in ROWS])
        own = ray.data.from_arrow(files).repartition(3)
        found = own.map_batches(hclkit.spark.batch_mapper("module_calls"), batch_format="pyarrow").take_all()
    finally:
        ray.shutdown()
    expected = rows(tables().module_calls)
    assert sorted(map(str, found)) == sorted(map(str, expected))


def test_the_questions_have_the_same_answers() -> None:
    duckdb = pytest.importorskip("duckdb")
    datafusion = pytest.importorskip("datafusion")
    polars = pytest.importorskip("polars")
    import hclkit.duckdb

    connection = duckdb.connect()
    own = hclkit.duckdb.register(connection, ROWS)
    context = datafusion.SessionContext()
    frames = polars.SQLContext()
    for name in own:
        context.register_record_batches(name, [pyarrow.table(own[name]).to_batches()])
        frames.register(name, polars.DataFrame(own[name]))
    answers = []
    for question in questions():
        expected = connection.execute(question).fetchall()
        found = context.sql(question).to_arrow_table()
        assert [tuple(row.values()) for row in found.to_pylist()] == expected, question
        # Polars has no recursion.
        if "RECURSIVE" not in question:
            assert frames.execute(question, eager=True).rows() == expected, question
        answers.append(expected)
    assert len(answers) == 10 and all(answers)
    assert [[list(row) for row in answer] for answer in answers] == recorded("answers.ndjson")


def test_duckdb_keeps_old_tables_if_there_is_an_error() -> None:
    duckdb = pytest.importorskip("duckdb")
    import hclkit.duckdb

    connection = duckdb.connect()
    hclkit.duckdb.register(connection, ROWS, ["blocks", "values"], prefix="hcl_")
    count = "SELECT count(*) FROM hcl_blocks"
    before = connection.execute(count).fetchall()
    assert before[0][0] > 10 and connection.execute("SELECT count(*) FROM hcl_values").fetchall()[0][0] > 10
    for failing in [[*ROWS, ("r", "c", "a.tf", 5)], Path("nothing.parquet")]:
        with pytest.raises(Exception):
            hclkit.duckdb.register(connection, failing, ["blocks"], prefix="hcl_")
        assert connection.execute(count).fetchall() == before
    # In a transaction of the caller, who can still go back.
    connection.begin()
    hclkit.duckdb.register(connection, ROWS[:1], ["blocks"], prefix="hcl_")
    assert connection.execute(count).fetchall() < before
    connection.rollback()
    assert connection.execute(count).fetchall() == before


def test_duckdb_tables_are_views_or_tables(tmp_path: Path) -> None:
    """Whatever the database is and was before, the rows are the same, and nothing else is left on disk."""
    duckdb = pytest.importorskip("duckdb")
    import hclkit.duckdb

    query = "SELECT * FROM \"a\"\"blocks\" ORDER BY ALL"
    kinds = "SELECT table_type FROM information_schema.tables WHERE table_name = 'a\"blocks'"
    memory, file = duckdb.connect(), duckdb.connect(str(tmp_path / "own.db"))
    expected = None
    for connection, directory, kind in [
        (memory, None, "VIEW"),
        (file, None, "BASE TABLE"),
        (memory, tmp_path / "kept", "VIEW"),
        (file, tmp_path / "it's", "VIEW"),
        (file, None, "BASE TABLE"),
    ]:
        hclkit.duckdb.register(connection, ROWS, ["blocks"], prefix='a"', directory=directory)
        found = connection.execute(query).fetchall()
        assert found == (expected or found) and len(found) > 10
        expected = found
        assert connection.execute(kinds).fetchall() == [(kind,)]
        assert directory is None or [own.name for own in directory.iterdir()] == ["blocks.parquet"]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = (
        "import duckdb, hclkit.duckdb\n"
        "connection = duckdb.connect()\n"
        "hclkit.duckdb.register(connection, [('a', None, 'a.tf', 'b {}')], ['blocks'])\n"
        "assert connection.sql('SELECT count(*) FROM blocks').fetchall() == [(1,)]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "TMPDIR": str(temporary)})
    assert not list(temporary.iterdir())


def test_spark_writer(tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    import hclkit.spark

    names = ["repo", "commit", "path", "content"]
    files = pyarrow.Table.from_pylist([dict(zip(names, row, strict=True)) for row in ROWS])
    outs: list[str | Path] = [tmp_path / "a", (tmp_path / "b").as_uri()]
    for out in outs:
        run = hclkit.spark.writer(out)
        [written] = run(files.to_batches(max_chunksize=2))
        for row in written.to_pylist():
            found = pyarrow.parquet.read_table(row["file"].removeprefix("file://"))
            assert found.to_pylist() == rows(tables()[row["table"]]) and row["rows"] == found.num_rows
        assert len(written) == 10
        with pytest.raises(FileExistsError, match="overwrite"):
            hclkit.spark.writer(out)
    before = sorted((tmp_path / "a").rglob("*"))
    with pytest.raises(ValueError, match="no column"):
        list(run(files.select(["path"]).to_batches()))

    def failing() -> Iterator[Any]:
        yield from files.to_batches()
        raise RuntimeError("no more")

    # An error leaves no files, and none of the old ones changes.
    with pytest.raises(RuntimeError, match="no more"):
        list(hclkit.spark.writer(tmp_path / "a", ["blocks"], overwrite=True)(failing()))
    after = sorted((tmp_path / "a").rglob("*"))
    assert [path for path in before if path not in after] == [tmp_path / "a" / "blocks" / "part-00000.parquet"]
    with pytest.raises(ValueError, match="applyInArrow"):
        hclkit.spark.writer(tmp_path / "c", ["values"])


def test_spark_functions() -> None:
    import hclkit.spark

    names = ["repo", "commit", "path", "content"]
    files = pyarrow.Table.from_pylist([dict(zip(names, row, strict=True)) for row in ROWS])
    expected = pyarrow.table(tables().blocks)
    for size in [1, 3, 100]:
        batches = list(hclkit.spark.mapper("blocks")(files.to_batches(max_chunksize=size)))
        assert pyarrow.Table.from_batches(batches).to_pylist() == expected.to_pylist()
    assert hclkit.spark.batch_mapper("blocks")(files.to_batches()[0]).to_pylist() == expected.to_pylist()
    ddl = hclkit.spark.schema("blocks")
    assert ddl.startswith("`repo` STRING, `commit` STRING, `path` STRING NOT NULL, `address` STRING NOT NULL")
    assert "`labels` ARRAY<STRING> NOT NULL" in ddl and "`start_line` BIGINT NOT NULL" in ddl
    with pytest.raises(ValueError, match="no column `content`"):
        hclkit.spark.batch_mapper("blocks")(files.select(["path"]).to_batches()[0])
