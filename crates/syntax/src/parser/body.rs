//! Bodies, attributes and blocks. Specification: "Structural Elements".

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::sync::Separators;
use super::{List, Parser};
use crate::messages::native as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind as T;
use crate::tree::{Flags, NodeId, NodeKind};
use crate::{Code, Diagnostic, Edit, Fix, Span};

/// How the items of a body must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// With a line break.
    Newline,
    /// In any way: an error was reported for this body, so its consequences are not.
    Any,
}

/// The attribute names of a body, to find duplicates.
#[derive(Default)]
struct Names<'d> {
    /// A bloom filter of the names seen.
    filter: u64,
    count: usize,
    /// The name and token of each attribute; created when there are many.
    index: Option<HashMap<&'d str, u32>>,
}

impl<'d> Parser<'d> {
    /// `ConfigFile = Body;`
    pub(super) fn config_file(&mut self) -> NodeId {
        let first = self.pos;
        let mut items = List::default();
        self.items(&mut items, None, Ends::Newline);
        let last = self.tokens.len() as u32 - 1;
        self.node(NodeKind::Body, first.min(last), last, items)
    }

    /// `Body = (Attribute | Block | OneLineBlock)*;` up to the closing brace of the block that opens at `opener`, or to
    /// the end of the text.
    fn items(&mut self, list: &mut List, opener: Option<u32>, ends: Ends) {
        let mut names = Names::default();
        loop {
            match self.kind {
                T::Newline => {
                    self.bump();
                }
                T::Eof => {
                    if let Some(opener) = opener {
                        self.unclosed_block(opener);
                    }
                    return;
                }
                T::CloseBrace if opener.is_some() => return,
                T::Comma | T::CloseBrace if ends == Ends::Any => {
                    self.bump();
                }
                T::Identifier => {
                    self.recovery.end_doubt();
                    self.item(list, &mut names, ends);
                }
                T::String
                    if matches!(
                        self.kind_after(self.pos),
                        T::Equal | T::OpenBrace | T::String | T::Colon
                    ) =>
                {
                    self.recovery.end_doubt();
                    self.quoted_name();
                    self.item(list, &mut names, ends);
                }
                _ => self.stray(*list, ends),
            }
        }
    }

    /// Reports a token that cannot begin an item, in a body with these items so far.
    #[cold]
    fn stray(&mut self, items: List, ends: Ends) {
        let kind = self.kind;
        let closes = matches!(kind, T::CloseBrace | T::CloseBracket | T::CloseParen);
        let follows = closes && self.recovery.take_extra_closer();
        self.recovery.start_if(ends == Ends::Any || follows);
        if self.is_conflict_marker() {
            self.recovery.enter_conflict_marker(kind == T::Greater);
        }
        let diagnostic = self.no_item(items);
        self.error(|| diagnostic);
        if matches!(kind, T::CloseBrace) {
            self.bump();
            self.resume();
            if !matches!(self.kind, T::Newline | T::Eof) && !self.looks_like_item(self.pos) {
                self.skip_item();
            }
        } else {
            self.skip_item();
        }
    }

    /// `"name" = …`, or `"name": …` as in JSON, which is read as if it were not quoted.
    #[cold]
    fn quoted_name(&mut self) {
        let token = self.pos;
        let (quote, whole) = (self.here(), self.tokens.span(token));
        let name = self.text_of(token).trim_matches('"').to_owned();
        let plain = crate::is_identifier(&name);
        let colon = self.kind_after(token) == T::Colon;
        let reported = self.diagnostics.mark();
        let mut found = None;
        self.error(|| {
            if colon {
                let through_colon = whole.cover(self.tokens.span(self.tokens.significant_from(token + 1)));
                let detail = messages::QUOTED_ARGUMENT_NAME_WITH_COLON;
                let diagnostic =
                    Diagnostic::error(Code::QuotedName).at(quote).with_note(detail).with_context(whole);
                return if plain {
                    diagnostic.with_edit(fix::REWRITE_AS_ARGUMENT, through_colon, format!("{name} ="))
                } else {
                    diagnostic
                };
            }
            let diagnostic = Diagnostic::error(Code::QuotedName)
                .at(quote)
                .with_note(messages::QUOTED_ARGUMENT_NAME)
                .with_context(whole);
            if plain {
                found.insert(diagnostic.with_edit(fix::REMOVE_QUOTES, whole, name)).clone()
            } else {
                diagnostic
            }
        });
        if let Some(found) = found {
            // Many of them are reported as one error.
            self.diagnostics.truncate(reported);
            self.quoted_names.push(found);
        }
        self.resume_surely();
        // The colon is not an error of its own.
        self.recovery.doubt_if(colon);
    }

