//! Errors for common mistakes in arguments and blocks.

use super::super::{FAR, List, Parser};
use super::{LOOK_AHEAD, joins};
use crate::messages::fix;
use crate::messages::{lexical, native as messages};
use crate::token::TokenKind as T;
use crate::tree::NodeKind;
use crate::{Code, Diagnostic, Edit, Fix, Span};

impl Parser<'_> {
    /// The error about a token that cannot begin an item, in a body with these items so far.
    #[cold]
    pub(in crate::parser) fn no_item(&self, items: List) -> Diagnostic {
        let here = self.here();
        let error = |detail: &'static str| Diagnostic::error(Code::ExpectedItem).at(here).with_note(detail);
        let last = items.last.node(&self.tree).map(|last| self.tree.nodes[last.index()]);
        match self.kind {
            T::CloseBrace | T::CloseBracket | T::CloseParen | T::CloseSequence | T::CloseSequenceStrip => {
                Diagnostic::error(Code::UnexpectedClose)
                    .at(here)
                    .with_note(messages::CLOSING_BRACKET_WITHOUT_OPENING)
            }
            T::String | T::OpenQuote => {
                let quote = Span::new(here.start, here.start + 1);
                Diagnostic::error(Code::QuotedName).at(quote).with_note(messages::QUOTED_ARGUMENT_NAME)
            }
            T::Less | T::Greater | T::EqualEqual if self.is_conflict_marker() => {
                error(messages::CONFLICT_MARKER)
            }
            T::Less if self.source.text()[here.start as usize..].starts_with("<!--") => {
                error(messages::COMMENT_OF_ANOTHER_LANGUAGE)
            }
            T::Minus if self.tokens.kind(self.pos + 1) == T::Minus && self.touches_next() => {
                error(messages::COMMENT_OF_ANOTHER_LANGUAGE)
            }
            T::OpenBrace if last.is_none() && self.tokens.significant_from(0) == self.pos => {
                error(messages::JSON_IN_NATIVE_SYNTAX)
            }
            T::OpenBracket => error(messages::HEADING_IN_BRACKETS),
            kind if joins(kind) && last.is_some_and(|last| last.kind == NodeKind::Attribute) => {
                let value = last
                    .and_then(|last| last.first_child().node(&self.tree))
                    .map(|value| self.first_token(value));
                let diagnostic = error(messages::EXPRESSION_ON_NEXT_LINE);
                match self.parens_over_lines(value, self.pos - 1) {
                    Some(parens) if self.prev + 1 == self.pos => {
                        diagnostic.with_fix(Fix::new(fix::ADD_PARENTHESES, parens))
                    }
                    _ => diagnostic,
                }
            }
            _ => error(messages::MISSING_ITEM),
        }
    }

    /// Returns true if the line is a conflict marker: `<<<<<<<`, `=======` or `>>>>>>>`, possibly with text after it.
    #[cold]
    pub(in crate::parser) fn is_conflict_marker(&self) -> bool {
        let rest = &self.source.text()[self.tokens.start(self.pos) as usize..];
        self.begins_line(self.pos)
            && ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| rest.starts_with(mark))
    }

    /// The error about a name that is not followed by an equals sign, labels or a brace, with the token at which its
    /// value begins, if there is one.
    #[cold]
    pub(in crate::parser) fn no_equals_sign(&self, name: u32) -> (Diagnostic, Option<u32>) {
        let (span, here, text) = (self.tokens.span(name), self.here(), self.text_of(name));
        let after = self.pos + 1;
        let touches = span.end == here.start;
        let assigns = self.tokens.kind(after) == T::Equal && self.touches_next();
        let error = |detail: &'static str| Diagnostic::error(Code::ExpectedItem).at(span).with_note(detail);
        let alone = error(messages::NAME_ALONE);
        let equals = messages::ARGUMENT_WITHOUT_EQUALS_SIGN;
        match self.kind {
            T::Colon if self.tokens.kind(after) == T::Newline => (error(messages::COLON_AFTER_NAME), None),
            T::Colon if assigns => (alone.with_edit(fix::USE_EQUALS_SIGN, here, ""), Some(after + 1)),
            T::Colon => {
                let edit = if touches { " =" } else { "=" };
                (alone.with_edit(fix::USE_EQUALS_SIGN, here, edit), Some(after))
            }
            T::EqualEqual | T::FatArrow => {
                (error(equals).with_edit(fix::USE_EQUALS_SIGN, here, "="), Some(after))
            }
            T::Plus | T::Minus | T::Star | T::Slash | T::Percent if assigns => {
                (error(messages::COMPOUND_ASSIGNMENT), None)
            }
            T::Dot | T::OpenBracket if self.line_has(T::Equal) && (self.kind == T::Dot || touches) => {
                let detail = messages::dotted_argument_name(text);
                (Diagnostic::error(Code::ExpectedItem).at(span).with_note(detail), None)
            }
            T::Dot => (error(messages::REFERENCE_ALONE), None),
            T::OpenParen | T::Number if self.line_has(T::OpenBrace) => {
                let detail = messages::LABEL_OF_ANOTHER_KIND;
                let diagnostic = Diagnostic::error(Code::InvalidBlock).at(span).with_note(detail);
                let quoted = format!("\"{}\"", self.text_of(self.pos));
                let number = self.kind == T::Number;
                (
                    if number { diagnostic.with_edit(fix::PUT_IN_QUOTES, here, quoted) } else { diagnostic },
                    None,
                )
            }
            T::OpenParen => (error(messages::CALL_ALONE), None),
            // A number before an equals sign is not a value.
            T::Number | T::OpenBracket
                if !touches && (self.kind == T::OpenBracket || !self.line_has(T::Equal)) =>
            {
                let gap = Span::new(span.end, here.start);
                (error(equals).with_edit(fix::ADD_EQUALS_SIGN, gap, " = "), Some(self.pos))
            }
            _ => (alone, None),
        }
    }

    /// Returns true if there is a token of this kind between the current one and the end of its line.
    fn line_has(&self, kind: T) -> bool {
        (self.pos..self.pos + LOOK_AHEAD)
            .map(|at| self.tokens.kind(at))
            .take_while(|&kind| !matches!(kind, T::Newline | T::Eof))
            .any(|found| found == kind)
    }

    /// The error about unexpected text in the header of a block of type `name`, in place of a label or the opening
    /// brace.
    #[cold]
    pub(in crate::parser) fn no_label(&self, name: u32) -> Diagnostic {
        let (here, block_type) = (self.here(), self.text_of(name));
        let error = |detail: &'static str| Diagnostic::error(Code::InvalidBlock).at(here).with_note(detail);
        let brace = self.tokens.significant_from(self.pos);
        let end = self.tokens.span(self.prev).end;
        let labels = self.prev - name;
        match self.kind {
            T::Newline if self.tokens.kind(brace) == T::OpenBrace => {
                let diagnostic = error(messages::BLOCK_WITHOUT_BODY);
                self.with_brace_up(diagnostic, brace)
            }
            T::Newline | T::Eof if labels == 1 && self.kind_before() == T::String => {
                let detail = messages::block_without_body_or_argument(block_type, self.text_of(self.prev));
                Diagnostic::error(Code::InvalidBlock).at(here).with_note(detail)
            }
            T::Newline | T::Eof => error(messages::BLOCK_WITHOUT_BODY),
            T::Equal if self.tokens.kind(self.pos + 1) == T::OpenBrace && self.kind_before() == T::String => {
                error(messages::EQUALS_SIGN_BEFORE_BODY).with_edit(
                    fix::REMOVE_EQUALS_SIGN,
                    Span::new(end, here.end),
                    "",
                )
            }
            T::Equal if labels == 1 && self.kind_before() == T::Identifier => {
                let detail = messages::keyword_before_argument(block_type);
                Diagnostic::error(Code::InvalidBlock).at(here).with_note(detail)
            }
            T::Equal => error(messages::LABELS_OF_ARGUMENT),
            T::Comma
                if matches!(self.tokens.kind(self.pos + 1), T::String | T::Identifier | T::OpenBrace) =>
            {
                error(messages::COMMA_BETWEEN_LABELS).with_edit(fix::REMOVE_COMMA, here, "")
            }
            T::Dot => error(messages::DOTTED_LABEL),
            _ if matches!(block_type, "if" | "for" | "while" | "foreach" | "switch" | "else" | "elif") => {
                error(messages::STATEMENT)
            }
            _ => error(messages::MISSING_LABEL_OR_BRACE),
        }
    }

    /// Reports the quoted names. Many of them are one error: the file is written in HCL 1.
    pub(in crate::parser) fn report_quoted_names(&mut self) {
        /// The number of names from which they are reported together.
        const MANY: usize = 3;
        let mut names = std::mem::take(&mut self.quoted_names);
        if names.len() >= MANY {
            let detail = messages::quoted_names_of_hcl_1(names.len());
            let edits = names.iter().filter_map(|name| name.fix.as_ref()).flat_map(|fix| fix.edits.clone());
            let edits: Vec<Edit> = edits.collect();
            let first = names.swap_remove(0);
            names = vec![first.with_note(detail).with_fix(Fix::new(fix::REMOVE_QUOTES, edits))];
        }
        for name in names {
            self.diagnostics.push(name);
        }
    }

    /// The edits that put each argument of a single-line block on a line of its own.
    pub(in crate::parser) fn on_lines_of_their_own(&self, opener: u32) -> Option<Vec<Edit>> {
        let line = self.source.slice(self.source.line_span(self.source.line_of(self.tokens.start(opener))));
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let gap = |before: u32, after: u32| Span::new(self.tokens.span(before).end, self.tokens.start(after));
        let edit =
            |span: Span, deeper: &str| Edit { span, replacement: format!("\n{indent}{deeper}").into() };
        let mut edits = vec![edit(gap(opener, opener + 1), "  ")];
        let mut open = 0_u32;
        for at in opener + 1..opener + LOOK_AHEAD {
            match self.tokens.kind(at) {
                T::OpenBrace | T::OpenBracket | T::OpenParen => open += 1,
                T::CloseBrace if open == 0 => {
                    edits.push(edit(gap(at - 1, at), ""));
                    return Some(edits);
                }
                T::CloseBrace | T::CloseBracket | T::CloseParen => open = open.checked_sub(1)?,
                T::Comma if open == 0 => {
                    let item = self.looks_like_item(at + 1) && self.tokens.kind(at + 2) == T::Equal;
                    edits.push(edit(gap(at - 1, at + 1), if item { "  " } else { "" }));
                    if self.tokens.kind(at + 1) == T::CloseBrace {
                        return Some(edits);
                    } else if !item {
                        return None;
                    }
                }
                T::Eof | T::Newline | T::LineComment | T::InlineComment | T::Wrong => return None,
                _ => {}
            }
        }
        None
    }

    /// Among the blocks inside the one that opens at `opener`, returns the innermost one without a closing brace of its
    /// own, if braces are matched by indentation.
    #[cold]
    pub(in crate::parser) fn unclosed_by_indentation(&self, opener: u32) -> Option<Span> {
        let mut open = Vec::new();
        for at in opener + 1..self.tokens.len() as u32 {
            match self.tokens.kind(at) {
                T::OpenBrace => open.push((at, self.indent_of(at))),
                T::CloseBrace => {
                    let (inner, indent) = open.pop()?;
                    if self.begins_line(at) && self.indent_of(at) < indent {
                        return Some(self.tokens.span(inner));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The error about an unmatched closing bracket after the value of an argument.
    #[cold]
    pub(in crate::parser) fn closer_too_many(&self) -> Option<Diagnostic> {
        let closes = matches!(self.kind, T::CloseBracket | T::CloseParen)
            || self.kind == T::CloseBrace && self.recovery.innermost_block().is_none();
        let alone = matches!(self.tokens.kind(self.pos + 1), T::Newline | T::Eof | T::LineComment);
        closes.then(|| {
            let diagnostic = Diagnostic::error(Code::UnexpectedClose)
                .at(self.here())
                .with_note(messages::CLOSING_BRACKET_WITHOUT_OPENING);
            // Instead of an extra brace, one may be missing further up.
            if alone && self.kind != T::CloseBrace {
                diagnostic.with_edit(fix::REMOVE_IT, self.here(), "")
            } else {
                diagnostic
            }
        })
    }

    /// Adds the fix for a block whose opening brace is on a line below; the current token is after its header.
    pub(in crate::parser) fn with_brace_up(&self, diagnostic: Diagnostic, brace: u32) -> Diagnostic {
        if (self.pos..brace).any(|token| self.tokens.kind(token).is_comment()) {
            return diagnostic;
        }
        let behind = self.tokens.span(brace);
        let gap = Span::new(self.tokens.span(self.prev).end, behind.start);
        let mut edits = vec![Edit { span: gap, replacement: " ".into() }];
        let line = || (brace + 1..).map(|at| self.tokens.kind(at)).take_while(|kind| *kind != T::Newline);
        let ends = |kind: T| matches!(kind, T::CloseBrace | T::LineComment | T::Eof);
        if line().next().is_some() && !line().take(FAR as usize).any(ends) {
            edits.push(Edit { span: Span::empty(behind.end), replacement: "\n".into() });
        }
        diagnostic.with_fix(Fix::new(fix::MOVE_BRACE_UP, edits))
    }

    /// The error about more text after the value of an argument, if it reads like prose.
    pub(in crate::parser) fn text_behind_value(&self, argument: u32) -> Option<Diagnostic> {
        let here = self.here();
        let error = |detail: &'static str| Diagnostic::error(Code::MissingNewline).at(here).with_note(detail);
        if matches!(self.kind, T::String | T::OpenQuote) && self.kind_before() == T::String {
            let (before, text) = (self.tokens.span(self.prev), self.text_of(self.prev));
            if text != "\"\"" || before.end != here.start {
                return Some(error(messages::ADJACENT_STRINGS));
            }
            let after = self.pos + 1;
            let diagnostic = error(lexical::TRIPLE_QUOTES);
            let closes = self.tokens.is_text(after, "\"\"", self.source) && self.touches_next();
            let edits = [before, self.tokens.span(after)].map(|span| Edit { span, replacement: "".into() });
            return Some(if closes {
                diagnostic.with_fix(Fix::new(fix::USE_SINGLE_QUOTES, edits))
            } else {
                diagnostic
            });
        }
        let value = (argument + 1..self.pos).find(|&at| self.tokens.kind(at) == T::Equal)? + 1;
        if self.tokens.is_text(value, "if", self.source) {
            return Some(error(messages::CONDITIONAL_OF_ANOTHER_LANGUAGE));
        }
        let end = (value..value + LOOK_AHEAD)
            .find(|&at| !matches!(self.tokens.kind(at), T::Identifier | T::Number))?;
        let ends = matches!(self.tokens.kind(end), T::Newline | T::Eof);
        (ends && end > self.pos).then(|| {
            let diagnostic = error(messages::UNQUOTED_TEXT);
            // Two words are not prose for sure.
            let prose = self.tokens.kind(value) == T::Identifier && end - value > 2;
            let quote = |at: u32| Edit { span: Span::empty(at), replacement: "\"".into() };
            let ends = [self.tokens.start(value), self.tokens.span(end - 1).end];
            if prose {
                diagnostic.with_fix(Fix::new(fix::PUT_TEXT_IN_QUOTES, ends.map(quote)))
            } else {
                diagnostic
            }
        })
    }

    /// `1,000`, where the comma is the current token.
    pub(in crate::parser) fn thousands(&self) -> Option<Diagnostic> {
        let mut end = self.pos;
        let touch = |at: u32| self.tokens.span(at).end == self.tokens.start(at + 1);
        while self.tokens.kind(end) == T::Comma
            && end < self.pos + LOOK_AHEAD
            && touch(end - 1)
            && touch(end)
            && self.tokens.kind(end + 1) == T::Number
        {
            end += 2;
        }
        let number = self.pos.checked_sub(1).filter(|&at| self.tokens.kind(at) == T::Number)?;
        (end > self.pos && matches!(self.tokens.kind(end), T::Newline | T::Eof)).then(|| {
            let span = self.between(number, end - 1);
            let digits = self.source.slice(span).replace(',', "");
            Diagnostic::error(Code::UnexpectedComma)
                .at(self.here())
                .with_note(messages::NUMBER_OF_ANOTHER_LANGUAGE)
                .with_edit(fix::REMOVE_SEPARATORS, span, digits)
        })
    }
}
