//! The ten questions of the guide: the rows are those that `DuckDB` has, recorded in `tests/questions` and also checked by the tests
//! of the Python package.

use serde_json::Value;

use crate::program::{Folder, hcl_tables, lines};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/questions/files.ndjson");
const ANSWERS: &str = include_str!("../../../../tests/questions/answers.ndjson");
const GUIDE: &str = include_str!("../../../../docs/book/src/tables.md");

fn questions() -> Vec<&'static str> {
    let mut found = Vec::new();
    for part in GUIDE.split("```sql\n").skip(1) {
        found.push(part.split("```").next().unwrap());
    }
    assert_eq!(found.len(), 10);
    found
}

/// The recorded rows of each question, whose columns have no names.
fn answers() -> Vec<Vec<Vec<Value>>> {
    lines(ANSWERS).into_iter().map(|answer| serde_json::from_value(answer).unwrap()).collect()
}

/// The values of rows, in the order of the columns.
fn values(rows: &[Value]) -> Vec<Vec<Value>> {
    rows.iter().map(|row| row.as_object().unwrap().values().cloned().collect()).collect()
}

#[test]
fn answers_are_the_recorded_ones() {
    let folder = Folder::with(&[]);
    let directory = folder.path("tables");
    hcl_tables(&["--out", directory.to_str().unwrap(), FILES]);
    let partitions = folder.path("partitions");
    hcl_tables(&["--out", partitions.to_str().unwrap(), "--partition", FILES]);
    for (question, expected) in questions().into_iter().zip(answers()) {
        assert!(!expected.is_empty());
        for words in
            [&[FILES][..], &["--tables", "tables"], &["--tables", "partitions"], &["--threads", "3", FILES]]
        {
            assert_eq!(values(&folder.rows(question, words)), expected, "{question} {words:?}");
        }
    }
}

#[test]
fn a_question_can_be_a_file() {
    let folder = Folder::with(&[]);
    for (at, expected) in answers().into_iter().enumerate() {
        folder.write("question.sql", questions()[at]);
        let ran = folder.sql(&["--output", "ndjson", "-q", "--file", "question.sql", FILES]);
        assert_eq!(values(&lines(&ran.out)), expected);
        let ran = folder.sql_reading(&["--output", "ndjson", "-q", "--file", "-", FILES], questions()[at]);
        assert_eq!(values(&lines(&ran.out)), expected);
    }
}
