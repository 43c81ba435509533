//! Modules that Terraform or OpenTofu accepts, recorded in `tests/checks` and `tests/versions`: after a rename that is not refused,
//! `hcl check` accepts them, too, and renaming back gives the first text.

use std::path::Path;

use hclkit::dialect::{Dialect, FileKind};
use hclkit::{Document, Source, StartSymbol, Syntax};
use hclkit_test_cases::Case;

use crate::tree::{Files, Tree, run, show};

const APPLICATIONS: [&str; 2] = ["terraform", "opentofu"];

/// The addresses that the files of a directory declare.
fn declared(files: &Files, language: &str) -> Vec<String> {
    let language = Dialect::named(language).unwrap();
    let mut all = Vec::new();
    for (name, text) in
        files.iter().filter(|(name, _)| !name.contains('/') && Syntax::of(name) == Syntax::Native)
    {
        if language.file_kind(name) != Some(FileKind::Module) {
            continue;
        }
        let document = Document::parse(Source::new(name.as_str(), text.as_str()), StartSymbol::Config);
        for block in document.body().blocks() {
            let Some(rule) = language.block(block.block_type()) else { continue };
            let labels = block.label_texts();
            if rule.defines.is_of_attributes() {
                let names = block.body().attributes().map(hclkit::ast::AttributeNode::name);
                all.extend(names.filter_map(|name| rule.defines.address(&labels, Some(name))));
            } else {
                all.extend(rule.defines.address(&labels, None));
            }
        }
    }
    let mut all: Vec<String> = all.into_iter().map(|names| names.join(".")).collect();
    all.sort();
    all.dedup();
    all
}

/// The files of a case, and the first application that accepts it.
fn accepted(case: &Case) -> Option<(Files, &'static str)> {
    let answer = |application: &str| {
        let own = case.section(application)?;
        if own == "same\n" { case.section(APPLICATIONS[0]) } else { Some(own) }
    };
    let accepts = |application: &&&str| {
        answer(application).is_some_and(|own| !own.contains("error") && own != "not asked\n")
    };
    let application = APPLICATIONS.iter().find(accepts)?;
    let is_file = |title: &str| title.contains('.') || title.contains('/');
    let files = case.sections.iter().filter(|own| is_file(&own.title));
    Some((files.map(|own| (own.title.clone(), own.text.clone())).collect(), application))
}

#[test]
fn accepted_modules_are_accepted_after_a_rename() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let (mut renamed, mut refused) = (0, 0);
    let mut wrong: Vec<String> = Vec::new();
    for (directory, extension) in [("checks", "cases"), ("versions", "versions")] {
        for file in hclkit_test_cases::read(&tests.join(directory), extension, &[]).unwrap() {
            for case in &file.cases {
                let Some((files, application)) = accepted(case) else { continue };
                let tree = Tree::with(&files);
                let root = tree.path("");
                let check = || run(&["check", "--no-ignore", "--language", application, &root]);
                if check().0 != 0 {
                    continue;
                }
                let names = declared(&files, application);
                let seed = files.values().map(String::len).sum::<usize>();
                let Some(address) = names.get(seed % names.len().max(1)) else { continue };
                let (path, old) = address.rsplit_once('.').unwrap_or(("", address));
                let rename =
                    |address: &str, new: &str| run(&["rename", "-w", "--no-moved", address, new, &root]);
                let (code, printed) = rename(address, "renamed_x");
                let place = format!("{}: {}: {address}", file.path.display(), case.name);
                if code != 0 {
                    refused += 1;
                    assert!(tree.files() == files, "{place}: refused, but changed: {printed}");
                    continue;
                }
                renamed += 1;
                let after = tree.files();
                let (code, report) = check();
                if code != 0 {
                    wrong.push(format!("=== {place}\n{printed}{report}{}", show(&after)));
                    continue;
                }
                let (code, printed) = rename(&format!("{path}.renamed_x"), old);
                let spaces = |files: &Files| -> Vec<String> {
                    files.values().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
                };
                if code != 0 || spaces(&tree.files()) != spaces(&files) {
                    let back = show(&tree.files());
                    wrong.push(format!("=== {place}: not the same on the way back\n{printed}{back}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
    assert!(renamed > 200 && refused * 4 < renamed, "{renamed} renamed, {refused} refused");
}
