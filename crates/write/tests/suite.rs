//! The cases of edits and paths under `tests/cases/`.
//!
//! Files named `json…` are in the JSON syntax.
//! `*.edits`: `=== name`, the text, `--- VERB PATH => ARGUMENT` for each edit, then the edited text or `error: …`. In an
//! argument `\n` is a line break.
//! `*.paths`: `=== name`, the text, `---`, then lines `PATH -> ADDRESS …`.
//! `BLESS=1 cargo test -p hclkit-write --test suite` writes what is found; read the difference.

use hclkit_syntax::{Document, Source, Syntax, parse};
use hclkit_write::{Edits, Formatter, Match, Selector};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn files(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The text of a case, in the JSON syntax if its file is named so.
fn read(path: &Path, text: &str) -> Document {
    let is_json = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("json"));
    let document = if is_json { Document::parse_json(Source::new("", text)) } else { parse(text) };
    assert!(!document.has_errors(), "{text}");
    document
}

/// Runs the cases of all files, and returns how many there are.
fn run(extension: &str, case: impl Fn(&Path, &str, &str) -> (String, usize)) -> usize {
    let mut count = 0;
    for path in files(extension) {
        let text = fs::read_to_string(&path).unwrap();
        let mut found = String::new();
        for part in text.split("=== ").skip(1) {
            let (name, rest) = part.split_once('\n').unwrap();
            let (before, rest) = rest.split_once("--- ").unwrap_or_else(|| panic!("{name}: no `---`"));
            let (after, cases) = case(&path, before, rest);
            count += cases;
            let _ = writeln!(found, "=== {name}\n{before}--- {after}\n");
        }
        let found = format!("{}\n", found.trim_end());
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &found).unwrap();
        } else {
            let lines = text.lines().zip(found.lines()).enumerate();
            if let Some((number, (old, new))) = lines.into_iter().find(|(_, (old, new))| old != new) {
                panic!("{}:{}: expected\n{old}\nfound\n{new}", path.display(), number + 1);
            }
            assert_eq!(text, found, "{}", path.display());
        }
    }
    count
}

#[test]
fn edits() {
    let count = run("edits", |path, before, rest| {
        let orders: Vec<&str> =
            format!("--- {rest}").leak().lines().filter_map(|line| line.strip_prefix("--- ")).collect();
        let document = read(path, before);
        let after = match edit(&document, &orders) {
            Ok(after) => {
                let is_formatted = |document: &Document| {
                    document.syntax() == Syntax::Native && Formatter::plain().format(document).is_unchanged()
                };
                assert!(!is_formatted(&document) || is_formatted(&after), "{}", after.source().text());
                after.source().text().to_owned()
            }
            Err(error) => format!("error: {error}\n"),
        };
        (format!("{}\n{}", orders.join("\n--- "), after.trim_end_matches('\n')), 1)
    });
    assert!(count >= 150, "{count}");
}

fn edit(document: &Document, orders: &[&str]) -> Result<Document, String> {
    let mut edits = Edits::new(document);
    for order in orders {
        let (verb, rest) = order.split_once(' ').unwrap();
        let (path, argument) = rest.split_once(" => ").unwrap_or((rest, ""));
        let argument = argument.replace("\\n", "\n");
        let select = |path: &str| -> Result<Vec<Match>, String> {
            let found = path.parse::<Selector>().map_err(|error| error.to_string())?.select(document);
            if found.is_empty() { Err(format!("{path} matches nothing")) } else { Ok(found) }
        };
        let to = || select(&argument).map(|found| found[0].node());
        for found in select(path)? {
            let node = found.node();
            let done = match verb {
                "set" => edits.set(found.named(), &argument),
                "add" => {
                    let (name, value) = argument.split_once(" = ").unwrap();
                    edits.add(node, name, value)
                }
                "rename" => edits.rename(found.named(), &argument),
                "delete" => edits.remove(node),
                "delete-label" => edits.remove(found.named()),
                "label" => edits.append_label(node, &argument),
                "append" => edits.append(node, &argument),
                "prepend" => edits.prepend(node, &argument),
                "before" => edits.insert_before(node, &argument),
                "after" => edits.insert_after(node, &argument),
                "move-before" => edits.move_before(node, to()?),
                "move-after" => edits.move_after(node, to()?),
                "move-into" => edits.move_into(node, to()?),
                _ => panic!("unknown verb {verb}"),
            };
            done.map_err(|error| error.to_string())?;
        }
    }
    edits.apply().map_err(|error| error.to_string())
}

#[test]
fn paths() {
    let count = run("paths", |path, before, rest| {
        let document = read(path, before);
        let paths: Vec<&str> = rest.lines().filter(|line| !line.is_empty()).skip(1).collect();
        let mut out = "paths".to_owned();
        for line in &paths {
            let path = line.split(" -> ").next().unwrap();
            let addresses = match path.parse::<Selector>() {
                Ok(path) => {
                    let found = path.select(&document);
                    // Each address selects what it is the address of.
                    for found in &found {
                        let again = found.address().parse::<Selector>().unwrap().select(&document);
                        assert_eq!(again.len(), 1, "{}", found.address());
                        assert_eq!(again[0].node(), found.node(), "{}", found.address());
                    }
                    let addresses: Vec<&str> = found.iter().map(Match::address).collect();
                    if addresses.is_empty() { "nothing".to_owned() } else { addresses.join(", ") }
                }
                Err(error) => format!("error: {error}"),
            };
            let _ = write!(out, "\n{path} -> {addresses}");
        }
        (out, paths.len())
    });
    assert!(count >= 100, "{count}");
}
