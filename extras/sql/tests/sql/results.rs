//! The formats of results, where they are written, and exit codes.

use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::program::{Folder, lines};

const QUERY: &str = "SELECT * FROM (VALUES (1, 'a, \"b\"', true, make_array('x', NULL)), (2, '', NULL, NULL), (3, NULL, false, make_array())) AS t(n, t, b, l)";

fn folder() -> Folder {
    Folder::with(&[("main.tf", "variable \"a\" {}\n")])
}

#[test]
fn formats() {
    let folder = folder();
    for (format, expected) in [
        ("table", "N  T       B      L\n1  a, \"b\"  true   [\"x\",null]\n2\n3          false  []\n"),
        ("csv", "n,t,b,l\r\n1,\"a, \"\"b\"\"\",true,\"[\"\"x\"\",null]\"\r\n2,\"\",,\r\n3,,false,[]\r\n"),
        (
            "tsv",
            "n\tt\tb\tl\r\n1\t\"a, \"\"b\"\"\"\ttrue\t\"[\"\"x\"\",null]\"\r\n2\t\"\"\t\t\r\n3\t\tfalse\t[]\r\n",
        ),
        (
            "ndjson",
            "{\"n\":1,\"t\":\"a, \\\"b\\\"\",\"b\":true,\"l\":[\"x\",null]}\n{\"n\":2,\"t\":\"\",\"b\":null,\"l\":null}\n{\"n\":3,\"t\":null,\"b\":false,\"l\":[]}\n",
        ),
        (
            "json",
            "[\n{\"n\":1,\"t\":\"a, \\\"b\\\"\",\"b\":true,\"l\":[\"x\",null]},\n{\"n\":2,\"t\":\"\",\"b\":null,\"l\":null},\n{\"n\":3,\"t\":null,\"b\":false,\"l\":[]}\n]\n",
        ),
    ] {
        let ran = folder.sql(&["--output", format, QUERY]);
        assert_eq!((ran.code, &*ran.out, &*ran.errors), (0, expected, ""), "{format}");
        // The same in a file.
        let ran = folder.sql(&["--output", format, "--out", "result", QUERY]);
        assert_eq!((ran.code, &*ran.out), (0, ""), "{format}");
        assert_eq!(std::fs::read_to_string(folder.path("result")).unwrap(), expected);
    }
    let ran = folder.sql(&["--output", "parquet", "--out", "result.parquet", QUERY]);
    assert_eq!((ran.code, &*ran.out, &*ran.errors), (0, "", ""));
    let file = std::fs::File::open(folder.path("result.parquet")).unwrap();
    let batches: Vec<_> = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().collect();
    let batch = batches[0].as_ref().unwrap();
    assert_eq!((batches.len(), batch.num_rows(), batch.num_columns()), (1, 3, 4));
    // No temporary file is left.
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 3);
}

#[test]
fn results_without_rows() {
    let folder = folder();
    for (format, expected) in
        [("table", "NAME\n"), ("csv", "name\r\n"), ("tsv", "name\r\n"), ("json", "[]\n"), ("ndjson", "")]
    {
        let words = ["--output", format, "SELECT name FROM variables WHERE name = 'x'"];
        let ran = folder.sql(&words);
        assert_eq!((ran.code, &*ran.out, &*ran.errors), (1, expected, ""), "{format}");
        let ran = folder.sql(&[&["--allow-empty"][..], &words].concat());
        assert_eq!((ran.code, &*ran.out, &*ran.errors), (0, expected, ""), "{format}");
    }
    let words = ["--output", "parquet", "--out", "x.parquet", "SELECT name FROM variables WHERE name = 'x'"];
    assert_eq!(folder.sql(&words).code, 1);
    let file = std::fs::File::open(folder.path("x.parquet")).unwrap();
    assert_eq!(ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().count(), 0);
}

#[test]
fn long_results_have_all_rows() {
    let folder = folder();
    let query = "SELECT value AS n, 'x' AS x FROM generate_series(1, 70000)";
    for (format, extra) in [("table", 1), ("csv", 1), ("ndjson", 0), ("json", 2)] {
        let ran = folder.sql(&["--output", format, query]);
        assert_eq!(ran.out.lines().count(), 70_000 + extra, "{format}");
    }
    let ran = folder.sql(&["--output", "ndjson", query]);
    assert!(lines(&ran.out).iter().zip(1..).all(|(row, at)| row["n"] == at));
    let ran = folder.sql(&["--output", "json", query]);
    let all: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 70_000);
    let ran = folder.sql(&["--output", "parquet", "--out", "x.parquet", query]);
    assert_eq!(ran.code, 0, "{}", ran.errors);
    let file = std::fs::File::open(folder.path("x.parquet")).unwrap();
    let rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    assert_eq!(rows.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 70_000);
}

#[test]
fn cells_of_tables_are_short_and_visible() {
    let folder = folder();
    let query = format!("SELECT '{}' AS long, 'a' || chr(10) || chr(27) || 'b' AS odd", "x".repeat(70));
    let ran = folder.sql(&[&query]);
    let mut shown = ran.out.lines();
    assert!(shown.next().unwrap().starts_with("LONG "), "{}", ran.out);
    let row = shown.next().unwrap();
    assert!(row.starts_with(&format!("{}…  a", "x".repeat(60))), "{row}");
    assert!(!row.contains('\u{1b}') && shown.next().is_none(), "{}", ran.out);
}

#[test]
fn columns_with_the_same_name() {
    let folder = folder();
    let query = "SELECT a.name, b.name FROM variables AS a JOIN variables AS b ON a.path = b.path";
    assert_eq!(folder.sql(&["--output", "csv", query]).out, "name,name\r\na,a\r\n");
    for words in [&["--output", "json"][..], &["--output", "ndjson"], &["--output", "parquet", "--out", "x"]]
    {
        let errors = folder.error(&[words, &[query]].concat());
        assert!(errors.contains("the result has two columns `name`; rename one with AS"), "{errors}");
    }
    assert!(!folder.path("x").exists());
}

#[cfg(unix)]
#[test]
fn files_keep_their_mode_and_links_their_target() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    folder.write("old", "before");
    std::fs::set_permissions(folder.path("old"), std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("old", folder.path("link")).unwrap();
    assert_eq!(folder.sql(&["--output", "csv", "--out", "link", "SELECT 1 AS n"]).code, 0);
    assert!(folder.path("link").is_symlink());
    assert_eq!(std::fs::read_to_string(folder.path("old")).unwrap(), "n\r\n1\r\n");
    assert_eq!(folder.path("old").metadata().unwrap().permissions().mode() & 0o777, 0o640);
    // A query that fails keeps what was there.
    let ran = folder.sql(&["--out", "link", "SELECT CAST('x' AS INT) + start_line FROM variables"]);
    assert_eq!(ran.code, 2, "{}", ran.errors);
    assert_eq!(std::fs::read_to_string(folder.path("old")).unwrap(), "n\r\n1\r\n");
    assert_eq!(folder.sql(&["--output", "csv", "--out", "/dev/null", "SELECT 1 AS n"]).code, 0);
    let ran = folder.sql(&["--output", "csv", "--out", "/dev/stdout", "SELECT 1 AS n"]);
    assert_eq!((ran.code, &*ran.out), (0, "n\r\n1\r\n"));
}

#[cfg(unix)]
#[test]
fn readers_may_close_the_output() {
    let folder = folder();
    let temporary = tempfile::tempdir().unwrap();
    let query = "SELECT value FROM generate_series(1, 10000000)";
    let mut child = folder
        .command(&["--output", "csv", query], temporary.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
