//! The answers of the language server equal those of the commands, on the examples and on the modules of `tests/modules`.
#![cfg(unix)]

mod editors;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_cli::{Host, hcl};
use hclkit_ide::{Action, File, Snapshot, Workspace};
use hclkit_lsp::DiskFiles;
use hclkit_test_cases::is_tried;
use serde_json::Value;
use tempfile::TempDir;

/// The most names of a file.
const MOST_NAMES: u32 = 5;

/// A stream in memory.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs `hcl` in this process. Returns the exit code, and what it printed.
fn run(arguments: &[&str]) -> (u8, String) {
    let (output, errors) = (Sink::default(), Sink::default());
    let host = Host::given(Vec::new(), output.clone(), errors);
    let line = std::iter::once("hcl").chain(arguments.iter().copied()).map(Into::into).collect();
    let code = hcl(line, &host);
    let text = output.0.lock().unwrap().clone();
    (code, String::from_utf8(text).unwrap())
}

/// A tree of files on disk.
struct Tree {
    folder: TempDir,
    files: BTreeMap<String, String>,
}

impl Tree {
    fn with(files: BTreeMap<String, String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A repository, whose modules call each other.
        fs::create_dir(folder.path().join(".git")).unwrap();
        for (name, text) in &files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { folder, files }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn path(&self, name: &str) -> String {
        self.root().join(name).to_str().unwrap().to_owned()
    }

    fn directories(&self) -> BTreeSet<String> {
        let parent = |name: &String| Path::new(name).parent().unwrap().to_str().unwrap().to_owned();
        self.files.keys().map(parent).collect()
    }

    /// The server with the directory as its only one, and one open document.
    fn snapshot(&self, open: &str) -> Snapshot {
        let mut workspace = Workspace::new(Arc::new(DiskFiles), [self.path("").trim_end_matches('/')]);
        workspace.open(&self.path(open), self.files[open].as_str(), Some(1), None);
        workspace.snapshot()
    }

    /// Whether all files can be parsed. The commands do not look into others.
    fn is_whole(&self) -> bool {
        let parse = |(name, text): (&String, &String)| {
            let source = hclkit::Source::new("", text.as_str());
            hclkit::Document::parse_in(source, hclkit::Syntax::of(name))
        };
        self.files.iter().filter(|(name, _)| Self::is_configuration(name)).all(|own| !parse(own).has_errors())
    }

    fn is_configuration(name: &str) -> bool {
        hclkit::dialect::syntax_of_path(name).is_some()
    }
}

/// The examples and the cases of `tests/modules`: usually, one of so many.
fn trees(one_of: usize) -> Vec<(String, Tree)> {
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
                } else {
                    files.insert(name, fs::read_to_string(entry.path()).unwrap());
                }
            }
        }
        found.push((entry.file_name().to_str().unwrap().to_owned(), Tree::with(files)));
    }
    for file in fs::read_dir(top.join("tests/modules")).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        for case in text.split("\n=== ").skip(1) {
            let (name, rest) = case.split_once('\n').unwrap();
            let sections = format!("\n{rest}");
            let sections = sections.split("\n--- ").skip(1).filter_map(|section| section.split_once('\n'));
            let is_file = |(title, _): &(&str, &str)| {
                title.contains('.') && !title.contains(' ') && !title.starts_with('/')
            };
            let files = sections.filter(is_file).map(|(title, text)| (title.to_owned(), format!("{text}\n")));
            let files: BTreeMap<String, String> = files.collect();
            if !files.is_empty() && files.keys().all(|name| !name.contains("..")) {
                found.push((format!("{}: {name}", file.file_name().to_str().unwrap()), Tree::with(files)));
            }
        }
    }
    assert!(found.len() > 150, "only {} trees", found.len());
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found.into_iter().enumerate().filter(|(at, _)| is_tried(*at, one_of)).map(|(_, tree)| tree).collect()
}

/// Diagnostics of `hcl check`, by file: code, start and end in bytes, title and details.
fn checked(tree: &Tree, directory: &str) -> BTreeMap<String, BTreeSet<String>> {
    let (_, printed) = run(&["check", &tree.path(directory), "--report", "json"]);
    // The command writes some paths relative to the current directory.
    let here = std::env::current_dir().unwrap();
    let up = "../".repeat(here.components().count() - 1);
    let printed = printed.replace(&format!("{up}{}", tree.path("").trim_start_matches('/')), &tree.path(""));
    let report: Value = serde_json::from_str(&printed).unwrap_or_default();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for own in report["diagnostics"].as_array().into_iter().flatten() {
        let file = own["file"].as_str().unwrap_or_default().to_owned();
        found.entry(file).or_default().insert(shown(
            own["code"].as_str().unwrap_or_default(),
            own["range"]["start"]["byte"].as_u64().unwrap_or_default(),
            own["range"]["end"]["byte"].as_u64().unwrap_or_default(),
            &format!(
                "{}: {}",
                own["summary"].as_str().unwrap_or_default(),
                own["detail"].as_str().unwrap_or_default()
            ),
        ));
    }
    found
}

