//! Comments that allow a code: `# hcl-check: allow CODE reason`, and in `hcl test` `# hcl: ignore RULE reason`, above an attribute or a block, above a line of an expression,
//! or at the end of a line.

use std::sync::Arc;

use hclkit::ast::{BodyNode, Item};
use hclkit::syntax::{Span, TokenKind};
use hclkit::{Diagnostic, Document, Source, StartSymbol, Syntax};

const MARK: &str = "hcl-check:";

/// How such comments begin: the mark, and the verb after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    mark: &'static str,
    verb: &'static str,
}

/// Those of `hcl check`.
const ALLOW: Wording = Wording { mark: MARK, verb: "allow" };

/// Those of `hcl test`.
pub(crate) const IGNORE: Wording = Wording { mark: "hcl:", verb: "ignore" };

/// A comment that allows a code in a part of a file.
#[derive(Debug)]
pub(crate) struct Allowance {
    source: Arc<Source>,
    /// The comment.
    pub(crate) place: Span,
    /// The code, or nothing if the comment is invalid.
    pub(crate) code: Option<String>,
    within: Span,
    pub(crate) is_used: bool,
}

impl Allowance {
    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.source
    }
}

/// The comments of a file that allow one code.
#[derive(Debug, Default)]
pub(crate) struct Allowances {
    /// Sorted by the starts of what they are about.
    all: Vec<Allowance>,
    /// For each, how far it and those before it reach.
    reach: Vec<u32>,
}

impl Allowances {
    pub(crate) fn extend(&mut self, more: Vec<Allowance>) {
        self.all.extend(more);
        self.all.sort_by_key(|allowance| allowance.within.start);
        let mut last = 0;
        let reach = self.all.iter().map(|allowance| {
            last = allowance.within.end.max(last);
            last
        });
        self.reach = reach.collect();
    }

    pub(crate) fn all(&self) -> &[Allowance] {
        &self.all
    }

    /// Returns true if a diagnostic with the code is allowed, and marks the comments that allow it as used.
    pub(crate) fn allow(&mut self, diagnostic: &Diagnostic) -> bool {
        let at = diagnostic.span().start;
        let end = self.all.partition_point(|allowance| allowance.within.start <= at);
        let start = self.reach.partition_point(|&reach| reach < at).min(end);
        let mut found = false;
        for allowance in self.all[start..end].iter_mut().filter(|allowance| allowance.within.end >= at) {
            allowance.is_used = true;
            found = true;
        }
        found
    }
}

/// The comments of a file that allow codes.
pub(super) fn allowances(document: &Document) -> Vec<Allowance> {
    comments(document, ALLOW)
}

/// The comments of a file with this wording.
pub(crate) fn comments(document: &Document, wording: Wording) -> Vec<Allowance> {
    if document.json().is_some() || !document.source().text().contains(wording.mark) {
        return Vec::new();
    }
    in_document(document, wording)
}

/// The comments of a file that is not checked itself, such as one of a called module.
pub(super) fn allowances_in(source: &Arc<Source>) -> Vec<Allowance> {
    if Syntax::of(source.name()) == Syntax::Json || !source.text().contains(MARK) {
        return Vec::new();
    }
    in_document(&Document::parse(Source::new(source.name(), source.text()), StartSymbol::Config), ALLOW)
}

fn in_document(document: &Document, wording: Wording) -> Vec<Allowance> {
    let source = document.source();
    let tokens = document.tokens();
    let mut items = Vec::new();
    spans(document.body(), &mut items);
    let mut found = Vec::new();
    // Where the next code starts, from the end of the file on.
    let mut next = source.len();
    for token in (0..tokens.len() as u32).rev() {
        let place = tokens.span(token);
        let text = source.slice(place);
        if !tokens.kind(token).is_comment() {
            if !text.trim().is_empty() {
                next = place.start;
            }
            continue;
        }
        let mark = text.trim_start_matches(['#', '/', '*']).trim_start().strip_prefix(wording.mark);
        let Some(mark) = mark else { continue };
        let mut words = mark.trim_end_matches(['*', '/']).split_whitespace();
        let code = (words.next() == Some(wording.verb)).then(|| words.next()).flatten();
        let line = source.line_span(source.line_of(place.start));
        // Something else is before it on the line.
        let is_at_end = token > 0 && tokens.kind(token - 1) != TokenKind::Newline && {
            tokens.span(token - 1).end > line.start
        };
        let within = if is_at_end { line } else { within(source, next, &items) };
        found.push(Allowance {
            source: document.shared_source().clone(),
            place: Span::new(place.start, place.start + text.trim_end().len() as u32),
            code: code.map(str::to_owned),
            within,
            is_used: false,
        });
    }
    found.reverse();
    found
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

/// What a comment on a line of its own is about: the attribute or block that starts with the next code, or the line of it.
fn within(source: &Source, next: u32, items: &[Span]) -> Span {
    match items.binary_search_by_key(&next, |item| item.start) {
        Ok(at) => items[at],
        Err(_) => Span::new(next, source.line_span(source.line_of(next)).end.max(next)),
    }
}
