//! The schemas, their documentation, and that they stay as they are.

use hclkit_tables::{FIRST, LAST, Table};

#[test]
fn the_documentation_has_all_columns() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tables.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, _) = text.split_once("## Columns of all tables").unwrap();
    let expected = format!("{before}{}", Table::markdown().trim_end()) + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    assert_eq!(text.trim_end(), expected.trim_end(), "run with BLESS=1 to write docs/tables.md");
}

#[test]
fn names_are_plain_and_unique() {
    for table in Table::ALL {
        let mut names: Vec<&str> = table.columns().map(|column| column.name).collect();
        assert!(names.iter().all(|name| {
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
        }));
        assert_eq!(names[..3], FIRST.map(|column| column.name));
        assert_eq!(names[names.len() - 4..], LAST.map(|column| column.name));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{table}");
        assert!(table.columns().all(|column| column.doc.ends_with('.')), "{table}");
        assert_eq!(table.name().parse(), Ok(table));
        assert_eq!(table.schema().fields().len(), count);
    }
    assert!("block".parse::<Table>().is_err());
}

/// A column that goes away, or changes its type, changes the version of the schemas.
#[test]
fn version_1_has_these_columns() {
    let found: Vec<String> = Table::ALL
        .iter()
        .map(|table| {
            let own = table.own_columns().iter().map(|column| format!("{}:{}", column.name, column.kind));
            format!("{table} {}\n", own.collect::<Vec<_>>().join(", "))
        })
        .collect();
    let found = found.concat();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables/version-1.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap_or_default());
    assert_eq!(hclkit_tables::VERSION, 1);
}
