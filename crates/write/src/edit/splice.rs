//! Replacements in the text, and the style in which a document is written.

use hclkit_limits::{Exceeded, Limit, Meter};
use hclkit_syntax::Span;

use super::error::EditError;

/// The replacement of a span by text.
#[derive(Debug, Clone)]
pub(super) struct Splice {
    pub(super) span: Span,
    pub(super) text: String,
}

/// The layout style of a document.
#[derive(Debug)]
pub(super) struct Style {
    /// The line break of its first line.
    pub(super) line_break: &'static str,
    /// The indentation of each level.
    pub(super) unit: String,
}

impl Style {
    pub(super) fn of(text: &str) -> Self {
        let blanks = text
            .lines()
            .map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()])
            .find(|blanks| !blanks.is_empty());
        let unit = match blanks {
            Some(blanks) if blanks.starts_with('\t') => "\t".to_owned(),
            Some(blanks) if blanks.len() <= 8 && !blanks.contains('\t') => blanks.to_owned(),
            _ => "  ".to_owned(),
        };
        Self { line_break: line_break(text), unit }
    }
}

/// The line break of the first line of a text.
pub(crate) fn line_break(text: &str) -> &'static str {
    let is_crlf = text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
    if is_crlf { "\r\n" } else { "\n" }
}

/// Applies replacements, which must be sorted. Returns the text and the span of each replacement in it.
///
/// # Errors
/// Two replacements overlap, or the text exceeds the limit on the size of a source.
pub(super) fn apply(text: &str, splices: &mut [Splice]) -> Result<(String, Vec<Span>), EditError> {
    sort(splices);
    let size = size(text.len(), splices)?;
    let mut out = String::with_capacity(size);
    let mut spans = Vec::with_capacity(splices.len());
    let mut done = Span::default();
    for Splice { span, text: new } in splices.iter() {
        if span.start < done.end {
            return Err(EditError::Overlap { first: done, second: *span });
        }
        out.push_str(&text[done.end as usize..span.start as usize]);
        let start = out.len() as u32;
        out.push_str(new);
        spans.push(Span::new(start, out.len() as u32));
        done = *span;
    }
    out.push_str(&text[done.end as usize..]);
    Ok((out, spans))
}

/// Sorts replacements by their places.
pub(super) fn sort(splices: &mut [Splice]) {
    splices.sort_by_key(|splice| (splice.span.start, splice.span.end));
}

/// The size of a text of a length after replacements, which is within the limits.
pub(super) fn size(length: usize, splices: &[Splice]) -> Result<usize, Exceeded> {
    let removed: u64 = splices.iter().map(|splice| u64::from(splice.span.len())).sum();
    let added: u64 = splices.iter().map(|splice| splice.text.len() as u64).sum();
    let size = (length as u64 + added).saturating_sub(removed);
    Meter::current().check_source(size)?;
    if size >= u64::from(u32::MAX) {
        return Err(Exceeded { limit: Limit::SourceBytes, most: u64::from(u32::MAX) });
    }
    Ok(size as usize)
}
