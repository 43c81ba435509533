//! Each resolvable name in real files is deleted and completed: the list has it, and after some characters it is near the top.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use hclkit::Span;
use hclkit::refactor::OccurrenceKind;
use hclkit_ide::{Completion, MemoryFiles, Snapshot, Workspace};

/// The characters that are typed before the place in the list counts.
const TYPED: usize = 2;
/// The most names of a file.
const MOST: usize = 5;

/// The examples and the cases of `tests/modules`, as trees of files.
pub(crate) fn trees() -> Vec<BTreeMap<String, String>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for entry in fs::read_dir(top.join("examples")).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let mut files = BTreeMap::new();
        let mut open = vec![(entry.path(), String::new())];
        while let Some((folder, prefix)) = open.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
                if entry.path().is_dir() {
                    open.push((entry.path(), format!("{name}/")));
                } else if let Ok(text) = fs::read_to_string(entry.path()) {
                    files.insert(name, text);
                }
            }
        }
        found.push(files);
    }
    for file in fs::read_dir(top.join("tests/modules")).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        for case in text.split("\n=== ").skip(1) {
            let (_, rest) = case.split_once('\n').unwrap();
            let sections = format!("\n{rest}");
            let sections = sections.split("\n--- ").skip(1).filter_map(|section| section.split_once('\n'));
            let is_file = |(title, _): &(&str, &str)| {
                title.contains('.') && !title.contains([' ', ':']) && !title.contains("..")
            };
            let files = sections.filter(is_file).map(|(title, text)| (title.to_owned(), format!("{text}\n")));
            found.push(files.collect());
        }
    }
    found
}

fn sorted(snapshot: &Snapshot, path: &str, offset: u32) -> Vec<Completion> {
    let mut found = snapshot.completions(path, offset);
    found.sort_by(|one, other| (one.rank, &one.label).cmp(&(other.rank, &other.label)));
    found
}

#[test]
fn names_are_offered_near_the_top() {
    let (mut asked, mut offered, mut first) = (0, 0, 0);
    let mut missing = Vec::new();
    for files in trees().into_iter().step_by(3) {
        let all: Vec<(String, String)> =
            files.iter().map(|(name, text)| (format!("/w/{name}"), text.clone())).collect();
        let disk: Arc<MemoryFiles> = Arc::new(all.iter().cloned().collect());
        for (path, text) in &all {
            if hclkit::dialect::syntax_of_path(path) != Some(hclkit::Syntax::Native) {
                continue;
            }
            let mut workspace = Workspace::new(disk.clone(), ["/w"]);
            workspace.open(path, text.as_str(), Some(1), None);
            let snapshot = workspace.snapshot();
            let mut names: Vec<Span> = Vec::new();
            for offset in text.match_indices('.').map(|(at, _)| at as u32 + 1) {
                if names.len() == MOST {
                    break;
                }
                // The last name of a reference whose declaration is known.
                let Some(declared) = snapshot.definition(path, offset).pop() else { continue };
                let place = snapshot.file(&declared.location.path).unwrap();
                let declared = place.text()[declared.name.to_range()].trim_matches('"').to_owned();
                let references = snapshot.references(path, offset);
                let own = references.iter().find(|own| {
                    own.location.path == *path
                        && own.kind == OccurrenceKind::Reference
                        && own.name.start == offset
                });
                names.extend(own.map(|own| own.name).filter(|name| text[name.to_range()] == declared));
            }
            names.sort();
            names.dedup();
            for name in names {
                let word = &text[name.to_range()];
                let without = |kept: usize| {
                    let mut text = text.clone();
                    text.replace_range(name.start as usize + kept..name.end as usize, "");
                    let mut workspace = Workspace::new(disk.clone(), ["/w"]);
                    workspace.open(path, text.as_str(), Some(1), None);
                    sorted(&workspace.snapshot(), path, name.start + kept as u32)
                };
                asked += 1;
                if without(0).iter().any(|item| item.label == word) {
                    offered += 1;
                } else {
                    missing.push(format!(
                        "{word} in {}",
                        text.lines()
                            .nth(text[..name.start as usize].matches('\n').count())
                            .unwrap_or_default()
                            .trim()
                    ));
                }
                let kept = word.char_indices().nth(TYPED).map_or(word.len(), |(at, _)| at);
                let typed = &word[..kept];
                let near = without(kept).into_iter().filter(|item| item.label.starts_with(typed)).take(10);
                first += usize::from(near.into_iter().any(|item| item.label == word));
            }
        }
    }
    println!("{asked} names: {offered} offered, {first} among the first ten");
    assert!(asked > 300, "only {asked} names");
    assert!(offered * 100 >= asked * 99, "{offered} of {asked} offered: {missing:#?}");
    assert!(first * 100 >= asked * 90, "{first} of {asked} among the first ten");
}