fn shown(code: &str, start: u64, end: u64, text: &str) -> String {
    format!("{code} {start}-{end} {text}")
}

#[test]
fn diagnostics_are_those_of_check() {
    let (mut compared, mut some) = (0, 0);
    for (name, tree) in trees(3) {
        for directory in tree.directories() {
            let expected = checked(&tree, &directory);
            let is_own = |file: &&String| {
                Path::new(file.as_str()).parent().unwrap().to_str() == Some(&directory)
                    && Tree::is_configuration(file)
            };
            for file in tree.files.keys().filter(is_own) {
                let path = tree.path(file);
                let found = tree.snapshot(file).diagnostics(&path);
                let found: BTreeSet<String> = found
                    .iter()
                    .map(|own| {
                        let code = own.code().map_or("", hclkit::Code::as_str);
                        let text = format!("{}: {}", own.summary(), own.note());
                        shown(code, own.span().start.into(), own.span().end.into(), &text)
                    })
                    .collect();
                let expected = expected.get(&path).cloned().unwrap_or_default();
                assert_eq!(found, expected, "{name}: {file}");
                compared += 1;
                some += usize::from(!expected.is_empty());
            }
        }
    }
    assert!(compared > 100 && some > 25, "{some} of {compared}");
}

/// With a spec, which a comment names.
#[test]
fn errors_by_a_spec_are_those_of_check() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/service");
    let spec = fs::read_to_string(top.join("service.hcldec")).unwrap();
    let text = fs::read_to_string(top.join("web.hcl")).unwrap();
    let whole = format!("# hcl: spec=service.hcldec\n{text}");
    let mut texts = vec![whole.clone()];
    // Each line is left out, has another name, or another value.
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        texts.push(whole.replacen(&format!("{line}\n"), "", 1));
        texts.push(whole.replacen(line, &line.replacen(' ', " x", 1), 1));
        texts.push(whole.replacen(line, &line.replace(['"', '='], "= {} #"), 1));
        texts.push(whole.replacen(line, &line.replace("= ", "= unknown."), 1));
    }
    let mut some = 0;
    for text in texts {
        let files = [("service.hcldec", spec.as_str()), ("web.hcl", text.as_str())];
        let tree = Tree::with(files.map(|(name, text)| (name.to_owned(), text.to_owned())).into());
        let (path, spec) = (tree.path("web.hcl"), tree.path("service.hcldec"));
        let found = tree.snapshot("web.hcl").diagnostics(&path);
        let found: BTreeSet<String> =
            found.iter().map(|own| format!("{} {}", own.span().start, own.note())).collect();
        let (_, printed) = run(&["check", "--spec", &spec, "--unknown-vars", &path, "--report", "json"]);
        let report: Value = serde_json::from_str(&printed).unwrap_or_default();
        let one = |own: &Value| {
            let start = own["range"]["start"]["byte"].as_u64().unwrap_or_default();
            format!("{start} {}", own["detail"].as_str().unwrap_or_default())
        };
        let expected: BTreeSet<String> =
            report["diagnostics"].as_array().into_iter().flatten().map(one).collect();
        assert_eq!(found, expected, "{text}");
        some += usize::from(!expected.is_empty());
    }
    assert!(some > 10, "only {some} with errors");
}

/// The places of names in a file: starts of words.
fn places(file: &File) -> Vec<u32> {
    let document = file.document();
    let is_name = |token: &hclkit::syntax::Token| {
        matches!(token.kind, hclkit::syntax::TokenKind::Identifier | hclkit::syntax::TokenKind::String)
    };
    document.tokens().iter().filter(is_name).map(|token| token.span.start + 1).collect()
}

