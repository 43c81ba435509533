//! Comments that allow a code: `# hcl-check: allow CODE reason`, above an attribute or a block, above a line of an expression,
//! or at the end of a line.

use std::sync::Arc;

use hclkit::ast::{BodyNode, Item};
use hclkit::syntax::Span;
use hclkit::{Code, Diagnostic, Document, Source};

use super::parsed::Parsed;

const MARK: &str = "hcl-check:";

/// A comment that allows a code in a part of a file.
#[derive(Debug)]
pub(super) struct Allowance {
    source: Arc<Source>,
    /// The comment.
    pub(super) place: Span,
    /// The code, or nothing if the comment is invalid.
    pub(super) code: Option<String>,
    within: Span,
    pub(super) is_used: bool,
}

impl Allowance {
    pub(super) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns true if a diagnostic is allowed.
    pub(super) fn covers(&self, diagnostic: &Diagnostic) -> bool {
        let code = diagnostic.code().map(Code::as_str);
        let at = diagnostic.span().start;
        code.is_some() && code == self.code.as_deref() && (self.within.start..=self.within.end).contains(&at)
    }
}

/// The comments of a file that allow codes.
pub(super) fn allowances(parsed: &Parsed) -> Vec<Allowance> {
    let Parsed::Native(document) = parsed else { return Vec::new() };
    if !document.source().text().contains(MARK) {
        return Vec::new();
    }
    let tokens = document.tokens();
    let comments = (0..tokens.len() as u32).filter(|&token| tokens.kind(token).is_comment());
    let mut items = Vec::new();
    spans(document.body(), &mut items);
    let found = comments.filter_map(|token| {
        let place = tokens.span(token);
        let text = document.source().slice(place).trim_start_matches(['#', '/', '*']).trim_start();
        let mut words = text.strip_prefix(MARK)?.trim_end_matches(['*', '/']).split_whitespace();
        let code = (words.next() == Some("allow")).then(|| words.next()).flatten();
        Some(Allowance {
            source: document.shared_source().clone(),
            place: Span::new(
                place.start,
                place.start + document.source().slice(place).trim_end().len() as u32,
            ),
            code: code.map(str::to_owned),
            within: within(document, place, &items),
            is_used: false,
        })
    });
    found.collect()
}

/// The spans of all attributes and blocks, in the order of their starts.
fn spans(body: BodyNode<'_>, all: &mut Vec<Span>) {
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => all.push(attribute.span()),
            Item::Block(block) => {
                all.push(block.span());
                spans(block.body(), all);
            }
        }
    }
}

/// What a comment is about.
fn within(document: &Document, comment: Span, items: &[Span]) -> Span {
    let text = document.source().text();
    let start = text[..comment.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end_of = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at);
    if !text[start..comment.start as usize].trim().is_empty() {
        return Span::new(start as u32, end_of(comment.start as usize) as u32);
    }
    let tokens = document.tokens();
    let is_code = |&token: &u32| {
        let kind = tokens.kind(token);
        tokens.span(token).start >= comment.end
            && !kind.is_comment()
            && !document.source().slice(tokens.span(token)).trim().is_empty()
    };
    let next =
        (0..tokens.len() as u32).find(is_code).map_or(text.len() as u32, |token| tokens.span(token).start);
    let item = items.iter().find(|item| item.start == next);
    item.copied().unwrap_or_else(|| Span::new(next, end_of(next as usize) as u32))
}
