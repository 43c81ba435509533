//! What queries may do, the messages for those that are not valid, and the command line.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::program::Folder;

fn folder() -> Folder {
    Folder::with(&[("main.tf", "variable \"a\" {}\nmodule \"m\" {\n  source = \"./net\"\n}\n")])
}

#[test]
fn statements_that_do_more_than_read_are_refused() {
    let folder = folder();
    folder.write("other.csv", "a\n1\n");
    let before = std::fs::read_dir(folder.path("")).unwrap().count();
    for (query, word) in [
        ("CREATE TABLE t AS SELECT * FROM blocks", "CREATE TABLE"),
        ("CREATE VIEW t AS SELECT * FROM blocks", "CREATE VIEW"),
        ("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'other.csv'", "CREATE EXTERNAL TABLE"),
        ("CREATE SCHEMA s", "CREATE SCHEMA"),
        ("CREATE DATABASE s", "CREATE DATABASE"),
        ("CREATE FUNCTION f(DOUBLE) RETURNS DOUBLE RETURN $1", "CREATE FUNCTION"),
        ("DROP TABLE blocks", "DROP TABLE"),
        ("ALTER TABLE blocks ADD COLUMN x INT", "ALTER TABLE"),
        ("TRUNCATE TABLE blocks", "TRUNCATE TABLE"),
        ("INSERT INTO blocks SELECT * FROM blocks", "INSERT INTO"),
        ("UPDATE blocks SET path = 'x'", "UPDATE"),
        ("DELETE FROM blocks", "DELETE FROM"),
        ("WITH b AS (SELECT * FROM blocks) INSERT INTO blocks SELECT * FROM b", "INSERT INTO"),
        ("MERGE INTO blocks USING files ON true WHEN MATCHED THEN DELETE", "MERGE INTO"),
        ("SELECT * INTO copied FROM blocks", "SELECT INTO"),
        ("COPY blocks TO 'blocks.csv'", "COPY"),
        ("COPY (SELECT * FROM blocks) TO 'blocks.parquet' STORED AS PARQUET", "COPY"),
        ("EXPLAIN COPY blocks TO 'blocks.csv'", "COPY"),
        ("EXPLAIN INSERT INTO blocks SELECT * FROM blocks", "INSERT INTO"),
        ("EXPLAIN ANALYZE DELETE FROM blocks", "DELETE FROM"),
        ("SET datafusion.execution.batch_size = 1", "SET"),
        ("RESET datafusion.execution.batch_size", "RESET"),
        ("PREPARE p AS SELECT 1", "PREPARE"),
        ("EXECUTE p", "EXECUTE"),
        ("BEGIN TRANSACTION", "BEGIN TRANSACTION"),
        ("COMMIT", "COMMIT"),
        ("USE s", "USE"),
        ("ANALYZE TABLE blocks", "ANALYZE TABLE"),
        ("GRANT SELECT ON blocks TO x", "GRANT SELECT"),
    ] {
        let errors = folder.error(&[query]);
        let expected = format!("error: {word} is not supported: hcl-sql only reads; use SELECT");
        assert!(errors.starts_with(&expected), "{query}: {errors}");
    }
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), before);
}

#[test]
fn files_cannot_be_read_by_queries() {
    let folder = folder();
    folder.write("other.csv", "canary7c1d\n1\n");
    folder.write("other.parquet", "canary7c1d");
    let path = folder.path("other.csv");
    for query in [
        "SELECT * FROM 'other.csv'".to_owned(),
        "SELECT * FROM \"other.csv\"".to_owned(),
        format!("SELECT * FROM '{}'", path.display()),
        format!("SELECT * FROM 'file://{}'", path.display()),
        "SELECT * FROM 'https://example.com/x.csv'".to_owned(),
        "SELECT * FROM read_csv('other.csv')".to_owned(),
        "SELECT * FROM read_parquet('other.parquet')".to_owned(),
        "SELECT * FROM parquet_metadata('other.parquet')".to_owned(),
        "SELECT * FROM 'tables://directory/blocks.parquet'".to_owned(),
        "SELECT * FROM other.tables.blocks".to_owned(),
    ] {
        let errors = folder.error(&[&query]);
        assert!(!errors.contains("canary7c1d"), "{query}: {errors}");
        assert!(errors.contains("unknown table") || errors.contains("not found"), "{query}: {errors}");
    }
}

