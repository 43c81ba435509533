//! What is read: the same inputs and the same rows as those of `hcl tables`, and only the tables of the query.

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use hclkit_tables::Table;
use serde_json::Value;

use crate::program::{Folder, hcl_tables, hcl_tables_text, lines};

const MAIN: &str = "variable \"a\" {\n  default = 1\n}\nmodule \"m\" {\n  source = \"./net\"\n  tags   = [\"x, \\\"y\\\"\", \"\"]\n}\nresource \"aws_vpc\" \"v\" {\n  count = 2\n  name  = var.a\n}\nlocals {\n  l = [for x in range(9) : x]\n}\nterraform {\n  required_providers {\n    aws = {}\n  }\n}\n";

fn folder() -> Folder {
    Folder::with(&[
        ("repos/acme/shop/main.tf", MAIN),
        ("repos/acme/shop/net/main.tf", "output \"o\" {\n  description = \"\"\n  value = 1\n}\n"),
        ("repos/acme/site/docker-bake.hcl", "# What it is.\ntarget \"app\" {}\n"),
        ("repos/acme/site/x.tfvars", "a = \"canary7c1d\"\n"),
    ])
}

#[test]
fn all_tables_have_the_rows_of_hcl_tables() {
    let folder = folder();
    let repos = folder.path("repos");
    let repos = repos.to_str().unwrap();
    for table in Table::ALL {
        let expected = hcl_tables_text(&["--table", table.name(), "--output", "csv", repos]);
        let query = format!("SELECT * FROM \"{table}\"");
        let found = folder.sql(&["--quiet", "--allow-empty", "--output", "csv", &query, repos]);
        assert_eq!(found.out, expected, "{table}");
        let expected = hcl_tables_text(&["--table", table.name(), "--output", "ndjson", repos]);
        let found = folder.sql(&["--quiet", "--allow-empty", "--output", "ndjson", &query, repos]);
        assert_eq!(found.out, expected, "{table}");
        assert!(table == Table::Diagnostics || !expected.is_empty(), "{table}");
    }
}

#[test]
fn options_are_those_of_hcl_tables() {
    let folder = folder();
    let rows = folder.rows("SELECT DISTINCT repo FROM files", &["--repo-from", "repos/*/*", "repos"]);
    assert_eq!(
        rows.iter().map(|row| row["repo"].as_str().unwrap()).collect::<Vec<_>>(),
        ["acme/shop", "acme/site"]
    );
    let count =
        |words: &[&str]| folder.rows("SELECT count(*) AS n FROM files", words)[0]["n"].as_u64().unwrap();
    assert_eq!(count(&["repos"]), 4);
    assert_eq!(count(&[]), 4);
    assert_eq!(count(&["--exclude", "net", "repos"]), 3);
    assert_eq!(count(&["--include", "*.tfvars", "repos"]), 1);
    let query = "SELECT value FROM attributes WHERE name = 'a'";
    assert_eq!(folder.rows(query, &["repos"])[0]["value"], Value::Null);
    assert_eq!(folder.rows(query, &["--variable-values", "repos"])[0]["value"], "\"canary7c1d\"");
    let errors = folder.error(&["--repo-from", "x", "SELECT 1 FROM files", "repos"]);
    assert!(errors.contains("expected git, or a pattern"), "{errors}");
    // Directories are evaluated if the query asks for it.
    let rows = folder.rows("SELECT address FROM instances ORDER BY address", &["repos/acme/shop"]);
    assert_eq!(rows[1]["address"], "aws_vpc.v[1]");
    let limited = folder.sql(&["--max-steps", "0", "SELECT count(*) FROM \"values\"", "repos"]);
    assert!(limited.code == 2 && limited.errors.contains("exceeds the limits"), "{}", limited.errors);
}

