//! Names and values of `hcl edit`, of its scripts and of the subcommands of hcledit insert nothing but themselves.

use hclkit::ast::{BodyNode, Item};

use crate::program::Folder;

const FILE: &str = "A \"l\" {\n  p = 1\n}\nB {\n  p = 2\n}\n";

const HOSTILE: [&str; 22] = [
    "1\nprovisioner \"x\" {\n}",
    "1\nb = 2",
    "b = 2\nc",
    "x {\n}\ny",
    "x\" {\n}\ny \"z",
    "x \"y",
    "x\n",
    "\nx",
    "1 }\nA {",
    "",
    ".",
    "..",
    "1 /*",
    "*/ b = 1 /*",
    "1 # c",
    "{\n}\n}\nx {",
    "<<E\na\nE",
    "<<E\nE\nb = 1\n",
    "${b}",
    "%{ if true }",
    "x\u{0}\ty\u{2028}b = 1",
    "\"x\" { } c = \"",
];

/// The items of a file: the names of attributes, and the types and labels of blocks, with their bodies.
fn shape(text: &str) -> Vec<String> {
    fn add(body: BodyNode<'_>, path: &str, all: &mut Vec<String>) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => all.push(format!("{path}{:?}", attribute.name())),
                Item::Block(block) => {
                    let labels: Vec<String> = block.label_texts().iter().map(ToString::to_string).collect();
                    let own = format!("{path}{:?} {labels:?}", block.block_type());
                    all.push(own.clone());
                    add(block.body(), &format!("{own} > "), all);
                }
            }
        }
    }
    let document = hclkit::parse(text);
    assert!(!document.has_errors(), "{text}");
    let mut all = Vec::new();
    add(document.body(), "", &mut all);
    all
}

/// The number of items that are only in one of two files, if the others are in the same order.
fn changed(before: &[String], after: &[String]) -> usize {
    let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let rest = (before[start..].iter().rev()).zip(after[start..].iter().rev());
    let end = rest.take_while(|(one, other)| one == other).count();
    before.len().max(after.len()) - start - end
}

#[test]
fn names_and_values_insert_nothing_else() {
    let before = shape(FILE);
    let quoted = |text: &str| hclkit::Value::from(text).to_string();
    for hostile in HOSTILE {
        let in_quotes = quoted(hostile);
        // Each run with the number of items that it may add, and that may have another name.
        let runs: Vec<(Vec<String>, usize, usize)> = [
            (vec!["attribute", "append", "B.q", hostile], 1, 1),
            (vec!["attribute", "append", &format!("B.{in_quotes}"), "1"], 1, 1),
            (vec!["attribute", "append", &format!("B.{hostile}"), "1"], 1, 1),
            (vec!["attribute", "set", "B.p", hostile], 0, 0),
            (vec!["attribute", "mv", "B.p", &format!("B.{in_quotes}")], 0, 1),
            (vec!["attribute", "mv", "B.p", &format!("B.{hostile}")], 0, 1),
            (vec!["attribute", "replace", "B.p", hostile, "1"], 0, 1),
            (vec!["attribute", "replace", "B.p", "p", hostile], 0, 0),
            (vec!["block", "new", hostile], 1, 1),
            (vec!["block", "new", &format!("c.{in_quotes}")], 1, 1),
            (vec!["block", "append", "B", hostile], 1, 1),
            (vec!["block", "append", "B", &format!("c.{in_quotes}.d")], 1, 1),
            (vec!["block", "mv", "A.l", hostile], 0, 2),
            (vec!["block", "mv", "A.l", &format!("A.{in_quotes}")], 0, 2),
            (vec!["block", "mv", "A.l", &format!("{in_quotes}.l")], 0, 2),
            (vec![&format!("B.p={hostile}")], 0, 0),
            (vec!["--rename", &format!("B.p={hostile}")], 0, 1),
            (vec!["--rename", &format!("A={hostile}")], 0, 2),
        ]
        .into_iter()
        .map(|(words, more, renamed)| (words.into_iter().map(str::to_owned).collect(), more, renamed))
        .collect();
        for (mut words, more, renamed) in runs {
            let folder = Folder::with(&[("a.hcl", FILE)]);
            let is_own = words[0].starts_with("--");
            words.insert(0, "edit".to_owned());
            let last: &[&str] = if is_own { &["-w", "a.hcl"] } else { &["-u", "-f", "a.hcl"] };
            words.extend(last.iter().map(ToString::to_string));
            check(&folder, &words, &before, more, renamed);
        }
        for (script, renamed) in [
            (format!("match \"B\" {{\n  set = {{ p = {in_quotes} }}\n}}\n"), 0),
            (format!("match \"B\" {{\n  rename = {{ p = {in_quotes} }}\n}}\n"), 1),
            (format!("match \"A\" {{\n  name = {in_quotes}\n}}\n"), 2),
        ] {
            let folder = Folder::with(&[("a.hcl", FILE), ("edits.hcl", &script)]);
            let words = ["edit", "--script", "edits.hcl", "-w", "a.hcl"].map(str::to_owned);
            check(&folder, &words, &before, 0, renamed);
        }
    }
}

/// Runs an edit, which must fail or change only so many items.
fn check(folder: &Folder, words: &[String], before: &[String], more: usize, renamed: usize) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.iter().any(|word| word.contains('\0')) {
        return;
    }
    let output = folder.command(&words).output().unwrap();
    let text = folder.read("a.hcl");
    if !output.status.success() {
        assert!(matches!(output.status.code(), Some(1 | 2)), "{words:?}: {output:?}");
        assert_eq!(text, FILE, "{words:?}");
        return;
    }
    let after = shape(&text);
    assert!(after.len() <= before.len() + more, "{words:?}:\n{text}");
    assert!(changed(before, &after) <= more.max(renamed), "{words:?}:\n{text}");
}