    fn item(&mut self, list: &mut List, names: &mut Names<'d>, ends: Ends) {
        let name = self.bump();
        let item = match self.kind {
            T::Equal => {
                if let Some(earlier) = self.note_name(name, names, *list) {
                    self.duplicate_attribute(name, earlier);
                }
                self.attribute(name, ends)
            }
            T::OpenBrace | T::String | T::OpenQuote | T::Identifier => self.block(name, ends),
            _ => return self.expected_item(name, ends, list),
        };
        self.append(list, item);
    }

    /// Records the name of an attribute of a body with these items so far. Returns the earlier token with the same
    /// name.
    #[inline]
    fn note_name(&mut self, name: u32, names: &mut Names<'d>, items: List) -> Option<u32> {
        /// From this number on, names are looked up in an index.
        const MANY: usize = 24;
        let bytes = &self.source.text().as_bytes()[self.tokens.span(name).to_range()];
        let (first, last) = (bytes.first().copied().unwrap_or(0), bytes.last().copied().unwrap_or(0));
        let hash = u32::from(first) * 31 + u32::from(last) * 7 + bytes.len() as u32 * 13;
        let bit = 1_u64 << (hash % 64);
        let may_be_known = names.filter & bit != 0;
        names.filter |= bit;
        names.count += 1;
        if names.count < MANY {
            return if may_be_known {
                let text = self.text_of(name);
                self.attributes(items).find(|&other| self.text_of(other) == text)
            } else {
                None
            };
        }
        let index = names.index.get_or_insert_with(|| {
            let mut index = HashMap::new();
            for other in self.attributes(items) {
                index.entry(self.text_of(other)).or_insert(other);
            }
            index
        });
        match index.entry(self.tokens.text(name, self.source)) {
            Entry::Occupied(earlier) => Some(*earlier.get()),
            Entry::Vacant(place) => {
                place.insert(name);
                None
            }
        }
    }

    /// The name tokens of the attributes in a list of items.
    fn attributes(&self, items: List) -> impl Iterator<Item = u32> {
        let mut at = items.first;
        std::iter::from_fn(move || {
            let node = self.tree.nodes[at.node(&self.tree)?.index()];
            at = node.next;
            Some(node)
        })
        .filter(|node| node.kind == NodeKind::Attribute)
        .map(|node| node.first_token)
    }

    /// Reports a name that is not followed by an equals sign, labels or a brace.
    #[cold]
    fn expected_item(&mut self, name: u32, ends: Ends, list: &mut List) {
        let brace = self.tokens.significant_from(self.pos);
        let body_follows = self.kind == T::Newline && self.tokens.kind(brace) == T::OpenBrace;
        self.recovery.start_if(ends == Ends::Any);
        if body_follows {
            self.brace_on_next_line(name, brace);
            self.go_to(brace);
            self.resume_surely();
            let block = self.block_with(name, ends, true);
            return self.append(list, block);
        }
        let (diagnostic, meant) = self.no_equals_sign(name);
        self.error(|| diagnostic);
        if let Some(value) = meant {
            // It was meant as an argument: keep its value in the tree and report the errors in it.
            self.resume_surely();
            self.go_to(value);
            let attribute = self.value_of(name, ends);
            return self.append(list, attribute);
        }
        self.recovery.allow_extra_closer(self.kind != T::Colon);
        let unfinished = self.unfinished(name);
        self.append(list, unfinished);
        if self.kind == T::Colon {
            // The indented lines below belong to it.
            self.bump();
        }
        self.skip_item();
    }

