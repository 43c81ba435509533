//! Comments that allow what is found: `# hcl: ignore RULE reason`, and in `hcl check` `# hcl-check: allow CODE reason`. They are above an
//! attribute or a block, above a line of an expression, or at the end of a line.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hclkit::ast::{BodyNode, Item};
use hclkit::syntax::{Span, TokenKind};
use hclkit::{Diagnostic, Document, Source, StartSymbol, Syntax};

/// How such comments begin: the mark, and the verb after it.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    mark: &'static str,
    verb: &'static str,
}

impl Wording {
    /// Those of `hcl check`: `hcl-check: allow CODE`.
    pub const ALLOW: Self = Self { mark: "hcl-check:", verb: "allow" };
    /// Those for rules: `hcl: ignore RULE`.
    pub const IGNORE: Self = Self { mark: "hcl:", verb: "ignore" };
}

/// A comment that allows a code in a part of a file.
#[derive(Debug)]
pub struct Allowance {
    source: Arc<Source>,
    /// The comment.
    pub place: Span,
    /// The code, or nothing if the comment is invalid.
    pub code: Option<String>,
    within: Span,
    is_used: AtomicBool,
}

impl Allowance {
    /// The file.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Whether it allowed something.
    pub fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }
}

/// The comments of a file that allow codes.
#[derive(Debug, Default)]
pub struct Allowances(HashMap<Option<String>, OfCode>);

/// Those that allow one code.
#[derive(Debug, Default)]
struct OfCode {
    /// Sorted by the starts of what they are about.
    all: Vec<Allowance>,
    /// For each, how far it and those before it reach.
    reach: Vec<u32>,
}

impl OfCode {
    fn sort(&mut self) {
        self.all.sort_by_key(|allowance| allowance.within.start);
        let mut last = 0;
        let reach = self.all.iter().map(|allowance| {
            last = allowance.within.end.max(last);
            last
        });
        self.reach = reach.collect();
    }

    fn allows(&self, at: u32) -> bool {
        let end = self.all.partition_point(|allowance| allowance.within.start <= at);
        let start = self.reach.partition_point(|&reach| reach < at).min(end);
        let mut found = false;
        for allowance in self.all[start..end].iter().filter(|allowance| allowance.within.end >= at) {
            allowance.is_used.store(true, Ordering::Relaxed);
            found = true;
        }
        found
    }
}

impl Allowances {
    /// Those of a file. JSON has no comments.
    pub fn of(document: &Document, wording: Wording) -> Self {
        if document.json().is_some() || !document.source().text().contains(wording.mark) {
            return Self::default();
        }
        in_document(document, wording).into_iter().collect()
    }

    /// Those of a file that was not parsed.
    pub fn of_source(source: &Arc<Source>, wording: Wording) -> Self {
        if Syntax::of(source.name()) == Syntax::Json || !source.text().contains(wording.mark) {
            return Self::default();
        }
        Self::of(&Document::parse(Source::new(source.name(), source.text()), StartSymbol::Config), wording)
    }

    /// Returns true if a comment allows this code where a diagnostic is, and marks the comments that do as used.
    pub fn allow(&self, code: &str, diagnostic: &Diagnostic) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let of_code = self.0.get(&Some(code.to_owned()));
        of_code.is_some_and(|own| own.allows(diagnostic.span().start))
    }

    /// Those that allowed nothing, in the order of the file.
    pub fn unused(&self) -> Vec<&Allowance> {
        let all = self.0.values().flat_map(|own| &own.all);
        let mut all: Vec<&Allowance> = all.filter(|own| !own.is_used()).collect();
        all.sort_by_key(|own| own.place);
        all
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Allowance> for Allowances {
    fn from_iter<I: IntoIterator<Item = Allowance>>(all: I) -> Self {
        let mut codes: HashMap<Option<String>, OfCode> = HashMap::new();
        for own in all {
            codes.entry(own.code.clone()).or_default().all.push(own);
        }
        codes.values_mut().for_each(OfCode::sort);
        Self(codes)
    }
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
            is_used: AtomicBool::new(false),
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