#[test]
fn repositories_archives_and_standard_input() {
    let folder = folder();
    folder.git(&["init", "-q", "repos"]);
    folder.git(&["-C", "repos", "add", "."]);
    folder.git(&["-C", "repos", "commit", "-qm", "x"]);
    folder.git(&["clone", "-q", "--bare", "repos", "mirror.git"]);
    folder.git(&["-C", "repos", "archive", "-o", "../source.tar", "HEAD"]);
    let query = "SELECT repo, path FROM files ORDER BY path";
    let own = folder.rows(query, &["mirror.git"]);
    assert!(own.len() == 4 && own.iter().all(|row| row["repo"] == "mirror"), "{own:?}");
    let own = folder.rows(query, &["source.tar"]);
    assert!(own.len() == 4 && own.iter().all(|row| row["repo"] == "source"), "{own:?}");
    let input = "{\"path\": \"a.tf\", \"content\": \"variable \\\"x\\\" {}\\n\"}\n";
    let words = ["--output", "ndjson", "--stdin-name", "x.ndjson", "SELECT name FROM variables", "-"];
    assert_eq!(folder.sql_reading(&words, input).out, "{\"name\":\"x\"}\n");
}

#[test]
fn only_the_tables_of_the_query_are_read() {
    let folder = folder();
    // They are not in the directory.
    let directory = folder.path("tables");
    let directory = directory.to_str().unwrap();
    hcl_tables(&["--out", directory, "--table", "blocks", folder.path("repos").to_str().unwrap()]);
    for query in [
        "SELECT count(*) FROM blocks",
        "WITH attributes AS (SELECT 1 AS x FROM blocks) SELECT count(*) FROM attributes",
        "EXPLAIN SELECT * FROM blocks",
        "SELECT 1",
        "DESCRIBE attributes",
        "SHOW TABLES",
        "SHOW COLUMNS FROM attributes",
    ] {
        assert!(!folder.rows(query, &["--tables", "tables"]).is_empty(), "{query}");
    }
    for query in [
        "SELECT count(*) FROM attributes",
        "SELECT path FROM blocks WHERE path IN (SELECT path FROM attributes)",
        "SELECT (SELECT count(*) FROM attributes) FROM blocks",
        "EXPLAIN SELECT * FROM attributes",
    ] {
        let errors = folder.error(&["--tables", "tables", query]);
        assert!(
            errors.contains("tables has no table attributes; `hcl tables --out DIR` writes it"),
            "{errors}"
        );
    }
    let errors = folder.error(&["--tables", "tables", "SELECT * FROM \"values\""]);
    assert!(errors.contains("`hcl tables --evaluate --out DIR` writes it"), "{errors}");
    // No input is read for what is in no file.
    assert_eq!(folder.rows("SELECT 1 + 1 AS x", &["nowhere"])[0]["x"], 2);
}

#[test]
fn odd_names_of_directories() {
    let folder = Folder::with(&[("a b#?*[x]%41/main.tf", MAIN)]);
    let name = "a b#?*[x]%41";
    let query = "SELECT repo, count(*) AS n FROM blocks GROUP BY repo";
    assert_eq!(folder.rows(query, &[name])[0]["n"], 6);
    let out = folder.path("t %2F#?*");
    let words = ["--out", out.to_str().unwrap(), "--partition", "--repo-from", "*", "."];
    // The name of the repository is that of the directory, and its partition has an encoded name.
    let line = ["hcl", "tables", "--quiet"].into_iter().chain(words);
    let line = line.map(|word| if word == "." { folder.path(".").into_os_string() } else { word.into() });
    let host = hclkit_cli::Host::given(Vec::new(), std::io::sink(), std::io::stderr());
    assert_eq!(hclkit_cli::hcl(line.collect(), &host), 0);
    assert_eq!(folder.rows("SELECT count(*) AS n FROM blocks", &["--tables", "t %2F#?*"])[0]["n"], 6);
}