    #[cold]
    fn brace_on_next_line(&mut self, name: u32, brace: u32) {
        let span = self.tokens.span(name);
        let detail = messages::BRACE_ON_NEXT_LINE;
        let diagnostic =
            self.with_brace_up(Diagnostic::error(Code::InvalidBlock).at(span).with_note(detail), brace);
        self.error(|| diagnostic);
    }

    /// Reads a name alone, with the attribute names after it, which is usually incomplete input.
    #[cold]
    fn unfinished(&mut self, name: u32) -> NodeId {
        let mut at = self.node(NodeKind::Variable, name, name, List::default());
        while self.kind == T::Dot {
            self.bump();
            if self.kind == T::Identifier {
                self.bump();
            }
            at = self.finish(NodeKind::GetAttr, name, List::of(at));
        }
        self.finish(NodeKind::Unfinished, name, List::of(at))
    }

    #[cold]
    fn duplicate_attribute(&mut self, name: u32, earlier: u32) {
        if self.recovery.is_in_conflict() {
            // Both sides of a conflict set the argument.
            return;
        }
        let (span, first) = (self.tokens.span(name), self.tokens.span(earlier));
        let detail = messages::duplicate_argument(
            self.text_of(name),
            self.source.line_of(first.start) + self.source.start().line,
        );
        self.diagnostics.push(
            Diagnostic::error(Code::DuplicateAttribute)
                .at(span)
                .with_note(detail)
                .with_related_span(first, related::FIRST_SET_HERE),
        );
    }

    /// `Attribute = Identifier "=" Expression Newline;`. The identifier is consumed already.
    fn attribute(&mut self, name: u32, ends: Ends) -> NodeId {
        self.bump();
        self.value_of(name, ends)
    }

    /// Reads the rest of an attribute, from its value on.
    #[inline]
    fn value_of(&mut self, name: u32, ends: Ends) -> NodeId {
        let value = self.expression();
        let attribute = self.finish(NodeKind::Attribute, name, List::of(value));
        self.end_of_item(name, ends, "argument");
        attribute
    }

    /// Reads the line break that ends an item.
    fn end_of_item(&mut self, first: u32, ends: Ends, what: &'static str) {
        if self.recovery.is_recovering() {
            return self.skip_item();
        }
        match self.kind {
            T::Newline | T::Eof => {
                // The item is complete, even if it contains errors.
                self.recovery.end_doubt();
                self.bump();
            }
            _ if ends == Ends::Any => {}
            _ => self.missing_newline(first, what),
        }
    }

