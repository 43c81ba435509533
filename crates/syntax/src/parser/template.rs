//! Templates: text, interpolations and directives, and the indentation that flush heredocs remove. Specification:
//! "Template Expressions", "Templates".

use super::{AtNewline, List, Parser};
use crate::messages::native as messages;
use crate::messages::{fix, related};
use crate::text;
use crate::token::TokenKind as T;
use crate::tree::{Flags, Link, NodeId, NodeKind};
use crate::{Code, Diagnostic, Span};

/// The end of a run of template parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "the keywords of directives")]
enum End {
    /// The end of the template.
    Template,
    /// `else`, `endif` or `endfor`, which is consumed.
    Else,
    Endif,
    Endfor,
}

/// An open directive.
#[derive(Debug, Clone, Copy)]
struct Opened {
    /// Its opening sequence.
    span: Span,
    /// The number of diagnostics before it: a new one may be about its intended end.
    reported: usize,
}

/// The construct that contains a run of template parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Template,
    If,
    Else,
    For,
}

impl Parser<'_> {
    /// `TemplateExpr = quotedTemplate | heredocTemplate;`
    pub(super) fn template(&mut self) -> NodeId {
        if !self.enter() {
            self.leave();
            return self.too_deep();
        }
        let opener = self.pos;
        let (kind, closer) = match self.kind {
            T::OpenHeredoc => (NodeKind::Heredoc, T::CloseHeredoc),
            _ => (NodeKind::QuotedTemplate, T::CloseQuote),
        };
        let flush = kind == NodeKind::Heredoc && self.text_of(opener)[2..].starts_with(['-', '~']);
        self.bump();
        self.recovery.closers.open(closer);
        if kind == NodeKind::Heredoc {
            self.indentations.push(Indentation::new(flush));
        }
        let parts = self.template_parts(closer);
        self.recovery.closers.close(closer);
        self.leave();
        if self.kind == closer {
            self.bump();
        }
        let id = self.finish(kind, opener, parts);
        if flush {
            self.flag(id, Flags::FLUSH);
        }
        if kind == NodeKind::Heredoc
            && let Some(indentation) = self.indentations.pop()
        {
            self.set_indentation(&indentation);
        }
        id
    }

    /// `Template = ( TemplateLiteral | TemplateInterpolation | TemplateDirective )*` up to `closer`.
    pub(super) fn template_parts(&mut self, closer: T) -> List {
        let mut parts = List::default();
        let reported = self.diagnostics.total();
        loop {
            let end = self.parts(&mut parts, closer, Inside::Template, None);
            if end.0 == End::Template {
                break;
            }
            // A directive without an opening one. After an error in a directive, this is a consequence.
            if self.diagnostics.total() == reported {
                self.unbalanced(end.1, messages::UNOPENED_DIRECTIVE, None);
            }
        }
        parts
    }

    /// Reads parts up to the end of the template, or to a directive that ends the surrounding construct. Returns the
    /// end and its span.
    fn parts(&mut self, list: &mut List, closer: T, inside: Inside, opened: Option<Opened>) -> (End, Span) {
        loop {
            match self.kind {
                T::QuotedText | T::HeredocText | T::BareText => {
                    let token = self.bump();
                    let text = self.node(NodeKind::Text, token, token, List::default());
                    self.append(list, text);
                    if closer == T::CloseHeredoc {
                        self.measure_text(text);
                    }
                }
                T::OpenInterpolation | T::OpenInterpolationStrip => {
                    self.measure_sequence(closer);
                    let part = self.interpolation(closer);
                    self.append(list, part);
                }
                T::OpenDirective | T::OpenDirectiveStrip => {
                    self.measure_sequence(closer);
                    let Some((end, span)) = self.directive(list, closer) else { continue };
                    let detail = match (end, inside) {
                        (End::Else, Inside::If)
                        | (End::Endif, Inside::If | Inside::Else)
                        | (End::Endfor, Inside::For)
                        | (_, Inside::Template) => return (end, span),
                        (End::Else, Inside::Else) => messages::SECOND_ELSE,
                        (End::Else, _) => messages::ELSE_IN_FOR,
                        (_, Inside::For) => messages::MISSING_ENDFOR,
                        _ => messages::MISSING_ENDIF,
                    };
                    self.unbalanced(span, detail, opened.map(|opened| opened.span));
                }
                _ => {
                    if self.kind == closer {
                        self.resume();
                    }
                    if let Some(opened) = opened
                        && !self.recovery.is_recovering()
                        && self.diagnostics.total() == opened.reported
                    {
                        let here = self.here();
                        self.unbalanced(here, messages::UNCLOSED_DIRECTIVE, Some(opened.span));
                    }
                    return (End::Template, Span::default());
                }
            }
        }
    }

    fn unbalanced(&mut self, span: Span, detail: &'static str, opened: Option<Span>) {
        if self.recovery.is_recovering() {
            return;
        }
        let mut diagnostic = Diagnostic::error(Code::UnbalancedDirective).at(span).with_note(detail);
        if let Some(opened) = opened {
            diagnostic = diagnostic.with_related_span(opened, related::DIRECTIVE_STARTS_HERE);
        }
        self.diagnostics.push(diagnostic);
    }

    /// `TemplateInterpolation = ("${" | "${~") Expression ("}" | "~}");`
    fn interpolation(&mut self, template_closer: T) -> NodeId {
        if !self.enter() {
            self.leave();
            self.too_deep();
            let opener = self.pos;
            let outside = self.open_bracket(T::CloseSequence);
            self.close_bracket(T::CloseSequence, outside);
            return self.finish(NodeKind::Interpolation, opener, List::default());
        }
        let opener = self.pos;
        let outside = self.open_bracket(T::CloseSequence);
        let inner = if self.kind == T::Eof { self.missing() } else { self.expression() };
        self.leave();
        if !self.recovery.is_recovering() && !self.at_close_sequence() {
            self.bad_interpolation(opener, template_closer);
        }
        self.close_bracket(T::CloseSequence, outside);
        self.finish(NodeKind::Interpolation, opener, List::of(inner))
    }

    #[cold]
    fn bad_interpolation(&mut self, opener: u32, template_closer: T) {
        let (here, span, context) = (self.here(), self.tokens.span(opener), self.between(opener, self.pos));
        let kind = self.kind;
        self.error(|| match kind {
            T::Eof => Diagnostic::error(Code::UnclosedInterpolation)
                .at(span)
                .with_note(messages::UNCLOSED_INTERPOLATION),
            T::CloseQuote | T::OpenQuote | T::String if template_closer == T::CloseQuote => {
                Diagnostic::error(Code::UnclosedInterpolation)
                    .at(span)
                    .with_note(messages::UNCLOSED_INTERPOLATION_IN_STRING)
                    .with_context(context)
                    .with_edit(fix::CLOSE_INTERPOLATION, Span::empty(here.start), "}")
            }
            _ => {
                let detail = messages::TEXT_AFTER_INTERPOLATION;
                let diagnostic = Diagnostic::error(Code::ExtraInInterpolation)
                    .at(here)
                    .with_note(detail)
                    .with_context(context);
                // `${name:-value}`
                if kind == T::Colon {
                    diagnostic.with_edit(fix::WRITE_LITERAL_INTERPOLATION, Span::empty(span.start), "$")
                } else {
                    diagnostic
                }
            }
        });
    }

    fn at_close_sequence(&self) -> bool {
        matches!(self.kind, T::CloseSequence | T::CloseSequenceStrip)
    }

    /// Reads one directive. `if` and `for` become a part with all their contents; other directives are returned.
    fn directive(&mut self, list: &mut List, closer: T) -> Option<(End, Span)> {
        let opener = self.pos;
        let outside = self.open_bracket(T::CloseSequence);
        let keyword = if self.kind == T::Identifier { self.text_of(self.pos) } else { "" };
        let end = match keyword {
            "if" | "for" => {
                if !self.enter() {
                    self.too_deep();
                    self.close_bracket(T::CloseSequence, outside);
                    self.leave();
                    return None;
                }
                let part = if keyword == "if" {
                    self.if_directive(opener, closer, outside)
                } else {
                    self.for_directive(opener, closer, outside)
                };
                self.leave();
                self.append(list, part);
                return None;
            }
            "else" => Some(End::Else),
            "endif" => Some(End::Endif),
            "endfor" => Some(End::Endfor),
            _ => None,
        };
        if end.is_some() {
            self.bump();
            self.check_end_of_directive(opener, keyword);
        } else {
            self.unknown_directive(opener, keyword);
        }
        self.close_bracket(T::CloseSequence, outside);
        let span = self.between(opener, self.prev);
        end.map(|end| (end, span))
    }

    fn check_end_of_directive(&mut self, opener: u32, keyword: &str) {
        if !self.recovery.is_recovering() && !self.at_close_sequence() {
            let (here, context) = (self.here(), self.between(opener, self.pos));
            let detail = if keyword == "else" && self.at_keyword("if") {
                messages::ELSE_IF.to_owned()
            } else {
                messages::text_after_directive(keyword)
            };
            // Words of other languages that end the first half of a directive.
            let extra = matches!(self.text_of(self.pos), ":" | "then" | "do")
                && matches!(self.kind_after(self.pos), T::CloseSequence | T::CloseSequenceStrip);
            self.error(|| {
                let diagnostic = Diagnostic::error(Code::InvalidDirective)
                    .at(here)
                    .with_note(detail)
                    .with_context(context);
                if extra { diagnostic.with_edit(fix::REMOVE_IT, here, "") } else { diagnostic }
            });
        }
    }

    #[cold]
    fn unknown_directive(&mut self, opener: u32, keyword: &str) {
        const KEYWORDS: [&str; 5] = ["if", "else", "endif", "for", "endfor"];
        let (here, context) = (self.here(), self.between(opener, self.pos));
        // The keywords that end a construct have no operands.
        let alone = matches!(self.kind_after(self.pos), T::CloseSequence | T::CloseSequenceStrip);
        let sign = self.tokens.start(opener);
        let else_if = matches!(keyword, "elif" | "elsif" | "elseif");
        let near = crate::nearest_name(keyword, KEYWORDS)
            .filter(|near| !else_if && (alone || matches!(*near, "if" | "for")));
        self.error(|| {
            let detail = if keyword.is_empty() {
                messages::MISSING_DIRECTIVE_KEYWORD.to_owned()
            } else if else_if {
                messages::ELSE_IF.to_owned()
            } else if keyword == "end" {
                messages::END_DIRECTIVE.to_owned()
            } else if let Some(near) = near {
                messages::misspelled_directive(keyword, near)
            } else {
                messages::unknown_directive(keyword)
            };
            let diagnostic =
                Diagnostic::error(Code::InvalidDirective).at(here).with_note(detail).with_context(context);
            match near {
                Some(near) => diagnostic.with_edit(fix::use_text(near), here, near),
                // `%{H}` in a format string.
                None if alone && keyword.len() == 1 => {
                    diagnostic.with_edit(fix::WRITE_LITERAL_DIRECTIVE, Span::empty(sign), "%")
                }
                None => diagnostic,
            }
        });
    }

    /// `TemplateIf`. The start of its first sequence is consumed already.
    fn if_directive(&mut self, opener: u32, closer: T, outside: AtNewline) -> NodeId {
        let reported = self.diagnostics.total();
        self.bump();
        let condition = self.expression();
        self.check_end_of_directive(opener, "if");
        self.close_bracket(T::CloseSequence, outside);
        let opened = Opened { span: self.between(opener, self.prev), reported };
        let mut children = List::default();
        self.append(&mut children, condition);
        let (then, mut end) = self.directive_body(closer, Inside::If, opened);
        self.append(&mut children, then);
        if end == End::Else {
            let (otherwise, last) = self.directive_body(closer, Inside::Else, opened);
            self.append(&mut children, otherwise);
            end = last;
        }
        debug_assert!(matches!(end, End::Endif | End::Template));
        self.finish(NodeKind::IfDirective, opener, children)
    }

    /// `TemplateFor`. The start of its first sequence is consumed already.
    fn for_directive(&mut self, opener: u32, closer: T, outside: AtNewline) -> NodeId {
        let reported = self.diagnostics.total();
        let mut children = List::default();
        let flags = self.for_intro(&mut children, opener);
        self.check_end_of_directive(opener, "for");
        self.close_bracket(T::CloseSequence, outside);
        let opened = Opened { span: self.between(opener, self.prev), reported };
        let (body, _) = self.directive_body(closer, Inside::For, opened);
        self.append(&mut children, body);
        let id = self.finish(NodeKind::ForDirective, opener, children);
        self.flag(id, flags);
        id
    }

    /// Reads the template between two directives.
    fn directive_body(&mut self, closer: T, inside: Inside, opened: Opened) -> (NodeId, End) {
        let first = self.pos;
        let mut parts = List::default();
        let (end, span) = self.parts(&mut parts, closer, inside, Some(opened));
        if parts.first == Link::NONE {
            let id = self.node(NodeKind::DirectiveBody, first, first, parts);
            self.flag(id, Flags::EMPTY_SPAN);
            return (id, end);
        }
        // The body ends where the next directive begins.
        let after = if end == End::Template { self.pos } else { self.tokens.at(span.start) };
        let last = (after - 1).max(first);
        self.prev = self.prev.max(last);
        (self.node(NodeKind::DirectiveBody, first, last, parts), end)
    }

    /// Records a literal text of the innermost heredoc.
    fn measure_text(&mut self, id: NodeId) {
        let token = self.first_token(id);
        let text = self.text_of(token);
        let trims = text::trims(self.tokens, token);
        if let Some(indentation) = self.indentations.last_mut() {
            indentation.text(id, text, trims);
        }
    }

    /// Records a sequence of the innermost heredoc.
    fn measure_sequence(&mut self, closer: T) {
        if closer == T::CloseHeredoc
            && let Some(indentation) = self.indentations.last_mut()
        {
            indentation.sequence();
        }
    }

    /// Sets how much indentation to remove from each text of a flush heredoc.
    fn set_indentation(&mut self, indentation: &Indentation) {
        if indentation.least == u32::MAX {
            return;
        }
        for &(id, at_line_start) in &indentation.texts {
            let node = &mut self.tree.nodes[id.index()];
            node.set_indentation(indentation.least);
            if at_line_start {
                node.flags |= Flags::LINE_START;
            }
        }
    }
}

/// The indentation of the lines of a flush heredoc: "the minimum number of leading spaces … is removed from all of the
/// lines".
pub(super) struct Indentation {
    /// Heredocs introduced by `<<` keep their indentation.
    flush: bool,
    least: u32,
    at_line_start: bool,
    /// The literal texts, and whether each begins a line.
    texts: Vec<(NodeId, bool)>,
}

impl Indentation {
    fn new(flush: bool) -> Self {
        Self { flush, least: u32::MAX, at_line_start: true, texts: Vec::new() }
    }

    fn text(&mut self, id: NodeId, text: &str, (trim_start, trim_end): (bool, bool)) {
        if !self.flush {
            return;
        }
        self.texts.push((id, self.at_line_start));
        for line in text::lines(text, trim_start, trim_end) {
            if self.at_line_start && !text::is_blank_line(line) {
                self.least = self.least.min(text::indentation(line));
            }
            self.at_line_start = line.ends_with('\n');
        }
    }

    fn sequence(&mut self) {
        if std::mem::take(&mut self.at_line_start) {
            self.least = 0;
        }
    }
}