#[test]
fn another_version_of_the_schemas_is_refused() {
    let folder = folder();
    let ran =
        folder.sql(&["--output", "parquet", "--out", "t/blocks.parquet", "SELECT * FROM blocks", "repos"]);
    assert!(ran.code == 2 && ran.errors.contains("cannot write t/blocks.parquet"), "{}", ran.errors);
    std::fs::create_dir(folder.path("t")).unwrap();
    let ran =
        folder.sql(&["--output", "parquet", "--out", "t/blocks.parquet", "SELECT * FROM blocks", "repos"]);
    assert_eq!((ran.code, &*ran.errors), (0, ""));
    // Other engines leave the version out.
    assert_eq!(folder.rows("SELECT count(*) AS n FROM blocks", &["--tables", "t"])[0]["n"], 8);
    for (version, code) in [("1", 0), ("2", 2)] {
        let metadata = [("hclkit.version".to_owned(), version.to_owned())].into();
        let schema = Schema::new_with_metadata(vec![Field::new("path", DataType::Utf8, false)], metadata);
        let file = std::fs::File::create(folder.path("t/outputs.parquet")).unwrap();
        ArrowWriter::try_new(file, schema.into(), None).unwrap().close().unwrap();
        let ran = folder.sql(&["--tables", "t", "SELECT count(path) FROM outputs"]);
        assert_eq!(ran.code, code, "{}", ran.errors);
        assert_eq!(
            ran.errors.contains("its schema has version 2, and hcl-sql has 1"),
            code == 2,
            "{}",
            ran.errors
        );
    }
    folder.write("t/files.parquet", "not Parquet");
    let errors = folder.error(&["--tables", "t", "SELECT * FROM files"]);
    assert!(errors.contains("cannot read t/files.parquet"), "{errors}");
    let errors = folder.error(&["--tables", "nowhere", "SELECT * FROM files"]);
    assert!(errors.contains("nowhere"), "{errors}");
}

#[test]
fn rows_do_not_depend_on_the_order_of_paths() {
    let folder = folder();
    let paths = ["repos/acme/shop/main.tf", "repos/acme/shop/net", "repos/acme/site"];
    let query = "SELECT path, address, labels FROM blocks";
    let sorted = |words: &[&str]| {
        let mut rows = folder.rows(query, words);
        rows.sort_by_key(ToString::to_string);
        rows
    };
    let expected = sorted(&paths);
    assert_eq!(expected.len(), 8);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(sorted(&order.map(|at| paths[at])), expected, "{order:?}");
    }
    // With the same paths, they are in the same order.
    let ran = folder.rows(query, &paths);
    assert_eq!(folder.rows(query, &paths), ran);
    let ordered = folder.rows(&format!("{query} ORDER BY path, start_byte"), &paths);
    for threads in ["1", "2", "7"] {
        let words = [&["--threads", threads][..], &paths].concat();
        assert_eq!(folder.rows(&format!("{query} ORDER BY path, start_byte"), &words), ordered);
    }
}

#[test]
fn broken_files_are_rows_and_missing_ones_are_reported() {
    let folder = folder();
    folder.write("repos/acme/site/broken.tf", "locals {\n  a = [\n");
    let ran = folder.sql(&["--output", "ndjson", "SELECT code, path FROM diagnostics", "repos"]);
    let rows = lines(&ran.out);
    assert!(
        ran.code == 0 && rows.len() == 1 && rows[0]["path"] == "repos/acme/site/broken.tf",
        "{}",
        ran.out
    );
    assert_eq!(ran.errors, "note: 1 file has errors, which the table diagnostics lists\n");
    assert_eq!(folder.rows("SELECT count(*) AS n FROM files WHERE errors > 0", &["repos"])[0]["n"], 1);
    let ran = folder.sql(&["--output", "ndjson", "SELECT count(*) AS n FROM files", "repos", "nowhere.tf"]);
    assert_eq!((ran.code, &*ran.out), (2, "{\"n\":6}\n"));
    assert!(
        ran.errors.contains("error: 1 file could not be read; the table diagnostics says why"),
        "{}",
        ran.errors
    );
}
