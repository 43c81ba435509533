//! Formatting: the edits that `hcl fmt` makes.

use std::sync::Arc;

use hclkit::Span;
use hclkit::dialect::Dialect;
use hclkit::syntax::Edit;
use hclkit::write::Formatter;

use crate::Snapshot;
use crate::file::File;
use crate::files::parent;
use crate::rename::changes;

impl Snapshot {
    /// The edits that format a file, in the style of its settings. There are none for files with errors and in the JSON syntax.
    pub fn format(&self, path: &str) -> Vec<Edit> {
        let Some(text) = self.formatted(path) else { return Vec::new() };
        self.file(path).map(|file| changes(file.text(), &text)).unwrap_or_default()
    }

    /// The edits of the lines of a span. Edits that reach out of it are left out.
    pub fn format_range(&self, path: &str, within: Span) -> Vec<Edit> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let (lines, text) = (file.lines(), file.text());
        let start = lines.start(lines.line_of(within.start), text);
        let end = lines.start(lines.line_of(within.end) + 1, text);
        let mut edits = self.format(path);
        edits.retain(|edit| start <= edit.span.start && edit.span.end <= end);
        edits
    }

    /// The edits after a line break or a closing brace was typed before a byte offset: those of the line before, or of the block.
    pub fn format_typed(&self, path: &str, offset: u32, typed: &str) -> Vec<Edit> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let document = file.document();
        let before = if typed == "}" {
            document.nodes_at(offset.saturating_sub(1)).into_iter().rev().find_map(|node| {
                let block = document.block_at(node).filter(|block| block.span().end == offset)?;
                Some(block.span())
            })
        } else {
            let line = file.lines().line_of(offset);
            line.checked_sub(1).map(|line| Span::empty(file.lines().start(line, file.text())))
        };
        before.map(|span| self.format_range(path, span)).unwrap_or_default()
    }

    /// The text of a file with sorted arguments, in the style of its settings otherwise.
    pub(crate) fn sorted(&self, file: &File) -> Option<String> {
        if !file.is_native() || file.document().has_errors() {
            return None;
        }
        let style = self.settings(parent(file.path())).0.style().with_sorted_attributes(true);
        let formatted = formatter(file).with_markers().with_style(style).format(file.document());
        if formatted.is_unchanged() || !formatted.is_faithful() {
            return None;
        }
        String::from_utf8(formatted.bytes().into_owned()).ok()
    }

    /// The formatted text of a file.
    pub fn formatted(&self, path: &str) -> Option<String> {
        let file = self.file(path).filter(|file| file.is_native() && !file.document().has_errors())?;
        let formatter = formatter(&file).with_markers().with_style(self.settings(parent(path)).0.style());
        let formatted = formatter.format(file.document());
        if formatted.is_unchanged() || !formatted.is_faithful() {
            return None;
        }
        String::from_utf8(formatted.bytes().into_owned()).ok()
    }
}

/// The formatter of the language.
pub(crate) fn formatter(file: &File) -> Formatter {
    match file.dialect() {
        Some(dialect) if Dialect::of_path(file.path()).is_none_or(|own| !Arc::ptr_eq(&own, dialect)) => {
            Formatter::new(dialect.clone())
        }
        _ => Formatter::of_path(file.path()),
    }
}
