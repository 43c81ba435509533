//! Every page of the guide is listed, and every link has a target: a page, a heading, or a file of the repository.
//! Links to other sites are not followed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use hclkit_book::repository;

const REPOSITORY: &str = "https://github.com/hclkit/hclkit/blob/main/";

/// The pages of the guide by their paths in `docs/book/src`, with included files in place.
fn pages() -> BTreeMap<PathBuf, String> {
    let source = repository("docs/book/src");
    let mut pages = BTreeMap::new();
    let files = |directory: &Path| {
        let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    for path in [files(&source), files(&source.join("commands"))].concat() {
        let text = fs::read_to_string(&path).unwrap();
        let mut whole = String::new();
        for (at, part) in text.split("{{#include ").enumerate() {
            if at == 0 {
                whole.push_str(part);
                continue;
            }
            let (file, rest) = part.split_once("}}").unwrap();
            // Parts of files are named or counted after a colon.
            let file = file.split(':').next().unwrap();
            whole.push_str(&fs::read_to_string(source.join(file)).expect(file));
            whole.push_str(rest);
        }
        pages.insert(path.strip_prefix(&source).unwrap().to_owned(), whole);
    }
    pages
}

/// The text without code blocks, and without code between backticks if `spans` is set.
fn prose(text: &str, spans: bool) -> String {
    let (mut prose, mut fence) = (String::new(), None);
    for line in text.lines() {
        let marks = line.trim_start().chars().take_while(|char| *char == '`').count();
        match fence {
            None if marks >= 3 => fence = Some(marks),
            Some(open) if marks >= open => fence = None,
            None if spans => prose.extend(line.split('`').step_by(2).chain(["\n"])),
            None => prose.extend([line, "\n"]),
            Some(_) => {}
        }
    }
    prose
}

/// The anchors of the headings, as mdBook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for heading in prose(text, false).lines().filter_map(|line| line.strip_prefix('#')) {
        let heading = heading.trim_start_matches('#').trim();
        let mut anchor = String::new();
        for char in heading.chars() {
            match char {
                ' ' => anchor.push('-'),
                char if char.is_alphanumeric() || char == '-' || char == '_' => {
                    anchor.extend(char.to_lowercase());
                }
                _ => {}
            }
        }
        anchors.insert(anchor);
    }
    anchors
}

fn links(text: &str) -> Vec<String> {
    let prose = prose(text, true);
    let inline = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default().to_owned());
    inline.collect()
}

fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

#[test]
fn every_link_of_the_guide_leads_somewhere() {
    let (pages, mut broken) = (pages(), Vec::new());
    for (page, text) in &pages {
        for link in links(text) {
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let found = if let Some(file) = target.strip_prefix(REPOSITORY) {
                repository(file).exists()
            } else if target.contains("://") {
                true
            } else {
                let target = if target.is_empty() { page.clone() } else { normal(Path::new(target)) };
                // In the guide, this directory is a link, which Windows may not have.
                let is_image = target.starts_with("images") && repository("docs").join(&target).exists();
                is_image
                    || pages
                        .get(&target)
                        .is_some_and(|text| anchor.is_empty() || anchors(text).contains(anchor))
            };
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(pages.values().map(|text| links(text).len()).sum::<usize>() > 60, "links are not found");
}

#[test]
fn every_page_is_in_the_summary_once() {
    let pages = pages();
    let listed: Vec<String> = links(&pages[Path::new("SUMMARY.md")]);
    let unique: BTreeSet<PathBuf> = listed.iter().map(PathBuf::from).collect();
    let expected: BTreeSet<PathBuf> =
        pages.keys().filter(|page| *page != Path::new("SUMMARY.md")).cloned().collect();
    assert_eq!((unique.len(), unique), (listed.len(), expected));
}

/// The manuals and the README are also read on GitHub, from where they are.
#[test]
fn every_link_of_other_documents_leads_somewhere() {
    let mut broken = Vec::new();
    let docs = fs::read_dir(repository("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|name| name == "md")).collect();
    files.extend(
        [
            "README.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "crates/cli/README.md",
            "examples/README.md",
        ]
        .map(repository),
    );
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if target.is_empty() { file.clone() } else { file.with_file_name(target) };
            let found = path.exists()
                && (anchor.is_empty() || anchors(&fs::read_to_string(path).unwrap()).contains(anchor));
            if !found {
                broken.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Output on a page is compared: each `text` block belongs to code that calls `shown`. Outputs of examples and of
/// Terraform are compared by `crates/hclkit/tests/hclkit/tasks.rs` and `crates/provider/tests/provider/terraform.rs`.
#[test]
fn outputs_of_code_are_compared() {
    let tested = include_str!("../../src/lib.rs");
    for (page, text) in pages() {
        let own = fs::read_to_string(repository("docs/book/src").join(&page)).unwrap();
        let name = page.display();
        assert!(
            ["examples.md", "terraform.md"].contains(&&*name.to_string())
                || own.matches("```text\n").count() <= own.matches("hclkit_book::shown(").count(),
            "{name} has outputs that are not compared",
        );
        let included = own.contains("{{#include");
        let source = if included { format!("\"{name}\"") } else { format!("\"book/src/{name}\"") };
        assert!(!text.contains("```rust\n") || tested.contains(&source), "the code of {name} is not a test");
    }
}
