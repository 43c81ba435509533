//! The cases of edits and paths under `cases/`.
//!
//! Files named `json…` are in the JSON syntax. The text of a case with the option `no final line break` has none. `*.edits` have the sections `source`, `edits` with a line
//! `VERB PATH => ARGUMENT` each, and `result` or `error`. In an argument `\n` is a line break. `*.paths` have `source` and
//! `paths`, lines `PATH -> ADDRESS, …`. `BLESS=1 cargo test -p hclkit-write suite` writes the actual results; review
//! the diff.

use std::fmt::Write as _;
use std::path::Path;

use hclkit_syntax::{Document, Source, Syntax, TokenKind, parse};
use hclkit_test_cases::{self as cases, Case, File, Section};
use hclkit_write::{Edits, Formatter, Match, Selector, raw};

/// The option of cases whose text has no line break at its end.
const OPEN_END: &str = "no final line break";

/// The option of cases whose text has errors.
const BROKEN: &str = "errors";

/// Checks the cases of all files with an extension. There must be at least this many. `run` gets the document of a
/// case and the lines of its section `input`.
fn check(
    extension: &str,
    input: &str,
    results: &[&str],
    least: usize,
    run: impl Fn(&Document, &[&str]) -> Section,
) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/write/cases");
    // The other extension is that of the other test.
    let files = cases::read(&directory, extension, &["edits", "paths"]);
    let files = files.unwrap_or_else(|problem| panic!("{problem}"));
    let mut count = 0;
    for file in &files {
        count += file.cases.iter().filter_map(|case| case.section(input)).flat_map(str::lines).count();
        cases::check(
            std::slice::from_ref(file),
            |title| results.contains(&title),
            |case| {
                let is_option = |option: &String| [OPEN_END, BROKEN].contains(&option.as_str());
                assert!(case.options.iter().all(is_option), "{}: unknown options", case.name);
                let known = |title: &str| title == "source" || title == input || results.contains(&title);
                let unknown = case.sections.iter().find(|section| !known(&section.title));
                assert_eq!(unknown, None, "{}", case.name);
                let lines = case.section(input).unwrap_or_else(|| panic!("{}: no `{input}`", case.name));
                vec![run(&read(file, case), &lines.lines().collect::<Vec<_>>())]
            },
        );
    }
    assert!(count >= least, "{count}");
}

/// The document of a case, in the JSON syntax if its file is named so.
fn read(file: &File, case: &Case) -> Document {
    let text = case.section("source").unwrap_or_else(|| panic!("{}: no `source`", case.name));
    let is_json = file.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("json"));
    let text = if case.has(OPEN_END) { text.trim_end_matches(['\r', '\n']) } else { text };
    let document = if is_json { Document::parse_json(Source::new("", text)) } else { parse(text) };
    assert_eq!(document.has_errors(), case.has(BROKEN), "{}: {text}", case.name);
    document
}

#[test]
fn edits() {
    check("edits", "edits", &["result", "error"], 500, |document, orders| match edit(document, orders) {
        Ok(after) => {
            let is_formatted = |document: &Document| {
                document.syntax() == Syntax::Native && Formatter::plain().format(document).is_unchanged()
            };
            assert!(!is_formatted(document) || is_formatted(&after), "{}", after.source().text());
            // The text has a line break at its end if it had one, or if it ends with a heredoc.
            let ends = |document: &Document| document.source().text().ends_with('\n');
            let text = after.source().text();
            let is_empty = text.trim().is_empty() || document.source().text().trim().is_empty();
            let is_end = |kind: TokenKind| kind.is_trivia() || kind == TokenKind::Eof;
            let last = after.tokens().iter().filter(|token| !is_end(token.kind)).last();
            let is_heredoc = last.is_some_and(|token| token.kind == TokenKind::CloseHeredoc);
            assert!(is_empty || is_heredoc || ends(document) == ends(&after), "{text}");
            Section::new("result", if ends(&after) { text.to_owned() } else { format!("{text}\n") })
        }
        Err(error) => Section::new("error", error),
    });
}

fn edit(document: &Document, orders: &[&str]) -> Result<Document, String> {
    let mut edits = Edits::new(document);
    for order in orders {
        let (verb, rest) = order.split_once(' ').unwrap();
        let (path, argument) = rest.split_once(" => ").unwrap_or((rest, ""));
        let argument = argument.replace("\\n", "\n");
        let select = |path: &str| -> Result<Vec<Match<'_>>, String> {
            let found = path.parse::<Selector>().map_err(|error| error.to_string())?;
            let found = found.select(document).map_err(|errors| errors.to_string())?;
            if found.is_empty() { Err(format!("{path} matches nothing")) } else { Ok(found) }
        };
        let to = || select(&argument).map(|found| found[0].node());
        for found in select(path)? {
            let node = found.node();
            let done = match verb {
                "set" => edits.set(found.named(), raw(argument.clone())),
                "add" => {
                    let (name, value) = argument.split_once(" = ").unwrap();
                    edits.add(node, name, raw(value))
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
    check("paths", "paths", &["paths"], 150, |document, lines| {
        let mut out = String::new();
        for line in lines {
            let path = line.split(" -> ").next().unwrap();
            let addresses = match path.parse::<Selector>() {
                Ok(path) => match path.select(document) {
                    Ok(found) => {
                        // Each address selects what it is the address of.
                        for found in &found {
                            let again = found.address().parse::<Selector>().unwrap();
                            let again = again.select(document).unwrap();
                            assert_eq!(again.len(), 1, "{}", found.address());
                            assert_eq!(again[0].node(), found.node(), "{}", found.address());
                        }
                        let addresses: Vec<&str> = found.iter().map(Match::address).collect();
                        if addresses.is_empty() { "nothing".to_owned() } else { addresses.join(", ") }
                    }
                    Err(found) => found.to_string(),
                },
                Err(error) => format!("error: {error}"),
            };
            let _ = writeln!(out, "{path} -> {addresses}");
        }
        Section::new("paths", out)
    });
}
