//! Mocks in other files: those in the directory that `source` of a `mock_provider` names.

use std::collections::HashSet;
use std::io::ErrorKind;

use hclkit::model::{Block, ParseOptions};
use hclkit::module::{ModuleLoader, TestBlock};
use hclkit::{Code, Context, Diagnostic, Diagnostics};

use super::file::written;

const UNREADABLE: Code = Code::custom("unreadable-mocks", "The mocks in a directory cannot be read")
    .with_explanation(
        "The argument `source` of a `mock_provider` is the path of a directory with files `*.tfmock.hcl`, relative to the module under test.",
    );
const DUPLICATE: Code = Code::custom("duplicate-mock", "Two files of mocks set the same").with_explanation(
    "The files of mocks in a directory are read as one. Only one block can be about a type or an object.",
);

/// Adds what the files have to the blocks that name them. What such a block has itself counts first. Returns why files cannot be read
/// here.
pub(super) fn add(
    loader: &ModuleLoader,
    root: &mut TestBlock,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let mut beyond = None;
    for own in root.children.iter_mut().filter(|own| own.is("mock_provider")) {
        let Some(source) = own.attributes.get("source").map(|own| own.expression.clone()) else { continue };
        let path = source.evaluate(&Context::new()).ok();
        let Some(path) = path.as_ref().and_then(|path| path.as_str()) else { continue };
        let files = match loader.mock_files(path) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                beyond = Some(format!("the mocks in `{path}` are outside of what the module may read"));
                continue;
            }
            Err(error) => {
                let note = format!("`{path}`: {error}");
                diagnostics.push(Diagnostic::error(UNREADABLE).with_note(note).at(source.place()));
                continue;
            }
        };
        let mut found = Vec::new();
        for file in files {
            let (body, errors) = ParseOptions::new().parse(file);
            let is_broken = errors.has_errors();
            diagnostics.append(errors);
            if is_broken {
                continue;
            }
            let mocks = TestBlock::read_mocks(loader.language(), &body, diagnostics);
            found.extend(mocks.into_iter().flat_map(|own| own.children));
        }
        merge(own, found, diagnostics);
    }
    beyond
}

/// Adds blocks to one.
fn merge(to: &mut TestBlock, found: Vec<TestBlock>, diagnostics: &mut Diagnostics) {
    let own: HashSet<(String, String)> = to.children.iter().map(key).collect();
    let mut seen = HashSet::new();
    for block in found {
        let key = key(&block);
        if own.contains(&key) {
            continue;
        }
        let (kind, name) = &key;
        let note = format!("Another block `{kind}` is about `{name}`. Remove one of them.");
        if seen.insert(key.clone()) {
            to.children.push(block);
        } else if let Some(place) = block.block.as_ref().map(Block::definition_place) {
            diagnostics.push(Diagnostic::error(DUPLICATE).with_note(note).at(place));
        }
    }
}

/// What a block is about.
fn key(block: &TestBlock) -> (String, String) {
    let kind = block.block.as_ref().map(|own| own.block_type.to_string()).unwrap_or_default();
    let target = block.attributes.get("target").and_then(|own| written(&own.expression));
    (kind, target.unwrap_or_else(|| block.name().to_owned()))
}