    #[cold]
    fn missing_newline(&mut self, first: u32, what: &'static str) {
        if self.prev + 1 == self.pos && self.tokens.kind(self.prev) == T::CloseHeredoc {
            return self.behind_heredoc();
        }
        let (here, blanks) = (self.here(), self.blanks_before());
        let context = self.between(first, self.pos);
        let (kind, in_block) = (self.kind, self.recovery.innermost_block().is_some());
        let item_follows = self.looks_like_item(self.pos);
        let ends_line = matches!(self.tokens.kind(self.pos + 1), T::Newline | T::Eof | T::LineComment);
        if let Some(quote) = self.closing_quote() {
            self.report_quote_at(quote, here);
            return self.skip_item();
        }
        let closes = matches!(kind, T::CloseBrace | T::CloseBracket | T::CloseParen);
        let follows = closes && self.recovery.take_extra_closer();
        self.recovery.start_if(follows);
        let known = self
            .closer_too_many()
            .or_else(|| self.misplaced())
            .or_else(|| self.text_behind_value(first))
            .or_else(|| self.thousands());
        self.error(|| {
            if let Some(known) = known {
                return known;
            }
            if kind == T::Comma {
                let diagnostic = Diagnostic::error(Code::UnexpectedComma)
                    .at(here)
                    .with_note(messages::COMMA_BETWEEN_ARGUMENTS);
                return if ends_line {
                    diagnostic.with_edit(fix::REMOVE_COMMA, here, "")
                } else {
                    diagnostic
                };
            }
            let detail = messages::missing_line_break(what);
            let diagnostic = Diagnostic::error(Code::MissingNewline).at(here).with_note(detail);
            if item_follows || (kind == T::CloseBrace && in_block) {
                diagnostic.with_edit(fix::START_NEW_LINE, blanks, "\n")
            } else {
                diagnostic
            }
        });
        if let Some(diagnostic) = self.diagnostics.last_mut()
            && diagnostic.span == here
        {
            diagnostic.context = Some(context);
        }
        if kind == T::Comma && self.looks_like_item(self.pos + 1) {
            self.bump();
            self.resume_surely();
        } else if item_follows {
            self.resume_surely();
        } else {
            self.skip_item();
        }
    }

    /// Handles more text on the line of the name that closes a heredoc, which the lexer reported: the parser continues
    /// as if it were on the next line.
    #[cold]
    fn behind_heredoc(&mut self) {
        let end = self.tokens.span(self.prev).end;
        let next = self.pos + 1;
        let ends_line = matches!(self.tokens.kind(next), T::Newline | T::Eof);
        let closes = matches!(self.kind, T::CloseBrace | T::CloseBracket | T::CloseParen);
        let (title, gap, replacement) = match self.kind {
            T::Comma if ends_line => (fix::REMOVE_COMMA, Span::new(end, self.here().end), ""),
            T::Comma => (fix::START_NEW_LINE, Span::new(end, self.tokens.start(next)), "\n"),
            kind if closes && ends_line && !self.recovery.closers.expects(kind) => {
                (fix::REMOVE_CLOSING_BRACKET, Span::new(end, self.here().end), "")
            }
            _ => return,
        };
        let edits = vec![Edit { span: gap, replacement: replacement.into() }];
        self.heredoc_fixes.push((end, Fix { title: title.into(), edits }));
        self.bump();
    }

    /// `Block = Identifier (StringLit|Identifier)* "{" Newline Body "}" Newline;`. The type is consumed already.
    fn block(&mut self, name: u32, ends: Ends) -> NodeId {
        self.block_with(name, ends, false)
    }

    /// Like [`block`](Self::block), but the brace can be on a line below, which is reported.
    fn block_with(&mut self, name: u32, ends: Ends, mut brace_below: bool) -> NodeId {
        let mut children = List::default();
        loop {
            match self.kind {
                T::OpenBrace => break,
                T::Identifier => {
                    let label = self.bump();
                    let label = self.node(NodeKind::Name, label, label, List::default());
                    self.append(&mut children, label);
                }
                T::String => {
                    let label = self.bump();
                    let label = self.node(NodeKind::String, label, label, List::default());
                    self.append(&mut children, label);
                }
                T::OpenQuote => {
                    let label = self.label_with_sequences();
                    self.append(&mut children, label);
                }
                T::Newline if self.tokens.kind(self.tokens.significant_from(self.pos)) == T::OpenBrace => {
                    self.invalid_header(name);
                    self.go_to(self.tokens.significant_from(self.pos));
                    self.resume_surely();
                    brace_below = true;
                }
                _ => {
                    self.invalid_header(name);
                    if self.sign_too_many() {
                        // Continue as if it were absent.
                        self.bump();
                        self.resume_surely();
                        continue;
                    }
                    let body = self.node(NodeKind::Body, self.prev, self.prev, List::default());
                    self.flag(body, Flags::EMPTY_SPAN);
                    self.append(&mut children, body);
                    let block = self.finish(NodeKind::Block, name, children);
                    self.skip_item();
                    return block;
                }
            }
        }
        if !self.enter() {
            self.leave();
            let body = self.too_deep_block();
            self.append(&mut children, body);
            return self.finish(NodeKind::Block, name, children);
        }
        let opener = self.pos;
        let around = self.recovery.open_block(name);
        let mut items = List::default();
        self.bump();
        if self.has_dollar(opener) {
            self.recovery.allow_missing_closers();
            self.recovery.doubt_if(true);
        }
        let body_ends = if brace_below { Ends::Newline } else { self.single_line_items(&mut items, opener) };
        self.items(&mut items, Some(opener), body_ends);
        self.recovery.close_block(around);
        self.leave();
        if self.kind == T::CloseBrace {
            self.bump();
        }
        let body = self.finish(NodeKind::Body, opener, items);
        self.append(&mut children, body);
        let block = self.finish(NodeKind::Block, name, children);
        self.end_of_block(name, ends);
        block
    }