#[test]
fn references_are_those_of_refs() {
    let mut compared = 0;
    for (name, tree) in trees(8).into_iter().filter(|(_, tree)| tree.is_whole()) {
        for file in tree.files.keys().filter(|file| Tree::is_configuration(file)) {
            let snapshot = tree.snapshot(file);
            let path = tree.path(file);
            let mut seen = BTreeSet::new();
            let mut left = MOST_NAMES;
            let all = snapshot.file(&path).map(|file| places(&file)).unwrap_or_default();
            for offset in all {
                if left == 0 {
                    break;
                }
                let Some(address) = snapshot.address(&path, offset).filter(|own| seen.insert(own.clone()))
                else {
                    continue;
                };
                left -= 1;
                let found = snapshot.references(&path, offset);
                let found: BTreeSet<String> = found
                    .iter()
                    .map(|own| {
                        format!("{} {} {}", own.location.path, own.location.span.start, own.kind.as_str())
                    })
                    .collect();
                let directory = Path::new(&path).parent().unwrap().to_str().unwrap().to_owned();
                let is_module = hclkit::dialect::Dialect::of_path(&path).is_some_and(|own| own.has_modules());
                let target = if is_module { directory } else { path.clone() };
                let (_, printed) = run(&["refs", &address, &target, "--output", "json"]);
                let lines: Value = serde_json::from_str(&printed).unwrap_or_default();
                let expected: BTreeSet<String> = lines
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|own| {
                        let at = own["range"]["start"]["byte"].as_u64().unwrap_or_default();
                        let file =
                            hclkit::limits::clean_path(Path::new(own["file"].as_str().unwrap_or_default()));
                        format!("{} {at} {}", file.display(), own["kind"].as_str().unwrap_or_default())
                    })
                    .collect();
                assert_eq!(found, expected, "{name}: {address} in {file}");
                compared += 1;
            }
        }
    }
    assert!(compared > 80, "only {compared} names");
}