#[test]
fn reading_statements() {
    let folder = folder();
    for (query, expected) in [
        ("SELECT name FROM variables", "{\"name\":\"a\"}"),
        ("FROM variables SELECT name", "{\"name\":\"a\"}"),
        ("WITH v AS (SELECT name FROM variables) SELECT * FROM v;", "{\"name\":\"a\"}"),
        ("VALUES (1), (2)", "{\"column1\":1}"),
        ("SELECT path, count(*) AS n FROM blocks GROUP BY ALL", "{\"path\":\"main.tf\",\"n\":2}"),
        ("SELECT name FROM hcl.tables.variables", "{\"name\":\"a\"}"),
        ("EXPLAIN SELECT name FROM variables", "TableScan: variables"),
        ("EXPLAIN ANALYZE SELECT name FROM variables", "output_rows=1"),
        ("DESCRIBE module_calls", "\"module_source\""),
        ("SHOW COLUMNS FROM module_calls", "\"module_source\""),
        ("SHOW TABLES", "\"table_name\":\"references\""),
        ("SHOW ALL", "datafusion.execution"),
        ("SELECT count(*) AS n FROM information_schema.columns WHERE table_name = 'files'", "{\"n\":14}"),
        ("SELECT unnest(labels) AS label FROM blocks ORDER BY label", "{\"label\":\"a\"}"),
        (
            "SELECT path FROM blocks AS b WHERE EXISTS (SELECT 1 FROM variables AS v WHERE v.name = b.name)",
            "main.tf",
        ),
        ("SELECT row_number() OVER (ORDER BY path, start_line) AS n FROM blocks", "{\"n\":1}"),
        ("SELECT regexp_replace(name, '[a-z]', 'x') AS x FROM variables", "{\"x\":\"x\"}"),
        ("SELECT date_trunc('month', TIMESTAMP '2026-02-03T04:05:06') AS d", "2026-02-01T00:00:00"),
        ("SELECT value FROM generate_series(1, 3)", "{\"value\":1}"),
        ("SELECT \"text\" FROM \"references\" UNION ALL SELECT name FROM variables", "{\"text\":\"a\"}"),
    ] {
        let ran = folder.sql(&["--output", "ndjson", query]);
        assert!(ran.code == 0 && ran.errors.is_empty(), "{query}: {}", ran.errors);
        assert!(ran.out.contains(expected), "{query}: {}", ran.out);
    }
}

#[test]
fn messages() {
    let folder = folder();
    for (query, expected) in [
        (
            "SELECT source FROM module_calls",
            "error: unknown column `source`; did you mean `module_source`? The columns are repo, commit, path, name, module_source, kind, host, namespace, module, subdirectory, version, ref, pinned, start_line, end_line, start_byte, end_byte\n",
        ),
        (
            "SELECT b.nam FROM blocks AS b JOIN files AS f ON f.path = b.path",
            "error: unknown column `nam` of `b`; did you mean `name`? The columns are repo, commit, path, address, block_type, labels, mode, type, name, parent, parent_start_byte, comment, start_line, end_line, start_byte, end_byte\n",
        ),
        ("SELECT x.name FROM blocks", "error: unknown column `name` of `x`; the query has no table `x`\n"),
        (
            "SELECT path FROM blocks, files",
            "error: the column `path` is in several tables; write TABLE.path\n",
        ),
        (
            "SELECT * FROM modulecalls",
            "error: unknown table `modulecalls`; did you mean `module_calls`? The tables are files, blocks, attributes, references, module_calls, providers, variables, outputs, locals, diagnostics, instances, values\n",
        ),
        ("SELECT * FROM xyz", "error: unknown table `xyz`; the tables are files, blocks"),
        (
            "SELECT lenght(path) FROM files",
            "error: the query is invalid: invalid function 'lenght'. Did you mean 'length'?\n",
        ),
        ("SELECT path FROM files GROUP BY repo", "error: the query is invalid: "),
        (
            "SELECT * FORM blocks",
            "error: the query is not SQL: expected: end of statement, found: FORM at line 1, column 10\n",
        ),
        ("repos", "error: the query is not SQL: "),
        ("SELECT 'x", "error: the query is not SQL: "),
        ("", "error: the query is empty\n"),
        (" ; ", "error: the query is empty\n"),
        ("SELECT 1; SELECT 2", "error: expected one query, found 2\n"),
        ("SELECT CAST(path AS INT) FROM files", "error: the query failed: "),
    ] {
        let errors = folder.error(&[query]);
        assert!(errors.starts_with(expected), "{query}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{query}: {errors}");
    }
}

