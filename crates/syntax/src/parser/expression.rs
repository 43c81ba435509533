//! Expressions: terms, traversals, splats, calls, operations and conditionals. Specification: "Expressions". Tuples,
//! objects and `for` are in `collection.rs`, templates in `template.rs`.

use super::list::Brackets;
use super::{AtNewline, List, Parser};
use crate::messages::native as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind as T;
use crate::tree::{Flags, NodeId, NodeKind};
use crate::{Code, Diagnostic, Span, number};

/// The precedence of a binary operator in the specification's table; 0 for other tokens.
#[inline]
pub(super) const fn precedence(operator: T) -> u8 {
    match operator {
        T::Star | T::Slash | T::Percent => 6,
        T::Plus | T::Minus => 5,
        T::Greater | T::GreaterEqual | T::Less | T::LessEqual => 4,
        T::EqualEqual | T::BangEqual => 3,
        T::AndAnd => 2,
        T::OrOr => 1,
        _ => 0,
    }
}

impl Parser<'_> {
    /// `Expression = ( ExprTerm | Operation | Conditional );`
    pub(super) fn expression(&mut self) -> NodeId {
        let start = self.pos;
        let condition = self.operation(0);
        if self.kind != T::Question || self.recovery.is_recovering() {
            return condition;
        }
        self.conditional(start, condition)
    }

    /// `Conditional = Expression "?" Expression ":" Expression;`
    fn conditional(&mut self, start: u32, condition: NodeId) -> NodeId {
        if !self.enter() {
            self.leave();
            self.too_deep();
            return condition;
        }
        self.bump();
        let result = self.expression();
        let other = if self.recovery.is_recovering() {
            self.missing()
        } else if self.kind == T::Colon {
            self.bump();
            self.expression()
        } else {
            self.missing_false_result(start);
            self.missing()
        };
        self.leave();
        let children = self.list(&[condition, result, other]);
        self.finish(NodeKind::Conditional, start, children)
    }

    #[cold]
    fn missing_false_result(&mut self, start: u32) {
        let (here, context) = (self.here(), self.between(start, self.pos));
        let newline = self.kind == T::Newline;
        self.error(|| {
            let detail =
                if newline { messages::FALSE_RESULT_ON_NEXT_LINE } else { messages::MISSING_FALSE_RESULT };
            Diagnostic::error(Code::MissingFalseResult).at(here).with_note(detail).with_context(context)
        });
    }

    /// `binaryOp = ExprTerm binaryOperator ExprTerm;` with operators of a higher precedence than `floor`. Operators of
    /// the same precedence are left-associative.
    fn operation(&mut self, floor: u8) -> NodeId {
        let start = self.pos;
        let mut left = self.expression_term();
        loop {
            let operator = self.kind;
            let level = precedence(operator);
            if level <= floor || self.recovery.is_recovering() {
                if operator == T::Identifier
                    && let Some(meant) = self.operator_in_words(start, left, floor)
                {
                    left = meant;
                    continue;
                }
                return left;
            }
            self.bump();
            let right = self.operation(level);
            let children = self.list(&[left, right]);
            left = self.finish(NodeKind::Binary, start, children);
            self.tree.nodes[left.index()].operator = operator;
        }
    }

    /// Reports `and`, `or` and `not`, and reads them as the operators that were meant.
    #[cold]
    fn operator_in_words(&mut self, start: u32, left: NodeId, floor: u8) -> Option<NodeId> {
        if self.recovery.is_recovering() || self.wrong_quote_from(self.pos).is_some() {
            return None;
        }
        if let Some(not) = self.misplaced_not() {
            if self.first_token(left) != self.prev {
                return None;
            }
            self.report_and_go_on(not);
            let operand = self.expression_term();
            let unary = self.finish(NodeKind::Unary, start, List::of(operand));
            self.tree.nodes[unary.index()].operator = T::Bang;
            return Some(unary);
        }
        let (operator, level) = match self.text_of(self.pos) {
            "and" => (T::AndAnd, 2),
            "or" => (T::OrOr, 1),
            _ => return None,
        };
        if level <= floor || self.is_prose() {
            return None;
        }
        let diagnostic = self.misplaced()?;
        self.report_and_go_on(diagnostic);
        self.bump();
        let right = self.operation(level);
        let children = self.list(&[left, right]);
        let binary = self.finish(NodeKind::Binary, start, children);
        self.tree.nodes[binary.index()].operator = operator;
        Some(binary)
    }

    /// Reports an error after which parsing continues normally.
    fn report_and_go_on(&mut self, diagnostic: Diagnostic) {
        let silent = self.recovery.is_silent();
        self.error(|| diagnostic);
        if silent { self.resume() } else { self.resume_surely() }
    }

    /// `ExprTerm`, with the unary operators before it and the traversals after it.
    pub(super) fn expression_term(&mut self) -> NodeId {
        if matches!(self.kind, T::Minus | T::Bang) {
            return self.unary();
        }
        let term = self.bare_term();
        match self.kind {
            T::Dot | T::OpenBracket if !self.recovery.is_recovering() => self.traversals(term),
            _ => term,
        }
    }

    /// `unaryOp = ("-" | "!") ExprTerm;`
    fn unary(&mut self) -> NodeId {
        let first = self.pos;
        let mut operators = Vec::new();
        while matches!(self.kind, T::Minus | T::Bang) {
            operators.push((self.kind, self.pos));
            self.bump();
        }
        if self.depth + operators.len() as u32 > self.max_depth {
            self.go_to(first);
            return self.too_deep();
        }
        self.depth += operators.len() as u32;
        let mut operand = self.expression_term();
        self.depth -= operators.len() as u32;
        for (operator, token) in operators.into_iter().rev() {
            operand = self.finish(NodeKind::Unary, token, List::of(operand));
            self.tree.nodes[operand.index()].operator = operator;
        }
        operand
    }

    /// `ExprTerm` up to its first traversal.
    fn bare_term(&mut self) -> NodeId {
        let start = self.pos;
        match self.kind {
            T::Identifier => {
                if self.at_newline == AtNewline::Skip && self.begins_next_item() {
                    return self.item_in_brackets();
                }
                self.bump();
                if matches!(self.kind, T::OpenParen | T::DoubleColon) {
                    return self.function_call(start);
                }
                let kind = match &self.source.text().as_bytes()[self.tokens.span(start).to_range()] {
                    b"true" => NodeKind::True,
                    b"false" => NodeKind::False,
                    b"null" => NodeKind::Null,
                    _ => NodeKind::Variable,
                };
                self.node(kind, start, start, List::default())
            }
            T::String => {
                self.bump();
                self.node(NodeKind::String, start, start, List::default())
            }
            T::Number => {
                self.bump();
                self.check_number(start);
                if self.kind == T::Identifier {
                    self.number_with_letters(start);
                }
                self.node(NodeKind::Number, start, start, List::default())
            }
            T::OpenQuote | T::OpenHeredoc => self.template(),
            T::OpenBracket => self.tuple(),
            T::OpenBrace => self.object(),
            T::OpenParen => self.parens(),
            _ => self.no_expression(),
        }
    }

    #[cold]
    fn no_expression(&mut self) -> NodeId {
        let no_operand = self.no_operand();
        self.error(|| no_operand);
        self.missing()
    }

    /// Checks a number token, which may contain more than a number: `1.2.3`.
    #[inline]
    pub(super) fn check_number(&mut self, token: u32) {
        let text = self.text_of(token).as_bytes();
        let Some(odd) = text.iter().position(|byte| !byte.is_ascii_digit()) else { return };
        let (mut scale, mut fits) = (0, true);
        let mut rest = &text[odd..];
        let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if let [b'.', fraction @ ..] = rest {
            scale = i64::try_from(digits(fraction)).unwrap_or(i64::MAX);
            rest = &fraction[digits(fraction)..];
        }
        if let [b'e' | b'E', exponent @ ..] = rest {
            let sign = usize::from(matches!(exponent.first(), Some(b'+' | b'-')));
            let end = sign + digits(&exponent[sign..]);
            let written = self.text_of(token)[text.len() - exponent.len()..][..end].parse::<i64>();
            fits = written.is_ok_and(|exponent| number::fits(text, exponent.saturating_sub(scale)));
            rest = &exponent[end..];
        }
        if !rest.is_empty() || !fits {
            self.invalid_number(token);
        }
    }

    #[cold]
    fn invalid_number(&mut self, token: u32) {
        let (span, text) = (self.tokens.span(token), self.text_of(token));
        if let Some(quote) = self.wrong_quote_from(token) {
            self.report_quote_at(quote, span);
            self.recovery.doubt_if(true);
        } else if !self.recovery.is_recovering() {
            let detail = if text.contains("..") {
                messages::range(text)
            } else if text.matches('.').count() > 1 {
                messages::several_decimal_points(text)
            } else {
                messages::invalid_number(text)
            };
            self.diagnostics.push(Diagnostic::error(Code::InvalidNumber).at(span).with_note(detail));
            // The next argument may have been joined to the number.
            self.recovery.doubt_if(self.kind_after(token) == T::Equal);
        }
    }

    /// Reports an item of a body inside brackets, where it is not allowed.
    #[cold]
    fn item_in_brackets(&mut self) -> NodeId {
        if !self.is_block_in_list() {
            return self.unclosed_before_item();
        }
        let first = self.pos;
        let here = self.here();
        while self.kind != T::OpenBrace {
            self.bump();
        }
        let header = Span::new(here.start, self.tokens.start(self.pos));
        if !self.recovery.is_silent() {
            let detail = messages::BLOCK_IN_LIST;
            self.diagnostics.push(
                Diagnostic::error(Code::InvalidExpression)
                    .at(here)
                    .with_note(detail)
                    .with_context(self.between(first, self.pos))
                    .with_edit(fix::CONVERT_TO_OBJECT, header, ""),
            );
        }
        self.object()
    }

    /// `"(" Expression ")"`, where newlines are whitespace.
    fn parens(&mut self) -> NodeId {
        if !self.enter() {
            self.leave();
            return self.too_deep();
        }
        let outside = self.open_bracket(T::CloseParen);
        let open = self.prev;
        let inner = self.expression();
        self.leave();
        if !self.recovery.is_recovering() && self.kind != T::CloseParen {
            self.missing_closer(open, Code::UnbalancedParens, messages::MISSING_CLOSING_PARENTHESIS);
        }
        self.close_bracket(T::CloseParen, outside);
        self.finish(NodeKind::Parens, open, List::of(inner))
    }

    /// `ExprTerm Index | ExprTerm GetAttr | ExprTerm Splat`, any number of them.
    fn traversals(&mut self, mut term: NodeId) -> NodeId {
        let first = self.first_token(term);
        while !self.recovery.is_recovering() {
            match self.kind {
                T::Dot => term = self.dot(first, term),
                T::OpenBracket => term = self.index(first, term),
                _ => break,
            }
        }
        term
    }

    /// `GetAttr = "." Identifier;`, `attrSplat = "." "*" GetAttr*;` and the legacy index `.0`.
    fn dot(&mut self, first: u32, object: NodeId) -> NodeId {
        let dot = self.bump();
        match self.kind {
            T::Identifier => {
                self.bump();
                self.finish(NodeKind::GetAttr, first, List::of(object))
            }
            T::Number => self.legacy_index(first, object, dot),
            T::Star => self.attribute_splat(first, object, dot),
            _ => {
                self.missing_attribute_name(dot);
                self.finish(NodeKind::GetAttr, first, List::of(object))
            }
        }
    }

    #[cold]
    fn missing_attribute_name(&mut self, dot: u32) {
        let (here, dot) = (self.here(), self.tokens.span(dot));
        self.error(|| {
            Diagnostic::error(Code::MissingAttributeName)
                .at(here)
                .with_note(messages::MISSING_ATTRIBUTE_NAME)
                .with_context(dot.cover(here))
        });
    }

    fn legacy_index(&mut self, first: u32, collection: NodeId, dot: u32) -> NodeId {
        let number = self.bump();
        if let Some((one, other)) = self.text_of(number).split_once('.') {
            let span = self.tokens.span(number);
            let whole = self.tokens.span(dot).cover(span);
            let detail = messages::legacy_index(one, other);
            let replacement = format!("[{one}][{other}]");
            self.diagnostics.push(
                Diagnostic::error(Code::LegacyIndex)
                    .at(span)
                    .with_note(detail)
                    .with_context(whole)
                    .with_edit(fix::USE_BRACKETS, whole, replacement),
            );
        } else {
            self.check_number(number);
        }
        self.finish(NodeKind::LegacyIndex, first, List::of(collection))
    }

    /// `attrSplat = "." "*" GetAttr*;`
    fn attribute_splat(&mut self, first: u32, source: NodeId, dot: u32) -> NodeId {
        let star = self.bump();
        let mut each = self.node(NodeKind::SplatItem, dot, star, List::default());
        while self.kind == T::Dot && !self.recovery.is_recovering() {
            let inner = self.bump();
            let operand = List::of(each);
            match self.kind {
                T::Identifier => {
                    self.bump();
                    each = self.finish(NodeKind::GetAttr, dot, operand);
                }
                T::Number => each = self.legacy_index(dot, each, inner),
                T::Star => {
                    let here = self.here();
                    self.error(|| {
                        Diagnostic::error(Code::NestedSplat).at(here).with_note(messages::NESTED_SPLAT)
                    });
                }
                _ => {
                    self.missing_attribute_name(inner);
                    each = self.finish(NodeKind::GetAttr, dot, operand);
                }
            }
        }
        let children = self.list(&[source, each]);
        self.finish(NodeKind::AttrSplat, first, children)
    }

    /// `Index = "[" Expression "]";` and `fullSplat = "[" "*" "]" (GetAttr | Index)*;`
    fn index(&mut self, first: u32, collection: NodeId) -> NodeId {
        if !self.enter() {
            self.leave();
            self.too_deep();
            return collection;
        }
        let open = self.bump();
        let id = if self.kind == T::Star {
            self.full_splat(first, collection, open)
        } else {
            self.recovery.closers.open(T::CloseBracket);
            let outside = std::mem::replace(&mut self.at_newline, AtNewline::Skip);
            self.settle();
            let key = self.expression();
            if !self.recovery.is_recovering() && self.kind != T::CloseBracket {
                self.missing_close_bracket(open);
            }
            self.close_bracket(T::CloseBracket, outside);
            let children = self.list(&[collection, key]);
            self.finish(NodeKind::Index, first, children)
        };
        self.leave();
        id
    }

    fn full_splat(&mut self, first: u32, source: NodeId, open: u32) -> NodeId {
        self.bump();
        if self.kind == T::CloseBracket {
            self.bump();
        } else {
            self.missing_close_bracket(open);
            if self.sync_to(T::CloseBracket) {
                self.bump();
            }
        }
        let item = self.finish(NodeKind::SplatItem, open, List::default());
        let each = self.traversals(item);
        let children = self.list(&[source, each]);
        self.finish(NodeKind::FullSplat, first, children)
    }

    #[cold]
    fn missing_close_bracket(&mut self, open: u32) {
        let part = matches!(self.kind, T::Comma | T::Colon);
        let detail = if part { messages::SEVERAL_INDICES } else { messages::MISSING_CLOSING_BRACKET };
        self.missing_closer(open, Code::MissingCloseBracket, detail);
    }

    /// Reports unexpected text in place of the closing bracket for `open`.
    #[cold]
    fn missing_closer(&mut self, open: u32, code: Code, detail: &'static str) {
        let (here, opener, context) = (self.here(), self.tokens.span(open), self.between(open, self.pos));
        let known = self.wrong_closer(open).or_else(|| self.misplaced());
        self.error(|| {
            let diagnostic = known.unwrap_or_else(|| {
                Diagnostic::error(code)
                    .at(here)
                    .with_note(detail)
                    .with_related_span(opener, related::OPENED_HERE)
            });
            diagnostic.with_context(context)
        });
    }

    /// `FunctionCall = Identifier "(" arguments ")";` where the name may be `Identifier ("::" Identifier)*`. Its first
    /// identifier is consumed already.
    fn function_call(&mut self, name: u32) -> NodeId {
        while self.kind == T::DoubleColon {
            self.bump();
            if self.kind != T::Identifier {
                return self.bad_function_name(
                    name,
                    Code::MissingFunctionName,
                    messages::MISSING_FUNCTION_NAME,
                );
            }
            self.bump();
        }
        if self.kind != T::OpenParen {
            return self.bad_function_name(name, Code::MissingCallParen, messages::MISSING_CALL_PARENTHESIS);
        }
        if !self.enter() {
            self.leave();
            return self.too_deep();
        }
        let opener = self.pos;
        let outside = self.open_bracket(T::CloseParen);
        let mut arguments = List::default();
        let expanded = self.elements(&mut arguments, Brackets::Call { name }, opener);
        self.leave();
        self.close_bracket(T::CloseParen, outside);
        let call = self.finish(NodeKind::Call, name, arguments);
        if expanded {
            self.flag(call, Flags::ELLIPSIS);
        }
        call
    }

    #[cold]
    fn bad_function_name(&mut self, name: u32, code: Code, detail: &'static str) -> NodeId {
        let (here, context) = (self.here(), self.between(name, self.pos));
        self.error(|| Diagnostic::error(code).at(here).with_note(detail).with_context(context));
        self.finish(NodeKind::Call, name, List::default())
    }
}
