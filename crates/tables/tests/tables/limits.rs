//! Hostile files cost their limits, and become rows of `diagnostics`.

use std::io;

use hclkit_tables::{Content, Entry, Format, Options, Table};

use crate::kit::{lines, rows, write};

fn diagnostics(options: Options, entries: Vec<Entry>) -> (Vec<String>, u64, u64) {
    let (files, summary) = write(options, Format::Ndjson, false, 2, entries.into_iter());
    let codes = lines(&files.0["diagnostics"]);
    let codes = codes.iter().map(|row| row["code"].as_str().unwrap_or("none").to_owned()).collect();
    (codes, summary.limited, summary.unread)
}

#[test]
fn deep_files() {
    let deep = format!("a = {}1{}\n", "[".repeat(50_000), "]".repeat(50_000));
    let blocks = format!("{}{}", "b {\n".repeat(50_000), "}\n".repeat(50_000));
    let json = format!("{{\"a\": {}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    for (path, text) in [("main.tf", deep), ("main.tf", blocks), ("main.tf.json", json)] {
        let (codes, limited, _) = diagnostics(Options::new(), vec![Entry::new(path, text)]);
        assert!(codes.contains(&"nesting-too-deep".to_owned()), "{path}: {codes:?}");
        assert_eq!(limited, 1);
    }
}

#[test]
fn addresses_do_not_grow_without_end() {
    let label = "x".repeat(2_000);
    let depth = 400;
    let text = format!("{}a = 1\n{}", format!("b \"{label}\" {{\n").repeat(depth), "}\n".repeat(depth));
    let all = rows(Table::Blocks, "a.hcl", &text);
    assert_eq!(all.len(), depth);
    assert!(all.iter().all(|row| row["address"].as_str().unwrap().len() < 1_100));
}

#[test]
fn rows_have_a_limit() {
    let items: Vec<String> = (0..20_000).map(|at| format!("a{at} = b.c\n")).collect();
    let text = items.concat();
    let options = Options::new().with_row_bytes(100_000);
    let entries = || vec![Entry::new("big.hcl", text.as_str()), Entry::new("small.hcl", "a = 1\n")];
    let (files, summary) = write(options.clone(), Format::Ndjson, false, 2, entries().into_iter());
    assert_eq!(summary.limited, 1);
    let found = lines(&files.0["attributes"]);
    assert!(found.len() < 2_000 && found.iter().any(|row| row["path"] == "small.hcl"));
    let found = lines(&files.0["diagnostics"]);
    assert_eq!((found.len(), &found[0]["summary"]), (1, &"Too many rows".into()));
    assert_eq!(lines(&files.0["files"]).len(), 2);
    let (_, limited, _) = diagnostics(Options::new(), entries());
    assert_eq!(limited, 0);
}

#[test]
fn files_that_cannot_be_read() {
    let failing = |kind: io::ErrorKind| Content::Later(Box::new(move |_| Err(kind.into())));
    let unread = Content::Unread { bytes: 9, code: "source-too-large", why: "too large".to_owned() };
    let entry = |path: &str, content| Entry { repo: None, commit: None, path: path.into(), content };
    let entries = vec![
        entry("a.tf", failing(io::ErrorKind::PermissionDenied)),
        entry("b.tf", failing(io::ErrorKind::FileTooLarge)),
        entry("c.tf", unread),
        Entry::new("d.tf", "a = 1\n"),
    ];
    let (codes, limited, unread) = diagnostics(Options::new(), entries);
    assert_eq!(codes, ["unreadable-file", "source-too-large", "source-too-large"]);
    assert_eq!((limited, unread), (2, 1));
}

#[test]
fn invalid_text_is_a_diagnostic() {
    let entry = Entry::new("a.tf", &b"a = \"\xff\xfe\"\nb = 2\n"[..]);
    let (files, _) = write(Options::new(), Format::Ndjson, false, 1, [entry].into_iter());
    assert_eq!(lines(&files.0["diagnostics"])[0]["code"], "invalid-encoding");
    assert_eq!(lines(&files.0["attributes"]).len(), 2);
}