#[test]
fn deep_and_long_queries() {
    let folder = folder();
    let deep = format!("SELECT {}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let errors = folder.error(&[&deep]);
    assert!(errors.contains("nested too deeply"), "{errors}");
    let long = format!("SELECT name FROM variables WHERE name = 'a'{}", " OR name = 'b'".repeat(3000));
    assert_eq!(folder.rows(&long, &[]).len(), 1);
}

/// Chains are nested in plans, and each use of a CTE is in the plan: queries from elsewhere must not overflow the stack, and must not
/// take all memory before they run.
#[test]
fn queries_that_are_small_for_what_they_become() {
    let folder = folder();
    let chains = [
        ("1", " + 1"),
        ("'a'", " || 'a'"),
        ("1", "::int"),
        ("1", " IS NULL"),
        ("true", " OR true"),
        ("1", " UNION SELECT 1"),
        ("1", " UNION ALL SELECT 1"),
        ("1", " INTERSECT SELECT 1"),
        ("*", " FROM files, files"),
    ];
    for (start, more) in chains {
        folder.write("q.sql", format!("SELECT {start}{}", more.repeat(30_000)));
        let errors = folder.error(&["--file", "q.sql"]);
        assert!(errors.contains("words and operators, and at most 10000 are supported"), "{more}: {errors}");
    }
    let ctes: Vec<String> =
        (1..40).map(|at| format!("c{at} AS (SELECT a.x FROM c{} a, c{} b)", at - 1, at - 1)).collect();
    for (end, explain) in [("c39", ""), ("(SELECT x FROM c39)", ""), ("\"c39\"", "EXPLAIN ")] {
        let query =
            format!("{explain}WITH c0 AS (SELECT 1 AS x), {} SELECT count(*) FROM {end}", ctes.join(", "));
        let errors = folder.error(&[&query]);
        assert!(errors.contains("counting those of a CTE each time"), "{errors}");
    }
    // As many as people write.
    let ids = (0..20_000).map(|at| at.to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(folder.rows(&format!("SELECT 1 AS x WHERE 1 IN ({ids})"), &[]).len(), 1);
}

#[cfg(unix)]
#[test]
fn queries_are_read_within_a_limit() {
    let errors = folder().error(&["--file", "/dev/zero"]);
    assert!(errors.contains("longer than 1 MiB"), "{errors}");
}

#[test]
fn a_query_ends_at_its_timeout() {
    let folder = folder();
    for query in [
        "SELECT count(*) FROM generate_series(1, 1000000000000)",
        "SELECT value FROM generate_series(1, 1000000000000) WHERE value < 0",
        "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
        "EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, 1000000000000)",
    ] {
        let ran = folder.sql(&["--query-timeout", "1", query]);
        assert_eq!(ran.code, 2, "{query}: {}", ran.errors);
        let known = ["longer than --query-timeout", "more memory than --memory"];
        assert!(known.iter().any(|known| ran.errors.contains(known)), "{query}: {}", ran.errors);
    }
}

/// What `DataFusion` does not count.
#[cfg(target_os = "linux")]
#[test]
fn text_and_lists_cannot_take_all_memory() {
    let folder = folder();
    let doubled: Vec<String> =
        (1..40).map(|at| format!("c{at} AS (SELECT x || x AS x FROM c{})", at - 1)).collect();
    for query in [
        "SELECT length(repeat(value::text, 2000000000)) FROM generate_series(1, 100)".to_owned(),
        "SELECT array_length(range(0, 100000000000))".to_owned(),
        "SELECT length(lpad('x', 2000000000, 'y'))".to_owned(),
        format!("WITH c0 AS (SELECT name AS x FROM variables), {} SELECT length(x) FROM c39", doubled.join(", ")),
        "SELECT array_agg(a.value) FROM generate_series(1, 100000) a, generate_series(1, 100000) b".to_owned(),
        "SELECT a.value FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b ORDER BY a.value + b.value".to_owned(),
    ] {
        let ran = folder.sql(&["--memory", "64MiB", "--query-timeout", "60", &query]);
        assert_eq!(ran.code, 2, "{query}: {} {}", ran.out, ran.errors);
        assert_eq!(ran.errors.lines().count(), 1, "{query}: {}", ran.errors);
    }
}

#[test]
fn the_environment_configures_nothing() {
    let folder = folder();
    let ran = folder
        .command(&["--output", "ndjson", "SHOW datafusion.execution.batch_size"], &std::env::temp_dir())
        .env("DATAFUSION_EXECUTION_BATCH_SIZE", "17")
        .output()
        .unwrap();
    assert!(!String::from_utf8(ran.stdout).unwrap().contains("\"17\""));
}

#[test]
fn the_command_line() {
    let folder = folder();
    for (words, expected) in [
        (&[][..], "required arguments were not provided"),
        (&["--output", "parquet", "SELECT 1"], "--output parquet requires --out PATH"),
        (&["--output", "yaml", "SELECT 1"], "invalid value 'yaml'"),
        (&["--tables", "t", "SELECT 1", "main.tf"], "it takes no PATH"),
        (&["--tables", "t", "--hidden", "SELECT 1"], "it takes no PATH and no option for reading files"),
        (&["--memory", "much", "SELECT 1"], "expected a number of bytes"),
        (&["--file", "nowhere.sql"], "cannot read nowhere.sql"),
        (&["--file", "-", "-"], "both the query and a PATH are standard input"),
        (&["--schema", "SELECT 1"], "cannot be used with"),
    ] {
        let errors = folder.error(words);
        assert!(errors.contains(expected), "{words:?}: {errors}");
    }
    let errors = folder.error(&["--output", "\u{1b}[31m", "SELECT 1"]);
    assert!(errors.contains("invalid value") && !errors.contains('\u{1b}'), "{errors}");
    let schema = folder.sql(&["--schema"]);
    assert!(
        schema.code == 0 && schema.out.contains("\nmodule_calls: Each call of a module"),
        "{}",
        schema.out
    );
    let line = schema.out.lines().find(|line| line.starts_with("  module_source ")).unwrap();
    assert!(
        line.contains("text, or null")
            && line.ends_with("The source as written. Passwords in it are removed."),
        "{line}"
    );
    let help = folder.sql(&["--help"]);
    assert!(help.code == 0 && help.out.contains("Examples:\n  hcl-sql 'SELECT"), "{}", help.out);
    // The examples of the help are queries.
    let queries = ["SELECT module, version, count(*) FROM module_calls GROUP BY ALL"];
    assert!(queries.iter().all(|query| help.out.contains(query) && folder.sql(&[query]).code == 0));
}

#[test]
fn little_memory_goes_to_files_or_is_an_error() {
    let folder = folder();
    let text: Vec<String> =
        (0..3000).map(|at| format!("variable \"v{}\" {{}}\n", (at * 7919) % 3000)).collect();
    folder.write("many.tf", text.concat());
    let sorted = "SELECT a.name FROM variables AS a CROSS JOIN generate_series(1, 100) ORDER BY a.name";
    let rows = folder.rows(sorted, &["--memory", "16MiB", "many.tf"]);
    assert_eq!(rows.len(), 300_000);
    assert!(rows.is_sorted_by_key(|row| row["name"].as_str().unwrap()));
    let errors = folder.error(&["--memory", "1KiB", sorted, "many.tf"]);
    assert!(errors.contains("the query needs more memory than --memory grants"), "{errors}");
}

/// Starts a query that does not end, and waits until its temporary directory is there.
#[cfg(unix)]
fn endless(folder: &Folder, temporary: &Path) -> Child {
    let query = "SELECT count(*) FROM generate_series(1, 100000000000) AS a WHERE a.value % 7 = 9";
    let before = temporary.read_dir().unwrap().count();
    let child = folder.command(&[query], temporary).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while temporary.read_dir().unwrap().count() <= before {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[cfg(unix)]
#[test]
fn interrupts_remove_temporary_files() {
    let folder = folder();
    let temporary = tempfile::tempdir().unwrap();
    let mut child = endless(&folder, temporary.path());
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(temporary.path().read_dir().unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn the_next_run_removes_the_files_of_a_killed_one() {
    let folder = folder();
    let temporary = tempfile::tempdir().unwrap();
    let names = || -> BTreeSet<_> {
        temporary.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    let mut running = endless(&folder, temporary.path());
    let in_use = names();
    let mut killed = endless(&folder, temporary.path());
    killed.kill().unwrap();
    killed.wait().unwrap();
    std::fs::create_dir(temporary.path().join("other")).unwrap();
    std::os::unix::fs::symlink("other", temporary.path().join("hcl-sql-link")).unwrap();
    assert_eq!(names().len(), 4);
    assert!(
        folder.command(&["SELECT 1"], temporary.path()).stdout(Stdio::null()).status().unwrap().success()
    );
    // What a run uses is kept, and so is what is not a directory of the program.
    let kept: BTreeSet<_> = in_use.into_iter().chain(["other".into(), "hcl-sql-link".into()]).collect();
    assert_eq!(names(), kept);
    running.kill().unwrap();
    running.wait().unwrap();
}
