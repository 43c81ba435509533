//! Partial evaluation of templates: known text replaces its sequence. Escapes, strip markers, indentation and the names
//! of heredocs all affect the meaning of text. So a changed template is parsed again, and if its meaning differs, the
//! known values stay in their sequences as literals.

use std::collections::BTreeSet;
use std::ptr;

use hclkit_syntax::{Document, Source, Span, StartSymbol, TokenKind};
use hclkit_value::{Type, Value};

use super::insert::{AsText, add_text, strips};
use super::literal::ValuePosition;
use super::reduce::{Reducer, elements_of};
use super::residue::{Change, New};
use crate::node::{Conditional, Kind, Node};
use crate::{Expression, Traversal};

/// The source form of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Quoted,
    /// If `flush`, its lines lose their common indentation.
    Heredoc {
        flush: bool,
    },
    Bare,
}

/// A part of a template and its reduction.
pub(super) enum ReducedPart<'n> {
    /// Literal text.
    Text { span: Span, value: &'n str },
    /// A sequence whose text is known.
    Known { node: &'n Node, sequence: Span, text: String },
    /// An interpolation: the expression in it, and the number of its changes.
    Interpolation { inner: Span, hole: usize },
    /// A directive: the span of its condition or collection, the number of changes to that, and its bodies.
    Directive { inner: Span, hole: usize, bodies: Vec<Vec<Self>>, taken: Option<Taken> },
}

/// The body of an `if` directive whose condition is known.
pub(super) struct Taken {
    /// The index of the body.
    pub(super) body: usize,
    /// The parts of the directive before the body, and from the body on.
    pub(super) before: Span,
    pub(super) after: Span,
    /// The references in the rest of the directive.
    rest: Vec<Traversal>,
}

/// A change to the text of a template.
pub(super) enum Edit {
    Text(Span, String),
    /// An expression, and the number of its changes.
    Hole(Span, usize),
}

/// The pieces of a template, for comparisons.
#[derive(PartialEq)]
pub(super) enum Piece {
    Text(String),
    Hole,
    Open,
    Else,
    Close,
}

/// The changes of each expression in a template.
type Holes = Vec<Vec<Change>>;

impl Reducer<'_, '_> {
    /// Reduces a template that is not known as a whole.
    pub(super) fn template(&mut self, node: &Node, parts: &[Node], written: Written, out: &mut Vec<Change>) {
        let mut holes = Holes::new();
        let mut parts = self.parts(parts, &mut holes);
        let as_text = self.as_text(node, &parts, written, true).or_else(|| {
            // Directives stay as a whole.
            self.keep_directives(&mut parts);
            self.as_text(node, &parts, written, false)
        });
        let edits = as_text.unwrap_or_else(|| {
            let mut edits = Vec::new();
            if written == (Written::Heredoc { flush: true }) {
                self.without_known_directives(&mut parts, &mut holes);
                self.keep_directives(&mut parts);
            }
            self.as_literals(&parts, &mut edits);
            edits
        });
        for edit in edits {
            match edit {
                Edit::Text(span, text) => out.push(Change { span, new: New::Text(text) }),
                Edit::Hole(_, hole) => out.append(&mut holes[hole]),
            }
        }
    }

    /// A heredoc whose parts are all known, as a heredoc.
    pub(super) fn computed_heredoc(&mut self, node: &Node, parts: &[Node]) -> Option<Vec<Change>> {
        let mut holes = Holes::new();
        let parts = self.parts(parts, &mut holes);
        let edits = self.as_text(node, &parts, self.written(node), false).filter(|_| holes.is_empty())?;
        let change = |edit| match edit {
            Edit::Text(span, text) => Some(Change { span, new: New::Text(text) }),
            Edit::Hole(..) => None,
        };
        edits.into_iter().map(change).collect()
    }

    fn parts<'n>(&mut self, nodes: &'n [Node], holes: &mut Holes) -> Vec<ReducedPart<'n>> {
        nodes.iter().map(|node| self.part(node, holes)).collect()
    }

    fn part<'n>(&mut self, node: &'n Node, holes: &mut Holes) -> ReducedPart<'n> {
        let directive = self.is_directive(node);
        if let Some(value) = node.constant() {
            let tokens = self.document.tokens();
            let token = tokens.kind(tokens.at(node.span.start));
            let literal =
                matches!(token, TokenKind::QuotedText | TokenKind::HeredocText | TokenKind::BareText);
            return match value.as_str() {
                Some(value) if literal => ReducedPart::Text { span: node.span, value },
                _ => hole(node.span, Vec::new(), holes),
            };
        }
        let text = self.shown(node).and_then(|value| value.convert(&Type::String).ok());
        if let Some(text) = text.as_ref().and_then(Value::as_str)
            && self.evaluator.may_write(text.len(), node)
        {
            let sequence = if directive { node.span } else { self.sequence_of(node) };
            return ReducedPart::Known { node, sequence, text: text.to_owned() };
        }
        if directive {
            return self.directive(node, holes);
        }
        let changes = self.changes(node);
        hole(node.span, changes, holes)
    }

    fn directive<'n>(&mut self, node: &'n Node, holes: &mut Holes) -> ReducedPart<'n> {
        match &node.kind {
            Kind::Conditional(conditional) => self.if_directive(node, conditional, holes),
            Kind::Join(each) => {
                let hole = self.reduced(&each.collection, elements_of(each), holes);
                let count = 1 + usize::from(each.key_name.is_some());
                let bodies = vec![self.in_loop(each.slot, count, |this| this.body(&each.value, holes))];
                ReducedPart::Directive { inner: each.collection.span, hole, bodies, taken: None }
            }
            _ => hole(node.span, Vec::new(), holes),
        }
    }

    fn if_directive<'n>(
        &mut self,
        node: &'n Node,
        conditional: &'n Conditional,
        holes: &mut Holes,
    ) -> ReducedPart<'n> {
        let Conditional { condition, result, other } = conditional;
        let taken = self.taken(conditional).map(|taken| usize::from(ptr::eq(taken, other)));
        let first = self.references.len();
        let hole = self.reduced(condition, ValuePosition::Value, holes);
        let then = self.references.len();
        let result_parts = self.body(result, holes);
        let otherwise = self.references.len();
        let other_parts = self.body(other, holes);
        let body = [result, other];
        let taken = taken.and_then(|taken| {
            let before = Span::new(node.span.start, body[taken].span.start);
            let after = Span::new(body[taken].span.end, node.span.end);
            // Strip markers would have to be applied.
            let marked = |span| strips_text(self.source(span));
            if marked(before) || marked(after) {
                return None;
            }
            let mut rest: Vec<Traversal> =
                if taken == 0 { self.references.drain(otherwise..).collect() } else { Vec::new() };
            rest.extend(self.references.drain(first..if taken == 0 { then } else { otherwise }));
            Some(Taken { body: taken, before, after, rest })
        });
        ReducedPart::Directive { inner: condition.span, hole, bodies: vec![result_parts, other_parts], taken }
    }

    /// The number of the changes to a node.
    fn reduced(&mut self, node: &Node, place: ValuePosition, holes: &mut Holes) -> usize {
        let mut changes = Vec::new();
        self.reduce(node, place, &mut changes);
        holes.push(changes);
        holes.len() - 1
    }

    /// Finds the directives whose condition is known.
    fn keep_directives(&mut self, parts: &mut [ReducedPart<'_>]) {
        for part in parts {
            if let ReducedPart::Directive { bodies, taken, .. } = part {
                self.references.extend(taken.take().into_iter().flat_map(|taken| taken.rest));
                for body in bodies {
                    self.keep_directives(body);
                }
            }
        }
    }

    fn body<'n>(&mut self, node: &'n Node, holes: &mut Holes) -> Vec<ReducedPart<'n>> {
        match &node.kind {
            Kind::Template(parts) => self.parts(parts, holes),
            Kind::Constant(value) => {
                let value = value.as_str().unwrap_or_default();
                vec![ReducedPart::Text { span: node.span, value }]
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn is_directive(&self, node: &Node) -> bool {
        matches!(node.kind, Kind::Join(_) | Kind::Conditional(_)) && self.source(node.span).starts_with("%{")
    }

    /// An interpolation with its delimiters.
    fn sequence_of(&self, node: &Node) -> Span {
        let tokens = self.document.tokens();
        let open = tokens.significant_before(tokens.at(node.span.start));
        let close = tokens.significant_from(tokens.at(node.span.end.saturating_sub(1)) + 1);
        open.map_or(node.span, |open| tokens.span(open)).cover(tokens.span(close))
    }

    /// Known directives stay, because the indentation of a heredoc depends on their lines.
    fn without_known_directives(&mut self, parts: &mut [ReducedPart<'_>], holes: &mut Holes) {
        for part in parts {
            match part {
                ReducedPart::Known { node, .. } if self.is_directive(node) => {
                    *part = self.directive(node, holes);
                    if let ReducedPart::Directive { bodies, .. } = part {
                        for body in bodies {
                            self.without_known_directives(body, holes);
                        }
                    }
                }
                ReducedPart::Directive { bodies, .. } => {
                    for body in bodies {
                        self.without_known_directives(body, holes);
                    }
                }
                _ => {}
            }
        }
    }

    /// The changes that keep known values in their sequences.
    fn as_literals(&self, parts: &[ReducedPart<'_>], out: &mut Vec<Edit>) {
        for part in parts {
            match part {
                ReducedPart::Text { .. } => {}
                ReducedPart::Known { node, text, .. } => out.push(self.literal_sequence(node, text)),
                ReducedPart::Interpolation { inner, hole } => out.push(Edit::Hole(*inner, *hole)),
                ReducedPart::Directive { inner, hole, bodies, .. } => {
                    out.push(Edit::Hole(*inner, *hole));
                    for body in bodies {
                        self.as_literals(body, out);
                    }
                }
            }
        }
    }

    /// A sequence that contains a text as a literal. Its strip markers keep their effect.
    pub(super) fn literal_sequence(&self, node: &Node, text: &str) -> Edit {
        let literal = Value::from(text).to_string();
        if !self.is_directive(node) {
            return Edit::Text(node.span, literal);
        }
        let (before, after) = strips(self.source(node.span));
        let open = if before { "${~ " } else { "${" };
        let close = if after { " ~}" } else { "}" };
        Edit::Text(node.span, format!("{open}{literal}{close}"))
    }

    /// The changes that replace sequences by their text, if the template keeps its meaning.
    ///
    /// With `take`, an `if` directive with a known condition becomes the selected body.
    fn as_text(
        &self,
        node: &Node,
        parts: &[ReducedPart<'_>],
        written: Written,
        take: bool,
    ) -> Option<Vec<Edit>> {
        let is_new = |part: &ReducedPart<'_>| match part {
            ReducedPart::Known { .. } => true,
            ReducedPart::Directive { taken, .. } => taken.is_some(),
            _ => false,
        };
        if take && !any(parts, &|part| matches!(part, ReducedPart::Directive { taken: Some(_), .. })) {
            return None;
        }
        if !any(parts, &is_new) || written != (Written::Heredoc { flush: true }) {
            return self.edited(node, parts, written, "", Vec::new());
        }
        let indents = indentations(self.source(node.span));
        let edited = |indent| self.edited(node, parts, written, indent, Vec::new());
        indents.into_iter().find_map(edited).or_else(|| {
            // Without the hyphen, lines lose no indentation, and they may have lost none before.
            let hyphen = Span::new(node.span.start + 2, node.span.start + 3);
            self.edited(node, parts, written, "", vec![Edit::Text(hyphen, String::new())])
        })
    }

    /// The changes to a template, after those to its beginning, if it keeps its meaning.
    fn edited(
        &self,
        node: &Node,
        parts: &[ReducedPart<'_>],
        written: Written,
        indent: &str,
        edits: Vec<Edit>,
    ) -> Option<Vec<Edit>> {
        let source = self.document.source();
        let (edits, pieces) = AsText::new(source, written, indent, edits).of(parts, self)?;
        let changed = edits.iter().any(|edit| matches!(edit, Edit::Text(..)));
        (!changed || self.reads_as(node, written, &edits, &pieces)).then_some(edits)
    }

    /// Returns true if a changed template has these pieces. Expressions are not compared.
    fn reads_as(&self, node: &Node, written: Written, edits: &[Edit], pieces: &[Piece]) -> bool {
        // A template that is a single interpolation would be that expression.
        if pieces == [Piece::Hole] {
            return false;
        }
        let mut text = String::new();
        let mut at = node.span.start;
        for edit in edits {
            let (span, new) = match edit {
                Edit::Text(span, text) => (span, text.as_str()),
                Edit::Hole(span, _) => (span, "0"),
            };
            text.push_str(self.source(Span::new(at, span.start)));
            text.push_str(new);
            at = span.end;
        }
        text.push_str(self.source(Span::new(at, node.span.end)));
        let entry = if written == Written::Bare { StartSymbol::Template } else { StartSymbol::Expression };
        // The name that closes a heredoc must be followed by a line break.
        if matches!(written, Written::Heredoc { .. }) {
            text.push('\n');
        }
        let document = Document::parse(Source::new("", text), entry);
        if document.has_errors() {
            return false;
        }
        let mut found = Vec::new();
        flatten(Expression::from_document(&document).node(), &mut found);
        found == pieces
    }
}

fn hole<'n>(inner: Span, changes: Vec<Change>, holes: &mut Holes) -> ReducedPart<'n> {
    holes.push(changes);
    ReducedPart::Interpolation { inner, hole: holes.len() - 1 }
}

fn any(parts: &[ReducedPart<'_>], test: &dyn Fn(&ReducedPart<'_>) -> bool) -> bool {
    parts.iter().any(|part| match part {
        ReducedPart::Directive { bodies, .. } => test(part) || bodies.iter().any(|body| any(body, test)),
        part => test(part),
    })
}

/// The maximum number of indentations to try.
const MOST_INDENTS: usize = 4;

/// The indentations that the lines of a heredoc may lose: the minimum of their leading white space, or more, because
/// lines after strip markers do not count.
fn indentations(heredoc: &str) -> Vec<&str> {
    let mut lines = heredoc.lines();
    lines.next();
    lines.next_back();
    let lines = lines.filter(|line| !line.trim().is_empty());
    let indents = lines.map(|line| &line[..line.len() - line.trim_start().len()]);
    let different: BTreeSet<(usize, &str)> = indents.map(|indent| (indent.len(), indent)).collect();
    different.into_iter().map(|(_, indent)| indent).take(MOST_INDENTS).collect()
}

/// Returns true if either end of this part of a directive has a strip marker.
fn strips_text(source: &str) -> bool {
    source.starts_with("%{~") || source.ends_with("~}")
}

/// The pieces of a template whose expressions are replaced by numbers.
fn flatten(node: &Node, out: &mut Vec<Piece>) {
    match &node.kind {
        Kind::Template(parts) => parts.iter().for_each(|part| flatten(part, out)),
        Kind::Constant(value) => match value.as_str() {
            Some(text) => add_text(text, out),
            None => out.push(Piece::Hole),
        },
        Kind::Conditional(conditional) => {
            out.push(Piece::Open);
            flatten(&conditional.result, out);
            out.push(Piece::Else);
            flatten(&conditional.other, out);
            out.push(Piece::Close);
        }
        Kind::Join(each) => {
            out.push(Piece::Open);
            flatten(&each.value, out);
            out.push(Piece::Close);
        }
        _ => out.push(Piece::Hole),
    }
}
