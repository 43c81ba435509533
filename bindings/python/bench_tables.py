"""Makes collections of files for measuring `hcl tables`, as in docs/scale.md.

python bench_tables.py make CORPUS OUT.parquet 100000    30 % of the files are duplicates, 1 % are broken
python bench_tables.py unpack OUT.parquet DIR            the same as files on disk
python bench_tables.py spark OUT.parquet DIR             all tables in PySpark with two threads, in one pass
python bench_tables.py spark-each OUT.parquet DIR        the same, a pass for each table
python bench_tables.py compare OUT.parquet DIR           one process after the other: `hcl tables` and what Python has, with processor and memory
python bench_tables.py peer OUT.parquet 1000             the same files with python-hcl2, as rows of attributes
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pyarrow
import pyarrow.parquet

ENDINGS = (".tf", ".tf.json", ".hcl", ".tfvars", ".nomad")


def corpus(root: str) -> list[tuple[str, bytes]]:
    paths = sorted(path for path in Path(root).rglob("*") if path.name.endswith(ENDINGS) and path.is_file())
    found = ((path.name, path.read_bytes()) for path in paths)
    return [(name, text) for name, text in found if 0 < len(text) < 1 << 20]


def make(root: str, out: str, count: int) -> None:
    files = corpus(root)
    dice = random.Random(1)
    schema = pyarrow.schema([("repo", "string"), ("commit", "string"), ("path", "string"), ("content", "binary")])
    kept: list[tuple[str, bytes]] = []
    size = 0
    with pyarrow.parquet.ParquetWriter(out, schema) as writer:
        for first in range(0, count, 10_000):
            rows = []
            for at in range(first, min(first + 10_000, count)):
                if kept and dice.random() < 0.3:
                    name, text = dice.choice(kept)
                else:
                    name, text = dice.choice(files)
                    # Each is another content, also for those who keep what they have parsed.
                    if not name.endswith(".json"):
                        text = text + b"# %d\n" % at
                    if dice.random() < 0.0145:
                        text = text[: dice.randrange(len(text))] + b' = [ "'
                    if len(kept) < 20_000:
                        kept.append((name, text))
                size += len(text)
                rows.append((f"org/repo{at // 25}", f"{at // 25:040x}", f"m{at % 25}/{name}", text))
            columns = [pyarrow.array(column, field.type) for column, field in zip(zip(*rows), schema)]
            writer.write_table(pyarrow.table(columns, schema=schema))
    print(f"{count} files, {size} bytes, from {len(files)} of the corpus")


def unpack(source: str, root: str) -> None:
    for batch in pyarrow.parquet.ParquetFile(source).iter_batches():
        for row in batch.to_pylist():
            path = Path(root, row["repo"], row["path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(row["content"])


def spark(source: str, out: str, each: bool) -> None:
    start = time.monotonic()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    import hclkit.spark
    from hclkit._hclkit import table_names

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    print(f"started in {time.monotonic() - start:.1f} s")
    files = session.read.parquet(source)
    if each:
        for table in table_names(evaluated=False):
            rows = files.mapInArrow(hclkit.spark.mapper(table), hclkit.spark.schema(table))
            rows.write.mode("overwrite").parquet(f"{out}/{table}")
    else:
        written = files.mapInArrow(hclkit.spark.writer(out, overwrite=True), hclkit.spark.WRITTEN).collect()
        print(f"{sum(row.rows for row in written)} rows")
    print(f"{time.monotonic() - start:.1f} s with the start")
    session.stop()


WAYS = {
    "`hcl tables`, in Parquet": "",
    "`batches` of all tables": "sum(len(batch) for _, batch in hclkit.tables(source).batches())",
    "`duckdb.register`, on disk": "import duckdb, hclkit.duckdb\nhclkit.duckdb.register(duckdb.connect(f'{out}/own.duckdb'), source)",
    "`polars.scan` of `attributes`": "import hclkit.polars\nhclkit.polars.scan(source, 'attributes').collect()",
    "`polars.scan` of all tables, one after the other": """
import hclkit.polars
from hclkit._hclkit import table_names
for it in table_names(evaluated=False):
    hclkit.polars.scan(source, it).collect()
""",
    "Spark, `local[2]`, all tables in one pass, in Parquet": "import bench_tables\nbench_tables.spark(source, f'{out}/spark', False)",
}
PROGRAM = "import sys\nimport hclkit\nsource, out = sys.argv[1:]\n{}"


def compare(source: str, out: str) -> None:
    Path(out).mkdir()
    print("| | time | processor | most memory |\n| --- | --- | --- | --- |")
    for way, program in WAYS.items():
        command = [sys.executable, "-c", PROGRAM.format(program), source, out]
        command = command if program else ["hcl", "tables", "-q", "--out", f"{out}/hcl", source]
        start = time.monotonic()
        running = subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        processor, memory = 0.0, 0
        while running.poll() is None:
            now = usage(running.pid)
            processor, memory = max(processor, now[0]), max(memory, now[1])
            time.sleep(0.02)
        seconds = time.monotonic() - start
        if running.returncode:
            raise SystemExit(f"{way}: exit code {running.returncode}")
        print(f"| {way} | {seconds:.1f} s | {processor:.1f} s | {memory // 1_000_000} MB |", flush=True)


def usage(root: int) -> tuple[float, int]:
    """The processor time of a process and those that it started, and their memory now. Pages that they share count once."""
    parents: dict[int, list[int]] = {}
    times: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        own = int(path.parent.name)
        parents.setdefault(int(fields[1]), []).append(own)
        # Also of those that have ended.
        times[own] = sum(map(int, fields[11:15]))
    pending, found = [root], [0, 0]
    while pending:
        own = pending.pop()
        pending += parents.get(own, [])
        found[0] += times.get(own, 0)
        try:
            lines = Path(f"/proc/{own}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        found[1] += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return found[0] / os.sysconf("SC_CLK_TCK"), found[1]


def peer(source: str, count: int) -> None:
    import hcl2

    start = time.monotonic()
    files = size = broken = rows = 0
    for batch in pyarrow.parquet.ParquetFile(source).iter_batches():
        for row in batch.to_pylist():
            if files == count:
                seconds = time.monotonic() - start
                print(f"python-hcl2: {files} files, {size} bytes, {broken} broken, {rows} rows in {seconds:.1f} s")
                return
            files += 1
            size += len(row["content"])
            try:
                rows += len(flat(hcl2.loads(row["content"].decode())))
            except Exception:
                broken += 1


def flat(value: object, path: str = "") -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [found for name, inner in value.items() for found in flat(inner, f"{path}.{name}")]
    if isinstance(value, list):
        return [found for inner in value for found in flat(inner, path)]
    return [(path, value)]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", root, out, count]:
            make(root, out, int(count))
        case ["unpack", source, root]:
            unpack(source, root)
        case ["spark" | "spark-each" as how, source, out]:
            spark(source, out, how == "spark-each")
        case ["compare", source, out]:
            compare(os.path.abspath(source), os.path.abspath(out))
        case ["peer", source, count]:
            peer(source, int(count))
        case _:
            print(__doc__)
