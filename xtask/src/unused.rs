//! A test: every public item has a caller, an example or a test. It searches the code of all crates, tests and examples, and
//! the code in documentation, for the names in `docs/api`. Names are not resolved, so a name that several items have is
//! found if one of them is used.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::programs::root;

#[test]
fn public_items_are_used() {
    let uses = uses();
    assert!(uses.len() > 5_000, "{} names", uses.len());
    let mut unused = Vec::new();
    for entry in fs::read_dir(root().join("docs/api")).unwrap() {
        let listing = fs::read_to_string(entry.unwrap().path()).unwrap();
        // The methods of a trait are called through it.
        let mut in_trait = false;
        for line in listing.lines() {
            in_trait = if line.starts_with("impl") { line.contains(" for ") } else { in_trait };
            let Some(item) = item(line).filter(|item| !(in_trait && item.kind == "fn")) else { continue };
            if !uses.contains(item.name) {
                unused.push(format!("{} {}", item.kind, item.path));
            }
        }
    }
    let advice = "without a caller, an example or a test; if an item no longer exists, run `cargo xtask api`";
    assert!(unused.is_empty(), "{advice}:\n{}", unused.join("\n"));
}

struct Item<'l> {
    kind: &'l str,
    path: &'l str,
    name: &'l str,
}

/// The item on a line of a listing: `pub fn hclkit_syntax::parse(…) -> …`.
fn item(line: &str) -> Option<Item<'_>> {
    let line = line.strip_prefix("#[non_exhaustive] ").unwrap_or(line);
    let line = line.strip_prefix("pub ")?;
    let line = line.strip_prefix("const fn ").map_or(line, |_| &line["const ".len()..]);
    let (kind, path) = line.split_once(' ')?;
    if !["fn", "struct", "enum", "trait", "const"].contains(&kind) {
        return None;
    }
    let path = path.split(['(', ' ']).next()?;
    let path = path.strip_suffix(':').unwrap_or(path);
    let path = if path.ends_with('>') { &path[..path.find('<')?] } else { path };
    let name = path.rsplit("::").next()?;
    let name = &name[..name.find('<').unwrap_or(name.len())];
    name.starts_with(|first: char| first.is_alphabetic()).then_some(Item { kind, path, name })
}

/// The names that occur in code where they are not defined.
fn uses() -> HashSet<String> {
    let listed = Command::new("git").arg("ls-files").current_dir(root()).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut names: HashMap<String, bool> = HashMap::new();
    for file in listed.lines() {
        let extension = Path::new(file).extension().and_then(|extension| extension.to_str());
        let is_page = extension == Some("md");
        if !is_page && extension != Some("rs") {
            continue;
        }
        let Ok(text) = fs::read_to_string(root().join(file)) else { continue };
        let mut in_example = false;
        for line in text.lines() {
            let line = line.trim_start();
            let comment = ["///", "//!"].iter().find_map(|mark| line.strip_prefix(mark));
            let prose = comment.map(str::trim_start).or_else(|| is_page.then_some(line));
            if let Some(prose) = prose {
                if prose.starts_with("```") {
                    in_example = !in_example;
                } else if in_example {
                    add(prose, &mut names);
                }
            } else if !line.starts_with("//") {
                add(line, &mut names);
            }
        }
    }
    names.into_iter().filter_map(|(name, used)| used.then_some(name)).collect()
}

fn add(code: &str, names: &mut HashMap<String, bool>) {
    const DEFINITIONS: [&str; 6] = ["fn", "struct", "enum", "trait", "const", "type"];
    let words = code.split(|character: char| !character.is_alphanumeric() && character != '_');
    let mut before = "";
    for word in words.filter(|word| !word.is_empty()) {
        let used = !DEFINITIONS.contains(&before);
        *names.entry(word.to_owned()).or_default() |= used;
        before = word;
    }
}

#[test]
fn names_of_items_are_found_in_listings() {
    let found = |line| item(line).map(|item| (item.kind, item.name));
    assert_eq!(found("pub fn hclkit_syntax::parse(impl Into<Vec<u8>>) -> Document"), Some(("fn", "parse")));
    assert_eq!(found("pub const fn hclkit_syntax::Span::len(self) -> u32"), Some(("fn", "len")));
    assert_eq!(found("#[non_exhaustive] pub struct hclkit_syntax::Edited"), Some(("struct", "Edited")));
    assert_eq!(found("pub struct hclkit_syntax::ast::BlockNode<'d>"), Some(("struct", "BlockNode")));
    assert_eq!(
        found("pub fn hclkit_syntax::Walk<'_>::skip_children(&mut self)"),
        Some(("fn", "skip_children"))
    );
    assert_eq!(found("pub const hclkit_syntax::NodeId::ROOT: Self"), Some(("const", "ROOT")));
    assert_eq!(found("pub mod hclkit_syntax"), None);
}