    fn end_of_block(&mut self, name: u32, ends: Ends) {
        self.resume();
        if !self.recovery.is_recovering() {
            self.end_of_item(name, ends, "block");
        }
    }

    /// `OneLineBlock = Identifier (StringLit|Identifier)* "{" (Identifier "=" Expression)? "}" Newline;` from after the
    /// opening brace up to the closing one. After an error, the rest is read like any body.
    fn single_line_items(&mut self, items: &mut List, opener: u32) -> Ends {
        if matches!(self.kind, T::Newline | T::Eof | T::CloseBrace) {
            return Ends::Newline;
        }
        let (first, before) = (self.pos, self.prev);
        let next = self.kind_after(first);
        if self.kind == T::String && matches!(next, T::Equal | T::Colon) {
            self.quoted_name();
        } else if self.kind != T::Identifier {
            // Reading the items of the body reports it.
            self.recovery.allow_missing_closers();
            return Ends::Newline;
        } else if matches!(next, T::OpenBrace | T::String | T::OpenQuote | T::Identifier) {
            let (name, span) =
                (self.text_of(first), self.between(first, self.tokens.significant_from(first + 1)));
            let detail = messages::block_in_single_line_block(name);
            self.error(|| Diagnostic::error(Code::SingleLineBlock).at(span).with_note(detail));
            self.recovery.allow_missing_closers();
            self.resume_surely();
            return Ends::Any;
        }
        self.bump();
        if self.kind == T::Equal {
            self.bump();
        } else {
            let (diagnostic, meant) = self.no_equals_sign(first);
            let Some(value) = meant else {
                self.prev = before;
                self.go_to(first);
                self.recovery.allow_missing_closers();
                return Ends::Newline;
            };
            self.error(|| diagnostic);
            self.resume_surely();
            self.go_to(value);
        }
        let value = self.expression();
        let attribute = self.finish(NodeKind::Attribute, first, List::of(value));
        self.append(items, attribute);
        if self.recovery.is_recovering() {
            self.skip_in_single_line();
            return Ends::Any;
        }
        if matches!(self.kind, T::CloseBrace | T::Eof) {
            return Ends::Newline;
        }
        self.report_single_line(opener);
        self.resume_surely();
        self.recovery.allow_missing_closers();
        if !matches!(self.kind, T::Comma | T::Newline) && !self.looks_like_item(self.pos) {
            self.skip_in_single_line();
        }
        Ends::Any
    }

