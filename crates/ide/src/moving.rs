//! Moving blocks to other files of their module, as `hcl split` does.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hclkit::Span;
use hclkit::dialect::FileKind;
use hclkit::refactor::{BlockMove, SplitFile, movable_blocks, split, style_moves};
use hclkit::syntax::{Edit, NodeId, NodeKind};

use crate::Snapshot;
use crate::actions::{Action, ActionKind};
use crate::file::File;
use crate::files::{name, parent};
use crate::formatting::formatter;
use crate::refactorings::action;
use crate::rename::{Edits, changes};

impl Snapshot {
    /// What moves blocks of a file to other files of its module: the blocks in a part of the file to the file that Terraform's style
    /// guide recommends, or to a new one, and all blocks to the recommended files. A file of which nothing is left stays, empty.
    pub fn moves(&self, path: &str, within: Span) -> Vec<Action> {
        let Some(file) = self.file(path).filter(|file| is_part_of_module(file)) else { return Vec::new() };
        self.with_languages(|| {
            let own = SplitFile { path: Path::new(path), document: file.document() };
            let names = self.list(parent(path)).unwrap_or_default();
            let recommended = style_moves(&[own], |path| is_listed(&names, path));
            let blocks = blocks_in(&file, &own, within);
            let mut found = Vec::new();
            let target = recommended.iter().find(|own| own.blocks.is_superset(&blocks));
            let target = target.map(|own| &own.target).filter(|_| !blocks.is_empty());
            if let Some(target) = target {
                let moved = BlockMove { file: 0, blocks: blocks.clone(), target: target.clone() };
                let title = format!("Move to `{}`", name(&target.to_string_lossy()));
                found.extend(self.moved_blocks(&file, &names, &[moved], title));
            }
            // The recommended file may have the name that a new one would have, as that of `locals` has.
            let same = |name: &String| target.is_some_and(|target| target.ends_with(name));
            let new = new_names(&file, &blocks)
                .filter(|names| !names.clone().next().is_some_and(|first| same(&first)));
            let new = new.and_then(|mut all| all.find(|name| !names.contains(name)));
            if let Some(target) = new.map(|new| Path::new(path).with_file_name(new)) {
                let title = format!("Move to the new file `{}`", name(&target.to_string_lossy()));
                let moved = BlockMove { file: 0, blocks, target };
                found.extend(self.moved_blocks(&file, &names, &[moved], title));
            }
            if !recommended.is_empty() {
                let title = "Split the file as the style guide recommends".to_owned();
                found.extend(self.moved_blocks(&file, &names, &recommended, title));
            }
            Action::unique(found)
        })
    }

    /// The moves of blocks of a file as an action, if no file that changes has errors. `names` are the files of its directory.
    fn moved_blocks(
        &self,
        file: &Arc<File>,
        names: &[String],
        moves: &[BlockMove],
        title: String,
    ) -> Option<Action> {
        let mut files = vec![file.clone()];
        files.extend(moves.iter().filter_map(|own| self.file(own.target.to_str()?)));
        if files.iter().any(|file| file.document().has_errors()) {
            return None;
        }
        let all: Vec<SplitFile<'_>> = files
            .iter()
            .map(|file| SplitFile { path: Path::new(file.path()), document: file.document() })
            .collect();
        let exists = |path: &Path| is_listed(names, path);
        let style = self.settings(parent(file.path())).0.style();
        let after = split(&all, moves, exists, |_| formatter(file).with_style(style)).ok()?;
        let mut edits = Edits::new();
        for (file, after) in files.iter().zip(&after.changed) {
            if let Some(after) = after {
                edits.insert(file.path().to_owned(), changes(file.text(), after.source().text()));
            }
        }
        for (path, document) in &after.created {
            let text = document.source().text().to_owned();
            edits.insert(path.to_str()?.to_owned(), vec![Edit::new(Span::empty(0), text)]);
        }
        Some(action(title, ActionKind::Move, edits))
    }
}

/// Whether a path is that of one of the files of its directory.
fn is_listed(names: &[String], path: &Path) -> bool {
    path.file_name().is_some_and(|own| names.iter().any(|name| own == name.as_str()))
}

/// Whether the blocks of a file mean the same in another file of its directory.
fn is_part_of_module(file: &File) -> bool {
    let is_shared = file.dialect().is_some_and(|dialect| !dialect.single_files);
    is_shared && file.kind() == Some(FileKind::Module)
}

/// The blocks in a part of a file, or those around it. In the JSON syntax, the innermost properties with blocks.
fn blocks_in(file: &File, own: &SplitFile<'_>, within: Span) -> BTreeSet<NodeId> {
    let document = file.document();
    let touches = |span: Span| span.start <= within.end && within.start <= span.end;
    let all = movable_blocks(own).into_iter().map(|node| (document.span(node), node));
    let mut all: Vec<(Span, NodeId)> = all.filter(|(span, _)| touches(*span)).collect();
    // Properties come after those that they are in.
    all.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let is_innermost = |at: usize| all.get(at + 1).is_none_or(|(next, _)| next.start >= all[at].0.end);
    (0..all.len()).filter(|&at| is_innermost(at)).map(|at| all[at].1).collect()
}

/// The names that a new file for blocks can have: that of the first of them, and others with numbers.
fn new_names(file: &File, blocks: &BTreeSet<NodeId>) -> Option<impl Iterator<Item = String> + Clone> {
    let document = file.document();
    let first = *blocks.iter().min_by_key(|&&node| document.span(node).start)?;
    let stem = if document.tree().kind(first) == NodeKind::Block {
        let block = document.block_at(first)?;
        let label = block.label_texts().into_iter().next_back();
        label.map_or_else(|| block.block_type().to_owned(), Cow::into_owned)
    } else {
        document.text(document.tree().children(first).next()?).trim_matches('"').to_owned()
    };
    let is_plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
    if stem.is_empty() || !stem.chars().all(is_plain) {
        return None;
    }
    let ending = name(file.path()).split_once('.')?.1.to_owned();
    // Blocks of files that override others stay in such files.
    let suffix = if file.dialect()?.is_override(name(file.path())) { "_override" } else { "" };
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| format!("_{number}")));
    Some(numbers.map(move |number| format!("{stem}{number}{suffix}.{ending}")))
}
