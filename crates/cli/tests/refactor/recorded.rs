//! Modules that Terraform or OpenTofu accepts, recorded in `tests/checks` and `tests/versions`: after a rename that is not refused,
//! `hcl check` accepts them, too, and renaming back gives the first text.

use std::path::Path;

use hclkit::dialect::{Dialect, FileKind, Role};
use hclkit::refactor::Names;
use hclkit::{Document, Source, Syntax};
use hclkit_test_cases::Case;

use crate::tree::{Files, Tree, run, show};

const APPLICATIONS: [&str; 2] = ["terraform", "opentofu"];

/// The addresses that the files of a directory declare, in either syntax.
fn declared(files: &Files, language: &str) -> Vec<String> {
    let language = Dialect::named(language).unwrap();
    let is_own = |name: &str| !name.contains('/') && language.file_kind(name) == Some(FileKind::Module);
    let mut all = Vec::new();
    for (name, text) in files.iter().filter(|(name, _)| is_own(name)) {
        let document = Document::parse_in(Source::new(name.as_str(), text.as_str()), Syntax::of(name));
        let names = Names::in_language(&document, Some(language.clone()));
        let declared =
            names.declared().iter().filter(|own| own.role.is_some_and(|own| own != Role::Settings));
        all.extend(declared.map(|own| own.address.join(".")));
    }
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

/// The values of the files, as lines of JSON without the names before them, whose order depends on names. The new name is replaced by
/// the old one, because a source can show its name.
fn values(arguments: &[&str], (new, old): (&str, &str)) -> Option<Vec<String>> {
    let (code, printed) = run(&[&["eval", "--output", "json"], arguments].concat());
    let value = |line: &str| {
        let value = line.split_once("\": ").map_or(line, |(_, value)| value);
        value.trim_end_matches(',').replace(new, old)
    };
    let mut lines: Vec<String> = printed.lines().map(value).collect();
    lines.sort();
    (code == 0).then_some(lines)
}

#[test]
fn templates_and_jobs_have_the_same_values_after_a_rename() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut counts = Vec::new();
    for language in ["packer", "nomad"] {
        let (mut renamed, mut refused) = (0, 0);
        for file in hclkit_test_cases::read(&tests.join(language), language, &[]).unwrap() {
            for case in &file.cases {
                let files = case.sections.iter().filter(|own| own.title.contains('.'));
                let files: Files = files.map(|own| (own.title.clone(), own.text.clone())).collect();
                let tree = Tree::with(&files);
                let root = tree.path("");
                let job = tree.path("job.nomad.hcl");
                let evaluated: &[&str] = if language == "nomad" { &[&job] } else { &[&root] };
                let names = declared(&files, language);
                let seed = files.values().map(String::len).sum::<usize>() % names.len().max(1);
                for address in names.into_iter().skip(seed).take(2) {
                    let (path, old) = address.rsplit_once('.').unwrap_or(("", &address));
                    let new = "renamed_x";
                    let Some(before) = values(evaluated, (new, old)) else { break };
                    let (code, printed) = run(&["rename", "-w", &address, new, &root]);
                    let place = format!("{}: {}: {address}\n{printed}", file.path.display(), case.name);
                    if code != 0 {
                        refused += 1;
                        assert!(tree.files() == files, "{place}: refused, but changed");
                        continue;
                    }
                    renamed += 1;
                    let after = show(&tree.files());
                    assert_eq!(values(evaluated, (new, old)), Some(before), "{place}{after}");
                    let back = format!("{path}.{new}");
                    let (code, printed) = run(&["rename", "-w", back.trim_start_matches('.'), old, &root]);
                    assert!(code == 0 && tree.files() == files, "{place}{printed}{}", show(&tree.files()));
                }
            }
        }
        counts.push((language, renamed, refused));
    }
    for (language, renamed, refused) in counts {
        assert!(renamed > 20 && refused * 4 < renamed, "{language}: {renamed} renamed, {refused} refused");
    }
}
