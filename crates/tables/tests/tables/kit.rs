//! Runs over entries in memory.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use hclkit_tables::{Entry, Format, Options, Run, Summary, Table, Target};
use serde_json::{Map, Value};

/// A row, as in lines of JSON.
pub(crate) type Row = Map<String, Value>;

/// Files in memory, by table and partition.
#[derive(Default)]
pub(crate) struct Files(pub(crate) BTreeMap<String, Vec<u8>>);

pub(crate) struct File(String, Vec<u8>);

impl Target for Files {
    type File = File;

    fn create(&mut self, table: Table, partition: Option<&str>) -> io::Result<File> {
        let base = partition.map_or_else(|| table.to_string(), |own| format!("{table}/{own}"));
        let mut names = (0..).map(|at| if at == 0 { base.clone() } else { format!("{base}-{at}") });
        Ok(File(names.find(|name| !self.0.contains_key(name)).unwrap(), Vec::new()))
    }

    fn finish(&mut self, file: File) -> io::Result<()> {
        self.0.insert(file.0, file.1);
        Ok(())
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes all files.
pub(crate) fn write(
    options: Options,
    format: Format,
    partitioned: bool,
    threads: usize,
    entries: impl Iterator<Item = Entry> + Send,
) -> (Files, Summary) {
    let mut files = Files::default();
    let run = Run { options, format, partitioned, threads, enter: Arc::new(|work: &mut dyn FnMut()| work()) };
    let mut entries = entries;
    let summary = run.write(|emit| _ = entries.all(emit), &mut files).unwrap();
    (files, summary)
}

/// The rows of a table.
pub(crate) fn rows_with(options: Options, table: Table, entries: Vec<Entry>) -> Vec<Row> {
    let options = options.with_tables([table]);
    let (files, _) = write(options, Format::Ndjson, false, 2, entries.into_iter());
    lines(&files.0[table.name()])
}

pub(crate) fn lines(bytes: &[u8]) -> Vec<Row> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of a table for one file.
pub(crate) fn rows(table: Table, path: &str, text: &str) -> Vec<Row> {
    rows_with(Options::new(), table, vec![Entry::new(path, text)])
}

/// Some columns of each row, in a line each: texts as they are, and everything else as JSON.
pub(crate) fn shown(rows: &[Row], columns: &[&str]) -> String {
    let cell = |row: &Row, column: &&str| match &row[*column] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let line = |row: &Row| {
        let cells: Vec<String> = columns.iter().map(|column| cell(row, column)).collect();
        cells.join(" | ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Compares some columns with the expected lines.
pub(crate) fn check(table: Table, path: &str, text: &str, columns: &[&str], expected: &str) {
    let found = shown(&rows(table, path, text), columns);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected.join("\n"), "{table} of {path}");
}
