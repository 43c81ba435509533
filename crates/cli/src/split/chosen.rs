//! Blocks that a path chooses, which move to a file that is named.

use std::collections::BTreeSet;
use std::path::Path;

use hclkit::Context;
use hclkit::refactor::{BlockMove, SplitFile, movable_blocks};
use hclkit::syntax::NodeId;
use hclkit::write::Selector;

use crate::edit::{context, first, parse, path_of_address};
use crate::input::Input;
use crate::outcome::Failure;
use crate::output::complain;

/// What moves where.
pub(super) struct Chosen<'c> {
    texts: &'c [String],
    paths: Vec<Selector>,
    matched: Vec<bool>,
    context: Context,
    /// The name of a file, without a directory.
    file: &'c Path,
}

impl<'c> Chosen<'c> {
    pub(super) fn new(texts: &'c [String], file: &'c Path) -> Result<Self, Failure> {
        if file.file_name() != Some(file.as_os_str()) {
            let why = "a block stays in its directory; expected the name of a file, such as network.tf";
            return Err(Failure::new(format!("invalid file `{}`: {why}", file.display())));
        }
        let paths: Vec<Selector> = texts.iter().map(|text| parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { texts, matched: vec![false; paths.len()], paths, context: context(), file })
    }

    /// The moves of the blocks that are chosen.
    pub(super) fn moves(&mut self, files: &[SplitFile<'_>]) -> Result<Vec<BlockMove>, Failure> {
        let mut moves = Vec::new();
        for (index, file) in files.iter().enumerate() {
            let blocks = self.blocks(file)?;
            let target = file.path.with_file_name(self.file);
            if !blocks.is_empty() && target != file.path {
                moves.push(BlockMove { file: index, blocks, target });
            }
        }
        Ok(moves)
    }

    fn blocks(&mut self, file: &SplitFile<'_>) -> Result<BTreeSet<NodeId>, Failure> {
        let movable = movable_blocks(file);
        let mut nodes = BTreeSet::new();
        for ((text, selector), matched) in self.texts.iter().zip(&self.paths).zip(&mut self.matched) {
            let found = selector
                .select_with(file.document, &self.context)
                .map_err(|errors| Failure::new(format!("{text}: {}", first(&errors))))?;
            *matched |= !found.is_empty();
            for found in found {
                if !movable.contains(&found.node()) {
                    let path = file.path.display();
                    let why = format!("{path}: {} is not a block of the file", found.address());
                    return Err(Failure::new(why));
                }
                nodes.insert(found.node());
            }
        }
        Ok(nodes)
    }

    /// Reports the paths that match nothing. Returns true if there are any.
    pub(super) fn report_missing(&self, inputs: &[Input]) -> bool {
        for (text, _) in self.texts.iter().zip(&self.matched).filter(|(_, matched)| !**matched) {
            let hint = path_of_address(text, inputs).unwrap_or_default();
            complain(format_args!("{text} matches nothing{hint}"));
        }
        !self.matched.iter().all(|matched| *matched)
    }
}