#[test]
fn renaming_is_that_of_rename() {
    let (mut compared, mut refused) = (0, 0);
    for (name, tree) in trees(10).into_iter().filter(|(_, tree)| tree.is_whole()) {
        for file in tree.files.keys().filter(|file| Tree::is_configuration(file) && !file.contains("tests/"))
        {
            let snapshot = tree.snapshot(file);
            let path = tree.path(file);
            let mut seen = BTreeSet::new();
            let mut left = MOST_NAMES;
            let all = snapshot.file(&path).map(|file| places(&file)).unwrap_or_default();
            for offset in all {
                if left == 0 {
                    break;
                }
                let Some(place) = snapshot.prepare_rename(&path, offset) else { continue };
                let Some(address) = snapshot.address(&path, offset).filter(|own| seen.insert(own.clone()))
                else {
                    continue;
                };
                left -= 1;
                if address.contains(".var.") {
                    continue;
                }
                // Another name, and one that is taken where there is one.
                let number = compared + refused;
                for new in ["other_name", "name"] {
                    if place.name == new || new == "name" && number % 4 > 0 {
                        continue;
                    }
                    let edits = snapshot.rename(&path, offset, new);
                    let copy = Tree::with(tree.files.clone());
                    let own = copy.path(file);
                    let directory = Path::new(&own).parent().unwrap().to_str().unwrap().to_owned();
                    let is_module =
                        hclkit::dialect::Dialect::of_path(&own).is_some_and(|own| own.has_modules());
                    let target = if is_module { directory } else { own.clone() };
                    let (code, _) = run(&["rename", "-w", &address, new, &target]);
                    let Ok(edits) = edits else {
                        assert_ne!(code, 0, "{name}: {address} to {new}: {edits:?}");
                        refused += 1;
                        continue;
                    };
                    assert_eq!(code, 0, "{name}: {address} to {new} is refused by the command");
                    for (other, before) in &tree.files {
                        let mut text = before.clone();
                        for edit in edits.get(&tree.path(other)).into_iter().flatten().rev() {
                            text.replace_range(edit.span.to_range(), &edit.replacement);
                        }
                        assert_eq!(
                            text,
                            fs::read_to_string(copy.path(other)).unwrap(),
                            "{name}: {address} to {new} in {other}"
                        );
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 40, "{compared} renamed, {refused} refused");
}

#[test]
fn formatting_is_that_of_fmt() {
    let mut compared = 0;
    for (name, tree) in trees(2) {
        for (file, text) in tree.files.iter().filter(|(file, _)| {
            Tree::is_configuration(file) && hclkit::Syntax::of(file) == hclkit::Syntax::Native
        }) {
            // Spaces are added, so that there is something to format.
            let text = text.replace(" = ", "    =  ");
            let copy = Tree::with(BTreeMap::from([(file.clone(), text.clone())]));
            let snapshot = copy.snapshot(file);
            let mut after = text.clone();
            for edit in snapshot.format(&copy.path(file)).iter().rev() {
                after.replace_range(edit.span.to_range(), &edit.replacement);
            }
            run(&["fmt", "-w", &copy.path(file)]);
            assert_eq!(after, fs::read_to_string(copy.path(file)).unwrap(), "{name}: {file}");
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} files");
}

#[test]
fn fixes_are_those_of_check() {
    for text in ["a = 'x'\nb = [1; 2]\n", "a = \"x\nb = 1\n", "x {\n  a = 1,\n}\n"] {
        let tree = Tree::with(BTreeMap::from([("a.hcl".to_owned(), text.to_owned())]));
        let action = tree.snapshot("a.hcl").fix_all(&tree.path("a.hcl"));
        let mut after = text.to_owned();
        for edit in action.iter().flat_map(|action| &action.edits[&tree.path("a.hcl")]).rev() {
            after.replace_range(edit.span.to_range(), &edit.replacement);
        }
        run(&["check", "--fix", "-w", &tree.path("a.hcl")]);
        assert_eq!(after, fs::read_to_string(tree.path("a.hcl")).unwrap());
        assert_ne!(after, text);
    }
}

/// The files of a directory after edits. Files of which nothing is left are not there.
fn after_edits(snapshot: &Snapshot, tree: &Tree, edits: &hclkit_ide::Edits) -> BTreeMap<String, String> {
    let mut files = tree.files.clone();
    for (path, edits) in edits {
        let name = Path::new(path).strip_prefix(tree.root()).unwrap().to_str().unwrap().to_owned();
        let text = files.entry(name).or_default();
        assert_eq!(snapshot.file(path).is_some(), Path::new(path).exists(), "{path}");
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.to_range(), &edit.replacement);
        }
    }
    without_empty(files)
}

fn without_empty(mut files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    files.retain(|_, text| !text.trim().is_empty() && text.trim() != "{}" && text.trim() != "{\n}");
    files
}

/// The files of a directory on disk.
fn files_on_disk(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

/// The arguments of `hcl split -w` that do what an action at an offset does, with the files that it changes.
fn split_command(snapshot: &Snapshot, path: &str, at: u32, action: &Action) -> Option<Vec<String>> {
    let mut line = Vec::new();
    if let Some(target) = action.title.split('`').nth(1) {
        line.extend(["--block".to_owned(), block_path(snapshot, path, at)?]);
        line.extend(["--into".to_owned(), target.to_owned()]);
    }
    let others = action.edits.keys().filter(|own| **own != path && Path::new(own).exists());
    for own in others {
        // The command would move blocks of the targets, too.
        let moves = snapshot.moves(own, hclkit::Span::empty(u32::MAX));
        if line.is_empty() && moves.iter().any(|own| own.title.starts_with("Split")) {
            return None;
        }
        line.push(own.clone());
    }
    line.push(path.to_owned());
    Some(line)
}

#[test]
fn splitting_is_that_of_split() {
    let (mut compared, mut split) = (0, 0);
    for (name, tree) in trees(8).into_iter().filter(|(_, tree)| tree.is_whole()) {
        for file in tree.files.keys().filter(|file| file.contains(".tf") && Tree::is_configuration(file)) {
            let snapshot = tree.snapshot(file);
            let path = tree.path(file);
            for at in snapshot.symbols(&path).iter().take(2).map(|own| own.span.start) {
                for action in snapshot.moves(&path, hclkit::Span::empty(at)) {
                    let Some(line) = split_command(&snapshot, &path, at, &action) else { continue };
                    let copy = Tree::with(tree.files.clone());
                    let (root, new) = (tree.path(""), copy.path(""));
                    let line: Vec<String> = line.into_iter().map(|own| own.replace(&root, &new)).collect();
                    let line: Vec<&str> =
                        ["split", "-w"].into_iter().chain(line.iter().map(String::as_str)).collect();
                    assert_eq!(run(&line).0, 0, "{name}: {} in {file}", action.title);
                    assert_eq!(
                        after_edits(&snapshot, &tree, &action.edits),
                        without_empty(files_on_disk(&copy.root())),
                        "{name}: {} in {file}",
                        action.title
                    );
                    compared += 1;
                    split += usize::from(action.title.starts_with("Split"));
                }
            }
        }
    }
    assert!(compared > 40 && split > 10, "{compared}, {split} whole files");
}

/// The path of `hcl split --block` for the block at an offset, if it is the only one with this path.
fn block_path(snapshot: &Snapshot, path: &str, at: u32) -> Option<String> {
    let file = snapshot.file(path)?;
    let address = |block: &hclkit::ast::BlockNode<'_>| {
        let mut names = vec![block.block_type().to_owned()];
        names.extend(block.label_texts().into_iter().map(Into::into));
        names.join(".")
    };
    if hclkit::Syntax::of(path) == hclkit::Syntax::Json {
        return None;
    }
    let blocks: Vec<_> = file.document().body().blocks().collect();
    let own = blocks.iter().find(|own| own.span().start == at)?;
    let own = address(own);
    (blocks.iter().filter(|block| address(block) == own).count() == 1).then_some(own)
}
