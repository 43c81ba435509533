//! Directories of modules as the collector reads them: their blocks, and the directories that they call.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use hclkit_syntax::ast::{
    AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, ObjectItemNode,
};
use hclkit_syntax::{Document, parse};

/// A directory with files in the native syntax.
pub(super) struct Directory {
    pub(super) path: PathBuf,
    pub(super) files: Vec<(String, Document)>,
}

impl Directory {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for name in names(path)? {
            if is_native(&name) {
                let text = fs::read(path.join(&name)).with_context(|| name.clone())?;
                files.push((name, parse(text)));
            }
        }
        Ok(Self { path: path.to_owned(), files })
    }

    pub(super) fn bodies(&self) -> impl Iterator<Item = BodyNode<'_>> {
        self.files.iter().map(|(_, document)| document.body())
    }

    /// The blocks of a type.
    pub(super) fn blocks(&self, of: &str) -> impl Iterator<Item = BlockNode<'_>> {
        self.bodies().flat_map(BodyNode::blocks).filter(move |block| block.block_type() == of)
    }

    /// The block of a type around a line of a file.
    pub(super) fn block_at(&self, of: &str, file: &str, line: u64) -> Option<BlockNode<'_>> {
        let (_, document) = self.files.iter().find(|(name, _)| name == file)?;
        document.body().blocks().find(|block| {
            let range = document.range(block.span());
            block.block_type() == of
                && u64::from(range.start.line) <= line
                && line <= u64::from(range.end.line)
        })
    }

    /// The local values.
    pub(super) fn locals(&self) -> impl Iterator<Item = AttributeNode<'_>> {
        self.blocks("locals").flat_map(|block| block.body().attributes())
    }

    /// The calls of modules, each with the text of its source.
    pub(super) fn calls(&self) -> impl Iterator<Item = (String, BlockNode<'_>, String)> {
        self.blocks("module").filter_map(|block| {
            let source = literal(block.body().attribute("source")?.value())?;
            Some((label(block, 0)?, block, source))
        })
    }

    /// Sources of providers by their local names.
    pub(super) fn provider_sources(&self) -> BTreeMap<String, String> {
        let mut sources = BTreeMap::new();
        let required = self.blocks("terraform").flat_map(|block| block.body().blocks());
        for block in required.filter(|block| block.block_type() == "required_providers") {
            for attribute in block.body().attributes() {
                let source = item(attribute.value(), "source").and_then(literal);
                let name = attribute.name().to_owned();
                let source = source.unwrap_or_else(|| format!("hashicorp/{name}"));
                sources.insert(name, source);
            }
        }
        sources
    }
}

/// The value of an item of an object with a literal key.
fn item<'d>(object: ExpressionNode<'d>, name: &str) -> Option<ExpressionNode<'d>> {
    let named = object.items().find(|item| {
        let key = item.key_span();
        object.document().source().slice(key).trim_matches('"') == name
    });
    named.map(ObjectItemNode::value)
}

pub(super) fn label(block: BlockNode<'_>, at: usize) -> Option<String> {
    block.label_texts().get(at).map(ToString::to_string)
}

/// The text of a template without interpolations.
pub(super) fn literal(expression: ExpressionNode<'_>) -> Option<String> {
    match expression.without_parens().kind() {
        ExpressionKind::Template(template) => template.as_literal().map(std::borrow::Cow::into_owned),
        _ => None,
    }
}

/// The names of the entries of a directory, in order.
pub(super) fn names(path: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

pub(super) fn is_native(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "tf") && !name.starts_with('.')
}

/// All directories at and below a path that have files in the native syntax.
pub(super) fn directories(path: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![path.to_owned()]);
    while let Some(directory) = open.pop() {
        let names = names(&directory)?;
        if names.iter().any(|name| is_native(name)) {
            found.push(directory.clone());
        }
        for name in names {
            let inside = directory.join(&name);
            if !name.starts_with('.') && inside.is_dir() && !inside.is_symlink() {
                open.push(inside);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A path without `.` and `..`.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}

/// The path of a directory relative to another one, as a local source.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let same = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = if same == from.len() { "./".to_owned() } else { "../".repeat(from.len() - same) };
    let rest: Vec<_> = to[same..].iter().map(|part| part.as_os_str().to_string_lossy()).collect();
    (up + &rest.join("/")).trim_end_matches('/').to_owned()
}