    /// Reports text in place of the end of a single-line block.
    #[cold]
    fn report_single_line(&mut self, opener: u32) {
        let lines = if self.kind == T::Comma { self.on_lines_of_their_own(opener) } else { None };
        let misplaced = self.misplaced();
        let (here, opener) = (self.here(), self.tokens.span(opener));
        let detail = match self.kind {
            T::Comma => messages::SEVERAL_ARGUMENTS_ON_LINE,
            T::Newline => messages::SINGLE_LINE_BLOCK_NOT_CLOSED_ON_LINE,
            _ => messages::TEXT_IN_SINGLE_LINE_BLOCK,
        };
        self.error(|| {
            if let Some(misplaced) = misplaced {
                return misplaced;
            }
            let diagnostic = Diagnostic::error(Code::SingleLineBlock)
                .at(here)
                .with_note(detail)
                .with_related_span(opener, related::BLOCK_STARTS_HERE);
            match lines {
                Some(lines) => diagnostic.with_fix(Fix::new(fix::PUT_EACH_ON_ITS_OWN_LINE, lines)),
                None => diagnostic,
            }
        });
    }

    /// Skips to the closing brace of a single-line block, or to the end of the line.
    #[cold]
    fn skip_in_single_line(&mut self) {
        let silent = self.recovery.is_silent();
        self.sync(T::CloseBrace, Separators::CommasAndNewlines);
        if silent { self.resume() } else { self.resume_surely() }
    }

    #[cold]
    fn unclosed_block(&mut self, opener: u32) {
        let span = self.tokens.span(opener);
        let header = self.recovery.innermost_block().map(|name| self.between(name, opener));
        self.recovery.start_if(self.recovery.allows_missing_closer());
        if self.recovery.is_recovering() {
            return;
        }
        let inner = self.unclosed_by_indentation(opener);
        self.error(|| {
            let detail = messages::UNCLOSED_BLOCK;
            let mut diagnostic = Diagnostic::error(Code::UnclosedBlock).at(span).with_note(detail);
            if let Some(inner) = inner {
                diagnostic = diagnostic.with_related_span(inner, related::UNCLOSED_BY_INDENTATION);
            }
            match header {
                Some(header) => diagnostic.with_context(header),
                None => diagnostic,
            }
        });
    }

    /// Handles a comma between labels, or an equals sign between a quoted label and the body.
    #[cold]
    fn sign_too_many(&self) -> bool {
        let next = self.tokens.kind(self.pos + 1);
        match self.kind {
            T::Comma => matches!(next, T::String | T::Identifier | T::OpenBrace),
            _ => next == T::OpenBrace && self.kind_before() == T::String,
        }
    }

    /// Reports unexpected text in place of a label or the opening brace.
    #[cold]
    fn invalid_header(&mut self, name: u32) {
        let context = self.between(name, self.pos);
        let diagnostic = self.no_label(name);
        let brace_follows = self.kind == T::Newline
            && self.tokens.kind(self.tokens.significant_from(self.pos)) == T::OpenBrace;
        self.error(|| diagnostic.with_context(context));
        self.recovery.allow_extra_closer(!brace_follows);
    }

    /// Reads a label that contains sequences, which is not allowed.
    #[cold]
    fn label_with_sequences(&mut self) -> NodeId {
        let mut at = self.pos;
        while !matches!(
            self.tokens.kind(at),
            T::OpenInterpolation
                | T::OpenInterpolationStrip
                | T::OpenDirective
                | T::OpenDirectiveStrip
                | T::Eof
        ) {
            at += 1;
        }
        let (span, context) = (self.tokens.span(at), self.between(self.pos, at));
        let mark = self.text_of(at).chars().next().unwrap_or('$');
        let detail = messages::sequence_in_label(mark);
        self.error(|| Diagnostic::error(Code::InvalidLabel).at(span).with_note(detail).with_context(context));
        let label = self.expression_term();
        self.resume();
        label
    }

    #[cold]
    fn too_deep_block(&mut self) -> NodeId {
        self.too_deep();
        let opener = self.bump();
        let mut open = 1_u32;
        while open > 0 && self.kind != T::Eof {
            match self.tokens.kind(self.bump()) {
                T::OpenBrace => open += 1,
                T::CloseBrace => open -= 1,
                _ => {}
            }
        }
        let body = self.finish(NodeKind::Body, opener, List::default());
        self.skip_item();
        body
    }
}
