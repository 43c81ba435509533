//! Which root modules of a repository a change can affect: over the calls of modules by their paths, and over the files that functions
//! read. Directories in which nothing has changed are recognized by the ids of their objects.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use hclkit::ast::ExpressionKind;
use hclkit::dialect::tree::{Body, Node};
use hclkit::dialect::{Dialect, Role, is_local_source};
use hclkit::module::{Signs, join_path};
use hclkit::{Document, Source, Syntax};
use hclkit_git::Id;

use super::tree::Tree;

/// What a directory has to do with others.
#[derive(Clone, Debug, Default)]
struct Links {
    /// The directories that it calls.
    calls: BTreeSet<String>,
    /// A source is not a literal, so that it may call any directory.
    calls_any: bool,
    /// It may call functions that read files.
    reads_files: bool,
}

/// A root module that a change can affect.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) directory: String,
    /// The changed files in its directory and in those that it calls. There are none if it may only read changed files by functions.
    pub(super) files: BTreeSet<String>,
}

/// The root modules that a change can affect, in the order of their names.
pub(super) fn candidates(old: &Tree, new: &Tree, changed: &BTreeSet<String>) -> Vec<Candidate> {
    if changed.is_empty() {
        return Vec::new();
    }
    let mut seen = HashMap::new();
    let (before, after) = (links(old, &mut seen), links(new, &mut seen));
    let mut by_directory: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in changed {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        by_directory.entry(directory).or_default().insert(path);
    }
    let signs: HashSet<String> = Signs::files().collect();
    let roots: BTreeSet<String> = roots(&before).chain(roots(&after)).collect();
    let mut found = Vec::new();
    for directory in roots {
        let mut all = closure(&before, &directory);
        let other = closure(&after, &directory);
        let is_open = all.1 || other.1;
        let reads_files = all.2 || other.2;
        all.0.extend(other.0);
        let mut files: BTreeSet<String> = all
            .0
            .iter()
            .filter_map(|own| by_directory.get(own.as_str()))
            .flatten()
            .map(|path| (*path).to_owned())
            .collect();
        if is_open {
            files.extend(changed.iter().cloned());
        }
        // Files around a directory say which application it is for.
        files.extend(
            changed
                .iter()
                .filter(|path| {
                    let (around, name) = path.rsplit_once('/').unwrap_or(("", path));
                    signs.contains(name)
                        && (around.is_empty() || directory.starts_with(&format!("{around}/")))
                })
                .cloned(),
        );
        if !files.is_empty() || reads_files {
            found.push(Candidate { directory, files });
        }
    }
    found
}

/// All root modules of both versions.
pub(super) fn all_roots(old: &Tree, new: &Tree) -> BTreeSet<String> {
    let mut seen = HashMap::new();
    roots(&links(old, &mut seen)).chain(roots(&links(new, &mut seen))).collect()
}

/// The directories that no other one calls.
fn roots(all: &BTreeMap<String, Links>) -> impl Iterator<Item = String> {
    let called: HashSet<&String> =
        all.iter().flat_map(|(own, links)| links.calls.iter().filter(move |called| *called != own)).collect();
    let roots: Vec<String> = all.keys().filter(|own| !called.contains(own)).cloned().collect();
    roots.into_iter()
}

/// A directory with those that it calls, also further down; whether one of them may call any other one, and whether one may read files.
fn closure(all: &BTreeMap<String, Links>, root: &str) -> (BTreeSet<String>, bool, bool) {
    let (mut found, mut open) = (BTreeSet::new(), vec![root.to_owned()]);
    let (mut calls_any, mut reads_files) = (false, false);
    while let Some(own) = open.pop() {
        if let Some(links) = all.get(&own) {
            calls_any |= links.calls_any;
            reads_files |= links.reads_files;
            open.extend(links.calls.iter().filter(|called| !found.contains(*called)).cloned());
        }
        found.insert(own);
    }
    (found, calls_any, reads_files)
}

/// The calls in each directory with a module. Files with the same content are parsed once.
fn links(tree: &Tree, seen: &mut HashMap<(Id, String), Arc<FileLinks>>) -> BTreeMap<String, Links> {
    let mut all = BTreeMap::new();
    for directory in tree.directories() {
        let Ok(names) = tree.files_in(directory) else { continue };
        let Some(language) = Dialect::of_files(names.iter().map(String::as_str)) else { continue };
        let mut own = Links::default();
        for name in names.iter().filter(|name| Dialect::of_path(name).is_some()) {
            let path = join_path(directory, name);
            let read = || Arc::new(file_links(&language, name, &tree.content(&path).unwrap_or_default()));
            let found = match tree.id(&path) {
                Some(id) => seen.entry((id, name.clone())).or_insert_with(read).clone(),
                None => read(),
            };
            own.calls.extend(found.sources.iter().map(|source| tree.real(join_path(directory, source))));
            own.calls_any |= found.is_open;
            own.reads_files |= found.reads_files;
        }
        all.insert(directory.to_owned(), own);
    }
    all
}

/// What a file says about others.
#[derive(Debug, Default)]
struct FileLinks {
    /// The local sources of calls.
    sources: Vec<String>,
    is_open: bool,
    reads_files: bool,
}

fn file_links(language: &Dialect, name: &str, text: &[u8]) -> FileLinks {
    let text = String::from_utf8_lossy(text);
    let functions = language.openers().chain(language.readers());
    let mut found = FileLinks {
        reads_files: functions.into_iter().any(|own| text.contains(own)),
        ..FileLinks::default()
    };
    let calls: Vec<&str> = language
        .blocks
        .iter()
        .filter(|rule| rule.role == Role::Call)
        .map(|rule| rule.block_type.as_str())
        .collect();
    if !calls.iter().any(|call| text.contains(call)) {
        return found;
    }
    let document = Document::parse_in(Source::new(name, text.as_bytes()), Syntax::of(name));
    let body = Body::of(&document, Some(language), false);
    for block in body.blocks.iter().filter(|block| calls.contains(&&*block.block_type)) {
        let Some(source) = block.body.attribute("source") else { continue };
        let literal = match source.value {
            Node::Native(node) => match node.without_parens().kind() {
                ExpressionKind::Template(text) => text.as_literal().map(std::borrow::Cow::into_owned),
                _ => None,
            },
            Node::Json(value, _) => {
                value.as_string().map(|text| text.value().into_owned()).filter(|text| !text.contains("${"))
            }
        };
        match literal {
            Some(source) if is_local_source(&source) => found.sources.push(source),
            Some(_) => {}
            None => found.is_open = true,
        }
    }
    found
}
